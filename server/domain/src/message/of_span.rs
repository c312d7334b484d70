use std::borrow::Cow;

use super::Conversation;
use super::read::{Side, read, read_generation};
use crate::span::{Span, SpanKind};
use crate::value::Value;

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

/// Where OpenInference puts tools, one to an attribute: `llm.tools.0.tool.json_schema`.
const NUMBERED_TOOLS: &str = "llm.tools.";
/// Where programs put tools that they know no attribute for.
const TOOLS: &str = "tools";

/// Texts with definitions of tools that stand beside what was said: in an attribute of their own, in one
/// for each tool, or in the metadata. Empty where the input itself has them, if anything.
pub fn tools_beside(span: &Span) -> Vec<Cow<'_, str>> {
    if let Some((_, value)) = span.evidence("tool_definitions").next() {
        return vec![as_text(value)];
    }
    let numbered = span.attributes.iter();
    let numbered: Vec<Cow<'_, str>> = numbered
        .filter(|(key, _)| key.starts_with(NUMBERED_TOOLS) && key.ends_with(".json_schema"))
        .map(|(_, value)| as_text(value))
        .collect();
    if !numbered.is_empty() {
        return numbered;
    }
    let told = span.metadata.get(TOOLS).into_iter();
    told.map(|json| Cow::Borrowed(json.as_str())).collect()
}

fn as_text(value: &Value) -> Cow<'_, str> {
    match value {
        Value::Str(text) => Cow::Borrowed(text),
        other => Cow::Owned(other.to_text()),
    }
}
