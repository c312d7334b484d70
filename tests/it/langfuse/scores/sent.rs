//! How scores come, come again, and go.

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use tests::builders::{SpanBuilder, export};
use tests::{eventually, shared};

use super::{Scores, event};

#[tokio::test]
async fn value_and_type_are_stored_as_clients_read_them() {
    let project = shared().await.new_project();
    let scores = Scores(&project);
    for (id, value, data_type, shown, words) in [
        ("zero", json!(0), None, json!(0.0), Value::Null),
        ("negative", json!(-1), None, json!(-1.0), Value::Null),
        (
            "small",
            json!(0.0001),
            Some("NUMERIC"),
            json!(0.0001),
            Value::Null,
        ),
        ("no", json!(0), Some("BOOLEAN"), json!(0.0), json!("False")),
        ("yes", json!(1), Some("BOOLEAN"), json!(1.0), json!("True")),
        ("label", json!("good"), None, json!(0.0), json!("good")),
        (
            "text",
            json!("some words"),
            Some("TEXT"),
            Value::Null,
            json!("some words"),
        ),
        (
            "correction",
            json!("right"),
            Some("CORRECTION"),
            json!(0.0),
            json!("right"),
        ),
    ] {
        let mut score = json!({ "id": id, "traceId": "t", "name": id, "value": value });
        if let Some(data_type) = data_type {
            score["dataType"] = data_type.into();
        }
        assert_eq!(scores.posted(&score).await, id);
        let stored = scores.stored(id).await;
        assert_eq!(
            (&stored["value"], &stored["stringValue"]),
            (&shown, &words),
            "{id}"
        );
        assert_eq!(stored["metadata"], json!({}));
        assert_eq!(stored["source"], "API");
    }
    assert_eq!(scores.stored("correction").await["name"], "output");
    assert_eq!(
        scores.get("/scores/correction").await.status,
        StatusCode::NOT_FOUND
    );
    for (id, data_type) in [
        ("zero", "NUMERIC"),
        ("yes", "BOOLEAN"),
        ("label", "CATEGORICAL"),
        ("text", "TEXT"),
    ] {
        let first = scores.found(&format!("/scores/{id}")).await;
        assert_eq!(first["dataType"], data_type);
        let third = scores.found(&format!("/v3/scores?id={id}")).await;
        assert_eq!(third["data"][0]["dataType"], data_type);
    }
    let unnamed =
        json!({ "sessionId": "s", "name": "n", "value": 1, "id": "", "metadata": { "a": [1] } });
    let id = scores.posted(&unnamed).await;
    let stored = scores.stored(&id).await;
    assert_eq!(
        (&stored["sessionId"], &stored["traceId"]),
        (&json!("s"), &Value::Null)
    );
    assert_eq!(stored["metadata"], json!({ "a": [1] }));
}

#[tokio::test]
async fn what_makes_no_sense_is_refused() {
    let project = shared().await.new_project();
    let scores = Scores(&project);
    let base = json!({ "traceId": "t", "name": "n", "value": 1 });
    for wrong in [
        json!({ "name": "" }),
        json!({ "name": null }),
        json!({ "value": null }),
        json!({ "value": "" }),
        json!({ "value": 2, "dataType": "BOOLEAN" }),
        json!({ "value": 1, "dataType": "CATEGORICAL" }),
        json!({ "value": "x".repeat(501), "dataType": "TEXT" }),
        json!({ "sessionId": "s" }),
        json!({ "traceId": null }),
        json!({ "traceId": null, "sessionId": "s", "observationId": "o" }),
        json!({ "dataType": "COLOUR" }),
        json!({ "source": "EVAL" }),
        json!({ "source": "ANNOTATION" }),
        json!({ "value": "x", "dataType": "CORRECTION", "traceId": null, "sessionId": "s" }),
        json!({ "id": "x".repeat(801) }),
    ] {
        let mut score = base.clone();
        for (field, value) in wrong.as_object().unwrap() {
            score[field] = value.clone();
        }
        let answer = scores.post(&score).await;
        assert_eq!(answer.status, StatusCode::BAD_REQUEST, "{wrong}");
        assert_eq!(answer.body["message"], "Invalid request data");
        assert!(
            answer.body["error"][0]["path"].is_array(),
            "{}",
            answer.body
        );
    }
    for body in [
        "{",
        "",
        "1e999",
        r#"{"traceId":"t","name":"n","value":1e999}"#,
        "NaN",
    ] {
        let answer = project
            .send_body("/api/public/scores", body.into(), "application/json")
            .await;
        assert_eq!(answer.status(), StatusCode::BAD_REQUEST, "{body}");
    }
}

#[tokio::test]
async fn the_later_one_of_an_id_stays_whatever_the_order_of_arrival() {
    let project = shared().await.new_project();
    let scores = Scores(&project);
    let score = |value: u32, trace: &str| json!({ "id": "s", "traceId": trace, "name": "n", "value": value });
    let newer = event("2", "2026-11-03T10:00:02.000Z", &score(2, "t"));
    let older = event("1", "2026-11-03T10:00:01.000Z", &score(1, "t"));
    let ways = [
        vec![newer.clone()],
        vec![older.clone()],
        vec![older, newer.clone(), newer],
    ];
    for (at, mut events) in ways.into_iter().enumerate() {
        // What was sent together is stored together.
        let mark = format!("mark{at}");
        let body = json!({ "id": mark, "sessionId": "s", "name": "mark", "value": 1 });
        events.push(event(&mark, "2026-11-03T10:00:00.000Z", &body));
        let answer = scores.batch(&events).await;
        assert_eq!(answer["errors"], json!([]));
        scores.stored(&mark).await;
        assert_eq!(scores.stored("s").await["value"], 2.0, "{mark}");
    }
    assert_eq!(scores.ids("/v2/scores?name=n").await, ["s"]);
    // A later one may judge something else; then it judges that alone.
    let moved = event("3", "2026-11-03T10:00:03.000Z", &score(3, "u"));
    scores.batch(&[moved]).await;
    scores.becomes("s", |score| score["traceId"] == "u").await;
    assert_eq!(scores.ids("/v2/scores?traceId=t").await, [""; 0]);
    assert_eq!(scores.ids("/v3/scores?traceId=u").await, ["s"]);
    let list = scores.found("/v2/scores?name=n").await;
    assert_eq!(list["meta"]["totalItems"], 1);
}

#[tokio::test]
async fn a_list_takes_each_score_for_itself_and_its_own_time() {
    let project = shared().await.new_project();
    let scores = Scores(&project);
    let list = json!([
        { "id": "a", "traceId": "t", "name": "n", "value": 1, "timestamp": "2026-11-03T10:00:02.123456Z" },
        { "id": "b", "traceId": "t", "name": "n" },
        { "id": "c", "traceId": "t", "name": "n", "value": 1, "timestamp": "yesterday" },
        7,
    ]);
    let request = project.request(Method::POST, "/api/public/scores");
    let answer = request.json(&list).send().await.unwrap();
    assert_eq!(answer.status(), StatusCode::MULTI_STATUS);
    let answer: Value = answer.json().await.unwrap();
    assert_eq!(answer["successes"], json!([{ "id": "a", "status": 201 }]));
    let refused: Vec<&Value> = answer["errors"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| &one["id"])
        .collect();
    assert_eq!(refused, ["b", "c", "unknown"]);
    assert_eq!(
        scores.stored("a").await["timestamp"],
        "2026-11-03T10:00:02.123Z"
    );
}

#[tokio::test]
async fn a_score_is_gone_once_it_is_deleted() {
    let project = shared().await.new_project();
    let scores = Scores(&project);
    let score = json!({ "id": "a/b", "traceId": "t", "name": "n", "value": 1 });
    scores.posted(&score).await;
    // It may still be on its way to the store.
    let path = "/scores/a%2Fb";
    let gone = scores.ask(Method::DELETE, path, None).await;
    assert_eq!(gone.status, StatusCode::ACCEPTED);
    assert!(gone.body["message"].is_string());
    assert_eq!(
        scores.get("/v2/scores/a%2Fb").await.status,
        StatusCode::NOT_FOUND
    );
    assert_eq!(scores.ids("/v3/scores").await, [""; 0]);
    let again = scores.ask(Method::DELETE, path, None).await;
    assert_eq!(again.status, StatusCode::ACCEPTED);
    let nobody = project.get("/api/public/scores/a%2Fb").await;
    let body: Value = nobody.json().await.unwrap();
    assert_eq!(body["error"], "LangfuseNotFoundError");
}

#[tokio::test]
async fn a_trace_takes_its_scores_along() {
    let project = shared().await.new_project();
    let scores = Scores(&project);
    let span = SpanBuilder::root("turn");
    project.accept_traces(&export([&span])).await;
    project.trace_with_spans(span.trace_id(), 1).await;
    for (id, target) in [("own", "traceId"), ("session", "sessionId")] {
        let mut score = json!({ "id": id, "name": "n", "value": 1 });
        score[target] = span.trace_id().into();
        scores.posted(&score).await;
        scores.stored(id).await;
    }
    let path = format!("/api/v1/traces/{}", span.trace_id());
    let deleted = project.request(Method::DELETE, &path).send().await.unwrap();
    assert_eq!(deleted.status(), StatusCode::NO_CONTENT);
    assert_eq!(scores.ids("/v2/scores").await, ["session"]);
    eventually("one score is left", async || {
        match scores.found("/v2/scores").await["meta"]["totalItems"].as_u64() {
            Some(1) => Ok(()),
            other => Err(format!("{other:?}")),
        }
    })
    .await;
}

#[tokio::test]
async fn a_nul_character_in_a_score_is_refused_and_its_field_named() {
    let project = shared().await.new_project();
    let scores = Scores(&project);
    for (field, value) in [
        ("id", json!("a\u{0}")),
        ("name", json!("a\u{0}")),
        ("comment", json!("\u{0}")),
        ("value", json!("a\u{0}b")),
        ("environment", json!("a\u{0}")),
        ("metadata", json!({ "a": ["\u{0}"] })),
    ] {
        let mut score = json!({ "traceId": "t", "name": "n", "value": "good" });
        score[field] = value;
        let answer = scores.post(&score).await;
        assert_eq!(answer.status, StatusCode::BAD_REQUEST, "{field}");
        assert!(answer.body.to_string().contains(field), "{}", answer.body);
    }
}
