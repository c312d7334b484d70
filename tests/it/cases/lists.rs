//! Lists of Langfuse's API: each row once, however they are paged, and whatever the times that bound them.

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use tests::builders::{SpanBuilder, export};
use tests::{ProjectClient, shared};

use crate::langfuse::{all, becomes, event, found, ingest, read};

const AT: &str = "2026-11-03T10:00:00.000Z";

/// Sends events in batches.
async fn sent(client: &ProjectClient, events: &[Value]) {
    for events in events.chunks(50) {
        ingest(client, events).await;
    }
}

fn ids(page: &Value) -> Vec<String> {
    let ids = all(page, "id").into_iter();
    ids.map(|id| id.as_str().unwrap().to_owned()).collect()
}

/// Everything of a list by numbers of pages.
async fn by_page(client: &ProjectClient, list: &str) -> Vec<String> {
    let mut seen = Vec::new();
    for page in 1.. {
        let path = format!("/{list}limit=50&page={page}");
        let rows = ids(&found(client, &path).await);
        if rows.is_empty() {
            break;
        }
        seen.extend(rows);
    }
    seen
}

/// That a list has so many, each once, and says so.
async fn each_once(client: &ProjectClient, list: &str, total: usize) {
    let first = becomes(client, &format!("/{list}limit=50&page=1"), |page| {
        page["meta"]["totalItems"] == total
    })
    .await;
    assert_eq!(first["meta"]["totalPages"], total.div_ceil(50), "{list}");
    let mut seen = by_page(client, list).await;
    assert_eq!(seen.len(), total, "{list}");
    seen.sort_unstable();
    seen.dedup();
    assert_eq!(seen.len(), total, "{list}");
}

#[tokio::test(flavor = "multi_thread")]
async fn c054_what_has_one_same_time_comes_each_once_on_pages() {
    let client = shared().await.new_project();
    let events: Vec<Value> = (0..150)
        .flat_map(|n| {
            let trace = json!({"id": format!("t{n}"), "timestamp": AT});
            let span = json!({"id": format!("o{n}"), "traceId": format!("t{n}"), "startTime": AT});
            let score =
                json!({"id": format!("s{n}"), "traceId": format!("t{n}"), "name": "n", "value": 1});
            [
                event(n, 0, "trace-create", &trace),
                event(1_000 + n, 0, "span-create", &span),
                event(2_000 + n, 0, "score-create", &score),
            ]
        })
        .collect();
    sent(&client, &events).await;
    for (list, total) in [
        ("traces?", 150),
        ("observations?", 150),
        ("v2/scores?", 150),
    ] {
        each_once(&client, list, total).await;
    }
    let post = async |path: &str, body: Value| {
        let path = format!("/api/public{path}");
        let answer = client.langfuse(Method::POST, &path, Some(&body)).await;
        assert!(answer.status.is_success(), "{path}: {}", answer.body);
    };
    for n in 0..60 {
        post("/v2/datasets", json!({"name": format!("d{n}")})).await;
        post(
            "/score-configs",
            json!({"name": format!("c{n}"), "dataType": "NUMERIC"}),
        )
        .await;
    }
    for n in 0..120 {
        post(
            "/dataset-items",
            json!({"datasetName": "d0", "id": format!("i{n}")}),
        )
        .await;
    }
    for (list, total) in [
        ("v2/datasets?", 60),
        ("score-configs?", 60),
        ("dataset-items?datasetName=d0&", 120),
    ] {
        each_once(&client, list, total).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn c054_a_cursor_goes_on_where_it_was_though_newer_rows_come() {
    let client = shared().await.new_project();
    let span = |id: String, second: u32| json!({"id": id, "traceId": "t", "startTime": format!("2026-11-03T10:00:{second:02}.000Z")});
    let score = |id: String| json!({"id": id, "traceId": "t", "name": "n", "value": 1});
    let events: Vec<Value> = (0..150)
        .flat_map(|n| {
            [
                event(n, 0, "span-create", &span(format!("o{n}"), 0)),
                event(1_000 + n, 0, "score-create", &score(format!("s{n}"))),
            ]
        })
        .collect();
    sent(&client, &events).await;
    for list in ["observations", "v2/scores"] {
        becomes(&client, &format!("/{list}?limit=1"), |page| {
            page["meta"]["totalItems"] == 150
        })
        .await;
    }
    for (list, prefix) in [("v2/observations", "o"), ("v3/scores", "s")] {
        let (mut seen, mut path, mut turn) = (Vec::new(), format!("/{list}?limit=50"), 0);
        loop {
            let page = found(&client, &path).await;
            seen.extend(ids(&page));
            let Some(cursor) = page["meta"]["cursor"].as_str() else {
                break;
            };
            let cursor: String = cursor.bytes().map(|byte| format!("%{byte:02X}")).collect();
            path = format!("/{list}?limit=50&cursor={cursor}");
            turn += 1;
            let newer: Vec<Value> = (0..20)
                .map(|n| {
                    let (number, id) = (
                        10_000 + turn * 100 + n,
                        format!("newer-{prefix}-{turn}-{n}"),
                    );
                    match prefix {
                        "o" => event(number, 30, "span-create", &span(id, 30)),
                        _ => event(number, 30, "score-create", &score(id)),
                    }
                })
                .collect();
            ingest(&client, &newer).await;
            let path = match prefix {
                "o" => format!("/observations/newer-o-{turn}-19"),
                _ => format!("/v2/scores/newer-s-{turn}-19"),
            };
            becomes(&client, &path, |_| true).await;
        }
        assert_eq!(seen.len(), 150, "{list}");
        assert!(seen.iter().all(|id| !id.starts_with("newer")), "{list}");
        seen.sort_unstable();
        seen.dedup();
        assert_eq!(seen.len(), 150, "{list}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn c058_a_session_of_very_many_traces_is_read_to_its_last_page() {
    const TRACES: u32 = 20_000;
    let client = shared().await.new_project();
    let turns: Vec<SpanBuilder> = (0..TRACES)
        .map(|_| SpanBuilder::root("turn").attribute("session.id", "long"))
        .collect();
    for turns in turns.chunks(1_000) {
        client.accept_traces(&export(turns)).await;
    }
    let list = "/traces?sessionId=long&limit=50";
    let first = becomes(&client, &format!("{list}&page=1"), |page| {
        page["meta"]["totalItems"] == TRACES
    })
    .await;
    assert_eq!(first["meta"]["totalPages"], TRACES / 50);
    let last = found(&client, &format!("{list}&page=400")).await;
    assert_eq!(ids(&last).len(), 50);
    let beyond = found(&client, &format!("{list}&page=401")).await;
    assert_eq!(beyond["data"], json!([]));
    let whole = client.get_json("/api/v1/sessions/long").await;
    assert_eq!(whole["trace_count"], TRACES, "{}", whole["trace_count"]);
    let session = found(&client, "/sessions/long").await;
    let traces = session["traces"].as_array().unwrap();
    assert!(!traces.is_empty() && traces[0]["sessionId"] == "long");
}

/// Lists, and how the beginning and the end of their range are called.
const RANGES: [(&str, &str, &str); 7] = [
    ("traces", "fromTimestamp", "toTimestamp"),
    ("observations", "fromStartTime", "toStartTime"),
    ("v2/observations", "fromStartTime", "toStartTime"),
    ("sessions", "fromTimestamp", "toTimestamp"),
    ("scores", "fromTimestamp", "toTimestamp"),
    ("v2/scores", "fromTimestamp", "toTimestamp"),
    ("v3/scores", "fromTimestamp", "toTimestamp"),
];

#[tokio::test(flavor = "multi_thread")]
async fn c079_times_are_instants_and_what_is_none_is_named() {
    let client = shared().await.new_project();
    let mut events = Vec::new();
    for (number, id, at) in [
        (1, "first", "2026-01-05T01:00:00.000Z"),
        (2, "last", "2026-01-05T01:01:00.000Z"),
    ] {
        let trace = json!({"id": id, "timestamp": at, "sessionId": id});
        let span = json!({"id": format!("span-{id}"), "traceId": id, "startTime": at});
        let score = json!({"id": format!("score-{id}"), "traceId": id, "name": "n", "value": 1});
        for (offset, kind, body) in [
            (0, "trace-create", &trace),
            (10, "span-create", &span),
            (20, "score-create", &score),
        ] {
            let mut event = event(number + offset, 0, kind, body);
            event["timestamp"] = json!(at);
            events.push(event);
        }
    }
    ingest(&client, &events).await;
    for list in ["traces", "observations", "v2/scores", "sessions"] {
        becomes(&client, &format!("/{list}"), |page| {
            page["meta"]["totalItems"] == 2
        })
        .await;
    }
    for (list, from, to) in RANGES {
        // The first is included, the last is not.
        for begin in [
            "2026-01-05T01:00:00Z",
            "2026-01-05T10:00:00%2B09:00",
            "2026-01-05T10:00:00+09:00",
        ] {
            let path = format!("/{list}?{from}={begin}&{to}=2026-01-05T01:01:00Z");
            let page = found(&client, &path).await;
            let ids = ids(&page);
            assert!(ids.len() == 1 && ids[0].contains("first"), "{path}: {page}");
        }
        for wrong in [
            "2026-01-05T01:00:00",
            "2026-01-05",
            "1767574800",
            "1767574800000",
            "yesterday",
        ] {
            for parameter in [from, to] {
                let path = format!("/{list}?{parameter}={wrong}");
                let answer = read(&client, &path).await;
                assert_eq!(answer.status, StatusCode::BAD_REQUEST, "{path}");
                assert!(
                    answer.body.to_string().contains(parameter),
                    "{path}: {}",
                    answer.body
                );
            }
        }
    }
}
