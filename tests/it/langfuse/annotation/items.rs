//! What waits in queues.

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use tests::{ProjectClient, shared};

use super::{done, item, queue, refused};

const BAD: StatusCode = StatusCode::BAD_REQUEST;

async fn set(project: &ProjectClient, path: &str, status: &str) -> Value {
    let body = json!({ "status": status });
    done(project, Method::PATCH, path, Some(&body)).await
}

#[tokio::test]
async fn an_item_is_completed_at_a_time_and_may_be_pending_again() {
    let project = shared().await.new_project();
    let queue = queue(&project, "q").await;
    let item = item(&project, &queue, "some trace").await;
    let path = format!("/{queue}/items/{item}");
    let fresh = done(&project, Method::GET, &path, None).await;
    assert_eq!(
        (&fresh["status"], &fresh["completedAt"]),
        (&json!("PENDING"), &Value::Null)
    );
    assert_eq!(
        (&fresh["objectId"], &fresh["queueId"]),
        (&json!("some trace"), &json!(queue))
    );
    let completed = set(&project, &path, "COMPLETED").await;
    assert!(completed["completedAt"].is_string(), "{completed}");
    let again = set(&project, &path, "COMPLETED").await;
    assert_eq!(again["completedAt"], completed["completedAt"]);
    let same = done(&project, Method::PATCH, &path, Some(&json!({}))).await;
    assert_eq!(same, again);
    assert_eq!(
        set(&project, &path, "PENDING").await["completedAt"],
        Value::Null
    );
    let gone = done(&project, Method::DELETE, &path, None).await;
    assert_eq!(gone["success"], true);
    for method in [Method::GET, Method::DELETE] {
        refused(&project, (method, &path, None), StatusCode::NOT_FOUND).await;
    }
}

#[tokio::test]
async fn items_are_listed_newest_first_by_their_status() {
    let project = shared().await.new_project();
    let queue = queue(&project, "q").await;
    let items = format!("/{queue}/items");
    for (object, kind, status) in [
        ("t", "TRACE", json!("PENDING")),
        ("o", "OBSERVATION", Value::Null),
        ("s", "SESSION", json!("COMPLETED")),
    ] {
        let body = json!({ "objectId": object, "objectType": kind, "status": status });
        let made = done(&project, Method::POST, &items, Some(&body)).await;
        assert_eq!(made["objectType"], kind);
        assert_eq!(
            made["completedAt"].is_string(),
            made["status"] == "COMPLETED"
        );
    }
    for (query, expected) in [
        ("", ["s", "o", "t"].as_slice()),
        ("?status=PENDING", &["o", "t"]),
        ("?status=COMPLETED", &["s"]),
        ("?status=PENDING&limit=1&page=2", &["t"]),
        ("?page=9", &[]),
    ] {
        let list = done(&project, Method::GET, &format!("{items}{query}"), None).await;
        let found = list["data"].as_array().unwrap().iter();
        let found: Vec<&str> = found
            .map(|item| item["objectId"].as_str().unwrap())
            .collect();
        assert_eq!(found, expected, "{query}");
    }
    for query in ["?status=DONE", "?limit=0", "?objectId=t"] {
        refused(
            &project,
            (Method::GET, &format!("{items}{query}"), None),
            BAD,
        )
        .await;
    }
}

#[tokio::test]
async fn what_makes_no_sense_is_refused_and_an_item_is_found_in_its_queue_only() {
    let project = shared().await.new_project();
    let (one, other) = (queue(&project, "one").await, queue(&project, "other").await);
    let items = format!("/{one}/items");
    for wrong in [
        json!({ "objectType": "TRACE" }),
        json!({ "objectId": "t" }),
        json!({ "objectId": "", "objectType": "TRACE" }),
        json!({ "objectId": "a\u{0}", "objectType": "TRACE" }),
        json!({ "objectId": "x".repeat(801), "objectType": "TRACE" }),
        json!({ "objectId": "t", "objectType": "PROMPT" }),
        json!({ "objectId": "t", "objectType": "TRACE", "status": "DONE" }),
        json!({ "objectId": "t", "objectType": "TRACE", "queueId": one }),
    ] {
        refused(&project, (Method::POST, &items, Some(&wrong)), BAD).await;
    }
    let item = item(&project, &one, "t").await;
    let path = format!("{items}/{item}");
    for wrong in [
        json!({ "status": "DONE" }),
        json!({ "objectId": "x" }),
        json!({ "status": 1 }),
    ] {
        refused(&project, (Method::PATCH, &path, Some(&wrong)), BAD).await;
    }
    for lost in [
        format!("/{other}/items/{item}"),
        format!("{items}/none"),
        format!("/none/items/{item}"),
    ] {
        for (method, body) in [
            (Method::GET, None),
            (Method::DELETE, None),
            (Method::PATCH, Some(json!({ "status": "PENDING" }))),
        ] {
            let answer = refused(
                &project,
                (method, &lost, body.as_ref()),
                StatusCode::NOT_FOUND,
            )
            .await;
            assert_eq!(answer["error"], "LangfuseNotFoundError");
        }
    }
    done(&project, Method::GET, &path, None).await;
}
