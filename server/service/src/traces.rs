//! Traces: list, density, open, delete.

use domain::filter::Filter;
use domain::page::{Cursor, Limit, Page};
use domain::trace::{Density, TraceSummary, TraceView};
use domain::{Fault, Timestamp, TraceId};
use tokio::sync::broadcast;

use crate::app::App;
use crate::scope::ProjectScope;

/// Traces that match, newest first.
pub async fn list(app: &App, scope: &ProjectScope, filter: &Filter, limit: Limit, cursor: Option<&Cursor>) -> Result<Page<TraceSummary>, Fault> {
    unimplemented!()
}

/// How many traces matched over time, in `columns` equal columns from `from` to `to`.
pub async fn density(app: &App, scope: &ProjectScope, filter: &Filter, columns: u32) -> Result<Density, Fault> {
    unimplemented!()
}

/// A whole trace without content; `None` when the project has no such trace.
pub async fn open(app: &App, scope: &ProjectScope, trace_id: &TraceId) -> Result<Option<TraceView>, Fault> {
    unimplemented!()
}

/// The traces just before and after that start in the list (previous = newer).
pub async fn neighbours(app: &App, scope: &ProjectScope, summary: &TraceSummary) -> Result<(Option<TraceId>, Option<TraceId>), Fault> {
    unimplemented!()
}

/// Deletes a trace; `not_found` when the project has no such trace.
pub async fn delete(app: &App, scope: &ProjectScope, trace_id: &TraceId) -> Result<(), Fault> {
    unimplemented!()
}

/// Tells when spans of a project have become readable: the project and the newest start among them.
pub fn subscribe(app: &App, scope: &ProjectScope) -> broadcast::Receiver<Timestamp> {
    unimplemented!()
}
