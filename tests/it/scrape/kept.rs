//! What real exporters answer is found by the names of the axes.

use reqwest::Method;
use serde_json::json;

use super::exporter::{Answer, captured};
use super::{Exporter, TARGETS, ask, becomes, server, set, target};

/// File, kind, and metrics with their newest values.
type Captured = (&'static str, &'static str, &'static [(&'static str, f64)]);

const CAPTURED: &[Captured] = &[
    (
        "dcgm-exporter-tesla-t4.prom",
        "dcgm",
        &[("gpu.power_w", 8.969), ("gpu.temperature_c", 25.0)],
    ),
    (
        "vllm-0.4.3-v0.prom",
        "vllm",
        &[
            ("token.running_requests", 0.0),
            ("vllm:generation_tokens_total", 7.0),
        ],
    ),
    (
        "vllm-v0-v1-union.prom",
        "vllm",
        &[
            ("token.kv_cache_usage", 0.0),
            ("vllm:prefix_cache_queries_total", 117.0),
        ],
    ),
    (
        "sglang-docs-llama31-8b.prom",
        "sglang",
        &[
            ("token.kv_cache_usage", 0.28),
            ("token.waiting_requests", 2826.0),
        ],
    ),
    (
        "tgi.prom",
        "tgi",
        &[
            ("token.waiting_requests", 0.0),
            ("tgi_request_queue_duration_count", 109.0),
        ],
    ),
    ("triton.prom", "triton", &[("gpu.power_w", 32.09)]),
];

#[tokio::test(flavor = "multi_thread")]
async fn what_real_exporters_say_is_read_by_the_names_of_the_axes() {
    let server = server().await;
    for (number, (file, kind, values)) in CAPTURED.iter().enumerate() {
        let client = server.new_project();
        let text = captured(file);
        // Half of them compressed, as most exporters offer.
        let answer = match number % 2 {
            0 => Answer::text(&text),
            _ => Answer::packed(text.as_bytes()),
        };
        let exporter = Exporter::start(answer).await;
        let id = set(&client, &exporter, json!({"kind": kind})).await;
        for (metric, value) in *values {
            becomes(&client, metric, Some(*value)).await;
        }
        becomes(&client, "up", Some(1.0)).await;
        let seen = target(&client, (&id, "its scrape is noted"), |target| {
            target["last_scrape"].is_string()
        });
        let seen = seen.await;
        assert!(seen["error"].is_null(), "{file}: {seen}");
        assert_eq!(seen["exporters"], json!([kind]), "{file}: {seen}");
        let samples = seen["samples"].as_f64().unwrap();
        assert!(seen["recognised"].as_f64().unwrap() <= samples, "{seen}");
        assert!(seen["duration_ms"].as_f64().unwrap() > 0.0, "{seen}");
        becomes(&client, "scrape_samples_scraped", Some(samples)).await;
        let list = client
            .get_json("/api/v1/metrics/series?metric=scrape_duration_seconds")
            .await;
        let labels = json!({"instance": exporter.instance, "job": "engines"});
        assert_eq!(list["data"][0]["labels"], labels);
        let head = exporter.heads()[0].clone();
        assert!(head.starts_with("get /metrics http/1.1"), "{head}");
        assert!(
            head.contains("accept: application/openmetrics-text"),
            "{head}"
        );
        let path = format!("{TARGETS}/{id}");
        let (status, _) = ask(&client, Method::DELETE, &path, &json!({})).await;
        assert!(status.is_success());
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn labels_of_a_target_go_before_those_of_its_series_which_are_kept() {
    let client = server().await.new_project();
    let answer = "# TYPE m gauge\nm{job=\"theirs\",pod=\"p\"} 4 # {trace_id=\"x\"} 1\n# EOF\n";
    let content_type = "application/openmetrics-text; version=1.0.0; charset=utf-8";
    let exporter = Exporter::start(Answer::of(content_type, answer)).await;
    let labels = json!({"labels": {"cluster": "one", "instance": "gpu-7"}});
    set(&client, &exporter, labels).await;
    becomes(&client, "m", Some(4.0)).await;
    let list = client.get_json("/api/v1/metrics/series?metric=m").await;
    let expected = json!({"cluster": "one", "exported_job": "theirs", "instance": "gpu-7",
        "job": "engines", "pod": "p"});
    assert_eq!(list["data"][0]["labels"], expected);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_series_that_goes_away_ends_and_one_that_comes_back_goes_on() {
    let client = server().await.new_project();
    let exporter = Exporter::start(Answer::text("a 1\nb 2\n")).await;
    let id = set(&client, &exporter, json!({})).await;
    becomes(&client, "b", Some(2.0)).await;
    exporter.answers(Answer::text("a 3\n"));
    becomes(&client, "a", Some(3.0)).await;
    becomes(&client, "b", None).await;
    exporter.answers(Answer::text("a 3\nb 5\n"));
    becomes(&client, "b", Some(5.0)).await;
    // Switched off, all of them end, and so does what is said of the scrape.
    let path = format!("{TARGETS}/{id}");
    let (_, off) = ask(&client, Method::PATCH, &path, &json!({"enabled": false})).await;
    assert_eq!(off["enabled"], false, "{off}");
    for metric in ["a", "b", "up"] {
        becomes(&client, metric, None).await;
    }
}
