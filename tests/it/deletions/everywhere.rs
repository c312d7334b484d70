//! A marker of a user is planted wherever the product keeps something, and looked for afterwards: through the APIs, in
//! both stores, in the files.

use std::path::Path;

use reqwest::{Client, Method, StatusCode};
use serde_json::{Value, json};
use sqlx::{Connection, PgConnection, Row};
use tests::builders::{SpanBuilder, export, export_logs, log_record, now_nanos};
use tests::{ProjectClient, Server, eventually};

use super::{ask, of_user, project, send, verified};
use crate::langfuse::media::{File, announced};
use crate::langfuse::{becomes, event, found, ingest};

/// Stands in everything that is of the user.
const MARK: &str = "ZQX7731k";
const USER: &str = "user-ZQX7731k@example.com";
const SESSION: &str = "session-ZQX7731k";

async fn made(client: &ProjectClient, path: &str, body: Value) -> Value {
    let (status, made) = send(client, Method::POST, path, &body).await;
    assert!(status.is_success(), "{path}: {status}: {made}");
    made
}

/// Everything that can be sent of somebody, and the trace that it hangs on.
async fn plant(client: &ProjectClient, (user, session, mark): (&str, &str, &str)) -> String {
    let root = of_user("chat", user)
        .attribute("session.id", session)
        .attribute("input.value", format!("my number is {mark}"))
        .attribute("langfuse.trace.metadata.note", mark);
    let below = root
        .child("answer")
        .attribute("output.value", format!("so it is {mark}"));
    let trace = root.trace_id().to_owned();
    client.accept_traces(&export([&root, &below])).await;
    let said = json!({"stringValue": format!("a line about {mark}")});
    let mut outside = log_record(&root, "", said.clone());
    for field in ["traceId", "spanId"] {
        outside.as_object_mut().unwrap().remove(field);
    }
    outside["attributes"] = json!([{"key": "user.id", "value": {"stringValue": user}}]);
    let logs = [log_record(&root, "", said), outside];
    client.accept_logs(&export_logs(&logs)).await;
    let described = json!({"id": format!("lf-{user}"), "name": "older", "userId": user, "sessionId": session,
        "input": mark, "metadata": {"note": mark}});
    let step = json!({"id": format!("lf-span-{user}"), "traceId": format!("lf-{user}"), "name": "step", "input": mark});
    ingest(
        client,
        &[
            event(1, 1, "trace-create", &described),
            event(2, 2, "span-create", &step),
        ],
    )
    .await;
    client.trace_with_spans(&trace, 2).await;
    becomes(client, &format!("/observations/lf-span-{user}"), |_| true).await;
    hang_on(client, (&trace, root.span_id()), (user, session, mark)).await;
    trace
}

/// What people and programs add to a trace.
pub(crate) async fn hang_on(
    client: &ProjectClient,
    (trace, span): (&str, &str),
    (user, session, mark): (&str, &str, &str),
) {
    let post =
        async |path: &str, body: Value| made(client, &format!("/api/public{path}"), body).await;
    post("/scores", json!({"id": format!("s1-{mark}"), "traceId": trace, "name": "helpful", "value": 1, "comment": mark})).await;
    post("/scores", json!({"id": format!("s2-{mark}"), "sessionId": session, "name": "calm", "value": 0, "comment": mark})).await;
    let project = found(client, "/projects").await["data"][0]["id"].clone();
    for (kind, id) in [
        ("TRACE", trace),
        ("OBSERVATION", span),
        ("SESSION", session),
    ] {
        let comment =
            json!({"projectId": project, "objectType": kind, "objectId": id, "content": mark});
        post("/comments", comment).await;
    }
    let config = post(
        "/score-configs",
        json!({"name": format!("c {}", mark.len()), "dataType": "NUMERIC"}),
    )
    .await;
    let queue = post(
        "/annotation-queues",
        json!({"name": format!("q of {}", trace), "scoreConfigIds": [config["id"]]}),
    )
    .await;
    let items = format!("/annotation-queues/{}/items", queue["id"].as_str().unwrap());
    post(&items, json!({"objectId": trace, "objectType": "TRACE"})).await;
    post(
        &items,
        json!({"objectId": session, "objectType": "SESSION"}),
    )
    .await;
    let dataset = format!("d of {trace}");
    post("/v2/datasets", json!({"name": dataset})).await;
    let item = json!({"datasetName": dataset, "id": format!("i-{mark}"), "input": mark, "sourceTraceId": trace});
    post("/dataset-items", item).await;
    // What an application made of that item.
    let output =
        SpanBuilder::root("experiment").attribute("output.value", format!("of the item: {mark}"));
    client.accept_traces(&export([&output])).await;
    client.trace_with_spans(output.trace_id(), 1).await;
    let link =
        json!({"runName": "r", "datasetItemId": format!("i-{mark}"), "traceId": output.trace_id()});
    post("/dataset-run-items", link).await;
    let file = File::new("text/plain", format!("a letter of {mark}"));
    let url = announced(client, &file, trace).await.unwrap();
    let sent = Client::new()
        .put(url)
        .header("content-type", "text/plain")
        .body(file.bytes.clone());
    assert!(sent.send().await.unwrap().status().is_success());
    let at = domain::Timestamp::from_unix_nanos(now_nanos())
        .unwrap()
        .to_string();
    let events = json!([
        {"id": format!("e1-{mark}"), "type": "ticket", "at": at, "trace_id": trace, "attributes": {"note": mark}},
        {"id": format!("e2-{mark}"), "type": "ticket", "at": at, "user_id": user},
        {"id": format!("e3-{mark}"), "type": "ticket", "at": at, "session_id": session},
    ]);
    made(client, "/api/v1/business-events", events).await;
    eventually("scores are stored", async || {
        let scores = found(client, "/v2/scores?limit=100").await.to_string();
        let there = ["s1-", "s2-"].map(|id| scores.contains(&format!("{id}{mark}")));
        there.iter().all(|there| *there).then_some(()).ok_or(scores)
    })
    .await;
}

/// Every list that may show something of users.
const LISTS: [&str; 14] = [
    "/api/v1/traces?limit=100",
    "/api/v1/spans?limit=100",
    "/api/v1/sessions",
    "/api/v1/users",
    "/api/v1/business-events",
    "/api/v1/semantic-events",
    "/api/v1/deletions",
    "/api/public/traces?limit=100",
    "/api/public/observations?limit=100",
    "/api/public/sessions?limit=100",
    "/api/public/v2/scores?limit=100",
    "/api/public/comments?limit=100",
    "/api/public/dataset-items?limit=100",
    "/api/public/annotation-queues?limit=100",
];

#[tokio::test(flavor = "multi_thread")]
async fn nothing_of_a_forgotten_user_is_left_anywhere_and_all_of_the_others_is() {
    let server = Server::start().await;
    let (member, admin) = project(&server);
    let kept = plant(&member, ("other", "session-other", "KEPT5521")).await;
    let before = member.get_json(&format!("/api/v1/traces/{kept}")).await;
    let lists_before = lists_of(&member, "KEPT5521").await;
    let gone = plant(&member, (USER, SESSION, MARK)).await;
    let (mut postgres, clickhouse) = stores(&server).await;
    assert!(
        in_postgres(&mut postgres, MARK).await.len() >= 5,
        "the test looks where it is"
    );
    assert!(
        in_clickhouse(&clickhouse, MARK).await.len() >= 4,
        "the test looks where it is"
    );

    let preview = admin
        .get_json(&format!("/api/v1/users/{USER}/deletion-preview"))
        .await;
    let done = verified(&admin, &ask(&admin, USER).await).await;
    let counts = &done["counts"];
    // Two traces of theirs and one that was made of their item.
    for (store, many) in [
        ("traces", 3),
        ("spans", 5),
        ("sessions", 1),
        ("logs", 1),
        ("scores", 2),
        ("changes", 2),
        ("comments", 3),
        ("annotation_items", 2),
        ("dataset_items", 1),
        ("dataset_run_links", 1),
        ("media", 1),
        ("business_events", 3),
    ] {
        assert_eq!(counts[store], many, "{store}: {counts}");
        assert_eq!(preview["counts"][store], many, "{store}: {preview}");
    }
    for list in LISTS {
        let shown = member.get_json(list).await.to_string();
        assert!(!shown.contains(MARK), "{list}: {shown}");
    }
    let path = format!("/api/v1/traces/{gone}");
    assert_eq!(member.get(&path).await.status(), StatusCode::NOT_FOUND);
    assert_eq!(in_postgres(&mut postgres, MARK).await, Vec::<String>::new());
    assert_eq!(in_clickhouse(&clickhouse, MARK).await, Vec::<String>::new());
    // The engines' own files are compressed or logs of theirs: what is left there is told in docs/deletion.md.
    for folder in ["spool", "media", "scratch", "clickhouse"] {
        let hits = in_files(&server.data_dir().join(folder), MARK.as_bytes());
        assert_eq!(hits, Vec::<String>::new(), "{folder}");
    }
    assert_eq!(
        member.get_json(&format!("/api/v1/traces/{kept}")).await,
        before
    );
    assert_eq!(lists_of(&member, "KEPT5521").await, lists_before);
    certificate(&server, &admin, &done).await;
}

/// How often each list shows something of somebody.
async fn lists_of(client: &ProjectClient, mark: &str) -> Vec<(&'static str, usize)> {
    let mut shown = Vec::new();
    for list in LISTS {
        let text = client.get_json(list).await.to_string();
        shown.push((list, text.matches(mark).count()));
    }
    shown
}

/// What is certified holds, and whatever is changed does not.
async fn certificate(server: &Server, admin: &ProjectClient, done: &Value) {
    let statement = &done["certificate"]["statement"];
    assert_eq!(statement["deletion_id"], done["id"]);
    assert_eq!(statement["counts"], done["counts"]);
    assert_eq!(statement["subject"]["hash"], done["subject_hash"]);
    assert!(!done.to_string().contains(MARK));
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("certificate.json");
    let path = file.to_str().unwrap();
    std::fs::write(
        &file,
        serde_json::to_string_pretty(&done["certificate"]).unwrap(),
    )
    .unwrap();
    let checked = server.admin(&["verify-certificate", path]);
    assert_eq!(checked["statement"], *statement);
    let key = admin.get_json("/api/v1/deletions/public-key").await;
    let key = key["public_key"].as_str().unwrap();
    server.admin(&["verify-certificate", path, "--public-key", key]);
    let changed = done["certificate"]
        .to_string()
        .replace("\"spans\":5", "\"spans\":6");
    std::fs::write(&file, changed).unwrap();
    let refused = std::process::Command::new(tests::binary())
        .args(["admin", "verify-certificate", path, "--public-key", key])
        .output()
        .unwrap();
    assert!(!refused.status.success());
}

pub(crate) async fn stores(server: &Server) -> (PgConnection, reqwest::Url) {
    let run = std::fs::read(server.data_dir().join("run/server.json")).unwrap();
    let run: Value = serde_json::from_slice(&run).unwrap();
    let url = run["database_url"].as_str().unwrap();
    let postgres = PgConnection::connect(url).await.unwrap();
    let clickhouse = run["clickhouse_url"].as_str().unwrap();
    (postgres, reqwest::Url::parse(clickhouse).unwrap())
}

/// Tables of which a row holds a text.
pub(crate) async fn in_postgres(postgres: &mut PgConnection, mark: &str) -> Vec<String> {
    let tables = "SELECT tablename::TEXT AS name FROM pg_tables WHERE schemaname = 'public'";
    let tables = sqlx::query(tables).fetch_all(&mut *postgres).await.unwrap();
    let mut hits = Vec::new();
    for table in tables {
        let name: String = table.get("name");
        let sql =
            format!("SELECT count(*) AS hits FROM \"{name}\" t WHERE t::TEXT LIKE '%{mark}%'");
        let row = sqlx::query(&sql).fetch_one(&mut *postgres).await.unwrap();
        if row.get::<i64, _>("hits") > 0 {
            hits.push(name);
        }
    }
    hits
}

/// Tables of which a row holds a text, rows that are marked as deleted included.
pub(crate) async fn in_clickhouse(url: &reqwest::Url, mark: &str) -> Vec<String> {
    let database = url.path().trim_start_matches('/').to_owned();
    let mut address = url.clone();
    address.set_path("/");
    let ask = async |sql: String| {
        let request = Client::new().post(address.clone());
        let request = request.query(&[("database", database.as_str())]).body(sql);
        request.send().await.unwrap().text().await.unwrap()
    };
    let mut hits = Vec::new();
    for table in ["spans", "logs", "scores", "changes", "traces"] {
        let sql = format!(
            "SELECT count() FROM {table} WHERE position(formatRow('JSONEachRow', *), '{mark}') > 0
             SETTINGS apply_deleted_mask = 0 FORMAT TSV"
        );
        let count = ask(sql).await;
        let count: u64 = count
            .trim()
            .parse()
            .unwrap_or_else(|_| panic!("{table}: {count}"));
        if count > 0 {
            hits.push(table.to_owned());
        }
    }
    hits
}

/// Files that hold some bytes.
pub(crate) fn in_files(folder: &Path, mark: &[u8]) -> Vec<String> {
    let mut hits = Vec::new();
    let Ok(entries) = std::fs::read_dir(folder) else {
        return hits;
    };
    for entry in entries.flatten() {
        let path = entry.path();
        if path.is_dir() {
            hits.extend(in_files(&path, mark));
        } else if let Ok(bytes) = std::fs::read(&path)
            && bytes.windows(mark.len()).any(|part| part == mark)
        {
            hits.push(path.display().to_string());
        }
    }
    hits
}
