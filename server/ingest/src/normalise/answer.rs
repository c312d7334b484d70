//! What a provider's answer tells where the span itself does not: some instrumentations keep the
//! answer as output and nothing else.

use domain::Span;
use domain::span::{Provenance, SpanKind};
use serde::Deserialize;
use serde_json::{Map, Value as Json};

use super::provider;
use super::usage::{self, Counter};

/// Longer answers are not read for this.
const MAX_BYTES: usize = 1 << 20;
/// Where the usage of an answer stands, best first; a dot goes inwards.
const USAGE: &[&str] = &[
    "usage",
    "usage_metadata",
    "llm_output.token_usage",
    "llmOutput.tokenUsage",
    "response_metadata.token_usage",
];

/// Fills in model, tokens, finish reason and id from the output of a call that has no tokens.
pub(super) fn complete(span: &mut Span, scope: &str) {
    if !matches!(span.kind, SpanKind::Generation | SpanKind::Embedding) {
        return;
    }
    if span.model().is_none()
        && let Some(model) = model_of_request(span)
    {
        span.provider = span.provider.take().or_else(|| provider::of_model(&model));
        span.request_model = Some(model);
        span.provenance.push(Provenance {
            field: "request_model".into(),
            key: "input: model".into(),
        });
    }
    if span.usage.is_some() {
        return;
    }
    let Some(answer) = answer(span) else { return };
    let counter = Counter {
        scope,
        provider: span.provider.as_deref(),
        model: span.model(),
    };
    let found = USAGE.iter().find_map(|path| {
        let object = inside(&answer, path)?.as_object()?;
        Some((usage::usage_of_answer(object, counter)?, *path))
    });
    let mut evidence = Vec::new();
    if let Some((usage, path)) = found {
        span.usage = Some(usage);
        evidence.push(("usage", path));
    }
    let text = |name: &str| answer.get(name)?.as_str().map(str::to_owned);
    if span.response_model.is_none()
        && let Some(model) = text("model")
    {
        span.response_model = Some(model);
        evidence.push(("response_model", "model"));
    }
    if span.response_id.is_none()
        && let Some(id) = text("id")
    {
        span.response_id = Some(id);
        evidence.push(("response_id", "id"));
    }
    for (field, place) in evidence {
        span.provenance.push(Provenance {
            field: field.into(),
            key: format!("output: {place}").into(),
        });
    }
}

/// The model that a request names, where the input is the request.
fn model_of_request(span: &Span) -> Option<String> {
    let text = &span.input.as_ref()?.text;
    if text.len() > MAX_BYTES || !text.trim_start().starts_with('{') {
        return None;
    }
    let request: Request = serde_json::from_str(text).ok()?;
    Some(request.model)
}

#[derive(Deserialize)]
struct Request {
    model: String,
}

/// The output as an object, if it is one that speaks of usage.
fn answer(span: &Span) -> Option<Map<String, Json>> {
    let text = &span.output.as_ref()?.text;
    let speaks_of_it = text.contains("usage") || text.contains("Usage");
    if text.len() > MAX_BYTES || !speaks_of_it {
        return None;
    }
    match serde_json::from_str(text).ok()? {
        Json::Object(object) => Some(object),
        // Some serialisers encode twice.
        Json::String(inner) => serde_json::from_str(&inner).ok(),
        _ => None,
    }
}

fn inside<'a>(object: &'a Map<String, Json>, path: &str) -> Option<&'a Json> {
    let mut steps = path.split('.');
    let first = object.get(steps.next()?)?;
    steps.try_fold(first, |value, step| value.get(step))
}
