//! Lists give everything exactly once.

use std::collections::HashSet;

use domain::filter::Filter;
use domain::page::{Cursor, Limit};
use domain::{Nanos, ProjectId};
use store_clickhouse::{ClickHouse, spans, traces};

use super::{fresh_store, insert, project, span};

async fn trace_page(
    store: &ClickHouse,
    project: ProjectId,
    cursor: Option<&Cursor>,
) -> (Vec<String>, Option<Cursor>) {
    let limit = Limit::new(50).unwrap();
    let page = traces::list(store, project, &Filter::default(), (limit, cursor))
        .await
        .unwrap();
    (
        page.data
            .iter()
            .map(|row| row.trace_id.to_string())
            .collect(),
        page.next_cursor,
    )
}

#[tokio::test(flavor = "multi_thread")]
async fn traces_with_one_same_start_are_listed_once_each_while_newer_ones_arrive() {
    let store = fresh_store().await;
    let project = project(1);
    let sent: Vec<_> = (0..150).map(|n| span(&format!("t{n}"), "s", 0)).collect();
    insert(&store, project, &sent).await;
    let (mut listed, mut cursor) = trace_page(&store, project, None).await;
    let mut round = 0;
    while let Some(place) = cursor {
        round += 1;
        let newer: Vec<_> = (0..20)
            .map(|n| span(&format!("new {round} {n}"), "s", 10))
            .collect();
        insert(&store, project, &newer).await;
        let (rows, next) = trace_page(&store, project, Some(&place)).await;
        listed.extend(rows);
        cursor = next;
    }
    let expected: HashSet<String> = (0..150).map(|n| format!("t{n}")).collect();
    assert_eq!(listed.len(), 150);
    assert_eq!(listed.into_iter().collect::<HashSet<_>>(), expected);
}

#[tokio::test(flavor = "multi_thread")]
async fn spans_are_listed_once_each_over_days_in_order() {
    let store = fresh_store().await;
    let project = project(1);
    // Many of one instant, and some every five hours for a month.
    let same = (0..60).map(|n| span(&format!("t{}", n % 7), &format!("s{n}"), 0));
    let apart = (0..140).map(|n| span(&format!("d{n}"), "s", n * 18_000));
    let sent: Vec<_> = same.chain(apart).collect();
    insert(&store, project, &sent).await;
    insert(&store, project, &sent[..30]).await;
    let mut listed = Vec::new();
    let mut cursor = None;
    loop {
        let limit = Limit::new(17).unwrap();
        let filter = Filter::default();
        let page = spans::list(&store, project, &filter, (limit, cursor.as_ref()))
            .await
            .unwrap();
        listed.extend(page.data);
        cursor = page.next_cursor;
        if cursor.is_none() {
            break;
        }
    }
    assert!(listed.is_sorted_by(|a, b| a.start >= b.start));
    let ids = |spans: &[domain::Span]| -> HashSet<_> {
        spans
            .iter()
            .map(|span| (span.trace_id.clone(), span.span_id.clone()))
            .collect()
    };
    assert_eq!(listed.len(), sent.len());
    assert_eq!(ids(&listed), ids(&sent));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_trace_over_many_hours_is_listed_once_at_its_true_start() {
    let store = fresh_store().await;
    let project = project(1);
    let hours = [0u64, 1, 5, 30, 80];
    let long: Vec<_> = hours
        .iter()
        .map(|hour| span("long", &format!("h{hour}"), hour * 3600))
        .collect();
    // Last spans first, each in an insert of its own.
    for piece in long.iter().rev() {
        insert(&store, project, std::slice::from_ref(piece)).await;
    }
    let others: Vec<_> = (0..80)
        .map(|hour| span(&format!("at {hour}"), "s", hour * 3600 + 60))
        .collect();
    insert(&store, project, &others).await;
    let everything = Filter::default();
    let limit = Limit::new(1000).unwrap();
    let page = traces::list(&store, project, &everything, (limit, None))
        .await
        .unwrap();
    assert_eq!(page.data.len(), 81);
    let last = page.data.last().unwrap();
    assert_eq!((last.trace_id.as_str(), last.span_count), ("long", 5));
    assert_eq!(last.latency(), Some(Nanos::from_seconds(80 * 3600 + 1)));
    // In a range without its start it is not listed.
    let filter = Filter {
        from: Some(others[3].start),
        ..Filter::default()
    };
    let page = traces::list(&store, project, &filter, (limit, None))
        .await
        .unwrap();
    assert_eq!(page.data.len(), 77);
    let density = traces::density(&store, project, &everything, 12)
        .await
        .unwrap();
    assert_eq!(
        (
            density.traces,
            density.buckets.iter().map(|b| b.traces).sum()
        ),
        (81, 81)
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn neighbours_are_the_rows_above_and_below() {
    let store = fresh_store().await;
    let project = project(1);
    let sent: Vec<_> = (0..30)
        .map(|n| span(&format!("t{n:02}"), "s", n * 7_000))
        .collect();
    insert(&store, project, &sent).await;
    for at in 0..30usize {
        let place = Cursor {
            start: sent[at].start,
            id: sent[at].trace_id.to_string(),
        };
        let (newer, older) = traces::neighbours(&store, project, &place).await.unwrap();
        assert_eq!(
            newer,
            sent.get(at + 1).map(|span| span.trace_id.clone()),
            "newer than {at}"
        );
        let below = at.checked_sub(1).map(|at| sent[at].trace_id.clone());
        assert_eq!(older, below, "older than {at}");
    }
}
