//! Instants within a span and pointers to others, as the panel shows them.

use domain::Timestamp;
use domain::span::Span;

use super::pairs::{Pair, of_attributes};
use crate::chart::number;
use crate::format;
use crate::pages::traces::Sight;
use crate::urls;

/// An instant within the span.
pub(crate) struct Event {
    pub(crate) name: String,
    /// Time after the span's start.
    pub(crate) after: String,
    pub(crate) time: String,
    pub(crate) pairs: Vec<Pair>,
    pub(crate) failed: bool,
    /// Where it stands on the time of the span, in percent; empty where that is not known.
    pub(crate) place: String,
}

/// A pointer to another span.
pub(crate) struct Link {
    pub(crate) url: String,
    pub(crate) trace_id: String,
    pub(crate) span_id: String,
    pub(crate) pairs: Vec<Pair>,
}

pub(super) fn events(sight: Sight<'_>, span: &Span, now: Timestamp) -> Vec<Event> {
    let zone = sight.zone();
    span.events
        .iter()
        .map(|event| {
            let known = event.time != Timestamp::EPOCH;
            Event {
                name: event.name.clone(),
                after: if known && event.time >= span.start {
                    format!(
                        "+{}",
                        format::latency((event.time - span.start).as_millis_f64())
                    )
                } else {
                    String::new()
                },
                time: if known {
                    zone.date_time(event.time, now)
                } else {
                    String::new()
                },
                pairs: of_attributes(&event.attributes),
                failed: event.is_exception(),
                place: match known {
                    true => place(span, event.time),
                    false => String::new(),
                },
            }
        })
        .collect()
}

/// What came before or after the span stands at its edge.
fn place(span: &Span, time: Timestamp) -> String {
    let whole = span.latency().unwrap_or_default().as_millis_f64();
    let after = (time - span.start).as_millis_f64();
    number((after / whole.max(f64::MIN_POSITIVE) * 100.0).clamp(0.0, 100.0))
}

pub(super) fn links(sight: Sight<'_>, span: &Span) -> Vec<Link> {
    span.links
        .iter()
        .map(|link| Link {
            // Whoever may see this trace may not see that one.
            url: match sight.door.is_open {
                true => String::new(),
                false => urls::trace_span(sight.door, &link.trace_id, &link.span_id),
            },
            trace_id: link.trace_id.to_string(),
            span_id: link.span_id.to_string(),
            pairs: of_attributes(&link.attributes),
        })
        .collect()
}
