use std::collections::BTreeMap;

use serde_json::{Map, Value as Json};

use crate::attr::langfuse as attr;
use crate::span::{Content, Span};

/// Longest text that a model is shown of one side, in characters.
pub const MAX_CHARS: usize = 100_000;

/// What an evaluator sees of a span.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Material {
    /// What went in.
    pub input: Option<String>,
    /// What came out.
    pub output: Option<String>,
    /// What should have come out, where the span is an item of an experiment that says so.
    pub expected_output: Option<String>,
    /// Metadata: a JSON object.
    pub metadata: String,
    /// From start to end, milliseconds.
    pub latency_ms: Option<f64>,
    /// US dollars.
    pub cost: Option<f64>,
    /// Tokens of the answer.
    pub output_tokens: Option<u64>,
}

impl Material {
    /// Of a span. What a root says of its whole trace goes before its own input and output.
    pub fn of(span: &Span) -> Self {
        let said = |key: &str| span.text_attribute(key).map(str::to_owned);
        let own = |content: &Option<Content>| content.as_ref().map(|own| own.text.to_string());
        let is_root = span.parent_span_id.is_none();
        let whole = |key: &str| said(key).filter(|_| is_root);
        let cost = span.cost.as_ref().and_then(|cost| cost.total);
        Material {
            input: whole(attr::TRACE_INPUT).or_else(|| own(&span.input)),
            output: whole(attr::TRACE_OUTPUT).or_else(|| own(&span.output)),
            expected_output: said(attr::EXPERIMENT_ITEM_EXPECTED_OUTPUT),
            metadata: metadata(&span.metadata),
            latency_ms: span.latency().map(crate::time::Nanos::as_millis_f64),
            cost: cost.and_then(|cost| cost.to_string().parse().ok()),
            output_tokens: span.usage.as_ref().and_then(|usage| usage.output_tokens),
        }
    }

    /// The value of a variable of a prompt; `None` where the span has none.
    pub fn variable(&self, name: &str) -> Option<String> {
        let text = match name {
            "input" => self.input.as_deref(),
            "output" => self.output.as_deref(),
            "expected_output" => self.expected_output.as_deref(),
            "metadata" => Some(self.metadata.as_str()),
            _ => None,
        };
        text.map(cut)
    }
}

/// The beginning of a text that is too long for a model.
fn cut(text: &str) -> String {
    match text.char_indices().nth(MAX_CHARS) {
        Some((at, _)) => format!("{} …", &text[..at]),
        None => text.to_owned(),
    }
}

fn metadata(pairs: &BTreeMap<String, String>) -> String {
    let pairs = pairs.iter().map(|(key, value)| {
        let value = serde_json::from_str(value).unwrap_or_else(|_| Json::from(value.as_str()));
        (key.clone(), value)
    });
    Json::Object(Map::from_iter(pairs)).to_string()
}
