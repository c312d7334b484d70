//! The list of requests: each once, with the instance that served it and what was measured during it.

use reqwest::Method;
use serde_json::{Value, json};
use tests::builders::export;
use tests::eventually;
use tests::remote_write::{SentSeries, accept};

use super::{Fleet, MODEL, ONE, TWO, export_of};

fn near(value: &Value, expected: f64) {
    let found = value
        .as_f64()
        .unwrap_or_else(|| panic!("{value} is not {expected}"));
    assert!(
        (found - expected).abs() < 1e-9 * expected.abs().max(1.0),
        "{found} is not {expected}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_request_has_the_state_of_its_instance_and_gpus() {
    let fleet = Fleet::new().await;
    fleet.is_readable().await;
    let call = fleet
        .call(0)
        .attribute("server.address", "10.0.0.1")
        .attribute("server.port", 8000)
        .attribute("gen_ai.server.time_to_first_token", 0.2)
        .attribute("gen_ai.usage.cache_read.input_tokens", 40)
        .attribute("llm.app.tenant_id", "acme")
        .attribute("llm.quality.format_valid", false)
        .attribute("llm.quality.repeated_ngram_ratio", 0.25);
    fleet.client.accept_traces(&export([&call])).await;
    let rows = fleet.requests("tenant=acme", 1).await;
    let row = &rows[0];
    assert_eq!(row["trace_id"], call.trace_id());
    assert_eq!(
        (&row["model"], &row["tenant"]),
        (&json!(MODEL), &json!("acme"))
    );
    assert_eq!(
        (&row["instance"], &row["instance_rule"]),
        (&json!(ONE.0), &json!("address"))
    );
    assert_eq!(
        (&row["gpus"], &row["gpu_rule"]),
        (&json!(["a", "b"]), &json!("pod"))
    );
    let (gpu, token, quality) = (
        &row["axes"]["gpu"],
        &row["axes"]["token"],
        &row["axes"]["quality"],
    );
    near(&gpu["power_w"], 500.0);
    near(&gpu["temperature_c"], 60.0);
    near(&gpu["sm_active"], (0.75 + 0.5) / 2.0);
    near(&gpu["memory_used_ratio"], 0.75);
    near(&gpu["free_memory_gb"], 20_000.0 * 1.048_576e-3);
    assert_eq!(
        (&gpu["xid"], &gpu["nvlink_rx_bytes"]),
        (&Value::Null, &Value::Null)
    );
    near(&token["running_requests"], 3.0);
    near(&token["batch_size"], 3.0);
    near(&token["kv_cache_usage"], 0.5);
    near(&token["prefix_cache_hit_rate"], 0.75);
    near(&token["e2e_ms"], 1_000.0);
    near(&token["kv_cache_hit_rate"], 0.4);
    assert_eq!(token["waiting_requests"], Value::Null);
    assert_eq!(
        (&quality["format_valid"], &quality["refused"]),
        (&json!(false), &Value::Null)
    );
    near(&quality["repeated_ngram_ratio"], 0.25);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_old_has_ended_or_fits_several_is_unknown() {
    let fleet = Fleet::new().await;
    fleet.is_readable().await;
    let labels = [
        ("UUID", "GPU-c"),
        ("exported_pod", TWO.1),
        ("exported_namespace", "llm"),
    ];
    let series = |name: &str| SentSeries::new(name, &labels);
    let ended = f64::from_bits(0x7ff0_0000_0000_0002);
    let more = [
        // The newest is sixteen seconds before the start.
        series("DCGM_FI_PROF_DRAM_ACTIVE").at(fleet.at - 16_000, 0.5),
        series("DCGM_FI_PROF_PIPE_TENSOR_ACTIVE")
            .at(fleet.at - 10_000, 0.5)
            .at(fleet.at - 5_000, ended),
        // The first is fourteen seconds after the end.
        series("DCGM_FI_DEV_XID_ERRORS").at(fleet.at + 15_000, 31.0),
    ];
    accept(&fleet.client, &more).await;
    let told = fleet
        .call(0)
        .attribute("llm.infer.instance", TWO.0)
        .attribute("llm.app.route", "told");
    let untold = fleet.call(1).attribute("llm.app.route", "untold");
    fleet.client.accept_traces(&export([&told, &untold])).await;
    fleet.requests("", 2).await;
    let row = eventually("the late error", async || {
        let row = fleet.requests("route=told", 1).await.remove(0);
        if row["axes"]["gpu"]["xid"].is_null() {
            Err(row)
        } else {
            Ok(row)
        }
    });
    let row = row.await;
    assert_eq!(
        (&row["instance"], &row["instance_rule"]),
        (&json!(TWO.0), &json!("told_instance"))
    );
    let gpu = &row["axes"]["gpu"];
    near(&gpu["xid"], 31.0);
    assert_eq!(
        (&gpu["dram_active"], &gpu["tensor_active"]),
        (&Value::Null, &Value::Null)
    );
    near(&gpu["power_w"], 100.0);
    let row = &fleet.requests("route=untold", 1).await[0];
    assert_eq!(
        (&row["instance"], &row["instance_rule"]),
        (&Value::Null, &Value::Null)
    );
    assert_eq!(
        (&row["gpus"], &row["axes"]["gpu"]["power_w"]),
        (&json!([]), &Value::Null)
    );
    near(&row["axes"]["token"]["output_tokens"], 11.0);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_span_of_the_engine_tells_the_instance_and_is_no_request_of_its_own() {
    let fleet = Fleet::new().await;
    fleet.is_readable().await;
    let call = fleet.call(0);
    let engine = call
        .child("llm_request")
        .attribute("gen_ai.latency.time_in_queue", 0.05)
        .attribute("gen_ai.latency.time_to_first_token", 0.3)
        .attribute("gen_ai.usage.prompt_tokens", 100)
        .attribute("gen_ai.request.model", MODEL);
    let resource = [("service.name", "vllm"), ("k8s.pod.name", TWO.1)];
    fleet
        .client
        .accept_traces(&export_of(&resource, &[&engine]))
        .await;
    fleet.client.accept_traces(&export([&call])).await;
    fleet.client.trace_with_spans(call.trace_id(), 2).await;
    let rows = fleet.requests("", 1).await;
    assert_eq!(rows[0]["span_id"], call.span_id());
    assert_eq!(
        (&rows[0]["instance"], &rows[0]["instance_rule"]),
        (&json!(TWO.0), &json!("engine_pod"))
    );
    near(&rows[0]["axes"]["token"]["queue_ms"], 50.0);
    near(&rows[0]["axes"]["gpu"]["power_w"], 100.0);
}

#[tokio::test(flavor = "multi_thread")]
async fn pages_give_each_request_once_and_scores_stand_with_it() {
    let fleet = Fleet::new().await;
    let calls: Vec<_> = (0..5).map(|at| fleet.call(at * 10)).collect();
    // A call with another just below it is a wrapper.
    let inner = calls[2].child("inner");
    let inner = inner
        .attribute("gen_ai.operation.name", "chat")
        .attribute("gen_ai.usage.input_tokens", 100);
    fleet
        .client
        .accept_traces(&export(calls.iter().chain([&inner])))
        .await;
    for (name, value) in [("relevance", json!(0.5)), ("relevance", json!(0.75))] {
        let score = json!({"id": format!("{}-{name}", calls[4].trace_id()), "traceId": calls[4].trace_id(),
            "observationId": calls[4].span_id(), "name": name, "value": value});
        let request = fleet.client.request(Method::POST, "/api/public/scores");
        let answer = request.json(&score).send().await.unwrap();
        assert!(
            answer.status().is_success(),
            "{}",
            answer.text().await.unwrap()
        );
    }
    let all = eventually("the later score", async || {
        let rows = fleet.requests("", 5).await;
        if rows[0]["axes"]["quality"]["score.relevance"] == 0.75 {
            Ok(rows)
        } else {
            Err(rows)
        }
    });
    let all: Vec<Value> = all.await.iter().map(|row| row["span_id"].clone()).collect();
    let expected = [
        calls[4].span_id(),
        calls[3].span_id(),
        inner.span_id(),
        calls[1].span_id(),
        calls[0].span_id(),
    ];
    assert_eq!(all, expected);
    let (mut seen, mut cursor) = (Vec::new(), String::new());
    loop {
        let path = format!("/api/v1/requests?{}&limit=2&cursor={cursor}", fleet.range());
        let page = fleet.client.get_json(&path).await;
        seen.extend(
            page["data"]
                .as_array()
                .unwrap()
                .iter()
                .map(|row| row["span_id"].clone()),
        );
        match page["next_cursor"].as_str() {
            Some(next) => cursor = next.to_owned(),
            None => break,
        }
    }
    assert_eq!(seen, all);
}

#[tokio::test(flavor = "multi_thread")]
async fn what_cannot_be_asked_is_told_by_its_name() {
    let fleet = Fleet::new().await;
    for (path, field) in [
        ("requests?limit=0", "limit"),
        ("requests?cursor=nonsense", "cursor"),
        (
            "requests?from=2026-01-02T00:00:00Z&to=2026-01-01T00:00:00Z",
            "to",
        ),
        ("requests?from=yesterday", "from"),
        ("axes/series", "series"),
        ("axes/series?series=gpu.nothing:avg", "series"),
        ("axes/series?series=token.ttft_ms:most", "series"),
        (
            "axes/series?series=token.ttft_ms&group_by=user_id",
            "group_by",
        ),
        ("axes/series?series=token.ttft_ms&step=0", "step"),
        ("axes/series?series=token.ttft_ms&step=0.5", "step"),
        ("axes/joint?x=gpu.sm_active", "y"),
        ("axes/joint?x=gpu.sm_active&y=requests", "y"),
        ("axes/joint?x=gpu.sm_active&y=errors&bins=0", "bins"),
    ] {
        let answer = fleet.client.get(&format!("/api/v1/{path}")).await;
        assert_eq!(answer.status(), 400, "{path}");
        let problem: Value = answer.json().await.unwrap();
        assert_eq!(problem["errors"][0]["path"], field, "{path}: {problem}");
    }
}
