//! A joint plot: one value by another, and from each bin to its traces.

use domain::ProjectId;
use domain::axes::AxisValue;
use domain::axes::joint::{Bin, Joint};

use super::query::CorrelationQuery;
use crate::chart::joint::{BinMark, JointChart, draw};
use crate::format;
use crate::i18n::Lang;
use crate::measure::{self, Unit};
use crate::urls;

/// A value to choose.
pub(crate) struct Offer {
    pub(crate) value: String,
    pub(crate) label: String,
}

/// A joint plot.
pub(crate) struct JointView {
    /// Names of the fields, and what they hold.
    pub(crate) x: (&'static str, String),
    /// The same of the other value.
    pub(crate) y: (&'static str, String),
    /// Axes of both in the style sheet.
    pub(crate) classes: (&'static str, &'static str),
    /// What the form keeps.
    pub(crate) keep: Vec<(&'static str, String)>,
    /// `Format valid by SM active, 12,004 requests`.
    pub(crate) about: String,
    pub(crate) chart: JointChart,
    /// Each bin in words.
    pub(crate) rows: Vec<BinRow>,
}

/// A bin in words.
pub(crate) struct BinRow {
    pub(crate) mark: BinMark,
    /// `0.60 – 0.70`.
    pub(crate) range: String,
    pub(crate) value: String,
    /// `92.1 % – 94.0 %`.
    pub(crate) interval: String,
    pub(crate) count: String,
    /// Its traces.
    pub(crate) url: String,
}

impl JointView {
    /// The plot of the place `at` of the page.
    pub(super) fn new(
        project: ProjectId,
        (query, at): (&CorrelationQuery, usize),
        (joint, (x, y)): (&Joint, &(AxisValue, AxisValue)),
        lang: Lang,
    ) -> Self {
        let (x_name, y_name) = CorrelationQuery::joint_names(at);
        let (x_text, y_text) = (x.to_string(), y.to_string());
        let unit_of_y = match (joint.is_share, measure::unit(&y_text)) {
            (true, _) => Unit::Flag,
            (false, unit) => unit,
        };
        let units = (measure::unit(&x_text), unit_of_y);
        let chart = draw(joint, units);
        let names = [measure::name(&y_text, lang), measure::name(&x_text, lang)];
        let count = format::count(joint.count as u64);
        let row = |mark: &BinMark| {
            let bin = &joint.bins[mark.at];
            BinRow::new((project, query), (mark, bin), (&x_text, units))
        };
        JointView {
            keep: query.keep(&[x_name, y_name]),
            about: lang.fill("{} by {}, {} requests", &[&names[0], &names[1], &count]),
            classes: (class(x), class(y)),
            rows: chart.bins.iter().map(row).collect(),
            chart,
            x: (x_name, x_text),
            y: (y_name, y_text),
        }
    }
}

impl BinRow {
    fn new(
        (project, query): (ProjectId, &CorrelationQuery),
        (mark, bin): (&BinMark, &Bin),
        (x, units): (&str, (Unit, Unit)),
    ) -> Self {
        let of_x = |value: f64| measure::written(units.0, value);
        let of_y = |value: f64| measure::written(units.1, value);
        let mut pairs = query.to_pairs();
        pairs.push(("value", x.to_owned()));
        pairs.push(("least", bin.from.to_string()));
        pairs.push(("most", bin.to.to_string()));
        BinRow {
            range: format!("{} – {}", of_x(bin.from), of_x(bin.to)),
            value: bin.mean.map_or_else(|| format::NOTHING.to_owned(), of_y),
            interval: bin.interval.map_or_else(
                || format::NOTHING.to_owned(),
                |(low, high)| format!("{} – {}", of_y(low), of_y(high)),
            ),
            count: format::count(bin.count as u64),
            url: urls::correlation_traces(project, &pairs),
            mark: mark.clone(),
        }
    }
}

fn class(value: &AxisValue) -> &'static str {
    measure::class(domain::attribution::Axis::of(&value.to_string()))
}

/// Values that can be chosen, each with its name.
pub(super) fn offers(values: &[AxisValue], lang: Lang) -> Vec<Offer> {
    let offer = |value: &AxisValue| {
        let value = value.to_string();
        Offer {
            label: measure::name(&value, lang),
            value,
        }
    };
    values.iter().map(offer).collect()
}
