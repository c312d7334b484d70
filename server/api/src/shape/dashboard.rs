//! A dashboard: its row in the list, and whole.

use domain::dashboard::{Dashboard, DashboardSummary};
use serde::Serialize;
use serde_json::Value;

/// A dashboard in a list, ready to be written.
#[derive(Serialize)]
pub(crate) struct DashboardRow<'a> {
    id: String,
    name: &'a str,
    description: &'a str,
    widget_count: u32,
    updated_at: String,
}

impl<'a> From<&'a DashboardSummary> for DashboardRow<'a> {
    fn from(dashboard: &'a DashboardSummary) -> Self {
        DashboardRow {
            id: dashboard.id.to_string(),
            name: &dashboard.name,
            description: &dashboard.description,
            widget_count: dashboard.widgets,
            updated_at: dashboard.updated_at.to_string(),
        }
    }
}

/// A dashboard with its widgets, ready to be written.
#[derive(Serialize)]
pub(crate) struct DashboardShape {
    id: String,
    revision: u32,
    created_at: String,
    updated_at: String,
    #[serde(flatten)]
    document: Value,
}

impl From<&Dashboard> for DashboardShape {
    fn from(dashboard: &Dashboard) -> Self {
        DashboardShape {
            id: dashboard.id.to_string(),
            revision: dashboard.revision,
            created_at: dashboard.created_at.to_string(),
            updated_at: dashboard.updated_at.to_string(),
            document: dashboard.document.to_json(),
        }
    }
}
