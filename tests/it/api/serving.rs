//! What a project sets for its models, and what comes of it: GPU hours, objectives, quality rules.

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use tests::builders::{SpanBuilder, export, now_nanos};
use tests::{ProjectClient, eventually, shared};

/// Sends JSON; status and JSON of the answer.
async fn post(client: &ProjectClient, path: &str, body: Value) -> (StatusCode, Value) {
    let request = client.request(Method::POST, path).body(body.to_string());
    let answer = request.send().await.unwrap();
    (answer.status(), answer.json().await.unwrap())
}

async fn set(client: &ProjectClient, path: &str, body: Value) -> Value {
    let (status, made) = post(client, path, body).await;
    assert_eq!(status, StatusCode::CREATED, "{made}");
    made
}

/// A streamed call of a model that ended that many seconds ago, and took ten.
fn call(model: &str, ended: u64, ttft_s: f64) -> SpanBuilder {
    let end = now_nanos() - ended * 1_000_000_000;
    SpanBuilder::root("chat")
        .field("startTimeUnixNano", (end - 10_000_000_000).to_string())
        .field("endTimeUnixNano", end.to_string())
        .attribute("gen_ai.operation.name", "chat")
        .attribute("gen_ai.provider.name", "vllm")
        .attribute("gen_ai.response.model", model)
        .attribute("gen_ai.usage.input_tokens", 900)
        .attribute("gen_ai.usage.output_tokens", 101)
        .attribute("gen_ai.response.time_to_first_chunk", ttft_s)
}

#[tokio::test(flavor = "multi_thread")]
async fn gpu_hours_become_a_price_per_token_with_idle_time_apart() {
    let client = shared().await.new_project();
    let price =
        json!({"model": "qwen/*", "provider": "vllm", "usd_per_gpu_hour": "1.80", "gpus": 2});
    let made = set(&client, "/api/v1/gpu-prices", price).await;
    // Two at the same time, one by itself, and one of another model.
    let calls = [
        call("Qwen/Qwen3-8B", 60, 0.5),
        call("Qwen/Qwen3-8B", 60, 0.5),
        call("Qwen/Qwen3-32B", 30, 0.5),
        call("gpt-5", 30, 0.5),
    ];
    client.accept_traces(&export(&calls)).await;
    for call in &calls {
        client.trace_with_spans(call.trace_id(), 1).await;
    }
    let report = client.get_json("/api/v1/gpu-costs").await;
    let set = &report["sets"][0];
    assert_eq!(set["price"]["id"], made["id"]);
    assert_eq!(set["models"], json!(["Qwen/Qwen3-32B", "Qwen/Qwen3-8B"]));
    assert_eq!(set["calls"], 3);
    assert_eq!(
        (&set["open_calls"], &set["uncounted_calls"]),
        (&json!(0), &json!(0))
    );
    assert_eq!(
        (&set["input_tokens"], &set["output_tokens"]),
        (&json!(2_700), &json!(303))
    );
    // Two that were made one after the other ended within a moment of each other.
    let busy_ms = set["busy_ms"].as_f64().unwrap();
    assert!((20_000.0..20_100.0).contains(&busy_ms), "{set}");
    let concurrency = set["concurrency"].as_f64().unwrap();
    assert!((1.49..=1.5).contains(&concurrency), "{set}");
    assert_eq!(set["gpu_hours"], "48");
    let usd = |value: &Value| {
        value
            .as_str()
            .unwrap()
            .parse::<rust_decimal::Decimal>()
            .unwrap()
    };
    assert_eq!(set["cost"]["total"], "86.4");
    assert_eq!(
        usd(&set["cost"]["busy"]) + usd(&set["cost"]["idle"]),
        usd(&set["cost"]["total"])
    );
    assert!(set["idle_share"].as_f64().unwrap() > 0.99);
    // 20 s of 2 GPUs at 1.80 an hour are 0.02, for 3 003 tokens.
    let per_million = set["usd_per_million_tokens"].as_str().unwrap();
    assert!(per_million.starts_with("6.6"), "{set}");
    assert!(usd(&set["usd_per_million_tokens_with_idle"]) > usd(&set["usd_per_million_tokens"]));

    let quiet = "/api/v1/gpu-costs?from=2026-01-05T00:00:00Z&to=2026-01-05T01:00:00Z";
    let quiet = client.get_json(quiet).await["sets"][0].clone();
    assert_eq!(
        (&quiet["calls"], &quiet["cost"]["idle"]),
        (&json!(0), &json!("3.6"))
    );
    for unknown in [
        "input_tokens",
        "concurrency",
        "usd_per_million_tokens",
        "output_tokens_per_s",
    ] {
        assert!(quiet[unknown].is_null(), "{unknown}: {quiet}");
    }

    let path = format!("/api/v1/gpu-prices/{}", made["id"].as_str().unwrap());
    let deleted = client.request(Method::DELETE, &path).send().await.unwrap();
    assert_eq!(deleted.status(), StatusCode::NO_CONTENT);
    assert_eq!(
        client.get_json("/api/v1/gpu-costs").await["sets"],
        json!([])
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn goodput_is_the_share_of_calls_that_met_the_objective() {
    let client = shared().await.new_project();
    set(
        &client,
        "/api/v1/objectives",
        json!({"model": "qwen/*", "ttft_ms": 600, "tpot_ms": 96}),
    )
    .await;
    set(&client, "/api/v1/objectives", json!({"ttft_ms": 100})).await;
    let silent = SpanBuilder::root("chat")
        .attribute("gen_ai.operation.name", "chat")
        .attribute("gen_ai.response.model", "Qwen/Qwen3");
    let failed = call("Qwen/Qwen3", 30, 0.5).field("status", json!({"code": 2}));
    let calls = [
        // The rest of ten seconds for the hundred tokens after the first.
        call("Qwen/Qwen3", 30, 0.5),
        call("Qwen/Qwen3", 30, 0.3),
        call("Qwen/Qwen3", 30, 0.7),
        call("Qwen/Qwen3", 30, 0.55),
        call("other", 30, 0.05),
        silent,
        failed,
    ];
    client.accept_traces(&export(&calls)).await;
    for call in &calls {
        client.trace_with_spans(call.trace_id(), 1).await;
    }
    let report = client.get_json("/api/v1/goodput").await;
    let models = report["models"].as_array().unwrap();
    let of = |name: &str| models.iter().find(|model| model["model"] == name).unwrap();
    let qwen = of("Qwen/Qwen3");
    let counts = |model: &Value| json!([model["good"], model["missed"], model["unjudged"]]);
    assert_eq!(counts(qwen), json!([2, 3, 1]), "{qwen}");
    assert_eq!(qwen["goodput"], 0.4);
    assert_eq!(counts(of("other")), json!([1, 0, 0]));
    let empty =
        client.get_json("/api/v1/goodput?from=2026-01-05T00:00:00Z&to=2026-01-05T01:00:00Z");
    assert_eq!(empty.await["models"], json!([]));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_rule_of_the_project_judges_what_arrives_after_it() {
    let client = shared().await.new_project();
    let answer = |name: &str, text: &str| {
        SpanBuilder::root(name)
            .attribute("gen_ai.operation.name", "chat")
            .attribute("gen_ai.response.model", "m")
            .attribute("langfuse.observation.output", text)
    };
    let judged = async |span: &SpanBuilder| {
        client.accept_traces(&export([span])).await;
        let trace = client.trace_with_spans(span.trace_id(), 1).await;
        trace["spans"][0]["quality"].clone()
    };
    let before = judged(&answer("extract-dates", "no JSON")).await;
    assert!(before["format_valid"].is_null(), "{before}");
    let rule = json!({
        "name": "dates",
        "span_name": "extract*",
        "format": "json_schema",
        "schema": {"type": "object", "required": ["date"]},
        "max_characters": 20,
        "refusal_phrases": ["nothing doing"],
        "instruction_tokens": ["<|cut|>"],
    });
    let made = set(&client, "/api/v1/quality-rules", rule).await;
    let wrong = judged(&answer("extract-dates", "Nothing doing. <|cut|><|cut|>")).await;
    assert_eq!(wrong["format_valid"]["value"], false, "{wrong}");
    assert_eq!(wrong["length_in_range"]["value"], false, "{wrong}");
    assert_eq!(wrong["refused"]["value"], true, "{wrong}");
    assert_eq!(
        wrong["repeated_instruction_tokens"]["value"], 2.0,
        "{wrong}"
    );
    let good = judged(&answer("extract-dates", r#"{"date":"today"}"#)).await;
    assert_eq!(good["format_valid"]["value"], true, "{good}");
    let other = judged(&answer("chat", "no JSON")).await;
    assert!(other["format_valid"].is_null(), "{other}");

    let path = format!("/api/v1/quality-rules/{}", made["id"].as_str().unwrap());
    client.request(Method::DELETE, &path).send().await.unwrap();
    eventually("the rule is gone", async || {
        let after = judged(&answer("extract-dates", "no JSON")).await;
        if after["format_valid"].is_null() {
            Ok(())
        } else {
            Err(after)
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_wrong_with_a_setting_is_named() {
    let client = shared().await.new_project();
    for (path, body, field) in [
        ("gpu-prices", json!({"model": "m"}), "usd_per_gpu_hour"),
        (
            "gpu-prices",
            json!({"model": "m", "usd_per_gpu_hour": "x"}),
            "usd_per_gpu_hour",
        ),
        (
            "gpu-prices",
            json!({"model": "m", "usd_per_gpu_hour": 1, "gpus": 1.5}),
            "gpus",
        ),
        ("gpu-prices", json!({"usd_per_gpu_hour": 1}), "model"),
        ("objectives", json!({"model": "m"}), "ttft_ms"),
        ("objectives", json!({"ttft_ms": "fast"}), "ttft_ms"),
        ("quality-rules", json!({"name": "r"}), "format"),
        (
            "quality-rules",
            json!({"name": "r", "format": "xml"}),
            "format",
        ),
        (
            "quality-rules",
            json!({"name": "r", "format": "json_schema", "schema": {"type": 7}}),
            "schema",
        ),
        ("quality-rules", json!({"name": "r", "slip": 1}), "slip"),
    ] {
        let (status, problem) = post(&client, &format!("/api/v1/{path}"), body).await;
        assert_eq!(status, StatusCode::BAD_REQUEST, "{problem}");
        assert_eq!(problem["errors"][0]["path"], field, "{problem}");
    }
    for report in ["gpu-costs", "goodput"] {
        let path = format!("/api/v1/{report}?from=2026-01-05T01:00:00Z&to=2026-01-05T00:00:00Z");
        assert_eq!(client.get(&path).await.status(), StatusCode::BAD_REQUEST);
    }
}
