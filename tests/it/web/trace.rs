use std::time::Duration;

use serde_json::json;
use tests::builders::{SpanBuilder, export, export_logs, log_record};
use tests::{ProjectClient, eventually_within, shared};

use super::Browser;
use super::headers::Visitor;
use super::tenancy::new_key;

/// When the page could be used, and how large it is.
const SIZE: &str = "const [page] = performance.getEntriesByType('navigation');
    return [page.domInteractive, page.decodedBodySize]";

async fn stored(client: &ProjectClient, trace_id: &str, spans: usize) {
    eventually_within(
        Duration::from_secs(60),
        "all spans are stored",
        async || {
            let listed = client.get_json("/api/v1/traces?limit=50").await;
            let count = listed["data"]
                .as_array()
                .and_then(|all| all.iter().find(|trace| trace["trace_id"] == trace_id))
                .map_or(0, |trace| trace["span_count"].as_u64().unwrap_or(0));
            if count == spans as u64 {
                Ok(())
            } else {
                Err(count)
            }
        },
    )
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn the_tree_and_the_chosen_span_are_read_by_keys() {
    let (browser, client) = Browser::in_new_project("tree").await;
    let root = SpanBuilder::root("turn").attribute("input.value", "Where is my bag?");
    let agent = root.child("agent");
    let messages = json!([{ "role": "user", "content": "hello from the test" }]).to_string();
    let call = agent
        .child("call")
        .attribute("gen_ai.request.model", "qwen3-32b")
        .attribute("input.value", messages)
        .attribute(
            "output.value",
            "{\"q\":\"\\u4f60\\u597d\",\"id\":107505301260286111}",
        );
    let failed = agent.child("tool").field(
        "status",
        json!({ "code": 2, "message": "currency is missing" }),
    );
    let orphan = SpanBuilder::root("lost")
        .field("traceId", root.trace_id())
        .field("parentSpanId", "00000000000000ff");
    client
        .accept_traces(&export([&root, &agent, &call, &failed, &orphan]))
        .await;
    stored(&client, root.trace_id(), 5).await;

    browser.go_to_traces(&format!("/{}", root.trace_id())).await;
    browser.shows("a[data-span]", 5).await;
    browser.says("#panel h2", "turn").await;
    browser.says("#panel .msgs", "Where is my bag?").await;
    browser.says("[data-tree]", "parent missing").await;

    // Down to the call: address, selection and panel go together.
    browser
        .click(&format!("a[data-span='{}']", call.span_id()))
        .await;
    browser
        .path_contains(&format!("span={}", call.span_id()))
        .await;
    browser
        .says("#panel .msg.user", "hello from the test")
        .await;
    browser.says("#panel .msgs", "你好").await;
    browser.says("#panel .msgs", "107505301260286111").await;
    browser.click("#panel .tabs a:nth-child(3)").await;
    browser.path_contains("tab=attributes").await;
    browser.says("#panel", "gen_ai.request.model").await;
    browser.back().await;
    browser
        .says("#panel .msg.user", "hello from the test")
        .await;
    browser.back().await;
    browser.says("#panel h2", "turn").await;

    browser.press("jh").await;
    browser.shows("a[data-span]", 3).await;
    browser.press("l").await;
    browser.shows("a[data-span]", 5).await;
    browser
        .click(&format!("a[data-span='{}']", failed.span_id()))
        .await;
    browser.says("#panel .failure", "currency is missing").await;

    browser.fill("input[name=in]", "call").await;
    browser.submit("input[name=in]").await;
    browser.shows("a[data-span]", 3).await;

    browser.click("[data-dialog=delete-trace]").await;
    browser.click("#delete-trace .armed").await;
    browser.says("h2", "No trace has arrived").await;
    browser.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_long_output_is_shown_by_its_head_and_given_whole() {
    let (browser, client) = Browser::in_new_project("long").await;
    let output = "All work and no play. ".repeat(40_000);
    let root = SpanBuilder::root("long").attribute("output.value", output.as_str());
    client.accept_traces(&export([&root])).await;
    stored(&client, root.trace_id(), 1).await;
    browser.go_to_traces(&format!("/{}", root.trace_id())).await;
    browser.says("#panel .more-of", "880.0 kB").await;
    let length = "return document.querySelector('#panel .words').textContent.length";
    assert!(browser.run(length, vec![]).await.as_u64().unwrap() <= 20_000);
    let download = "
        const done = arguments[0];
        return fetch(document.querySelector('#panel .more-of a[download]').href)
            .then((answer) => answer.text().then((text) => [answer.headers.get('content-disposition'), text.length]));";
    let downloaded = browser.run(download, vec![]).await;
    assert_eq!(downloaded[1], output.len());
    assert!(downloaded[0].as_str().unwrap().starts_with("attachment"));
    browser.click("#panel .more-of a").await;
    eventually_within(Duration::from_secs(30), "all of it is shown", async || {
        let shown = browser.run(length, vec![]).await.as_u64().unwrap();
        if shown == output.len() as u64 {
            Ok(())
        } else {
            Err(shown)
        }
    })
    .await;
    browser.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn ten_thousand_spans_open_at_once_and_load_on_the_way_down() {
    let (browser, client) = Browser::in_new_project("many").await;
    let root = SpanBuilder::root("root");
    let mut spans = vec![root.clone()];
    while spans.len() < 10_000 {
        let parent = spans[(spans.len() - 1) / 20].clone();
        spans.push(parent.child(&format!("node {}", spans.len())));
    }
    for batch in spans.chunks(1000) {
        client.accept_traces(&export(batch)).await;
    }
    stored(&client, root.trace_id(), 10_000).await;
    browser.go_to_traces(&format!("/{}", root.trace_id())).await;
    browser.says(".more", "10,000").await;
    let timing = browser.run(SIZE, vec![]).await;
    assert!(timing[1].as_u64().unwrap() < 1_000_000, "{timing}");
    let to_the_end = "document.querySelector('.tree-scroll').scrollTo(0, 1e9)";
    let last = "return [...document.querySelectorAll('a[data-span]')].at(-1).getBoundingClientRect().bottom
        <= document.querySelector('.tree-scroll').getBoundingClientRect().bottom + 1
        && !document.querySelector('.unseen:last-child').getBoundingClientRect().height";
    eventually_within(
        Duration::from_secs(30),
        "the last row is seen",
        async || {
            browser.run(to_the_end, vec![]).await;
            let is_seen = browser.run(last, vec![]).await;
            if is_seen == true {
                Ok(())
            } else {
                Err(browser.count("a[data-span]").await)
            }
        },
    )
    .await;
    let drawn = browser.count("a[data-span]").await;
    assert!(drawn <= 400, "the page does not grow: {drawn} rows");
    // Folded, what stands at the first levels fits in one block; a step down it opens again.
    browser.click("[data-fold-all]").await;
    browser.shows("a[data-span]", 21).await;
    browser.click("a[data-span][aria-level='2'] .twist").await;
    browser.shows("a[data-span]", 41).await;
    browser
        .go_to_traces(&format!(
            "/{}?span={}",
            root.trace_id(),
            spans[9_999].span_id()
        ))
        .await;
    browser.says("#panel h2", "node 9999").await;
    browser.shows("a[data-span][aria-selected=true]", 1).await;
    // Around it, not all that stands above; the rest is there as it is scrolled to.
    let timing = browser.run(SIZE, vec![]).await;
    assert!(timing[1].as_u64().unwrap() < 1_000_000, "{timing}");
    let drawn = browser.count("a[data-span]").await;
    assert!((100..=400).contains(&drawn), "{drawn} rows");
    // Up to what leads to it, far outside of the window; whoever has something below folds first.
    let is_chosen = async |index: usize| {
        let part = format!("span={}", spans[index].span_id());
        browser.path_contains(&part).await;
    };
    // The second key comes before the panel has answered the first.
    let at_once = "for (const key of arguments[0]) document.dispatchEvent(new KeyboardEvent('keydown', { key }))";
    browser.run(at_once, vec![json!("kh")]).await;
    is_chosen(499).await;
    browser.press("hh").await;
    is_chosen(24).await;
    // The second key comes while the window that the first has asked for is on its way.
    let on_its_way =
        "const press = () => document.dispatchEvent(new KeyboardEvent('keydown', { key: 'h' }));
        press();
        setTimeout(press)";
    for ancestor in [1, 0] {
        browser.run(on_its_way, vec![]).await;
        is_chosen(ancestor).await;
        browser.shows("[data-tree] [aria-selected=true]", 1).await;
    }
    browser
        .says("[data-tree] [aria-selected=true]", "root")
        .await;
    browser.fill("input[name=in]", "node 8765").await;
    browser.submit("input[name=in]").await;
    browser.shows("a[data-span]", 5).await;
    browser.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn log_records_are_shown_with_their_span() {
    let (browser, client) = Browser::in_new_project("logs").await;
    let root = SpanBuilder::root("turn");
    let call = root
        .child("call")
        .attribute("gen_ai.operation.name", "chat");
    let said = json!({ "stringValue": r#"{"content":"said in a log"}"# });
    let mut of_trace = log_record(&root, "of the whole trace", json!({}));
    of_trace["spanId"] = json!("");
    let records = [log_record(&call, "gen_ai.user.message", said), of_trace];
    client.accept_logs(&export_logs(&records)).await;
    client.accept_traces(&export([&root, &call])).await;
    stored(&client, root.trace_id(), 2).await;

    let page = format!("/{}?span={}", root.trace_id(), call.span_id());
    browser.go_to_traces(&page).await;
    browser.says("#panel .msgs", "said in a log").await;
    let page = format!("/{}?span={}&tab=events", root.trace_id(), root.span_id());
    browser.go_to_traces(&page).await;
    browser.says("#panel", "of the whole trace").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_root_without_content_gives_way_to_the_first_call_that_has_some() {
    let (browser, client) = Browser::in_new_project("content").await;
    let root = SpanBuilder::root("bare root");
    let call = root
        .child("the call")
        .attribute("gen_ai.operation.name", "chat")
        .attribute("gen_ai.request.model", "a-model")
        .attribute("input.value", "What is the time?");
    client.accept_traces(&export([&root, &call])).await;
    client.trace_with_spans(root.trace_id(), 2).await;
    browser.go_to_traces(&format!("/{}", root.trace_id())).await;
    browser.says("#panel", "What is the time?").await;
    browser.says("[aria-selected=true]", "the call").await;
    browser.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_span_is_held_against_another_and_copied_in_the_words_of_tools() {
    let (browser, client) = Browser::in_new_project("diff").await;
    let root = SpanBuilder::root("turn");
    let call = |name: &str, said: &str, answer: &str| {
        root.child(name)
            .attribute("gen_ai.operation.name", "chat")
            .attribute("gen_ai.request.model", "qwen3-32b")
            .attribute("input.value", said)
            .attribute("output.value", answer)
    };
    let first = call("first", "Where is my bag?", "In Berlin.");
    let second = call("second", "Where is my bag?", "In Paris.");
    client
        .accept_traces(&export([&root, &first, &second]))
        .await;
    stored(&client, root.trace_id(), 3).await;
    let page = format!("/{}?span={}&tab=diff", root.trace_id(), second.span_id());
    browser.go_to_traces(&page).await;
    browser.fill("#diff-other", "00000000000000aa").await;
    browser.submit("#diff-other").await;
    browser
        .says("#panel .err", "There is no span of this id")
        .await;
    browser.fill("#diff-other", first.span_id()).await;
    browser.submit("#diff-other").await;
    browser.says(".diff-part:last-child del", "Berlin").await;
    browser.says(".diff-part:last-child ins", "Paris").await;
    browser
        .says(".diff-part:nth-last-child(2) h3", "the same")
        .await;

    browser.click("#panel .span-title details > summary").await;
    browser.shows("[data-copy-of]", 3).await;
    let read = "const done = arguments[0];
        return Promise.all([...document.querySelectorAll('[data-copy-of]')].map((link) =>
            fetch(link.href).then((answer) => answer.text())));";
    let copies = browser.run(read, vec![json!(null)]).await;
    assert!(
        copies[0]
            .as_str()
            .unwrap()
            .contains("\"content\": \"Where is my bag?\""),
        "{copies}"
    );
    assert!(
        copies[1].as_str().unwrap().contains("def second():"),
        "{copies}"
    );
    let item: serde_json::Value = serde_json::from_str(copies[2].as_str().unwrap()).unwrap();
    assert_eq!(item["expectedOutput"], "In Paris.");
    assert_eq!(item["sourceObservationId"], second.span_id());
    browser.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_empty_says_which_keys_would_fill_it_and_events_stand_on_the_time() {
    let (browser, client) = Browser::in_new_project("empties").await;
    let call = SpanBuilder::root("call").attribute("gen_ai.operation.name", "chat");
    let start: u64 = call.json()["startTimeUnixNano"]
        .as_str()
        .unwrap()
        .parse()
        .unwrap();
    let event =
        json!({ "name": "kv_cache.hit", "timeUnixNano": (start + 250_000_000).to_string() });
    let call = call.field("events", json!([event]));
    client.accept_traces(&export([&call])).await;
    stored(&client, call.trace_id(), 1).await;
    browser.go_to_traces(&format!("/{}", call.trace_id())).await;
    browser
        .says("#panel .empties", "gen_ai.request.model")
        .await;
    browser.says("#panel .empties", "input.value").await;
    browser
        .says("#panel .empties", "gen_ai.usage.input_tokens")
        .await;
    let page = format!("/{}?span={}&tab=events", call.trace_id(), call.span_id());
    browser.go_to_traces(&page).await;
    browser
        .shows("#panel .event-line circle[cx='25%']", 1)
        .await;
    browser.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn newer_and_older_are_those_of_the_list_that_one_came_from() {
    let (browser, client) = Browser::in_new_project("neighbours").await;
    let mut named = Vec::new();
    for name in ["one", "other", "one", "other", "one"] {
        let root = SpanBuilder::root(name);
        client.accept_traces(&export([&root])).await;
        named.push(root);
    }
    for root in &named {
        stored(&client, root.trace_id(), 1).await;
    }
    browser.go_to_traces("?f=name:is:one").await;
    browser.shows("[data-list] tbody tr", 3).await;
    browser.press("j").await;
    browser.press("\u{e007}").await;
    browser.path_contains(named[4].trace_id()).await;
    browser.says("[data-of-list]", "1 of 3").await;
    browser.press("]").await;
    browser.path_contains(named[2].trace_id()).await;
    browser.press("]").await;
    browser.path_contains(named[0].trace_id()).await;
    browser.says("[data-of-list]", "3 of 3").await;
    browser.press("[").await;
    browser.path_contains(named[2].trace_id()).await;
    browser.close().await;
}

/// C045: each page opens and shows the text as it was sent.
#[tokio::test(flavor = "multi_thread")]
async fn text_that_only_looks_like_json_is_shown_as_sent() {
    let server = shared().await;
    let mut owner = Visitor::signed_in_as(server.email(), server.password()).await;
    let project = owner.project().await;
    let client = new_key(&mut owner, &project).await;
    for text in [
        "12 apples",
        "{\"unfinished\": ",
        "[1,2",
        "\"quoted\" tail",
        "NaN",
        "1e999",
        "",
    ] {
        let span = SpanBuilder::root("content").attribute("output.value", text);
        client.accept_traces(&export([&span])).await;
        client.trace_with_spans(span.trace_id(), 1).await;
        let answer = owner
            .get(&format!("{project}/traces/{}", span.trace_id()))
            .await;
        assert_eq!(answer.status(), 200, "{text}");
        let page = answer.text().await.unwrap().replace("&#34;", "\"");
        let (_, panel) = page.split_once("id=\"panel\"").unwrap();
        assert!(panel.contains(text.trim_end()), "{text}: {panel}");
    }
}
