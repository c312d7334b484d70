//! Streams end with the right to read them.

use std::time::Duration;

use reqwest::{Response, StatusCode};
use tests::{ProjectClient, shared};

use super::headers::Visitor;

/// Streams must have ended by then.
const SOON: Duration = Duration::from_secs(20);

async fn ends(mut stream: Response, whose: &str) {
    let reading = async { while let Ok(Some(_)) = stream.chunk().await {} };
    let ended = tokio::time::timeout(SOON, reading).await;
    assert!(ended.is_ok(), "the stream of {whose} goes on");
}

/// What stands in `page` between two texts, after `from`.
fn between<'a>(page: &'a str, from: &str, (before, after): (&str, &str)) -> &'a str {
    let (_, page) = page.split_once(from).unwrap();
    let (_, page) = page.split_once(before).unwrap();
    page.split_once(after).unwrap().0
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stream_ends_when_its_key_is_revoked() {
    let server = shared().await;
    let mut owner = Visitor::signed_in_as(server.email(), server.password()).await;
    let keys = format!("{}/settings/keys", owner.project().await);
    owner.read(&keys).await;
    let form = [("_csrf", owner.csrf.as_str()), ("note", "stream")];
    owner.post(&keys, &form).await;
    let made = owner.read(&keys).await;
    let of = |id: &str| between(&made, id, (">", "<")).trim().to_owned();
    let (public, secret) = (of("id=\"made-public\""), of("id=\"made-secret\""));
    let client = ProjectClient::new(server.http_url(), &public, &secret);
    let stream = client.get("/api/v1/live").await;
    assert_eq!(stream.status(), StatusCode::OK);
    let page = owner.read(&keys).await;
    let id = between(&page, &public, ("/keys/", "/revoke")).to_owned();
    let form = [("_csrf", owner.csrf.as_str())];
    let revoked = owner.post(&format!("{keys}/{id}/revoke"), &form).await;
    assert!(!revoked.status().is_client_error(), "{}", revoked.status());
    ends(stream, "the key").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stream_ends_when_its_reader_is_no_longer_a_member() {
    let server = shared().await;
    let mut owner = Visitor::signed_in_as(server.email(), server.password()).await;
    let project = owner.project().await;
    let members = format!("{project}/settings/members");
    owner.read(&members).await;
    let email = format!("watcher-{}@example.com", std::process::id());
    let password = "watching the stream 7";
    let form = [
        ("_csrf", owner.csrf.as_str()),
        ("email", &email),
        ("role", "viewer"),
        ("password", password),
    ];
    owner.post(&members, &form).await;
    let reader = Visitor::signed_in_as(&email, password).await;
    let stream = reader.get(&format!("{project}/live")).await;
    assert_eq!(stream.status(), StatusCode::OK);
    let page = owner.read(&members).await;
    let id = between(&page, &email, ("/members/", "/")).to_owned();
    let form = [("_csrf", owner.csrf.as_str())];
    owner.post(&format!("{members}/{id}/remove"), &form).await;
    ends(stream, "the member").await;
    let page = reader.get(&format!("{project}/traces")).await;
    assert_eq!(page.status(), StatusCode::NOT_FOUND);
}
