//! Where projects are told: what is secret stays so, and nothing inside can be reached (case C087).

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use tests::shared;

use super::receiver::{Receiver, Reply};
use super::{SECRET, ask, made, server, webhook};

#[tokio::test(flavor = "multi_thread")]
async fn a_channel_is_tried_and_shows_neither_address_nor_secret() {
    let server = server().await;
    let client = server.new_project();
    let receiver = Receiver::start(&[Reply::Status(200), Reply::Status(418)]).await;
    let id = webhook(&client, &receiver).await;
    let path = format!("/api/v1/channels/{id}");
    let (_, tried) = ask(&client, Method::POST, &format!("{path}/test"), json!({})).await;
    assert_eq!(tried, json!({"taken": true, "status": 200, "error": null}));
    let (_, tried) = ask(&client, Method::POST, &format!("{path}/test"), json!({})).await;
    assert_eq!(tried, json!({"taken": false, "status": 418, "error": null}));
    let messages = receiver.messages();
    assert!(
        messages
            .iter()
            .all(|message| message.is_signed_with(SECRET))
    );
    assert_eq!(messages[0].headers["content-type"], "application/json");
    let shown = client.get_json("/api/v1/channels").await.to_string();
    assert!(
        !shown.contains(SECRET) && !shown.contains("/hook"),
        "{shown}"
    );
    // Another address keeps the secret, another secret the address.
    let second = Receiver::start(&[]).await;
    let (status, changed) = ask(&client, Method::PATCH, &path, json!({"url": second.url})).await;
    assert_eq!(status, StatusCode::OK, "{changed}");
    let secret = "another-secret-of-them";
    ask(&client, Method::PATCH, &path, json!({"secret": secret})).await;
    ask(&client, Method::POST, &format!("{path}/test"), json!({})).await;
    assert!(second.messages()[0].is_signed_with(secret));
    assert_eq!(receiver.messages().len(), 2);

    for (kind, expected) in [("slack", "/hook"), ("alertmanager", "/hook/api/v2/alerts")] {
        let other = Receiver::start(&[]).await;
        let channel = json!({"name": kind, "kind": kind, "url": other.url});
        let channel = made(&client, "/api/v1/channels", channel).await;
        let path = format!("/api/v1/channels/{}", channel["id"].as_str().unwrap());
        ask(&client, Method::POST, &format!("{path}/test"), json!({})).await;
        let message = &other.messages()[0];
        assert_eq!(message.path, expected);
        let body: Value = serde_json::from_str(&message.body).unwrap();
        match kind {
            "slack" => assert!(
                body["text"].as_str().unwrap().starts_with("[test] P3"),
                "{body}"
            ),
            _ => assert_eq!(body[0]["labels"]["severity"], "P3", "{body}"),
        }
        let deleted = client.request(Method::DELETE, &path).send().await.unwrap();
        assert_eq!(deleted.status(), StatusCode::NO_CONTENT);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_inside_can_be_reached() {
    let client = shared().await.new_project();
    for url in [
        "http://127.0.0.1:8123/",
        "http://2130706433/",
        "http://0x7f.1/",
        "http://[::1]/",
        "http://[::ffff:169.254.169.254]/latest/meta-data",
        "http://169.254.169.254/latest/meta-data",
        "http://10.0.0.1/",
        "http://0.0.0.0/",
        "file:///etc/passwd",
        "gopher://example.com/",
        "https://user:pass@example.com/",
        "example.com",
    ] {
        let channel = json!({"name": "inside", "kind": "slack", "url": url});
        let (status, problem) = ask(&client, Method::POST, "/api/v1/channels", channel).await;
        assert_eq!(status, StatusCode::BAD_REQUEST, "{url}: {problem}");
        assert_eq!(problem["errors"][0]["path"], "url", "{url}: {problem}");
    }
    // A name is looked at when it is resolved.
    let receiver = Receiver::start(&[]).await;
    let url = receiver.url.replace("127.0.0.1", "localhost");
    let channel = json!({"name": "inside", "kind": "slack", "url": url});
    let channel = made(&client, "/api/v1/channels", channel).await;
    let path = format!("/api/v1/channels/{}/test", channel["id"].as_str().unwrap());
    let (_, tried) = ask(&client, Method::POST, &path, json!({})).await;
    assert!(
        tried["error"].as_str().unwrap().contains("private network"),
        "{tried}"
    );
    assert_eq!(
        (&tried["taken"], &tried["status"]),
        (&json!(false), &Value::Null)
    );
    assert!(receiver.messages().is_empty());
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_wrong_with_a_channel_is_named() {
    let client = shared().await.new_project();
    let url = "https://example.com/hook";
    for (body, field) in [
        (json!({"name": "c", "kind": "pager", "url": url}), "kind"),
        (json!({"name": "", "kind": "slack", "url": url}), "name"),
        (json!({"name": "c", "kind": "slack"}), "url"),
        (
            json!({"name": "c", "kind": "webhook", "url": url}),
            "secret",
        ),
        (
            json!({"name": "c", "kind": "webhook", "url": url, "secret": "short"}),
            "secret",
        ),
        (
            json!({"name": "c", "kind": "slack", "url": url, "secret": SECRET}),
            "secret",
        ),
        (
            json!({"name": "c", "kind": "slack", "url": url, "slip": 1}),
            "slip",
        ),
    ] {
        let (status, problem) = ask(&client, Method::POST, "/api/v1/channels", body).await;
        assert_eq!(status, StatusCode::BAD_REQUEST, "{problem}");
        assert_eq!(problem["errors"][0]["path"], field, "{problem}");
    }
    let channel = json!({"name": "c", "kind": "slack", "url": url});
    made(&client, "/api/v1/channels", channel.clone()).await;
    let (status, _) = ask(&client, Method::POST, "/api/v1/channels", channel).await;
    assert_eq!(status, StatusCode::CONFLICT);
}
