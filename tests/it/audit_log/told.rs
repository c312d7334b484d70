//! What is written down, and for whom.

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use tests::builders::{SpanBuilder, export};
use tests::{ProjectClient, eventually, shared};
use tokio::task::JoinSet;

use super::{exported, set_something, verdict};
use crate::deletions::{ask, project, verified};

/// Entries of an action once there are so many.
async fn of_action(admin: &ProjectClient, action: &str, many: usize) -> Vec<Value> {
    eventually(&format!("{many} entries {action}"), async || {
        let path = format!("/api/v1/audit-log?action={action}");
        let found = admin.get_json(&path).await["data"]
            .as_array()
            .unwrap()
            .clone();
        match found.len() == many {
            true => Ok(found),
            false => Err(json!(found).to_string()),
        }
    })
    .await
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_sees_a_trace_is_written_down_once_and_its_content_is_not() {
    let (member, admin) = project(shared().await);
    let span = SpanBuilder::root("chat").attribute("input.value", "a secret word");
    member.accept_traces(&export([&span])).await;
    member.trace_with_spans(span.trace_id(), 1).await;
    let trace = span.trace_id();
    for _ in 0..3 {
        admin.get_json(&format!("/api/v1/traces/{trace}")).await;
        let path = format!("/api/public/traces/{trace}");
        assert!(admin.get(&path).await.status().is_success());
    }
    let path = format!("content.viewed&object=trace:{trace}");
    let seen = of_action(&admin, &path, 2).await;
    assert_ne!(seen[0]["actor"], seen[1]["actor"], "each of them: {seen:?}");
    let missing = "00000000000000000000000000000001";
    admin.get(&format!("/api/v1/traces/{missing}")).await;
    set_something(&admin, "m").await;
    of_action(&admin, "objectives.create", 1).await;
    let all = json!(exported(&admin).await).to_string();
    assert!(!all.contains(missing), "nobody saw what is not there");
    assert!(!all.contains("a secret word"), "{all}");
    assert_eq!(verdict(&admin).await["is_valid"], true);
}

#[tokio::test(flavor = "multi_thread")]
async fn only_admins_read_it_a_page_at_a_time_and_take_it_along() {
    let (member, admin) = project(shared().await);
    for path in ["", "/verify", "?format=jsonl"] {
        let answer = member.get(&format!("/api/v1/audit-log{path}")).await;
        assert_eq!(answer.status(), StatusCode::FORBIDDEN, "{path}");
    }
    for n in 0..3 {
        set_something(&admin, &format!("m{n}")).await;
    }
    let list = "/api/v1/audit-log?action=objectives.&limit=2";
    let first = admin.get_json(list).await;
    let cursor = first["next_cursor"].as_str().unwrap();
    let rest = admin.get_json(&format!("{list}&cursor={cursor}")).await;
    assert_eq!(first["data"].as_array().unwrap().len(), 2);
    assert_eq!(rest["data"].as_array().unwrap().len(), 1, "{rest}");
    assert!(rest["next_cursor"].is_null());
    let narrowed = admin
        .get("/api/v1/audit-log?format=jsonl&action=key.")
        .await;
    assert_eq!(narrowed.status(), StatusCode::BAD_REQUEST);
    exported(&admin).await;
    let lines = exported(&admin).await;
    let exports = lines
        .iter()
        .filter(|line| line["action"] == "audit_log.exported");
    assert_eq!(exports.count(), 2, "an export is written down, too");
    let (mut known, mut wrong) = (lines[0].clone(), lines[0].clone());
    let ask = async |line: &Value| {
        let (entry, hash) = (&line["entry"], line["hash"].as_str().unwrap());
        let path = format!("/api/v1/audit-log/verify?entry={entry}&hash={hash}");
        admin.get_json(&path).await
    };
    assert_eq!(ask(&known).await["is_valid"], true);
    known["entry"] = json!(1_000_000);
    assert_eq!(ask(&known).await["first_broken"]["reason"], "cut");
    wrong["hash"] = json!("0".repeat(64));
    let told = json!({"entry": 1, "reason": "rewritten"});
    assert_eq!(ask(&wrong).await["first_broken"], told);
}

#[tokio::test(flavor = "multi_thread")]
async fn many_who_write_at_once_make_one_chain() {
    let (_, admin) = project(shared().await);
    let mut writes = JoinSet::new();
    for n in 0..40 {
        let admin = admin.clone();
        writes.spawn(async move { set_something(&admin, &format!("model-{n}")).await });
    }
    assert_eq!(writes.join_all().await.len(), 40);
    let verdict = verdict(&admin).await;
    assert_eq!(verdict["is_valid"], true, "{verdict}");
    let lines = exported(&admin).await;
    let numbers: Vec<u64> = lines
        .iter()
        .filter_map(|line| line["entry"].as_u64())
        .collect();
    let expected: Vec<u64> = (1..=lines.len() as u64).collect();
    assert_eq!(numbers, expected);
    let made = lines
        .iter()
        .filter(|line| line["action"] == "objectives.create");
    assert_eq!(made.count(), 40);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_names_a_forgotten_user_is_blanked_and_the_chain_still_holds() {
    let (member, admin) = project(shared().await);
    let user = "ada-lovelace-1815";
    let hold = json!({"user_id": "somebody else", "reason": format!("not {user}")});
    let request = admin
        .request(Method::POST, "/api/v1/legal-holds")
        .json(&hold);
    assert!(request.send().await.unwrap().status().is_success());
    let session = "talk-with-ada";
    let span = SpanBuilder::root("chat")
        .attribute("user.id", user)
        .attribute("session.id", session);
    member.accept_traces(&export([&span])).await;
    member.trace_with_spans(span.trace_id(), 1).await;
    let path = format!("/api/v1/sessions/{session}");
    assert!(admin.get(&path).await.status().is_success());
    of_action(
        &admin,
        &format!("content.viewed&object=session:{session}"),
        1,
    )
    .await;
    let before = json!(exported(&admin).await).to_string();
    assert!(
        before.contains(user) && before.contains(session),
        "{before}"
    );
    verified(&admin, &ask(&admin, user).await).await;
    let after = json!(exported(&admin).await).to_string();
    assert!(!after.contains(user) && !after.contains(session), "{after}");
    let verdict = verdict(&admin).await;
    assert_eq!(
        (&verdict["is_valid"], &verdict["blanked"]),
        (&json!(true), &json!(2))
    );
    let listed = admin.get_json("/api/v1/audit-log?limit=1000").await;
    let blanked = listed["data"].as_array().unwrap().iter();
    assert_eq!(
        blanked.filter(|entry| entry["is_blanked"] == true).count(),
        2
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn keys_that_are_made_and_revoked_are_written_down_without_their_secrets() {
    let organisation = shared().await.new_organisation();
    let id = organisation.project.project_id.clone().unwrap();
    let path = format!("/api/public/projects/{id}/apiKeys");
    let request = organisation.client.request(Method::POST, &path);
    let made: Value = request
        .json(&json!({}))
        .send()
        .await
        .unwrap()
        .json()
        .await
        .unwrap();
    let key = format!("{path}/{}", made["id"].as_str().unwrap());
    let gone = organisation
        .client
        .request(Method::DELETE, &key)
        .send()
        .await
        .unwrap();
    assert!(gone.status().is_success(), "{}", gone.status());
    let server = shared().await;
    let admin = server.admin(&["create-key", "--role", "admin", "--project", &id]);
    let text = |key: &str| admin[key].as_str().unwrap().to_owned();
    let admin = ProjectClient::new(server.http_url(), &text("public_key"), &text("secret_key"));
    let all = exported(&admin).await;
    let actions: Vec<&str> = all
        .iter()
        .filter_map(|line| line["action"].as_str())
        .collect();
    let made_here = "key.created";
    let expected = [made_here, "key.revoked", made_here, "audit_log.exported"];
    assert_eq!(actions, expected);
    let secret = made["secretKey"].as_str().unwrap();
    assert!(!json!(all).to_string().contains(secret));
}
