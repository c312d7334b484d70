//! Somebody asks: said first, done then, written down, undone.

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use sqlx::Row;
use tests::{ProjectClient, Server, shared};

use super::{NAME, PATH, ask, database, failed, history, post, served, set_policy, uses, versions};

#[tokio::test(flavor = "multi_thread")]
async fn a_rollback_is_said_first_then_done_once_and_can_be_undone() {
    let server = shared().await;
    let client = server.new_project();
    versions(&client, 2).await;
    uses(&client, 1, 40, 10, 50).await;
    let (_, said) = post(
        &client,
        "/rollback",
        json!({"to_version": 1, "dry_run": true}),
    )
    .await;
    assert_eq!(
        (&said["allowed"], &said["applied"]),
        (&json!(true), &json!(false)),
        "{said}"
    );
    assert_eq!(said["checks"][0]["metric"], "request.count");
    assert_eq!(said["checks"][0]["target_7d"], 40.0);
    assert_eq!(said["checks"][2]["target_7d"], said["checks"][2]["current"]);
    assert_eq!(
        (served(&client).await, history(&client).await.len()),
        (json!(2), 0)
    );

    let (_, done) = post(&client, "/rollback", json!({"to_version": 1})).await;
    assert_eq!(
        (&done["applied"], &done["allowed"]),
        (&json!(true), &json!(true)),
        "{done}"
    );
    assert_eq!(served(&client).await, 1);
    // Asked again it has happened already.
    let (status, again) = post(&client, "/rollback", json!({"to_version": 1})).await;
    assert_eq!(
        (status, &again["rollback"]["id"]),
        (StatusCode::OK, &done["rollback"]["id"])
    );
    let all = history(&client).await;
    assert_eq!((all.len(), &all[0]["state"]), (1, &json!("applied")));
    assert_eq!(
        (&all[0]["from_version"], &all[0]["to_version"]),
        (&json!(2), &json!(1))
    );
    assert!(
        all[0]["actor"].as_str().unwrap().starts_with("key:"),
        "{all:?}"
    );

    let (status, undone) = post(&client, "/rollback/undo", json!({})).await;
    assert_eq!(
        (status, &undone["state"]),
        (StatusCode::OK, &json!("undone")),
        "{undone}"
    );
    assert_eq!(served(&client).await, 2);
    let same = json!({"id": undone["id"]});
    let (_, again) = post(&client, "/rollback/undo", same).await;
    assert_eq!(again, history(&client).await[0]);
    let (status, _) = post(&client, "/rollback/undo", json!({})).await;
    assert_eq!(status, StatusCode::CONFLICT);
    let mut postgres = database(server).await;
    let rows = sqlx::query(
        "SELECT action, actor, before::TEXT, after::TEXT FROM audit_log
         WHERE project_id::TEXT = $1 AND object = $2 AND action LIKE 'prompt.rollback%' ORDER BY id",
    )
    .bind(client.project_id.as_deref().unwrap())
    .bind(format!("prompt:{NAME}"))
    .fetch_all(&mut postgres)
    .await
    .unwrap();
    let at = |row: usize, column: usize| rows[row].get::<String, _>(column);
    assert_eq!(
        (at(0, 0), at(1, 0)),
        ("prompt.rollback".into(), "prompt.rollback_undo".into())
    );
    assert_eq!(at(1, 3), at(0, 2), "undone, it is as it was");
    assert_eq!((rows.len(), json!(at(0, 1))), (2, all[0]["actor"].clone()));
}

#[tokio::test(flavor = "multi_thread")]
async fn what_fails_a_check_is_not_done_unless_it_is_forced() {
    let client = shared().await.new_project();
    versions(&client, 3).await;
    let to = |version: u32, more: Value| {
        let mut body = json!({"to_version": version});
        body.as_object_mut()
            .unwrap()
            .extend(more.as_object().unwrap().clone());
        body
    };
    // Nothing is known of it.
    let (status, said) = post(&client, "/rollback", to(1, json!({}))).await;
    assert_eq!((status, &said["applied"]), (StatusCode::OK, &json!(false)));
    assert_eq!(failed(&said["checks"]), ["request.count"]);
    // Two hours ago version 1 said more than version 2 does now.
    uses(&client, 1, 40, 120, 500).await;
    uses(&client, 2, 40, 10, 50).await;
    let (_, said) = post(&client, "/rollback", to(1, json!({}))).await;
    assert_eq!(
        failed(&said["checks"]),
        ["token.output_tokens:p99"],
        "{said}"
    );
    assert_eq!(
        (served(&client).await, history(&client).await.len()),
        (json!(3), 0)
    );
    let limits = json!({"mode": "off", "limits": {"output_tokens_ratio": 11}});
    assert_eq!(set_policy(&client, limits).await.0, StatusCode::OK);
    let (_, said) = post(&client, "/rollback", to(1, json!({"dry_run": true}))).await;
    assert_eq!(said["allowed"], true, "{said}");
    assert_eq!(
        set_policy(&client, json!({"mode": "off"})).await.0,
        StatusCode::OK
    );
    let (_, done) = post(&client, "/rollback", to(1, json!({"force": true}))).await;
    assert_eq!(
        (&done["allowed"], &done["applied"]),
        (&json!(false), &json!(true)),
        "{done}"
    );
    assert_eq!(served(&client).await, 1);
    assert_eq!(
        failed(&history(&client).await[0]["checks"]),
        ["token.output_tokens:p99"]
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn of_two_at_once_one_wins_and_what_means_nothing_is_refused() {
    let client = shared().await.new_project();
    versions(&client, 3).await;
    let to = |version: u32| json!({"to_version": version, "from_version": 3, "force": true});
    let (one, two) = tokio::join!(
        post(&client, "/rollback", to(1)),
        post(&client, "/rollback", to(2))
    );
    let mut statuses = [one.0, two.0];
    statuses.sort();
    assert_eq!(
        statuses,
        [StatusCode::OK, StatusCode::CONFLICT],
        "{one:?} {two:?}"
    );
    let (won, lost) = if one.0 == StatusCode::OK {
        (one.1, two.1)
    } else {
        (two.1, one.1)
    };
    assert!(
        lost["detail"].as_str().unwrap().contains("moved meanwhile"),
        "{lost}"
    );
    assert_eq!(served(&client).await, won["to_version"]);
    assert_eq!(history(&client).await.len(), 1);
    for (path, body, status) in [
        ("/rollback", json!({"to_version": 9}), StatusCode::NOT_FOUND),
        (
            "/rollback",
            json!({"to_version": 1, "label": "staging"}),
            StatusCode::NOT_FOUND,
        ),
        (
            "/rollback",
            json!({"to_version": 1, "label": "latest"}),
            StatusCode::BAD_REQUEST,
        ),
        (
            "/rollback",
            json!({"to_version": 0}),
            StatusCode::BAD_REQUEST,
        ),
        ("/rollback", json!({}), StatusCode::BAD_REQUEST),
        (
            "/rollback",
            json!({"to_version": 1, "slip": 1}),
            StatusCode::BAD_REQUEST,
        ),
        (
            "/rollback/undo",
            json!({"id": "none"}),
            StatusCode::NOT_FOUND,
        ),
    ] {
        let (found, answer) = post(&client, path, body.clone()).await;
        assert_eq!(found, status, "{path} {body}: {answer}");
    }
    let body = json!({"to_version": 1});
    let (status, _) = ask(&client, Method::POST, "/api/v1/prompts/none/rollback", body).await;
    assert_eq!(status, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn a_policy_is_set_for_a_label_and_read_back() {
    let client = shared().await.new_project();
    let path = format!("{PATH}/rollback-policy");
    assert_eq!(client.get(&path).await.status(), StatusCode::NOT_FOUND);
    assert_eq!(
        set_policy(&client, json!({"mode": "auto"})).await.0,
        StatusCode::NOT_FOUND
    );
    versions(&client, 1).await;
    let usual = client.get_json(&path).await;
    assert_eq!(
        (&usual["mode"], &usual["label"]),
        (&json!("off"), &json!("production"))
    );
    assert_eq!(
        (&usual["limits"]["min_requests"], &usual["updated_at"]),
        (&json!(30), &Value::Null)
    );
    let mut wanted = usual.clone();
    wanted["mode"] = json!("auto");
    wanted["label"] = json!("canary");
    wanted["limits"]["latency_ratio"] = json!(2.5);
    let (status, set) = set_policy(&client, wanted.clone()).await;
    assert_eq!(status, StatusCode::OK, "{set}");
    assert_eq!(client.get_json(&path).await, set);
    assert_eq!(set["limits"], wanted["limits"]);
    let of_production = client
        .get_json(&format!("{path}?for_label=production"))
        .await;
    assert_eq!(of_production["mode"], "off");
    for (wrong, field) in [
        (json!({}), "mode"),
        (json!({"mode": "on"}), "mode"),
        (json!({"mode": "auto", "label": "latest"}), "label"),
        (json!({"mode": "auto", "label": "Not so"}), "label"),
        (
            json!({"mode": "auto", "limits": {"min_requests": 0}}),
            "limits.min_requests",
        ),
        (
            json!({"mode": "auto", "limits": {"slip": 0}}),
            "limits.slip",
        ),
        (json!({"mode": "auto", "slip": 0}), "slip"),
    ] {
        let (status, answer) = set_policy(&client, wrong.clone()).await;
        assert_eq!(status, StatusCode::BAD_REQUEST, "{wrong}");
        assert_eq!(answer["errors"][0]["path"], field, "{wrong}");
    }
}

fn admin_of(server: &Server, project: &ProjectClient) -> ProjectClient {
    let id = project.project_id.as_deref().unwrap();
    let made = server.admin(&["create-key", "--role", "admin", "--project", id]);
    let text = |key: &str| made[key].as_str().unwrap();
    ProjectClient::new(server.http_url(), text("public_key"), text("secret_key"))
}

#[tokio::test(flavor = "multi_thread")]
async fn a_role_does_what_it_may_do_with_labels() {
    let server = shared().await;
    let member = server.new_project();
    let admin = admin_of(server, &member);
    versions(&member, 2).await;
    let force = json!({"to_version": 1, "force": true});
    let dry = json!({"to_version": 1, "dry_run": true});
    let labels = json!({"labels": ["production"]});
    let (status, _) = ask(&admin, Method::PUT, "/api/v1/protected-labels", labels).await;
    assert_eq!(status, StatusCode::OK);
    assert_eq!(
        post(&member, "/rollback", force.clone()).await.0,
        StatusCode::FORBIDDEN
    );
    assert_eq!(
        set_policy(&member, json!({"mode": "auto"})).await.0,
        StatusCode::FORBIDDEN
    );
    assert_eq!(post(&member, "/rollback", dry).await.0, StatusCode::OK);
    let of_another = json!({"mode": "auto", "label": "staging"});
    assert_eq!(set_policy(&member, of_another).await.0, StatusCode::OK);
    assert_eq!(
        (served(&member).await, history(&member).await.len()),
        (json!(2), 0)
    );
    let mut force = force;
    force["label"] = json!("production");
    assert_eq!(post(&admin, "/rollback", force).await.1["applied"], true);
    assert_eq!(
        post(&member, "/rollback/undo", json!({})).await.0,
        StatusCode::FORBIDDEN
    );
    assert_eq!(
        post(&admin, "/rollback/undo", json!({})).await.0,
        StatusCode::OK
    );
    assert_eq!(served(&member).await, 2);
}
