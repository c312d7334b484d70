//! An observation with those groups of fields only that are asked for.

use std::collections::{BTreeMap, HashMap};

use domain::portrait::is_public;
use domain::span::Content;
use domain::trace::TraceSummary;
use domain::{ProjectId, Span};
use serde::Serialize;

use super::priced::Priced;
use super::shape::{
    first_token, prompt_version, status_message, tier_name, time_to_first_token, type_of,
};
use super::tools::Tools;
use crate::langfuse::content::{decoded_values, seconds, some};
use crate::langfuse::error::Result;
use crate::langfuse::groups::Groups;
use crate::langfuse::query::Query;
use crate::langfuse::time::Millis;
use crate::langfuse::usage::{cost_details, usage_details};
use crate::shape::TextOrJson;

/// Characters of a value of metadata, unless it is asked for whole.
const METADATA_CHARS: usize = 200;

/// What is asked for.
pub(crate) struct Wanted {
    groups: Groups,
    is_usual: bool,
    /// Keys of metadata that are wanted whole.
    whole: Vec<String>,
    /// Whether all of them are.
    all_whole: bool,
}

impl Wanted {
    /// From the query.
    ///
    /// # Errors
    /// When a parameter comes twice.
    pub(super) fn read(query: &Query) -> Result<Self> {
        Ok(Wanted {
            groups: Groups::read(query)?,
            is_usual: query.text("fields")?.is_none(),
            whole: query.list("expandMetadata"),
            all_whole: false,
        })
    }

    /// Some groups, without anything cut.
    pub(crate) fn whole(groups: Vec<String>) -> Self {
        Wanted {
            groups: Groups::of(groups),
            is_usual: false,
            whole: Vec::new(),
            all_whole: true,
        }
    }

    /// Whether something of the trace is asked for.
    pub(super) fn of_trace(&self) -> bool {
        self.has("basic") || self.has("trace_context")
    }

    fn has(&self, group: &str) -> bool {
        self.groups.on_demand(group) || self.is_usual && group == "basic"
    }
}

/// An observation, ready to be written.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct GroupedShape<'a> {
    id: &'a str,
    trace_id: &'a str,
    start_time: Millis,
    end_time: Option<Millis>,
    project_id: String,
    parent_observation_id: Option<&'a str>,
    r#type: &'static str,
    #[serde(flatten)]
    basic: Option<Basic<'a>>,
    #[serde(flatten)]
    time: Option<Time>,
    #[serde(flatten)]
    io: Option<Io<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    metadata: Option<HashMap<&'a str, Shortened<'a>>>,
    #[serde(flatten)]
    model: Option<Model<'a>>,
    #[serde(flatten)]
    usage: Option<Usage<'a>>,
    #[serde(flatten)]
    prompt: Option<Prompt<'a>>,
    #[serde(flatten)]
    metrics: Option<Metrics>,
    #[serde(flatten)]
    tools: Option<Tools>,
    #[serde(flatten)]
    trace_context: Option<TraceContext<'a>>,
    model_id: Option<String>,
    /// In this version texts.
    input_price: Option<String>,
    output_price: Option<String>,
    total_price: Option<String>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Basic<'a> {
    is_root_observation: bool,
    name: Option<&'a str>,
    level: &'static str,
    status_message: Option<&'a str>,
    version: Option<&'a str>,
    environment: &'a str,
    bookmarked: bool,
    public: bool,
    user_id: Option<&'a str>,
    session_id: Option<&'a str>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Time {
    completion_start_time: Option<Millis>,
    created_at: Millis,
    updated_at: Millis,
}

/// As sent, never decoded.
#[derive(Serialize)]
struct Io<'a> {
    input: Option<&'a str>,
    output: Option<&'a str>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Model<'a> {
    model: Option<&'a str>,
    /// The same by the name of the document.
    provided_model_name: Option<&'a str>,
    internal_model_id: Option<String>,
    model_parameters: BTreeMap<&'a str, TextOrJson<'a>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Usage<'a> {
    usage_details: BTreeMap<String, u64>,
    cost_details: BTreeMap<String, f64>,
    total_cost: Option<f64>,
    usage_pricing_tier_name: Option<&'a str>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Prompt<'a> {
    prompt_id: Option<()>,
    prompt_name: Option<&'a str>,
    prompt_version: Option<u32>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Metrics {
    latency: Option<f64>,
    time_to_first_token: Option<f64>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct TraceContext<'a> {
    trace_name: Option<&'a str>,
    tags: &'a [String],
    release: Option<&'a str>,
}

/// A value of metadata, or its beginning.
#[derive(Serialize)]
#[serde(untagged)]
enum Shortened<'a> {
    Whole(TextOrJson<'a>),
    Beginning(String),
}

impl<'a> GroupedShape<'a> {
    /// Of a span and its price, and of its trace where something of that is asked for.
    pub(crate) fn new(
        project: ProjectId,
        (span, priced): (&'a Span, Priced),
        trace: Option<&'a TraceSummary>,
        wanted: &Wanted,
    ) -> Self {
        let has = |group| wanted.has(group);
        let price = |usd: Option<f64>| usd.filter(|_| has("model")).map(|usd| usd.to_string());
        GroupedShape {
            id: span.span_id.as_str(),
            trace_id: span.trace_id.as_str(),
            start_time: Millis(span.start),
            end_time: span.end.map(Millis),
            project_id: project.to_string(),
            parent_observation_id: span.parent_span_id.as_ref().map(domain::SpanId::as_str),
            r#type: type_of(span.kind),
            basic: has("basic").then(|| Basic::new(span, trace)),
            time: has("time").then(|| Time {
                completion_start_time: first_token(span).map(Millis),
                created_at: Millis(span.start),
                updated_at: Millis(span.end.unwrap_or(span.start)),
            }),
            io: has("io").then(|| Io {
                input: text(span.input.as_ref()),
                output: text(span.output.as_ref()),
            }),
            metadata: has("metadata").then(|| metadata(span, wanted)),
            model: has("model").then(|| Model {
                model: span.model(),
                provided_model_name: span.model(),
                internal_model_id: priced.model_id.clone(),
                model_parameters: decoded_values(&span.parameters),
            }),
            usage: has("usage").then(|| Usage::new(span)),
            prompt: has("prompt").then(|| Prompt {
                prompt_id: None,
                prompt_name: span.prompt.as_ref().map(|prompt| prompt.name.as_str()),
                prompt_version: prompt_version(span),
            }),
            metrics: has("metrics").then(|| Metrics {
                latency: span.latency().map(seconds),
                time_to_first_token: time_to_first_token(span),
            }),
            tools: has("tools").then(|| Tools::of(span)),
            trace_context: has("trace_context").then(|| TraceContext::new(span, trace)),
            input_price: price(priced.input),
            output_price: price(priced.output),
            total_price: price(priced.total),
            model_id: priced.model_id.filter(|_| has("model")),
        }
    }
}

impl<'a> Basic<'a> {
    fn new(span: &'a Span, trace: Option<&'a TraceSummary>) -> Self {
        let of_trace =
            |field: fn(&TraceSummary) -> Option<&String>| trace.and_then(field).map(String::as_str);
        Basic {
            is_root_observation: span.parent_span_id.is_none(),
            name: some(&span.name),
            level: span.level.as_str(),
            status_message: status_message(span),
            version: span.version.as_deref(),
            environment: &span.environment,
            bookmarked: false,
            public: is_public(span),
            user_id: span
                .user_id
                .as_deref()
                .or(of_trace(|it| it.user_id.as_ref())),
            session_id: span
                .session_id
                .as_deref()
                .or(of_trace(|it| it.session_id.as_ref())),
        }
    }
}

impl<'a> Usage<'a> {
    fn new(span: &'a Span) -> Self {
        let costs = cost_details(span);
        Usage {
            usage_details: usage_details(span),
            total_cost: costs.get("total").copied(),
            cost_details: costs,
            usage_pricing_tier_name: tier_name(span),
        }
    }
}

impl<'a> TraceContext<'a> {
    fn new(span: &'a Span, trace: Option<&'a TraceSummary>) -> Self {
        TraceContext {
            trace_name: trace.map_or(span.trace_name.as_deref(), |trace| some(&trace.name)),
            tags: trace.map_or(&span.tags, |trace| &trace.tags),
            release: span
                .release
                .as_deref()
                .or(trace.and_then(|trace| trace.release.as_deref())),
        }
    }
}

fn text(content: Option<&Content>) -> Option<&str> {
    content.map(|content| &*content.text)
}

/// With the contents all of it is wanted whole.
fn metadata<'a>(span: &'a Span, wanted: &Wanted) -> HashMap<&'a str, Shortened<'a>> {
    let all_whole = wanted.all_whole || wanted.groups.on_demand("io");
    let value = |(key, text): (&'a String, &'a String)| {
        let is_whole = all_whole || wanted.whole.iter().any(|whole| whole == key);
        let beginning = beginning(text).filter(|_| !is_whole);
        let whole = || Shortened::Whole(TextOrJson::for_any_reader(text));
        (
            key.as_str(),
            beginning.map_or_else(whole, Shortened::Beginning),
        )
    };
    span.metadata.iter().map(value).collect()
}

/// The beginning of a value that is longer than that; of a text without its quotes.
fn beginning(json: &str) -> Option<String> {
    // No text is longer than it is as JSON.
    json.char_indices().nth(METADATA_CHARS)?;
    let plain: String = serde_json::from_str(json).unwrap_or_else(|_| json.to_owned());
    let (end, _) = plain.char_indices().nth(METADATA_CHARS)?;
    Some(plain[..end].to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_values_are_cut_by_characters() {
        assert_eq!(beginning("\"short\""), None);
        assert_eq!(beginning(&format!("\"{}\"", "é".repeat(200))), None);
        let cut = beginning(&format!("\"{}\"", "é".repeat(201))).unwrap();
        assert_eq!(cut, "é".repeat(200));
        assert_eq!(
            beginning(&format!("[{}1]", "1,".repeat(200)))
                .unwrap()
                .len(),
            200
        );
    }
}
