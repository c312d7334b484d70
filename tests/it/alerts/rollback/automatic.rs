//! An incident is laid to a version: the label goes back by itself, or a person is asked.

use std::collections::BTreeSet;
use std::time::Duration;

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use tests::builders::{SpanBuilder, now_nanos};
use tests::{ProjectClient, Server, eventually_within, shared};

use super::super::receiver::Receiver;
use super::super::{failed as failing, incidents, made, send, server, webhook};
use super::{
    MINUTE, NAME, ask, database, failed, history, post, served, set_policy, use_of, uses, versions,
};

pub(super) const LONG: Duration = Duration::from_secs(120);

/// A rule over the share of failed calls of the last ten seconds.
async fn rule(client: &ProjectClient, name: &str, channels: &[&str]) {
    let rule = json!({
        "name": name, "kind": "threshold", "series": "request.errors:rate",
        "params": {"value": 0.05, "window_s": 10, "keep_s": 0}, "severity": "P1",
        "filter": {"model": "m"}, "channels": channels,
    });
    made(client, "/api/v1/alert-rules", rule).await;
}

/// Lets calls fail until so many incidents are there; their ids by the names of their rules.
async fn trouble(client: &ProjectClient, rules: &[&str]) -> Vec<String> {
    send(client, &[failing(now_nanos())]).await;
    let count = rules.len();
    let all = incidents(client, "the incidents", |all| all.len() == count).await;
    let id_of = |name: &&str| {
        let named = all
            .iter()
            .find(|incident| incident["rule"]["name"] == **name);
        named.unwrap()["id"].as_str().unwrap().to_owned()
    };
    rules.iter().map(id_of).collect()
}

/// What an attribution leaves behind that lays an incident to a version of the prompt; whether it is new.
pub(super) async fn lay(
    server: &Server,
    client: &ProjectClient,
    incident: &str,
    (from, to): (i32, Option<i32>),
) -> bool {
    let mut postgres = database(server).await;
    let laid = sqlx::query(
        "INSERT INTO rollbacks
             (id, project_id, prompt_name, label, from_version, to_version, incident_id,
              is_automatic, actor, state, reason, checks, created_at, next_at)
         VALUES
             (gen_random_uuid(), $1::UUID, $2, 'production', $3, $4, $5::UUID, TRUE, 'server',
              'waiting', '', '[]', now(), now())
         ON CONFLICT DO NOTHING",
    )
    .bind(client.project_id.as_deref().unwrap())
    .bind(NAME)
    .bind(from)
    .bind(to)
    .bind(incident)
    .execute(&mut postgres)
    .await
    .unwrap();
    laid.rows_affected() == 1
}

/// The rollback of an incident, once it is decided.
pub(super) async fn decided(client: &ProjectClient, incident: &str) -> Value {
    eventually_within(LONG, "what is decided", async || {
        let all = history(client).await;
        let found = all
            .iter()
            .find(|rollback| rollback["incident_id"] == incident && rollback["automatic"] == true);
        match found.filter(|rollback| rollback["state"] != "waiting") {
            Some(rollback) => Ok(rollback.clone()),
            None => Err(all),
        }
    })
    .await
}

pub(super) async fn whole(client: &ProjectClient, incident: &str) -> Value {
    client
        .get_json(&format!("/api/v1/incidents/{incident}"))
        .await
}

pub(super) fn moments<'w>(whole: &'w Value, what: &str) -> Vec<&'w Value> {
    let all = whole["timeline"].as_array().unwrap().iter();
    all.filter(|moment| moment["what"] == what).collect()
}

/// Types of the messages that came, each once.
fn types(receiver: &Receiver) -> BTreeSet<String> {
    let all = receiver.messages();
    let bodies = all
        .iter()
        .map(|message| serde_json::from_str::<Value>(&message.body).unwrap());
    bodies
        .map(|body| body["type"].as_str().unwrap().to_owned())
        .collect()
}

async fn told(receiver: &Receiver, kind: &str) -> Value {
    eventually_within(LONG, kind, async || {
        let all = receiver.messages();
        let mut bodies = all
            .iter()
            .map(|message| serde_json::from_str::<Value>(&message.body).unwrap());
        bodies.find(|body| body["type"] == kind).ok_or(all.len())
    })
    .await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_label_goes_back_by_itself_once_and_its_incident_notes_how_long_recovery_took() {
    let server = server().await;
    let client = server.new_project();
    let receiver = Receiver::start(&[]).await;
    let channel = webhook(&client, &receiver).await;
    versions(&client, 2).await;
    uses(&client, 1, 40, 10, 50).await;
    let policy = json!({"mode": "auto"});
    assert_eq!(set_policy(&client, policy).await.0, StatusCode::OK);
    rule(&client, "errors", &[&channel]).await;
    let incident = trouble(&client, &["errors"]).await.remove(0);
    assert!(lay(&server, &client, &incident, (2, Some(1))).await);
    let done = decided(&client, &incident).await;
    assert_eq!(
        (&done["state"], &done["actor"], &done["allowed"]),
        (&json!("applied"), &json!("server"), &json!(true)),
        "{done}"
    );
    assert_eq!(served(&client).await, 1);
    // An incident moves a label once, however often its attribution is told.
    assert!(!lay(&server, &client, &incident, (2, Some(1))).await);
    let message = told(&receiver, "incident.rolled_back").await;
    assert_eq!(message["data"]["rollback"]["to_version"], 1, "{message}");
    assert_eq!(message["data"]["incident"]["id"], json!(incident));

    let over = eventually_within(LONG, "the incident is over", async || {
        let good = use_of(1, 0, 50);
        send(&client, &[good]).await;
        let whole = whole(&client, &incident).await;
        match &whole["state"] {
            state if state == "resolved" => Ok(whole),
            _ => Err(whole),
        }
    })
    .await;
    assert_eq!(over["resolution"], "recovered");
    assert_eq!(moments(&over, "rolled_back").len(), 1, "{over}");
    let noted = moments(&over, "rolled_back_recovered");
    let seconds = over["rollbacks"][0]["recovered_after_s"].as_i64().unwrap();
    assert!((0..=240).contains(&seconds), "{over}");
    let detail = noted[0]["detail"].as_str().unwrap();
    assert!(detail.contains(&format!("after {seconds} s")), "{detail}");
    told(&receiver, "incident.resolved").await;
    let all = [
        "incident.fired",
        "incident.rolled_back",
        "incident.resolved",
    ];
    assert_eq!(types(&receiver), all.map(str::to_owned).into());
    // It can be undone like any other.
    let (_, undone) = post(&client, "/rollback/undo", json!({})).await;
    assert_eq!(undone["state"], "undone");
    assert_eq!(served(&client).await, 2);
    let undone = whole(&client, &incident).await;
    assert_eq!(moments(&undone, "rollback_undone").len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_version_that_an_attribution_names_is_taken_back() {
    let client = shared().await.new_project();
    versions(&client, 2).await;
    assert_eq!(
        set_policy(&client, json!({"mode": "auto"})).await.0,
        StatusCode::OK
    );
    let second = MINUTE / 60;
    let mut calls: Vec<SpanBuilder> = (24..300)
        .map(|tenth| use_of(1, tenth * 10 * second, 50))
        .collect();
    for ago in 1..60 {
        let bad = use_of(2, ago * second, 50).field("status", json!({"code": 2}));
        calls.extend([bad, use_of(1, ago * second, 50)]);
    }
    send(&client, &calls).await;
    let rule = json!({
        "name": "errors", "kind": "threshold", "series": "request.errors:rate",
        "params": {"value": 0.05, "window_s": 600}, "severity": "P1",
    });
    made(&client, "/api/v1/alert-rules", rule).await;
    let all = incidents(&client, "an incident", |all| all.len() == 1).await;
    let incident = all[0]["id"].as_str().unwrap();
    let done = decided(&client, incident).await;
    let shown = whole(&client, incident).await;
    assert_eq!(done["state"], "applied", "{shown:#}");
    assert_eq!(
        (&done["from_version"], &done["to_version"]),
        (&json!(2), &json!(1))
    );
    assert_eq!(served(&client).await, 1);
    let blamed = &shown["attribution"]["culprits"][0]["value"];
    assert_eq!(blamed, &json!(format!("{NAME}@2")), "{shown:#}");
    assert_eq!(
        (
            moments(&shown, "rolled_back").len(),
            shown["rollbacks"].as_array().unwrap().len()
        ),
        (1, 1)
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn where_something_speaks_against_it_a_person_is_asked() {
    let server = server().await;
    let client = server.new_project();
    let receiver = Receiver::start(&[]).await;
    let channel = webhook(&client, &receiver).await;
    versions(&client, 3).await;
    uses(&client, 2, 3, 10, 50).await;
    let auto = json!({"mode": "auto"});
    assert_eq!(set_policy(&client, auto.clone()).await.0, StatusCode::OK);
    let rules = ["few", "moved", "suspect", "suggest", "cooling", "none"];
    rule(&client, "few", &[&channel]).await;
    for name in &rules[1..] {
        rule(&client, name, &[]).await;
    }
    let ids = trouble(&client, &rules).await;
    // Too few requests of version 2.
    lay(&server, &client, &ids[0], (3, Some(2))).await;
    let asked = decided(&client, &ids[0]).await;
    assert_eq!(
        (&asked["state"], served(&client).await),
        (&json!("suggested"), json!(3))
    );
    assert!(
        failed(&asked["checks"]).contains(&"request.count"),
        "{asked}"
    );
    let message = told(&receiver, "incident.rollback_suggested").await;
    assert_eq!(message["data"]["rollback"]["checks"], asked["checks"]);
    let shown = whole(&client, &ids[0]).await;
    assert_eq!(shown["rollbacks"], json!([asked]));
    assert_eq!(moments(&shown, "rollback_suggested").len(), 1, "{shown}");
    // The label stands elsewhere.
    lay(&server, &client, &ids[1], (2, Some(1))).await;
    let refused = decided(&client, &ids[1]).await;
    assert_eq!(refused["state"], "refused");
    assert!(
        refused["reason"].as_str().unwrap().contains("version 3"),
        "{refused}"
    );
    // An incident that goes on is laid to version 2 since.
    uses(&client, 2, 40, 10, 50).await;
    lay(&server, &client, &ids[2], (3, Some(2))).await;
    let asked = decided(&client, &ids[2]).await;
    assert_eq!(
        (&asked["state"], &asked["allowed"]),
        (&json!("suggested"), &json!(true))
    );
    assert!(
        asked["reason"]
            .as_str()
            .unwrap()
            .contains("laid to version 2"),
        "{asked}"
    );
    // The policy is to suggest.
    uses(&client, 1, 40, 10, 50).await;
    assert_eq!(
        set_policy(&client, json!({"mode": "suggest"})).await.0,
        StatusCode::OK
    );
    lay(&server, &client, &ids[3], (3, Some(1))).await;
    let asked = decided(&client, &ids[3]).await;
    assert_eq!(
        (&asked["state"], served(&client).await),
        (&json!("suggested"), json!(3))
    );
    // A person says yes; the incident knows.
    let (_, done) = post(&client, "/rollback", json!({"to_version": 1})).await;
    assert_eq!(done["applied"], true, "{done}");
    let id = done["rollback"]["incident_id"].as_str().unwrap();
    assert!(ids.iter().any(|known| known == id), "{done}");
    assert_eq!(moments(&whole(&client, id).await, "rolled_back").len(), 1);
    // Nowhere to go.
    let (_, _) = post(&client, "/rollback/undo", json!({})).await;
    assert_eq!(set_policy(&client, auto).await.0, StatusCode::OK);
    lay(&server, &client, &ids[5], (3, None)).await;
    let asked = decided(&client, &ids[5]).await;
    assert_eq!(
        (&asked["state"], &asked["checks"]),
        (&json!("suggested"), &json!([]))
    );
    assert_eq!(served(&client).await, 3);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_label_that_went_back_by_itself_does_not_do_so_again_soon() {
    let server = server().await;
    let client = server.new_project();
    versions(&client, 2).await;
    uses(&client, 1, 40, 10, 50).await;
    assert_eq!(
        set_policy(&client, json!({"mode": "auto"})).await.0,
        StatusCode::OK
    );
    rule(&client, "one", &[]).await;
    rule(&client, "two", &[]).await;
    let ids = trouble(&client, &["one", "two"]).await;
    lay(&server, &client, &ids[0], (2, Some(1))).await;
    assert_eq!(decided(&client, &ids[0]).await["state"], "applied");
    // Somebody puts it forth again in another way.
    let label = "/api/public/v2/prompts/team%2Fgreet/versions/2";
    let labels = json!({"newLabels": ["production"]});
    assert_eq!(
        ask(&client, Method::PATCH, label, labels).await.0,
        StatusCode::OK
    );
    let (status, _) = post(&client, "/rollback/undo", json!({})).await;
    assert_eq!(status, StatusCode::CONFLICT);
    lay(&server, &client, &ids[1], (2, Some(1))).await;
    let asked = decided(&client, &ids[1]).await;
    assert_eq!(
        (&asked["state"], &asked["allowed"]),
        (&json!("suggested"), &json!(true))
    );
    assert!(
        asked["reason"]
            .as_str()
            .unwrap()
            .contains("went back by itself before"),
        "{asked}"
    );
    assert_eq!(served(&client).await, 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_kill_between_attribution_and_rollback_loses_nothing_and_repeats_nothing() {
    let server = server().await;
    let client = server.new_project();
    versions(&client, 2).await;
    uses(&client, 1, 40, 10, 50).await;
    assert_eq!(
        set_policy(&client, json!({"mode": "auto"})).await.0,
        StatusCode::OK
    );
    rule(&client, "errors", &[]).await;
    let incident = trouble(&client, &["errors"]).await.remove(0);
    lay(&server, &client, &incident, (2, Some(1))).await;
    server.kill();
    server.start_again().await;
    let done = decided(&client, &incident).await;
    assert_eq!(done["state"], "applied", "{done}");
    assert_eq!(
        (served(&client).await, history(&client).await.len()),
        (json!(1), 1)
    );
    let shown = whole(&client, &incident).await;
    assert_eq!(moments(&shown, "rolled_back").len(), 1, "{shown}");
}
