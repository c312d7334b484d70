//! Files of Parquet, read back by ClickHouse, against the same things as lines of JSON.

use std::collections::BTreeMap;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use reqwest::Url;
use serde_json::{Value, json};
use tests::Server;

use super::{Store, at, becomes, becomes_status, described, ingest, judged_trace, server, set};

const TIME: &str = "2025-11-20T23:30:00.000Z";

/// What ClickHouse reads from a file; `what` is selected, `form` is the format that it is read as.
async fn selected(server: &Server, (what, form): (&str, &str), file: &[u8]) -> Vec<Value> {
    let run = std::fs::read(server.data_dir().join("run/server.json")).unwrap();
    let run: Value = serde_json::from_slice(&run).unwrap();
    let mut address = Url::parse(run["clickhouse_url"].as_str().unwrap()).unwrap();
    address.set_path("/");
    let bytes = STANDARD.encode(file);
    let query = format!("SELECT {what} FROM format({form}, base64Decode('{bytes}'))");
    let request = reqwest::Client::new()
        .post(address)
        .query(&[
            ("default_format", "JSONEachRow"),
            ("max_query_size", "100000000"),
            ("date_time_output_format", "iso"),
            ("output_format_json_quote_64bit_integers", "0"),
        ])
        .body(query);
    let answer = request.send().await.unwrap();
    let (status, text) = (answer.status(), answer.text().await.unwrap());
    assert!(status.is_success(), "{text}");
    let rows = text.lines().map(serde_json::from_str);
    rows.collect::<Result<_, _>>().unwrap()
}

/// The objects below a prefix, by the names of their tables.
fn tables(store: &Store, prefix: &str) -> BTreeMap<String, Vec<u8>> {
    let below = format!("/lake/{prefix}");
    let objects = store.objects().into_iter();
    let of_prefix = objects.filter(|(path, _)| path.starts_with(&below));
    let table = |path: String| path.split('/').nth(4).unwrap().to_owned();
    of_prefix
        .map(|(path, bytes)| (table(path), bytes))
        .collect()
}

/// Whether a value of a file says what the JSON says: what is no text may be its JSON as a text.
fn is_same(read: &Value, json: &Value) -> bool {
    match (read, json) {
        (Value::String(read), Value::String(json)) => read == json,
        (Value::String(_), Value::Null) => false,
        (Value::String(read), _) => {
            serde_json::from_str::<Value>(read).is_ok_and(|read| read == *json)
        }
        (Value::Number(read), Value::Number(json)) => read.as_f64() == json.as_f64(),
        _ => read == json,
    }
}

/// Things of every kind, some values of which are missing.
async fn things(server: &Server) -> tests::Organisation {
    let organisation = server.new_organisation();
    let client = &organisation.project;
    judged_trace(client, "t0", TIME).await;
    let words = "é \u{1F600} \"quoted\"\n, =1+1";
    let bare = json!({ "id": "t1", "name": words, "input": [1, { "a": null }], "public": true });
    let label = json!({ "id": "label", "traceId": "t1", "name": "mood", "value": "good" });
    let said =
        json!({ "id": "said", "traceId": "t1", "name": "why", "value": "7", "dataType": "TEXT" });
    let span = json!({
        "id": "s1", "traceId": "t1", "name": "step", "endTime": "2025-11-20T23:30:01.250Z",
        "input": "7", "output": "", "level": "ERROR", "statusMessage": "null",
    });
    let call = json!({
        "id": "g1", "traceId": "t1", "model": "gpt-4o", "promptName": "p", "promptVersion": 3,
        "usageDetails": { "input": 1000, "output": 500 }, "modelParameters": { "temperature": 0.1 },
        "completionStartTime": "2025-11-20T23:30:00.250Z", "endTime": "2025-11-20T23:30:02Z",
    });
    let events = [
        at(TIME, 11, "trace-create", bare),
        at(TIME, 12, "span-create", span),
        at(TIME, 13, "generation-create", call),
        at(TIME, 14, "score-create", label),
        at(TIME, 15, "score-create", said),
    ];
    ingest(client, &events).await;
    becomes(client, "/traces/t1", |trace| {
        let count = |of: &str| trace[of].as_array().unwrap().len();
        (count("observations"), count("scores")) == (2, 2) && trace["public"] == true
    })
    .await;
    organisation
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_of_parquet_says_what_lines_of_json_say() {
    let server = server().await;
    let organisation = things(&server).await;
    let store = Store::start().await;
    let mut body = described(&organisation.project, &store.url);
    body["exportSource"] = json!("LEGACY_TRACES_AND_ENRICHED_OBSERVATIONS");
    let forms = [
        ("JSONL", "json/", false, "FULL_HISTORY"),
        ("PARQUET", "packed/", true, "FROM_CUSTOM_DATE"),
        ("PARQUET", "plain/", false, "FULL_HISTORY"),
    ];
    for (form, prefix, is_compressed, mode) in forms {
        body["fileType"] = json!(form);
        body["prefix"] = json!(prefix);
        body["compressed"] = json!(is_compressed);
        body["exportMode"] = json!(mode);
        body["exportStartDate"] = match mode {
            "FULL_HISTORY" => Value::Null,
            _ => json!("2025-06-01T00:00:00Z"),
        };
        let shown = set(&organisation, &body).await;
        assert_eq!(shown["fileType"], form);
        becomes_status(&organisation, "up_to_date").await;
    }
    let puts = store.puts();
    let packed = puts.iter().filter(|put| put.path.ends_with(".parquet"));
    assert!(packed.clone().count() == 8, "four tables, both ways");
    for put in packed {
        let media_type = &put.headers["content-type"];
        assert_eq!(media_type, "application/vnd.apache.parquet");
    }
    let lines = tables(&store, "json/");
    assert_eq!(
        Vec::from_iter(lines.keys()),
        ["observations", "observations_v2", "scores", "traces"]
    );
    for prefix in ["packed/", "plain/"] {
        for (table, file) in tables(&store, prefix) {
            let read = selected(&server, ("*", "Parquet"), &file).await;
            let lines = String::from_utf8(lines[&table].clone()).unwrap();
            let lines: Vec<Value> = lines
                .lines()
                .map(|line| serde_json::from_str(line).unwrap())
                .collect();
            assert_eq!(read.len(), lines.len(), "{table}");
            for (read, line) in read.iter().zip(&lines) {
                let (read, line) = (read.as_object().unwrap(), line.as_object().unwrap());
                assert_eq!(Vec::from_iter(read.keys()), Vec::from_iter(line.keys()));
                for (column, value) in line {
                    let found = &read[column];
                    assert!(
                        is_same(found, value),
                        "{table}.{column}: {found} for {value}"
                    );
                }
            }
        }
    }
    let scores = &tables(&store, "packed/")["scores"];
    let kinds = selected(
        &server,
        (
            "DISTINCT toTypeName(timestamp) AS time, toTypeName(value) AS value, toTypeName(name) AS name",
            "Parquet",
        ),
        scores,
    );
    let expected = json!({
        "time": "Nullable(DateTime64(3, 'UTC'))", "value": "Nullable(Float64)", "name": "Nullable(String)",
    });
    assert_eq!(kinds.await, [expected]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_large_table_is_written_group_by_group() {
    const LENGTH: usize = 4_300_000;
    let server = server().await;
    let organisation = server.new_organisation();
    let client = &organisation.project;
    for number in 0..5 {
        let input = number.to_string().repeat(LENGTH);
        let trace = json!({ "id": format!("t{number}"), "name": "large", "input": input });
        ingest(client, &[at(TIME, number, "trace-create", trace)]).await;
    }
    becomes(client, "/traces?fields=core", |list| {
        list["meta"]["totalItems"] == 5
    })
    .await;
    let store = Store::start().await;
    let mut body = described(client, &store.url);
    body["fileType"] = json!("PARQUET");
    set(&organisation, &body).await;
    becomes_status(&organisation, "up_to_date").await;
    let file = &tables(&store, "llm/")["traces"];
    assert!(file.len() < LENGTH, "it is compressed: {}", file.len());
    let lengths =
        "uniqExact(id) AS ids, uniqExact(input) AS inputs, min(length(input)) AS shortest";
    let read = selected(&server, (lengths, "Parquet"), file).await;
    assert_eq!(read, [json!({ "ids": 5, "inputs": 5, "shortest": LENGTH })]);
    let groups = selected(
        &server,
        ("num_rows, num_row_groups", "ParquetMetadata"),
        file,
    )
    .await;
    assert_eq!(groups, [json!({ "num_rows": 5, "num_row_groups": 2 })]);
}
