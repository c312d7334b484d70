//! What is set is shown, but for its secret.

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use sqlx::{Connection, PgConnection, Row};
use tests::shared;

use super::{EXPORTS, SECRET, described, put, set, status};

#[tokio::test]
async fn an_export_is_set_shown_changed_and_deleted_and_its_secret_is_never_shown() {
    let server = shared().await;
    let organisation = server.new_organisation();
    let project = organisation.project.project_id.clone().unwrap();
    // It begins today, so that nothing is due for a while.
    let mut body = described(&organisation.project, "https://store.example.com");
    body["exportMode"] = json!("FROM_TODAY");
    body["exportFrequency"] = json!("daily");
    let made = set(&organisation, &body).await;
    for (field, value) in body.as_object().unwrap() {
        if field != "secretAccessKey" {
            assert_eq!(made[field], *value, "{field}");
        }
    }
    assert_eq!(made["id"], json!(project));
    assert_eq!(made["compressed"], true);
    assert_eq!(made["exportSource"], "LEGACY_TRACES_OBSERVATIONS");
    for field in [
        "exportFieldGroups",
        "lastSyncAt",
        "lastError",
        "lastErrorAt",
    ] {
        assert_eq!(made[field], Value::Null, "{field}");
    }
    let stands = status(&organisation).await;
    assert_eq!(stands.body["syncStatus"], "idle", "{}", stands.body);
    assert_eq!(stands.body["nextSyncAt"], made["nextSyncAt"]);

    // What is left out of a change is as usual; the credential stays.
    let mut body = body.clone();
    for field in ["accessKeyId", "secretAccessKey", "prefix"] {
        body.as_object_mut().unwrap().remove(field);
    }
    body["enabled"] = json!(false);
    body["compressed"] = json!(false);
    body["exportSource"] = json!("OBSERVATIONS_V2");
    body["exportFieldGroups"] = json!(["core", "io"]);
    let changed = set(&organisation, &body).await;
    assert_eq!(changed["accessKeyId"], "AKIAEXPORTS");
    assert_eq!(changed["prefix"], "");
    assert_eq!(changed["exportFieldGroups"], json!(["core", "io"]));
    assert_eq!(changed["nextSyncAt"], Value::Null);
    assert_eq!(changed["createdAt"], made["createdAt"]);
    let list = organisation
        .client
        .langfuse(Method::GET, EXPORTS, None)
        .await;
    assert_eq!(list.body, json!({ "data": [changed] }));
    assert_eq!(status(&organisation).await.body["syncStatus"], "disabled");

    // Neither Postgres nor the log has it in the clear.
    let run = std::fs::read(server.data_dir().join("run/server.json")).unwrap();
    let run: Value = serde_json::from_slice(&run).unwrap();
    let url = run["database_url"].as_str().unwrap();
    let mut postgres = PgConnection::connect(url).await.unwrap();
    let id: uuid::Uuid = project.parse().unwrap();
    let row = sqlx::query("SELECT secret FROM blob_storage WHERE project_id = $1");
    let row = row.bind(id).fetch_one(&mut postgres).await.unwrap();
    let sealed: Vec<u8> = row.get("secret");
    assert_eq!(sealed.len(), 24 + SECRET.len() + 16, "nonce, text, tag");
    let log = std::fs::read_to_string(server.data_dir().with_extension("log")).unwrap();
    assert!(!log.contains(SECRET));

    let path = format!("{EXPORTS}/{project}");
    let gone = organisation.client.langfuse(Method::DELETE, &path, None);
    assert_eq!(gone.await.status, StatusCode::OK);
    let again = organisation
        .client
        .langfuse(Method::DELETE, &path, None)
        .await;
    assert_eq!(again.status, StatusCode::NOT_FOUND);
    assert_eq!(again.body["error"], "LangfuseNotFoundError");
    assert_eq!(status(&organisation).await.status, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn what_is_no_export_is_refused_and_names_its_field() {
    let organisation = shared().await.new_organisation();
    let whole = described(&organisation.project, "https://store.example.com");
    for (field, value) in [
        ("type", json!("GOOGLE")),
        ("fileType", json!("ORC")),
        ("bucketName", json!("a/b")),
        ("bucketName", json!("")),
        ("region", json!("eu west")),
        ("accessKeyId", json!("a b")),
        ("accessKeyId", Value::Null),
        ("secretAccessKey", Value::Null),
        ("secretAccessKey", json!("a\u{0}b")),
        ("prefix", json!("no-slash")),
        ("prefix", json!("/slash/")),
        ("prefix", json!("a\u{0}/")),
        ("exportStartDate", json!("today")),
        ("endpoint", Value::Null),
        ("endpoint", json!("ftp://store.example.com")),
        ("endpoint", json!("https://user:word@store.example.com")),
        // Addresses of this machine and its networks, in every form.
        ("endpoint", json!("http://127.0.0.1:9000")),
        ("endpoint", json!("http://2130706433:9000")),
        ("endpoint", json!("http://[::ffff:127.0.0.1]:9000")),
        ("endpoint", json!("http://169.254.169.254")),
        ("enabled", json!("yes")),
    ] {
        let mut body = whole.clone();
        body[field] = value;
        let answer = put(&organisation.client, &body).await;
        assert_eq!(answer.status, StatusCode::BAD_REQUEST, "{body}");
        assert_eq!(answer.body["message"], "Invalid request data", "{body}");
        let path = &answer.body["error"][0]["path"][0];
        assert_eq!(*path, field, "{}", answer.body);
        assert!(!answer.body.to_string().contains(SECRET));
    }
    let mut body = whole.clone();
    body["exportMode"] = json!("FROM_CUSTOM_DATE");
    let answer = put(&organisation.client, &body).await;
    assert_eq!(answer.body["error"][0]["path"], json!(["exportStartDate"]));
    let mut body = whole.clone();
    body["unknown"] = json!(1);
    let answer = put(&organisation.client, &body).await;
    assert_eq!(answer.status, StatusCode::BAD_REQUEST);
    // A project that there is not.
    body = whole;
    body["projectId"] = json!("nobody's");
    let answer = put(&organisation.client, &body).await;
    assert_eq!(answer.status, StatusCode::NOT_FOUND);
    assert_eq!(status(&organisation).await.status, StatusCode::NOT_FOUND);
}
