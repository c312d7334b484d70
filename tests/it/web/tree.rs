//! The tree of a trace: what repeats, what holds it up, what a stretch of its time comes to.

use serde_json::json;
use tests::ProjectClient;
use tests::builders::{SpanBuilder, export};

use super::Browser;

const SEARCH: &str = "a[data-run]";

/// A turn of ten seconds: a plan, 40 searches one after another of which one fails, and an answer; a log is
/// written beside the searches.
async fn turn(client: &ProjectClient) -> SpanBuilder {
    let ms = 1_000_000;
    let root = SpanBuilder::root("turn");
    let start = root.json()["startTimeUnixNano"].as_str().unwrap();
    let start: u64 = start.parse::<u64>().unwrap() - 20_000 * ms;
    let timed = |span: SpanBuilder, from: u64, to: u64| {
        span.field("startTimeUnixNano", (start + from * ms).to_string())
            .field("endTimeUnixNano", (start + to * ms).to_string())
    };
    let root = timed(root, 0, 10_000);
    let call = |name: &str, from: u64, to: u64, tokens: u64| {
        timed(root.child(name), from, to)
            .attribute("gen_ai.operation.name", "chat")
            .attribute("gen_ai.usage.input_tokens", tokens)
    };
    let mut spans = vec![root.clone(), call("plan", 0, 2_000, 100)];
    for n in 0..40 {
        let search = timed(root.child("search"), 2_000 + n * 100, 2_100 + n * 100);
        let failed = json!({ "code": 2, "message": "too many requests" });
        spans.push(match n {
            39 => search.field("status", failed),
            _ => search,
        });
    }
    spans.push(timed(root.child("write log"), 2_500, 3_000));
    spans.push(call("answer", 6_000, 10_000, 900));
    client.accept_traces(&export(&spans)).await;
    client.trace_with_spans(root.trace_id(), spans.len()).await;
    root
}

#[tokio::test(flavor = "multi_thread")]
async fn repeated_siblings_are_one_row_until_they_are_opened() {
    let (browser, client) = Browser::in_new_project("repeats").await;
    let root = turn(&client).await;
    browser.go_to_traces(&format!("/{}", root.trace_id())).await;
    // What began among them parts them.
    browser.shows(SEARCH, 2).await;
    browser.says(SEARCH, "search × 6").await;
    browser.says(SEARCH, "p95 100 ms").await;
    browser.says("#rows", "search × 34").await;
    browser.says("#rows", "1 failed").await;
    browser.shows("a[data-span]", 4).await;
    browser.click(SEARCH).await;
    browser.shows("a[data-span]", 10).await;
    browser.press("l").await;
    browser.press("j").await;
    browser.says("#panel h2", "search").await;
    browser.press("hh").await;
    browser.shows("a[data-span]", 4).await;
    // Whoever is sent to one of them sees it.
    browser.fill("input[name=in]", "too many").await;
    browser.submit("input[name=in]").await;
    browser.shows("a[data-span]", 2).await;
    browser.click("a[data-span]:nth-of-type(2)").await;
    browser.says("#panel .failure", "too many requests").await;
    let path = browser.path().await;
    let span = path.split("span=").nth(1).unwrap().split('&').next();
    let address = format!("/{}?span={}", root.trace_id(), span.unwrap());
    browser.go_to_traces(&address).await;
    browser.shows("a[data-span]", 4 + 34).await;
    browser.shows("a.error[aria-selected=true]", 1).await;
    browser.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_critical_path_and_the_colours_are_part_of_the_address() {
    let (browser, client) = Browser::in_new_project("critical").await;
    let root = turn(&client).await;
    browser.go_to_traces(&format!("/{}", root.trace_id())).await;
    browser.shows("a[data-span].critical", 3).await;
    browser.press("c").await;
    browser.path_contains("path=1").await;
    browser.shows("a[data-span]", 3 + 40).await;
    browser.press("c").await;
    browser.shows("a[data-span]", 4).await;
    browser.shows("[class*='hot-']", 0).await;
    browser
        .go_to_traces(&format!("/{}?heat=tokens", root.trace_id()))
        .await;
    browser.says("a[data-span] .hot-5", "900").await;
    browser.says("a[data-span] .hot-1", "100").await;
    browser
        .go_to_traces(&format!("/{}?heat=latency", root.trace_id()))
        .await;
    browser.says("a[data-span] .hot-5", "4.00 s").await;
    browser.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stretch_of_time_is_dragged_and_comes_to_what_was_at_work_in_it() {
    let (browser, client) = Browser::in_new_project("stretch").await;
    let root = turn(&client).await;
    browser.go_to_traces(&format!("/{}", root.trace_id())).await;
    browser.says(".survey .facts", "Spans44").await;
    browser.says(".survey .facts", "Tokens1,000").await;
    let drag = "const chart = document.querySelector('.survey [data-brush]');
        const box = chart.getBoundingClientRect();
        const at = (share) => ({ clientX: box.left + box.width * share, clientY: box.top + 9, bubbles: true, button: 0 });
        chart.dispatchEvent(new PointerEvent('pointerdown', at(0.7)));
        chart.dispatchEvent(new PointerEvent('pointermove', at(0.8)));
        chart.dispatchEvent(new PointerEvent('pointerup', at(0.9)));";
    browser.run(drag, vec![]).await;
    browser.path_contains("from_ms=").await;
    browser.says(".survey .facts", "Spans2").await;
    browser.says(".survey .facts", "Tokens900").await;
    browser.says(".survey .facts", "Errors0").await;
    browser.shows("a[data-span]", 2).await;
    browser.click("[data-whole]").await;
    browser.says(".survey .facts", "Spans44").await;
    browser.close().await;
}
