//! Who did what in a trace: agents and tools as a graph of messages, single steps as a graph of what followed what,
//! calls that were repeated, and a plan against what was done. Drawn from the tree; nothing here reads more of a
//! trace than its caller has.

/// Calls of tools that came again.
pub mod again;
/// Agents and tools, and what went between them.
pub mod messages;
/// A plan, and what was done.
pub mod plan;
/// What followed what.
pub mod steps;

use std::collections::HashMap;

use crate::ids::SpanId;

/// What the tree does not tell of a step.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Detail {
    /// The kind of its error.
    pub error_kind: Option<String>,
    /// A digest of its input: equal where the inputs are; `None` without any.
    pub input_digest: Option<u64>,
    /// The head of its input.
    pub input_head: String,
    /// Its output, where it may be a plan.
    pub plan: Option<String>,
}

/// Details of steps by their spans.
pub type Details = HashMap<SpanId, Detail>;

#[cfg(test)]
mod tests {
    use crate::ids::{SpanId, TraceId};
    use crate::span::{Span, SpanKind, Status};
    use crate::time::Timestamp;
    use crate::trace::TreeSpan;

    /// A span from one nanosecond to another; a name that ends in `!` has failed.
    pub(super) fn step(
        (id, parent): (&str, Option<&str>),
        kind: SpanKind,
        name: &str,
        (from, to): (u64, u64),
    ) -> TreeSpan {
        let id = SpanId::from_text(id).unwrap();
        let at = |nanos| Timestamp::from_unix_nanos(nanos).unwrap();
        let mut span = Span::bare(TraceId::from_text("t").unwrap(), id, at(from));
        span.parent_span_id = parent.map(|id| SpanId::from_text(id).unwrap());
        span.kind = kind;
        span.name = name.trim_end_matches('!').to_owned();
        span.end = Some(at(to));
        if name.ends_with('!') {
            span.status = Status::Error;
        }
        TreeSpan::from(&span)
    }
}
