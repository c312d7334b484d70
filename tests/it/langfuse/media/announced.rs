//! What is announced, and what becomes of it.

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use tests::{Server, Settings, shared};

use super::super::datasets::Datasets;
use super::{File, MEDIA, address, announce, announced, put, sent, shown};

#[tokio::test]
async fn an_attachment_is_announced_sent_and_fetched_and_the_same_bytes_are_sent_once() {
    let project = shared().await.new_project();
    let file = File::new("image/png", "not really a picture".repeat(9_000));
    let before = shown(&project, &file.id()).await;
    assert_eq!(before.status, StatusCode::NOT_FOUND);
    let url = announced(&project, &file, "t").await.unwrap();
    assert_eq!(
        shown(&project, &file.id()).await.status,
        StatusCode::NOT_FOUND
    );
    assert_eq!(put(&url, &file).await.status(), StatusCode::OK);
    let report = json!({
        "uploadedAt": "2026-11-03T10:00:00.000Z", "uploadHttpStatus": 200, "uploadTimeMs": 12,
        "uploadHttpError": null,
    });
    let path = format!("{MEDIA}/{}", file.id());
    let answer = project.langfuse(Method::PATCH, &path, Some(&report)).await;
    assert_eq!(
        (answer.status, &answer.body),
        (StatusCode::OK, &json!({ "message": "OK" }))
    );
    let fetched = reqwest::get(address(&project, &file).await).await.unwrap();
    assert_eq!(fetched.bytes().await.unwrap(), file.bytes);
    assert_eq!(announced(&project, &file, "t").await, None);
    assert_eq!(announced(&project, &file, "another trace").await, None);
    // The same bytes as another thing are sent again, and are that from then on.
    let text = File::new("text/plain", file.bytes.clone());
    sent(&project, &text, "t").await;
    assert_eq!(
        shown(&project, &file.id()).await.body["contentType"],
        "text/plain"
    );
    // Another project knows nothing of them.
    let stranger = shared().await.new_project();
    assert_eq!(
        shown(&stranger, &file.id()).await.status,
        StatusCode::NOT_FOUND
    );
    assert!(announced(&stranger, &file, "t").await.is_some());
}

#[tokio::test]
async fn two_uploads_of_the_same_bytes_at_once_both_succeed() {
    let project = shared().await.new_project();
    let file = File::new("audio/wav", vec![7_u8; 3 << 20]);
    let (one, two) = (
        announced(&project, &file, "t").await.unwrap(),
        announced(&project, &file, "u").await.unwrap(),
    );
    let (one, two) = tokio::join!(put(&one, &file), put(&two, &file));
    assert_eq!(
        (one.status(), two.status()),
        (StatusCode::OK, StatusCode::OK)
    );
    let fetched = reqwest::get(address(&project, &file).await).await.unwrap();
    assert_eq!(fetched.bytes().await.unwrap().len(), 3 << 20);
}

#[tokio::test]
async fn what_makes_no_sense_is_refused_by_its_field() {
    let project = shared().await.new_project();
    let good = File::new("image/png", "x").announcement("t");
    for (field, value) in [
        ("contentType", json!("text/x-shellscript")),
        ("contentType", json!(null)),
        ("contentLength", json!(0)),
        ("contentLength", json!(-1)),
        ("contentLength", json!(1_000_000_001_u64)),
        ("contentLength", json!("1")),
        ("sha256Hash", json!("abc")),
        ("sha256Hash", json!("../../../../etc/passwd")),
        ("sha256Hash", json!("A".repeat(44))),
        ("field", json!("expectedOutput")),
        ("field", json!("file")),
        ("traceId", json!(null)),
        ("traceId", json!("a\u{0}b")),
        ("observationId", json!("a\u{0}b")),
    ] {
        let mut body = good.clone();
        body[field] = value;
        let answer = announce(&project, &body).await;
        assert_eq!(
            answer.status,
            StatusCode::BAD_REQUEST,
            "{body}: {}",
            answer.body
        );
        assert_eq!(answer.body["error"][0]["path"][0], field, "{}", answer.body);
    }
    let dataset = Datasets(&project).named("d").await;
    let item = |id: Value| {
        let mut body = good.clone();
        body["traceId"] = Value::Null;
        body["datasetId"] = json!(dataset);
        body["datasetItemId"] = id;
        body["field"] = json!("expectedOutput");
        body
    };
    assert_eq!(
        announce(&project, &item(json!("i"))).await.status,
        StatusCode::CREATED
    );
    for id in [json!(null), json!("a\u{0}b"), json!("x".repeat(256))] {
        assert_eq!(
            announce(&project, &item(id)).await.status,
            StatusCode::BAD_REQUEST
        );
    }
}

#[tokio::test]
async fn what_a_client_reports_is_noted_and_makes_nothing_there() {
    let project = shared().await.new_project();
    let report = json!({ "uploadedAt": "2026-11-03T10:00:00Z", "uploadHttpStatus": 403 });
    let patch = async |id: &str, body: &Value| {
        let path = format!("{MEDIA}/{id}");
        project
            .langfuse(Method::PATCH, &path, Some(body))
            .await
            .status
    };
    for id in ["none", "..%2F..%2Fx", "AAAAAAAAAAAAAAAAAAAAAA"] {
        assert_eq!(patch(id, &report).await, StatusCode::NOT_FOUND, "{id}");
        assert_eq!(
            shown(&project, id).await.status,
            StatusCode::NOT_FOUND,
            "{id}"
        );
    }
    let file = File::new("image/png", "announced only");
    announced(&project, &file, "t").await.unwrap();
    assert_eq!(patch(&file.id(), &report).await, StatusCode::OK);
    for wrong in [
        json!({ "uploadHttpStatus": 200 }),
        json!({ "uploadedAt": "yesterday", "uploadHttpStatus": 200 }),
        json!({ "uploadedAt": "2026-11-03T10:00:00Z" }),
        json!({ "uploadedAt": "2026-11-03T10:00:00Z", "uploadHttpStatus": "200" }),
        json!({ "uploadedAt": "2026-11-03T10:00:00Z", "uploadHttpStatus": 99_999_999_999_u64 }),
    ] {
        assert_eq!(
            patch(&file.id(), &wrong).await,
            StatusCode::BAD_REQUEST,
            "{wrong}"
        );
    }
    // A client that says it has sent something that it has not makes it no more there.
    let lie = json!({ "uploadedAt": "2026-11-03T10:00:00Z", "uploadHttpStatus": 200 });
    assert_eq!(patch(&file.id(), &lie).await, StatusCode::OK);
    assert_eq!(
        shown(&project, &file.id()).await.status,
        StatusCode::NOT_FOUND
    );
}

#[tokio::test]
async fn sizes_are_limited_by_settings() {
    let settings = Settings::default()
        .with("TRIAXIS_MEDIA_MAX_BYTES", "1000")
        .with("TRIAXIS_MEDIA_PROJECT_MAX_BYTES", "1500");
    let server = Server::start_with(settings).await;
    let project = server.new_project();
    let large = File::new("image/png", vec![1; 1001]);
    let refused = announce(&project, &large.announcement("t")).await;
    assert_eq!(refused.status, StatusCode::BAD_REQUEST);
    let (first, second) = (
        File::new("image/png", vec![2; 1000]),
        File::new("image/png", vec![3; 1000]),
    );
    // Announced while there was room, sent when there is none.
    let late = announced(&project, &second, "t").await.unwrap();
    sent(&project, &first, "t").await;
    assert_eq!(
        put(&late, &second).await.status(),
        StatusCode::PAYLOAD_TOO_LARGE
    );
    let refused = announce(&project, &second.announcement("t")).await;
    assert_eq!(
        refused.status,
        StatusCode::PAYLOAD_TOO_LARGE,
        "{}",
        refused.body
    );
    sent(&project, &File::new("image/png", vec![4; 500]), "t").await;
    let other = server.new_project();
    sent(&other, &second, "t").await;
}
