//! A stored row as a span that tells of a call.

use std::collections::HashMap;
use std::sync::Arc;

use clickhouse::Row;
use domain::axes::request::{CallSpan, Named, Numbers, ScoreOf};
use domain::quality::Verdict;
use domain::span::{CallRole, SpanKind};
use serde::Deserialize;
use serde_json::Value as Json;

use crate::error::StoreError;
use crate::spans::quality;
use crate::spans::row::{optional_span_id, span_id, timestamp, trace_id};

/// The columns of `spans.sql`, in its order.
#[derive(Row, Deserialize)]
pub(super) struct CallRow {
    trace_id: String,
    span_id: String,
    parent_span_id: String,
    kind_name: String,
    role_name: String,
    is_server: u8,
    has_usage: u8,
    is_chosen: u8,
    start_ns: i64,
    end_ns: Option<i64>,
    failed: u8,
    model: String,
    prompt: String,
    prompt_version_name: String,
    tenant_name: String,
    route_name: String,
    release_name: String,
    provider_name: String,
    environment_name: String,
    instance_told: String,
    address: String,
    process: String,
    ttft_ms: Option<f64>,
    tpot_ms: Option<f64>,
    queue_ms: Option<f64>,
    prefill_ms: Option<f64>,
    decode_ms: Option<f64>,
    input_tokens: Option<u64>,
    output_tokens: Option<u64>,
    cached_tokens: Option<u64>,
    cost_usd: Option<f64>,
    told: Vec<(String, f64)>,
    judged: Vec<(String, f64)>,
    marks: String,
}

/// The columns of `scores.sql`, in its order.
#[derive(Row, Deserialize)]
pub(super) struct ScoreRow {
    trace_id: String,
    observation_id: String,
    score_name: String,
    value: f64,
    is_flag: u8,
}

/// Attributes of a process.
type Process = Arc<Vec<(Arc<str>, Arc<str>)>>;

/// Texts that come again and again, each once.
#[derive(Default)]
pub(super) struct Names {
    texts: HashMap<String, Arc<str>>,
    processes: HashMap<String, Process>,
}

/// Texts that are remembered; of more each stands for itself.
const MOST_NAMES: usize = 100_000;

impl Names {
    fn text(&mut self, text: String) -> Arc<str> {
        if let Some(known) = self.texts.get(&text) {
            return Arc::clone(known);
        }
        let made: Arc<str> = Arc::from(text.as_str());
        if self.texts.len() < MOST_NAMES {
            self.texts.insert(text, Arc::clone(&made));
        }
        made
    }

    fn some(&mut self, text: String) -> Option<Arc<str>> {
        (!text.is_empty()).then(|| self.text(text))
    }

    /// Attributes that are texts or whole numbers; others name nothing.
    fn process(&mut self, json: String) -> Process {
        if let Some(known) = self.processes.get(&json) {
            return Arc::clone(known);
        }
        let fields = match serde_json::from_str(&json) {
            Ok(Json::Object(fields)) => fields,
            _ => serde_json::Map::new(),
        };
        let pairs = fields.into_iter().filter_map(|(key, value)| match value {
            Json::String(text) => Some((self.text(key), self.text(text))),
            Json::Number(number) => Some((self.text(key), self.text(number.to_string()))),
            _ => None,
        });
        let made: Process = Arc::new(pairs.collect());
        if self.processes.len() < MOST_NAMES {
            self.processes.insert(json, Arc::clone(&made));
        }
        made
    }

    /// What a call says of its engine.
    fn signs(&mut self, told: String, address: String) -> Vec<(Arc<str>, Arc<str>)> {
        let mut signs = Vec::new();
        if let Some(told) = self.some(told) {
            signs.push((self.text("llm.infer.instance".to_owned()), told));
        }
        let host = match address.rsplit_once(':') {
            Some((host, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) => {
                let address = self.text(address.clone());
                signs.push((self.text("server.address:server.port".to_owned()), address));
                host.to_owned()
            }
            _ => address,
        };
        if let Some(host) = self.some(host) {
            signs.push((self.text("server.address".to_owned()), host));
        }
        signs
    }
}

impl CallRow {
    pub(super) fn into_span(self, names: &mut Names) -> Result<CallSpan, StoreError> {
        let judged = quality::read(&self.judged, &self.marks);
        let judged = judged.iter().map(|(name, judged)| {
            let name = names.text(name.to_owned());
            match judged.value {
                Verdict::Bool(_) => (name, quality::number(judged), true),
                Verdict::Number(number) => (name, number, false),
            }
        });
        Ok(CallSpan {
            judged: judged.collect(),
            trace_id: trace_id(&self.trace_id)?,
            span_id: span_id(&self.span_id)?,
            parent_span_id: optional_span_id(&self.parent_span_id)?,
            kind: SpanKind::from_name(&self.kind_name).unwrap_or_default(),
            role: CallRole::from_name(&self.role_name).unwrap_or_default(),
            is_server: self.is_server == 1,
            has_usage: self.has_usage == 1,
            is_chosen: self.is_chosen == 1,
            start: timestamp(self.start_ns),
            end: self.end_ns.map(timestamp),
            failed: self.failed == 1,
            named: Named {
                model: names.some(self.model),
                prompt: names.some(self.prompt),
                prompt_version: names.some(self.prompt_version_name),
                tenant: names.some(self.tenant_name),
                route: names.some(self.route_name),
                release: names.some(self.release_name),
                provider: names.some(self.provider_name),
                environment: names.some(self.environment_name),
            },
            signs: names.signs(self.instance_told, self.address),
            resource: names.process(self.process),
            numbers: Numbers {
                ttft_ms: self.ttft_ms,
                tpot_ms: self.tpot_ms,
                queue_ms: self.queue_ms,
                prefill_ms: self.prefill_ms,
                decode_ms: self.decode_ms,
                input_tokens: self.input_tokens,
                output_tokens: self.output_tokens,
                cached_tokens: self.cached_tokens,
                cost: self.cost_usd,
            },
            told: self
                .told
                .into_iter()
                .map(|(name, value)| (names.text(name), value))
                .collect(),
        })
    }
}

impl ScoreRow {
    pub(super) fn into_score(self, names: &mut Names) -> Result<ScoreOf, StoreError> {
        Ok(ScoreOf {
            trace_id: trace_id(&self.trace_id)?,
            span_id: optional_span_id(&self.observation_id)?,
            name: names.text(self.score_name),
            value: self.value,
            is_flag: self.is_flag == 1,
        })
    }
}
