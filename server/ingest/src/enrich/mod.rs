//! What follows from a span: alone, and with the prices and rules of its project. Never from other spans, which
//! may come later.

/// What a call cost.
pub mod cost;
/// Hard checks of an answer.
mod quality;
/// Compiled JSON schemas.
mod schemas;
/// Tools that a model was offered and called.
mod tools;
/// The words of a conversation, quickly.
mod words;

use domain::Span;
use domain::quality::Expected;
use domain::semantic::of_span;
use domain::span::SpanKind;

pub(crate) use quality::prompts_of;
use words::Heard;

/// Fills in what can be derived; answers are held against what their project expects.
pub fn enrich(mut span: Span, expected: &Expected) -> Span {
    if span.timings.tpot_ms.is_none() {
        span.timings.tpot_ms = time_per_output_token(&span);
    }
    let heard = Heard::of(&span);
    quality::judge(&mut span, &heard, expected);
    let mut deviation = None;
    if span.kind == SpanKind::Generation {
        span.tools = tools::used(&span, &heard);
        deviation = tools::deviation(&span, &heard);
    }
    let round = heard.input.as_ref().and_then(|input| input.round);
    span.semantic_events = of_span::events(&span, round, deviation);
    span
}

/// Time of each output token after the first: only where the first token's time tells that the
/// answer was streamed, and only with two tokens or more.
fn time_per_output_token(span: &Span) -> Option<f64> {
    let ttft_ms = span.timings.ttft_ms?;
    let output_tokens = span
        .usage
        .as_ref()?
        .output_tokens
        .filter(|&tokens| tokens >= 2)?;
    let whole_ms = span.latency()?.as_millis_f64();
    let intervals = u32::try_from(output_tokens - 1).ok()?;
    (whole_ms >= ttft_ms).then(|| (whole_ms - ttft_ms) / f64::from(intervals))
}

#[cfg(test)]
mod tests {
    use domain::span::Usage;
    use domain::{SpanId, Timestamp, TraceId};

    use super::*;

    /// A streamed answer.
    fn enriched(ttft_ms: f64, output_tokens: u64) -> Span {
        let at = |millis| Timestamp::from_unix_millis(millis).unwrap();
        let mut span = Span::bare(
            TraceId::from_text("t").unwrap(),
            SpanId::from_text("s").unwrap(),
            at(0),
        );
        span.end = Some(at(1_100));
        span.timings.ttft_ms = Some(ttft_ms);
        span.usage = Some(Usage {
            output_tokens: Some(output_tokens),
            ..Usage::default()
        });
        enrich(span, &Expected::default())
    }

    #[test]
    fn time_per_token_leaves_out_the_first() {
        assert_eq!(enriched(100.0, 11).timings.tpot_ms, Some(100.0));
    }

    #[test]
    fn one_token_or_a_late_first_token_tell_nothing() {
        assert_eq!(enriched(100.0, 1).timings.tpot_ms, None);
        assert_eq!(enriched(5_000.0, 11).timings.tpot_ms, None);
    }
}
