//! The graph of a trace: agents with what went between them, steps, what was repeated, a plan.

use serde_json::json;
use tests::ProjectClient;
use tests::builders::{SpanBuilder, export};

use super::Browser;

/// A turn in which an orchestrator has a resolver do something, with tools of which one fails once.
async fn turn(client: &ProjectClient) -> SpanBuilder {
    let ms = 1_000_000;
    let root = SpanBuilder::root("support");
    let start = root.json()["startTimeUnixNano"].as_str().unwrap();
    let start: u64 = start.parse::<u64>().unwrap() - 20_000 * ms;
    let timed = |span: SpanBuilder, from: u64, to: u64| {
        span.field("startTimeUnixNano", (start + from * ms).to_string())
            .field("endTimeUnixNano", (start + to * ms).to_string())
    };
    let agent = |span: SpanBuilder| span.attribute("gen_ai.operation.name", "invoke_agent");
    let tool = |span: SpanBuilder, input: &str| {
        span.attribute("gen_ai.operation.name", "execute_tool")
            .attribute("input.value", input)
    };
    let root = agent(timed(root, 0, 10_000));
    let resolver = agent(timed(root.child("resolver"), 1_000, 9_000))
        .attribute("input.value", "Find out about the bag");
    let plan = timed(resolver.child("make a plan"), 1_000, 1_500).attribute(
        "output.value",
        r#"["lookup_order", "ask the user", "quote"]"#,
    );
    let call = timed(resolver.child("answer"), 6_000, 9_000)
        .attribute("gen_ai.operation.name", "chat")
        .attribute("gen_ai.usage.input_tokens", 1_200);
    let mut spans = vec![root.clone(), resolver.clone(), plan, call];
    for n in 0..3 {
        let lookup = timed(
            resolver.child("lookup_order"),
            2_000 + n * 100,
            2_050 + n * 100,
        );
        spans.push(tool(lookup, "the same order"));
    }
    let failed = json!({ "code": 2, "message": "currency is missing" });
    let quote = timed(resolver.child("quote"), 3_000, 3_100).field("status", failed);
    spans.push(tool(quote, "146").attribute("error.type", "arguments"));
    spans.push(tool(
        timed(resolver.child("quote"), 4_000, 4_100),
        "146 EUR",
    ));
    spans.push(tool(timed(resolver.child("persist"), 5_000, 5_100), "all"));
    client.accept_traces(&export(&spans)).await;
    client.trace_with_spans(root.trace_id(), spans.len()).await;
    root
}

#[tokio::test(flavor = "multi_thread")]
async fn agents_tools_and_what_went_between_them_are_drawn() {
    let (browser, client) = Browser::in_new_project("graph").await;
    let root = turn(&client).await;
    browser.go_to_traces(&format!("/{}", root.trace_id())).await;
    browser.click("main .tabs a[href$='/graph']").await;
    browser.shows("[data-node]", 5).await;
    browser.shows(".graph .node-box", 2).await;
    browser.shows(".graph g path.edge", 4).await;
    browser.shows(".graph path.edge.bad", 1).await;
    browser.says("[data-node=resolver]", "1,200 tokens").await;
    browser.says("[data-node=resolver]", "100 %").await;
    browser
        .says(
            ".graph g title",
            "support → resolver: 1 message, 1,200 tokens",
        )
        .await;
    browser.says("#tools", "1 arguments").await;
    browser
        .says("#findings", "3 times in a row with the same arguments")
        .await;
    browser
        .says("#findings", "after 1 arguments, then it went well")
        .await;
    browser.says("#plan", "ask the user not done").await;
    browser.says("#plan", "persist not planned").await;
    browser.says("#findings", "0.50").await;

    // From a box to its messages, and from there to the span.
    browser.click("[data-node=resolver]").await;
    browser.path_contains("node=resolver").await;
    browser.says("#messages", "Find out about the bag").await;
    browser.click("#messages a").await;
    browser.says("#panel h2", "resolver").await;
    browser.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn steps_are_put_together_by_name_or_stand_one_by_one() {
    let (browser, client) = Browser::in_new_project("steps").await;
    let root = turn(&client).await;
    let page = format!("/{}/graph", root.trace_id());
    browser
        .go_to_traces(&format!("{page}?form=steps&by=latency"))
        .await;
    browser.shows("[data-node]", 5).await;
    browser.says("[data-node=lookup_order]", "× 3").await;
    browser.shows(".graph path.edge.loop", 2).await;
    browser.go_to_traces(&format!("{page}?form=expanded")).await;
    browser.shows("[data-node]", 8).await;
    browser.shows(".graph path.edge.loop", 0).await;
    browser.click("[data-node=persist]").await;
    browser.says("#panel h2", "persist").await;
    browser
        .go_to_traces(&format!("{page}?form=expanded&by=cost"))
        .await;
    browser.says(".btn-group [aria-current]", "Each step").await;
    browser.close().await;
}
