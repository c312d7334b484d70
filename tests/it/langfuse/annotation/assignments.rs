//! Who works on queues.

use reqwest::{Method, StatusCode};
use serde_json::json;
use tests::shared;

use super::super::people;
use super::{done, queue, refused};

#[tokio::test(flavor = "multi_thread")]
async fn a_member_is_assigned_once_and_whoever_is_none_not_at_all() {
    let server = shared().await;
    let (member, client) = (people::owner().await, server.client());
    let queue = queue(&client, "assigned").await;
    let path = format!("/{queue}/assignments");
    let body = json!({ "userId": member });
    for _ in 0..2 {
        let made = done(&client, Method::POST, &path, Some(&body)).await;
        assert_eq!(
            (&made["userId"], &made["queueId"]),
            (&json!(member), &json!(queue))
        );
        assert!(made["projectId"].is_string());
    }
    for _ in 0..2 {
        let gone = done(&client, Method::DELETE, &path, Some(&body)).await;
        assert_eq!(gone, json!({ "success": true }));
    }
    for nobody in ["nobody", "01890000-0000-7000-8000-000000000000"] {
        let body = json!({ "userId": nobody });
        refused(
            &client,
            (Method::POST, &path, Some(&body)),
            StatusCode::NOT_FOUND,
        )
        .await;
    }
    for wrong in [
        json!({}),
        json!({ "userId": 1 }),
        json!({ "userId": member, "role": "x" }),
    ] {
        for method in [Method::POST, Method::DELETE] {
            refused(
                &client,
                (method, &path, Some(&wrong)),
                StatusCode::BAD_REQUEST,
            )
            .await;
        }
    }
    // A member of another organisation has no access.
    let stranger = server.new_project();
    let theirs = super::queue(&stranger, "theirs").await;
    let theirs = format!("/{theirs}/assignments");
    refused(
        &stranger,
        (Method::POST, &theirs, Some(&body)),
        StatusCode::NOT_FOUND,
    )
    .await;
    refused(
        &client,
        (Method::POST, &theirs, Some(&body)),
        StatusCode::NOT_FOUND,
    )
    .await;
    refused(
        &client,
        (Method::DELETE, &theirs, Some(&body)),
        StatusCode::NOT_FOUND,
    )
    .await;
}
