//! Generations held against their objectives.

use std::collections::BTreeMap;

use clickhouse::Row;
use domain::ProjectId;
use domain::objective::{Goodput, Objective};
use serde::Deserialize;

use super::{Window, within};
use crate::client::ClickHouse;
use crate::error::StoreError;

pub(crate) const SQL: &str = concat!(include_str!("each.sql"), include_str!("paced.sql"));

/// A limit that is not asked for.
const NO_LIMIT: f64 = -1.0;

#[derive(Row, Deserialize)]
struct PacedRow {
    model: String,
    missed: u64,
    unjudged: u64,
    good: u64,
}

/// Generations that began in a window, by model, the most called first. `objectives` says the one of
/// each model; models without one are left out.
///
/// # Errors
/// When ClickHouse is away or takes too long.
pub async fn paced(
    clickhouse: &ClickHouse,
    project: ProjectId,
    window: Window,
    objectives: &BTreeMap<String, Objective>,
) -> Result<Vec<Goodput>, StoreError> {
    if objectives.is_empty() {
        return Ok(Vec::new());
    }
    let limits = |limit: fn(&Objective) -> Option<f64>| -> Vec<f64> {
        let limits = objectives.values().map(limit);
        limits.map(|limit| limit.unwrap_or(NO_LIMIT)).collect()
    };
    let models: Vec<&String> = objectives.keys().collect();
    let query = within(clickhouse, project, SQL, window)
        .param("models", models)
        .param("ttft_limits", limits(|objective| objective.draft.ttft_ms))
        .param("tpot_limits", limits(|objective| objective.draft.tpot_ms));
    let rows = query.rows::<PacedRow>().await?;
    let goodput = rows.into_iter().filter_map(|row| {
        Some(Goodput {
            objective: objectives.get(&row.model)?.clone(),
            model: row.model,
            good: row.good,
            missed: row.missed,
            unjudged: row.unjudged,
        })
    });
    Ok(goodput.collect())
}
