//! Text Generation Inference: the line that its router says when a request has ended, as text or as JSON. It names no
//! request; its trace does, where there is one.

use serde_json::Value as Json;

use super::{EngineLine, Said, between, millis};

/// The part of TGI that says it.
const TARGET: &str = "text_generation_router";

/// Reads a line.
pub(super) fn read(said: &Said<'_>) -> Option<EngineLine> {
    if let Some(fields) = said.fields {
        return of_json(said.text, fields);
    }
    let at = said.text.find("generate")?;
    let (_, spans) = said.text.split_at(at);
    if !spans.contains(TARGET) {
        return None;
    }
    // The prompt is not among what is said; parameters are, with quotes of their own.
    let (_, times) = spans.rsplit_once(" total_time=")?;
    let times = format!(" total_time={times}");
    let value = |name: &str| {
        let quoted = between(&times, &format!(" {name}=\""), "\"");
        quoted.map(str::to_owned)
    };
    let mut line = line(|name| value(name))?;
    let most = between(spans, "max_new_tokens: Some(", ")");
    line.max_tokens = most.and_then(|most| most.parse().ok());
    Some(line)
}

/// Spans stand in `span`, or in `spans` from the outermost on.
fn of_json(message: &str, fields: &Json) -> Option<EngineLine> {
    let target = fields.get("target").and_then(Json::as_str)?;
    if !target.starts_with(TARGET) || message != "Success" {
        return None;
    }
    let spans = fields.get("spans").and_then(Json::as_array);
    let all = fields
        .get("span")
        .into_iter()
        .chain(spans.into_iter().flatten());
    let all: Vec<&Json> = all.collect();
    line(|name| {
        let mut values = all.iter().filter_map(|span| span.get(name)?.as_str());
        values.next().map(str::to_owned)
    })
}

fn line(value: impl Fn(&str) -> Option<String>) -> Option<EngineLine> {
    let time = |name: &str| value(name).and_then(|text| millis(&text));
    Some(EngineLine {
        backend: "tgi",
        event: "finished",
        e2e_ms: Some(time("total_time")?),
        validation_ms: time("validation_time"),
        queue_ms: time("queue_time"),
        inference_ms: time("inference_time"),
        tpot_ms: time("time_per_token"),
        ..EngineLine::default()
    })
}
