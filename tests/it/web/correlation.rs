use fantoccini::key::Key;
use serde_json::Value;
use tests::builders::{SpanBuilder, export, now_nanos};
use tests::remote_write::{SentSeries, accept};
use tests::{ProjectClient, eventually};

use super::Browser;

/// Where the model is served, and on which GPU.
const HOST: &str = "vllm-0.llm";
const MODEL: &str = "qwen3-32b";
/// Seconds between two scrapes.
const SCRAPE: u64 = 15;
/// Requests before the new version, and after it.
const CALLS: u64 = 70;

/// A new version of a prompt that leaves the cached prefix: an hour of all well, then five bad minutes.
struct Story {
    client: ProjectClient,
    /// When the new version goes out, in seconds since 1970.
    at: u64,
    /// The first request of the bad minutes.
    bad: SpanBuilder,
}

impl Story {
    async fn told(client: ProjectClient) -> Self {
        let now = now_nanos() / 1_000_000_000;
        let at = now - 420 - now % 60;
        accept(&client, &series(at)).await;
        let calls: Vec<SpanBuilder> = (0..CALLS)
            .map(|call| good(at - 1_800 + call * 24, call))
            .chain((0..CALLS).map(|call| bad(at + 1 + call * 4, call)))
            .collect();
        client.accept_traces(&export(&calls)).await;
        let story = Story {
            client,
            at,
            bad: calls.into_iter().nth(CALLS as usize).unwrap(),
        };
        story.is_joined().await;
        story
    }

    /// Waits until every request is there and has the state of its GPU and engine.
    async fn is_joined(&self) {
        let (from, to) = (self.time(-2_000), self.time(400));
        let series = "requests:count,gpu.sm_active:avg,token.prefix_cache_hit_rate:avg";
        let path = format!(
            "/api/v1/axes/series?series={series}&group_by=model&step=4000&from={from}&to={to}"
        );
        eventually("all requests are joined", async || {
            let answer = self.client.get_json(&path).await;
            let counts: Vec<u64> = answer["series"]
                .as_array()
                .unwrap()
                .iter()
                .map(|line| line["counts"][0].as_u64().unwrap())
                .collect();
            if counts == [2 * CALLS; 3] {
                Ok(())
            } else {
                Err(answer)
            }
        })
        .await;
    }

    /// RFC 3339 of so many seconds after the new version.
    fn time(&self, seconds: i64) -> String {
        let at = self.at.saturating_add_signed(seconds);
        let time = domain::Timestamp::from_unix_millis(at as i64 * 1_000);
        time.unwrap().to_string()
    }
}

/// What vLLM and the DCGM exporter tell, from half an hour before the new version to five minutes after it.
fn series(at: u64) -> Vec<SentSeries> {
    let engine = [("instance", HOST), ("model_name", MODEL)];
    let gpu = [("UUID", "GPU-a"), ("instance", "vllm-0.llm")];
    let every = |series: SentSeries, value: &dyn Fn(u64, bool) -> f64| {
        (0..150).fold(series, |series, scrape| {
            let time = at - 1_860 + scrape * SCRAPE;
            series.at(time * 1_000 - 500, value(scrape, time >= at))
        })
    };
    let wobble = |scrape: u64| (scrape * 7 % 11) as f64 / 200.0;
    let before = (1_860 / SCRAPE) as f64;
    let hits = |scrape: u64| {
        let (scrape, good) = (scrape as f64, (scrape as f64).min(before));
        1_000.0 * (0.8 * good + 0.05 * (scrape - good))
    };
    vec![
        every(
            SentSeries::new("vllm:num_requests_running", &engine),
            &|scrape, is_bad| {
                if is_bad {
                    30.0
                } else {
                    10.0 + (scrape % 3) as f64
                }
            },
        ),
        every(
            SentSeries::new("vllm:kv_cache_usage_perc", &engine),
            &|scrape, is_bad| wobble(scrape) + if is_bad { 0.9 } else { 0.5 },
        ),
        every(
            SentSeries::new("vllm:prefix_cache_queries_total", &engine),
            &|scrape, _| 1_000.0 * scrape as f64,
        ),
        every(
            SentSeries::new("vllm:prefix_cache_hits_total", &engine),
            &|scrape, _| hits(scrape),
        ),
        every(
            SentSeries::new("DCGM_FI_PROF_SM_ACTIVE", &gpu),
            &|scrape, is_bad| wobble(scrape) + if is_bad { 0.9 } else { 0.6 },
        ),
    ]
}

fn call(at: u64, (version, cached, ttft_ms): (u64, u64, u64)) -> SpanBuilder {
    SpanBuilder::root("answer")
        .field("kind", 3)
        .field("startTimeUnixNano", format!("{at}000000000"))
        .field("endTimeUnixNano", format!("{}000000000", at + 3))
        .attribute("gen_ai.operation.name", "chat")
        .attribute("gen_ai.request.model", MODEL)
        .attribute("server.address", HOST)
        .attribute("gen_ai.usage.input_tokens", 4_000)
        .attribute("gen_ai.usage.output_tokens", 100)
        .attribute("gen_ai.usage.cache_read.input_tokens", cached)
        .attribute("gen_ai.response.time_to_first_chunk", ttft_ms as f64 / 1e3)
        .attribute("llm.quality.format_valid", version == 17)
        .attribute("langfuse.observation.prompt.name", "answer")
        .attribute("langfuse.observation.prompt.version", version)
}

fn good(at: u64, number: u64) -> SpanBuilder {
    call(at, (17, 3_200 + number % 7 * 10, 300 + number % 13 * 10))
}

fn bad(at: u64, number: u64) -> SpanBuilder {
    call(at, (18, 14 + number % 3, 2_400 + number % 13 * 40))
}

#[tokio::test(flavor = "multi_thread")]
async fn a_window_is_looked_at_explained_and_followed_to_its_traces() {
    let (browser, client) = Browser::in_new_project("correlation").await;
    let story = Story::told(client).await;
    browser.go_to_traces("").await;
    browser.click(".nav a[data-key='g c']").await;
    browser.path_contains("/correlation").await;
    let home = browser.path().await;
    let range = format!("from={}&to={}", story.time(-1_860), story.time(300));
    browser.go(&format!("{home}?{range}")).await;

    // One clock: the crosshair goes through all lanes, and every line tells what it is there.
    browser.says(".lanes", "SM active").await;
    browser.says(".lane.low", "answer 18").await;
    browser.shows("[data-values] tbody tr", 144).await;
    let end = browser.text(".lanes [data-at='2']").await;
    browser.press(&char::from(Key::Home).to_string()).await;
    browser.find("[data-grip][aria-valuenow='0']").await;
    let begin = browser.text(".lanes [data-at='2']").await;
    assert_ne!(begin, end, "SM active is another at another time");

    // A window by keys: b, three steps, b.
    let right = char::from(Key::Right).to_string();
    browser.press("b").await;
    browser.press(&right.repeat(3)).await;
    browser.press("b").await;
    browser.path_contains("wf=").await;

    // Why, beside the lanes.
    let window = format!("wf={}&wt={}", story.time(0), story.time(290));
    browser.go(&format!("{home}?{range}&{window}")).await;
    browser.says("#why .verdict-line", "Token axis").await;
    browser.says("#why", "answer@18").await;
    browser.says("#why", "Prefix hit").await;
    browser.says("#why .both", "TTFT").await;
    browser.says(".filters", "70 requests").await;

    // From a bin to its traces.
    browser.go(&format!("{home}?{range}")).await;
    browser.says(".joints", "95 % interval").await;
    browser.click(".joint .values summary").await;
    browser.click(".joint .values tbody a").await;
    browser.path_contains("trace_id").await;
    browser.says("table.traces", "answer").await;
    browser.close().await;
    the_axes_of_a_request_are_told(&story, &home).await;
}

/// The same trace for another reader: its own values, what is usual, where they come from.
async fn the_axes_of_a_request_are_told(story: &Story, home: &str) {
    let trace = home.replace("/correlation", "/traces");
    let browser = Browser::open().await;
    browser.sign_in(tests::shared().await).await;
    browser
        .go(&format!("{trace}/{}", story.bad.trace_id()))
        .await;
    browser.says("nav.tabs", "Axes").await;
    browser.click("nav.tabs a[href$='/axes']").await;
    browser.path_contains("/axes").await;
    let page = browser.text("main").await;
    for words in [
        "GPU state during the request",
        "SM active",
        "found by host",
        "a, found by same_target",
        "its exporter did not tell it within 15 s",
    ] {
        assert!(page.contains(words), "{words} in {page}");
    }
    assert!(!page.contains("used by the request"), "{page}");
    browser.says("tr[data-off]", "SM active").await;
    browser.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn without_exporters_the_page_says_which_are_missing_and_how_they_are_sent() {
    let (browser, client) = Browser::in_new_project("no exporters").await;
    let call = good(now_nanos() / 1_000_000_000 - 60, 1);
    client.accept_traces(&export([&call])).await;
    let trace: Value = client.trace_with_spans(call.trace_id(), 1).await;
    assert_eq!(trace["spans"].as_array().unwrap().len(), 1);
    browser.go_to_traces("").await;
    browser.click(".nav a[data-key='g c']").await;
    browser
        .says(".setup", "No series of GPUs and engines yet")
        .await;
    browser.click(".setup summary").await;
    browser.says(".setup", "/api/v1/metrics/write").await;
    browser.says(".setup", &client.public_key).await;
    browser.says(".lanes", "No GPU series").await;
    browser.close().await;
}
