//! Changes and scores: stored, and read as they were.

use domain::change::{Change, Subject};
use domain::score::{Score, ScoreSource, ScoreValue, Target};
use domain::{ProjectId, Timestamp, TraceId};
use serde_json::json;
use store_clickhouse::{ClickHouse, changes, scores, writer};

use super::{fresh_store, project};

pub(super) fn change(id: &str, second: i64, body: &serde_json::Value) -> Change {
    Change {
        subject: Subject::Observation,
        id: id.to_owned(),
        time: Timestamp::from_unix_millis(1_790_000_000_000 + second * 1_000).unwrap(),
        is_update: second > 0,
        place: 7,
        event_id: format!("event-{second}"),
        kind: "span".to_owned(),
        body: body.as_object().unwrap().clone(),
    }
}

pub(super) fn score(id: &str, second: i64, value: ScoreValue) -> Score {
    Score {
        id: id.to_owned(),
        target: Target::Trace {
            trace_id: TraceId::from_text("t").unwrap(),
            observation_id: None,
        },
        name: "good".to_owned(),
        value,
        source: ScoreSource::Annotation,
        time: Timestamp::from_unix_millis(1_790_000_000_000 + second * 1_000).unwrap(),
        environment: "default".to_owned(),
        comment: Some("因为".to_owned()),
        metadata: r#"{"a":1}"#.to_owned(),
        config_id: None,
        queue_id: Some("q".to_owned()),
        author_id: None,
        execution_trace_id: None,
    }
}

async fn insert_block(store: &ClickHouse, block: Vec<u8>) {
    let token = uuid::Uuid::now_v7().to_string();
    writer::insert_unspooled(store, vec![block.into()], &token)
        .await
        .unwrap();
}

pub(super) async fn insert_changes(store: &ClickHouse, project: ProjectId, rows: &[Change]) {
    insert_block(store, changes::encode(project, rows).unwrap()).await;
}

pub(super) async fn insert_scores(store: &ClickHouse, project: ProjectId, rows: &[Score]) {
    insert_block(store, scores::encode(project, rows).unwrap()).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_changes_of_an_observation_are_read_as_they_came_and_once() {
    let store = fresh_store().await;
    let mine = [
        change(
            "o'1\n",
            0,
            &json!({"traceId": "t", "input": {"text": "Grüße \\ \"x\""}}),
        ),
        change("o'1\n", 2, &json!({"output": null, "n": 1.5})),
    ];
    let other = change("o2", 1, &json!({}));
    insert_changes(&store, project(1), &mine).await;
    insert_changes(&store, project(1), &[mine[1].clone(), other.clone()]).await;
    insert_changes(
        &store,
        project(2),
        &[change("o2", 5, &json!({"of": "others"}))],
    )
    .await;
    let ids = ["o2".to_owned(), "o'1\n".to_owned(), "none".to_owned()];
    let read = changes::of_subjects(&store, project(1), Subject::Observation, &ids).await;
    assert_eq!(read.unwrap(), [mine.to_vec(), vec![other]]);
    let traces = changes::of_subjects(&store, project(1), Subject::Trace, &ids).await;
    assert!(traces.unwrap().is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn of_a_score_that_is_given_again_the_later_counts_whatever_comes_first() {
    let store = fresh_store().await;
    let (old, new) = (
        score("s", 1, ScoreValue::Numeric(0.25)),
        score("s", 2, ScoreValue::Boolean(true)),
    );
    let label = ScoreValue::Categorical {
        label: "fine".to_owned(),
        number: 2.0,
    };
    let other = score("label", 0, label);
    insert_scores(&store, project(1), &[new.clone(), other.clone()]).await;
    insert_scores(&store, project(1), &[old]).await;
    insert_scores(
        &store,
        project(2),
        &[score("theirs", 1, ScoreValue::Numeric(1.0))],
    )
    .await;
    let traces = [TraceId::from_text("t").unwrap()];
    let read = scores::of_traces(&store, project(1), &traces)
        .await
        .unwrap();
    assert_eq!(read, [other, new]);
}
