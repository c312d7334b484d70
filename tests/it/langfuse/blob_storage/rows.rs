//! Rows of files: as many as there are things, in every form, and none that a spreadsheet computes.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::{Store, at, becomes_status, described, ingest, server, set};

const TIME: &str = "2025-06-02T10:15:00.000Z";
const TRACES: u32 = 101;
/// Names of traces that spreadsheets would compute.
const FORMULAS: [&str; 5] = ["=1+1", "+1", "-1+2", "@SUM(A1)", "\t=1"];

/// C080: a file has as many rows as there are items. C081: formulas in exported text.
#[tokio::test(flavor = "multi_thread")]
async fn each_form_has_each_thing_once_and_csv_has_no_formulas() {
    let server = server().await;
    let organisation = server.new_organisation();
    let project = organisation.project.project_id.clone().unwrap();
    let client = &organisation.project;
    let mut events = Vec::new();
    for number in 0..TRACES {
        let name = FORMULAS
            .get(number as usize)
            .copied()
            .unwrap_or("a, \"b\"\nc");
        let trace = json!({
            "id": format!("t{number}"), "name": name, "userId": "=HYPERLINK(\"http://x.invalid\")",
        });
        events.push(at(TIME, number, "trace-create", trace));
    }
    let score = json!({"id": "s", "traceId": "t0", "name": "=1", "value": -0.5});
    events.push(at(TIME, TRACES, "score-create", score));
    for events in events.chunks(50) {
        ingest(client, events).await;
    }
    tests::eventually("all can be read", async || {
        let traces = client.get_json("/api/public/traces?limit=1").await;
        let scores = client.get_json("/api/public/v2/scores").await;
        let counts = (&traces["meta"]["totalItems"], &scores["meta"]["totalItems"]);
        if counts == (&json!(TRACES), &json!(1)) {
            Ok(())
        } else {
            Err(counts.0.clone())
        }
    })
    .await;
    let store = Store::start().await;
    let mut body = described(client, &store.url);
    body["compressed"] = json!(false);
    let mut ids = Vec::new();
    for (form, mode) in [
        ("JSONL", "FULL_HISTORY"),
        ("CSV", "FROM_CUSTOM_DATE"),
        ("JSON", "FULL_HISTORY"),
    ] {
        let extension = form.to_lowercase();
        body["fileType"] = json!(form);
        body["prefix"] = json!(format!("{extension}/"));
        body["exportMode"] = json!(mode);
        body["exportStartDate"] = match mode {
            "FULL_HISTORY" => Value::Null,
            _ => json!("2025-06-01T00:00:00Z"),
        };
        set(&organisation, &body).await;
        becomes_status(&organisation, "up_to_date").await;
        let objects = store.objects();
        let text = |table: &str| {
            let folder = format!("/lake/{extension}/{project}/{table}/");
            let found = objects.iter().find(|(key, _)| key.starts_with(&folder));
            let (_, bytes) = found.unwrap_or_else(|| panic!("{folder}: {:?}", objects.keys()));
            String::from_utf8(bytes.clone()).unwrap()
        };
        let traces = rows(form, &text("traces"));
        assert_eq!(traces.len(), TRACES as usize, "{form}");
        let mark = if form == "CSV" { "'" } else { "" };
        for (number, formula) in FORMULAS.iter().enumerate() {
            let trace = traces
                .iter()
                .find(|trace| trace["id"] == format!("t{number}"));
            assert_eq!(trace.unwrap()["name"], format!("{mark}{formula}"), "{form}");
        }
        let link = format!("{mark}=HYPERLINK(\"http://x.invalid\")");
        assert!(traces.iter().all(|trace| trace["user_id"] == link));
        let scores = rows(form, &text("scores"));
        assert_eq!(scores[0]["name"], format!("{mark}=1"));
        let value = scores[0]["value"].to_string();
        assert_eq!(value.trim_matches('"'), "-0.5", "a number stays a number");
        let named = traces.iter().map(|trace| trace["id"].to_string());
        ids.push(named.collect::<BTreeSet<String>>());
    }
    assert!(
        ids.iter()
            .all(|one| one.len() == TRACES as usize && *one == ids[0])
    );
}

/// Rows by their columns; of CSV read strictly: each as wide as the header.
fn rows(form: &str, text: &str) -> Vec<Value> {
    match form {
        "JSON" => serde_json::from_str(text).unwrap(),
        "JSONL" => text
            .lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect(),
        _ => {
            let mut reader = csv::Reader::from_reader(text.as_bytes());
            let header = reader.headers().unwrap().clone();
            let records = reader.records().map(|record| record.unwrap());
            let row = |record: csv::StringRecord| {
                let cells = header.iter().map(str::to_owned);
                let cells = cells.zip(record.iter().map(|cell| json!(cell)));
                Value::Object(cells.collect())
            };
            records.map(row).collect()
        }
    }
}
