//! Calls with another cost: each row again, with a version that is greater by one. Why so:
//! `docs/decisions/0006-repricing.md`.

use std::collections::BTreeMap;

use domain::ProjectId;
use domain::span::Cost;
use serde::Serialize;
use uuid::Uuid;

use crate::client::ClickHouse;
use crate::error::StoreError;
use crate::spans::columns::COLUMNS;
use crate::spans::encode::versions_after;
use crate::spans::priced::Call;

/// A call and what it costs from now on; `None`: it has no price.
pub type NewCost<'a> = (&'a Call, Option<Cost>);

/// Columns that take their value from the new cost.
const REPLACED: [&str; 5] = ["cost_source", "cost", "cost_details", "price", "version"];

#[derive(Serialize)]
struct NewRow<'a> {
    project_id: String,
    batch: &'a str,
    trace_id: &'a str,
    span_id: &'a str,
    old_version: String,
    cost_source: &'static str,
    cost: Option<String>,
    cost_details: BTreeMap<&'a str, String>,
    price: String,
    version: String,
}

const COSTS: &str = "INSERT INTO new_costs
    (project_id, batch, trace_id, span_id, old_version, cost_source, cost, cost_details, price, version)
    FORMAT JSONEachRow";

/// Gives calls of one hour, in the order of the table, other costs. Everything else of a row is copied
/// within ClickHouse, as it is. A call that was deleted or replaced meanwhile stays so.
///
/// # Errors
/// When ClickHouse is away or refuses; repeating it is safe.
pub async fn reprice(
    clickhouse: &ClickHouse,
    project: ProjectId,
    calls: &[NewCost<'_>],
) -> Result<(), StoreError> {
    let (Some((first, _)), Some((last, _))) = (calls.first(), calls.last()) else {
        return Ok(());
    };
    let batch = Uuid::now_v7().to_string();
    let mut data = Vec::new();
    for (call, cost) in calls {
        let row = NewRow::new((project, &batch), call, cost.as_ref());
        let row = serde_json::to_vec(&row);
        data.extend(row.map_err(|error| StoreError::BadRow(error.to_string()))?);
        data.push(b'\n');
    }
    clickhouse
        .insert(COSTS.to_owned(), vec![data.into()], &batch)
        .await?;
    let copied = clickhouse
        .statement(&copy())
        .with_setting("max_execution_time", COPY_SECONDS)
        .with_setting("insert_deduplicate", "0")
        .with_setting("session_timezone", "UTC")
        .param("project_id", project.to_string())
        .param("batch", batch)
        .param("hour", first.place().hour)
        .param("first_trace", first.span.trace_id.as_str())
        .param("last_trace", last.span.trace_id.as_str())
        .execute();
    Ok(copied.await?)
}

/// Seconds that copying a batch of rows may take.
const COPY_SECONDS: &str = "60";

/// Copies rows with their new costs.
fn copy() -> String {
    let names: Vec<&str> = COLUMNS.iter().map(|column| column.layout.name).collect();
    let values = names.iter().map(|name| {
        let table = if REPLACED.contains(name) {
            "new"
        } else {
            "old"
        };
        format!("{table}.{name}")
    });
    format!(
        "INSERT INTO spans (project_id, {}) \
         SELECT old.project_id, {} \
         FROM spans AS old \
         INNER JOIN new_costs AS new \
             ON old.trace_id = new.trace_id AND old.span_id = new.span_id \
             AND old.version = new.old_version \
         WHERE old.project_id = {{project_id:UUID}} \
             AND old.start_hour = {{hour:UInt32}} \
             AND old.trace_id BETWEEN {{first_trace:String}} AND {{last_trace:String}} \
             AND old.kind IN ('generation', 'embedding', 'reranker') \
             AND new.project_id = {{project_id:UUID}} \
             AND new.batch = {{batch:UUID}}",
        names.join(", "),
        values.collect::<Vec<_>>().join(", ")
    )
}

impl<'a> NewRow<'a> {
    fn new((project, batch): (ProjectId, &'a str), call: &'a Call, cost: Option<&'a Cost>) -> Self {
        let terms = cost.and_then(|cost| cost.terms.as_ref());
        let details = cost.into_iter().flat_map(|cost| &cost.details);
        NewRow {
            project_id: project.to_string(),
            batch,
            trace_id: call.span.trace_id.as_str(),
            span_id: call.span.span_id.as_str(),
            old_version: call.version.to_string(),
            cost_source: cost.map_or("", |cost| cost.source.as_str()),
            cost: cost.and_then(|cost| Some(cost.total?.to_string())),
            cost_details: details
                .map(|(usage, usd)| (usage.as_str(), usd.to_string()))
                .collect(),
            price: terms.map_or_else(String::new, |terms| {
                serde_json::to_string(terms).unwrap_or_default()
            }),
            version: versions_after(call.version).to_string(),
        }
    }
}
