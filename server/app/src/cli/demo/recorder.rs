//! Lays the spans of one trace out in time, with the attributes that each kind of step carries.

use domain::{Nanos, Timestamp};
use rand::Rng;
use rand::rngs::StdRng;
use serde_json::{Value, json};

use super::otlp::DemoSpan;
use super::story::Model;

/// Lays spans out in time: each begins where the one before ended.
pub(crate) struct Recorder<'a> {
    /// Where chance comes from.
    pub(crate) rng: &'a mut StdRng,
    service: &'static str,
    environment: &'static str,
    trace_id: String,
    clock: Timestamp,
    /// Spans so far.
    pub(crate) spans: Vec<DemoSpan>,
}

impl<'a> Recorder<'a> {
    pub(crate) fn new(service: &'static str, at: Timestamp, rng: &'a mut StdRng) -> Self {
        let environment = if rng.random_bool(0.94) {
            "production"
        } else {
            "staging"
        };
        let trace_id = format!("{:032x}", rng.random::<u128>() | 1);
        Recorder {
            rng,
            service,
            environment,
            trace_id,
            clock: at,
            spans: Vec::new(),
        }
    }

    /// Opens a span; give the index to [`Recorder::close`].
    pub(crate) fn open(&mut self, parent: Option<usize>, name: &str) -> usize {
        self.spans.push(DemoSpan {
            service: self.service,
            environment: self.environment,
            trace_id: self.trace_id.clone(),
            span_id: format!("{:016x}", self.rng.random::<u64>() | 1),
            parent: parent.map(|index| self.spans[index].span_id.clone()),
            name: name.to_owned(),
            start: self.clock,
            end: self.clock,
            attributes: Vec::new(),
            error: None,
        });
        self.spans.len() - 1
    }

    /// When the next thing happens.
    pub(crate) fn now(&self) -> Timestamp {
        self.clock
    }

    pub(crate) fn close(&mut self, index: usize) {
        self.spans[index].end = self.clock;
    }

    pub(crate) fn set(&mut self, index: usize, key: &'static str, value: impl Into<Value>) {
        self.spans[index].attributes.push((key, value.into()));
    }

    pub(crate) fn wait(&mut self, from_ms: f64, to_ms: f64) {
        let millis = self.rng.random_range(from_ms..to_ms);
        self.clock = self.clock.plus(Nanos((millis * 1e6) as u64));
    }

    /// A span that does one thing and takes a while.
    pub(crate) fn step(&mut self, parent: usize, name: &str, kind: &str, ms: (f64, f64)) -> usize {
        let index = self.open(Some(parent), name);
        self.set(index, "openinference.span.kind", kind);
        self.wait(ms.0, ms.1);
        self.close(index);
        index
    }

    pub(crate) fn tool(
        &mut self,
        parent: usize,
        name: &str,
        arguments: &Value,
        result: &Value,
    ) -> usize {
        let index = self.open(Some(parent), name);
        self.set(index, "gen_ai.operation.name", "execute_tool");
        self.set(index, "gen_ai.tool.name", name);
        self.set(index, "gen_ai.tool.call.arguments", arguments.to_string());
        self.set(index, "gen_ai.tool.call.result", result.to_string());
        self.wait(20.0, 140.0);
        self.close(index);
        index
    }

    pub(crate) fn fail(&mut self, index: usize, kind: &'static str, message: &str) {
        self.spans[index].error = Some((kind, message.to_owned()));
    }

    pub(crate) fn generation(&mut self, parent: usize, name: &str, call: &Call<'_>) -> usize {
        let index = self.open(Some(parent), name);
        let queue_ms = self.rng.random_range(4.0..40.0) * call.slowdown;
        let fresh_tokens = f64::from(call.input_tokens - call.cached_tokens);
        let prefill_ms = fresh_tokens / 1000.0 * call.model.prefill_ms_per_k * call.slowdown + 30.0;
        let decode_ms =
            f64::from(call.output_tokens) * call.model.decode_ms * self.rng.random_range(0.9..1.2);
        self.wait(queue_ms + prefill_ms, queue_ms + prefill_ms + 1.0);
        self.set(
            index,
            "gen_ai.response.time_to_first_chunk",
            (queue_ms + prefill_ms) / 1000.0,
        );
        self.set(index, "gen_ai.latency.time_in_queue", queue_ms / 1000.0);
        self.set(
            index,
            "gen_ai.latency.time_in_model_prefill",
            prefill_ms / 1000.0,
        );
        self.set(
            index,
            "gen_ai.latency.time_in_model_decode",
            decode_ms / 1000.0,
        );
        self.wait(decode_ms, decode_ms + 1.0);
        self.close(index);
        for (key, value) in [
            ("gen_ai.operation.name", json!("chat")),
            ("gen_ai.provider.name", json!(call.model.provider)),
            ("gen_ai.request.model", json!(call.model.name)),
            ("gen_ai.response.model", json!(call.model.name)),
            ("gen_ai.request.temperature", json!(0.2)),
            ("gen_ai.request.stream", json!(true)),
            ("gen_ai.usage.input_tokens", json!(call.input_tokens)),
            ("gen_ai.usage.output_tokens", json!(call.output_tokens)),
            (
                "gen_ai.usage.cache_read.input_tokens",
                json!(call.cached_tokens),
            ),
            (
                "gen_ai.response.finish_reasons",
                json!([call.finish_reason]),
            ),
            (
                "gen_ai.input.messages",
                json!(call.input_messages().to_string()),
            ),
            (
                "gen_ai.output.messages",
                json!(call.output_messages().to_string()),
            ),
        ] {
            self.set(index, key, value);
        }
        if let Some((prompt, version)) = call.prompt {
            self.set(index, "langfuse.observation.prompt.name", prompt);
            self.set(index, "langfuse.observation.prompt.version", version);
        }
        index
    }
}

/// One model call of the story.
pub(crate) struct Call<'a> {
    pub(crate) model: Model,
    pub(crate) prompt: Option<(&'static str, u32)>,
    pub(crate) system: &'a str,
    pub(crate) user: &'a str,
    pub(crate) answer: &'a str,
    pub(crate) input_tokens: u32,
    pub(crate) cached_tokens: u32,
    pub(crate) output_tokens: u32,
    pub(crate) finish_reason: &'static str,
    pub(crate) slowdown: f64,
}

impl Call<'_> {
    pub(crate) fn input_messages(&self) -> Value {
        json!([
            {"role": "system", "parts": [{"type": "text", "content": self.system}]},
            {"role": "user", "parts": [{"type": "text", "content": self.user}]},
        ])
    }

    pub(crate) fn output_messages(&self) -> Value {
        json!([{
            "role": "assistant",
            "parts": [{"type": "text", "content": self.answer}],
            "finish_reason": self.finish_reason,
        }])
    }
}
