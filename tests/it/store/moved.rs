//! A span that is sent again with another start: neither order nor repetition nor merges change what
//! lists show of its trace.

use domain::filter::Filter;
use domain::page::{Cursor, Limit};
use domain::trace::TraceSummary;
use domain::{Nanos, ProjectId, Span, Timestamp, TraceId};
use store_clickhouse::{ClickHouse, traces};

use super::{fresh_database, insert, project, span};

/// Seconds by which the later version begins after or before the first: within an hour, over its
/// border, far away.
const MOVES: [i64; 6] = [4, -4, 5_000, -5_000, 400_000, -400_000];
const BASE: u64 = 1_000_000;

/// A span and its newer version, moved.
fn versions(seconds: i64) -> [Span; 2] {
    let early = span("moved", "s", BASE);
    let mut late = span("moved", "s", BASE.checked_add_signed(seconds).unwrap());
    // What ends later is the newer version.
    late.end = early
        .end
        .max(late.end)
        .map(|end| end.plus(Nanos::from_seconds(1)));
    late.name = "newer".to_owned();
    [early, late]
}

async fn listed(store: &ClickHouse, project: ProjectId, filter: &Filter) -> Vec<TraceSummary> {
    let limit = Limit::new(2).unwrap();
    let mut rows = Vec::new();
    let mut cursor: Option<Cursor> = None;
    loop {
        let page = traces::list(store, project, filter, (limit, cursor.as_ref()))
            .await
            .unwrap();
        rows.extend(page.data);
        cursor = page.next_cursor;
        if cursor.is_none() {
            return rows;
        }
    }
}

async fn opened(store: &ClickHouse, project: ProjectId) -> TraceSummary {
    let trace = TraceId::from_text("moved").unwrap();
    let extent = traces::extent(store, project, &trace).await.unwrap();
    let extent = extent.unwrap();
    let summary = traces::summary(store, project, &trace, extent).await;
    summary.unwrap().unwrap()
}

fn range(from: Timestamp, to: Timestamp) -> Filter {
    Filter {
        from: Some(from),
        to: Some(to),
        ..Filter::default()
    }
}

/// Checks list, ranges, neighbours and the trace itself against the newer version.
async fn shows_the_newer(store: &ClickHouse, project: ProjectId, newer: &Span, what: &str) {
    let all = listed(store, project, &Filter::default()).await;
    let mut names: Vec<&str> = all.iter().map(|row| row.trace_id.as_str()).collect();
    names.sort_unstable();
    assert_eq!(names, ["after", "before", "moved"], "{what}");
    let row = all
        .iter()
        .find(|row| row.trace_id.as_str() == "moved")
        .unwrap();
    assert_eq!(
        (row.start, row.name.as_str()),
        (newer.start, "newer"),
        "{what}"
    );
    assert_eq!(*row, opened(store, project).await, "{what}");
    let second = Nanos::from_seconds(1);
    let (start, end) = (newer.start, newer.start.plus(second));
    let within = listed(store, project, &range(start, end)).await;
    assert_eq!(
        within,
        std::slice::from_ref(row),
        "{what}: the range of its start"
    );
    let earlier = range(Timestamp::EPOCH, start);
    let later = range(end, Timestamp::MAX);
    for (filter, side) in [(earlier, "before"), (later, "after")] {
        let rows = listed(store, project, &filter).await;
        let ids: Vec<&str> = rows.iter().map(|row| row.trace_id.as_str()).collect();
        assert_eq!(ids, [side], "{what}: the range {side} it");
    }
    let place = Cursor {
        start,
        id: "moved".to_owned(),
    };
    let (newer, older) = traces::neighbours(store, project, &place).await.unwrap();
    let names = [newer, older].map(|id| id.map(|id| id.to_string()));
    let expected = [Some("after".to_owned()), Some("before".to_owned())];
    assert_eq!(names, expected, "{what}: neighbours");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_moved_span_is_shown_where_its_newer_version_is_whatever_came_first() {
    let address = fresh_database().await;
    let store = ClickHouse::connect(&address).unwrap();
    store.migrate().await.unwrap();
    let around = [
        span("before", "s", BASE - 900_000),
        span("after", "s", BASE + 900_000),
    ];
    let mut cases = Vec::new();
    for (number, seconds) in (1..).zip(MOVES) {
        let [early, late] = versions(seconds);
        let orders: [Vec<&Span>; 4] = [
            vec![&early, &late],
            vec![&late, &early],
            vec![&early, &late, &early],
            vec![&late],
        ];
        for (order, sent) in (0..).zip(orders) {
            let project = project(number * 10 + order);
            insert(&store, project, &around).await;
            for version in sent {
                insert(&store, project, std::slice::from_ref(version)).await;
            }
            cases.push((project, late.clone(), format!("{seconds} s, order {order}")));
        }
    }
    for (project, late, what) in &cases {
        shows_the_newer(&store, *project, late, what).await;
    }
    merge(&address).await;
    for (project, late, what) in &cases {
        shows_the_newer(&store, *project, late, &format!("{what}, merged")).await;
    }
}

/// Merges all parts: replaced versions of one key are gone.
async fn merge(address: &str) {
    let (server, database) = address.rsplit_once('/').unwrap();
    let statement = format!("OPTIMIZE TABLE {database}.spans FINAL");
    let client = reqwest::Client::new();
    let answer = client.post(server).body(statement).send().await.unwrap();
    let status = answer.status();
    assert!(status.is_success(), "{}", answer.text().await.unwrap());
}
