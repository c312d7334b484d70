//! A session, and with its traces.

use domain::ProjectId;
use domain::session::Session;
use serde::Serialize;

use crate::langfuse::time::Millis;
use crate::langfuse::traces::TraceShape;

/// A session, ready to be written.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct SessionShape<'a> {
    id: &'a str,
    created_at: Millis,
    project_id: String,
    environment: &'a str,
}

/// With its traces.
#[derive(Serialize)]
pub(super) struct WholeShape<'a> {
    #[serde(flatten)]
    pub(super) session: SessionShape<'a>,
    pub(super) traces: Vec<TraceShape<'a>>,
}

impl<'a> SessionShape<'a> {
    /// Of a session.
    pub(super) fn new(project: ProjectId, session: &'a Session) -> Self {
        SessionShape {
            id: &session.id,
            created_at: Millis(session.start),
            project_id: project.to_string(),
            environment: &session.environment,
        }
    }
}
