//! What names a user, or a trace of theirs, in settings and reports that stay.

use domain::ProjectId;
use sqlx::Row as _;

use crate::{StoreError, Transaction};

/// A column in which users may be named.
#[derive(Clone, Copy, Debug)]
pub struct Place {
    /// The table.
    pub table: &'static str,
    column: &'static str,
    kind: &'static str,
    /// Which rows are of the project `$1`.
    of_project: &'static str,
    /// Whether rows are looked at that do not hold the id of the user: those that may name traces.
    names_traces: bool,
}

/// What becomes of a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Rewritten {
    /// It says that from now on.
    Says(String),
    /// It goes.
    Goes,
}

const OF_PROJECT: &str = "project_id = $1";
const OF_RULE: &str = "rule_id IN (SELECT id FROM alert_rules WHERE project_id = $1)";
const OF_TARGET: &str = "(queue_id IN (SELECT id FROM annotation_queues WHERE project_id = $1)
     OR dataset_id IN (SELECT id FROM datasets WHERE project_id = $1))";

const fn place(table: &'static str, column: &'static str, kind: &'static str) -> Place {
    Place {
        table,
        column,
        kind,
        of_project: OF_PROJECT,
        names_traces: false,
    }
}

/// All of them.
pub const PLACES: [Place; 13] = [
    place("saved_views", "query", "TEXT"),
    place("bulk_jobs", "filter", "JSONB"),
    Place {
        of_project: OF_TARGET,
        ..place("fills", "filter", "JSONB")
    },
    place("evaluators", "document", "JSONB"),
    place("alert_rules", "filter", "JSONB"),
    place("alert_rules", "params", "JSONB"),
    place("alert_baselines", "groups", "JSONB"),
    Place {
        of_project: OF_RULE,
        ..place("alert_states", "groups", "JSONB")
    },
    place("dashboards", "document", "JSONB"),
    place("incidents", "subject", "JSONB"),
    place("notifications", "body", "TEXT"),
    place("incident_attributions", "symptom", "JSONB"),
    Place {
        names_traces: true,
        ..place("incident_attributions", "answer", "JSON")
    },
];

/// Shows what stands at a place, as far as it may name somebody, and does what `change` says; how many rows were
/// changed. The statements are put together out of the fixed list above, so that they are the one kind of query here
/// that is not checked when compiling; a test runs them all.
///
/// # Errors
/// When Postgres is away.
pub async fn rewrite(
    tx: &mut Transaction,
    project: ProjectId,
    (place, user): (&Place, &str),
    change: impl Fn(&str) -> Option<Rewritten>,
) -> Result<u64, StoreError> {
    let Place {
        table,
        column,
        kind,
        of_project,
        names_traces,
    } = place;
    // Within JSON the id is written with its escapes; addresses have escapes of their own.
    let found = format!(
        "SELECT ctid::TEXT AS place, {column}::TEXT AS said FROM {table}
         WHERE {of_project} AND {column} IS NOT NULL
             AND ($3 OR position($2 IN {column}::TEXT) > 0)
         FOR UPDATE"
    );
    let needle = serde_json::Value::from(user).to_string();
    let is_plain = !needle.contains('\\') && *table != "saved_views";
    let rows = sqlx::query(&found)
        .bind(project.as_uuid())
        .bind(user)
        .bind(*names_traces || !is_plain)
        .fetch_all(tx.connection())
        .await?;
    let mut changed = 0;
    for row in rows {
        let (at, said): (String, String) = (row.try_get("place")?, row.try_get("said")?);
        match change(&said) {
            None => continue,
            Some(Rewritten::Says(text)) => {
                let update =
                    format!("UPDATE {table} SET {column} = $2::{kind} WHERE ctid = $1::TID");
                let update = sqlx::query(&update).bind(at).bind(text);
                update.execute(tx.connection()).await?;
            }
            Some(Rewritten::Goes) => {
                let delete = format!("DELETE FROM {table} WHERE ctid = $1::TID");
                sqlx::query(&delete)
                    .bind(at)
                    .execute(tx.connection())
                    .await?;
            }
        }
        changed += 1;
    }
    Ok(changed)
}
