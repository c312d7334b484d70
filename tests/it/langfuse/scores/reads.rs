//! Lists of scores in the three versions of the interface.

use reqwest::StatusCode;
use serde_json::{Value, json};
use tests::ProjectClient;
use tests::builders::{SpanBuilder, export};
use tests::{eventually, shared};

use super::{Scores, event};

/// Seven scores of two traces, an observation, a session and a run, one a second.
async fn seven(project: &ProjectClient) {
    let base = |id: &str, name: &str, value: Value| json!({ "id": id, "name": name, "value": value, "environment": "staging" });
    let with = |mut score: Value, fields: Value| {
        for (field, value) in fields.as_object().unwrap() {
            score[field] = value.clone();
        }
        score
    };
    let all = [
        with(base("1", "rating", json!(1)), json!({ "traceId": "t" })),
        with(
            base("2", "rating", json!(2.5)),
            json!({ "traceId": "t", "observationId": "o" }),
        ),
        with(
            base("3", "ok", json!(1)),
            json!({ "traceId": "u", "dataType": "BOOLEAN", "source": "EVAL" }),
        ),
        with(
            base("4", "tone", json!("good")),
            json!({ "sessionId": "s", "comment": "a, \"b\" %_" }),
        ),
        with(
            base("5", "tone", json!("bad")),
            json!({ "datasetRunId": "r", "queueId": "q" }),
        ),
        with(
            base("6", "x", json!("right")),
            json!({ "traceId": "t", "dataType": "CORRECTION" }),
        ),
        with(
            base("7", "rating", json!(-1)),
            json!({ "traceId": "t", "environment": "prod", "metadata": { "k": "v" } }),
        ),
    ];
    let events: Vec<Value> = all
        .iter()
        .enumerate()
        .map(|(at, score)| {
            event(
                &at.to_string(),
                &format!("2026-11-03T10:00:0{at}.000Z"),
                score,
            )
        })
        .collect();
    let answer = Scores(project).batch(&events).await;
    assert_eq!(answer["errors"], json!([]));
    Scores(project).stored("7").await;
}

fn encoded(filter: &Value) -> String {
    let pair = [("filter", filter.to_string())];
    let url = reqwest::Url::parse_with_params("http://x/", &pair).unwrap();
    format!("?{}", url.query().unwrap())
}

#[tokio::test]
async fn every_parameter_of_the_second_version_narrows_the_list() {
    let project = shared().await.new_project();
    let scores = Scores(&project);
    seven(&project).await;
    for (query, expected) in [
        ("", "7 6 5 4 3 2 1"),
        ("?limit=2&page=2", "5 4"),
        ("?name=rating", "7 2 1"),
        ("?traceId=t", "7 6 2 1"),
        ("?observationId=o,p", "2"),
        ("?sessionId=s", "4"),
        ("?datasetRunId=r", "5"),
        ("?queueId=q", "5"),
        ("?source=EVAL", "3"),
        ("?dataType=CATEGORICAL", "5 4"),
        ("?environment=prod", "7"),
        ("?environment=prod&environment=staging", "7 6 5 4 3 2 1"),
        ("?scoreIds=1,4,9", "4 1"),
        ("?configId=none", ""),
        ("?name=rating&operator=%3E%3D&value=1", "2 1"),
        ("?name=rating&operator=%3C&value=0", "7"),
        ("?name=rating&operator=!=&value=1", "7 2"),
        (
            "?fromTimestamp=2026-11-03T10:00:02Z&toTimestamp=2026-11-03T10:00:04Z",
            "4 3",
        ),
        ("?unknown=1&name=ok", "3"),
    ] {
        let ids = scores.ids(&format!("/v2/scores{query}")).await;
        assert_eq!(ids.join(" "), expected, "{query}");
    }
    let filter = |column: &str, kind: &str, operator: &str, value: Value| json!([{ "type": kind, "column": column, "operator": operator, "value": value }]);
    for (filter, expected) in [
        (
            filter(
                "name",
                "stringOptions",
                "none of",
                json!(["rating", "tone"]),
            ),
            "6 3",
        ),
        (
            filter("comment", "string", "contains", json!("\"b\" %_")),
            "4",
        ),
        (filter("value", "number", ">", json!(1)), "2"),
        (filter("booleanValue", "boolean", "=", json!(true)), "3"),
        (
            filter("timestamp", "datetime", "<", json!("2026-11-03T10:00:01Z")),
            "1",
        ),
        (filter("sessionId", "null", "is not null", json!("")), "4"),
        (
            json!([{ "type": "stringObject", "column": "metadata", "key": "k", "operator": "=", "value": "v" }]),
            "7",
        ),
    ] {
        let ids = scores.ids(&format!("/v2/scores{}", encoded(&filter))).await;
        assert_eq!(ids.join(" "), expected, "{filter}");
    }
    let list = scores.found("/v2/scores?limit=2&page=9").await;
    let meta = json!({ "page": 9, "limit": 2, "totalItems": 7, "totalPages": 4 });
    assert_eq!((&list["meta"], &list["data"]), (&meta, &json!([])));
    for wrong in [
        "limit=101",
        "page=0",
        "source=X",
        "dataType=X",
        "operator=%3E",
        "value=1",
        "value=x&operator=%3E",
        "fromTimestamp=x",
        "filter=%5B",
        "filter=%5B%7B%7D%5D",
        "fields=score&userId=u",
    ] {
        let answer = scores.get(&format!("/v2/scores?{wrong}")).await;
        assert_eq!(answer.status, StatusCode::BAD_REQUEST, "{wrong}");
    }
}

#[tokio::test]
async fn the_first_version_knows_traces_and_observations_only() {
    let project = shared().await.new_project();
    let scores = Scores(&project);
    seven(&project).await;
    assert_eq!(scores.ids("/scores").await.join(" "), "7 3 2 1");
    assert_eq!(scores.found("/scores").await["meta"]["totalItems"], 4);
    for (id, status) in [
        ("1", StatusCode::OK),
        ("4", StatusCode::NOT_FOUND),
        ("6", StatusCode::NOT_FOUND),
    ] {
        assert_eq!(
            scores.get(&format!("/scores/{id}")).await.status,
            status,
            "{id}"
        );
    }
    assert_eq!(
        scores.get("/v2/scores/none").await.status,
        StatusCode::NOT_FOUND
    );
}

#[tokio::test]
async fn scores_stand_beside_their_trace_and_are_found_by_it() {
    let project = shared().await.new_project();
    let scores = Scores(&project);
    let span = SpanBuilder::root("turn")
        .attribute("user.id", "ada")
        .attribute("session.id", "chat")
        .attribute("langfuse.trace.tags", json!(["a", "b"]).to_string());
    project.accept_traces(&export([&span])).await;
    project.trace_with_spans(span.trace_id(), 1).await;
    for (id, trace) in [("with", span.trace_id()), ("without", "never-came")] {
        scores
            .posted(&json!({ "id": id, "traceId": trace, "name": "n", "value": 1 }))
            .await;
        scores.stored(id).await;
    }
    for path in [
        "/v2/scores?userId=ada",
        "/v2/scores?traceTags=a,b",
        "/scores?userId=ada",
    ] {
        let list = scores.found(path).await;
        assert_eq!(list["data"].as_array().unwrap().len(), 1, "{path}: {list}");
        let trace = &list["data"][0]["trace"];
        assert_eq!(
            (&trace["userId"], &trace["tags"]),
            (&json!("ada"), &json!(["a", "b"]))
        );
        assert_eq!(trace["sessionId"], "chat");
    }
    for path in ["/v2/scores?userId=bob", "/v2/scores?traceTags=a,c"] {
        assert_eq!(scores.ids(path).await, [""; 0], "{path}");
    }
    let list = scores.found("/v2/scores?scoreIds=without").await;
    assert_eq!(list["data"][0].get("trace"), Some(&Value::Null));
    let list = scores.found("/v2/scores?fields=score").await;
    assert_eq!(list["data"][0].get("trace"), None);
}

#[tokio::test]
async fn the_third_version_is_strict_and_goes_on_by_cursor() {
    let project = shared().await.new_project();
    let scores = Scores(&project);
    seven(&project).await;
    for (query, expected) in [
        ("", "7 6 5 4 3 2 1"),
        ("?id=1,2,x", "2 1"),
        ("?name=tone,ok", "5 4 3"),
        ("?source=EVAL,ANNOTATION", "3"),
        ("?dataType=BOOLEAN,CORRECTION", "6 3"),
        ("?environment=prod", "7"),
        ("?queueId=q", "5"),
        ("?traceId=t,u&observationId=o", "2"),
        ("?sessionId=s", "4"),
        ("?experimentId=r", "5"),
        ("?dataType=NUMERIC&value=1,-1", "7 1"),
        ("?dataType=BOOLEAN&value=true", "3"),
        ("?dataType=BOOLEAN&value=false", ""),
        ("?dataType=CATEGORICAL&value=good", "4"),
        ("?dataType=NUMERIC&valueMin=1&valueMax=2.5", "2 1"),
        ("?fromTimestamp=2026-11-03T10:00:06Z", "7"),
        ("?authorUserId=x", ""),
        ("?configId=x", ""),
    ] {
        let ids = scores.ids(&format!("/v3/scores{query}")).await;
        assert_eq!(ids.join(" "), expected, "{query}");
    }
    for wrong in [
        "foo=1",
        "userId=u",
        "traceTags=a",
        "page=1",
        "traceId=t&sessionId=s",
        "observationId=o",
        "value=1",
        "valueMin=1",
        "limit=0",
        "limit=101",
        "cursor=x",
        "fields=all",
        "source=X",
    ] {
        let answer = scores.get(&format!("/v3/scores?{wrong}")).await;
        assert_eq!(answer.status, StatusCode::BAD_REQUEST, "{wrong}");
    }
    let (mut seen, mut query) = (Vec::new(), "?limit=3".to_owned());
    loop {
        let slice = scores.found(&format!("/v3/scores{query}")).await;
        assert_eq!(slice["meta"]["limit"], 3);
        let ids = slice["data"].as_array().unwrap().iter();
        seen.extend(ids.map(|score| score["id"].as_str().unwrap().to_owned()));
        match slice["meta"].get("cursor") {
            Some(cursor) => query = format!("?limit=3&cursor={}", cursor.as_str().unwrap()),
            None => break,
        }
    }
    assert_eq!(seen.join(" "), "7 6 5 4 3 2 1");
}

#[tokio::test]
async fn groups_of_fields_are_given_where_they_are_asked_for() {
    let project = shared().await.new_project();
    let scores = Scores(&project);
    seven(&project).await;
    let list = scores.found("/v3/scores").await;
    let values: Vec<&Value> = list["data"]
        .as_array()
        .unwrap()
        .iter()
        .map(|score| &score["value"])
        .collect();
    let expected = [
        json!(-1.0),
        json!("right"),
        json!("bad"),
        json!("good"),
        json!(true),
        json!(2.5),
        json!(1.0),
    ];
    assert_eq!(values, expected.iter().collect::<Vec<_>>());
    for absent in ["comment", "subject", "queueId"] {
        assert_eq!(list["data"][0].get(absent), None, "{absent}");
    }
    let list = scores
        .found("/v3/scores?fields=details,subject,annotation")
        .await;
    let of = |at: usize| &list["data"][at];
    assert_eq!(of(0)["metadata"], json!({ "k": "v" }));
    assert_eq!(of(0)["subject"], json!({ "kind": "trace", "id": "t" }));
    assert_eq!(of(2)["subject"], json!({ "kind": "experiment", "id": "r" }));
    assert_eq!(of(2)["queueId"], "q");
    assert_eq!(of(3)["subject"], json!({ "kind": "session", "id": "s" }));
    assert_eq!(of(3)["comment"], "a, \"b\" %_");
    assert_eq!(
        of(5)["subject"],
        json!({ "kind": "observation", "id": "o", "traceId": "t" })
    );
}

#[tokio::test]
async fn scores_of_one_instant_come_each_once() {
    let project = shared().await.new_project();
    let scores = Scores(&project);
    let at = "2026-11-03T10:00:00.000Z";
    let events: Vec<Value> = (0..150)
        .map(|n| {
            let score = json!({ "id": format!("s{n}"), "traceId": "t", "name": "n", "value": n });
            event(&n.to_string(), at, &score)
        })
        .collect();
    scores.batch(&events).await;
    eventually("all are there", async || {
        match scores.found("/v2/scores?limit=1").await["meta"]["totalItems"].as_u64() {
            Some(150) => Ok(()),
            other => Err(format!("{other:?}")),
        }
    })
    .await;
    let mut pages = scores.ids("/v2/scores?limit=100").await;
    pages.extend(scores.ids("/v2/scores?limit=100&page=2").await);
    let first = scores.found("/v3/scores?limit=100").await;
    let cursor = first["meta"]["cursor"].as_str().unwrap();
    let rest = scores
        .ids(&format!("/v3/scores?limit=100&cursor={cursor}"))
        .await;
    assert_eq!(rest, pages[100..]);
    pages.sort_unstable();
    pages.dedup();
    assert_eq!(pages.len(), 150);
}
