//! A trace's row in the list, from its spans.

use std::collections::BTreeSet;

use crate::billing::{Metered, totals};
use crate::span::{Content, Span, SpanError, SpanKind};
use crate::trace::{PREVIEW_CHARS, TraceSummary};

/// Sums up the spans of one trace, whatever their order; `None` without spans.
pub fn summarise(spans: &[Span]) -> Option<TraceSummary> {
    let mut ordered: Vec<&Span> = spans.iter().collect();
    ordered.sort_by(|a, b| (a.start, &a.span_id).cmp(&(b.start, &b.span_id)));
    let first = *ordered.first()?;
    let whole = |span: &&Span| span.kind == SpanKind::Trace;
    let in_order = || ordered.iter().copied();
    let root = in_order()
        .find(whole)
        .or_else(|| in_order().find(|span| span.parent_span_id.is_none()));
    let head = root.unwrap_or(first);
    let in_turn = || std::iter::once(head).chain(ordered.iter().copied());
    let first_of =
        |field: fn(&Span) -> &Option<String>| in_turn().find_map(|span| field(span).clone());
    let trace_name = first_of(|span| &span.trace_name);
    let first_failed = ordered.iter().find(|span| span.failed());
    let generations = || {
        ordered
            .iter()
            .filter(|span| span.kind == SpanKind::Generation)
    };
    let metered: Vec<Metered<'_>> = ordered.iter().map(|span| Metered::from(*span)).collect();
    let totals = totals(&metered);
    Some(TraceSummary {
        trace_id: first.trace_id.clone(),
        name: trace_name.unwrap_or_else(|| head.name.clone()),
        start: first.start,
        end: ordered.iter().filter_map(|span| span.end).max(),
        has_root: root.is_some(),
        user_id: first_of(|span| &span.user_id),
        session_id: first_of(|span| &span.session_id),
        environment: head.environment.clone(),
        release: first_of(|span| &span.release),
        version: first_of(|span| &span.version),
        tenant: first_of(|span| &span.tenant),
        tags: distinct(
            ordered
                .iter()
                .flat_map(|span| span.tags.iter().map(String::as_str)),
        ),
        models: distinct(ordered.iter().filter_map(|span| span.model())),
        prompt: generations()
            .find_map(|span| span.prompt.as_ref())
            .map(|prompt| (prompt.name.clone(), prompt.version.clone())),
        input_preview: head.input.as_ref().map(preview),
        output_preview: head.output.as_ref().map(preview),
        span_count: in_order().filter(|span| !whole(span)).count() as u64,
        error_count: ordered.iter().filter(|span| span.failed()).count() as u64,
        first_error: first_failed
            .map(|span| span.error.as_ref().map(SpanError::line).unwrap_or_default()),
        input_tokens: totals.input_tokens,
        output_tokens: totals.output_tokens,
        cost: totals.cost,
        unpriced_calls: totals.unpriced_calls,
        ttft_ms: generations().find_map(|span| span.timings.ttft_ms),
    })
}

fn preview(content: &Content) -> String {
    content.text.chars().take(PREVIEW_CHARS).collect()
}

fn distinct<'a>(texts: impl Iterator<Item = &'a str>) -> Vec<String> {
    texts
        .collect::<BTreeSet<_>>()
        .into_iter()
        .map(str::to_owned)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ids::{SpanId, TraceId};
    use crate::span::{Status, Usage};
    use crate::time::Timestamp;

    fn span(id: &str, parent: Option<&str>, start: u64) -> Span {
        let trace = TraceId::from_text("t").unwrap();
        let start = Timestamp::from_unix_nanos(start).unwrap();
        let mut span = Span::bare(trace, SpanId::from_text(id).unwrap(), start);
        span.parent_span_id = parent.map(|id| SpanId::from_text(id).unwrap());
        span.name = id.to_owned();
        span
    }

    #[test]
    fn the_root_speaks_for_the_trace_and_others_where_it_is_silent() {
        let mut child = span("child", Some("root"), 1);
        child.user_id = Some("u".to_owned());
        child.environment = "other".to_owned();
        child.status = Status::Error;
        child.error = Some(SpanError {
            kind: Some("Timeout".to_owned()),
            message: "too late".to_owned(),
        });
        child.end = Timestamp::from_unix_nanos(9);
        let summary = summarise(&[child, span("root", None, 2)]).unwrap();
        assert_eq!(
            (summary.name.as_str(), summary.environment.as_str()),
            ("root", "default")
        );
        assert_eq!(summary.user_id.as_deref(), Some("u"));
        assert_eq!(summary.first_error.as_deref(), Some("Timeout: too late"));
        assert_eq!((summary.span_count, summary.error_count), (2, 1));
        assert_eq!(summary.latency().unwrap().0, 8);
        assert!(summary.has_root);
    }

    #[test]
    fn unknown_tokens_are_not_zero() {
        assert_eq!(summarise(&[span("a", None, 1)]).unwrap().input_tokens, None);
        let mut counted = span("b", Some("a"), 2);
        counted.kind = SpanKind::Generation;
        counted.usage = Some(Usage {
            input_tokens: Some(7),
            ..Usage::default()
        });
        let summary = summarise(&[span("a", None, 1), counted]).unwrap();
        assert_eq!(
            (summary.input_tokens, summary.output_tokens),
            (Some(7), None)
        );
        assert_eq!(summarise(&[]), None);
    }
}
