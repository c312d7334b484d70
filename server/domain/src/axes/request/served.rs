//! Spans of engines and servers, with the requests that they served.

use std::collections::HashMap;

use super::CallSpan;
use crate::SpanId;
use crate::span::CallRole;

/// Longest way from a span of an engine up to its request.
const MOST_STEPS: usize = 64;

/// For each request, by its place, the spans of engines and servers below it. A span of an engine whose way up is not
/// known is that of the one request during which it ran; of several, nobody's.
pub(super) fn servers<'a>(trace: &'a [CallSpan], requests: &[usize]) -> Vec<Vec<&'a CallSpan>> {
    let mut served: Vec<Vec<&CallSpan>> = vec![Vec::new(); requests.len()];
    if trace.len() == requests.len() {
        return served;
    }
    let places: HashMap<&SpanId, usize> = trace
        .iter()
        .enumerate()
        .map(|(at, span)| (&span.span_id, at))
        .collect();
    let request_at: HashMap<usize, usize> = requests
        .iter()
        .enumerate()
        .map(|(number, at)| (*at, number))
        .collect();
    let parent_of = |at: usize| places.get(trace[at].parent_span_id.as_ref()?).copied();
    for (at, span) in trace.iter().enumerate() {
        let is_engine = span.role == CallRole::Engine;
        if !(is_engine || span.is_server) || request_at.contains_key(&at) {
            continue;
        }
        let mut above = parent_of(at);
        let mut found = None;
        for _ in 0..MOST_STEPS {
            let Some(at) = above else { break };
            found = request_at.get(&at).copied();
            if found.is_some() {
                break;
            }
            above = parent_of(at);
        }
        let meant = found.or_else(|| is_engine.then(|| during(trace, requests, span)).flatten());
        if let Some(number) = meant {
            served[number].push(span);
        }
    }
    served
}

fn during(trace: &[CallSpan], requests: &[usize], engine: &CallSpan) -> Option<usize> {
    let holds = |at: usize| {
        let request = &trace[at];
        let is_over = |end| engine.end.is_some_and(|ended| ended <= end);
        request.start <= engine.start && request.end.is_some_and(is_over)
    };
    let mut holding = requests.iter().enumerate().filter(|(_, at)| holds(**at));
    let first = holding.next()?;
    holding.next().is_none().then_some(first.0)
}
