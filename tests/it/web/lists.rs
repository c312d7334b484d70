//! Searching the list of traces, facets, saved views, columns.

use std::collections::BTreeSet;
use std::time::Duration;

use fantoccini::key::Key;
use serde_json::json;
use tests::builders::{SpanBuilder, export, now_nanos};
use tests::{ProjectClient, eventually_within, shared};

use super::Browser;
use super::headers::Visitor;
use super::tenancy::add_member;

/// A root span that began so many seconds ago and took so long.
fn root(name: &str, seconds_ago: u64, millis: u64) -> SpanBuilder {
    let start = now_nanos() - seconds_ago * 1_000_000_000;
    SpanBuilder::root(name)
        .field("startTimeUnixNano", start.to_string())
        .field("endTimeUnixNano", (start + millis * 1_000_000).to_string())
}

async fn stored(client: &ProjectClient, traces: usize) {
    eventually_within(
        Duration::from_secs(60),
        "all traces are listed",
        async || {
            let listed = client.get_json("/api/v1/traces?limit=200").await;
            let count = listed["data"].as_array().map_or(0, Vec::len);
            if count == traces { Ok(()) } else { Err(count) }
        },
    )
    .await;
}

async fn three_turns(client: &ProjectClient) {
    let spans = [
        root("late bag", 30, 4000)
            .attribute("user.id", "ada")
            .attribute("gen_ai.request.model", "gpt-5-mini")
            .attribute("deployment.environment.name", "production"),
        root("lost bag", 40, 200)
            .attribute("user.id", "ben")
            .attribute("gen_ai.request.model", "qwen3-32b")
            .attribute("deployment.environment.name", "production"),
        root("late flight", 50, 900)
            .attribute("user.id", "ada")
            .attribute("deployment.environment.name", "staging"),
    ];
    client.accept_traces(&export(&spans)).await;
    stored(client, 3).await;
}

impl Browser {
    async fn search(&self, text: &str) {
        self.fill(".filters input[type=search]", text).await;
        self.submit(".filters input[type=search]").await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_search_is_words_phrases_operators_and_fields_and_says_what_is_wrong() {
    let (browser, client) = Browser::in_new_project("grammar").await;
    three_turns(&client).await;
    browser.go_to_traces("").await;
    for (search, rows) in [
        ("late bag", 1),
        ("late OR lost", 3),
        ("late NOT flight", 1),
        ("user:ada latency>2s", 1),
        ("model:gpt-*", 1),
        ("(user:ben OR environment:staging) NOT nothing", 2),
    ] {
        browser.search(search).await;
        browser.shows("[data-list] tbody tr", rows).await;
    }
    browser.search("late (bag").await;
    browser
        .says(".search-note", "A parenthesis is opened and not closed")
        .await;
    browser.says(".empty h2", "This is no search").await;
    assert_eq!(
        browser.value(".filters input[type=search]").await,
        "late (bag"
    );
    browser.search("modle:late").await;
    browser.says(".search-note", "modle").await;
    browser.click(".search-help summary").await;
    browser.says(".search-help .menu", "score.helpful").await;
    browser.press(&char::from(Key::Escape).to_string()).await;
    browser.shows(".search-help[open]", 0).await;
    // The refused search was answered with 422, which the console tells of.
    browser.expect_complaint("422").await;
    browser.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn facets_load_when_they_are_opened_and_include_and_exclude() {
    let (browser, client) = Browser::in_new_project("facets").await;
    three_turns(&client).await;
    browser.go_to_traces("").await;
    browser.shows(".facets", 0).await;
    browser.click("[data-facets-toggle]").await;
    browser.path_contains("facets=").await;
    browser.shows(".facet-value", 0).await;
    browser.click("[data-facet=user_id] summary").await;
    browser.shows("[data-facet=user_id] .facet-value", 2).await;
    browser.path_contains("facets=user_id").await;
    browser
        .says("[data-facet=user_id] .facet-value", "ada")
        .await;
    browser
        .says("[data-facet=user_id] .facet-value .facet-count", "2")
        .await;
    browser.click("[data-facet=user_id] .facet-is").await;
    browser.path_contains("f=user_id%3Ais%3Aada").await;
    browser.shows("[data-list] tbody tr", 2).await;
    // It is open as before, and the other value can still be chosen.
    browser
        .shows("[data-facet=user_id] .facet-value.on", 1)
        .await;
    browser.shows("[data-facet=user_id] .facet-value", 2).await;
    browser
        .click("[data-facet=user_id] .facet-value.on .facet-not")
        .await;
    browser.path_contains("f=user_id%3Anot%3Aada").await;
    browser.shows("[data-list] tbody tr", 1).await;
    browser
        .click("[data-facet=user_id] .facet-value.off .facet-not")
        .await;
    browser.shows("[data-list] tbody tr", 3).await;
    browser.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn columns_are_chosen_and_the_address_keeps_them() {
    let (browser, client) = Browser::in_new_project("columns").await;
    three_turns(&client).await;
    browser.go_to_traces("?cols=environment,id").await;
    browser.shows("thead th", 6).await;
    browser.says("tbody", "staging").await;
    browser
        .click("main .head summary:has([href='#i-columns'])")
        .await;
    browser.click(".columns-menu input[value=model]").await;
    browser.click(".columns-menu button").await;
    browser.path_contains("cols=model%2Cenvironment%2Cid").await;
    browser.shows("thead th", 7).await;
    browser.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn views_are_saved_shared_and_open_the_list() {
    let (browser, client) = Browser::in_new_project("views").await;
    three_turns(&client).await;
    browser.go_to_traces("?q=bag&cols=model").await;
    browser.click(".views summary").await;
    browser.fill("#view-name", "Bags").await;
    browser.click("input[name=shared]").await;
    browser.submit("#view-name").await;
    browser.says(".views a[aria-current]", "Bags").await;
    browser.path_contains("q=bag&cols=model&view=").await;
    let project = browser
        .path()
        .await
        .split("/traces")
        .next()
        .unwrap()
        .to_owned();

    // Somebody else sees it, and may not delete it.
    let server = shared().await;
    let mut owner = Visitor::signed_in_as(server.email(), server.password()).await;
    let (email, password) = add_member(&mut owner, &project, "reader").await;
    let mut reader = Visitor::signed_in_as(&email, password).await;
    let list = reader.read(&format!("{project}/traces")).await;
    assert!(list.contains(">Bags</a>"));
    let view = browser
        .path()
        .await
        .split("view=")
        .nth(1)
        .unwrap()
        .to_owned();
    let form = [("_csrf", reader.csrf.as_str())];
    let refused = reader
        .post(&format!("{project}/views/{view}/delete"), &form)
        .await;
    assert_eq!(refused.status(), 404);
    let shared_by_reader = [
        ("_csrf", reader.csrf.as_str()),
        ("name", "mine for all"),
        ("query", ""),
        ("shared", "on"),
    ];
    let refused = reader
        .post(&format!("{project}/views"), &shared_by_reader)
        .await;
    assert_eq!(refused.status(), 403);

    // As the default, it is what the list opens with; the whole list is one click away.
    browser.click(".views summary").await;
    browser.click("input[name=default]").await;
    browser.submit("#view-name").await;
    browser.says(".views a[aria-current]", "Bags").await;
    browser.go_to_traces("").await;
    browser.path_contains("q=bag&cols=model&view=").await;
    browser.shows("[data-list] tbody tr", 2).await;
    browser.click(".views a:first-child").await;
    browser.path_contains("view=all").await;
    browser.shows("[data-list] tbody tr", 3).await;
    browser.click(".views a:last-of-type").await;
    browser.shows("[data-list] tbody tr", 2).await;
    browser.click(".views summary").await;
    browser.click(".views .btn-danger").await;
    browser.shows(".views a", 2).await;
    browser.close().await;
}

impl Browser {
    /// What stands in a field.
    async fn value(&self, css: &str) -> String {
        let script = "return document.querySelector(arguments[0])?.value ?? ''";
        let value = self.run(script, vec![json!(css)]).await;
        value.as_str().unwrap_or_default().to_owned()
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_file_has_a_row_for_every_trace_and_no_formula() {
    let (browser, client) = Browser::in_new_project("export").await;
    let mut spans: Vec<SpanBuilder> = (0..201)
        .map(|n| root(&format!("turn {n}, \"quoted\"\nin two lines"), 100 + n, 10))
        .collect();
    for formula in ["=1+1", "+1", "-1+2", "@SUM(A1)", "\t=1"] {
        spans.push(root(formula, 60, 10).attribute("user.id", "=HYPERLINK(\"http://x.invalid\")"));
    }
    client.accept_traces(&export(&spans)).await;
    stored_all(&client, spans.len()).await;
    let project = browser
        .path()
        .await
        .split("/settings")
        .next()
        .unwrap()
        .to_owned();
    let server = shared().await;
    let owner = Visitor::signed_in_as(server.email(), server.password()).await;
    let file = async |format: &str| {
        let answer = owner
            .get(&format!("{project}/export?format={format}"))
            .await;
        assert!(answer.status().is_success());
        answer.text().await.unwrap()
    };
    let rows = csv_rows(&file("csv").await);
    assert_eq!(rows.len(), 1 + spans.len());
    assert!(rows.iter().all(|row| row.len() == rows[0].len()));
    let mut ids: Vec<&str> = rows[1..].iter().map(|row| row[0].as_str()).collect();
    ids.sort_unstable();
    let mut sent: Vec<&str> = spans.iter().map(SpanBuilder::trace_id).collect();
    sent.sort_unstable();
    assert_eq!(ids, sent);
    let dangerous = |cell: &&String| cell.starts_with(['=', '+', '-', '@', '\t']);
    assert_eq!(rows.iter().flatten().find(dangerous), None);
    let lines = file("jsonl").await;
    let lines: Vec<serde_json::Value> = lines
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    let mut ids: Vec<&str> = lines
        .iter()
        .map(|line| line["id"].as_str().unwrap())
        .collect();
    ids.sort_unstable();
    assert_eq!(ids, sent);
    assert!(lines.iter().any(|line| line["name"] == "=1+1"));
    browser.close().await;
}

/// C080: a file has exactly the traces of its range, whatever else arrives, at the edges of what is read at once, too.
#[tokio::test(flavor = "multi_thread")]
async fn c080_a_file_of_any_size_has_each_trace_of_its_range_once() {
    const TRACES: u64 = 10_002;
    let (browser, client) = Browser::in_new_project("files of sizes").await;
    let project = browser
        .path()
        .await
        .split("/settings")
        .next()
        .unwrap()
        .to_owned();
    let begin = now_nanos() - 3_600_000_000_000;
    let spans: Vec<SpanBuilder> = (0..TRACES)
        .map(|n| {
            let start = begin + n * 100_000_000;
            SpanBuilder::root("turn")
                .field("startTimeUnixNano", start.to_string())
                .field("endTimeUnixNano", (start + 1_000_000).to_string())
        })
        .collect();
    for spans in spans.chunks(1_000) {
        client.accept_traces(&export(spans)).await;
    }
    stored_all(&client, spans.len()).await;
    let server = shared().await;
    let owner = Visitor::signed_in_as(server.email(), server.password()).await;
    let more = async {
        for _ in 0..20 {
            let spans: Vec<SpanBuilder> = (0..50).map(|_| SpanBuilder::root("later")).collect();
            client.accept_traces(&export(&spans)).await;
        }
    };
    let files = async {
        for size in [99, 100, 101, 200, 1_000, 10_001] {
            let instant = |nanos: u64| domain::Timestamp::from_unix_nanos(nanos).unwrap();
            let (from, to) = (instant(begin), instant(begin + size * 100_000_000));
            let range = format!("{project}/export?from={from}&to={to}&format");
            let file = async |format: &str| {
                let answer = owner.get(&format!("{range}={format}")).await;
                assert!(answer.status().is_success());
                answer.text().await.unwrap()
            };
            let sent = spans[..size as usize].iter().map(SpanBuilder::trace_id);
            let sent: BTreeSet<String> = sent.map(str::to_owned).collect();
            let rows = csv_rows(&file("csv").await);
            assert!(rows.iter().all(|row| row.len() == rows[0].len()));
            assert_eq!(rows.len() as u64, 1 + size, "one head, each once");
            let ids: BTreeSet<String> = rows[1..].iter().map(|row| row[0].clone()).collect();
            assert!(ids == sent, "csv of {size}");
            let lines = file("jsonl").await;
            let ids = lines.lines().map(|line| {
                let row: serde_json::Value = serde_json::from_str(line).unwrap();
                row["id"].as_str().unwrap().to_owned()
            });
            let ids: Vec<String> = ids.collect();
            assert_eq!(ids.len() as u64, size);
            assert!(BTreeSet::from_iter(ids) == sent, "jsonl of {size}");
        }
    };
    tokio::join!(more, files);
    browser.close().await;
}

/// Waits for more traces than a page of the API holds.
async fn stored_all(client: &ProjectClient, traces: usize) {
    eventually_within(Duration::from_secs(60), "all are counted", async || {
        let path = "/api/public/traces?limit=1";
        let total = client.get_json(path).await["meta"]["totalItems"].as_u64();
        if total == Some(traces as u64) {
            Ok(())
        } else {
            Err(total)
        }
    })
    .await;
}

/// Rows as a strict reader takes them.
fn csv_rows(text: &str) -> Vec<Vec<String>> {
    let mut rows = Vec::new();
    let (mut row, mut cell, mut is_quoted) = (Vec::new(), String::new(), false);
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '"' if is_quoted && chars.peek() == Some(&'"') => {
                chars.next();
                cell.push('"');
            }
            '"' => is_quoted = !is_quoted,
            ',' if !is_quoted => row.push(std::mem::take(&mut cell)),
            '\r' if !is_quoted => {}
            '\n' if !is_quoted => {
                row.push(std::mem::take(&mut cell));
                rows.push(std::mem::take(&mut row));
            }
            other => cell.push(other),
        }
    }
    assert!(!is_quoted && row.is_empty() && cell.is_empty());
    rows
}

#[tokio::test(flavor = "multi_thread")]
async fn the_palette_finds_pages_and_ids_by_keys_alone() {
    let (browser, client) = Browser::in_new_project("palette").await;
    three_turns(&client).await;
    browser.go_to_traces("").await;
    let open = "document.dispatchEvent(new KeyboardEvent('keydown', { key: 'k', ctrlKey: true, bubbles: true }))";
    browser.run(open, vec![]).await;
    browser.shows("#palette[open]", 1).await;
    browser.fill("#palette-input", "model pri").await;
    browser
        .says("#palette-list [aria-selected=true]", "Model prices")
        .await;
    let active = browser
        .run(
            "return document.getElementById('palette-input').getAttribute('aria-activedescendant')",
            vec![],
        )
        .await;
    assert_eq!(active, json!("command-0"));
    browser.submit("#palette-input").await;
    browser.path_contains("/settings/prices").await;
    // What was read before is offered, and any text can be looked for.
    browser.run(open, vec![]).await;
    browser.says("#palette-list", "Seen lately").await;
    browser.fill("#palette-input", "ada").await;
    browser
        .says("#palette-list [aria-selected=true]", "ada")
        .await;
    browser.submit("#palette-input").await;
    browser.path_contains("f=user_id%3Ais%3Aada").await;
    browser.run(open, vec![]).await;
    browser.shows("#palette[open]", 1).await;
    let escape = char::from(Key::Escape).to_string();
    browser
        .find("#palette-input")
        .await
        .send_keys(&escape)
        .await
        .unwrap();
    browser.shows("#palette[open]", 0).await;
    browser.press("?").await;
    browser.says("#keys", "In Correlation").await;
    browser.close().await;
}
