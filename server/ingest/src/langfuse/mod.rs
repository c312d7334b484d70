//! Batches of events as older Langfuse clients send them: observations and traces piece by piece.
//!
//! A batch is decoded here ([`batch`]) into changes, which are made durable as such. The writer asks
//! [`settle`] what all changes of one observation come to: a span as if it had come over OTLP with the
//! attributes of a newer Langfuse client, so that from there on it takes the same way.

/// Requests and answers.
pub mod batch;
/// Bodies: which fields there are, and what they may hold.
mod body;
/// One event of a batch.
mod event;
/// What is wrong with an event.
mod issue;
/// A score.
mod score;
/// Scores that come by themselves.
pub mod scores;
/// Routes that are older than batches.
pub mod single;
/// What changes came to, as a span that was sent.
mod span;
/// The text of one event.
mod text;
/// Usage and costs in their several forms.
mod usage;

use domain::change::{Folded, Subject};
use domain::quality::Expected;
use domain::span::SpanKind;
use domain::{Span, Timestamp};

use crate::{enrich, normalise};

/// What changes came to, as a clean span; `None` when its ids cannot be used.
pub fn settle(folded: Folded, arrival: Timestamp, expected: &Expected) -> Option<Span> {
    let (subject, changes) = (folded.subject, folded.changes);
    let raw = span::raw_span(folded)?;
    let mut span = normalise::normalise(raw, arrival);
    span.changes = Some(changes);
    if subject == Subject::Trace {
        span.kind = SpanKind::Trace;
    }
    // Changes were masked before they were stored.
    Some(enrich::enrich(span, expected))
}
