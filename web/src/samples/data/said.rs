//! A search with what it found, and a call with tools and a picture.

use std::sync::Arc;

use domain::Value;
use domain::span::{Content, Span};

/// With documents.
pub(super) fn searched(mut span: Span) -> Span {
    let documents = r#"[
        {"id": "kb/refunds.md#4", "score": 0.8713, "content": "Refunds of orders that were split in two parcels are paid when the second parcel is scanned.", "title": "Refunds", "page": 4},
        {"id": "kb/parcels.md#1", "score": 0.6102, "content": "A parcel that is late by more than five days counts as lost."},
        {"id": "kb/empty.md"}]"#;
    let key = domain::attr::gen_ai::RETRIEVAL_DOCUMENTS;
    span.attributes
        .push((key.into(), Value::Str(documents.into())));
    span
}

/// With calls of tools, their results and a picture.
pub(super) fn with_tools(mut span: Span) -> Span {
    let input = r#"[
        {"role": "system", "parts": [{"type": "text", "content": "Look orders up before you answer."}]},
        {"role": "user", "parts": [
            {"type": "text", "content": "This arrived broken, order LA472-5590."},
            {"type": "uri", "modality": "image", "mime_type": "image/jpeg", "uri": "https://photos.harbor.example/u_19c4e/broken.jpg"}]},
        {"role": "assistant", "parts": [
            {"type": "reasoning", "content": "I need the order first."},
            {"type": "tool_call", "id": "call_1", "name": "lookup_order", "arguments": {"order": "LA472-5590", "parcels": true}}]},
        {"role": "tool", "parts": [
            {"type": "tool_call_response", "id": "call_1", "response": {"state": "delivered", "parcels": [{"id": 1, "scanned": true}, {"id": 2, "scanned": false}]}}]}]"#;
    span.input = Some(Content {
        text: Arc::from(input),
        attribute: None,
    });
    span
}
