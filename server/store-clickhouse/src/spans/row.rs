//! A stored row as a span.

use std::collections::BTreeMap;
use std::sync::Arc;

use clickhouse::Row;
use domain::retention::{Keep, KeepRule};
use domain::span::{
    CallRole, Content, Cost, CostSource, EventSource, Level, Oddities, OtlpKind, PromptRef,
    Provenance, Scope, SpanError, SpanEvent, SpanKind, SpanLink, Status, Timings, Usage, UsageRule,
    UsageSource,
};
use domain::tool_use::ToolUse;
use domain::{Attributes, Span, SpanId, Timestamp, TraceId, Usd};
use rust_decimal::Decimal;
use serde::Deserialize;
use serde_json::Value as Json;

use crate::error::StoreError;
use crate::semantic;
use crate::spans::quality;
use crate::spans::sharing::{Shared, Side};
use crate::value;

/// The columns of `whole.sql`, in its order.
#[derive(Row, Deserialize)]
pub(crate) struct SpanRow {
    trace_id: String,
    span_id: String,
    parent_span_id: String,
    name: String,
    kind: String,
    otlp_kind: String,
    start_ns: i64,
    end_ns: Option<i64>,
    oddities: u8,
    status: String,
    level: String,
    error_kind: String,
    error_message: Option<String>,
    service: String,
    instance: String,
    environment: String,
    release: String,
    version_label: String,
    tenant: String,
    route: String,
    user_id: String,
    session_id: String,
    tags: Vec<String>,
    metadata: Vec<(String, String)>,
    trace_name: String,
    provider: String,
    request_model: String,
    response_model: String,
    parameters: Vec<(String, String)>,
    finish_reasons: Vec<String>,
    usage_source: String,
    input_tokens: Option<u64>,
    output_tokens: Option<u64>,
    total_tokens: Option<u64>,
    usage_details: Vec<(String, u64)>,
    cost_source: String,
    cost: Option<i128>,
    cost_details: Vec<(String, i128)>,
    ttft_ms: Option<f64>,
    tpot_ms: Option<f64>,
    queue_ms: Option<f64>,
    prefill_ms: Option<f64>,
    decode_ms: Option<f64>,
    ttft_source: String,
    prompt_name: String,
    prompt_version: String,
    input: Option<String>,
    input_attribute: String,
    output: Option<String>,
    output_attribute: String,
    attributes: Vec<(String, String)>,
    attribute_types: String,
    resource: String,
    scope_name: String,
    scope_version: String,
    events: String,
    links: String,
    provenance: String,
    response_id: String,
    call_role: String,
    usage_rule: String,
    price: String,
    quality: Vec<(String, f64)>,
    quality_marks: String,
    context: String,
    axes: Vec<(String, f64)>,
    tool_names: Vec<String>,
    called_tool_names: Vec<String>,
    semantic_events: Vec<(String, String)>,
    trace_metadata_keys: Vec<String>,
    from_cache: String,
    content_days: u16,
    structure_days: u16,
    keep_rule: String,
}

fn prompt(name: String, version: String) -> Option<PromptRef> {
    some(name).map(|name| PromptRef { name, version })
}

fn keep((content_days, structure_days): (u16, u16), rule: &str) -> Keep {
    Keep {
        content_days,
        structure_days,
        rule: KeepRule::from_name(rule).unwrap_or_default(),
    }
}

impl SpanRow {
    pub(crate) fn into_span(mut self) -> Result<Span, StoreError> {
        let usage = self.take_usage();
        let input = content(self.input, &self.input_attribute);
        let output = content(self.output, &self.output_attribute);
        let attributes = attributes(
            self.attributes,
            &self.attribute_types,
            input.as_ref(),
            output.as_ref(),
        );
        Ok(Span {
            trace_id: trace_id(&self.trace_id)?,
            span_id: span_id(&self.span_id)?,
            parent_span_id: optional_span_id(&self.parent_span_id)?,
            name: self.name,
            kind: SpanKind::from_name(&self.kind).unwrap_or_default(),
            otlp_kind: OtlpKind::from_name(&self.otlp_kind).unwrap_or_default(),
            start: timestamp(self.start_ns),
            end: self.end_ns.map(timestamp),
            oddities: oddities(self.oddities),
            status: Status::from_name(&self.status).unwrap_or_default(),
            error: self.error_message.map(|message| SpanError {
                kind: some(self.error_kind),
                message,
            }),
            level: Level::from_name(&self.level).unwrap_or_default(),
            service: self.service,
            instance: some(self.instance),
            environment: self.environment,
            release: some(self.release),
            version: some(self.version_label),
            tenant: some(self.tenant),
            route: some(self.route),
            user_id: some(self.user_id),
            session_id: some(self.session_id),
            tags: self.tags,
            metadata: self.metadata.into_iter().collect(),
            trace_metadata_keys: self.trace_metadata_keys,
            trace_name: some(self.trace_name),
            provider: some(self.provider),
            request_model: some(self.request_model),
            response_model: some(self.response_model),
            parameters: self.parameters.into_iter().collect(),
            finish_reasons: self.finish_reasons,
            usage,
            cost: cost(self.cost, self.cost_details, &self.cost_source, &self.price),
            timings: Timings {
                ttft_ms: self.ttft_ms,
                tpot_ms: self.tpot_ms,
                queue_ms: self.queue_ms,
                prefill_ms: self.prefill_ms,
                decode_ms: self.decode_ms,
                ttft_source: some(self.ttft_source),
            },
            prompt: prompt(self.prompt_name, self.prompt_version),
            input,
            output,
            attributes,
            resource: Arc::new(json_attributes(&self.resource)),
            scope: Arc::new(Scope {
                name: self.scope_name.into(),
                version: self.scope_version.into(),
            }),
            events: items(&self.events).into_iter().filter_map(event).collect(),
            links: items(&self.links).into_iter().filter_map(link).collect(),
            provenance: items(&self.provenance)
                .into_iter()
                .filter_map(evidence)
                .collect(),
            response_id: some(self.response_id),
            call_role: CallRole::from_name(&self.call_role).unwrap_or_default(),
            quality: quality::read(&self.quality, &self.quality_marks),
            context: json_or_default(&self.context),
            axes: self.axes.into_iter().collect(),
            tools: tools(self.tool_names, self.called_tool_names),
            semantic_events: semantic::read(&self.semantic_events),
            from_cache: self.from_cache.parse().ok(),
            changes: None,
            keep: keep((self.content_days, self.structure_days), &self.keep_rule),
        })
    }

    fn take_usage(&mut self) -> Option<Usage> {
        let source = UsageSource::from_name(&self.usage_source)?;
        Some(Usage {
            input_tokens: self.input_tokens,
            output_tokens: self.output_tokens,
            total_tokens: self.total_tokens,
            details: self.usage_details.drain(..).collect(),
            source,
            rule: UsageRule::from_name(&self.usage_rule).unwrap_or_default(),
        })
    }
}

/// Text where there is some: empty stands for none in columns that cannot be NULL.
pub(crate) fn some(text: String) -> Option<String> {
    Some(text).filter(|text| !text.is_empty())
}

pub(crate) fn timestamp(nanos: i64) -> Timestamp {
    u64::try_from(nanos)
        .ok()
        .and_then(Timestamp::from_unix_nanos)
        .unwrap_or(Timestamp::EPOCH)
}

pub(crate) fn trace_id(text: &str) -> Result<TraceId, StoreError> {
    TraceId::from_text(text).map_err(|error| StoreError::BadRow(error.to_string()))
}

pub(crate) fn span_id(text: &str) -> Result<SpanId, StoreError> {
    SpanId::from_text(text).map_err(|error| StoreError::BadRow(error.to_string()))
}

pub(crate) fn optional_span_id(text: &str) -> Result<Option<SpanId>, StoreError> {
    if text.is_empty() {
        Ok(None)
    } else {
        span_id(text).map(Some)
    }
}

/// An amount from units of 10⁻¹² dollars; those that no `Decimal` holds are the largest there is.
pub(crate) fn usd(units: i128) -> Usd {
    Usd(Decimal::try_from_i128_with_scale(units, Usd::SCALE).unwrap_or(Decimal::MAX))
}

fn oddities(bits: u8) -> Oddities {
    Oddities {
        end_before_start: bits & 1 != 0,
        start_unknown: bits & 2 != 0,
        cut: bits & 4 != 0,
        invalid_utf8: bits & 8 != 0,
    }
}

pub(crate) fn cost(
    total: Option<i128>,
    details: Vec<(String, i128)>,
    source: &str,
    price: &str,
) -> Option<Cost> {
    let details: BTreeMap<String, Usd> = details
        .into_iter()
        .map(|(kind, units)| (kind, usd(units)))
        .collect();
    let source = CostSource::from_name(source)?;
    Some(Cost {
        total: total.map(usd),
        details,
        source,
        terms: json_or_default(price),
    })
}

fn tools(offered: Vec<String>, called: Vec<String>) -> ToolUse {
    ToolUse { offered, called }
}

/// What was JSON once; nothing of an empty text.
fn json_or_default<T: Default + serde::de::DeserializeOwned>(text: &str) -> T {
    if text.is_empty() {
        return T::default();
    }
    serde_json::from_str(text).unwrap_or_default()
}

fn content(text: Option<String>, attribute: &str) -> Option<Content> {
    let attribute = Some(attribute).filter(|key| !key.is_empty()).map(Arc::from);
    text.map(|text| Content {
        text: text.into(),
        attribute,
    })
}

fn attributes(
    stored: Vec<(String, String)>,
    letters: &str,
    input: Option<&Content>,
    output: Option<&Content>,
) -> Attributes {
    let letters = letters.bytes().chain(std::iter::repeat(b's'));
    let rebuild = |((key, text), letter): ((String, String), u8)| {
        let value = match Shared::read(letter, &text) {
            Some(shared) => shared_value(shared, input, output),
            None => value::from_text(letter, &text),
        };
        (Arc::from(key), value)
    };
    stored.into_iter().zip(letters).map(rebuild).collect()
}

/// The whole of a content is shared in memory too.
fn shared_value(
    shared: Shared,
    input: Option<&Content>,
    output: Option<&Content>,
) -> domain::Value {
    let content = match shared.side() {
        Side::Input => input,
        Side::Output => output,
    };
    match (shared, content) {
        (Shared::Whole(_), Some(content)) => domain::Value::Str(Arc::clone(&content.text)),
        (_, content) => {
            let text = content.map_or("", |content| &content.text);
            domain::Value::Str(shared.resolve(text).into())
        }
    }
}

pub(crate) fn json_attributes(text: &str) -> Attributes {
    serde_json::from_str(text)
        .map(value::attributes_from_json)
        .unwrap_or_default()
}

fn items(text: &str) -> Vec<Vec<Json>> {
    if text.is_empty() {
        Vec::new()
    } else {
        serde_json::from_str(text).unwrap_or_default()
    }
}

fn event(parts: Vec<Json>) -> Option<SpanEvent> {
    let [name, nanos, attributes] = <[Json; 3]>::try_from(parts).ok()?;
    Some(SpanEvent {
        name: name.as_str()?.to_owned(),
        time: timestamp(nanos.as_i64()?),
        attributes: value::attributes_from_json(attributes),
        source: EventSource::Span,
    })
}

fn link(parts: Vec<Json>) -> Option<SpanLink> {
    let [trace, span, attributes] = <[Json; 3]>::try_from(parts).ok()?;
    Some(SpanLink {
        trace_id: TraceId::from_text(trace.as_str()?).ok()?,
        span_id: SpanId::from_text(span.as_str()?).ok()?,
        attributes: value::attributes_from_json(attributes),
    })
}

fn evidence(parts: Vec<Json>) -> Option<Provenance> {
    let [field, key] = <[Json; 2]>::try_from(parts).ok()?;
    Some(Provenance {
        field: field.as_str()?.to_owned().into(),
        key: key.as_str()?.to_owned().into(),
    })
}
