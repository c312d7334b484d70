//! What can be chosen: filters, groups, series, values.

use domain::axes::value::{GPU, QUALITY, TOKEN};
use domain::axes::{AxisSeries, AxisValue, Dimension};
use domain::filter::{Column, Operator};
use service::axes::Picture;

use super::joint::Offer;
use super::lanes::series_name;
use super::query::CorrelationQuery;
use crate::extract::Reader;
use crate::i18n::Lang;
use crate::layout::Choice;
use crate::measure::{self, Unit};
use crate::pages::traces::column_name;
use crate::urls;

/// A filter in force.
pub(crate) struct Chip {
    pub(crate) key: String,
    pub(crate) value: String,
    pub(crate) denies: bool,
    pub(crate) remove_url: String,
}

/// A dimension to narrow to, with its values.
pub(crate) struct FilterOffer {
    pub(crate) name: &'static str,
    pub(crate) label: &'static str,
    pub(crate) values: Vec<String>,
}

/// Filters in force.
pub(super) fn chips(reader: &Reader, query: &CorrelationQuery) -> Vec<Chip> {
    let url = |changed: CorrelationQuery| urls::correlation(reader.id(), &changed);
    let mut chips: Vec<Chip> = Vec::new();
    for (at, (column, operator, value)) in query.list.conditions.iter().enumerate() {
        chips.push(Chip {
            key: column_label(column, reader.lang()),
            value: value.clone(),
            denies: matches!(operator, Operator::NoneOf | Operator::DoesNotContain),
            remove_url: url(query.changed(|query| {
                query.list.conditions.remove(at);
            })),
        });
    }
    for name in &query.instances {
        chips.push(Chip {
            key: reader.lang().t("instance").to_owned(),
            value: name.clone(),
            denies: false,
            remove_url: url(query.changed(|query| query.instances.retain(|known| known != name))),
        });
    }
    chips
}

fn column_label(column: &Column, lang: Lang) -> String {
    let name = column_name(column);
    Dimension::from_name(&name).map_or(name, |dimension| dimension_name(dimension, lang).to_owned())
}

/// What a page calls a dimension.
pub(super) fn dimension_name(dimension: Dimension, lang: Lang) -> &'static str {
    match dimension {
        Dimension::Instance => lang.t("instance"),
        Dimension::Gpu => lang.t("GPU"),
        Dimension::Model => lang.t("model"),
        Dimension::Prompt => lang.t("prompt"),
        Dimension::PromptVersion => lang.t("prompt version"),
        Dimension::Tenant => lang.t("tenant"),
        Dimension::Route => lang.t("route"),
        Dimension::Release => lang.t("release"),
        Dimension::Provider => lang.t("provider"),
        Dimension::Environment => lang.t("environment"),
    }
}

/// Dimensions that the page can be narrowed to, with the values that there are.
pub(super) fn filters(picture: &Picture, lang: Lang) -> Vec<FilterOffer> {
    let can = |dimension: Dimension| !matches!(dimension, Dimension::Gpu);
    let offers = picture
        .values
        .iter()
        .filter(|(dimension, _)| can(*dimension));
    offers
        .map(|(dimension, values)| FilterOffer {
            name: dimension.as_str(),
            label: dimension_name(*dimension, lang),
            values: values
                .iter()
                .map(|(name, _)| version_of(*dimension, name))
                .collect(),
        })
        .collect()
}

/// Versions are filtered without the name of their prompt.
fn version_of(dimension: Dimension, name: &str) -> String {
    let version = name.rsplit_once('@').map(|(_, version)| version);
    match dimension {
        Dimension::PromptVersion => version.unwrap_or(name).to_owned(),
        _ => name.to_owned(),
    }
}

/// What lines can be grouped by.
pub(super) fn groups(reader: &Reader, query: &CorrelationQuery) -> Vec<Choice> {
    let choice = |by: Option<Dimension>| Choice {
        label: match by {
            Some(dimension) => dimension_name(dimension, reader.lang()).to_owned(),
            None => reader.lang().t("nothing").to_owned(),
        },
        url: urls::correlation(reader.id(), &query.changed(|query| query.by = by)),
        current: query.by == by,
    };
    let known = Dimension::ALL
        .iter()
        .map(|dimension| choice(Some(*dimension)));
    std::iter::once(choice(None)).chain(known).collect()
}

/// Values that requests may have, scores of the project among them.
pub(super) fn joint_values(picture: &Picture) -> Vec<AxisValue> {
    let names = GPU.iter().map(|(name, _)| *name);
    let names = names.chain(TOKEN.iter().map(|(name, _)| *name));
    let names = names.chain(QUALITY.iter().map(|(name, _)| *name));
    let names = names.chain(["errors", "cost"]);
    let known = names.filter_map(AxisValue::parse);
    known.chain(picture.own.iter().cloned()).collect()
}

/// Series that can be added.
pub(super) fn series_offers(all: &[AxisSeries], values: &[AxisValue], lang: Lang) -> Vec<Offer> {
    let mut offers = Vec::new();
    for value in std::iter::once(&AxisValue::Requests).chain(values) {
        let name = value.to_string();
        let statistics: &[&str] = match measure::unit(&name) {
            Unit::Ms => &[":p50", ":p95", ":p99"],
            _ => &[""],
        };
        for statistic in statistics {
            let Ok(series) = AxisSeries::parse(&format!("{name}{statistic}")) else {
                continue;
            };
            if !all.contains(&series) {
                offers.push(Offer {
                    label: series_name(&series, lang),
                    value: series.to_string(),
                });
            }
        }
    }
    offers
}
