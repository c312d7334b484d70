//! Any time may bound what is asked for.

use reqwest::StatusCode;
use serde_json::json;
use tests::builders::{SpanBuilder, export};
use tests::shared;

use super::{escaped, read};

/// Before and after everything that can be stored.
const BOUNDS: [(&str, &str); 4] = [
    ("0001-01-01T00:00:00Z", "9999-12-31T23:59:59Z"),
    (
        "0001-01-01T00:00:00%2B14:00",
        "9999-12-31T23:59:59.999-14:00",
    ),
    ("1900-01-01T00:00:00Z", "2299-01-01T00:00:00Z"),
    ("1969-12-31T23:59:59.999Z", "2262-04-11T23:47:16.854775807Z"),
];

#[tokio::test]
async fn bounds_beyond_all_that_can_be_stored_are_taken_everywhere_and_bound_nothing() {
    let project = shared().await.new_project();
    let span = SpanBuilder::root("between").attribute("session.id", "talk");
    project.accept_traces(&export([&span])).await;
    project.trace_with_spans(span.trace_id(), 1).await;
    let prompts = super::Prompts(&project);
    prompts.text("p", "x", &[]).await;
    let dataset = json!({ "name": "d" });
    let path = "/api/public/v2/datasets";
    project
        .langfuse(reqwest::Method::POST, path, Some(&dataset))
        .await;
    let metric = |view: &str, from: &str, to: &str| {
        let plain = |time: &str| time.replace("%2B", "+");
        let query = json!({
            "view": view, "metrics": [{ "measure": "count", "aggregation": "count" }],
            "fromTimestamp": plain(from), "toTimestamp": plain(to),
        });
        format!("query={}", escaped(&query))
    };
    let filter = |column: &str, from: &str, to: &str| {
        let plain = |time: &str| time.replace("%2B", "+");
        let conditions = json!([
            { "type": "datetime", "column": column, "operator": ">=", "value": plain(from) },
            { "type": "datetime", "column": column, "operator": "<=", "value": plain(to) },
        ]);
        format!("filter={}", escaped(&conditions))
    };
    for (from, to) in BOUNDS {
        let timestamps = format!("fromTimestamp={from}&toTimestamp={to}");
        let starts = format!("fromStartTime={from}&toStartTime={to}");
        for (path, is_filled) in [
            (format!("/traces?{timestamps}"), true),
            (format!("/traces?{}", filter("timestamp", from, to)), true),
            (format!("/observations?{starts}"), true),
            (format!("/v2/observations?{starts}"), true),
            (
                format!("/v2/observations?{}", filter("startTime", from, to)),
                true,
            ),
            (
                format!("/v2/observations?{}", filter("endTime", from, to)),
                true,
            ),
            (format!("/sessions?{timestamps}"), true),
            (format!("/experiments?{starts}"), false),
            (format!("/metrics?{}", metric("traces", from, to)), true),
            (
                format!("/v2/metrics?{}", metric("observations", from, to)),
                true,
            ),
            (format!("/metrics/daily?{timestamps}"), true),
            (format!("/scores?{timestamps}"), false),
            (format!("/v2/scores?{timestamps}"), false),
            (format!("/v3/scores?{timestamps}"), false),
            (
                format!("/v2/prompts?fromUpdatedAt={from}&toUpdatedAt={to}"),
                true,
            ),
            (
                format!("/dataset-items?datasetName=d&version={from}"),
                false,
            ),
            (format!("/dataset-items?datasetName=d&version={to}"), false),
        ] {
            let answer = read(&project, &path).await;
            assert_eq!(answer.status, StatusCode::OK, "{path}: {}", answer.body);
            let rows = answer.body["data"].as_array().unwrap();
            assert_eq!(!rows.is_empty(), is_filled, "{path}: {}", answer.body);
        }
    }
    for wrong in ["9999", "0001-01-01", "10000-01-01T00:00:00Z", "x"] {
        let answer = read(&project, &format!("/traces?fromTimestamp={wrong}")).await;
        assert_eq!(answer.status, StatusCode::BAD_REQUEST, "{wrong}");
    }
}
