//! `GET /api/public/metrics/daily`: a trace counts on the day on which it begins, and so does an
//! observation with its usage and cost.

use std::collections::BTreeMap;

use axum::Json;
use axum::extract::{Extension, State};
use axum::response::{IntoResponse, Response};
use domain::comparison::Test;
use domain::metrics::{
    Aggregation, Condition, Cut, Dimension, Draft, Field, Granularity, Group, Measure, Metric,
    Order, OrderBy, Query as Checked, Row, View,
};
use domain::{Fault, Timestamp};
use serde::Serialize;
use serde_json::{Value, json};
use service::{App, ProjectScope, metrics};

use super::shape::sums;
use crate::langfuse::error::{Failure, Result};
use crate::langfuse::paging::{List, Paging};
use crate::langfuse::query::Query;

/// Days on a page where the query does not say.
const USUAL: u32 = 50;

/// A day.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Day {
    date: String,
    count_traces: Value,
    count_observations: Value,
    total_cost: Value,
    usage: Vec<Usage>,
}

/// What a model was used for on a day.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Usage {
    model: Option<String>,
    input_usage: Value,
    output_usage: Value,
    total_usage: Value,
    total_cost: Value,
    count_observations: Value,
    count_traces: Value,
}

/// Days, the newest first.
pub(crate) async fn list_days(
    State(app): State<App>,
    Extension(scope): Extension<ProjectScope>,
    query: Query,
) -> Result<Response> {
    let paging = Paging::read(&query, USUAL)?;
    let wanted = Wanted::read(&query)?;
    let of_traces = wanted.traces()?;
    let of_observations = wanted.observations()?;
    let (traces, observations) = tokio::join!(
        metrics::rows(&app, &scope, &of_traces),
        metrics::rows(&app, &scope, &of_observations),
    );
    let mut days: BTreeMap<Timestamp, Day> = BTreeMap::new();
    for row in &traces? {
        day(&mut days, row).count_traces = taken(&of_traces, row, Measure::Count);
    }
    for row in &observations? {
        let day = day(&mut days, row);
        day.count_observations = taken(&of_observations, row, Measure::Count);
        day.total_cost = taken(&of_observations, row, Measure::TotalCost);
    }
    let total = days.len() as u64;
    let skip = usize::try_from(paging.offset()).unwrap_or(usize::MAX);
    let newest = days.into_iter().rev().skip(skip);
    let mut page: BTreeMap<Timestamp, Day> = newest.take(paging.limit() as usize).collect();
    if let (Some((&first, _)), Some((&last, _))) = (page.first_key_value(), page.last_key_value()) {
        let of_models = wanted.models(first, Granularity::Day.next(last))?;
        for row in &metrics::rows(&app, &scope, &of_models).await? {
            let day = row.time.and_then(|time| page.get_mut(&time));
            day.into_iter()
                .for_each(|day| day.usage.push(usage(&of_models, row)));
        }
    }
    let list = List {
        data: page.into_values().rev().collect(),
        meta: paging.of(total),
    };
    Ok(Json(list).into_response())
}

fn day<'d>(days: &'d mut BTreeMap<Timestamp, Day>, row: &Row) -> &'d mut Day {
    let time = row.time.unwrap_or(Timestamp::EPOCH);
    days.entry(time).or_insert_with(|| Day {
        date: time.to_utc().date().to_string(),
        count_traces: json!(0),
        count_observations: json!(0),
        total_cost: json!(0),
        usage: Vec::new(),
    })
}

fn taken(query: &Checked, row: &Row, measure: Measure) -> Value {
    sums(query, row)
        .remove(measure.as_str())
        .unwrap_or(json!(0))
}

fn usage(query: &Checked, row: &Row) -> Usage {
    let take = |measure| taken(query, row, measure);
    let model = match row.groups.first() {
        Some(Group::Text(model)) => model.clone(),
        _ => None,
    };
    Usage {
        model,
        input_usage: take(Measure::InputTokens),
        output_usage: take(Measure::OutputTokens),
        total_usage: take(Measure::TotalTokens),
        total_cost: take(Measure::TotalCost),
        count_observations: take(Measure::Count),
        count_traces: take(Measure::Traces),
    }
}

/// Which traces and observations count.
struct Wanted {
    trace_names: Vec<String>,
    users: Vec<String>,
    tags: Vec<String>,
    environments: Vec<String>,
    from: Timestamp,
    to: Timestamp,
}

impl Wanted {
    fn read(query: &Query) -> Result<Self> {
        let one = |name: &str| {
            let text = query.text(name)?;
            Ok::<_, Failure>(text.map(str::to_owned))
        };
        Ok(Wanted {
            trace_names: one("traceName")?.into_iter().collect(),
            users: one("userId")?.into_iter().collect(),
            tags: query.list("tags"),
            environments: query.list("environment"),
            from: query.time("fromTimestamp")?.unwrap_or(Timestamp::EPOCH),
            to: query.time("toTimestamp")?.unwrap_or(Timestamp::MAX),
        })
    }

    fn traces(&self) -> Result<Checked> {
        let metrics = [(Measure::Count, Aggregation::Count)];
        self.checked((View::Traces, Dimension::Name), &metrics, |_| {})
    }

    fn observations(&self) -> Result<Checked> {
        let metrics = [
            (Measure::Count, Aggregation::Count),
            (Measure::TotalCost, Aggregation::Sum),
        ];
        self.checked((View::Observations, Dimension::TraceName), &metrics, |_| {})
    }

    fn models(&self, from: Timestamp, to: Timestamp) -> Result<Checked> {
        let metrics = [
            (Measure::Count, Aggregation::Count),
            (Measure::Traces, Aggregation::Uniq),
            (Measure::InputTokens, Aggregation::Sum),
            (Measure::OutputTokens, Aggregation::Sum),
            (Measure::TotalTokens, Aggregation::Sum),
            (Measure::TotalCost, Aggregation::Sum),
        ];
        let of_view = (View::Observations, Dimension::TraceName);
        self.checked(of_view, &metrics, |draft| {
            draft.dimensions.push(Dimension::Model);
            draft.from = draft.from.max(from);
            draft.to = draft.to.min(to);
        })
    }

    fn checked(
        &self,
        (view, name): (View, Dimension),
        metrics: &[(Measure, Aggregation)],
        change: impl FnOnce(&mut Draft),
    ) -> Result<Checked> {
        let tests = [
            (name, Test::AnyOf(self.trace_names.clone())),
            (Dimension::User, Test::AnyOf(self.users.clone())),
            (Dimension::Tags, Test::AllOf(self.tags.clone())),
            (
                Dimension::Environment,
                Test::AnyOf(self.environments.clone()),
            ),
        ];
        let is_asked = |(_, test): &(Dimension, Test)| !matches!(test, Test::AnyOf(texts) | Test::AllOf(texts) if texts.is_empty());
        let condition = |(dimension, test)| Condition {
            field: Field::Dimension(dimension),
            test,
        };
        let metric = |&(measure, aggregation): &(Measure, Aggregation)| Metric {
            measure,
            aggregation,
        };
        let mut draft = Draft {
            view,
            dimensions: Vec::new(),
            metrics: metrics.iter().map(metric).collect(),
            conditions: tests.into_iter().filter(is_asked).map(condition).collect(),
            by_metadata: Vec::new(),
            cut: Some(Cut::By(Granularity::Day)),
            from: self.from,
            to: self.to,
            order: vec![Order {
                by: OrderBy::Time,
                is_ascending: false,
            }],
            limit: None,
            bins: 1,
        };
        change(&mut draft);
        let checked = draft.check();
        Ok(checked.map_err(|error| Fault::invalid(error.to_string()))?)
    }
}
