//! What is set, by whom, and what is written down of it.

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use tests::shared;

use super::{RETENTION, send};
use crate::deletions::project;

#[tokio::test(flavor = "multi_thread")]
async fn an_admin_sets_days_and_a_member_sees_them() {
    let server = shared().await;
    let (member, admin) = project(server);
    let (stranger, _) = project(server);
    let nothing = member.get_json(RETENTION).await;
    assert_eq!(nothing["preset"], "everything");
    assert_eq!(nothing["content_days"], Value::Null);
    let (status, _) = send(&member, Method::PUT, &json!({})).await;
    assert_eq!(status, StatusCode::FORBIDDEN);

    let settings = json!({"preset": "cn_public_service", "audit_days": 400,
        "environments": {"dev": {"content_days": 3}}});
    let (status, set) = send(&admin, Method::PUT, &settings).await;
    assert_eq!(status, StatusCode::OK, "{set}");
    assert_eq!(set["preset"], "custom");
    assert_eq!(
        (&set["content_days"], &set["audit_days"]),
        (&json!(180), &json!(400))
    );
    let dev = json!({"content_days": 3, "structure_days": 365});
    assert_eq!(set["environments"]["dev"], dev);
    let mut shown = member.get_json(RETENTION).await;
    shown["verification"] = Value::Null;
    let mut sent = set.clone();
    sent["verification"] = Value::Null;
    assert_eq!(shown, sent);
    // What was shown may be sent back.
    let (status, again) = send(&admin, Method::PUT, &set).await;
    assert_eq!(status, StatusCode::OK, "{again}");
    assert_eq!(stranger.get_json(RETENTION).await["preset"], "everything");

    let log = admin
        .get_json("/api/v1/audit-log?action=retention.set")
        .await;
    let entries = log["data"].as_array().unwrap();
    assert_eq!(entries.len(), 2, "{log}");
    assert_eq!(entries[1]["before"]["content_days"], Value::Null);
    assert_eq!(entries[1]["after"]["content_days"], 180);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_cannot_be_set_is_said_with_its_place() {
    let (_, admin) = project(shared().await);
    for (settings, path) in [
        (
            json!({"content_days": 31, "structure_days": 30}),
            "content_days",
        ),
        (json!({"structure_days": 0}), "structure_days"),
        (json!({"structure_days": "a week"}), "structure_days"),
        (json!({"audit_days": 3}), "audit_days"),
        (json!({"metrics_days": 9000}), "metrics_days"),
        (json!({"preset": "other"}), "preset"),
        (json!({"days": 3}), "days"),
        (json!({"environments": []}), "environments"),
        (
            json!({"environments": {"dev": {"content_days": 0}}}),
            "environments",
        ),
        (
            json!({"environments": {"dev": {"days": 1}}}),
            "environments.dev.days",
        ),
        (json!({"dry_run": 1}), "dry_run"),
    ] {
        let (status, said) = send(&admin, Method::PUT, &settings).await;
        assert!(status.is_client_error(), "{settings}: {said}");
        assert!(said.to_string().contains(path), "{settings}: {said}");
    }
    assert_eq!(admin.get_json(RETENTION).await["preset"], "everything");
}
