//! An incident of one version hears that all is well again, although nobody uses that version any more.

use serde_json::{Value, json};
use tests::builders::now_nanos;
use tests::eventually_within;

use super::super::{incidents, made, send, server};
use super::automatic::{LONG, decided, lay, moments, whole};
use super::{NAME, served, set_policy, use_of, uses, versions};

#[tokio::test(flavor = "multi_thread")]
async fn an_incident_of_a_version_is_over_where_the_one_before_does_well() {
    let server = server().await;
    let client = server.new_project();
    versions(&client, 2).await;
    uses(&client, 1, 40, 10, 50).await;
    set_policy(&client, json!({"mode": "auto"})).await;
    let rule = json!({
        "name": "errors of versions", "kind": "threshold", "series": "request.errors:rate",
        "params": {"value": 0.05, "window_s": 10, "keep_s": 0,
            "group_by": ["prompt", "prompt_version"]},
        "severity": "P1",
    });
    made(&client, "/api/v1/alert-rules", rule).await;
    let bad = use_of(2, 0, 50).field("status", json!({"code": 2}));
    send(&client, &[bad]).await;
    let all = incidents(&client, "an incident of the version", |all| all.len() == 1).await;
    let group = json!({"prompt": NAME, "prompt_version": "2"});
    assert_eq!(all[0]["group"], group, "{all:?}");
    let incident = all[0]["id"].as_str().unwrap();
    assert!(lay(&server, &client, incident, (2, Some(1))).await);
    let done = decided(&client, incident).await;
    assert_eq!(
        (&done["state"], served(&client).await),
        (&json!("applied"), json!(1))
    );
    let moved = now_nanos();
    // Only version 1 is used from now on.
    let over = eventually_within(LONG, "the incident is over", async || {
        send(&client, &[use_of(1, 0, 50)]).await;
        let whole = whole(&client, incident).await;
        match &whole["state"] {
            state if state == "resolved" => Ok(whole),
            _ => Err(whole),
        }
    })
    .await;
    assert_eq!(over["resolution"], "recovered", "{over}");
    let resolved = over["resolved_at"].as_str().unwrap();
    let resolved = domain::Timestamp::parse(resolved).unwrap().unix_nanos();
    assert!(resolved >= moved as i64 - 1_000_000_000, "{over}");
    let seconds = &over["rollbacks"][0]["recovered_after_s"];
    assert!(
        seconds.as_i64().is_some_and(|seconds| seconds >= 0),
        "{over}"
    );
    assert_eq!(moments(&over, "rolled_back_recovered").len(), 1, "{over}");
    let of_version: Vec<&Value> = all.iter().filter(|one| one["group"] == group).collect();
    assert_eq!(of_version.len(), 1);
}
