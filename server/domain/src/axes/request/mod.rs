//! Requests: generations, each once however many spans tell of it, with what their spans say.

/// Spans that tell of calls, and of their way to the engine.
mod call_span;
/// Which spans are requests.
mod once;
/// Spans of engines and servers, with their requests.
mod served;
#[cfg(test)]
mod tests;

use std::collections::HashMap;
use std::sync::Arc;

use super::topology::Signs;
use crate::{SpanId, Timestamp, TraceId};

pub use call_span::{CallSpan, Named, Numbers};

/// A judgement or a score: its name, its number, and whether it says yes or no.
pub type Judgement = (Arc<str>, f64, bool);

/// A request.
#[derive(Clone, Debug, PartialEq)]
pub struct Request {
    /// Its trace.
    pub trace_id: TraceId,
    /// Its span.
    pub span_id: SpanId,
    /// When it began.
    pub start: Timestamp,
    /// When it ended; `None` while open.
    pub end: Option<Timestamp>,
    /// Whether it failed.
    pub failed: bool,
    /// What it is told apart by.
    pub named: Named,
    /// What tells which instance served it.
    pub signs: Signs,
    /// Its numbers, those of its engine where it has none of its own.
    pub numbers: Numbers,
    /// Values of the axes that came with it, by name.
    pub told: Vec<(Arc<str>, f64)>,
    /// Judgements.
    pub judged: Vec<Judgement>,
    /// Scores.
    pub scored: Vec<Judgement>,
}

/// A numeric or boolean score.
#[derive(Clone, Debug, PartialEq)]
pub struct ScoreOf {
    /// The trace.
    pub trace_id: TraceId,
    /// The span; `None`: the trace as a whole, and with it each of its requests.
    pub span_id: Option<SpanId>,
    /// Its name.
    pub name: Arc<str>,
    /// Its number; yes is 1.
    pub value: f64,
    /// Whether it says yes or no.
    pub is_flag: bool,
}

/// The requests among spans of whole traces, in the order of their start, trace and span. Spans in any order.
pub fn requests(mut spans: Vec<CallSpan>, scores: &[ScoreOf]) -> Vec<Request> {
    spans.sort_by(|one, other| one.trace_id.cmp(&other.trace_id));
    let mut scores_of: HashMap<&TraceId, Vec<&ScoreOf>> = HashMap::new();
    for score in scores {
        scores_of.entry(&score.trace_id).or_default().push(score);
    }
    let mut found = Vec::new();
    for trace in spans.chunk_by(|one, other| one.trace_id == other.trace_id) {
        let requests = once::requests(trace);
        let served = served::servers(trace, &requests);
        let scores = trace.first().and_then(|span| scores_of.get(&span.trace_id));
        let scores = scores.map_or(&[][..], Vec::as_slice);
        for (at, servers) in requests.iter().zip(served) {
            let mut request = call_span::request(&trace[*at], &servers);
            request.scored = scores_for(&request.span_id, scores);
            found.push(request);
        }
    }
    found.sort_by(|one, other| {
        let key = |request: &Request| request.start;
        let by_id = || (&one.trace_id, &one.span_id).cmp(&(&other.trace_id, &other.span_id));
        key(one).cmp(&key(other)).then_with(by_id)
    });
    found
}

/// A request's own score goes before that of its trace.
fn scores_for(span: &SpanId, scores: &[&ScoreOf]) -> Vec<Judgement> {
    let own = scores
        .iter()
        .filter(|score| score.span_id.as_ref() == Some(span));
    let of_trace = scores.iter().filter(|score| score.span_id.is_none());
    let mut scored: Vec<Judgement> = Vec::new();
    for score in own.chain(of_trace) {
        if !scored.iter().any(|(name, ..)| *name == score.name) {
            scored.push((Arc::clone(&score.name), score.value, score.is_flag));
        }
    }
    scored
}
