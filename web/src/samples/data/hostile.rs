//! Text that tries to run, names without end, deep and circular parents, in every place.

use std::collections::BTreeMap;

use domain::span::{EventSource, PromptRef, SpanError, SpanEvent, SpanKind, SpanLink, Status};
use domain::trace::TraceSummary;
use domain::{Span, Timestamp, Value};

use super::{call, span, span_id, summaries, text, trace_id, usd};
use crate::samples::HOSTILE;

/// Traces whose every text is hostile or far too long.
pub(in crate::samples) fn hostile_summaries() -> Vec<TraceSummary> {
    let mut all = summaries();
    for (n, trace) in all.iter_mut().enumerate() {
        let text = match n % 3 {
            0 => HOSTILE.to_owned(),
            1 => "an endless name ".repeat(40),
            _ => "אבג\u{202e} مرحبا ".repeat(6),
        };
        trace.trace_id = trace_id(&format!("{n}/<x>\"'&?#{}", "y".repeat(100)));
        trace.name.clone_from(&text);
        trace.user_id = Some(text.clone());
        trace.tenant = Some(text.clone());
        trace.prompt = Some((text.clone(), text.clone()));
        trace.input_preview = Some(text.clone());
        trace.first_error = (trace.error_count > 0).then(|| text.clone());
        trace.input_tokens = Some(u64::MAX);
        trace.output_tokens = Some(u64::MAX);
        trace.cost = Some(usd("123456789.123456"));
    }
    all
}

/// Hostile and endless content, deep and circular parents.
pub(in crate::samples) fn hostile_spans() -> Vec<Span> {
    let mut hostile = call("hostile", "", (0, 4_000), (u64::MAX, u64::MAX));
    hostile.name = HOSTILE.to_owned();
    hostile.request_model = Some(HOSTILE.to_owned());
    hostile.instance = Some(HOSTILE.to_owned());
    hostile.user_id = Some(HOSTILE.to_owned());
    hostile.session_id = Some(HOSTILE.to_owned());
    hostile.tenant = Some(HOSTILE.to_owned());
    hostile.release = Some(HOSTILE.to_owned());
    hostile.environment = HOSTILE.to_owned();
    hostile.tags = vec![HOSTILE.to_owned(), "tag ".repeat(60)];
    hostile.finish_reasons = vec![HOSTILE.to_owned()];
    hostile.prompt = Some(PromptRef {
        name: HOSTILE.to_owned(),
        version: HOSTILE.to_owned(),
    });
    hostile.status = Status::Error;
    hostile.error = Some(SpanError {
        kind: Some(HOSTILE.to_owned()),
        message: HOSTILE.repeat(20),
    });
    let quoted = serde_json::Value::String(HOSTILE.to_owned());
    hostile.input = text(&format!(
        r#"[{{"role":{quoted},"name":{quoted},"content":{quoted}}},{{"role":"assistant","content":[{quoted},{{"type":{quoted}}}],"tool_calls":[{{"function":{{"name":{quoted},"arguments":{quoted}}}}}]}}]"#
    ));
    hostile.output = text(HOSTILE);
    hostile.metadata = BTreeMap::from([(HOSTILE.to_owned(), HOSTILE.to_owned())]);
    hostile.attributes = (0..40)
        .map(|n| {
            (
                format!("{HOSTILE}{n}").into(),
                Value::Str(HOSTILE.repeat(n).into()),
            )
        })
        .collect();
    hostile.events = vec![SpanEvent {
        name: HOSTILE.to_owned(),
        time: Timestamp::EPOCH,
        attributes: vec![(HOSTILE.into(), Value::from(HOSTILE))],
        source: EventSource::Span,
    }];
    hostile.links = vec![SpanLink {
        trace_id: trace_id(&HOSTILE[..100]),
        span_id: span_id(&HOSTILE[..100]),
        attributes: vec![(HOSTILE.into(), Value::from(HOSTILE))],
    }];
    hostile.oddities.end_before_start = true;
    hostile.oddities.cut = true;
    let mut long = call("long", "hostile", (100, 3_900), (1, 1));
    long.output = text(&"All work and no play makes a long answer.\n".repeat(124_000));
    let mut right_to_left = span("rtl", "hostile", SpanKind::Tool, (100, 200));
    right_to_left.name = "مرحبا بالعالم\u{202e} abc".to_owned();
    let mut spans = vec![hostile, long, right_to_left];
    spans.push(span("circle-a", "circle-b", SpanKind::Chain, (300, 500)));
    spans.push(span("circle-b", "circle-a", SpanKind::Chain, (310, 490)));
    spans.push(span("orphan", "nobody", SpanKind::Span, (320, 480)));
    let mut parent = "hostile".to_owned();
    for depth in 0..60u64 {
        let id = format!("depth-{depth}");
        spans.push(span(
            &id,
            &parent,
            SpanKind::Chain,
            (400 + depth, 3_000 - depth),
        ));
        parent = id;
    }
    spans
}
