//! What came of alert rules: the list, the report of one, and what a person says of it.

/// Acknowledge, resolve.
mod change;
/// The list.
mod list;
/// The report's numbers, chart and course.
mod report;
/// Labels of prompts that went back, or might.
mod rollback;
/// Requests of an incident.
mod samples;
/// The report.
mod show;
/// Sentences.
pub(crate) mod words;

pub(crate) use change::{acknowledge_incident, resolve_incident};
pub(crate) use list::{IncidentsPage, Listed, list_incidents};
pub(crate) use report::Told;
pub(crate) use samples::SampleRow;
pub(crate) use show::{IncidentPage, show_incident};
