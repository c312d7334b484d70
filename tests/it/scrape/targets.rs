//! Targets as they are set.

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use tests::shared;

use super::exporter::Answer;
use super::{Exporter, TARGETS, ask, becomes, server, set};

const TOKEN: &str = "a-token-of-the-exporter-77";

#[tokio::test(flavor = "multi_thread")]
async fn a_credential_is_sent_to_its_host_alone_and_never_shown() {
    let client = server().await.new_project();
    let exporter = Exporter::start(Answer::text("m 1\n")).await;
    let auth = json!({"auth": {"type": "bearer", "token": TOKEN}});
    let id = set(&client, &exporter, auth).await;
    becomes(&client, "m", Some(1.0)).await;
    let bearer = format!("authorization: bearer {TOKEN}");
    assert!(exporter.heads()[0].contains(&bearer));
    let path = format!("{TARGETS}/{id}");
    let shown = client.get_json(&path).await;
    assert_eq!(shown["auth"], json!({"type": "bearer"}));
    let all = client.get(TARGETS).await.text().await.unwrap();
    assert!(!all.contains(TOKEN), "{all}");

    // Another path keeps it; another host does not get it.
    let elsewhere = Exporter::start(Answer::text("m 2\n")).await;
    let moved = json!({"url": format!("http://{}/other", exporter.instance)});
    let (status, kept) = ask(&client, Method::PATCH, &path, &moved).await;
    assert_eq!(
        (status, &kept["auth"]["type"]),
        (StatusCode::OK, &json!("bearer"))
    );
    let (status, problem) = ask(
        &client,
        Method::PATCH,
        &path,
        &json!({"url": elsewhere.url}),
    )
    .await;
    assert_eq!(status, StatusCode::BAD_REQUEST);
    assert_eq!(problem["errors"][0]["path"], "auth", "{problem}");
    let basic = json!({"type": "basic", "username": "u", "password": "p"});
    let change = json!({"url": elsewhere.url, "auth": basic});
    let (status, changed) = ask(&client, Method::PATCH, &path, &change).await;
    assert_eq!(status, StatusCode::OK, "{changed}");
    assert_eq!(changed["auth"], json!({"type": "basic", "username": "u"}));
    becomes(&client, "m", Some(2.0)).await;
    let heads = elsewhere.heads().concat();
    assert!(heads.contains("authorization: basic dtpw"), "{heads}");
    assert!(!heads.contains(TOKEN));
    let (_, without) = ask(&client, Method::PATCH, &path, &json!({"auth": null})).await;
    assert_eq!(without["auth"], Value::Null);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_cannot_be_a_target_is_refused_by_its_field() {
    let client = server().await.new_project();
    let good = json!({"name": "a", "url": "http://127.0.0.1:9/", "enabled": false});
    let (status, made) = ask(&client, Method::POST, TARGETS, &good).await;
    assert_eq!(status, StatusCode::CREATED, "{made}");
    assert_eq!(made["url"], "http://127.0.0.1:9/metrics");
    assert_eq!(
        (&made["kind"], &made["interval_s"], &made["last_scrape"]),
        (&json!("auto"), &json!(15), &Value::Null)
    );
    for (field, value) in [
        ("name", json!("")),
        ("name", json!("a\u{0}b")),
        ("name", json!(7)),
        ("url", json!("127.0.0.1:9")),
        ("url", json!("ftp://a/")),
        ("url", json!("http://user:secret@127.0.0.1/")),
        ("url", json!("http://10.0.0.7:9400/metrics")),
        ("url", json!("http://169.254.169.254/latest/meta-data")),
        ("kind", json!("else")),
        ("interval_s", json!(0)),
        ("interval_s", json!(3_601)),
        ("interval_s", json!("soon")),
        ("labels", json!(["a"])),
        ("labels", json!({"a b": "c"})),
        ("labels", json!({"__name__": "c"})),
        ("labels", json!({"a": "c\n"})),
        ("labels", json!({"a": 1})),
        ("enabled", json!("yes")),
        ("auth", json!("token")),
        ("auth.type", json!({"type": "digest"})),
        ("auth", json!({"type": "bearer"})),
        ("auth", json!({"type": "bearer", "token": "a\nb"})),
        (
            "auth",
            json!({"type": "basic", "username": "a:b", "password": "c"}),
        ),
        ("interval", json!(15)),
    ] {
        let mut body = good.clone();
        body["name"] = json!("b");
        body[field.split('.').next().unwrap()] = value;
        let (status, problem) = ask(&client, Method::POST, TARGETS, &body).await;
        assert_eq!(status, StatusCode::BAD_REQUEST, "{body}");
        assert_eq!(problem["errors"][0]["path"], field, "{problem}");
        assert!(!problem.to_string().contains("secret"), "{problem}");
    }
    let (status, _) = ask(&client, Method::POST, TARGETS, &good).await;
    assert_eq!(status, StatusCode::CONFLICT, "the name is taken");
    let path = format!("{TARGETS}/{}", made["id"].as_str().unwrap());
    let deleted = client.request(Method::DELETE, &path).send().await.unwrap();
    assert_eq!(deleted.status(), StatusCode::NO_CONTENT);
    let (status, _) = ask(&client, Method::PATCH, &path, &good).await;
    assert_eq!(status, StatusCode::NOT_FOUND);
}

#[tokio::test(flavor = "multi_thread")]
async fn private_addresses_are_refused_with_words_on_how_they_are_allowed() {
    let client = shared().await.new_project();
    let body = json!({"name": "a", "url": "http://127.0.0.1:9400/metrics"});
    let (status, problem) = ask(&client, Method::POST, TARGETS, &body).await;
    assert_eq!(status, StatusCode::BAD_REQUEST);
    let detail = problem["detail"].as_str().unwrap();
    assert!(
        detail.contains("TRIAXIS_ALLOW_PRIVATE_ADDRESSES"),
        "{problem}"
    );
    assert!(detail.contains("10.0.0.0/8"), "{problem}");
    // A name tells only when it is asked.
    let body = json!({"name": "a", "url": "http://localhost:9400/metrics", "enabled": false});
    let (status, made) = ask(&client, Method::POST, TARGETS, &body).await;
    assert_eq!(status, StatusCode::CREATED, "{made}");
    let test = format!("{TARGETS}/{}/test", made["id"].as_str().unwrap());
    let (status, tested) = ask(&client, Method::POST, &test, &json!({})).await;
    assert_eq!(status, StatusCode::OK);
    let error = tested["error"].as_str().unwrap();
    assert!(
        error.contains("TRIAXIS_ALLOW_PRIVATE_ADDRESSES"),
        "{tested}"
    );
}
