//! Order and repetition do not change what is stored, and what is stored is what came.

use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;

use super::samples::{any_span, any_spans};
use super::{fresh_store, insert, project, span, stored};
use domain::{Nanos, Span};

#[tokio::test(flavor = "multi_thread")]
async fn any_span_comes_back_as_it_was_sent() {
    let store = fresh_store().await;
    let mut runner = TestRunner::deterministic();
    for number in 0..40 {
        let spans = distinct(any_spans().new_tree(&mut runner).unwrap().current());
        insert(&store, project(number), &spans).await;
        for trace in ["a", "b"] {
            let mut expected: Vec<Span> = spans
                .iter()
                .filter(|span| span.trace_id.as_str() == trace)
                .cloned()
                .collect();
            expected.sort_by(|a, b| (a.start, &a.span_id).cmp(&(b.start, &b.span_id)));
            assert_eq!(stored(&store, project(number), trace).await, expected);
        }
    }
}

fn distinct(mut spans: Vec<Span>) -> Vec<Span> {
    spans.sort_by(|a, b| (&a.trace_id, &a.span_id).cmp(&(&b.trace_id, &b.span_id)));
    spans.dedup_by(|a, b| (&a.trace_id, &a.span_id) == (&b.trace_id, &b.span_id));
    spans
}

#[tokio::test(flavor = "multi_thread")]
async fn any_split_and_order_of_batches_and_any_repetition_give_the_same_state() {
    let store = fresh_store().await;
    let mut runner = TestRunner::deterministic();
    let several = (
        proptest::collection::vec(any_span(), 2..8),
        proptest::collection::vec((any::<prop::sample::Index>(), 1usize..4), 1..6),
    );
    for number in 0..25u128 {
        let (spans, picks) = several.new_tree(&mut runner).unwrap().current();
        let (whole, pieces) = (project(2 * number + 1), project(2 * number + 2));
        insert(&store, whole, &spans).await;
        // Backwards one by one, some of them again in larger pieces, then all again.
        for span in spans.iter().rev() {
            insert(&store, pieces, std::slice::from_ref(span)).await;
        }
        for (pick, length) in picks {
            let begin = pick.index(spans.len());
            let end = spans.len().min(begin + length);
            insert(&store, pieces, &spans[begin..end]).await;
        }
        for trace in ["a", "b"] {
            let expected = stored(&store, whole, trace).await;
            assert_eq!(
                stored(&store, pieces, trace).await,
                expected,
                "trace {trace} of {number}"
            );
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_version_that_ends_later_counts_and_numbers_are_not_added() {
    let store = fresh_store().await;
    let early = span("t", "s", 0);
    let mut late = early.clone();
    late.end = late.end.map(|end| end.plus(Nanos::from_seconds(2)));
    late.name = "late".to_owned();
    for (number, order) in [[&early, &late], [&late, &early]].into_iter().enumerate() {
        let project = project(number as u128);
        for version in order {
            insert(&store, project, std::slice::from_ref(version)).await;
        }
        assert_eq!(stored(&store, project, "t").await, vec![late.clone()]);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_deleted_trace_is_gone_at_once_in_its_project_only() {
    let store = fresh_store().await;
    let sent = [span("t", "s", 0)];
    insert(&store, project(1), &sent).await;
    insert(&store, project(2), &sent).await;
    store_clickhouse::traces::delete(&store, project(1), &[&sent[0].trace_id])
        .await
        .unwrap();
    assert!(stored(&store, project(1), "t").await.is_empty());
    assert_eq!(stored(&store, project(2), "t").await, sent);
    insert(&store, project(1), &sent).await;
    assert_eq!(
        stored(&store, project(1), "t").await,
        sent,
        "sent again, it is there again"
    );
}
