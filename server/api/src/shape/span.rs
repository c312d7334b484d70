//! A span, as spec/api.md §5 gives it. What is unknown is null; lists leave out what is long.

use std::collections::BTreeMap;

use domain::context::Context;
use domain::cost::Terms;
use domain::document::{Document, documents};
use domain::message::ToolDefinition;
use domain::quality::Quality;
use domain::score::Judgements;
use domain::semantic::Finding;
use domain::span::{Content, Cost, Oddities, Scope, SpanEvent, SpanKind, SpanLink, Usage};
use domain::value::attributes_to_json;
use domain::{Attributes, Nanos, Span};
use serde::Serialize;
use serde_json::Value;

use super::dialogue::{Dialogue, Messages};
use super::score::ScoreShape;
use super::text::TextOrJson;
use crate::extract::Fields;

/// A span, ready to be written.
#[derive(Serialize)]
pub(crate) struct SpanShape<'a> {
    trace_id: &'a str,
    span_id: &'a str,
    parent_span_id: Option<&'a str>,
    name: &'a str,
    kind: &'static str,
    otlp_kind: &'static str,
    start: String,
    end: Option<String>,
    latency_ms: Option<f64>,
    status: &'static str,
    error: Option<ErrorShape<'a>>,
    level: &'static str,
    oddities: Vec<&'static str>,
    service: &'a str,
    instance: Option<&'a str>,
    environment: &'a str,
    release: Option<&'a str>,
    version: Option<&'a str>,
    tenant: Option<&'a str>,
    route: Option<&'a str>,
    user_id: Option<&'a str>,
    session_id: Option<&'a str>,
    tags: &'a [String],
    metadata: BTreeMap<&'a str, TextOrJson<'a>>,
    provider: Option<&'a str>,
    request_model: Option<&'a str>,
    response_model: Option<&'a str>,
    parameters: BTreeMap<&'a str, TextOrJson<'a>>,
    finish_reasons: &'a [String],
    response_id: Option<&'a str>,
    call_role: &'static str,
    from_cache: Option<bool>,
    usage: Option<UsageShape<'a>>,
    counts_towards_totals: bool,
    cost: Option<CostShape<'a>>,
    timings: TimingsShape<'a>,
    prompt: Option<PromptShape<'a>>,
    context: &'a Context,
    #[serde(skip_serializing_if = "Option::is_none")]
    messages: Option<Option<Messages>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    system_instructions: Option<Option<String>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    input: Option<Option<TextOrJson<'a>>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    output: Option<Option<TextOrJson<'a>>>,
    tool_call: Option<ToolCallShape<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tool_definitions: Option<Vec<ToolDefinition>>,
    documents: Vec<Document>,
    quality: &'a Quality,
    semantic_events: &'a [Finding],
    axes: &'a BTreeMap<String, f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    events: Option<Vec<EventShape<'a>>>,
    links: Vec<LinkShape<'a>>,
    scores: Vec<ScoreShape<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    attributes: Option<Value>,
    resource: Value,
    scope: &'a Scope,
}

#[derive(Serialize)]
struct ErrorShape<'a> {
    #[serde(rename = "type")]
    kind: Option<&'a str>,
    message: &'a str,
}

#[derive(Serialize)]
struct UsageShape<'a> {
    input_tokens: Option<u64>,
    output_tokens: Option<u64>,
    total_tokens: Option<u64>,
    details: &'a BTreeMap<String, u64>,
    source: &'static str,
    rule: &'static str,
    /// Keys and values as sent.
    reported: BTreeMap<&'a str, Value>,
}

#[derive(Serialize)]
struct CostShape<'a> {
    total: Option<String>,
    details: BTreeMap<&'a str, String>,
    currency: &'static str,
    source: &'static str,
    price: Option<PriceShape<'a>>,
}

/// The price that a cost was computed with.
#[derive(Serialize)]
struct PriceShape<'a> {
    model: &'a str,
    provider: Option<&'a str>,
    origin: &'static str,
    valid_from: Option<String>,
    tier: Option<u64>,
    service_level: &'static str,
}

/// A tool that ran.
#[derive(Serialize)]
struct ToolCallShape<'a> {
    name: String,
    id: Option<String>,
    arguments: Option<TextOrJson<'a>>,
    result: Option<TextOrJson<'a>>,
}

#[derive(Serialize)]
struct TimingsShape<'a> {
    ttft_ms: Option<f64>,
    tpot_ms: Option<f64>,
    queue_ms: Option<f64>,
    prefill_ms: Option<f64>,
    decode_ms: Option<f64>,
    output_tokens_per_s: Option<f64>,
    ttft_source: Option<&'a str>,
}

#[derive(Serialize)]
struct PromptShape<'a> {
    name: &'a str,
    version: &'a str,
}

#[derive(Serialize)]
struct EventShape<'a> {
    name: &'a str,
    time: String,
    attributes: Value,
    source: &'static str,
}

#[derive(Serialize)]
struct LinkShape<'a> {
    trace_id: &'a str,
    span_id: &'a str,
    attributes: Value,
}

impl<'a> SpanShape<'a> {
    /// A span with its scores and those of the long fields that were asked for; whether it `counts`
    /// towards totals is known of a whole trace only.
    pub(crate) fn from_span(
        span: &'a Span,
        judgements: &'a Judgements,
        (fields, counts): (Fields, bool),
    ) -> Self {
        let (messages, system_instructions, tool_definitions) = if fields.messages {
            let said = Dialogue::of(span);
            let (system, tools) = (said.system_instructions, said.tool_definitions);
            (Some(said.messages), Some(system), Some(tools))
        } else {
            (None, None, None)
        };
        SpanShape {
            trace_id: span.trace_id.as_str(),
            span_id: span.span_id.as_str(),
            parent_span_id: span.parent_span_id.as_ref().map(domain::SpanId::as_str),
            name: &span.name,
            kind: span.kind.as_str(),
            otlp_kind: span.otlp_kind.as_str(),
            start: span.start.to_string(),
            end: span.end.map(|end| end.to_string()),
            latency_ms: span.latency().map(Nanos::as_millis_f64),
            status: span.status.as_str(),
            error: span.error.as_ref().map(|error| ErrorShape {
                kind: error.kind.as_deref(),
                message: &error.message,
            }),
            level: span.level.as_str(),
            oddities: oddities(span.oddities),
            service: &span.service,
            instance: span.instance.as_deref(),
            environment: &span.environment,
            release: span.release.as_deref(),
            version: span.version.as_deref(),
            tenant: span.tenant.as_deref(),
            route: span.route.as_deref(),
            user_id: span.user_id.as_deref(),
            session_id: span.session_id.as_deref(),
            tags: &span.tags,
            metadata: json_texts(&span.metadata),
            provider: span.provider.as_deref(),
            request_model: span.request_model.as_deref(),
            response_model: span.response_model.as_deref(),
            parameters: json_texts(&span.parameters),
            finish_reasons: &span.finish_reasons,
            response_id: span.response_id.as_deref(),
            call_role: span.call_role.as_str(),
            from_cache: span.from_cache,
            usage: span.usage.as_ref().map(|known| usage(known, span)),
            counts_towards_totals: counts,
            cost: span.cost.as_ref().map(cost),
            timings: timings(span),
            prompt: span.prompt.as_ref().map(|prompt| PromptShape {
                name: &prompt.name,
                version: &prompt.version,
            }),
            context: &span.context,
            messages,
            system_instructions,
            input: fields.input.then(|| as_sent(&span.input)),
            output: fields.output.then(|| as_sent(&span.output)),
            tool_call: tool_call(span),
            tool_definitions,
            documents: documents(span),
            quality: &span.quality,
            semantic_events: &span.semantic_events,
            axes: &span.axes,
            events: fields
                .events
                .then(|| span.events.iter().map(event).collect()),
            links: span.links.iter().map(link).collect(),
            scores: judgements
                .of_span(&span.trace_id, &span.span_id)
                .map(ScoreShape::from)
                .collect(),
            attributes: fields.attributes.then(|| attributes_of(&span.attributes)),
            resource: attributes_of(&span.resource),
            scope: &span.scope,
        }
    }
}

/// Key → value, each JSON text.
pub(crate) fn json_texts(texts: &BTreeMap<String, String>) -> BTreeMap<&str, TextOrJson<'_>> {
    texts
        .iter()
        .map(|(key, text)| (key.as_str(), TextOrJson::from_json(text)))
        .collect()
}

fn oddities(odd: Oddities) -> Vec<&'static str> {
    [
        (odd.end_before_start, "end_before_start"),
        (odd.start_unknown, "start_unknown"),
        (odd.cut, "cut"),
        (odd.invalid_utf8, "invalid_utf8"),
    ]
    .into_iter()
    .filter_map(|(is_so, name)| is_so.then_some(name))
    .collect()
}

fn usage<'a>(usage: &'a Usage, span: &'a Span) -> UsageShape<'a> {
    UsageShape {
        input_tokens: usage.input_tokens,
        output_tokens: usage.output_tokens,
        total_tokens: usage.total_tokens,
        details: &usage.details,
        source: usage.source.as_str(),
        rule: usage.rule.as_str(),
        reported: span
            .evidence("usage")
            .map(|(key, value)| (key, value.to_json()))
            .collect(),
    }
}

fn tool_call(span: &Span) -> Option<ToolCallShape<'_>> {
    (span.kind == SpanKind::Tool).then(|| {
        let text = |field| {
            span.evidence(field)
                .next()
                .map(|(_, value)| value.to_text())
        };
        ToolCallShape {
            name: text("tool_call.name").unwrap_or_else(|| span.name.clone()),
            id: text("tool_call.id"),
            arguments: as_sent(&span.input),
            result: as_sent(&span.output),
        }
    })
}

fn as_sent(content: &Option<Content>) -> Option<TextOrJson<'_>> {
    let content = content.as_ref()?;
    Some(TextOrJson::from_content(&content.text))
}

fn cost(cost: &Cost) -> CostShape<'_> {
    let details = cost
        .details
        .iter()
        .map(|(kind, amount)| (kind.as_str(), amount.to_string()));
    CostShape {
        total: cost.total.map(|total| total.to_string()),
        details: details.collect(),
        currency: "USD",
        source: cost.source.as_str(),
        price: cost.terms.as_ref().map(price),
    }
}

fn price(terms: &Terms) -> PriceShape<'_> {
    PriceShape {
        model: &terms.model,
        provider: Some(terms.provider.as_str()).filter(|provider| !provider.is_empty()),
        origin: terms.origin.as_str(),
        valid_from: terms.valid_from.map(|from| from.to_string()),
        tier: terms.tier,
        service_level: terms.service_level.as_str(),
    }
}

/// `serde_json` writes NaN and infinities as null, which is what an unusable number is.
fn timings(span: &Span) -> TimingsShape<'_> {
    let timings = &span.timings;
    TimingsShape {
        ttft_ms: timings.ttft_ms,
        tpot_ms: timings.tpot_ms,
        queue_ms: timings.queue_ms,
        prefill_ms: timings.prefill_ms,
        decode_ms: timings.decode_ms,
        output_tokens_per_s: span.output_tokens_per_s(),
        ttft_source: timings.ttft_source.as_deref(),
    }
}

fn event(event: &SpanEvent) -> EventShape<'_> {
    EventShape {
        name: &event.name,
        time: event.time.to_string(),
        attributes: attributes_of(&event.attributes),
        source: event.source.as_str(),
    }
}

fn link(link: &SpanLink) -> LinkShape<'_> {
    LinkShape {
        trace_id: link.trace_id.as_str(),
        span_id: link.span_id.as_str(),
        attributes: attributes_of(&link.attributes),
    }
}

fn attributes_of(attributes: &Attributes) -> Value {
    attributes_to_json(attributes)
}

#[cfg(test)]
mod tests {
    use domain::span::Content;
    use domain::{SpanId, Timestamp, TraceId};
    use serde_json::json;

    use super::*;

    fn shown(span: &Span, fields: Fields) -> Value {
        let unjudged = Judgements::default();
        serde_json::to_value(SpanShape::from_span(span, &unjudged, (fields, true))).unwrap()
    }

    fn span() -> Span {
        let trace = TraceId::from_text("t").unwrap();
        let start = Timestamp::from_unix_nanos(1_750_000_000_123_456_789).unwrap();
        let mut span = Span::bare(trace, SpanId::from_text("s").unwrap(), start);
        span.attributes = vec![("x".into(), domain::Value::Double(f64::NAN))];
        span.timings.ttft_ms = Some(f64::INFINITY);
        span.input = Some(Content {
            text: "{\"a\":\"b\"}".into(),
            attribute: None,
        });
        span.metadata
            .insert("n".to_owned(), "18446744073709551615".to_owned());
        span
    }

    #[test]
    fn a_bare_span_has_every_field_and_unknown_ones_are_null() {
        let shown = shown(&span(), Fields::ALL);
        for field in [
            "parent_span_id",
            "end",
            "latency_ms",
            "error",
            "usage",
            "cost",
            "prompt",
            "messages",
            "output",
            "tool_call",
            "system_instructions",
            "user_id",
        ] {
            assert_eq!(shown.get(field), Some(&Value::Null), "{field}");
        }
        for field in [
            "tags",
            "documents",
            "tool_definitions",
            "scores",
            "links",
            "events",
        ] {
            assert_eq!(shown[field], json!([]), "{field}");
        }
        assert_eq!(shown["start"], "2025-06-15T15:06:40.123456Z");
        assert_eq!(shown["attributes"]["x"], "NaN");
        assert_eq!(shown["timings"]["ttft_ms"], Value::Null);
        assert_eq!(shown["input"], json!({"a": "b"}));
        assert_eq!(shown["metadata"]["n"].to_string(), "18446744073709551615");
    }

    #[test]
    fn lists_leave_long_fields_out() {
        let shown = shown(&span(), Fields::default());
        for field in ["input", "output", "messages", "events", "attributes"] {
            assert_eq!(shown.get(field), None, "{field}");
        }
        assert_eq!(shown["name"], "");
    }
}
