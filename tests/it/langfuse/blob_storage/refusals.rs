//! A store that refuses, and one that may not be reached.

use reqwest::StatusCode;
use serde_json::json;

use super::store::ANSWER;
use super::{SECRET, Store, becomes_status, described, judged_trace, put, server, set, status};

#[tokio::test(flavor = "multi_thread")]
async fn a_refusal_is_told_without_secrets_and_tried_again_until_all_is_there() {
    let server = server().await;
    let organisation = server.new_organisation();
    judged_trace(&organisation.project, "t", "2025-06-02T10:15:00.000Z").await;
    let store = Store::start().await;
    store.answers(403);
    set(&organisation, &described(&organisation.project, &store.url)).await;
    let failed = becomes_status(&organisation, "error").await;
    let told = "the object store refused a file with status 403";
    assert_eq!(failed["lastError"], told);
    assert!(failed["lastErrorAt"].is_string() && failed["nextSyncAt"].is_string());
    store.answers(200);
    let done = becomes_status(&organisation, "up_to_date").await;
    assert_eq!(done["lastError"], json!(null));
    assert_eq!(store.objects().len(), 3);
    let log = std::fs::read_to_string(server.data_dir().with_extension("log")).unwrap();
    assert!(log.contains(told), "an operator is told, too");
    for secret in [SECRET, ANSWER, "X-Amz-Signature"] {
        assert!(!log.contains(secret), "{secret}");
    }

    // A name that leads to what the operator does not allow is found out when it is asked for.
    let port = store.url.rsplit(':').next().unwrap();
    let mut body = described(&organisation.project, &format!("http://10.0.0.1:{port}"));
    let refused = put(&organisation.client, &body).await;
    assert_eq!(refused.status, StatusCode::BAD_REQUEST);
    body["endpoint"] = json!("https://no-such-host.invalid");
    body["exportMode"] = json!("FROM_CUSTOM_DATE");
    body["exportStartDate"] = json!("2025-06-01T00:00:00Z");
    set(&organisation, &body).await;
    let failed = becomes_status(&organisation, "error").await;
    assert_eq!(
        failed["lastError"],
        "the name of the host cannot be resolved"
    );
    let path = status(&organisation).await.body["id"].clone();
    assert_eq!(path, body["projectId"]);
}
