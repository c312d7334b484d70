//! What comes of conversations: tickets where they go wrong, conversions where they go well, by the public API.

use domain::{Nanos, Timestamp};
use rand::Rng;
use rand::rngs::StdRng;
use serde_json::{Value, json};

use super::otlp::DemoSpan;

/// Events in one request.
pub(super) const AT_ONCE: usize = 500;

/// A turn of support, with its root first.
const TURN: &str = "support.turn";

/// Puts turns into the groups of an experiment, and lets some of them miss what was wanted.
pub(super) fn mark(traces: &mut [Vec<DemoSpan>], rng: &mut StdRng) {
    for spans in traces.iter_mut().filter(|spans| is_turn(spans)) {
        let group = match text(&spans[0], "session.id")
            .bytes()
            .map(u32::from)
            .sum::<u32>()
            % 2
        {
            0 => "short answers",
            _ => "long answers",
        };
        set(&mut spans[0], "llm.app.ab_group", json!(group));
        let misses = rng.random_bool(0.05);
        let drop = f64::from(rng.random_range(20..60)) / 100.0;
        let classified = spans.iter_mut().find(|span| span.name == "classify intent");
        if let (true, Some(span)) = (misses, classified) {
            set(span, "prompt.intent", json!("fallback"));
            set(span, "llm.app.confidence_drop", json!(drop));
        }
    }
}

/// What happened after each turn, until `end`.
pub(super) fn events(traces: &[Vec<DemoSpan>], end: Timestamp, rng: &mut StdRng) -> Vec<Value> {
    let mut events = Vec::new();
    for spans in traces.iter().filter(|spans| is_turn(spans)) {
        let root = &spans[0];
        let is_wrong = spans.iter().any(went_wrong);
        let (ticket, conversion) = if is_wrong { (0.38, 0.05) } else { (0.03, 0.2) };
        let after = Nanos::from_seconds(rng.random_range(60..2_400));
        let value = f64::from(rng.random_range(2_000..40_000)) / 100.0;
        let kind = match rng.random::<f64>() {
            chance if chance < ticket => "ticket",
            chance if chance < ticket + conversion => "conversion",
            chance if chance > 0.985 => "custom",
            _ => continue,
        };
        let at = root.end.plus(after);
        if at >= end {
            continue;
        }
        events.push(json!({
            "id": format!("demo-{kind}-{}", root.trace_id),
            "type": kind,
            "name": (kind == "custom").then_some("handover"),
            "at": at.to_string(),
            "trace_id": root.trace_id,
            "session_id": text(root, "session.id"),
            "user_id": text(root, "user.id"),
            "ab_group": text(root, "llm.app.ab_group"),
            "value": (kind == "conversion").then_some(value),
            "attributes": {"channel": "chat"},
        }));
    }
    events
}

fn is_turn(spans: &[DemoSpan]) -> bool {
    spans.first().is_some_and(|root| root.name == TURN)
}

/// A broken answer, or an intent that was not recognised.
fn went_wrong(span: &DemoSpan) -> bool {
    let is = |key: &'static str, value: Value| span.attributes.contains(&(key, value));
    is("llm.quality.format_valid", json!(false)) || is("prompt.intent", json!("fallback"))
}

fn text<'s>(span: &'s DemoSpan, key: &str) -> &'s str {
    let mut attributes = span.attributes.iter();
    let found = attributes.find(|(name, _)| *name == key);
    found
        .and_then(|(_, value)| value.as_str())
        .unwrap_or_default()
}

fn set(span: &mut DemoSpan, key: &'static str, value: Value) {
    span.attributes.push((key, value));
}

#[cfg(test)]
mod tests {
    use rand::SeedableRng;

    use super::super::traffic::{self, Day};
    use super::*;

    #[test]
    fn what_goes_wrong_has_more_tickets_and_all_events_lie_within_the_day() {
        let end = Timestamp::from_unix_millis(1_790_000_000_000).unwrap();
        let day = Day::ending(end);
        let mut rng = StdRng::seed_from_u64(1);
        let mut traces = traffic::traces(&day, 3_000, &mut rng);
        mark(&mut traces, &mut rng);
        let events = events(&traces, end, &mut rng);
        let of = |kind: &str| events.iter().filter(|event| event["type"] == kind).count();
        assert!(of("ticket") > 40 && of("conversion") > 150 && of("custom") > 5);
        let wrong = traces
            .iter()
            .filter(|spans| spans.iter().any(went_wrong))
            .count();
        assert!(wrong > 80, "{wrong}");
        let ids: std::collections::HashSet<_> =
            events.iter().map(|event| event["id"].to_string()).collect();
        assert_eq!(ids.len(), events.len());
        let latest = end.to_string();
        assert!(
            events
                .iter()
                .all(|event| event["at"].as_str().unwrap() < latest.as_str())
        );
    }
}
