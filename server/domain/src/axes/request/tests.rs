use super::*;
use crate::axes::request::call_span::Numbers;
use crate::span::{CallRole, SpanKind};

fn span(trace: &str, id: &str, parent: Option<&str>) -> CallSpan {
    let start = Timestamp::from_unix_nanos(1_000_000_000).unwrap();
    CallSpan {
        trace_id: TraceId::from_text(trace).unwrap(),
        span_id: SpanId::from_text(id).unwrap(),
        parent_span_id: parent.map(|id| SpanId::from_text(id).unwrap()),
        kind: SpanKind::Generation,
        role: CallRole::Own,
        is_server: false,
        has_usage: true,
        is_chosen: true,
        start,
        end: Some(start.plus(crate::Nanos::from_seconds(10))),
        failed: false,
        named: Named::default(),
        signs: Vec::new(),
        resource: Arc::default(),
        numbers: Numbers::default(),
        told: Vec::new(),
        judged: Vec::new(),
    }
}

fn engine(trace: &str, id: &str, parent: Option<&str>) -> CallSpan {
    CallSpan {
        role: CallRole::Engine,
        resource: Arc::new(vec![(Arc::from("k8s.pod.name"), Arc::from(id))]),
        numbers: Numbers {
            queue_ms: Some(5.0),
            ..Numbers::default()
        },
        ..span(trace, id, parent)
    }
}

/// The ids of requests, with the pods that their servers named.
fn shown(spans: &[CallSpan]) -> Vec<(String, Vec<String>)> {
    let found = requests(spans.to_vec(), &[]);
    let pods = |request: &Request| {
        let pods = request
            .signs
            .server
            .iter()
            .filter(|(key, _)| key.as_ref() == "k8s.pod.name");
        pods.map(|(_, pod)| pod.to_string()).collect()
    };
    let shown = found
        .iter()
        .map(|request| (request.span_id.to_string(), pods(request)));
    let mut shown: Vec<_> = shown.collect();
    shown.sort();
    shown
}

fn expected(all: &[(&str, &[&str])]) -> Vec<(String, Vec<String>)> {
    let owned = |pods: &[&str]| pods.iter().map(|&pod| pod.to_owned()).collect();
    all.iter()
        .map(|(id, pods)| ((*id).to_owned(), owned(pods)))
        .collect()
}

#[test]
fn the_engine_below_a_request_tells_of_it_however_far() {
    let between = CallSpan {
        kind: SpanKind::Span,
        is_server: true,
        ..span("t", "http", Some("call"))
    };
    let mut spans = vec![
        span("t", "call", None),
        between,
        engine("t", "e", Some("http")),
        span("t", "other", None),
    ];
    assert_eq!(shown(&spans), expected(&[("call", &["e"]), ("other", &[])]));
    spans.reverse();
    assert_eq!(shown(&spans), expected(&[("call", &["e"]), ("other", &[])]));
    let request = requests(spans, &[]).remove(0);
    assert_eq!(request.numbers.queue_ms, Some(5.0));
}

#[test]
fn an_engine_whose_way_is_not_known_is_that_of_the_one_request_during_which_it_ran() {
    let one = [span("t", "call", None), engine("t", "e", Some("lost"))];
    assert_eq!(shown(&one), expected(&[("call", &["e"])]));
    let two = [
        span("t", "a", None),
        span("t", "b", None),
        engine("t", "e", Some("lost")),
    ];
    assert_eq!(shown(&two), expected(&[("a", &[]), ("b", &[])]));
    // Parents in a circle lead nowhere.
    let circle = [
        span("t", "a", None),
        span("t", "b", None),
        engine("t", "e", Some("f")),
        engine("t", "f", Some("e")),
    ];
    assert_eq!(shown(&circle), expected(&[("a", &[]), ("b", &[])]));
}

#[test]
fn an_engine_that_nobody_watched_is_a_request_itself() {
    assert_eq!(shown(&[engine("t", "e", None)]), expected(&[("e", &["e"])]));
    let wrapped = [
        span("t", "wrapper", None),
        span("t", "call", Some("wrapper")),
    ];
    assert_eq!(shown(&wrapped), expected(&[("call", &[])]));
}

#[test]
fn a_score_of_the_trace_is_that_of_its_requests_unless_they_have_their_own() {
    let spans = vec![span("t", "a", None), span("t", "b", None)];
    let score = |span: Option<&str>, value| ScoreOf {
        trace_id: TraceId::from_text("t").unwrap(),
        span_id: span.map(|id| SpanId::from_text(id).unwrap()),
        name: "s".into(),
        value,
        is_flag: false,
    };
    let found = requests(
        spans,
        &[
            score(None, 0.1),
            score(Some("b"), 0.9),
            score(Some("b"), 0.2),
        ],
    );
    let values: Vec<f64> = found.iter().map(|request| request.scored[0].1).collect();
    assert_eq!(values, [0.1, 0.9]);
}
