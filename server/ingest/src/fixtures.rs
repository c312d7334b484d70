//! Captured requests of real SDKs: every span is read, with its parent, its model and its tokens.

use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};

use domain::{Span, SpanId, Timestamp, TraceId};
use serde_json::Value as Json;

use crate::decode::Encoding;
use crate::pipeline;

type Spans = HashMap<(TraceId, SpanId), Span>;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/fixtures/otlp")
}

/// Every case with its expectation and its distinct spans.
fn cases() -> Vec<(String, Json, Spans)> {
    let mut files: Vec<String> = std::fs::read_dir(folder())
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    files.sort();
    let names = files.iter().filter_map(|file| file.strip_suffix(".json"));
    let names = names.filter(|name| !name.contains('.')).map(str::to_owned);
    names
        .map(|name| {
            let case = std::fs::read(folder().join(format!("{name}.json"))).unwrap();
            let prefix = format!("{name}.traces.");
            let requests = files.iter().filter(|file| file.starts_with(&prefix));
            let spans = requests.flat_map(|file| spans_of(file)).collect();
            (name, serde_json::from_slice(&case).unwrap(), spans)
        })
        // Batches of the older Langfuse API hold no OTLP.
        .filter(|(_, _, spans): &(_, _, Spans)| !spans.is_empty())
        .collect()
}

fn spans_of(file: &str) -> Vec<((TraceId, SpanId), Span)> {
    let body = std::fs::read(folder().join(file)).unwrap();
    let is_json = Path::new(file)
        .extension()
        .is_some_and(|extension| extension == "json");
    let encoding = if is_json {
        Encoding::Json
    } else {
        Encoding::Protobuf
    };
    let expected = domain::quality::Expected::default();
    let (spans, rejected) =
        pipeline::spans_of(encoding, &body, (Timestamp::MAX, &expected)).unwrap();
    assert_eq!(rejected.count, 0, "{file}");
    spans
        .into_iter()
        .map(|span| ((span.trace_id.clone(), span.span_id.clone()), span))
        .collect()
}

#[test]
fn every_captured_span_is_read_and_stands_below_its_parent() {
    let cases = cases();
    assert!(cases.len() >= 40, "{} cases", cases.len());
    for (name, case, spans) in cases {
        assert_eq!(case["decoded"]["distinct_spans"], spans.len(), "{name}");
        let mut paths: Vec<String> = spans.values().map(|span| path(span, &spans)).collect();
        paths.sort();
        assert_eq!(paths, expected_paths(&case), "{name}");
    }
}

/// Calls whose span has no model of its own, or tokens only within the provider's answer.
const NOT_ON_THE_SPAN: &[(&str, &str)] = &[
    ("mlflow_otlp", "Completions"),
    ("mlflow_otlp", "Embeddings"),
    ("otelgenai_openai_agents_v2", "chat"),
    ("vllm_server_spans", "llm_request"),
];

#[test]
fn models_and_tokens_are_found_where_the_payload_has_them() {
    let mut wrong = Vec::new();
    let mut calls_seen = 0;
    for (name, case, spans) in cases() {
        for call in case["expect"]["llm_calls"].as_array().into_iter().flatten() {
            let Some(span) = span_of_call(call, &spans) else {
                continue;
            };
            if NOT_ON_THE_SPAN.contains(&(name.as_str(), span.name.as_str())) {
                continue;
            }
            calls_seen += 1;
            let usage = span.usage.clone().unwrap_or_default();
            let in_payload = &call["in_payload"]["usage_at"];
            for (part, counted) in [
                ("input_total", usage.input_tokens),
                ("output_total", usage.output_tokens),
            ] {
                let has = in_payload[part]
                    .as_array()
                    .is_some_and(|keys| !keys.is_empty());
                let expected = &call["usage"][part.replace('_', "_tokens_")];
                if has && *expected != Json::from(counted) {
                    let keys = &in_payload[part];
                    let span = &span.name;
                    wrong.push(format!(
                        "{name} {span}: {counted:?} for {expected} at {keys}"
                    ));
                }
            }
            if span.model().is_none() {
                wrong.push(format!("{name} {}: no model", span.name));
            }
        }
    }
    assert!(calls_seen > 100, "{calls_seen}");
    assert!(
        wrong.is_empty(),
        "{} of {calls_seen}:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}

fn span_of_call<'s>(call: &Json, spans: &'s Spans) -> Option<&'s Span> {
    let span = call.get("span")?;
    if span["relation"] != "records this call" {
        return None;
    }
    let trace_id = TraceId::from_text(span["trace_id"].as_str()?).ok()?;
    let span_id = SpanId::from_text(span["span_id"].as_str()?).ok()?;
    spans.get(&(trace_id, span_id))
}

/// Names from the top down to the span.
fn path(span: &Span, spans: &Spans) -> String {
    let parent = span
        .parent_span_id
        .clone()
        .and_then(|id| spans.get(&(span.trace_id.clone(), id)));
    match parent {
        Some(parent) => format!("{} / {}", path(parent, spans), span.name),
        None => span.name.clone(),
    }
}

/// The same of the expectation's indented lines.
fn expected_paths(case: &Json) -> Vec<String> {
    let mut paths = Vec::new();
    for tree in case["decoded"]["trees"].as_array().unwrap() {
        let mut above: BTreeMap<usize, String> = BTreeMap::new();
        for line in tree["lines"].as_array().unwrap() {
            let line = line.as_str().unwrap();
            let name = line.trim_start_matches(' ');
            let depth = (line.len() - name.len()) / 2;
            let path = match depth.checked_sub(1).and_then(|depth| above.get(&depth)) {
                Some(parent) => format!("{parent} / {name}"),
                None => name.to_owned(),
            };
            above.insert(depth, path.clone());
            paths.push(path);
        }
    }
    paths.sort();
    paths
}
