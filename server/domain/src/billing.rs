//! Which calls count towards totals: each call of a model once, however many spans tell of it.
//!
//! Decided per trace on reading, because a late child changes it.

use std::collections::HashMap;

use crate::ids::SpanId;
use crate::money::Usd;
use crate::span::{CallRole, Span, SpanKind};
use crate::trace::TreeSpan;

/// What the decision needs of a span.
#[derive(Clone, Copy, Debug)]
pub struct Call<'a> {
    /// Its id.
    pub span_id: &'a SpanId,
    /// Its parent.
    pub parent_span_id: Option<&'a SpanId>,
    /// Its kind.
    pub kind: SpanKind,
    /// Whether it records a call of its own.
    pub role: CallRole,
    /// Whether it has tokens or a cost; without them there is nothing to count twice.
    pub has_usage: bool,
    /// The provider's id of the answer.
    pub response_id: Option<&'a str>,
    /// How much its usage tells: of two spans of one call the one with more counts.
    pub detail: usize,
}

impl Call<'_> {
    /// Agents, chains, tools and plain spans repeat what is below them.
    fn is_of_a_model(&self) -> bool {
        self.role != CallRole::Repeat && self.is_model_kind()
    }

    fn is_model_kind(&self) -> bool {
        let kinds = [
            SpanKind::Generation,
            SpanKind::Embedding,
            SpanKind::Reranker,
        ];
        kinds.contains(&self.kind)
    }
}

impl<'a> From<&'a Span> for Call<'a> {
    fn from(span: &'a Span) -> Self {
        Call {
            span_id: &span.span_id,
            parent_span_id: span.parent_span_id.as_ref(),
            kind: span.kind,
            role: span.call_role,
            has_usage: span.usage.is_some() || span.cost.is_some(),
            response_id: span.response_id.as_deref(),
            detail: span.usage.as_ref().map_or(0, |usage| usage.details.len()),
        }
    }
}

impl<'a> From<&'a TreeSpan> for Call<'a> {
    fn from(span: &'a TreeSpan) -> Self {
        let counts = [span.input_tokens, span.output_tokens];
        Call {
            span_id: &span.span_id,
            parent_span_id: span.parent_span_id.as_ref(),
            kind: span.kind,
            role: span.call_role,
            has_usage: span.cost.is_some() || counts.iter().any(Option::is_some),
            response_id: span.response_id.as_deref(),
            detail: usize::from(span.usage_details),
        }
    }
}

/// For each span of one trace whether its usage and cost count towards the totals. Spans without
/// either count, with nothing. Does not depend on the order of the spans.
pub fn counted(calls: &[Call<'_>]) -> Vec<bool> {
    let place: HashMap<&SpanId, usize> = calls
        .iter()
        .enumerate()
        .map(|(index, call)| (call.span_id, index))
        .collect();
    let parent_of = |index: usize| {
        let parent = calls[index].parent_span_id?;
        place.get(parent).copied().filter(|&at| at != index)
    };
    let is_call = |index: usize| calls[index].has_usage && calls[index].is_of_a_model();
    let serves_a_client = served_clients(calls, &place);
    let mut wraps_another = vec![false; calls.len()];
    for index in (0..calls.len()).filter(|&index| is_call(index) && !serves_a_client[index]) {
        let mut above = parent_of(index);
        while let Some(at) = above.filter(|&at| !wraps_another[at]) {
            wraps_another[at] = true;
            above = parent_of(at);
        }
    }
    let best = best_of_each_answer(calls, &wraps_another);
    let counts = |index: usize| {
        let call = &calls[index];
        let is_best = answer_of(call).is_none_or(|answer| best.get(&answer) == Some(&index));
        let is_repeated = wraps_another[index] || serves_a_client[index];
        !call.has_usage || (call.is_of_a_model() && !is_repeated && is_best)
    };
    (0..calls.len()).map(counts).collect()
}

/// For each span whether it is an engine's side of a call that a client above it records. An engine
/// that nobody watched from outside counts for itself.
fn served_clients(calls: &[Call<'_>], place: &HashMap<&SpanId, usize>) -> Vec<bool> {
    let parent_of = |index: usize| place.get(calls[index].parent_span_id?).copied();
    let is_client =
        |index: usize| calls[index].role == CallRole::Own && calls[index].is_model_kind();
    // Whether a client stands above; what is found for one span is kept for those on the way to it, so
    // that a long chain is walked once.
    let mut below_client: Vec<Option<bool>> = vec![None; calls.len()];
    let is_engine = |index: &usize| calls[*index].role == CallRole::Engine;
    for engine in (0..calls.len()).filter(is_engine) {
        let mut way = Vec::new();
        let mut at = Some(engine);
        let found = loop {
            let Some(index) = at else { break false };
            if let Some(known) = below_client[index] {
                break known;
            }
            // Until it is found: a circle of parents leads back here and says no.
            below_client[index] = Some(false);
            way.push(index);
            at = parent_of(index);
            if at.is_some_and(is_client) {
                break true;
            }
        };
        for index in way {
            below_client[index] = Some(found);
        }
    }
    let serves = |index: usize| is_engine(&index) && below_client[index] == Some(true);
    (0..calls.len()).map(serves).collect()
}

/// A span with its tokens and cost.
#[derive(Clone, Copy, Debug)]
pub struct Metered<'a> {
    /// The span.
    pub call: Call<'a>,
    /// All its input tokens.
    pub input_tokens: Option<u64>,
    /// All its output tokens.
    pub output_tokens: Option<u64>,
    /// Its cost.
    pub cost: Option<Usd>,
}

impl<'a> From<&'a Span> for Metered<'a> {
    fn from(span: &'a Span) -> Self {
        let usage = span.usage.as_ref();
        Metered {
            call: Call::from(span),
            input_tokens: usage.and_then(|usage| usage.input_tokens),
            output_tokens: usage.and_then(|usage| usage.output_tokens),
            cost: span.cost.as_ref().and_then(|cost| cost.total),
        }
    }
}

impl<'a> From<&'a TreeSpan> for Metered<'a> {
    fn from(span: &'a TreeSpan) -> Self {
        Metered {
            call: Call::from(span),
            input_tokens: span.input_tokens,
            output_tokens: span.output_tokens,
            cost: span.cost,
        }
    }
}

/// Sums over the calls of one trace; `None` where no call that counts has a number.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Totals {
    /// Input tokens.
    pub input_tokens: Option<u64>,
    /// Output tokens.
    pub output_tokens: Option<u64>,
    /// Cost.
    pub cost: Option<Usd>,
    /// Calls with tokens but without a cost: a sum that says nothing of them would pass for the whole.
    pub unpriced_calls: u64,
}

/// What one trace used and cost.
pub fn totals(spans: &[Metered<'_>]) -> Totals {
    let calls: Vec<Call<'_>> = spans.iter().map(|span| span.call).collect();
    let billed = spans
        .iter()
        .zip(counted(&calls))
        .filter_map(|(span, counts)| counts.then_some(span));
    let add = |sum: Option<u64>, part: Option<u64>| match (sum, part) {
        (Some(sum), Some(part)) => Some(sum.saturating_add(part)),
        (sum, part) => sum.or(part),
    };
    let is_unpriced = |span: &Metered<'_>| {
        let has_tokens = span.input_tokens.is_some() || span.output_tokens.is_some();
        has_tokens && span.cost.is_none()
    };
    billed.fold(Totals::default(), |sums, span| Totals {
        unpriced_calls: sums.unpriced_calls + u64::from(is_unpriced(span)),
        input_tokens: add(sums.input_tokens, span.input_tokens),
        output_tokens: add(sums.output_tokens, span.output_tokens),
        cost: match (sums.cost, span.cost) {
            (Some(sum), Some(part)) => Some([sum, part].into_iter().sum()),
            (sum, part) => sum.or(part),
        },
    })
}

/// Siblings with one response id are one call seen twice.
type Answer<'a> = (Option<&'a SpanId>, &'a str);

fn answer_of<'a>(call: &Call<'a>) -> Option<Answer<'a>> {
    Some((call.parent_span_id, call.response_id?))
}

fn best_of_each_answer<'a>(calls: &[Call<'a>], wraps: &[bool]) -> HashMap<Answer<'a>, usize> {
    let mut best: HashMap<Answer<'a>, usize> = HashMap::new();
    for (index, call) in calls.iter().enumerate() {
        let Some(answer) = answer_of(call) else {
            continue;
        };
        if !call.has_usage || !call.is_of_a_model() || wraps[index] {
            continue;
        }
        let known = best.entry(answer).or_insert(index);
        let rank = |at: usize| (std::cmp::Reverse(calls[at].detail), calls[at].span_id);
        if rank(index) < rank(*known) {
            *known = index;
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ids() -> Vec<SpanId> {
        let id = |n: u8| SpanId::from_text(&n.to_string()).unwrap();
        (0..8).map(id).collect()
    }

    fn call<'a>(ids: &'a [SpanId], id: usize, parent: Option<usize>, kind: SpanKind) -> Call<'a> {
        Call {
            span_id: &ids[id],
            parent_span_id: parent.map(|parent| &ids[parent]),
            kind,
            role: CallRole::Own,
            has_usage: true,
            response_id: None,
            detail: 2,
        }
    }

    #[test]
    fn agents_and_wrappers_repeat_what_is_below_them() {
        let ids = ids();
        let mut http = call(&ids, 2, Some(1), SpanKind::Span);
        http.has_usage = false;
        let mut engine = call(&ids, 4, Some(3), SpanKind::Generation);
        engine.role = CallRole::Engine;
        let calls = [
            call(&ids, 0, None, SpanKind::Agent),
            call(&ids, 1, Some(0), SpanKind::Generation),
            http,
            call(&ids, 3, Some(2), SpanKind::Generation),
            engine,
            call(&ids, 5, Some(0), SpanKind::Embedding),
        ];
        assert_eq!(counted(&calls), [false, false, true, true, false, true]);
    }

    #[test]
    fn an_engine_counts_where_no_client_was_watched() {
        let ids = ids();
        let engine = |id, parent| Call {
            role: CallRole::Engine,
            ..call(&ids, id, parent, SpanKind::Generation)
        };
        let client = call(&ids, 0, None, SpanKind::Generation);
        let mut http = call(&ids, 1, Some(0), SpanKind::Span);
        http.has_usage = false;
        let calls = [client, http, engine(2, Some(1)), engine(3, None)];
        assert_eq!(counted(&calls), [true, true, false, true]);
    }

    #[test]
    fn a_deep_chain_of_engines_is_walked_once() {
        let id = |n: usize| SpanId::from_text(&n.to_string()).unwrap();
        let ids: Vec<SpanId> = (0..200_000).map(id).collect();
        let engine = |n: usize| Call {
            role: CallRole::Engine,
            ..call(&ids, n, n.checked_sub(1), SpanKind::Generation)
        };
        let mut calls: Vec<Call<'_>> = (0..ids.len()).map(engine).collect();
        // Nobody watched: the innermost counts, the others wrap it.
        assert_eq!(counted(&calls).iter().filter(|counts| **counts).count(), 1);
        calls[0].role = CallRole::Own;
        let counts = counted(&calls);
        assert!(counts[0] && counts[1..].iter().all(|counts| !counts));
    }

    #[test]
    fn a_wrapper_of_a_call_that_failed_before_it_was_counted_counts_itself() {
        let ids = ids();
        let mut failed = call(&ids, 1, Some(0), SpanKind::Generation);
        failed.has_usage = false;
        let calls = [call(&ids, 0, None, SpanKind::Generation), failed];
        assert_eq!(counted(&calls), [true, true]);
    }

    #[test]
    fn of_two_siblings_with_one_answer_the_one_that_tells_more_counts() {
        let ids = ids();
        let answered = |id, detail| Call {
            response_id: Some("chatcmpl-1"),
            detail,
            ..call(&ids, id, Some(0), SpanKind::Generation)
        };
        assert_eq!(counted(&[answered(1, 2), answered(2, 3)]), [false, true]);
        assert_eq!(counted(&[answered(2, 2), answered(1, 2)]), [false, true]);
        let elsewhere = Call {
            parent_span_id: None,
            ..answered(3, 2)
        };
        assert_eq!(counted(&[answered(1, 2), elsewhere]), [true, true]);
    }

    #[test]
    fn a_circle_of_parents_is_no_endless_walk() {
        let ids = ids();
        let calls = [
            call(&ids, 0, Some(1), SpanKind::Generation),
            call(&ids, 1, Some(0), SpanKind::Generation),
            call(&ids, 2, Some(2), SpanKind::Generation),
        ];
        assert_eq!(counted(&calls), [false, false, true]);
    }
}
