//! A dataset of the story with two runs over it, as an SDK would make them: items and links over Langfuse's API, spans
//! over OTLP.

use domain::{Nanos, Timestamp};
use rand::Rng;
use rand::rngs::StdRng;
use serde_json::{Value, json};

use super::otlp::DemoSpan;

/// The dataset's name.
pub(super) const NAME: &str = "support questions";
/// What people ask, and what should be answered.
const QUESTIONS: [(&str, &str); 8] = [
    (
        "Where is my parcel?",
        "It is on its way and arrives on Friday.",
    ),
    (
        "How do I return shoes?",
        "Print the label in your account and bring the box to a shop.",
    ),
    (
        "Can I change the address?",
        "Yes, until the parcel has left the warehouse.",
    ),
    ("Do you ship to Norway?", "Yes, in four to six days."),
    (
        "My code does not work.",
        "Codes hold for one order; yours was used in May.",
    ),
    (
        "When do I get my refund?",
        "Within five days after we have the parcel.",
    ),
    (
        "Is the jacket waterproof?",
        "It keeps rain out for about two hours.",
    ),
    (
        "How do I close my account?",
        "In Settings, Account, at the bottom of the page.",
    ),
];

/// A run: its name, how often it is right out of ten.
const RUNS: [(&str, u32); 2] = [("prompt 17", 9), ("prompt 18", 6)];

/// The dataset.
pub(super) fn dataset() -> Value {
    json!({"name": NAME, "description": "What customers ask most, and what they should hear."})
}

/// Its items.
pub(super) fn items() -> Vec<Value> {
    let item = |(at, (question, answer)): (usize, &(&str, &str))| {
        json!({
            "datasetName": NAME, "id": item_id(at), "input": {"question": question},
            "expectedOutput": answer, "metadata": {"level": if at % 3 == 0 { "hard" } else { "easy" }},
        })
    };
    QUESTIONS.iter().enumerate().map(item).collect()
}

fn item_id(at: usize) -> String {
    format!("support-question-{}", at + 1)
}

/// What a run made of an item.
pub(super) struct Tried {
    /// The trace.
    pub(super) spans: Vec<DemoSpan>,
    /// Its link to the run.
    pub(super) link: Value,
    /// How it was judged.
    pub(super) score: Value,
}

/// All that the runs made of the items, the older run first.
pub(super) fn tried(now: Timestamp, rng: &mut StdRng) -> Vec<Tried> {
    let mut all = Vec::new();
    for (run, (name, right)) in RUNS.iter().enumerate() {
        let begin = now.minus(Nanos::from_seconds(7_200 - 3_600 * run as u64));
        for (at, (question, answer)) in QUESTIONS.iter().enumerate() {
            let is_right = rng.random_range(0..10) < *right;
            let start = begin.plus(Nanos::from_seconds(at as u64));
            let said = match is_right {
                true => (*answer).to_owned(),
                false => format!(
                    "{} Please ask our team.",
                    answer.split(' ').take(4).collect::<Vec<_>>().join(" ")
                ),
            };
            all.push(one((name, at), (question, &said), (start, is_right), rng));
        }
    }
    all
}

fn one(
    (run, at): (&str, usize),
    (question, said): (&str, &str),
    (start, is_right): (Timestamp, bool),
    rng: &mut StdRng,
) -> Tried {
    let trace_id = format!("{:032x}", rng.random::<u128>() | 1);
    let span = DemoSpan {
        service: "support-api",
        environment: "staging",
        trace_id: trace_id.clone(),
        span_id: format!("{:016x}", rng.random::<u64>() | 1),
        parent: None,
        name: "support.answer".to_owned(),
        start,
        end: start.plus(Nanos::from_millis(rng.random_range(400..1_600))),
        attributes: vec![
            (
                "langfuse.observation.input",
                json!(json!({"question": question}).to_string()),
            ),
            ("langfuse.observation.output", json!(said)),
        ],
        error: None,
    };
    let value = match is_right {
        true => rng.random_range(85..100),
        false => rng.random_range(20..60),
    };
    Tried {
        link: json!({"runName": run, "datasetItemId": item_id(at), "traceId": trace_id}),
        score: json!({
            "id": format!("helpful-{trace_id}"), "traceId": trace_id, "name": "helpful",
            "value": f64::from(value) / 100.0,
        }),
        spans: vec![span],
    }
}
