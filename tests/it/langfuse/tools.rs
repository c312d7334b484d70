//! Tools that models were offered and called: what lists are narrowed by, metrics count and exports have.

use serde_json::{Value, json};
use tests::builders::{SpanBuilder, export};
use tests::{ProjectClient, shared};

use super::metrics::{ask, question};
use super::{all, becomes, escaped, event, found, ingest};

fn tool(name: &str) -> Value {
    let function = json!({"name": name, "description": "天气", "parameters": {"type": "object"}});
    json!({"type": "function", "function": function})
}

fn call(name: &str) -> Value {
    let function = json!({"name": name, "arguments": "{\"city\":\"Köln\"}"});
    json!({"id": format!("call-{name}"), "type": "function", "function": function})
}

/// Calls of models with tools, in an older client's words and in those of OpenTelemetry.
async fn with_tools() -> ProjectClient {
    let client = shared().await.new_project();
    let asked = json!([{"role": "user", "content": "How is the weather?"}]);
    let twice = json!({
        "id": "twice", "traceId": "t", "startTime": "2026-11-03T10:00:03Z",
        "input": {"messages": asked, "tools": [tool("weather"), tool("clock")]},
        "output": {"role": "assistant", "content": null,
            "tool_calls": [call("weather"), call("weather")]},
    });
    let none = json!({
        "id": "none", "traceId": "t", "startTime": "2026-11-03T10:00:02Z", "input": asked,
        "output": "Fine.",
    });
    // Who is no model calls no tool, whatever its output looks like.
    let step = json!({
        "id": "step", "traceId": "t", "startTime": "2026-11-03T10:00:01Z", "output": twice["output"],
    });
    let events = [
        event(1, 1, "generation-create", &twice),
        event(2, 2, "generation-create", &none),
        event(3, 3, "span-create", &step),
    ];
    ingest(&client, &events).await;
    let parts = json!([{"role": "assistant", "parts": [
        {"type": "tool_call", "id": "1", "name": "clock", "arguments": {}}]}]);
    let otlp = SpanBuilder::root("otlp")
        // 2026-11-03T10:00:05Z
        .field("startTimeUnixNano", "1793700005000000000")
        .field("endTimeUnixNano", "1793700006000000000")
        .attribute("gen_ai.operation.name", "chat")
        .attribute("gen_ai.request.model", "m")
        .attribute("gen_ai.input.messages", asked.to_string())
        .attribute(
            "gen_ai.tool.definitions",
            json!([tool("clock")]).to_string(),
        )
        .attribute("gen_ai.output.messages", parts.to_string());
    client.accept_traces(&export([&otlp])).await;
    becomes(&client, "/observations", |list| {
        list["meta"]["totalItems"] == 4
    })
    .await;
    client
}

#[tokio::test]
async fn observations_are_narrowed_by_their_tools() {
    let client = with_tools().await;
    let list = |kind: &str, column: &str, operator: &str, value: Value| json!({"type": kind, "column": column, "operator": operator, "value": value});
    let names =
        |column: &str, operator: &str, value: Value| list("arrayOptions", column, operator, value);
    for (condition, expected) in [
        (names("toolNames", "any of", json!(["weather"])), 1),
        (names("toolNames", "any of", json!(["clock", "none"])), 2),
        (names("toolNames", "all of", json!(["clock", "weather"])), 1),
        (names("toolNames", "none of", json!(["clock"])), 2),
        (names("calledToolNames", "any of", json!(["clock"])), 1),
        (
            names("calledToolNames", "none of", json!(["clock", "weather"])),
            2,
        ),
        (list("number", "toolDefinitions", "=", json!(2)), 1),
        (list("number", "toolDefinitions", "=", json!(0)), 2),
        (list("number", "toolCalls", ">", json!(0)), 2),
        (list("number", "toolCalls", ">=", json!(2)), 1),
    ] {
        let filter = escaped(&json!([condition]));
        for path in ["/observations", "/v2/observations"] {
            let answer = found(&client, &format!("{path}?filter={filter}")).await;
            assert_eq!(all(&answer, "id").len(), expected, "{path} {condition}");
        }
    }
    let filter = json!([{"column": "called_tool", "operator": "any of", "value": ["weather"]}]);
    let answer = client
        .get_json(&format!("/api/v1/spans?filter={}", escaped(&filter)))
        .await;
    assert_eq!(answer["data"].as_array().unwrap().len(), 1, "{answer}");
}

#[tokio::test]
async fn tools_and_their_calls_are_counted() {
    let client = with_tools().await;
    for path in ["/metrics", "/v2/metrics"] {
        let sums = [
            ("sum", "toolDefinitions"),
            ("sum", "toolCalls"),
            ("count", "count"),
        ];
        let answer = ask(&client, path, &question("observations", &[], &sums)).await;
        assert_eq!(
            answer,
            json!([{"sum_toolDefinitions": 3, "sum_toolCalls": 3, "count_count": 4}]),
            "{path}"
        );
        let of = |dimension: &str| question("observations", &[dimension], &[("count", "count")]);
        assert_eq!(
            ask(&client, path, &of("toolNames")).await,
            json!([
                {"toolNames": "clock", "count_count": 2},
                {"toolNames": "weather", "count_count": 1},
            ])
        );
        assert_eq!(
            ask(&client, path, &of("calledToolNames")).await,
            json!([
                {"calledToolNames": "weather", "count_count": 2},
                {"calledToolNames": "clock", "count_count": 1},
            ])
        );
        let mut narrowed = question("observations", &[], &[("count", "count")]);
        narrowed["filters"] = json!([{
            "column": "calledToolNames", "operator": "any of", "value": ["weather"],
            "type": "arrayOptions",
        }]);
        assert_eq!(ask(&client, path, &narrowed).await[0]["count_count"], 1);
    }
}

#[tokio::test]
async fn the_group_tools_has_definitions_and_calls() {
    let client = with_tools().await;
    let list = found(
        &client,
        "/v2/observations?fields=core,tools&type=GENERATION",
    )
    .await;
    let of = |id: &str| {
        let mut rows = list["data"].as_array().unwrap().iter();
        rows.find(|row| row["id"] == id).unwrap().clone()
    };
    let twice = of("twice");
    assert_eq!(twice["toolCallNames"], json!(["weather", "weather"]));
    let definition: Value =
        serde_json::from_str(twice["toolDefinitions"]["weather"].as_str().unwrap()).unwrap();
    assert_eq!(
        definition,
        json!({"description": "天气", "parameters": {"type": "object"}})
    );
    let call: Value = serde_json::from_str(twice["toolCalls"][1].as_str().unwrap()).unwrap();
    assert_eq!(call["name"], "weather");
    assert_eq!(call["index"], 1);
    let arguments: Value = serde_json::from_str(call["arguments"].as_str().unwrap()).unwrap();
    assert_eq!(arguments, json!({"city": "Köln"}));
    let none = of("none");
    assert_eq!(none["toolDefinitions"], json!({}));
    assert_eq!(none["toolCalls"], json!([]));
}
