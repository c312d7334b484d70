//! Who may ask, for whom, how often, and what is answered.

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use tests::builders::export;
use tests::shared;

use super::{ask, of_user, project, send, verified};

#[tokio::test(flavor = "multi_thread")]
async fn an_admin_forgets_users_of_their_own_project_and_members_do_not() {
    let server = shared().await;
    let (member, admin) = project(server);
    let (_, stranger) = project(server);
    let span = of_user("chat", "u");
    member.accept_traces(&export([&span])).await;
    let before = member.trace_with_spans(span.trace_id(), 1).await;
    let many = json!({"user_ids": ["u"]});
    let hold = json!({"user_id": "u", "reason": "a case"});
    for (method, path, body) in [
        (Method::DELETE, "/api/v1/users/u", &Value::Null),
        (
            Method::GET,
            "/api/v1/users/u/deletion-preview",
            &Value::Null,
        ),
        (Method::POST, "/api/v1/deletions", &many),
        (
            Method::PUT,
            "/api/v1/deletion-settings",
            &json!({"tombstone_days": 1}),
        ),
        (Method::GET, "/api/v1/legal-holds", &Value::Null),
        (Method::POST, "/api/v1/legal-holds", &hold),
    ] {
        let (status, said) = send(&member, method.clone(), path, body).await;
        assert_eq!(status, StatusCode::FORBIDDEN, "{method} {path}: {said}");
    }
    // Somebody else's user of the same name is another one.
    let other = ask(&stranger, "u").await;
    let done = verified(&stranger, &other).await;
    assert!(done["counts"]["spans"].as_u64().unwrap_or(0) == 0, "{done}");
    assert_eq!(member.trace_with_spans(span.trace_id(), 1).await, before);
    let path = format!("/api/v1/deletions/{other}");
    assert_eq!(admin.get(&path).await.status(), StatusCode::NOT_FOUND);
    let listed = admin.get_json("/api/v1/deletions").await;
    assert_eq!(listed["data"], json!([]));

    let path = "/api/v1/users/u/deletion-preview";
    let preview = admin.get_json(path).await;
    assert_eq!(preview["counts"]["spans"], 1, "{preview}");
    assert_eq!(preview["counts"]["traces"], 1, "{preview}");
    // Asked twice while it is under way: the same one.
    let (first, second) = (ask(&admin, "u").await, ask(&admin, "u").await);
    assert_eq!(first, second);
    let done = verified(&admin, &first).await;
    assert_eq!(done["counts"]["spans"], 1);
    assert!(
        !done.to_string().contains("\"u\""),
        "it names nobody: {done}"
    );
    let of_user = admin.get_json("/api/v1/deletions?user_id=u").await;
    assert_eq!(of_user["data"].as_array().unwrap().len(), 1);
    let of_other = admin.get_json("/api/v1/deletions?user_id=v").await;
    assert_eq!(of_other["data"], json!([]));
    let gone = format!("/api/v1/traces/{}", span.trace_id());
    assert_eq!(member.get(&gone).await.status(), StatusCode::NOT_FOUND);
}

#[tokio::test(flavor = "multi_thread")]
async fn many_are_forgotten_at_once_or_none_where_one_is_held() {
    let server = shared().await;
    let (member, admin) = project(server);
    let spans: Vec<_> = (0..3)
        .map(|n| of_user("chat", &format!("user-{n}")))
        .collect();
    member.accept_traces(&export(&spans)).await;
    for span in &spans {
        member.trace_with_spans(span.trace_id(), 1).await;
    }
    let hold = json!({"user_id": "user-2", "reason": "a case at court"});
    let (status, hold) = send(&admin, Method::POST, "/api/v1/legal-holds", &hold).await;
    assert_eq!(status, StatusCode::CREATED, "{hold}");
    let again = json!({"user_id": "user-2", "reason": "twice"});
    let (status, _) = send(&admin, Method::POST, "/api/v1/legal-holds", &again).await;
    assert_eq!(status, StatusCode::CONFLICT);
    let all = json!({"user_ids": ["user-0", "user-1", "user-2", "user-0"]});
    let (status, said) = send(&admin, Method::POST, "/api/v1/deletions", &all).await;
    assert_eq!(status, StatusCode::CONFLICT, "{said}");
    let (status, _) = send(&admin, Method::DELETE, "/api/v1/users/user-2", &Value::Null).await;
    assert_eq!(status, StatusCode::CONFLICT);
    assert_eq!(admin.get_json("/api/v1/deletions").await["data"], json!([]));

    let path = format!("/api/v1/legal-holds/{}", hold["id"].as_str().unwrap());
    let (status, _) = send(&admin, Method::DELETE, &path, &Value::Null).await;
    assert_eq!(status, StatusCode::NO_CONTENT);
    let (status, _) = send(&admin, Method::DELETE, &path, &Value::Null).await;
    assert_eq!(status, StatusCode::NOT_FOUND);
    let (status, asked) = send(&admin, Method::POST, "/api/v1/deletions", &all).await;
    assert_eq!(status, StatusCode::ACCEPTED, "{asked}");
    let asked = asked["data"].as_array().unwrap();
    assert_eq!(asked.len(), 3);
    // Nothing stops what is under way, and a hold does not pretend to.
    let late = json!({"user_id": "user-0", "reason": "too late"});
    let (status, said) = send(&admin, Method::POST, "/api/v1/legal-holds", &late).await;
    assert_eq!(status, StatusCode::CONFLICT, "{said}");
    for (deletion, span) in asked.iter().zip(&spans) {
        let done = verified(&admin, deletion["id"].as_str().unwrap()).await;
        assert_eq!(done["counts"]["spans"], 1, "{done}");
        let gone = format!("/api/v1/traces/{}", span.trace_id());
        assert_eq!(member.get(&gone).await.status(), StatusCode::NOT_FOUND);
    }
    // A page at a time.
    let first = admin.get_json("/api/v1/deletions?limit=2").await;
    let cursor = first["next_cursor"].as_str().unwrap();
    let rest = admin
        .get_json(&format!("/api/v1/deletions?limit=2&cursor={cursor}"))
        .await;
    assert_eq!(first["data"].as_array().unwrap().len(), 2);
    assert_eq!(rest["data"].as_array().unwrap().len(), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_wrong_with_a_request_is_told() {
    let (_, admin) = project(shared().await);
    let many: Vec<String> = (0..1_001).map(|n| n.to_string()).collect();
    for (body, expected) in [
        (json!({"user_ids": many}), StatusCode::PAYLOAD_TOO_LARGE),
        (json!({"user_ids": []}), StatusCode::BAD_REQUEST),
        (json!({"user_ids": [""]}), StatusCode::BAD_REQUEST),
        (json!({"user_ids": "u"}), StatusCode::BAD_REQUEST),
        (json!({"users": ["u"]}), StatusCode::BAD_REQUEST),
        (json!({}), StatusCode::BAD_REQUEST),
    ] {
        let (status, said) = send(&admin, Method::POST, "/api/v1/deletions", &body).await;
        assert_eq!(status, expected, "{said}");
    }
    let settings = "/api/v1/deletion-settings";
    let usual = admin.get_json(settings).await;
    assert_eq!(
        usual,
        json!({"shared_traces": "whole_trace", "tombstone_days": 30})
    );
    for body in [
        json!({"tombstone_days": 0}),
        json!({"shared_traces": "some"}),
    ] {
        let (status, _) = send(&admin, Method::PUT, settings, &body).await;
        assert_eq!(status, StatusCode::BAD_REQUEST, "{body}");
    }
    let (status, _) = send(&admin, Method::PUT, settings, &json!({"tombstone_days": 7})).await;
    assert_eq!(status, StatusCode::OK);
    assert_eq!(admin.get_json(settings).await["tombstone_days"], 7);
}
