//! Requests of an incident: those that lie furthest on the bad side.

use domain::alert::kind::Direction;
use domain::alert::measure::{RequestMeasure, Source};
use domain::alert::{AlertSeries, Group, Rule};
use domain::axes::{AxisValue, Dimension};
use domain::filter::{Column, Condition, Filter, Operator};
use domain::page::Limit;
use domain::{Fault, Timestamp};
use service::App;
use service::axes::page;

use crate::extract::InProject;
use crate::measure;
use crate::urls;

/// Requests that are looked at: the newest of the incident.
const LOOKED_AT: u32 = 200;
/// Requests that are shown.
const SHOWN: usize = 6;
/// Digits of a trace id that are shown.
const ID_DIGITS: usize = 12;

/// A request of an incident.
pub(crate) struct SampleRow {
    pub(crate) url: String,
    pub(crate) id: String,
    pub(crate) short: String,
    pub(crate) time: String,
    pub(crate) model: String,
    pub(crate) prompt: String,
    /// Its value of the series; empty where it has none.
    pub(crate) value: String,
    pub(crate) e2e: String,
}

/// Those of a stretch of time that a group of a rule is about.
///
/// # Errors
/// `unavailable` or `timeout` when a store is away or takes too long.
pub(super) async fn of_rule(
    app: &App,
    entered: &InProject,
    (rule, group): (&Rule, &Group),
    (from, to): (Timestamp, Timestamp),
) -> Result<Vec<SampleRow>, Fault> {
    let Some(series) = &rule.draft.series else {
        return Ok(Vec::new());
    };
    let mut filter = rule.draft.filter.filter.clone();
    filter.conditions.extend(
        conditions(group)
            .into_iter()
            .map(|(column, value)| Condition {
                column,
                operator: Operator::AnyOf,
                values: vec![value],
            }),
    );
    let filter = Filter {
        from: Some(from),
        to: Some(to),
        ..filter
    };
    let limit = Limit::new(LOOKED_AT)?;
    let found = page(app, &entered.scope, &filter, (limit, None)).await?;
    let requests = &found.joined.requests;
    let value = value(series);
    let column = value.as_ref().and_then(|value| requests.column(value));
    let instance = group.0.get("instance");
    let instances = requests.dimension(Dimension::Instance);
    let mut rows: Vec<(Option<f64>, usize)> = (0..requests.len())
        .filter(|row| {
            instance.is_none_or(|wanted| {
                instances
                    .get(*row)
                    .is_some_and(|known| known.as_ref() == wanted)
            })
        })
        .map(|row| (column.and_then(|column| column.get(row)), row))
        .collect();
    let side = match rule.draft.kind.name() {
        "slo_burn" => Direction::Up,
        _ => rule.draft.kind.side(),
    };
    rows.sort_by(|(one, at), (other, below)| {
        let known = other.is_some().cmp(&one.is_some());
        let values = one.unwrap_or(0.0).total_cmp(&other.unwrap_or(0.0));
        let worse = match side {
            Direction::Up => values.reverse(),
            Direction::Down => values,
        };
        known.then(worse).then(below.cmp(at))
    });
    let zone = entered.reader.zone();
    let e2e = requests.column(&AxisValue::Token("token.e2e_ms"));
    let text = |dimension, row| {
        let known = requests.dimension(dimension).get(row);
        known.map_or_else(String::new, ToString::to_string)
    };
    let shown = rows.into_iter().take(SHOWN).map(|(number, row)| {
        let id = &requests.trace_ids[row];
        SampleRow {
            url: urls::trace_span(entered.id(), id, &requests.span_ids[row]),
            short: id.as_str().chars().take(ID_DIGITS).collect(),
            id: id.to_string(),
            time: zone.clock(requests.starts[row]),
            model: text(Dimension::Model, row),
            prompt: text(Dimension::PromptVersion, row),
            value: number
                .zip(value.as_ref())
                .map_or_else(String::new, |(number, value)| said(value, number)),
            e2e: e2e
                .and_then(|column| column.get(row))
                .map_or_else(String::new, |ms| measure::number("token.e2e_ms", ms)),
        }
    });
    Ok(shown.collect())
}

/// What is yes or no is said so.
fn said(value: &AxisValue, number: f64) -> String {
    match value.is_flag() {
        true if number >= 0.5 => "✓".to_owned(),
        true => "✗".to_owned(),
        false => measure::number(&value.to_string(), number),
    }
}

/// Conditions of a group that lists of traces can be narrowed by.
pub(super) fn conditions(group: &Group) -> Vec<(Column, String)> {
    let known = group.0.iter().filter_map(|(name, value)| {
        let column = match name.as_str() {
            "environment" => Column::Environment,
            "model" => Column::Model,
            "prompt" => Column::Prompt,
            "prompt_version" => Column::PromptVersion,
            "provider" => Column::Provider,
            "release" => Column::Release,
            "route" => Column::Route,
            "service" => Column::Service,
            "tenant" => Column::Tenant,
            "user_id" => Column::UserId,
            _ => return None,
        };
        Some((column, value.clone()))
    });
    known.collect()
}

/// What requests have of a series.
fn value(series: &AlertSeries) -> Option<AxisValue> {
    match &series.source {
        Source::Requests(RequestMeasure::Requests) => None,
        Source::Requests(RequestMeasure::Errors) => Some(AxisValue::Errors),
        Source::Requests(RequestMeasure::Cost) => Some(AxisValue::Cost),
        Source::Requests(measure) => AxisValue::parse(measure.as_str()),
        Source::Scores(name) | Source::Metric(name) => AxisValue::parse(name),
    }
}
