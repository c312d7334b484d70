//! Every stored query is one that ClickHouse understands, and uses the table's order.

use super::changes::{change, insert_changes, insert_scores, score};
use super::logs::{insert_logs, record};
use super::series::{insert_samples, insert_series, some};
use super::{fresh_store, insert, project, span};

/// What each parameter is called in the queries, with a value.
const PARAMS: &[(&str, &str)] = &[
    ("project_id", "00000000-0000-0000-0000-000000000001"),
    ("from_hour", "0"),
    ("to_hour", "4000000000"),
    ("trace_id", "t"),
    ("prefix", "t"),
    ("trace_ids", "['t']"),
    ("span_ids", "['s']"),
    ("span_id", "s"),
    ("from_ns", "1"),
    ("to_ns", "2"),
    ("before_ns", "1"),
    ("before_id", "t"),
    ("before_trace", "t"),
    ("before_span", "s"),
    ("hour", "1"),
    ("after_trace", "t"),
    ("after_span", "s"),
    ("after_ns", "1"),
    ("after_id", "t"),
    ("step_ns", "1"),
    ("limit", "1"),
    ("offset", "0"),
    ("score_name", "n"),
    ("subject", "observation"),
    ("ids", "['o']"),
    ("most", "1"),
    ("servings", "[1]"),
    ("sets", "[1]"),
    ("models", "['m']"),
    ("ttft_limits", "[1]"),
    ("tpot_limits", "[1]"),
    ("offset", "0"),
    ("session_id", "s"),
    ("session_ids", "['s']"),
    ("environments", "['e']"),
    ("whole_from_hour", "0"),
    ("whole_to_hour", "4000000000"),
    ("began_from_ns", "1"),
    ("began_to_ns", "2"),
    ("near_from_hour", "0"),
    ("near_to_hour", "4000000000"),
    ("data_type", "NUMERIC"),
    ("metric", "m"),
    ("key", "k"),
    ("after_name", "m"),
    ("after_series", "1"),
    ("seen_from_ms", "0"),
    ("is_labels", "['l']"),
    ("is_values", "['v']"),
    ("not_labels", "['l']"),
    ("not_values", "['v']"),
    ("like_labels", "['l']"),
    ("like_values", "['v']"),
    ("unlike_labels", "['l']"),
    ("unlike_values", "['v']"),
    ("series_ids", "[1]"),
    ("from_ms", "0"),
    ("to_ms", "4000000000000"),
    ("before_ms", "0"),
    ("step_ms", "1000"),
    ("score_limit", "1"),
    ("axes", "['gpu.power_w']"),
    ("measures", "[['request.count']]"),
    ("begins_ns", "[0]"),
    ("dimensions", "[['model']]"),
    ("users", "['u']"),
    ("text", "t"),
    ("by_activity", "true"),
    ("before_rank", "1"),
    ("candidates", "10"),
    ("with_calls", "true"),
    ("judged_from_ns", "0"),
    ("types", "['refusal']"),
    ("all_types", "['refusal']"),
    ("rules", "['score']"),
    ("loop", "3"),
    ("least", "0.5"),
    ("before_type", "t"),
    ("before_session", "s"),
    ("keys", "['user.id']"),
    ("contents", "[1]"),
    ("wait_days", "1"),
    ("keep_errors", "true"),
    ("score_below", "0.5"),
    ("structures", "[1]"),
    ("structure_days", "1"),
    ("content_days", "1"),
    ("now_ns", "1"),
    ("metrics_before_ms", "1"),
];

#[tokio::test(flavor = "multi_thread")]
async fn every_query_is_explained_and_reads_by_the_order_of_its_table() {
    let store = fresh_store().await;
    // Of an empty table ClickHouse explains nothing.
    insert(&store, project(1), &[span("t", "s", 0)]).await;
    insert_logs(&store, project(1), &[record("t", "s", 0)]).await;
    insert_changes(
        &store,
        project(1),
        &[change("o", 0, &serde_json::json!({}))],
    )
    .await;
    let judged = score("s", 0, domain::score::ScoreValue::Numeric(1.0));
    insert_scores(&store, project(1), &[judged]).await;
    let (series, sample) = some();
    insert_series(&store, project(1), &[series]).await;
    insert_samples(&store, project(1), &[sample]).await;
    for (name, sql) in store_clickhouse::all_queries() {
        let plan = store
            .explain(sql, PARAMS)
            .await
            .unwrap_or_else(|error| panic!("{name}: {error}"));
        assert!(
            sql.contains("project_id = {project_id:UUID}"),
            "{name} is not bound to a project"
        );
        if name.starts_with("experiments/") {
            // Without the index the attributes of all spans would be read.
            assert!(plan.contains("experiment_id_minmax"), "{name}: {plan}");
        }
        // Some are answered from the index while they are planned, and do not show.
        if !["traces/hours.sql", "spans/stored.sql"].contains(&name) {
            assert!(
                plan.contains("PrimaryKey") && plan.contains("project_id"),
                "{name}: {plan}"
            );
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn migrating_again_and_at_the_same_time_changes_nothing() {
    let store = fresh_store().await;
    let again = (store.migrate(), store.migrate(), store.migrate());
    let (a, b, c) = tokio::join!(again.0, again.1, again.2);
    a.and(b).and(c).unwrap();
    assert!(store.is_migrated().await.unwrap());
}
