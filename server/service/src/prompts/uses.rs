//! What was measured of requests that used prompts.

use std::collections::BTreeMap;
use std::sync::Arc;

use domain::alert::cell::Cell;
use domain::alert::measure::RequestMeasure;
use domain::axes::Requests;
use domain::filter::{Column, Condition, Filter, Operator};
use domain::prompt::PromptName;
use domain::{Fault, Nanos, ProjectId, Timestamp};
use store_clickhouse::ClickHouse;
use store_clickhouse::alerts::{self, Question, Steps};

use crate::answers::{self, Question as Kept};
use crate::app::App;
use crate::axes;
use crate::scope::ProjectScope;

/// What was measured of some requests, by measure.
pub type Measured = BTreeMap<RequestMeasure, Cell>;

/// What is measured for lists.
const MEASURES: [RequestMeasure; 8] = [
    RequestMeasure::Requests,
    RequestMeasure::Errors,
    RequestMeasure::Cost,
    RequestMeasure::E2eMs,
    RequestMeasure::InputTokens,
    RequestMeasure::OutputTokens,
    RequestMeasure::FormatValid,
    RequestMeasure::Refused,
];

/// What was measured of requests that ended within a range, by prompt; of a large project as it was a moment ago.
///
/// # Errors
/// `unavailable` or `timeout` when ClickHouse is away or takes too long.
pub async fn of_prompts(
    app: &App,
    scope: &ProjectScope,
    names: &[&PromptName],
    window: (Timestamp, Timestamp),
) -> Result<BTreeMap<String, Measured>, Fault> {
    if names.is_empty() {
        return Ok(BTreeMap::new());
    }
    let names = names.iter().map(ToString::to_string).collect();
    measured(app, scope, (names, "prompt"), window).await
}

/// The same of one prompt, by version.
///
/// # Errors
/// As [`of_prompts`].
pub async fn of_versions(
    app: &App,
    scope: &ProjectScope,
    name: &PromptName,
    window: (Timestamp, Timestamp),
) -> Result<BTreeMap<String, Measured>, Fault> {
    measured(
        app,
        scope,
        (vec![name.to_string()], "prompt_version"),
        window,
    )
    .await
}

async fn measured(
    app: &App,
    scope: &ProjectScope,
    (names, dimension): (Vec<String>, &str),
    window: (Timestamp, Timestamp),
) -> Result<BTreeMap<String, Measured>, Fault> {
    let (clickhouse, project) = (app.clickhouse().clone(), scope.project_id());
    let asked = format!("{dimension} {names:?}");
    let question = Kept::new(app, (project, "uses of prompts"), window, &asked);
    let dimension = dimension.to_owned();
    let find = async move { found(&clickhouse, project, (names, dimension), window).await };
    Ok(Arc::unwrap_or_clone(
        answers::ask(app, question, find).await?,
    ))
}

async fn found(
    clickhouse: &ClickHouse,
    project: ProjectId,
    (names, dimension): (Vec<String>, String),
    window: (Timestamp, Timestamp),
) -> Result<BTreeMap<String, Measured>, Fault> {
    let filter = Filter {
        conditions: vec![any_of(Column::Prompt, names)],
        ..Filter::default()
    };
    let dimensions = [dimension];
    let length: Nanos = window.1 - window.0;
    let asked = Question {
        filter: &filter,
        dimensions: &dimensions,
        measures: &MEASURES,
        from: window.0,
    };
    let steps = Steps {
        step_s: (length.0 / 1_000_000_000).max(1),
        to: window.1,
    };
    let cells = alerts::cells(clickhouse, project, asked, steps).await?;
    let mut found: BTreeMap<String, Measured> = BTreeMap::new();
    for (measure, cells) in &cells {
        for group in cells.groups() {
            let named = group.0.values().next().cloned().unwrap_or_default();
            let of_measure = found.entry(named).or_default().entry(*measure).or_default();
            cells
                .steps(group)
                .for_each(|(_, cell)| of_measure.add(cell));
        }
    }
    Ok(found)
}

/// Requests of some versions of a prompt within a range, with their axes: all of them, or a sample where there are very
/// many.
///
/// # Errors
/// `unavailable` or `timeout` when a store is away or takes too long.
pub async fn requests(
    app: &App,
    scope: &ProjectScope,
    (name, versions): (&PromptName, &[u32]),
    (from, to): (Timestamp, Timestamp),
) -> Result<Requests, Fault> {
    let versions = versions.iter().map(ToString::to_string).collect();
    let filter = Filter {
        from: Some(from),
        to: Some(to),
        conditions: vec![
            any_of(Column::Prompt, vec![name.to_string()]),
            any_of(Column::PromptVersion, versions),
        ],
        ..Filter::default()
    };
    Ok(axes::requests(app, scope, &filter).await?.requests)
}

fn any_of(column: Column, values: Vec<String>) -> Condition {
    Condition {
        column,
        operator: Operator::AnyOf,
        values,
    }
}
