//! Files of items: brought in a browser, and back out again.

use std::io::Write as _;

use reqwest::StatusCode;
use serde_json::{Value, json};
use tests::shared;

use super::Browser;
use super::dataset_items::{items, project_path};
use super::headers::Visitor;
use super::tenancy::new_key;

/// A file with a name that ends like this.
fn file(end: &str, content: &str) -> tempfile::NamedTempFile {
    let mut file = tempfile::Builder::new().suffix(end).tempfile().unwrap();
    file.write_all(content.as_bytes()).unwrap();
    file
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_is_looked_at_its_columns_are_named_and_it_is_imported() {
    let (browser, client) = Browser::in_new_project("files of items").await;
    let project = project_path(&browser).await;
    browser.go(&format!("{project}/datasets/new")).await;
    browser.fill("#dataset-name", "imported").await;
    browser.submit("#dataset-name").await;
    browser.path_contains("tab=items").await;
    browser.click("header a[href$='/import']").await;

    let twice = file(".csv", "question,answer,question\n1,2,3\n");
    let field = browser.find("#import-file").await;
    field
        .send_keys(twice.path().to_str().unwrap())
        .await
        .unwrap();
    browser.click("form .btn-primary").await;
    browser
        .says("[role='alert']", "the column question is there twice")
        .await;
    browser.expect_complaint("422").await;

    let good = file(
        ".csv",
        "question;context;answer\r\nwho?;\"a; b\";\"{\"\"is\"\": 1}\"\r\nwhat?;中文;=1+1\r\n",
    );
    let field = browser.find("#import-file").await;
    field
        .send_keys(good.path().to_str().unwrap())
        .await
        .unwrap();
    browser.click("form .btn-primary").await;
    browser.says("#becomes", "who?").await;
    // Two columns together are an object of their names.
    browser
        .click("tr:nth-child(2) select[name='column'] option[value='input']")
        .await;
    browser.click("#look-again").await;
    browser.says("#becomes", "a; b").await;
    browser
        .path_contains("column=input&column=input&column=expected_output")
        .await;
    // What is chosen counts, whether it was looked at or not.
    browser
        .click("tr:nth-child(2) select[name='column'] option[value='metadata']")
        .await;
    browser.click("#import-now").await;
    browser.path_contains("tab=items").await;
    let found = items(&client, "imported").await;
    let contents: Vec<Value> = found
        .iter()
        .map(|item| json!([item["input"], item["expectedOutput"], item["metadata"]]))
        .collect();
    assert_eq!(
        contents,
        [
            json!(["who?", {"is": 1}, "a; b"]),
            json!(["what?", "=1+1", "中文"]),
        ]
    );
    browser.close().await;
}

/// Contents that are easily lost on the way into a table and back.
fn contents() -> Vec<Value> {
    vec![
        json!("commas, \"quotes\"\nand line breaks\r\n"),
        json!("中文 👩‍👩‍👧"),
        json!({"a": [1, null, "=1+1"], "b": {"c": -0.5}}),
        json!(""),
        json!(null),
        json!("null"),
        json!("007"),
        json!(7),
        json!("=1+1"),
        json!("\t=1"),
        json!("-1+2"),
        json!("@SUM(A1)"),
        json!(-0.5),
    ]
}

/// C067: CSV in and out.
#[tokio::test(flavor = "multi_thread")]
async fn what_is_exported_is_imported_again_without_loss() {
    let server = shared().await;
    let mut owner = Visitor::signed_in_as(server.email(), server.password()).await;
    let project = owner.project().await;
    let client = new_key(&mut owner, &project).await;
    let name = format!("round-trip-{}", std::process::id());
    let dataset = async |name: &str| {
        let body = json!({"name": name});
        let made = client.langfuse(
            reqwest::Method::POST,
            "/api/public/v2/datasets",
            Some(&body),
        );
        made.await.body["id"].as_str().unwrap().to_owned()
    };
    let first = dataset(&name).await;
    let contents = contents();
    for content in &contents {
        let item = json!({
            "datasetName": name, "input": content, "expectedOutput": content, "metadata": {"m": content},
        });
        let path = "/api/public/dataset-items";
        let answer = client
            .langfuse(reqwest::Method::POST, path, Some(&item))
            .await;
        assert_eq!(answer.status, StatusCode::OK);
    }
    for form in ["csv", "jsonl"] {
        let exported = owner
            .get(&format!("{project}/datasets/{first}/export/{form}"))
            .await;
        let disposition = exported.headers()["content-disposition"].to_str().unwrap();
        assert!(
            disposition.contains(&format!("{name}.{form}")),
            "{disposition}"
        );
        let exported = exported.text().await.unwrap();
        if form == "csv" {
            no_cell_is_a_formula(&exported, contents.len());
        }
        let name = format!("{name}-{form}");
        let second = dataset(&name).await;
        let import = format!("{project}/datasets/{second}/import");
        owner.read(&import).await;
        let file = (&*format!("back.{form}"), exported.as_bytes());
        let preview = owner.bring(&import, file).await;
        assert_eq!(preview.status(), StatusCode::SEE_OTHER, "{form}");
        let preview = preview.headers()["location"].to_str().unwrap().to_owned();
        owner.read(&preview).await;
        let form = [("_csrf", owner.csrf.as_str())];
        assert_eq!(
            owner.post(&preview, &form).await.status(),
            StatusCode::SEE_OTHER
        );
        let (before, after) = (
            items(&client, &name[..name.rfind('-').unwrap()]).await,
            items(&client, &name).await,
        );
        let said = |items: &[Value]| -> Vec<Value> {
            let said =
                |item: &Value| json!([item["input"], item["expectedOutput"], item["metadata"]]);
            items.iter().map(said).collect()
        };
        assert_eq!(said(&after), said(&before));
        assert_eq!(after.len(), contents.len());
        assert!(
            after
                .iter()
                .all(|item| before.iter().all(|old| old["id"] != item["id"]))
        );
        // It is imported once.
        assert_eq!(
            owner.post(&preview, &form).await.status(),
            StatusCode::NOT_FOUND
        );
    }
}

/// A row for each item, as wide as the header, and nothing that a spreadsheet would compute.
fn no_cell_is_a_formula(file: &str, items: usize) {
    let mut reader = csv::Reader::from_reader(file.as_bytes());
    let width = reader.headers().unwrap().len();
    let rows: Vec<csv::StringRecord> = reader.records().map(Result::unwrap).collect();
    assert_eq!(rows.len(), items);
    for cell in rows.iter().flat_map(csv::StringRecord::iter) {
        let is_number = cell.parse::<f64>().is_ok();
        assert!(
            is_number || !cell.starts_with(['=', '+', '-', '@', '\t', '\r']),
            "{cell}"
        );
    }
    assert!(rows.iter().all(|row| row.len() == width));
}

/// C067: all rows or none; what is wrong is named.
#[tokio::test(flavor = "multi_thread")]
async fn ten_thousand_rows_arrive_all_or_none() {
    let server = shared().await;
    let mut owner = Visitor::signed_in_as(server.email(), server.password()).await;
    let project = owner.project().await;
    let client = new_key(&mut owner, &project).await;
    let name = format!("many-{}", std::process::id());
    let schema = json!({"type": "object", "required": ["n"]});
    let body = json!({"name": name, "inputSchema": schema});
    let made = client
        .langfuse(
            reqwest::Method::POST,
            "/api/public/v2/datasets",
            Some(&body),
        )
        .await;
    let import = format!(
        "{project}/datasets/{}/import",
        made.body["id"].as_str().unwrap()
    );
    owner.read(&import).await;
    let rows = |wrong: Option<usize>| {
        let rows = (0..10_000).map(|n| match Some(n) == wrong {
            true => "\"{}\"\n".to_owned(),
            false => format!("\"{{\"\"n\"\": {n}}}\"\n"),
        });
        format!("input\n{}", rows.collect::<String>())
    };
    for (wrong, status, total) in [
        (Some(9_998), StatusCode::UNPROCESSABLE_ENTITY, 0),
        (None, StatusCode::SEE_OTHER, 10_000),
    ] {
        let preview = owner
            .bring(&import, ("many.csv", rows(wrong).as_bytes()))
            .await;
        let preview = preview.headers()["location"].to_str().unwrap().to_owned();
        let answer = owner
            .post(&preview, &[("_csrf", owner.csrf.as_str())])
            .await;
        assert_eq!(answer.status(), status);
        if wrong.is_some() {
            assert!(answer.text().await.unwrap().contains("row 9999"));
        }
        let path = format!("/api/public/dataset-items?datasetName={name}&limit=1");
        assert_eq!(client.get_json(&path).await["meta"]["totalItems"], total);
    }
    let exported = owner.get(&import.replace("/import", "/export/csv")).await;
    let exported = exported.text().await.unwrap();
    no_cell_is_a_formula(&exported, 10_000);
    let first = exported.lines().nth(1).unwrap();
    assert!(
        first.contains("\"\"n\"\":0}"),
        "in the order of the file: {first}"
    );
}
