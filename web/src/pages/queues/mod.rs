//! Queues of things to be judged by people.

use axum::extract::RawPathParams;
use domain::{AnnotationItemId, AnnotationQueueId, Fault};

use super::no_such_page;
use super::traces::segment;

/// Puts things into a queue.
mod add;
/// How far people agree, decisions, evaluators and raters against what holds.
mod agreement;
/// Archives, assigns, fills, exports.
mod change;
/// Makes and changes a queue.
mod form;
/// One item: what is judged, and the form to judge it.
mod item;
/// Judges, skips, takes back, decides.
mod judge;
/// The list, with progress.
mod list;
/// What is asked, as a form asks it.
mod questions;
/// What is judged, as a page shows it.
mod said;
/// One queue: its items, who works on it, what fills it.
mod show;

pub(crate) use add::{AddPage, Wanted, add_to_queue, choose_queue};
pub(crate) use agreement::{AgreementPage, show_agreement};
pub(crate) use change::{archive_queue, assign_person, export_queue, fill_queue, listed};
pub(crate) use form::{FormPage, create_queue, edit_queue, new_queue, update_queue};
pub(crate) use item::{ItemPage, Material as ItemMaterial, show_item};
pub(crate) use judge::{decide_item, judge_item, open_next};
pub(crate) use list::{QueuesPage, list_queues};
pub(crate) use questions::{Filled, Input};
pub(crate) use said::SaidView;
pub(crate) use show::{Material as QueueMaterial, QueuePage, View, show_queue};

/// The queue that the path names.
fn queue_id(params: &RawPathParams) -> Result<AnnotationQueueId, Fault> {
    let id = segment(params, "queue").and_then(|id| id.parse().ok());
    id.ok_or_else(no_such_page)
}

/// The item that the path names.
fn item_id(params: &RawPathParams) -> Result<AnnotationItemId, Fault> {
    let id = segment(params, "item").and_then(|id| id.parse().ok());
    id.ok_or_else(no_such_page)
}

/// A length of time in seconds, in words.
fn seconds(seconds: Option<f64>) -> String {
    seconds.map_or_else(String::new, |seconds| {
        crate::format::latency(seconds * 1000.0)
    })
}

/// A coefficient with two digits; nothing where there is none.
fn coefficient(value: Option<f64>) -> String {
    value.map_or_else(
        || "–".to_owned(),
        |value| format!("{value:.2}").replace('-', "−"),
    )
}

/// A share in percent; nothing where there is none.
fn share(value: Option<f64>) -> String {
    value.map_or_else(|| "–".to_owned(), |value| format!("{:.0} %", value * 100.0))
}

/// A share of a bar's width, 0 to 100.
fn width(part: u64, whole: u64) -> String {
    match whole {
        0 => "0".to_owned(),
        _ => (part.min(whole) * 100 / whole).to_string(),
    }
}
