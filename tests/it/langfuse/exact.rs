//! Numbers that most readers cannot hold, and halves of characters: what was sent is what is read.

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use tests::builders::{SpanBuilder, export};
use tests::{ProjectClient, shared};

use super::{becomes, found};

/// A content as its client writes it; what is read of it.
const SENT: &str = r#"{"id":107505301260286111,"longer":123456789012345678901234567890,"few":12,
    "decimal":0.12345678901234567890,"sum":0.30000000000000004,"list":[-9007199254740993]}"#;

fn read() -> Value {
    json!({
        "id": "107505301260286111", "longer": "123456789012345678901234567890", "few": 12,
        "decimal": "0.12345678901234567890", "sum": 0.30000000000000004,
        "list": ["-9007199254740993"],
    })
}

async fn post(client: &ProjectClient, path: &str, body: String) -> StatusCode {
    let request = client.request(Method::POST, &format!("/api/public{path}"));
    let request = request.header("content-type", "application/json");
    request.body(body).send().await.unwrap().status()
}

#[tokio::test]
async fn numbers_of_many_digits_are_read_as_texts_whatever_the_way() {
    let client = shared().await.new_project();
    let batch = format!(
        r#"{{"batch":[{{"id":"e","type":"generation-create","timestamp":"2026-11-03T10:00:00Z","body":
        {{"id":"batch","traceId":"t","input":{SENT},"metadata":{{"m":{SENT},"n":18446744073709551615}}}}}}]}}"#
    );
    assert_eq!(
        post(&client, "/ingestion", batch).await,
        StatusCode::MULTI_STATUS
    );
    let single = format!(r#"{{"id":"single","traceId":"t","input":{SENT}}}"#);
    assert_eq!(post(&client, "/spans", single).await, StatusCode::OK);
    let span = SpanBuilder::root("otlp").attribute("langfuse.observation.input", SENT);
    client.accept_traces(&export([&span])).await;
    becomes(&client, "/observations", |list| {
        list["meta"]["totalItems"] == 3
    })
    .await;
    for id in ["batch", "single", span.span_id()] {
        let shown = found(&client, &format!("/observations/{id}")).await;
        assert_eq!(shown["input"], read(), "{id}");
    }
    let shown = found(&client, "/observations/batch").await;
    assert_eq!(shown["metadata"]["m"], read());
    assert_eq!(shown["metadata"]["n"], "18446744073709551615");
}

#[tokio::test]
async fn items_of_datasets_keep_their_digits() {
    let client = shared().await.new_project();
    assert_eq!(
        post(&client, "/v2/datasets", json!({"name": "d"}).to_string()).await,
        StatusCode::OK
    );
    let item = format!(
        r#"{{"datasetName":"d","id":"exact","input":{SENT},"expectedOutput":[{SENT}],"metadata":{SENT}}}"#
    );
    assert_eq!(post(&client, "/dataset-items", item).await, StatusCode::OK);
    let shown = found(&client, "/dataset-items/exact").await;
    assert_eq!(shown["input"], read());
    assert_eq!(shown["expectedOutput"], json!([read()]));
    assert_eq!(shown["metadata"], read());
}

#[tokio::test]
async fn half_a_character_costs_no_body() {
    let client = shared().await.new_project();
    for (path, body) in [
        ("/v2/datasets", r#"{"name":"d","description":"cut \ud83d"}"#),
        (
            "/dataset-items",
            r#"{"datasetName":"d","id":"cut","input":"cut \ud83d"}"#,
        ),
        ("/spans", r#"{"id":"s","traceId":"t","input":"cut \ud83d"}"#),
        (
            "/scores",
            r#"{"name":"n","value":1,"traceId":"t","comment":"cut \ud83d"}"#,
        ),
        (
            "/scores",
            r#"[{"name":"n","value":1,"traceId":"t","comment":"cut \ud83d"}]"#,
        ),
    ] {
        let status = post(&client, path, body.to_owned()).await;
        assert!(status.is_success(), "{path}: {status}");
    }
    let shown = found(&client, "/dataset-items/cut").await;
    assert_eq!(shown["input"], "cut \u{fffd}");
}
