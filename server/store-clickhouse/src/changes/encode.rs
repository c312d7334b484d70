//! Changes as a block of columns: what a change gives to each.

use domain::change::{Change, Subject};
use domain::{ProjectId, Timestamp};
use serde_json::Value as Json;

use crate::block::{self, BadBlock, Head, Table};
use crate::changes::columns::COLUMNS;

/// What a change takes up as a rule.
const USUAL_CHANGE_BYTES: usize = 1024;

/// A change with its fields as text.
pub(crate) struct Row<'a> {
    pub(crate) change: &'a Change,
    pub(crate) body: String,
}

/// Encodes changes of one project.
///
/// # Errors
/// [`BadBlock::TooManyRows`], which no request is large enough for.
pub fn encode(project_id: ProjectId, changes: &[Change]) -> Result<Vec<u8>, BadBlock> {
    let rows: Vec<Row<'_>> = changes
        .iter()
        .map(|change| Row {
            change,
            body: serde_json::to_string(&change.body).unwrap_or_default(),
        })
        .collect();
    let times = changes.iter().map(|change| change.time);
    let head = Head {
        table: Table::Changes,
        project_id,
        rows: rows.len(),
        newest: times.max().unwrap_or(Timestamp::EPOCH),
    };
    let columns = block::write_columns(COLUMNS, &rows, USUAL_CHANGE_BYTES);
    block::seal(&head, &columns)
}

impl Row<'_> {
    /// The trace that it is of, or says that it is of: a trace is deleted with its changes.
    pub(crate) fn trace_id(&self) -> Option<&str> {
        match self.change.subject {
            Subject::Trace => Some(&self.change.id),
            Subject::Observation => self.change.body.get("traceId").and_then(Json::as_str),
        }
    }
}
