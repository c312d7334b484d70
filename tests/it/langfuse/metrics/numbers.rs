//! Numbers that were worked out by hand.

use serde_json::{Value, json};
use tests::builders::{SpanBuilder, export};
use tests::{ProjectClient, shared};

use super::super::{becomes, event, ingest};
use super::{ask, measured, question};

/// The same answer of both versions.
async fn both(client: &ProjectClient, question: &Value) -> Value {
    let first = ask(client, "/metrics", question).await;
    assert_eq!(ask(client, "/v2/metrics", question).await, first);
    first
}

#[tokio::test]
async fn observations_are_counted_and_summed_up() {
    let client = measured().await;
    let by_name = question("observations", &["name"], &[("count", "count")]);
    assert_eq!(
        both(&client, &by_name).await,
        json!([{"name": "answer", "count_count": 2}, {"name": "step", "count_count": 1}])
    );
    // 0.1 + 0.2 is 0.3 where decimals are added.
    let metrics = [
        ("sum", "totalCost"),
        ("sum", "inputCost"),
        ("sum", "outputCost"),
        ("sum", "totalTokens"),
        ("max", "inputTokens"),
    ];
    let by_model = question("observations", &["providedModelName"], &metrics);
    assert_eq!(
        both(&client, &by_model).await,
        json!([
            {"providedModelName": "m-two", "sum_totalCost": 0.4, "sum_inputCost": 0.1,
             "sum_outputCost": 0.3, "sum_totalTokens": 10, "max_inputTokens": 5},
            {"providedModelName": "m-one", "sum_totalCost": 0.3, "sum_inputCost": 0.1,
             "sum_outputCost": 0.2, "sum_totalTokens": 30, "max_inputTokens": 10},
            {"providedModelName": null, "sum_totalCost": null, "sum_inputCost": null,
             "sum_outputCost": null, "sum_totalTokens": null, "max_inputTokens": null},
        ])
    );
    // Latencies of 1, 2 and 10 seconds; one first token after half a second, 1.5 before the end.
    let metrics = [
        ("min", "latency"),
        ("max", "latency"),
        ("p50", "latency"),
        ("sum", "latency"),
        ("avg", "timeToFirstToken"),
        ("avg", "streamingLatency"),
        ("count", "timeToFirstToken"),
        ("max", "outputTokensPerSecond"),
        ("max", "tokensPerSecond"),
        ("sum", "countScores"),
        ("histogram", "latency"),
    ];
    let whole = question("observations", &[], &metrics);
    let mut row = both(&client, &whole).await[0].clone();
    let bars = row["histogram_latency"].take();
    let heights = bars
        .as_array()
        .unwrap()
        .iter()
        .map(|bar| bar[2].as_f64().unwrap());
    assert_eq!(heights.sum::<f64>(), 3.0, "{bars}");
    assert_eq!(
        row,
        json!({
            "min_latency": 1000.0, "max_latency": 10000.0, "p50_latency": 2000.0,
            "sum_latency": 13000.0, "avg_timeToFirstToken": 500.0, "avg_streamingLatency": 1500.0,
            "count_timeToFirstToken": 1, "max_outputTokensPerSecond": 20.0 / 1.5,
            "max_tokensPerSecond": 15.0, "sum_countScores": 1, "histogram_latency": null,
        })
    );
}

#[tokio::test]
async fn gaps_in_time_are_filled_where_time_is_the_order() {
    let client = measured().await;
    let metrics = [
        ("count", "count"),
        ("sum", "totalTokens"),
        ("avg", "latency"),
    ];
    let mut by_day = question("observations", &[], &metrics);
    by_day["timeDimension"] = json!({"granularity": "day"});
    let expected = json!([
        {"time_dimension": "2026-11-03T00:00:00.000Z", "count_count": 2, "sum_totalTokens": 40,
         "avg_latency": 1500.0},
        {"time_dimension": "2026-11-04T00:00:00.000Z", "count_count": 0, "sum_totalTokens": 0,
         "avg_latency": null},
        {"time_dimension": "2026-11-05T00:00:00.000Z", "count_count": 1, "sum_totalTokens": null,
         "avg_latency": 10000.0},
    ]);
    assert_eq!(both(&client, &by_day).await, expected);
    by_day["orderBy"] = json!([{"field": "time_dimension", "direction": "desc"}]);
    let backwards = both(&client, &by_day).await;
    assert_eq!(backwards, json!([expected[2].clone(), expected[0].clone()]));
    // Three days are cut into days.
    let mut auto = question("observations", &[], &metrics);
    auto["timeDimension"] = json!({"granularity": "auto"});
    assert_eq!(both(&client, &auto).await, expected);
    auto["config"] = json!({"row_limit": 2});
    assert_eq!(both(&client, &auto).await.as_array().unwrap().len(), 2);
}

#[tokio::test]
async fn traces_are_counted_as_wholes() {
    let client = measured().await;
    let metrics = [
        ("count", "count"),
        ("sum", "observationsCount"),
        ("sum", "scoresCount"),
        ("uniq", "uniqueUserIds"),
        ("sum", "totalTokens"),
        ("sum", "totalCost"),
        ("max", "latency"),
    ];
    let by_name = question("traces", &["name", "tags", "release"], &metrics);
    let mut rows = ask(&client, "/metrics", &by_name).await;
    // From the trace's own beginning to the end of its last observation.
    assert_eq!(rows[1]["max_latency"].take(), 1_801_000.0);
    assert_eq!(
        rows,
        json!([
            {"name": "batch", "tags": [], "release": null, "count_count": 1,
             "sum_observationsCount": 1, "sum_scoresCount": 0, "uniq_uniqueUserIds": 1,
             "sum_totalTokens": null, "sum_totalCost": null, "max_latency": 10000.0},
            {"name": "chat", "tags": ["x", "y"], "release": "r1", "count_count": 1,
             "sum_observationsCount": 2, "sum_scoresCount": 3, "uniq_uniqueUserIds": 1,
             "sum_totalTokens": 40, "sum_totalCost": 0.7, "max_latency": null},
        ])
    );
}

#[tokio::test]
async fn scores_are_averaged_with_what_they_judge() {
    let client = measured().await;
    let metrics = [("avg", "value"), ("count", "count")];
    let by_trace = question("scores-numeric", &["name", "traceName"], &metrics);
    assert_eq!(
        both(&client, &by_trace).await,
        json!([{"name": "quality", "traceName": "chat", "avg_value": 0.75, "count_count": 2}])
    );
    let by_model = question("scores-numeric", &["observationModelName"], &metrics);
    assert_eq!(
        both(&client, &by_model).await,
        json!([
            {"observationModelName": null, "avg_value": 1.0, "count_count": 1},
            {"observationModelName": "m-one", "avg_value": 0.5, "count_count": 1},
        ])
    );
    let labels = question(
        "scores-categorical",
        &["stringValue"],
        &[("count", "count")],
    );
    assert_eq!(
        both(&client, &labels).await,
        json!([{"stringValue": "kind", "count_count": 1}])
    );
    let flags = question("scores-boolean", &[], &[("count", "count")]);
    assert_eq!(both(&client, &flags).await, json!([{"count_count": 0}]));
}

#[tokio::test]
async fn the_second_version_takes_costs_apart() {
    let client = measured().await;
    let parts = question("observations", &["costType"], &[("sum", "costByType")]);
    assert_eq!(
        ask(&client, "/v2/metrics", &parts).await,
        json!([{"costType": "output", "sum_costByType": 0.5}, {"costType": "input", "sum_costByType": 0.2}])
    );
    let usage = question("observations", &["usageType"], &[("sum", "usageByType")]);
    assert_eq!(
        ask(&client, "/v2/metrics", &usage).await,
        json!([{"usageType": "output", "sum_usageByType": 25}, {"usageType": "input", "sum_usageByType": 15}])
    );
    let metrics = [
        ("uniq", "traceId"),
        ("uniq", "uniqueSessionIds"),
        ("count", "count"),
    ];
    let roots = question("observations", &["isRootObservation"], &metrics);
    assert_eq!(
        ask(&client, "/v2/metrics", &roots).await,
        json!([
            {"isRootObservation": true, "uniq_traceId": 2, "uniq_uniqueSessionIds": 1, "count_count": 2},
            {"isRootObservation": false, "uniq_traceId": 1, "uniq_uniqueSessionIds": 1, "count_count": 1},
        ])
    );
}

#[tokio::test]
async fn experiments_are_dimensions_of_the_second_version() {
    let client = shared().await.new_project();
    let part = |name: &str, experiment: &str| {
        SpanBuilder::root(name)
            .attribute("langfuse.experiment.id", experiment)
            .attribute("langfuse.experiment.name", format!("name of {experiment}"))
            .attribute("langfuse.experiment.dataset.id", "set")
    };
    let spans = [part("a", "e1"), part("b", "e1"), part("c", "e2")];
    let none = SpanBuilder::root("d");
    client
        .accept_traces(&export(spans.iter().chain([&none])))
        .await;
    becomes(&client, "/observations", |list| {
        list["meta"]["totalItems"] == 4
    })
    .await;
    let dimensions = ["experimentId", "experimentName", "experimentDatasetId"];
    let mut asked = question("observations", &dimensions, &[("count", "count")]);
    asked["fromTimestamp"] = json!("2020-01-01T00:00:00Z");
    asked["toTimestamp"] = json!("2100-01-01T00:00:00Z");
    asked["config"] = json!({"row_limit": 2});
    asked["orderBy"] = json!([{"field": "count_count", "direction": "desc"}]);
    asked["filters"] = json!([
        {"type": "string", "column": "experimentDatasetId", "operator": "=", "value": "set"},
    ]);
    let row = |experiment: &str, count: u32| {
        json!({
            "experimentId": experiment, "experimentName": format!("name of {experiment}"),
            "experimentDatasetId": "set", "count_count": count,
        })
    };
    assert_eq!(
        ask(&client, "/v2/metrics", &asked).await,
        json!([row("e1", 2), row("e2", 1)])
    );
    let score = json!({
        "id": "q", "traceId": spans[2].trace_id(), "observationId": spans[2].span_id(),
        "name": "quality", "value": 0.5, "timestamp": "2026-11-03T10:00:00Z",
    });
    ingest(&client, &[event(1, 1, "score-create", &score)]).await;
    becomes(&client, "/v2/scores", |list| {
        list["meta"]["totalItems"] == 1
    })
    .await;
    asked["view"] = json!("scores-numeric");
    asked["dimensions"] = json!([{"field": "experimentName"}]);
    asked["filters"] = json!([]);
    assert_eq!(
        ask(&client, "/v2/metrics", &asked).await,
        json!([{"experimentName": "name of e2", "count_count": 1}])
    );
}

#[tokio::test]
async fn conditions_narrow_what_counts() {
    let client = measured().await;
    for (condition, count) in [
        (
            json!({"type": "string", "column": "userId", "operator": "=", "value": "u1"}),
            2,
        ),
        (
            json!({"type": "stringOptions", "column": "type", "operator": "none of", "value": ["GENERATION"]}),
            1,
        ),
        (
            json!({"type": "arrayOptions", "column": "tags", "operator": "all of", "value": ["x", "y"]}),
            2,
        ),
        (
            json!({"type": "stringObject", "column": "metadata", "key": "team", "operator": "contains", "value": "lu"}),
            1,
        ),
        (
            json!({"type": "datetime", "column": "startTime", "operator": ">=", "value": "2026-11-03T10:30:00Z"}),
            2,
        ),
        (
            json!({"type": "null", "column": "providedModelName", "operator": "is null", "value": ""}),
            1,
        ),
    ] {
        let mut question = question("observations", &[], &[("count", "count")]);
        question["filters"] = json!([condition]);
        let rows = both(&client, &question).await;
        assert_eq!(rows, json!([{"count_count": count}]), "{condition}");
    }
}
