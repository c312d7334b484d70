//! What a server began, another one ends, and nothing is done twice.

use reqwest::Method;
use serde_json::json;
use tests::Server;

use super::provider::Provider;
use super::{answered, becomes, connected, done, made, scored, settings};

#[tokio::test(flavor = "multi_thread")]
async fn over_a_restart_each_span_is_asked_about_once() {
    let server = Server::start_with(settings()).await;
    let client = server.client();
    let provider = Provider::start().await;
    let connection = connected(&client, &provider).await;
    let judge =
        json!({"connection_id": connection, "model": "yes", "prompt": "Is {{output}} right?"});
    let body = json!({"name": "Right", "enabled": true, "score": {"data_type": "BOOLEAN"}, "judge": judge});
    let path = made(&client, body).await;
    for number in 0..3 {
        let trace = answered(&client, "a", &format!("answer {number}")).await;
        assert_eq!(scored(&client, &trace).await["value"], 1.0);
    }
    becomes(&client, (&path, "three are done"), |evaluator| {
        evaluator["last_24_h"]["scored"] == 3
    })
    .await;
    server.kill();
    server.start_again().await;
    let last = answered(&client, "a", "answer 3").await;
    assert_eq!(scored(&client, &last).await["value"], 1.0);
    becomes(&client, (&path, "all are done"), |evaluator| {
        evaluator["last_24_h"]["scored"] == 4 && evaluator["waiting"] == 0
    })
    .await;
    let mut asked = provider.asked("yes");
    asked.sort();
    assert_eq!(asked.len(), 4, "{asked:?}");
    done(&client, Method::PATCH, &path, json!({"enabled": false})).await;
}
