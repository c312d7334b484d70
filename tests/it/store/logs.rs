//! Log records in the store by themselves: what comes back is what came, once.

use std::sync::Arc;

use domain::log::LogRecord;
use domain::span::Scope;
use domain::{ProjectId, SpanId, Timestamp, TraceId};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;
use store_clickhouse::{ClickHouse, logs, traces, writer};
use uuid::Uuid;

use super::samples::any_value;
use super::{fresh_store, project};

/// A record with its ids and time only.
pub(super) fn record(trace: &str, span: &str, nanos: u64) -> LogRecord {
    LogRecord {
        trace_id: TraceId::from_text(trace).ok(),
        span_id: SpanId::from_text(span).ok(),
        time: Timestamp::from_unix_nanos(nanos).unwrap(),
        ..LogRecord::default()
    }
}

/// A record with everything.
fn any_record() -> impl Strategy<Value = LogRecord> {
    let attributes =
        || proptest::collection::vec(("[a-d$]{1,2}".prop_map(Arc::from), any_value()), 0..4);
    let identity = (
        "[ab]",
        "[ab]?",
        0u64..9_000_000_000_000_000_000,
        any::<u16>(),
    );
    (
        identity,
        "[a-z.é]{0,20}",
        any_value(),
        attributes(),
        attributes(),
    )
        .prop_map(
            |((trace, span, nanos, bits), name, body, attributes, resource)| LogRecord {
                severity_number: (bits & 0x1f) as u8,
                severity_text: name.chars().take(4).collect(),
                event_name: name,
                body,
                attributes,
                resource: Arc::new(resource),
                scope: Arc::new(Scope {
                    name: "s".into(),
                    version: "1".into(),
                }),
                cut: bits & 0x100 != 0,
                invalid_utf8: bits & 0x200 != 0,
                place: u32::from(bits),
                ..record(&trace, &span, nanos)
            },
        )
}

pub(super) async fn insert_logs(store: &ClickHouse, project: ProjectId, records: &[LogRecord]) {
    let block = logs::encode(project, records).unwrap();
    let token = Uuid::now_v7().to_string();
    writer::insert_unspooled(store, vec![block.into()], &token)
        .await
        .unwrap();
}

pub(super) async fn stored_logs(
    store: &ClickHouse,
    project: ProjectId,
    trace: &str,
) -> Vec<LogRecord> {
    let trace = TraceId::from_text(trace).unwrap();
    logs::by_trace(store, project, &trace).await.unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn any_record_comes_back_as_it_was_sent_however_often_and_in_whatever_order() {
    let store = fresh_store().await;
    let mut runner = TestRunner::deterministic();
    let several = proptest::collection::vec(any_record(), 0..6);
    for number in 0..30u128 {
        let records = several.new_tree(&mut runner).unwrap().current();
        let (whole, pieces) = (project(2 * number + 1), project(2 * number + 2));
        insert_logs(&store, whole, &records).await;
        for record in records.iter().rev() {
            insert_logs(&store, pieces, std::slice::from_ref(record)).await;
        }
        insert_logs(&store, pieces, &records).await;
        for trace in ["a", "b"] {
            let of_trace =
                |record: &&LogRecord| record.trace_id.as_ref().map(|id| id.as_str()) == Some(trace);
            let mut expected: Vec<LogRecord> = records.iter().filter(of_trace).cloned().collect();
            expected.sort_by_key(|record| record.time);
            assert_eq!(stored_logs(&store, whole, trace).await, expected);
            assert_eq!(stored_logs(&store, pieces, trace).await, expected);
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn of_two_places_of_one_record_the_same_counts_whichever_came_last() {
    let store = fresh_store().await;
    let first = record("t", "s", 5);
    let mut second = first.clone();
    second.place = 3;
    for (number, order) in [[&first, &second], [&second, &first]]
        .into_iter()
        .enumerate()
    {
        let project = project(number as u128 + 1);
        for record in order {
            insert_logs(&store, project, std::slice::from_ref(record)).await;
        }
        assert_eq!(stored_logs(&store, project, "t").await, [second.clone()]);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_deleted_trace_takes_its_records_along_in_its_project_only() {
    let store = fresh_store().await;
    let sent = [record("t", "s", 5)];
    insert_logs(&store, project(1), &sent).await;
    insert_logs(&store, project(2), &sent).await;
    let trace = TraceId::from_text("t").unwrap();
    traces::delete(&store, project(1), &[&trace]).await.unwrap();
    assert!(stored_logs(&store, project(1), "t").await.is_empty());
    assert_eq!(stored_logs(&store, project(2), "t").await, sent);
}
