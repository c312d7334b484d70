//! The list, with the ways to make one.

use askama::Template;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use domain::dashboard::{DashboardSummary, Document};
use domain::tenancy::Permission;
use domain::{Fault, Timestamp};
use http::StatusCode;
use service::{App, dashboards};

use crate::error::Failure;
use crate::extract::{InProject, Posted, Reader};
use crate::form::{Field, other_fault};
use crate::format;
use crate::layout::{Frame, Section, Shell};
use crate::pages::{Answer, render, see_other};
use crate::urls;

/// A dashboard to begin with: the JSON that people import.
const STARTER: &str = include_str!("starter.json");

/// The page.
#[derive(Template)]
#[template(path = "dashboards/list.html")]
pub(crate) struct DashboardsPage {
    pub(crate) shell: Shell,
    pub(crate) frame: Frame,
    pub(crate) rows: Vec<DashboardRow>,
    pub(crate) may_change: bool,
    pub(crate) action: String,
    pub(crate) form: DashboardForm,
}

/// A dashboard.
pub(crate) struct DashboardRow {
    pub(crate) name: String,
    pub(crate) description: String,
    pub(crate) widgets: String,
    pub(crate) changed: String,
    pub(crate) changed_exact: String,
    pub(crate) url: String,
}

/// What is entered to make one.
#[derive(Default)]
pub(crate) struct DashboardForm {
    pub(crate) name: Field,
    pub(crate) json: Field,
    /// What is wrong with neither.
    pub(crate) fault: String,
}

impl DashboardsPage {
    /// Prepares everything for the template.
    pub(crate) fn new(reader: &Reader, all: &[DashboardSummary], now: Timestamp) -> Self {
        let id = reader.id();
        let row = |dashboard: &DashboardSummary| DashboardRow {
            name: dashboard.name.clone(),
            description: dashboard.description.clone(),
            widgets: format::count(dashboard.widgets.into()),
            changed: reader.zone().row_time(dashboard.updated_at, now),
            changed_exact: reader.zone().exact(dashboard.updated_at),
            url: urls::dashboard(id, dashboard.id),
        };
        DashboardsPage {
            shell: Frame::shell(reader),
            frame: Frame::new(reader, Section::Dashboards),
            rows: all.iter().map(row).collect(),
            may_change: reader.may(Permission::ChangeDashboards),
            action: urls::dashboards(id),
            form: DashboardForm::default(),
        }
    }
}

async fn page(app: &App, entered: &InProject) -> Result<DashboardsPage, Failure> {
    let all = dashboards::list(app, &entered.scope).await?;
    Ok(DashboardsPage::new(
        &entered.reader,
        &all,
        app.clock().now(),
    ))
}

/// Shows it.
pub(crate) async fn list_dashboards(State(app): State<App>, entered: InProject) -> Answer {
    Ok(render(&page(&app, &entered).await?))
}

/// Makes one: an empty one by its name, one to begin with, or one out of JSON.
pub(crate) async fn create_dashboard(
    State(app): State<App>,
    entered: InProject,
    Posted(pairs): Posted,
) -> Answer {
    let name = pairs.get("name").unwrap_or_default();
    let json = pairs.filled("json");
    let document = match (json, pairs.get("starter")) {
        (Some(json), _) => Document::from_json(json),
        (None, Some(_)) => Ok(starter()),
        (None, None) => Ok(Document {
            name: name.to_owned(),
            ..Document::default()
        }),
    };
    let made = match document {
        Ok(document) => dashboards::create(&app, &entered.scope, document).await,
        Err(fault) => Err(fault),
    };
    match made {
        Ok(made) => Ok(see_other(&urls::dashboard(entered.id(), made.id))),
        Err(fault) if fault.code == domain::Code::Invalid => {
            let mut page = page(&app, &entered).await?;
            page.form = refused(&fault, (name, json));
            let answer: Response = render(&page);
            Ok((StatusCode::UNPROCESSABLE_ENTITY, answer).into_response())
        }
        Err(fault) => Err(fault.into()),
    }
}

/// The dashboard to begin with.
pub(crate) fn starter() -> Document {
    // A test reads it.
    Document::from_json(STARTER).unwrap_or_default()
}

fn refused(fault: &Fault, (name, json): (&str, Option<&str>)) -> DashboardForm {
    let Some(json) = json else {
        return DashboardForm {
            name: Field::holding(name).with_fault("name", fault),
            fault: other_fault(fault, &["name"]),
            ..DashboardForm::default()
        };
    };
    // Whatever is wrong is wrong in the JSON.
    DashboardForm {
        json: Field {
            value: json.to_owned(),
            error: fault.message.clone(),
        },
        ..DashboardForm::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_people_begin_with_is_a_dashboard() {
        let document = Document::from_json(STARTER).unwrap();
        assert!(document.widgets.len() >= 6);
        let charts: std::collections::BTreeSet<_> = document
            .widgets
            .iter()
            .map(|widget| widget.chart.as_str())
            .collect();
        assert!(charts.len() >= 6, "{charts:?}");
    }
}
