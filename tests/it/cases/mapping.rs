//! What the keys of each convention become.

use serde_json::{Value, json};
use tests::builders::{SpanBuilder, export, export_logs, log_record};
use tests::{ProjectClient, shared};

/// Sends one span; how it is read.
async fn read(client: &ProjectClient, span: SpanBuilder) -> Value {
    client.accept_traces(&export([&span])).await;
    let trace = client.trace_with_spans(span.trace_id(), 1).await;
    trace["spans"][0].clone()
}

#[tokio::test(flavor = "multi_thread")]
async fn c022_name_input_and_output_of_a_trace_belong_to_the_root() {
    let client = shared().await.new_project();
    let front = SpanBuilder::root("R")
        .attribute("langfuse.trace.name", "front")
        .attribute("langfuse.trace.input", "q")
        .attribute("langfuse.trace.output", "a");
    let specialist = |root: &SpanBuilder| {
        root.child("specialist")
            .attribute("input.value", "inner q")
            .attribute("output.value", "inner a")
    };
    let shown = |trace: &Value| json!([trace["name"], trace["input"], trace["output"]]);
    client.accept_traces(&export([&front])).await;
    client.trace_with_spans(front.trace_id(), 1).await;
    client.accept_traces(&export([&specialist(&front)])).await;
    let trace = client.trace_with_spans(front.trace_id(), 2).await;
    assert_eq!(shown(&trace), json!(["front", "q", "a"]));

    let late = SpanBuilder::root("late root")
        .attribute("input.value", "outer q")
        .attribute("output.value", "outer a");
    client.accept_traces(&export([&specialist(&late)])).await;
    client.trace_with_spans(late.trace_id(), 1).await;
    client.accept_traces(&export([&late])).await;
    let trace = client.trace_with_spans(late.trace_id(), 2).await;
    assert_eq!(shown(&trace), json!(["late root", "outer q", "outer a"]));
}

#[tokio::test(flavor = "multi_thread")]
async fn c023_unknown_usage_keys_do_not_make_a_span_disappear() {
    let client = shared().await.new_project();
    let span = SpanBuilder::root("demo")
        .attribute("gen_ai.operation.name", "chat")
        .attribute("gen_ai.usage.input_tokens", 7)
        .attribute("gen_ai.usage.foo", 3)
        .attribute("gen_ai.usage.prompt_token_details.cached_tokens", 4)
        .attribute("gen_ai.usage.bar", "text")
        .attribute("gen_ai.usage.baz", 1.5);
    let span = read(&client, span).await;
    assert_eq!(span["usage"]["input_tokens"], 7, "{span}");
    assert_eq!(span["usage"]["details"]["cache_read"], 4, "{span}");
    assert_eq!(span["attributes"]["gen_ai.usage.foo"], 3);
    assert_eq!(span["attributes"]["gen_ai.usage.bar"], "text");
    assert_eq!(span["attributes"]["gen_ai.usage.baz"], 1.5);
}

#[tokio::test(flavor = "multi_thread")]
async fn c024_json_text_in_an_attribute_is_not_encoded_twice() {
    let client = shared().await.new_project();
    for key in ["input.value", "langfuse.observation.input"] {
        let with = |text: &str| {
            SpanBuilder::root("demo")
                .attribute(key, text)
                .attribute("input.mime_type", "application/json")
        };
        let object = read(&client, with(r#"{"a":"b"}"#)).await;
        assert_eq!(object["input"], json!({"a": "b"}), "{key}");
        let plain = read(&client, with("plain")).await;
        assert_eq!(plain["input"], "plain", "{key}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn c025_openllmetry_workflows_show_input_output_session_and_user() {
    let client = shared().await.new_project();
    let span = SpanBuilder::root("plan.workflow")
        .attribute("traceloop.span.kind", "workflow")
        .attribute("traceloop.entity.name", "plan")
        .attribute("traceloop.entity.input", r#"{"q":1}"#)
        .attribute("traceloop.entity.output", r#"{"a":2}"#)
        .attribute("traceloop.association.properties.session_id", "s1")
        .attribute("traceloop.association.properties.user_id", "u1");
    let span = read(&client, span).await;
    assert_eq!(
        (&span["input"], &span["output"]),
        (&json!({"q": 1}), &json!({"a": 2}))
    );
    assert_eq!(
        (&span["session_id"], &span["user_id"]),
        (&json!("s1"), &json!("u1"))
    );
    assert_eq!(span["kind"], "chain");
}

#[tokio::test(flavor = "multi_thread")]
async fn c026_messages_and_tools_of_genai_give_one_picture_in_every_form() {
    let client = shared().await.new_project();
    let call = || SpanBuilder::root("chat m").attribute("gen_ai.operation.name", "chat");
    let said = |role: &str, words: &str| json!([{"role": role, "parts": [{"type": "text", "content": words}]}]);
    let by_attribute = call()
        .attribute("gen_ai.input.messages", said("user", "Where?").to_string())
        .attribute(
            "gen_ai.output.messages",
            said("assistant", "There.").to_string(),
        );
    let event = |name: &str, attributes: Value| json!({"name": name, "attributes": attributes});
    let text = |key: &str, text: &str| json!({"key": key, "value": {"stringValue": text}});
    let by_event = call().field(
        "events",
        json!([
            event("gen_ai.user.message", json!([text("content", "Where?")])),
            event(
                "gen_ai.choice",
                json!([text(
                    "message",
                    r#"{"role":"assistant","content":"There."}"#
                )])
            ),
        ]),
    );
    let expected = (said("user", "Where?"), said("assistant", "There."));
    for span in [by_attribute, by_event] {
        let span = read(&client, span).await;
        assert_eq!(span["kind"], "generation");
        assert_eq!(span["messages"]["input"], expected.0, "{span}");
        assert_eq!(
            span["messages"]["output"][0]["parts"], expected.1[0]["parts"],
            "{span}"
        );
    }

    let by_log = call();
    let body = |pairs: Value| json!({"kvlistValue": {"values": pairs}});
    let message = body(json!([
        text("role", "assistant"),
        text("content", "There.")
    ]));
    let records = [
        log_record(
            &by_log,
            "gen_ai.user.message",
            body(json!([text("content", "Where?")])),
        ),
        log_record(
            &by_log,
            "gen_ai.choice",
            body(json!([{"key": "message", "value": message}])),
        ),
    ];
    client.accept_logs(&export_logs(&records)).await;
    client.accept_traces(&export([&by_log])).await;
    tests::eventually("the records have joined the call", async || {
        let trace = client.trace_with_spans(by_log.trace_id(), 1).await;
        let messages = trace["spans"][0]["messages"].clone();
        let joined = messages["input"] == expected.0
            && messages["output"][0]["parts"] == expected.1[0]["parts"];
        if joined { Ok(()) } else { Err(messages) }
    })
    .await;

    let tool = SpanBuilder::root("execute_tool find")
        .attribute("gen_ai.operation.name", "execute_tool")
        .attribute("gen_ai.tool.name", "find")
        .attribute("gen_ai.tool.call.arguments", r#"{"k":1}"#)
        .attribute("gen_ai.tool.call.result", "ok");
    let tool = read(&client, tool).await;
    assert_eq!(tool["kind"], "tool");
    assert_eq!(tool["tool_call"]["name"], "find");
    assert_eq!(tool["tool_call"]["arguments"], json!({"k": 1}));
    assert_eq!(tool["tool_call"]["result"], "ok");
}

#[tokio::test(flavor = "multi_thread")]
async fn c027_metadata_is_there_once_and_can_be_filtered() {
    let client = shared().await.new_project();
    let span = SpanBuilder::root("demo")
        .attribute("langfuse.observation.metadata.customer", "c1")
        .attribute("langfuse.trace.metadata.region", "eu")
        .attribute("gen_ai.request.temperature", 0.2)
        .attribute("custom.key", "x");
    let read = read(&client, span).await;
    assert_eq!(read["metadata"]["customer"], "c1");
    assert_eq!(read["metadata"]["region"], "eu");
    assert_eq!(read["parameters"]["temperature"], 0.2);
    let twice = ["custom.key", "gen_ai.request.temperature"];
    assert!(
        twice.iter().all(|key| read["metadata"].get(key).is_none()),
        "{read}"
    );
    assert_eq!(read["attributes"]["custom.key"], "x");
    for (column, key, value) in [
        ("metadata", "customer", "c1"),
        ("attributes", "custom.key", "x"),
    ] {
        let filter = json!([{"column": column, "key": key, "operator": "=", "value": value}]);
        let filter: String = filter
            .to_string()
            .bytes()
            .map(|byte| format!("%{byte:02X}"))
            .collect();
        let found = client
            .get_json(&format!("/api/v1/spans?filter={filter}"))
            .await;
        assert_eq!(found["data"].as_array().unwrap().len(), 1, "{column}");
    }
}

/// A server, a store and a call, each with the name of a model.
pub(super) fn one_call_of_three() -> [SpanBuilder; 3] {
    let server = SpanBuilder::root("POST /chat")
        .field("kind", 2)
        .attribute("http.request.method", "POST")
        .attribute("gen_ai.request.model", "m1");
    let redis = server
        .child("GET")
        .attribute("db.system", "redis")
        .attribute("gen_ai.request.model", "m1");
    let call = server
        .child("chat m1")
        .attribute("gen_ai.operation.name", "chat")
        .attribute("gen_ai.request.model", "m1")
        .attribute("gen_ai.usage.input_tokens", 10)
        .attribute("gen_ai.usage.output_tokens", 5);
    [server, redis, call]
}

#[tokio::test(flavor = "multi_thread")]
async fn c028_only_model_calls_count_as_generations() {
    let client = shared().await.new_project();
    let [server, redis, call] = one_call_of_three();
    client
        .accept_traces(&export([&server, &redis, &call]))
        .await;
    let trace = client.trace_with_spans(server.trace_id(), 3).await;
    assert_eq!(trace["usage"]["input_tokens"], 10, "{trace}");
    assert_eq!(trace["usage"]["output_tokens"], 5, "{trace}");
    let calls = client.get_json("/api/v1/spans?kind=generation").await;
    assert_eq!(calls["data"].as_array().unwrap().len(), 1, "{calls}");
    assert_eq!(calls["data"][0]["span_id"], call.span_id());
}

#[tokio::test(flavor = "multi_thread")]
async fn c029_token_counts_are_read_in_every_documented_form() {
    let client = shared().await.new_project();
    let call = || SpanBuilder::root("chat").attribute("gen_ai.operation.name", "chat");
    let current = |input: Value, output: Value| {
        call()
            .attribute("gen_ai.usage.input_tokens", input)
            .attribute("gen_ai.usage.output_tokens", output)
    };
    let spans = [
        call().attribute(
            "langfuse.observation.usage_details",
            r#"{"input":10,"output":5}"#,
        ),
        current(json!(10), json!(5)),
        current(json!("10"), json!("5")),
        current(json!(10.0), json!(5.0)),
        call()
            .attribute("gen_ai.usage.prompt_tokens", 10)
            .attribute("gen_ai.usage.completion_tokens", 5),
        SpanBuilder::root("llm")
            .attribute("openinference.span.kind", "LLM")
            .attribute("llm.token_count.prompt", 10)
            .attribute("llm.token_count.completion", 5),
    ];
    for span in spans {
        let sent = span.json().clone();
        let usage = read(&client, span).await["usage"].clone();
        let counts = json!([
            usage["input_tokens"],
            usage["output_tokens"],
            usage["total_tokens"]
        ]);
        assert_eq!(counts, json!([10, 5, 15]), "{sent}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn c032_openinference_totals_include_their_details() {
    let client = shared().await.new_project();
    let span = SpanBuilder::root("llm")
        .attribute("openinference.span.kind", "LLM")
        .attribute("llm.model_name", "m1")
        .attribute("llm.token_count.prompt", 50)
        .attribute("llm.token_count.prompt_details.cache_read", 20)
        .attribute("llm.token_count.completion", 30)
        .attribute("llm.token_count.completion_details.reasoning", 10)
        .attribute("llm.token_count.total", 80);
    let usage = read(&client, span).await["usage"].clone();
    let counts = json!([
        usage["input_tokens"],
        usage["output_tokens"],
        usage["total_tokens"]
    ]);
    assert_eq!(counts, json!([50, 30, 80]), "{usage}");
    let details = json!({"input": 30, "cache_read": 20, "output": 20, "reasoning": 10});
    assert_eq!(usage["details"], details, "{usage}");
}

#[tokio::test(flavor = "multi_thread")]
async fn c036_odd_usage_values_cost_only_themselves() {
    let client = shared().await.new_project();
    for (usage, input, output) in [
        (r#"{"input":10,"output":null}"#, json!(10), Value::Null),
        (
            r#"{"input":10,"prompt_tokens_details":null,"completion_tokens_details":{"audio_tokens":null}}"#,
            json!(10),
            Value::Null,
        ),
        (r#"{"input":"10"}"#, json!(10), Value::Null),
        (r#"{"input":-3,"output":5}"#, Value::Null, json!(5)),
        ("{}", Value::Null, Value::Null),
    ] {
        let span = SpanBuilder::root("odd")
            .attribute("langfuse.observation.type", "generation")
            .attribute("langfuse.observation.model.name", "m1")
            .attribute("langfuse.observation.input", "in")
            .attribute("langfuse.observation.output", "out")
            .attribute("langfuse.observation.usage_details", usage);
        let span = read(&client, span).await;
        assert_eq!(
            (&span["input"], &span["output"]),
            (&json!("in"), &json!("out")),
            "{usage}"
        );
        assert_eq!(span["name"], "odd");
        assert_eq!(span["usage"]["input_tokens"], input, "{usage}: {span}");
        assert_eq!(span["usage"]["output_tokens"], output, "{usage}: {span}");
    }
}
