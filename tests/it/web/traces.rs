use std::time::Duration;

use fantoccini::key::Key;
use serde_json::Value;
use tests::builders::{SpanBuilder, export, now_nanos};
use tests::{ProjectClient, eventually, eventually_within, shared};

use super::Browser;

/// A root span that ended so many seconds ago.
fn root(name: &str, seconds_ago: u64) -> SpanBuilder {
    let end = now_nanos() - seconds_ago * 1_000_000_000;
    SpanBuilder::root(name)
        .field("startTimeUnixNano", (end - 50_000_000).to_string())
        .field("endTimeUnixNano", end.to_string())
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

#[tokio::test(flavor = "multi_thread")]
async fn an_empty_project_shows_how_to_begin_and_moves_on_by_itself() {
    let (browser, client) = Browser::in_new_project("first").await;
    browser.go_to_traces("").await;
    browser.says("h2", "No trace has arrived").await;
    browser
        .says("#snippet", "OTEL_EXPORTER_OTLP_ENDPOINT=http://127.0.0.1")
        .await;
    let grpc = shared().await.grpc_url().rsplit(':').next().unwrap();
    browser.says(".steps", &format!("on port {grpc}")).await;
    browser
        .says("#demo", &format!("--public-key {}", client.public_key))
        .await;
    let key = browser.text(".steps code").await;
    assert_eq!(key, client.public_key);
    client.accept_traces(&export([&root("hello", 1)])).await;
    browser.says("tbody a", "hello").await;
    browser.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn traces_are_listed_paged_filtered_and_found() {
    let (browser, client) = Browser::in_new_project("list").await;
    let mut spans: Vec<SpanBuilder> = (0..60)
        .map(|n| root(&format!("turn {n:02}"), 60 + n).attribute("user.id", format!("u{}", n % 3)))
        .collect();
    spans[7] = spans[7].clone().field(
        "status",
        serde_json::json!({ "code": 2, "message": "boiling" }),
    );
    client.accept_traces(&export(&spans)).await;
    stored(&client, 60).await;

    browser.go_to_traces("").await;
    browser.shows("tbody tr", 50).await;
    browser.says("tbody tr a", "turn 00").await;
    browser.click("a[rel=next]").await;
    browser.shows("tbody tr", 10).await;
    browser.says("tbody tr a", "turn 50").await;
    // The rows are there a moment before the address is: until then there is nothing to go back from.
    browser.path_contains("cursor=").await;
    browser.back().await;
    browser.says("tbody tr a", "turn 00").await;

    // The menu adds a chip, and the address says so.
    browser.press("f").await;
    browser.click("#filter-column option[value=user_id]").await;
    browser.fill("#filter-value", "u1").await;
    browser.submit("#filter-value").await;
    browser.path_contains("f=user_id%3Ais%3Au1").await;
    browser.shows("tbody tr", 20).await;
    browser.click(".chip .x").await;
    browser.shows("tbody tr", 50).await;

    browser.click(".views a:nth-child(2)").await;
    browser.shows("tbody tr", 1).await;
    browser.says("tbody span.text-error", "boiling").await;

    browser
        .fill(".filters input[type=search]", "nothing says this")
        .await;
    browser.submit(".filters input[type=search]").await;
    browser.says(".empty h2", "No trace matches").await;

    // The box of the bar opens a trace by its id.
    browser
        .fill("#search", &spans[9].trace_id().to_uppercase())
        .await;
    browser.submit("#search").await;
    browser
        .path_contains(&format!("/traces/{}", spans[9].trace_id()))
        .await;
    browser.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_list_is_worked_by_keys_and_several_traces_are_deleted() {
    let (browser, client) = Browser::in_new_project("keys").await;
    let spans: Vec<SpanBuilder> = (0..5).map(|n| root(&format!("turn {n}"), 10 + n)).collect();
    client.accept_traces(&export(&spans)).await;
    stored(&client, 5).await;
    browser.go_to_traces("").await;
    browser.shows("tbody tr", 5).await;

    browser.press("jx").await;
    browser.press("jjx").await;
    browser.shows("tr[aria-selected]", 2).await;
    browser.says("[data-selection]", "2").await;
    browser.press(&char::from(Key::Escape).to_string()).await;
    browser.shows("tr[aria-selected]", 0).await;

    browser.press("xkx").await;
    browser.click("[data-dialog=delete-many]").await;
    browser.click("#delete-many .armed").await;
    browser.shows("tbody tr", 3).await;
    stored(&client, 3).await;

    browser.press("j").await;
    browser.press(&char::from(Key::Enter).to_string()).await;
    browser.path_contains("/traces/").await;
    browser.press("]").await;
    browser.says("h1", "turn").await;
    browser.press("gt").await;
    browser.shows("tbody tr", 3).await;
    browser.press("?").await;
    browser.find("dialog#keys[open]").await;
    browser.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn new_traces_appear_by_themselves_while_live() {
    let (browser, client) = Browser::in_new_project("live").await;
    client.accept_traces(&export([&root("before", 30)])).await;
    stored(&client, 1).await;
    browser.go_to_traces("?range=1h").await;
    browser.click("a.status").await;
    browser.path_contains("live=1").await;
    browser.shows("tbody tr", 1).await;
    client.accept_traces(&export([&root("after", 1)])).await;
    browser.shows("tbody tr", 2).await;
    browser.says("tr.new a", "after").await;
    browser.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn dragging_over_the_chart_narrows_the_range() {
    let (browser, client) = Browser::in_new_project("brush").await;
    client.accept_traces(&export([&root("one", 30)])).await;
    stored(&client, 1).await;
    browser.go_to_traces("").await;
    let script = "
        const chart = document.querySelector('[data-brush]'), box = chart?.getBoundingClientRect();
        if (!chart) return;
        const at = (share) => ({ bubbles: true, button: 0, clientX: box.left + box.width * share, clientY: box.top + 9 });
        chart.dispatchEvent(new PointerEvent('pointerdown', at(0.25)));
        dispatchEvent(new PointerEvent('pointermove', at(0.5)));
        dispatchEvent(new PointerEvent('pointerup', at(0.5)));";
    // Whoever drags before the page is ready drags again.
    eventually("the address holds the range", async || {
        let path = browser.path().await;
        if path.contains("from=") {
            return Ok(());
        }
        browser.run(script, vec![]).await;
        Err(path)
    })
    .await;
    browser.says(".empty h2", "No trace matches").await;
    let label: Value = browser
        .run(
            "return document.querySelector('.range').textContent",
            vec![],
        )
        .await;
    assert!(label.as_str().unwrap().contains('–'), "{label}");
    browser.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_wrong_latency_is_told_at_its_field_and_the_list_stays() {
    let (browser, client) = Browser::in_new_project("latency").await;
    client.accept_traces(&export([&root("hello", 1)])).await;
    stored(&client, 1).await;
    browser
        .go_to_traces("?q=hello&fc=min_ms&fo=is&fv=slow")
        .await;
    browser.says("#filter-err", "number of seconds").await;
    let kept = browser.find("#filter-value").await.prop("value").await;
    assert_eq!(kept.unwrap().as_deref(), Some("slow"));
    browser.shows("tbody tr", 1).await;
    browser.expect_complaint("422").await;
    browser.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_search_finds_heads_of_ids_sessions_and_users() {
    let (browser, client) = Browser::in_new_project("heads").await;
    let span = root("found", 1)
        .attribute("user.id", "maya@harbor")
        .attribute("session.id", "chat-7");
    client
        .accept_traces(&export([&span, &root("other", 2)]))
        .await;
    stored(&client, 2).await;
    browser.go_to_traces("").await;
    browser
        .fill("#search", &span.trace_id()[..28].to_uppercase())
        .await;
    browser.submit("#search").await;
    browser.path_contains(span.trace_id()).await;
    for (text, filter) in [
        ("chat-7", "f=session_id%3Ais%3Achat-7"),
        ("maya@harbor", "f=user_id%3Ais%3Amaya%40harbor"),
        ("other", "q=other"),
    ] {
        browser.fill("#search", text).await;
        browser.submit("#search").await;
        browser.path_contains(filter).await;
        browser.shows("tbody tr", 1).await;
    }
    browser.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn numbers_in_the_list_are_whole_or_short_and_never_cut() {
    let (browser, client) = Browser::in_new_project("numbers").await;
    let long = root("long", 1)
        .attribute("gen_ai.operation.name", "chat")
        .attribute("gen_ai.request.model", "a-model")
        .attribute("gen_ai.usage.input_tokens", 1_234_567)
        .attribute("gen_ai.usage.output_tokens", 8_901);
    let yesterday = root("yesterday", 26 * 3600);
    client.accept_traces(&export([&long, &yesterday])).await;
    stored(&client, 2).await;
    browser.go_to_traces("?range=7d").await;
    let row = browser.text("tbody tr:first-child").await;
    for part in ["1.2M", "8,901", "50 ms", "a-model"] {
        assert!(row.contains(part), "{part} in {row}");
    }
    browser.find("tbody td[title='1,234,567']").await;
    let script = "return [...document.querySelectorAll('tbody td:nth-child(2), tbody td.num')]\
        .filter(cell => cell.scrollWidth > cell.clientWidth).map(cell => cell.textContent)";
    let cut = browser.run(script, vec![]).await;
    assert_eq!(cut, Value::Array(vec![]));
    let time = browser.text("tbody tr:nth-child(2) td:nth-child(2)").await;
    assert!(time.contains(' ') && time.contains(':'), "{time}");
    browser.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_reader_goes_to_the_next_page_and_back() {
    let (browser, client) = Browser::in_new_project("pages").await;
    let spans: Vec<SpanBuilder> = (0..120)
        .map(|n| root(&format!("turn {n:03}"), 60 + n))
        .collect();
    client.accept_traces(&export(&spans)).await;
    stored(&client, 120).await;
    browser.go_to_traces("").await;
    browser.click("a[rel=next]").await;
    browser.says("tbody", "turn 050").await;
    browser.click("a[rel=next]").await;
    browser.says("tbody", "turn 100").await;
    browser.click("a[rel=prev]").await;
    browser.says("tbody", "turn 050").await;
    browser.close().await;
}
