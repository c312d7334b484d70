use serde_json::Value;
use tests::builders::{SpanBuilder, export};

use super::Browser;

#[tokio::test(flavor = "multi_thread")]
async fn objectives_and_gpu_prices_are_set_and_the_page_of_serving_tells_what_came_of_them() {
    let (browser, client) = Browser::in_new_project("serving").await;
    let call = SpanBuilder::root("chat")
        .attribute("gen_ai.operation.name", "chat")
        .attribute("gen_ai.response.model", "Qwen/Qwen3-8B")
        .attribute("gen_ai.usage.input_tokens", 900)
        .attribute("gen_ai.usage.output_tokens", 100)
        .attribute("gen_ai.response.time_to_first_chunk", 0.2);
    client.accept_traces(&export([&call])).await;
    client.trace_with_spans(call.trace_id(), 1).await;
    browser.go(&browser.path().await).await;
    browser.click(".nav a[data-key='g v']").await;
    browser.path_contains("/serving").await;
    browser.says("main", "No price of GPUs is set.").await;

    browser.click("main .section:first-child a.link").await;
    browser.path_contains("/settings/expectations").await;
    browser.fill("#objective-ttft", "soon").await;
    browser.submit("#objective-ttft").await;
    assert!(!browser.text("#objective-ttft-err").await.is_empty());
    browser.expect_complaint("422").await;
    browser.fill("#objective-model", "qwen/*").await;
    browser.fill("#objective-ttft", "500").await;
    browser.submit("#objective-ttft").await;
    browser.says("tbody", "qwen/*").await;

    browser.click(".tabs a:nth-child(4)").await;
    browser.fill("#gpu-model", "qwen/*").await;
    browser.fill("#gpu-usd", "2.50").await;
    browser.fill("#gpu-count", "8").await;
    browser.submit("#gpu-count").await;
    browser.says("main", "qwen/*").await;

    browser.click(".nav a[data-key='g v']").await;
    browser.says("main", "100.0 %").await;
    browser.says("main", "Qwen/Qwen3-8B").await;
    // 8 GPUs at 2.50 for a day.
    browser.says("main", "$480").await;

    browser
        .go(&browser
            .path()
            .await
            .replace("/serving", "/settings/expectations"))
        .await;
    browser.click("tbody [data-dialog]").await;
    browser.click("dialog[open] .armed").await;
    browser.shows("tbody tr", 0).await;
    browser.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_rule_is_set_refused_beside_its_field_and_deleted() {
    let (browser, client) = Browser::in_new_project("rules").await;
    client
        .accept_traces(&export([&SpanBuilder::root("hello")]))
        .await;
    browser.go(&browser.path().await).await;
    browser.click(".tabs a:nth-child(5)").await;
    browser.fill("#rule-name", "dates").await;
    browser
        .click("#rule-format option[value=json_schema]")
        .await;
    browser.fill("#rule-schema", "{").await;
    browser.submit("#rule-name").await;
    assert!(!browser.text("#rule-schema-err").await.is_empty());
    browser.expect_complaint("422").await;
    browser.fill("#rule-schema", "{\"type\": \"object\"}").await;
    browser.fill("#rule-span", "extract*").await;
    browser.submit("#rule-name").await;
    browser.says("tbody", "dates").await;
    let rules = client.get_json("/api/v1/quality-rules").await;
    assert_eq!(rules["data"][0]["format"], "json_schema");
    assert_eq!(rules["data"][0]["span_name"], "extract*");
    assert_eq!(rules["data"][0]["model"], Value::Null);
    browser.click("tbody [data-dialog]").await;
    browser.click("dialog[open] .armed").await;
    browser.shows("tbody tr", 0).await;
    browser.close().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn results_of_tools_and_documents_are_shown_as_what_they_are() {
    let (browser, client) = Browser::in_new_project("parts").await;
    let messages = r#"[{"role":"tool","parts":[{"type":"tool_call_response","id":"call_1","response":"It is in the drawer."}]}]"#;
    let call = SpanBuilder::root("chat")
        .attribute("gen_ai.operation.name", "chat")
        .attribute("gen_ai.input.messages", messages);
    let search = call
        .child("search")
        .attribute("openinference.span.kind", "RETRIEVER")
        .attribute("retrieval.documents.0.document.id", "kb#4")
        .attribute(
            "retrieval.documents.0.document.content",
            "Drawers hold things.",
        )
        .attribute("retrieval.documents.0.document.score", 0.75);
    client.accept_traces(&export([&call, &search])).await;
    let trace = client.trace_with_spans(call.trace_id(), 2).await;
    let child = &trace["spans"][0]["children"][0];
    assert_eq!(child["documents"][0]["id"], "kb#4");
    assert_eq!(child["documents"][0]["score"], 0.75);
    let project = browser.path().await;
    let project = project.split("/settings").next().unwrap();
    let page = format!("{project}/traces/{}", call.trace_id());
    browser.go(&format!("{page}?span={}", call.span_id())).await;
    browser.says("#panel .call", "It is in the drawer.").await;
    let shown = browser.text("#panel .msgs").await;
    assert!(!shown.contains("tool_call_response"), "{shown}");
    browser
        .go(&format!("{page}?span={}&tab=documents", search.span_id()))
        .await;
    browser.says("#panel", "Drawers hold things.").await;
    browser.close().await;
}
