//! What the safety net says: what was measured of a version within its last seven days, and of the prompt before.

use domain::filter::{Column, Condition, Filter, Operator};
use domain::prompt::PromptName;
use domain::rollback::safety::{CURRENT_S, MEASURES, TARGET_S, checks};
use domain::rollback::{Check, Limits, Vitals};
use domain::{Fault, Nanos, ProjectId, Timestamp};
use store_clickhouse::alerts::{self as store, Question, Steps};

use crate::app::App;

/// What is asked.
pub(super) struct Comparison<'q> {
    /// Whose prompt.
    pub(super) project: ProjectId,
    /// The prompt.
    pub(super) name: &'q PromptName,
    /// The version that a label stands on; its requests say nothing of what was usual.
    pub(super) suspect: u32,
    /// The version that it would go to.
    pub(super) target: u32,
    /// Before when it was as usual.
    pub(super) before: Timestamp,
}

/// Holds the version that a label would go to against what was usual.
///
/// # Errors
/// `unavailable` or `timeout` when the telemetry store is away or takes too long.
pub(super) async fn ask(
    app: &App,
    question: &Comparison<'_>,
    limits: &Limits,
) -> Result<Vec<Check>, Fault> {
    let now = app.clock().now();
    let target = condition(Column::PromptVersion, Operator::AnyOf, question.target);
    let target = (target, (now.minus(Nanos::from_seconds(TARGET_S)), now));
    let others = condition(Column::PromptVersion, Operator::NoneOf, question.suspect);
    let from = question.before.minus(Nanos::from_seconds(CURRENT_S));
    let others = (others, (from, question.before));
    let (target, current) =
        tokio::try_join!(vitals(app, question, target), vitals(app, question, others))?;
    Ok(checks(limits, &target, &current))
}

fn condition(column: Column, operator: Operator, version: u32) -> Condition {
    Condition {
        column,
        operator,
        values: vec![version.to_string()],
    }
}

async fn vitals(
    app: &App,
    question: &Comparison<'_>,
    (version, window): (Condition, (Timestamp, Timestamp)),
) -> Result<Vitals, Fault> {
    let of_prompt = Condition {
        column: Column::Prompt,
        operator: Operator::AnyOf,
        values: vec![question.name.to_string()],
    };
    let filter = Filter {
        conditions: vec![of_prompt, version],
        ..Filter::default()
    };
    let asked = Question {
        filter: &filter,
        dimensions: &[],
        measures: &MEASURES,
        from: window.0,
    };
    let steps = Steps {
        step_s: TARGET_S,
        to: window.1,
    };
    let cells = store::cells(app.clickhouse(), question.project, asked, steps).await?;
    let mut vitals = Vitals::default();
    for (measure, cells) in &cells {
        for group in cells.groups() {
            cells
                .steps(group)
                .for_each(|(_, cell)| vitals.add(*measure, cell));
        }
    }
    Ok(vitals)
}
