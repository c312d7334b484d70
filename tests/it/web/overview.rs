use fantoccini::key::Key;
use serde_json::{Value, json};
use tests::builders::{SpanBuilder, export, now_nanos};
use tests::{ProjectClient, eventually};

use super::Browser;

/// Calls of two models, a minute apart, the newest five minutes ago.
const CALLS: u64 = 40;

/// Drags over the first chart from a quarter to a half of it.
const DRAG: &str = "
    const chart = document.querySelector('[data-plot] [data-brush]'), box = chart?.getBoundingClientRect();
    if (!chart) return;
    const at = (share) => ({ bubbles: true, button: 0, clientX: box.left + box.width * share, clientY: box.top + 9 });
    chart.dispatchEvent(new PointerEvent('pointerdown', at(0.25)));
    dispatchEvent(new PointerEvent('pointermove', at(0.5)));
    dispatchEvent(new PointerEvent('pointerup', at(0.5)));";

fn call(at: u64, number: u64) -> SpanBuilder {
    let model = if number.is_multiple_of(4) {
        "qwen3-8b"
    } else {
        "qwen3-32b"
    };
    SpanBuilder::root("answer")
        .field("kind", 3)
        .field("startTimeUnixNano", format!("{at}000000000"))
        .field("endTimeUnixNano", format!("{}000000000", at + 2))
        .attribute("gen_ai.operation.name", "chat")
        .attribute("gen_ai.request.model", model)
        .attribute("gen_ai.usage.input_tokens", 1_000)
        .attribute("gen_ai.usage.output_tokens", 100)
        .attribute("gen_ai.response.time_to_first_chunk", 0.3)
}

async fn told(client: &ProjectClient) {
    let now = now_nanos() / 1_000_000_000;
    let calls: Vec<SpanBuilder> = (0..CALLS)
        .map(|number| call(now - 300 - number * 60, number))
        .collect();
    client.accept_traces(&export(&calls)).await;
    eventually("all calls are there", async || {
        let list = client.get_json("/api/v1/traces?limit=100").await;
        let count = list["data"].as_array().unwrap().len() as u64;
        if count == CALLS { Ok(()) } else { Err(count) }
    })
    .await;
}

/// The project's overview, told by the path of another of its pages.
async fn overview(browser: &Browser, query: &str) {
    let path = browser.path().await;
    let project: Vec<&str> = path.split('/').take(3).collect();
    browser
        .go(&format!("{}/overview{query}", project.join("/")))
        .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_empty_project_is_told_how_to_begin_and_then_shows_its_four_rows() {
    let (browser, client) = Browser::in_new_project("overview first").await;
    overview(&browser, "").await;
    browser.says("h1", "Overview").await;
    browser.says("h2", "No trace has arrived").await;
    browser.says(".steps", &client.public_key).await;
    told(&client).await;
    // The page moves on by itself.
    browser.shows(".row4", 4).await;
    browser.says(".row4 p", "40 requests").await;
    browser.press("gt").await;
    browser.path_contains("/traces").await;
    browser.press("go").await;
    browser.path_contains("/overview").await;
    browser.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_drag_sets_the_range_of_all_charts_and_a_point_leads_to_its_traces() {
    let (browser, client) = Browser::in_new_project("overview").await;
    told(&client).await;
    overview(&browser, "?range=1h").await;
    browser.says(".legend", "qwen3-32b").await;
    browser.find("[data-plot]").await;

    // Arrow keys choose a time; what stands there is what the list then has.
    let focus = "document.querySelector('[data-plot]')?.focus()";
    eventually("a piece is told", async || {
        browser.run(focus, vec![]).await;
        let right = format!("{}{}", char::from(Key::Left), char::from(Key::Left));
        browser
            .find("[data-plot]")
            .await
            .send_keys(&right)
            .await
            .unwrap();
        let tip = browser.count(".plot-tip b").await;
        if tip == 1 { Ok(()) } else { Err(tip) }
    })
    .await;
    let script = "
        const plot = document.querySelector('[data-plot]');
        const piece = Number(plot.dataset.piece);
        const edges = JSON.parse(plot.closest('[data-edges]').dataset.edges);
        return [edges[piece], edges[piece + 1], JSON.parse(plot.closest('[data-times]').dataset.times)[piece],
            document.querySelector('.plot-tip b').textContent]";
    let piece = browser.run(script, vec![]).await;
    assert_eq!(piece[2], piece[3], "the tip names the piece");
    browser.submit("[data-plot]").await;
    browser.path_contains("/traces?").await;
    let path = browser.path().await;
    for edge in [&piece[0], &piece[1]] {
        let edge = edge.as_str().unwrap().replace(':', "%3A");
        assert!(path.contains(&edge), "{path} has {edge}");
    }

    overview(&browser, "?range=1h").await;
    eventually("the range is that of the drag", async || {
        let path = browser.path().await;
        if path.contains("from=") {
            return Ok(());
        }
        browser.run(DRAG, vec![]).await;
        Err(path)
    })
    .await;
    browser.path_contains("/overview?from=").await;
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
async fn a_model_is_chosen_and_a_click_on_a_chart_is_a_step_of_it() {
    let (browser, client) = Browser::in_new_project("overview model").await;
    told(&client).await;
    overview(&browser, "?range=1h").await;
    browser.click(".head details summary").await;
    browser.click(".head .menu a[href*='qwen3-8b']").await;
    browser.path_contains("model%3Ais%3Aqwen3-8b").await;
    browser.says(".row4 p", "10 requests").await;
    let click = "
        const chart = document.querySelector('[data-plot] svg'), box = chart?.getBoundingClientRect();
        if (!chart) return;
        chart.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true, detail: 1,
            clientX: box.left + box.width * arguments[0], clientY: box.top + 9 }));";
    eventually("the traces of a step are open", async || {
        let path = browser.path().await;
        if path.contains("/traces?") {
            return Ok(());
        }
        browser.run(click, vec![json!(0.5)]).await;
        Err(path)
    })
    .await;
    let path = browser.path().await;
    assert!(
        path.contains("from=") && path.contains("model%3Ais%3Aqwen3-8b"),
        "{path}"
    );
    browser.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_usual_of_the_hour_lies_behind_the_lines() {
    let (browser, client) = Browser::in_new_project("overview band").await;
    let now = now_nanos() / 1_000_000_000;
    let days = (0..=3).flat_map(|day| (0..50).map(move |at| now - 60 - day * 86_400 - at * 60));
    let calls: Vec<SpanBuilder> = days.map(|at| call(at, 1)).collect();
    client.accept_traces(&export(&calls)).await;
    let ends = [&calls[0], &calls[calls.len() - 1]];
    for call in ends {
        client.trace_with_spans(call.trace_id(), 1).await;
    }
    overview(&browser, "?range=15m").await;
    browser.shows(".row4", 4).await;
    browser.shows(".panel path.band", 0).await;
    // It is there once somebody had it worked out: a rule, or who asks for it.
    eventually("the baseline is worked out", async || {
        let path = "/api/v1/baselines?series=token.ttft_ms:p99";
        let usual = client.get_json(path).await;
        match usual["data"].as_array() {
            Some(hours) if !hours.is_empty() => Ok(()),
            _ => Err(usual),
        }
    })
    .await;
    overview(&browser, "?range=15m").await;
    browser.shows(".panel path.band", 1).await;
    browser
        .says(".head", "band: usual of the hour, median ± MAD")
        .await;
    browser.close().await;
}
