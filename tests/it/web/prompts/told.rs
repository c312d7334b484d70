//! What versions come to, who may do what with prompts, and who is told of it.

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use tests::builders::{SpanBuilder, now_nanos};
use tests::eventually;

use super::{encoded, made, owner, post, served};
use crate::alerts::receiver::Receiver;
use crate::alerts::{call, send};
use crate::web::headers::Visitor;
use crate::web::tenancy::add_member;

/// A call with a version of a prompt that ended some seconds ago.
fn use_of(name: &str, version: u32, seconds: u64) -> SpanBuilder {
    call(now_nanos() - seconds * 1_000_000_000, 0.2)
        .attribute("langfuse.observation.prompt.name", name)
        .attribute("langfuse.observation.prompt.version", version)
        .attribute("gen_ai.usage.input_tokens", 100 * version)
        .attribute("gen_ai.usage.output_tokens", 20)
}

#[tokio::test(flavor = "multi_thread")]
async fn versions_are_told_with_what_they_come_to_and_how_sure_that_is() {
    let (mut owner, client, project) = owner().await;
    let name = format!("measured-{}", std::process::id());
    for text in ["one", "two", "three"] {
        made(
            &client,
            json!({"name": name, "prompt": text, "tags": [name]}),
        )
        .await;
    }
    let mut calls: Vec<SpanBuilder> = (0..20).map(|at| use_of(&name, 1, 100 + at)).collect();
    calls.extend((0..12).map(|at| use_of(&name, 2, 60 + at)));
    send(&client, &calls).await;
    let page = format!("{project}/prompts/{name}");
    eventually("all of them are counted", async || {
        let answer = owner.get(&page).await.text().await.unwrap();
        match answer.contains("Traces <span class=\"n\">32</span>") {
            true => Ok(()),
            false => Err(answer),
        }
    })
    .await;
    let metrics = owner.read(&format!("{page}?tab=metrics")).await;
    assert!(
        metrics.contains("Input tokens") && metrics.contains("End to end p50"),
        "{metrics}"
    );
    assert!(
        metrics.contains("+100"),
        "the difference of input tokens: {metrics}"
    );
    assert!(metrics.contains("of 12)"), "how many values: {metrics}");
    assert!(metrics.contains("95 % intervals: of shares Wilson’s"));
    let compare = owner.read(&format!("{page}?tab=compare&from=1&to=2")).await;
    let (_, outcomes) = compare.split_once("id=\"outcomes\"").unwrap();
    assert!(outcomes.contains("1: 20 · 2: 12 requests"), "{outcomes}");
    assert!(
        outcomes.contains("<td class=\"num off\">200</td>"),
        "{outcomes}"
    );
    let unused = owner.read(&format!("{page}?tab=compare&from=3&to=3")).await;
    assert!(
        unused.contains("No requests of these versions")
            && unused.contains("The two say the same.")
    );
    // In the list its numbers are of seven days, and it is found by name, tag and label.
    for query in [
        format!("q={}", name.to_uppercase()),
        format!("tag={name}"),
        format!("q={name}&label=latest"),
    ] {
        let list = owner.read(&format!("{project}/prompts?{query}")).await;
        let (_, row) = list.split_once(&format!("{page}\"")).unwrap();
        assert!(row.contains("<td class=\"num\">32</td>"), "{query}: {row}");
    }
    let none = owner
        .read(&format!("{project}/prompts?q=no-such-{name}"))
        .await;
    assert!(none.contains("Nothing matches"));
}

#[tokio::test(flavor = "multi_thread")]
async fn what_a_role_may_not_do_is_not_offered_and_not_done() {
    let (mut owner, client, project) = owner().await;
    let name = format!("guarded-{}", std::process::id());
    made(
        &client,
        json!({"name": name, "prompt": "one", "labels": ["staging"]}),
    )
    .await;
    let page = format!("{project}/prompts/{name}");
    let (email, password) = add_member(&mut owner, &project, "reads-prompts").await;
    let mut viewer = Visitor::signed_in_as(&email, password).await;
    for tab in [
        "",
        "?tab=compare",
        "?tab=metrics",
        "?tab=labels",
        "?tab=comments",
    ] {
        let shown = viewer.read(&format!("{page}{tab}")).await;
        assert!(shown.contains(&name), "{tab}");
        assert_eq!(
            shown.matches("method=\"post\"").count(),
            1,
            "signing out alone: {tab}"
        );
    }
    for (action, form) in [
        ("labels", vec![("label", "staging"), ("to", "1")]),
        ("unlabel", vec![("label", "staging")]),
        ("tags", vec![("tags", "x")]),
        ("policy", vec![("label", "staging"), ("mode", "auto")]),
        ("test", vec![("label", "staging"), ("do", "end")]),
        ("delete", vec![("confirm", name.as_str())]),
        ("comments", vec![("version", "1"), ("content", "x")]),
    ] {
        let path = format!("{project}/prompt/{action}/{name}");
        let (status, _) = post(&mut viewer, &path, &form).await;
        assert_eq!(status, StatusCode::FORBIDDEN, "{action}");
    }
    let editor = viewer.get(&format!("{project}/prompts/new")).await;
    assert_eq!(editor.status(), StatusCode::FORBIDDEN);
    let kept = served(&client, &name, "?label=staging").await.1;
    assert_eq!((&kept["version"], &kept["tags"]), (&json!(1), &json!([])));
}

#[expect(
    clippy::too_many_lines,
    reason = "one story, as a person goes through it"
)]
#[tokio::test(flavor = "multi_thread")]
async fn changes_are_told_to_channels_that_want_to_hear_of_them() {
    let server = crate::alerts::server().await;
    let receiver = Receiver::start(&[]).await;
    let secret = "a-secret-of-at-least-sixteen-bytes";
    let client = server.client();
    let channel = |prompts: bool| {
        json!({
            "name": format!("hook {prompts}"), "kind": "webhook", "url": receiver.url,
            "secret": secret, "prompts": prompts,
        })
    };
    for prompts in [true, false] {
        let request = client.request(Method::POST, "/api/v1/channels");
        let answer = request
            .body(channel(prompts).to_string())
            .send()
            .await
            .unwrap();
        let told: Value = answer.json().await.unwrap();
        assert_eq!(told["prompts"], prompts, "{told}");
    }
    let name = format!("team/told {}", std::process::id());
    for text in ["one", "two"] {
        made(
            &client,
            json!({"name": name, "prompt": text, "commitMessage": "because"}),
        )
        .await;
    }
    let path = format!("/api/public/v2/prompts/{}", encoded(&name));
    let label = json!({"newLabels": ["production"]});
    let request = client.request(Method::PATCH, &format!("{path}/versions/2"));
    let request = request.header("content-type", "application/json");
    assert!(
        request
            .body(label.to_string())
            .send()
            .await
            .unwrap()
            .status()
            .is_success()
    );
    let deleted = client.request(Method::DELETE, &path).send().await.unwrap();
    assert!(deleted.status().is_success());
    eventually("all four are told", async || {
        let messages = receiver.messages();
        if messages.len() == 4 {
            Ok(())
        } else {
            Err(messages.len())
        }
    })
    .await;
    let mut told: Vec<Value> = Vec::new();
    for message in receiver.messages() {
        assert!(message.is_signed_with(secret));
        told.push(serde_json::from_str(&message.body).unwrap());
    }
    let of = |kind: &str| -> Vec<&Value> {
        told.iter()
            .filter(|message| message["type"] == kind)
            .collect()
    };
    assert_eq!(of("prompt.created").len(), 2, "{told:#?}");
    assert!(
        of("prompt.created")
            .iter()
            .all(|it| it["data"]["after"]["commit_message"] == "because")
    );
    let moved = of("prompt.label_moved")[0];
    assert_eq!(
        moved["data"]["after"],
        json!({"label": "production", "version": 2})
    );
    assert_eq!(
        (&moved["data"]["before"], &moved["data"]["prompt"]),
        (&Value::Null, &json!(name))
    );
    let deleted = of("prompt.deleted")[0];
    assert_eq!(
        deleted["data"]["before"],
        json!({"versions": [2, 1], "all": true})
    );
    assert!(
        deleted["data"]["url"]
            .as_str()
            .unwrap()
            .contains("/prompts/team/told")
    );
}
