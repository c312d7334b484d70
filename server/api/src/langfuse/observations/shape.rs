//! An observation, in the first version of these routes: all keys are always there.

use std::collections::BTreeMap;

use domain::attr::langfuse as attr;
use domain::span::SpanKind;
use domain::{Nanos, ProjectId, Span, Timestamp};
use serde::Serialize;

use super::priced::Priced;
use crate::langfuse::content::{decoded, decoded_values, seconds, some};
use crate::langfuse::time::Millis;
use crate::langfuse::usage::{cost_details, sum_of, usage_details};
use crate::shape::TextOrJson;

/// An observation, ready to be written.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct ObservationShape<'a> {
    id: &'a str,
    trace_id: &'a str,
    project_id: String,
    parent_observation_id: Option<&'a str>,
    name: Option<&'a str>,
    r#type: &'static str,
    environment: &'a str,
    start_time: Millis,
    end_time: Option<Millis>,
    completion_start_time: Option<Millis>,
    created_at: Millis,
    updated_at: Millis,
    version: Option<&'a str>,
    level: &'static str,
    status_message: Option<&'a str>,
    input: Option<TextOrJson<'a>>,
    output: Option<TextOrJson<'a>>,
    metadata: BTreeMap<&'a str, TextOrJson<'a>>,
    model: Option<&'a str>,
    model_parameters: BTreeMap<&'a str, TextOrJson<'a>>,
    /// Rows of prompts are not linked: names and versions are.
    prompt_id: Option<()>,
    prompt_name: Option<&'a str>,
    prompt_version: Option<u32>,
    model_id: Option<String>,
    input_price: Option<f64>,
    output_price: Option<f64>,
    total_price: Option<f64>,
    usage_pricing_tier_name: Option<&'a str>,
    usage_pricing_tier_id: Option<String>,
    usage: UsageShape,
    unit: &'static str,
    prompt_tokens: u64,
    completion_tokens: u64,
    total_tokens: u64,
    usage_details: BTreeMap<String, u64>,
    cost_details: BTreeMap<String, f64>,
    calculated_input_cost: Option<f64>,
    calculated_output_cost: Option<f64>,
    calculated_total_cost: Option<f64>,
    latency: Option<f64>,
    time_to_first_token: Option<f64>,
}

#[derive(Serialize)]
struct UsageShape {
    unit: &'static str,
    input: u64,
    output: u64,
    total: u64,
}

impl<'a> ObservationShape<'a> {
    /// Of a span, and by which price its cost was computed.
    pub(crate) fn new(project: ProjectId, span: &'a Span, priced: Priced) -> Self {
        let (usage, costs) = (usage_details(span), cost_details(span));
        let counted = UsageShape {
            unit: "TOKENS",
            input: sum_of(&usage, "input").unwrap_or(0),
            output: sum_of(&usage, "output").unwrap_or(0),
            total: usage.get("total").copied().unwrap_or(0),
        };
        ObservationShape {
            id: span.span_id.as_str(),
            trace_id: span.trace_id.as_str(),
            project_id: project.to_string(),
            parent_observation_id: span.parent_span_id.as_ref().map(domain::SpanId::as_str),
            name: some(&span.name),
            r#type: type_of(span.kind),
            environment: &span.environment,
            start_time: Millis(span.start),
            end_time: span.end.map(Millis),
            completion_start_time: first_token(span).map(Millis),
            created_at: Millis(span.start),
            updated_at: Millis(span.end.unwrap_or(span.start)),
            version: span.version.as_deref(),
            level: span.level.as_str(),
            status_message: status_message(span),
            input: decoded(span.input.as_ref().map(|content| &*content.text)),
            output: decoded(span.output.as_ref().map(|content| &*content.text)),
            metadata: decoded_values(&span.metadata),
            model: span.model(),
            model_parameters: decoded_values(&span.parameters),
            prompt_id: None,
            prompt_name: span.prompt.as_ref().map(|prompt| prompt.name.as_str()),
            prompt_version: prompt_version(span),
            model_id: priced.model_id,
            input_price: priced.input,
            output_price: priced.output,
            total_price: priced.total,
            usage_pricing_tier_name: tier_name(span),
            usage_pricing_tier_id: priced.tier_id,
            unit: counted.unit,
            prompt_tokens: counted.input,
            completion_tokens: counted.output,
            total_tokens: counted.total,
            usage: counted,
            calculated_input_cost: sum_of(&costs, "input"),
            calculated_output_cost: sum_of(&costs, "output"),
            calculated_total_cost: costs.get("total").copied(),
            usage_details: usage,
            cost_details: costs,
            latency: span.latency().map(seconds),
            time_to_first_token: time_to_first_token(span),
        }
    }
}

/// The type of this API for what a span did. It has none for re-ordering documents.
pub(super) fn type_of(kind: SpanKind) -> &'static str {
    match kind {
        SpanKind::Generation => "GENERATION",
        SpanKind::Embedding => "EMBEDDING",
        SpanKind::Retriever | SpanKind::Reranker => "RETRIEVER",
        SpanKind::Tool => "TOOL",
        SpanKind::Agent => "AGENT",
        SpanKind::Chain => "CHAIN",
        SpanKind::Guardrail => "GUARDRAIL",
        SpanKind::Evaluator => "EVALUATOR",
        SpanKind::Event => "EVENT",
        SpanKind::Trace | SpanKind::Span => "SPAN",
    }
}

/// When the first token came.
pub(super) fn first_token(span: &Span) -> Option<Timestamp> {
    let nanos = span.timings.ttft_ms? * 1e6;
    // Saturating: a time without end is the end of time.
    (nanos >= 0.0).then(|| span.start.plus(Nanos(nanos as u64)))
}

/// Name of the tier of its price, where the project has named it.
pub(super) fn tier_name(span: &Span) -> Option<&str> {
    span.cost.as_ref()?.terms.as_ref()?.named_tier.as_deref()
}

/// Seconds to the first token.
pub(super) fn time_to_first_token(span: &Span) -> Option<f64> {
    span.timings.ttft_ms.map(|millis| millis / 1_000.0)
}

/// What an observation said about its end, also where that was no failure.
pub(super) fn status_message(span: &Span) -> Option<&str> {
    let said = || {
        span.text_attribute(attr::OBSERVATION_STATUS_MESSAGE)
            .and_then(some)
    };
    let failure = span.error.as_ref();
    failure.and_then(|error| some(&error.message)).or_else(said)
}

/// The number of the prompt's version; those of other systems need not be numbers.
pub(super) fn prompt_version(span: &Span) -> Option<u32> {
    span.prompt.as_ref()?.version.parse().ok()
}
