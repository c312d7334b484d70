//! Pages: server-rendered HTML, made live by htmx and a few small scripts.
//!
//! **Invariants:** the URL is the state; content from traces is data, escaped and never executed
//! (askama escapes, the policy in [`security`] forbids whatever would slip through); templates
//! compute nothing, views are prepared in Rust; every page can be read without scripts.
//!
//! To add a page: `pages/<noun>/<verb>.rs` with a template of the same path and a sample in
//! [`samples`], a line in [`routes`], a function in [`urls`], and its texts in `i18n/zh.txt`.

/// Style sheets, scripts and icons.
mod assets;
/// What an attribution says, as a part of pages.
mod attribution;
/// What is done on pages, told in the audit log.
mod audited;
/// Drawn on the server as SVG.
mod chart;
/// Language, theme and time zone of a reader.
mod choices;
/// Input and output of spans, made readable.
mod content;
/// Comma-separated values.
mod csv;
/// Faults as pages.
mod error;
/// What handlers take from a request.
mod extract;
/// Values and errors of a form, per field.
mod form;
/// Numbers, money, times as text.
mod format;
/// Texts in the languages of the interface.
mod i18n;
/// The frame around every page.
mod layout;
/// Values of the axes in words.
mod measure;
/// One folder a noun, one file a verb.
mod pages;
/// Pieces of time in a reader's zone.
mod pieces;
/// Every URL in reading order.
pub mod routes;
/// Every page with made-up data, for tests and the gallery.
#[doc(hidden)]
pub mod samples;
/// Policy, headers, sessions.
mod security;
/// Every key that does something.
mod shortcuts;
/// Builds every URL.
mod urls;
/// Instants in a named time zone.
mod zone;

pub use routes::router;
