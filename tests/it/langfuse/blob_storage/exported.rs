//! What arrives at the store.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::signature::{expected, expected_of_azure};
use super::store::Put;
use super::{SECRET, Store, becomes_status, described, judged_trace, lines, server, set};

/// A key in Base64, as accounts have them.
const AZURE_KEY: &str = "dGhlIGtleSBvZiBhbiBhY2NvdW50IG9mIEF6dXJl";
const TIMES: [&str; 3] = [
    "2025-06-02T10:15:00.000Z",
    "2025-06-02T10:59:59.999Z",
    // Months later: what lies between is jumped over.
    "2025-11-20T23:30:00.000Z",
];

#[tokio::test(flavor = "multi_thread")]
async fn every_window_with_telemetry_becomes_a_file_a_table_in_each_form() {
    let server = server().await;
    let organisation = server.new_organisation();
    let project = organisation.project.project_id.clone().unwrap();
    for (at, time) in TIMES.iter().enumerate() {
        judged_trace(&organisation.project, &format!("t{at}"), time).await;
    }
    let store = Store::start().await;
    set(&organisation, &described(&organisation.project, &store.url)).await;
    let done = becomes_status(&organisation, "up_to_date").await;
    assert!(done["lastSyncAt"].is_string(), "{done}");
    assert_eq!(done["lastError"], Value::Null);

    let mut expected = BTreeSet::new();
    for table in ["traces", "observations", "scores"] {
        for window in ["2025-06-02T11-00-00", "2025-11-21T00-00-00"] {
            let key = format!("/lake/llm/{project}/{table}/{window}.jsonl.gz");
            expected.insert(key);
        }
    }
    let objects = store.objects();
    let keys: BTreeSet<String> = objects.keys().cloned().collect();
    assert_eq!(keys, expected);
    assert_eq!(store.puts().len(), expected.len(), "each once");
    for put in store.puts() {
        is_signed(&put, &store);
    }
    let rows = |table: &str, window: &str| {
        lines(&objects[&format!("/lake/llm/{project}/{table}/{window}.jsonl.gz")])
    };
    let traces = rows("traces", "2025-06-02T11-00-00");
    let ids: Vec<&Value> = traces.iter().map(|trace| &trace["id"]).collect();
    assert_eq!(ids, ["t1", "t0"]);
    assert_eq!(traces[1]["timestamp"], TIMES[0]);
    assert_eq!(traces[1]["user_id"], "ada");
    assert_eq!(traces[1]["tags"], json!(["t"]));
    let observation = &rows("observations", "2025-11-21T00-00-00")[0];
    assert_eq!(observation["id"], "t2-span");
    assert_eq!(observation["trace_id"], "t2");
    assert_eq!(observation["type"], "GENERATION");
    assert_eq!(observation["input"], json!({ "q": "a,\"b\"\nc" }));
    assert_eq!(observation["usage_details"]["total"], 7);
    let score = &rows("scores", "2025-11-21T00-00-00")[0];
    assert_eq!(score["value"], 0.5);
    assert_eq!(score["string_value"], Value::Null);
}

/// That a request has a signature, over the headers that matter.
fn is_signed(put: &Put, store: &Store) {
    assert_eq!(put.query["x-amz-algorithm"], "AWS4-HMAC-SHA256");
    assert_eq!(put.query["x-amz-signature"], expected(put, SECRET));
    assert_eq!(put.query["x-amz-signedheaders"], "content-type%3Bhost");
    let credential = &put.query["x-amz-credential"];
    assert!(credential.starts_with("AKIAEXPORTS%2F"), "{credential}");
    assert!(credential.ends_with("%2Feu-west-1%2Fs3%2Faws4_request"));
    assert_eq!(put.headers["content-type"], "application/gzip");
    let host = store.url.strip_prefix("http://").unwrap();
    assert_eq!(put.headers["host"], host);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_container_of_azure_is_written_with_the_key_of_its_account() {
    let server = server().await;
    let organisation = server.new_organisation();
    let project = organisation.project.project_id.clone().unwrap();
    judged_trace(&organisation.project, "t2", TIMES[2]).await;
    let store = Store::start().await;
    let mut body = described(&organisation.project, &store.url);
    body["type"] = json!("AZURE_BLOB_STORAGE");
    body["accessKeyId"] = json!("lakeaccount");
    body["secretAccessKey"] = json!(AZURE_KEY);
    set(&organisation, &body).await;
    becomes_status(&organisation, "up_to_date").await;
    let puts = store.puts();
    assert_eq!(puts.len(), 3);
    let window = "2025-11-21T00-00-00";
    let traces = format!("/lake/llm/{project}/traces/{window}.jsonl.gz");
    assert_eq!(lines(&store.objects()[&traces])[0]["id"], "t2");
    for put in &puts {
        assert!(put.query.is_empty(), "{:?}", put.query);
        assert_eq!(put.headers["x-ms-blob-type"], "BlockBlob");
        let expected = format!(
            "SharedKey lakeaccount:{}",
            expected_of_azure(put, AZURE_KEY)
        );
        assert_eq!(put.headers["authorization"], expected);
    }
    for key in ["no base64!", ""] {
        body["secretAccessKey"] = json!(key);
        let answer = super::put(&organisation.client, &body).await;
        assert_eq!(answer.status, 400, "{key}");
    }
}

/// What was exported with other settings is exported once more, when another beginning is set.
#[tokio::test(flavor = "multi_thread")]
async fn each_type_of_file_has_the_fields_that_are_asked_for() {
    let server = server().await;
    let organisation = server.new_organisation();
    let project = organisation.project.project_id.clone().unwrap();
    judged_trace(&organisation.project, "t2", TIMES[2]).await;
    let store = Store::start().await;
    let mut body = described(&organisation.project, &store.url);
    set(&organisation, &body).await;
    becomes_status(&organisation, "up_to_date").await;
    body["exportMode"] = json!("FROM_CUSTOM_DATE");
    body["exportStartDate"] = json!("2025-11-01T00:00:00Z");
    body["exportFrequency"] = json!("weekly");
    body["exportSource"] = json!("LEGACY_TRACES_AND_ENRICHED_OBSERVATIONS");
    body["exportFieldGroups"] = json!(["core", "basic", "io", "metadata", "trace_context"]);
    body["compressed"] = json!(false);
    body["prefix"] = json!("csv/");
    body["fileType"] = json!("CSV");
    set(&organisation, &body).await;
    becomes_status(&organisation, "up_to_date").await;
    let text = |extension: &str, table: &str| {
        let key = format!("/lake/{extension}/{project}/{table}/2025-11-24T00-00-00.{extension}");
        String::from_utf8(store.objects()[&key].clone()).unwrap()
    };
    let observations = text("csv", "observations");
    assert!(
        observations.starts_with("id,trace_id,project_id,"),
        "{observations}"
    );
    assert!(
        observations.contains(r#""{""q"":""a,\""b\""\nc""}""#),
        "{observations}"
    );
    let enriched = text("csv", "observations_v2");
    let names = enriched.lines().next().unwrap();
    for name in ["user_id", "trace_name", "metadata", "input"] {
        assert!(names.split(',').any(|known| known == name), "{names}");
    }
    assert!(!names.contains("usage_details"), "{names}");
    assert!(enriched.contains(&"x".repeat(300)), "nothing is cut");
    assert!(enriched.contains(",ada,"), "{enriched}");
    assert_eq!(text("csv", "scores").lines().count(), 2);

    body["prefix"] = json!("json/");
    body["fileType"] = json!("JSON");
    body["exportMode"] = json!("FULL_HISTORY");
    body["exportStartDate"] = Value::Null;
    set(&organisation, &body).await;
    becomes_status(&organisation, "up_to_date").await;
    let traces: Value = serde_json::from_str(&text("json", "traces")).unwrap();
    assert_eq!(traces.as_array().unwrap().len(), 1);
    assert_eq!(traces[0]["id"], "t2");
}
