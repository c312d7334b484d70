//! Numbers of traces as wholes in SQL, over the group of the spans of each.

use domain::filter::{Measured, Quantity};

/// Whether a number of a trace compares so with a parameter; `None` where it is a number of spans alone.
pub(super) fn holds(measured: &Measured, number: &str) -> Option<String> {
    let quantity = match measured.quantity {
        Quantity::LatencyMs => LATENCY_MS.to_owned(),
        Quantity::TtftMs => TTFT_MS.to_owned(),
        Quantity::InputTokens => INPUT_TOKENS.to_owned(),
        Quantity::OutputTokens => OUTPUT_TOKENS.to_owned(),
        Quantity::TotalTokens => TOTAL_TOKENS.to_owned(),
        Quantity::TotalCost => COST.to_owned(),
        _ => return None,
    };
    let sign = measured.compare.sign();
    // What is unknown does not match, also where that is denied.
    Some(format!("ifNull(toFloat64({quantity}) {sign} {number}, 0)"))
}

/// From the first start to the last end, milliseconds.
const LATENCY_MS: &str =
    "((toUnixTimestamp64Nano(max(end_time)) - toUnixTimestamp64Nano(min(start_time))) / 1e6)";

/// To the first token of the first call that tells it, milliseconds.
const TTFT_MS: &str = "argMinIf(ttft_ms, (start_time, span_id), kind = 'generation')";

/// Calls of a trace, without what an engine tells of them where a client tells the same.
macro_rules! told {
    () => {
        concat!(
            "arrayFilter(call -> NOT (call.3 AND countIf(kind IN ('generation', 'embedding', 'reranker') \
             AND call_role NOT IN ('repeat', 'engine')) > 0), ",
            "groupArrayIf((span_id, parent_span_id, call_role = 'engine', \
             isNotNull(cost) OR isNotNull(input_tokens) OR isNotNull(output_tokens), \
             input_tokens, output_tokens, \
             coalesce(input_tokens + output_tokens, input_tokens, output_tokens), cost), \
             kind IN ('generation', 'embedding', 'reranker') AND call_role != 'repeat'))"
        )
    };
}

/// A sum over the calls that count, by the rule of `calls/each.sql`: one that wraps a call with figures of
/// its own does not. Nothing where none of them has any.
macro_rules! sum_of_calls {
    ($place:literal) => {
        concat!(
            "arrayReduce('sumOrNull', arrayMap(call -> call.",
            $place,
            ", arrayFilter(call -> NOT has(arrayMap(below -> below.2, arrayFilter(below -> below.4, ",
            told!(),
            ")), call.1), ",
            told!(),
            ")))"
        )
    };
}

/// Input tokens.
pub(super) const INPUT_TOKENS: &str = sum_of_calls!(5);
/// Output tokens.
pub(super) const OUTPUT_TOKENS: &str = sum_of_calls!(6);
/// All tokens.
pub(super) const TOTAL_TOKENS: &str = sum_of_calls!(7);
/// US dollars.
pub(super) const COST: &str = sum_of_calls!(8);
