use super::Conversation;
use super::read::{Side, read, read_generation};
use crate::span::{Span, SpanKind};

/// What was said at one end of a span; `None` where it is no conversation. What a model was told or
/// said is one even when it is plain text; what an agent or a chain got is one only if it looks like
/// one.
pub fn said(span: &Span, side: Side) -> Option<Conversation> {
    let content = match side {
        Side::Input => &span.input,
        Side::Output => &span.output,
    };
    let text = &content.as_ref()?.text;
    match span.kind {
        SpanKind::Generation => Some(read_generation(text, side)),
        SpanKind::Agent | SpanKind::Chain | SpanKind::Span => read(text, side),
        _ => None,
    }
}
