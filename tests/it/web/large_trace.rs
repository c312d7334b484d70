//! Traces of very many spans: opened at once, scrolled without gaps, and never shown as they no longer are.

use std::time::Duration;

use tests::builders::{SpanBuilder, export};
use tests::{ProjectClient, eventually, eventually_within};

use super::Browser;

/// What is read again and again is kept; smaller traces are not.
const KEPT: usize = 3_000;

/// A root with steps below it, one after another and each of another name, in the order of their numbers.
fn steps(count: usize) -> Vec<SpanBuilder> {
    let root = SpanBuilder::root("root");
    let begin: u64 = root.json()["startTimeUnixNano"]
        .as_str()
        .unwrap()
        .parse()
        .unwrap();
    let step = |number: usize| {
        let start = begin + number as u64 * 1_000_000;
        root.child(&format!("step {number}"))
            .field("startTimeUnixNano", start.to_string())
            .field("endTimeUnixNano", (start + 500_000).to_string())
    };
    let steps: Vec<SpanBuilder> = (1..count).map(step).collect();
    std::iter::once(root.clone()).chain(steps).collect()
}

async fn send(client: &ProjectClient, spans: &[SpanBuilder]) {
    for batch in spans.chunks(1_000) {
        client.accept_traces(&export(batch)).await;
    }
    let listed = Duration::from_secs(60);
    eventually_within(listed, "all spans are stored", async || {
        let page = client.get_json("/api/v1/traces?limit=50").await;
        let all = page["data"].as_array().unwrap();
        let counts: Vec<u64> = all
            .iter()
            .filter_map(|trace| trace["span_count"].as_u64())
            .collect();
        match counts.contains(&(spans.len() as u64)) {
            true => Ok(()),
            false => Err(counts),
        }
    })
    .await;
}

/// Scrolls on at a steady pace and counts the frames in which a part of the view has no rows.
const SCROLL: &str = "
    const box = document.querySelector('.tree-scroll');
    const isCovered = () => {
        const rows = document.querySelectorAll('a[data-span]');
        const view = box.getBoundingClientRect();
        return rows[0].getBoundingClientRect().top <= view.top + 30
            && rows[rows.length - 1].getBoundingClientRect().bottom >= view.bottom - 1;
    };
    const end = box.scrollTop + arguments[0];
    let gaps = 0;
    return new Promise((done) => {
        const step = () => {
            if (!isCovered()) gaps += 1;
            if (box.scrollTop >= end) return done(gaps);
            box.scrollTop += arguments[1];
            requestAnimationFrame(step);
        };
        requestAnimationFrame(step);
    });";

/// The name of the first row that is seen, once there is one, with what it should be.
const SEEN: &str = "
    const box = document.querySelector('.tree-scroll');
    const view = box.getBoundingClientRect();
    const above = view.top - document.getElementById('rows').getBoundingClientRect().top;
    const place = Math.max(Math.ceil(above / 24), 0);
    const row = [...document.querySelectorAll('a[data-span]')].find((row) => row.getBoundingClientRect().top >= view.top - 1);
    return [row?.querySelector('.name').textContent, place ? `step ${place}` : 'root'];";

#[tokio::test(flavor = "multi_thread")]
async fn a_large_trace_is_scrolled_without_gaps_and_found_again_anywhere() {
    let (browser, client) = Browser::in_new_project("large").await;
    let spans = steps(20_000);
    send(&client, &spans).await;
    let page = format!("/{}", spans[0].trace_id());
    browser.go_to_traces(&page).await;
    browser.says(".more", "20,000").await;
    // Half a thousand rows at the pace of somebody who reads along, and no frame without rows.
    let gaps = browser.run(SCROLL, vec![12_000.into(), 20.into()]).await;
    assert_eq!(gaps, 0, "frames without rows");
    // Anywhere else the rows are those that belong there.
    for place in [5_000, 19_000, 11_111, 3] {
        let to = "document.querySelector('.tree-scroll').scrollTop = arguments[0] * 24";
        browser.run(to, vec![place.into()]).await;
        eventually(&format!("rows at {place} are drawn"), async || {
            let seen = browser.run(SEEN, vec![]).await;
            match seen[0] == seen[1] {
                true => Ok(()),
                false => Err(seen),
            }
        })
        .await;
    }
    let drawn = browser.count("a[data-span]").await;
    assert!(drawn <= 400, "the page does not grow: {drawn} rows");
    browser.fill("input[name=in]", "step 17777").await;
    browser.submit("input[name=in]").await;
    browser.shows("a[data-span]", 2).await;
    browser.close().await;
}

/// C047: 94 MB of inputs, of which the page has what it shows.
#[tokio::test(flavor = "multi_thread")]
async fn a_trace_of_large_inputs_opens_without_them_and_has_each_whole() {
    const SPANS: usize = 940;
    let (browser, client) = Browser::in_new_project("heavy").await;
    let input = "All work and no play. ".repeat(4_655);
    let spans: Vec<SpanBuilder> = steps(SPANS)
        .into_iter()
        .map(|span| span.attribute("input.value", input.as_str()))
        .collect();
    for batch in spans.chunks(47) {
        client.accept_traces(&export(batch)).await;
    }
    let last = &spans[SPANS - 1];
    let page = format!("/{}", last.trace_id());
    eventually_within(Duration::from_secs(60), "all rows are there", async || {
        browser.go_to_traces(&page).await;
        let said = browser.text(".more").await;
        match said.contains("940") {
            true => Ok(()),
            false => Err(said),
        }
    })
    .await;
    let size = "return [...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')]
        .reduce((sum, one) => sum + one.decodedBodySize, 0)";
    let size = browser.run(size, vec![]).await;
    assert!(size.as_f64().unwrap() < 5_000_000.0, "{size}");
    browser
        .go_to_traces(&format!("{page}?span={}", last.span_id()))
        .await;
    browser.says("#panel h2", "step 939").await;
    // What is cut says how much there is, and leads to all of it.
    browser.says("#panel .more-of", "102.4 kB").await;
    let whole = "return fetch(document.querySelector('#panel .more-of a[download]').href)
        .then((answer) => answer.text().then((text) => text.length));";
    assert_eq!(browser.run(whole, vec![]).await, input.len());
    browser.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_opened_before_has_what_came_since_and_goes_with_its_trace() {
    let (browser, client) = Browser::in_new_project("opened").await;
    let spans = steps(KEPT);
    send(&client, &spans).await;
    let page = format!("/{}", spans[0].trace_id());
    browser.go_to_traces(&page).await;
    browser.says(".more", "3,000").await;
    let late = spans[1]
        .child("late")
        .field("status", serde_json::json!({ "code": 2 }));
    client.accept_traces(&export([&late])).await;
    eventually("the late span is shown", async || {
        browser.go_to_traces(&page).await;
        let said = browser.text(".more").await;
        match said.contains("3,001") {
            true => Ok(()),
            false => Err(said),
        }
    })
    .await;
    // The same span with another name, which adds no row.
    let renamed = late
        .clone()
        .field("name", "late, renamed")
        .attribute("a", 1);
    client.accept_traces(&export([&renamed])).await;
    eventually("the other name is shown", async || {
        browser.go_to_traces(&format!("{page}?in=late")).await;
        let said = browser.text("[data-tree]").await;
        match said.contains("late, renamed") {
            true => Ok(()),
            false => Err(said),
        }
    })
    .await;
    // Both the page and its rows are in memory when it is deleted.
    let path = format!("/api/v1/traces/{}", spans[0].trace_id());
    let deleted = client.request(reqwest::Method::DELETE, &path).send().await;
    assert!(deleted.unwrap().status().is_success());
    let asked = "
        const rows = document.querySelector('[data-tree]').dataset.rows;
        return Promise.all([rows, location.href].map((url) => fetch(url).then((answer) => answer.status)));";
    let answered = browser.run(asked, vec![]).await;
    assert_eq!(answered, serde_json::json!([404, 404]));
    browser.expect_complaints("404").await;
    browser.close().await;
}
