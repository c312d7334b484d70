//! Keys of projects, made and revoked by their organisation.

use std::time::Duration;

use reqwest::{Method, StatusCode};
use serde_json::json;
use tests::{ProjectClient, Server, eventually_within, shared};

use super::{ask, done};
use crate::langfuse::cache::beside;

#[tokio::test]
async fn a_key_is_made_works_is_listed_and_is_refused_once_revoked() {
    let server = shared().await;
    let organisation = server.new_organisation();
    let client = &organisation.client;
    let project = organisation.project.project_id.clone().unwrap();
    let path = format!("/projects/{project}/apiKeys");
    let note = json!({ "note": "for the pipeline" });
    let made = done(
        client,
        (Method::POST, &path),
        Some(&note),
        StatusCode::CREATED,
    )
    .await;
    let (public, secret) = (
        made["publicKey"].as_str().unwrap(),
        made["secretKey"].as_str().unwrap(),
    );
    assert_eq!(made["note"], "for the pipeline");
    let shown = format!("sk-tx-...{}", &secret[secret.len() - 4..]);
    assert_eq!(made["displaySecretKey"], shown.as_str());

    let key = ProjectClient::new(server.http_url(), public, secret);
    let opened = done(&key, (Method::GET, "/projects"), None, StatusCode::OK).await;
    assert_eq!(opened["data"][0]["id"], project.as_str());
    let listed = done(client, (Method::GET, &path), None, StatusCode::OK).await;
    let listed = listed["apiKeys"].as_array().unwrap();
    assert_eq!(listed.len(), 2);
    assert_eq!(listed[0]["publicKey"], public);
    assert!(!listed.iter().any(|key| key.to_string().contains(secret)));

    let one = format!("{path}/{}", made["id"].as_str().unwrap());
    let gone = done(client, (Method::DELETE, &one), None, StatusCode::OK).await;
    assert_eq!(gone, json!({ "success": true }));
    assert_eq!(
        key.get("/api/public/projects").await.status(),
        StatusCode::UNAUTHORIZED
    );
    let again = ask(client, Method::DELETE, &one, None).await;
    assert_eq!(again.status, StatusCode::NOT_FOUND);
    assert!(again.body["error"].is_string(), "{}", again.body);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_key_that_was_revoked_on_one_server_is_refused_by_another_within_five_seconds() {
    let one = Server::start().await;
    let two = beside(&one).await;
    let organisation = one.new_organisation();
    let project = organisation.project.project_id.clone().unwrap();
    let path = format!("/projects/{project}/apiKeys");
    let made = done(
        &organisation.client,
        (Method::POST, &path),
        Some(&json!({})),
        StatusCode::CREATED,
    )
    .await;
    let text = |field: &str| made[field].as_str().unwrap();
    let there = ProjectClient::new(two.http_url(), text("publicKey"), text("secretKey"));
    // From now on it is known there.
    done(&there, (Method::GET, "/projects"), None, StatusCode::OK).await;
    let key = format!("{path}/{}", text("id"));
    done(
        &organisation.client,
        (Method::DELETE, &key),
        None,
        StatusCode::OK,
    )
    .await;
    eventually_within(
        Duration::from_secs(5),
        "it is refused",
        async || match there.get("/api/public/projects").await.status() {
            StatusCode::UNAUTHORIZED => Ok(()),
            status => Err(status),
        },
    )
    .await;
}

#[tokio::test]
async fn keys_of_ones_own_are_taken_once_whole_and_in_their_form() {
    let server = shared().await;
    let organisation = server.new_organisation();
    let client = &organisation.client;
    let project = organisation.project.project_id.clone().unwrap();
    let path = format!("/projects/{project}/apiKeys");
    let number = rand::random::<u64>();
    let (public, secret) = (
        format!("pk-lf-own-{number:020}"),
        format!("sk-lf-own-{number:020}"),
    );
    let own = json!({ "publicKey": public, "secretKey": secret });
    let made = done(
        client,
        (Method::POST, &path),
        Some(&own),
        StatusCode::CREATED,
    )
    .await;
    assert!(
        made["displaySecretKey"]
            .as_str()
            .unwrap()
            .starts_with("sk-lf-...")
    );
    let key = ProjectClient::new(server.http_url(), &public, &secret);
    done(&key, (Method::GET, "/projects"), None, StatusCode::OK).await;

    let taken = ask(client, Method::POST, &path, Some(&own)).await;
    assert_eq!(taken.status, StatusCode::CONFLICT);
    for wrong in [
        json!({ "publicKey": "pk-lf-only-one-of-both" }),
        json!({ "secretKey": "sk-lf-only-one-of-both" }),
        json!({ "publicKey": "public-without-head", "secretKey": "sk-lf-0123456789012" }),
        json!({ "publicKey": "pk-lf-0123456789012", "secretKey": "secret-without-head" }),
        json!({ "publicKey": "pk-lf-0123456789012", "secretKey": "sk-lf-short" }),
        json!({ "publicKey": "pk-lf-01234:6789012", "secretKey": "sk-lf-0123456789012" }),
        json!({ "note": 7 }),
        json!({ "note": "a\u{0}b" }),
    ] {
        let answer = ask(client, Method::POST, &path, Some(&wrong)).await;
        assert_eq!(answer.status, StatusCode::BAD_REQUEST, "{wrong}");
        assert!(answer.body["error"].is_string(), "{}", answer.body);
        assert!(
            answer.body["details"][0]["path"].is_array(),
            "{}",
            answer.body
        );
    }
}

#[tokio::test]
async fn what_follows_the_secret_behind_another_colon_is_passed_over() {
    let server = shared().await;
    let project = server.new_project();
    let made = server.admin(&[
        "create-key",
        "--project",
        project.project_id.as_deref().unwrap(),
    ]);
    let secret = made["secret_key"].as_str().unwrap();
    let public = made["public_key"].as_str().unwrap();
    for (secret, status) in [
        (format!("{secret}:extra"), StatusCode::OK),
        (format!("{secret}:"), StatusCode::OK),
        (format!(":{secret}"), StatusCode::UNAUTHORIZED),
        (format!("{secret}extra"), StatusCode::UNAUTHORIZED),
    ] {
        let key = ProjectClient::new(server.http_url(), public, &secret);
        assert_eq!(key.get("/api/public/projects").await.status(), status);
    }
}

#[tokio::test]
async fn keys_of_a_deleted_project_are_given_to_nobody_again() {
    let server = shared().await;
    let organisation = server.new_organisation();
    let client = &organisation.client;
    let new = json!({ "name": "short-lived", "retention": 0 });
    let made = done(
        client,
        (Method::POST, "/projects"),
        Some(&new),
        StatusCode::CREATED,
    )
    .await;
    let gone = format!("/projects/{}", made["id"].as_str().unwrap());
    let other = organisation.project.project_id.clone().unwrap();
    let others = format!("/projects/{other}/apiKeys");
    let number = rand::random::<u64>();
    let pair = |public: &str, secret: &str| {
        json!({
            "publicKey": format!("pk-lf-{public}-{number:020}"),
            "secretKey": format!("sk-lf-{secret}-{number:020}"),
        })
    };
    let keys = format!("{gone}/apiKeys");
    for name in ["live", "revoked"] {
        let made = done(
            client,
            (Method::POST, &keys),
            Some(&pair(name, name)),
            StatusCode::CREATED,
        )
        .await;
        if name == "revoked" {
            let one = format!("{keys}/{}", made["id"].as_str().unwrap());
            done(client, (Method::DELETE, &one), None, StatusCode::OK).await;
        }
    }
    let refused = async || {
        for name in ["live", "revoked"] {
            for pair in [pair(name, name), pair(name, "new"), pair("new", name)] {
                let answer = ask(client, Method::POST, &others, Some(&pair)).await;
                assert_eq!(
                    answer.status,
                    StatusCode::CONFLICT,
                    "{pair}: {}",
                    answer.body
                );
            }
        }
    };
    refused().await;
    done(client, (Method::DELETE, &gone), None, StatusCode::ACCEPTED).await;
    refused().await;
    // Nothing of what was refused was kept.
    let new = pair("new", "new");
    done(
        client,
        (Method::POST, &others),
        Some(&new),
        StatusCode::CREATED,
    )
    .await;
}
