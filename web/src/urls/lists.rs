//! Facets, saved views, files and jobs of the list of traces.

use domain::saved_view::SavedView;
use domain::{BulkJobId, ProjectId, SavedViewId};

use super::with_query;
use crate::pages::traces::query::ListQuery;

/// Values of a column among the traces of the list.
pub(crate) fn facet(project: ProjectId, column: &str, query: &ListQuery) -> String {
    with_query(format!("/p/{project}/facets/{column}"), &query.to_query())
}

/// The same with as many of them as there may be.
pub(crate) fn whole_facet(project: ProjectId, column: &str, query: &ListQuery) -> String {
    let query = format!("{}&all=1", query.to_query());
    with_query(format!("/p/{project}/facets/{column}"), &query)
}

/// The list as a view has it.
pub(crate) fn saved_view(project: ProjectId, view: &SavedView) -> String {
    let mut query = view.draft.query.clone();
    if !query.is_empty() {
        query.push('&');
    }
    let query = format!("{query}view={}", view.id);
    with_query(format!("/p/{project}/traces"), &query)
}

/// The list as a file, in one of the formats `csv` and `jsonl`.
pub(crate) fn export(project: ProjectId, query: &ListQuery, format: &str) -> String {
    let mut query = query.to_query();
    if !query.is_empty() {
        query.push('&');
    }
    format!("/p/{project}/export?{query}format={format}")
}

/// The same of the traces that a form names.
pub(crate) fn export_chosen(project: ProjectId) -> String {
    format!("/p/{project}/export")
}

/// What was done to many traces at once, and what is to be.
pub(crate) fn jobs(project: ProjectId) -> String {
    format!("/p/{project}/jobs")
}

/// One of these.
pub(crate) fn job(project: ProjectId, job: BulkJobId) -> String {
    format!("/p/{project}/jobs/{job}")
}

/// Stops it.
pub(crate) fn job_cancel(project: ProjectId, job: BulkJobId) -> String {
    format!("/p/{project}/jobs/{job}/cancel")
}

/// Saves a view.
pub(crate) fn saved_views(project: ProjectId) -> String {
    format!("/p/{project}/views")
}

/// Deletes a view.
pub(crate) fn saved_view_delete(project: ProjectId, view: SavedViewId) -> String {
    format!("/p/{project}/views/{view}/delete")
}
