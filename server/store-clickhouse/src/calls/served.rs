//! What was served, by whom.

use clickhouse::Row;
use domain::ProjectId;
use domain::cost::{ServedCalls, Serving};
use serde::Deserialize;

use super::{ServingKey, Window, within};
use crate::client::ClickHouse;
use crate::error::StoreError;
use crate::spans::row::some;

pub(crate) const SQL: &str = concat!(include_str!("each.sql"), include_str!("served.sql"));

/// Servings that are listed: telemetry may name any number of models.
const MOST: u32 = 10_000;

#[derive(Row, Deserialize)]
struct ServedRow {
    serving: u64,
    model: String,
    provider_name: String,
    instance_name: String,
    served: u64,
    open: u64,
    uncounted: u64,
    all_input_tokens: Option<u64>,
    all_output_tokens: Option<u64>,
}

/// Calls by who served them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Served {
    /// Who.
    pub key: ServingKey,
    /// The calls.
    pub calls: ServedCalls,
}

/// Calls that began in a window, by who served them; of very many the most used.
///
/// # Errors
/// When ClickHouse is away or takes too long.
pub async fn served(
    clickhouse: &ClickHouse,
    project: ProjectId,
    window: Window,
) -> Result<Vec<Served>, StoreError> {
    let query = within(clickhouse, project, SQL, window).param("limit", MOST);
    let rows = query.rows::<ServedRow>().await?;
    let served = rows.into_iter().map(|row| Served {
        key: ServingKey(row.serving),
        calls: ServedCalls {
            serving: Serving {
                model: row.model,
                provider: some(row.provider_name),
                instance: some(row.instance_name),
            },
            calls: row.served,
            open_calls: row.open,
            uncounted_calls: row.uncounted,
            input_tokens: row.all_input_tokens,
            output_tokens: row.all_output_tokens,
        },
    });
    Ok(served.collect())
}
