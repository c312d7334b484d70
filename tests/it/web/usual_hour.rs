//! The axes of a request against what is usual at its hour on other days.

use tests::builders::{SpanBuilder, export, now_nanos};

use super::Browser;

const HOUR: u64 = 3_600_000_000_000;
const DAY: u64 = 24 * HOUR;
/// Calls within the hour on each of the days before.
const CALLS: u64 = 14;

fn call(start: u64, ttft_s: f64) -> SpanBuilder {
    SpanBuilder::root("answer")
        .field("kind", 3)
        .field("startTimeUnixNano", start.to_string())
        .field("endTimeUnixNano", (start + 3_000_000_000).to_string())
        .attribute("gen_ai.operation.name", "chat")
        .attribute("gen_ai.request.model", "m")
        .attribute("gen_ai.usage.input_tokens", 400)
        .attribute("gen_ai.usage.output_tokens", 100)
        .attribute("gen_ai.response.time_to_first_chunk", ttft_s)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_request_is_held_against_its_hour_on_other_days() {
    let (browser, client) = Browser::in_new_project("usual hour").await;
    let now = now_nanos() - 5_000_000_000;
    let hour = now / HOUR * HOUR;
    let slow = call(now, 2.4);
    // 0.30 to 0.36 s on three of the seven days before; the hour beside it is as slow as the request.
    let days = (1..=3).flat_map(|day| {
        (0..CALLS).flat_map(move |at| {
            let begin = hour - day * DAY + at * 60_000_000_000;
            let usual = call(begin, 0.3 + 0.01 * (at % 7) as f64);
            [usual, call(begin - HOUR, 2.4)]
        })
    });
    let days: Vec<SpanBuilder> = days.collect();
    client.accept_traces(&export(&days)).await;
    client.accept_traces(&export([&slow])).await;
    for call in [&days[0], &days[days.len() - 1], &slow] {
        client.trace_with_spans(call.trace_id(), 1).await;
    }

    browser.go_to_traces("").await;
    let traces = browser.path().await;
    let traces = traces.split('?').next().unwrap().to_owned();
    browser
        .go(&format!("{traces}/{}/axes", slow.trace_id()))
        .await;
    // The page is there at once, the baseline comes after it.
    let row = "tr:has(td[title='token.ttft_ms'])";
    browser.says(row, "2.40 s").await;
    browser.says(&format!("{row} .hour"), "330 ms ±").await;
    browser.says(&format!("{row} .hour"), "42 of 3 days").await;
    browser
        .shows(&format!("{row} .hour[data-outside]"), 1)
        .await;
    browser.says("#axes-outside", "outside").await;
    browser
        .says(
            "#axes-of aside",
            "Outside of what is usual at this hour: TTFT",
        )
        .await;
    browser.says("#axes-of aside", "3 MAD").await;
    // What is as ever is not marked.
    let tokens = "tr:has(td[title='token.output_tokens'])";
    browser.says(&format!("{tokens} .hour"), "100 ± 0").await;
    browser
        .shows(&format!("{tokens} .hour[data-outside]"), 0)
        .await;
    browser.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn without_other_days_the_page_says_that_there_is_no_baseline_yet() {
    let (browser, client) = Browser::in_new_project("no usual hour").await;
    let now = now_nanos() - 5_000_000_000;
    let hour = now / HOUR * HOUR;
    let alone = call(now, 0.3);
    let few: Vec<SpanBuilder> = (0..3)
        .map(|at| call(hour - DAY + at * 1_000_000_000, 0.3))
        .collect();
    client
        .accept_traces(&export(few.iter().chain([&alone])))
        .await;
    for call in few.iter().chain([&alone]) {
        client.trace_with_spans(call.trace_id(), 1).await;
    }
    browser.go_to_traces("").await;
    let traces = browser.path().await;
    let traces = traces.split('?').next().unwrap().to_owned();
    browser
        .go(&format!("{traces}/{}/axes?hour=1", alone.trace_id()))
        .await;
    let row = "tr:has(td[title='token.ttft_ms'])";
    browser
        .says(&format!("{row} .hour"), "no baseline yet (1 of 7 days)")
        .await;
    browser
        .says(
            "tr:has(td[title='gpu.power_w']) .hour",
            "no baseline yet (0 of 7 days)",
        )
        .await;
    browser
        .says(
            "#axes-of aside",
            "No baseline of this hour yet: 1 of 7 days before have requests.",
        )
        .await;
    browser.close().await;
}
