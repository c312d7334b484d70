//! What evaluators made of the traces of somebody.

use serde_json::{Value, json};
use sqlx::{Connection, PgConnection};
use tests::builders::{export, now_nanos};
use tests::{ProjectClient, Server, eventually_within};

use super::{ask, of_user, project, send, verified};

/// What an evaluator has done since yesterday.
async fn day(client: &ProjectClient, evaluator: &str) -> Value {
    let path = format!("/api/v1/evaluators/{evaluator}");
    client.get_json(&path).await["last_24_h"].clone()
}

#[tokio::test(flavor = "multi_thread")]
async fn what_evaluators_made_of_a_user_goes_along() {
    let server = Server::start().await;
    let (member, admin) = project(&server);
    let text = std::fs::read(server.data_dir().join("run/server.json")).unwrap();
    let run: Value = serde_json::from_slice(&text).unwrap();
    let url = run["database_url"].as_str().unwrap();
    let mut postgres = PgConnection::connect(url).await.unwrap();
    let evaluator = json!({"name": "polite", "enabled": true, "filter": "",
        "rule": {"check": "contains", "value": "thank you"}});
    let path = "/api/v1/evaluators";
    let (status, made) = send(&admin, reqwest::Method::POST, path, &evaluator).await;
    assert!(status.is_success(), "{made}");
    let about = json!({"name": "about one", "enabled": false, "filter": "user:leaves",
        "rule": {"check": "contains", "value": "user leaves"}});
    let (status, about) = send(&admin, reqwest::Method::POST, path, &about).await;
    assert!(status.is_success(), "{about}");
    let [gone, stays] = ["leaves", "stays"].map(|user| {
        of_user("answers", user)
            .field("endTimeUnixNano", now_nanos().to_string())
            .attribute("langfuse.observation.output", "Thank you!")
    });
    member.accept_traces(&export([&gone])).await;
    member.accept_traces(&export([&stays])).await;
    let id = made["id"].as_str().unwrap();
    let patience = std::time::Duration::from_secs(60);
    eventually_within(patience, "both are scored", async || {
        let day = day(&admin, id).await;
        if day["scored"] == 2 { Ok(()) } else { Err(day) }
    })
    .await;

    let deletion = verified(&admin, &ask(&admin, "leaves").await).await;
    assert_eq!(deletion["counts"]["evaluations"], 1, "{deletion}");
    let left: Vec<String> = sqlx::query_scalar("SELECT trace_id FROM evaluations")
        .fetch_all(&mut postgres)
        .await
        .unwrap();
    assert_eq!(left, [stays.trace_id()]);
    // The filter no longer names anybody; what the rule looks for is not about a person.
    let path = format!("/api/v1/evaluators/{}", about["id"].as_str().unwrap());
    let about = admin.get_json(&path).await;
    assert_eq!(about["filter"], "[deleted]", "{about}");
    assert_eq!(about["rule"]["value"], "user leaves", "{about}");
}
