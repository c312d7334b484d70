//! Requests in the store: each once by the rule of reports, the newest version of each, of many a sample that repetitions
//! agree on.

use std::collections::BTreeSet;

use domain::axes::request::{Request, requests as once};
use domain::filter::Filter;
use domain::span::{CallRole, SpanKind, Usage};
use domain::{Span, Timestamp};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;
use store_clickhouse::ClickHouse;
use store_clickhouse::calls;
use store_clickhouse::requests::{self, Choice};

use super::{fresh_store, insert, project, span};

/// A generation that began so many seconds into the day.
fn call(trace: &str, id: &str, second: u64) -> Span {
    let mut call = span(trace, id, second);
    call.kind = SpanKind::Generation;
    call.usage = Some(Usage::default());
    call
}

fn window(from: u64, to: u64) -> (Timestamp, Timestamp) {
    (span("t", "s", from).start, span("t", "s", to).start)
}

async fn found(store: &ClickHouse, number: u128, choice: &Choice) -> Vec<Request> {
    let (from, to) = window(0, 3_600);
    let filter = Filter {
        from: Some(from),
        to: Some(to),
        ..Filter::default()
    };
    let spans = requests::spans(store, project(number), &filter, choice);
    once(spans.await.unwrap(), &[])
}

/// A few calls of a few traces, with parents among them, of any role.
fn any_calls() -> impl Strategy<Value = Vec<Span>> {
    let roles = [
        CallRole::Own,
        CallRole::Own,
        CallRole::Engine,
        CallRole::Repeat,
    ];
    let kinds = [
        SpanKind::Generation,
        SpanKind::Generation,
        SpanKind::Embedding,
        SpanKind::Tool,
    ];
    let one = (
        0..3_u8,
        0..6_u8,
        prop::option::of(0..6_u8),
        0..4_usize,
        0..4_usize,
        any::<bool>(),
    );
    let one = one.prop_map(move |(trace, id, parent, role, kind, has_usage)| {
        let mut call = call(&format!("t{trace}"), &format!("s{id}"), u64::from(id));
        let parent = parent.filter(|parent| *parent < id);
        call.parent_span_id = parent.map(|parent| span("t", &format!("s{parent}"), 0).span_id);
        call.call_role = roles[role];
        call.kind = kinds[kind];
        call.usage = has_usage.then(Usage::default);
        call
    });
    prop::collection::vec(one, 1..12).prop_map(|mut calls| {
        let mut known = BTreeSet::new();
        calls.retain(|call| known.insert((call.trace_id.clone(), call.span_id.clone())));
        calls
    })
}

#[tokio::test(flavor = "multi_thread")]
async fn requests_are_the_generations_that_reports_count() {
    let store = fresh_store().await;
    let mut runner = TestRunner::deterministic();
    for number in 1..=40 {
        let spans = any_calls().new_tree(&mut runner).unwrap().current();
        insert(&store, project(number), &spans).await;
        let requests = found(&store, number, &Choice::Sampled(1_000)).await;
        // Reports count embeddings as well: those are told apart by their name as a model.
        let mut named = spans.clone();
        for span in &mut named {
            span.response_model = Some(span.kind.as_str().to_owned());
        }
        insert(&store, project(number + 1_000), &named).await;
        let served = calls::served(&store, project(number + 1_000), window(0, 3_600))
            .await
            .unwrap();
        let generations = served
            .iter()
            .filter(|served| served.calls.serving.model == "generation");
        let counted: u64 = generations.map(|served| served.calls.calls).sum();
        assert_eq!(requests.len() as u64, counted, "{number}: {spans:#?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_newest_version_counts_whatever_came_first() {
    let store = fresh_store().await;
    let old = call("t", "s", 10);
    let mut new = old.clone();
    new.end = Some(new.start.plus(domain::Nanos::from_seconds(5)));
    new.tenant = Some("late".to_owned());
    insert(&store, project(1), &[new.clone()]).await;
    insert(&store, project(1), &[old]).await;
    for choice in [Choice::Newest(None, 10), Choice::Sampled(10)] {
        let requests = found(&store, 1, &choice).await;
        assert_eq!(requests.len(), 1, "{choice:?}");
        assert_eq!(requests[0].end, new.end);
        assert_eq!(requests[0].named.tenant.as_deref(), Some("late"));
    }
    assert!(found(&store, 2, &Choice::Sampled(10)).await.is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_sample_has_whole_traces_and_is_the_same_each_time() {
    let store = fresh_store().await;
    let traces = (0..20).map(|trace| format!("t{trace}"));
    let spans: Vec<Span> = traces
        .flat_map(|trace| [call(&trace, "a", 1), call(&trace, "b", 2)])
        .collect();
    let (first, rest) = spans.split_at(20);
    insert(&store, project(1), rest).await;
    insert(&store, project(1), first).await;
    insert(&store, project(2), &spans).await;
    let traces = |requests: &[Request]| -> Vec<String> {
        let names: BTreeSet<String> = requests
            .iter()
            .map(|request| request.trace_id.to_string())
            .collect();
        names.into_iter().collect()
    };
    let sample = found(&store, 1, &Choice::Sampled(7)).await;
    // Whole traces, until there are as many as were asked for.
    assert_eq!(sample.len(), 8);
    assert_eq!(traces(&sample).len(), 4);
    assert_eq!(
        traces(&sample),
        traces(&found(&store, 2, &Choice::Sampled(7)).await)
    );
    let larger = traces(&found(&store, 1, &Choice::Sampled(9)).await);
    assert!(traces(&sample).iter().all(|trace| larger.contains(trace)));
    assert_eq!(found(&store, 1, &Choice::Sampled(100)).await.len(), 40);
}
