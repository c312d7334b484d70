//! Requests with the state of their GPUs: an hour of traffic on sixteen of them, of which five minutes are asked for.

use std::time::{Duration, Instant};

use anyhow::{bail, ensure};
use opentelemetry_proto::tonic::collector::trace::v1::ExportTraceServiceRequest;
use opentelemetry_proto::tonic::common::v1::any_value::Value as Any;
use opentelemetry_proto::tonic::common::v1::{AnyValue, KeyValue};
use opentelemetry_proto::tonic::resource::v1::Resource;
use opentelemetry_proto::tonic::trace::v1::{ResourceSpans, ScopeSpans, Span};
use prost::Message;
use serde_json::{Value, json};

use crate::ingest::{Quantiles, quantiles};
use crate::server::{PUBLIC_KEY, SECRET_KEY, Server};

/// Requests of five minutes.
pub(crate) const REQUESTS: u64 = 10_000;
/// Stretches of five minutes that are filled.
const STRETCHES: u64 = 12;
/// Serving instances, each with four GPUs.
const INSTANCES: u64 = 4;
/// Seconds between two scrapes.
const SCRAPE_S: u64 = 15;
/// Spans of one export request.
const BATCH: u64 = 1_000;
/// How often each question is asked.
const TIMES: usize = 30;
/// Milliseconds of five minutes.
const STRETCH_MS: u64 = 300_000;

/// What questions took, in ms.
pub(crate) struct Axes {
    /// Each question, with its times.
    pub(crate) questions: Vec<(&'static str, Quantiles)>,
}

/// Fills an hour and asks for its last five minutes.
pub(crate) async fn measure(server: &Server) -> anyhow::Result<Axes> {
    let client = reqwest::Client::new();
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH)?;
    let end_ms = u64::try_from(since.as_millis())? - 60_000;
    let begin_ms = end_ms - STRETCHES * STRETCH_MS;
    for batch in 0..STRETCHES * REQUESTS / BATCH {
        let body = spans(batch * BATCH, begin_ms).encode_to_vec();
        send(
            &client,
            server,
            "/v1/traces",
            (body, "application/x-protobuf"),
        )
        .await?;
    }
    let mut at_ms = begin_ms - 60_000;
    while at_ms < end_ms + 30_000 {
        let body = samples(at_ms).to_string().into_bytes();
        send(&client, server, "/v1/metrics", (body, "application/json")).await?;
        at_ms += SCRAPE_S * 1_000;
    }
    let window = format!("from={}&to={}", time(end_ms - STRETCH_MS)?, time(end_ms)?);
    let minute = format!("from={}&to={}", time(end_ms - 60_000)?, time(end_ms)?);
    complete(&client, server, &window).await?;
    let list = "token.e2e_ms:p99,token.ttft_ms:p99,gpu.power_w:avg,errors:rate,requests:count";
    let rules = "token.ttft_ms:p50,token.ttft_ms:p99,token.tpot_ms:p99,token.e2e_ms:p99,errors:rate,requests:per_s,\
                 gpu.sm_active:avg,gpu.temperature_c:max,token.waiting_requests:max,token.kv_cache_usage:max";
    let mut questions = Vec::new();
    for (name, path) in [
        ("a page of 50", format!("requests?{window}&limit=50")),
        ("a page of 1,000", format!("requests?{window}&limit=1000")),
        (
            "all as columns, in ten bins",
            format!("axes/joint?{window}&x=gpu.power_w&y=token.e2e_ms"),
        ),
        (
            "five series over 60 steps, by model",
            format!("axes/series?{window}&step=5&group_by=model&series={list}"),
        ),
        (
            "ten rules over a minute",
            format!("axes/series?{minute}&step=60&series={rules}"),
        ),
    ] {
        let mut times = Vec::new();
        for _ in 0..TIMES {
            let begun = Instant::now();
            ask(&client, server, &path).await?;
            times.push(begun.elapsed().as_secs_f64() * 1e3);
        }
        questions.push((name, quantiles(times)));
    }
    Ok(Axes { questions })
}

pub(crate) async fn send(
    client: &reqwest::Client,
    server: &Server,
    path: &str,
    (body, content_type): (Vec<u8>, &str),
) -> anyhow::Result<()> {
    let request = client.post(format!("{}{path}", server.url));
    let request = request
        .basic_auth(PUBLIC_KEY, Some(SECRET_KEY))
        .header("content-type", content_type);
    let status = request.body(body).send().await?.status();
    ensure!(status.is_success(), "{path} was answered {status}");
    Ok(())
}

async fn ask(client: &reqwest::Client, server: &Server, path: &str) -> anyhow::Result<Value> {
    let request = client.get(format!("{}/api/v1/{path}", server.url));
    let answer = request
        .basic_auth(PUBLIC_KEY, Some(SECRET_KEY))
        .send()
        .await?;
    let status = answer.status();
    let text = answer.text().await?;
    ensure!(status.is_success(), "{path} was answered {status}: {text}");
    Ok(serde_json::from_str(&text)?)
}

/// Waits until each request of the window has a value of its GPUs.
async fn complete(client: &reqwest::Client, server: &Server, window: &str) -> anyhow::Result<()> {
    let begun = Instant::now();
    loop {
        let path = format!("axes/joint?{window}&x=gpu.power_w&y=token.e2e_ms");
        let joint = ask(client, server, &path).await?;
        if joint["count"] == REQUESTS {
            return Ok(());
        }
        if begun.elapsed() > Duration::from_secs(120) {
            bail!(
                "only {} requests were joined within two minutes",
                joint["count"]
            );
        }
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
}

/// Calls evenly spread over the time, each below the span of its application.
fn spans(first: u64, begin_ms: u64) -> ExportTraceServiceRequest {
    let all = (first..first + BATCH).flat_map(|number| {
        let start_ms = begin_ms + number * STRETCH_MS / REQUESTS;
        let (trace, id) = (scattered(number), number << 1 | 1);
        let root = Span {
            trace_id: trace.clone(),
            span_id: (id << 8).to_be_bytes().to_vec(),
            name: "answer".to_owned(),
            start_time_unix_nano: start_ms * 1_000_000,
            end_time_unix_nano: (start_ms + 1_000) * 1_000_000,
            ..Span::default()
        };
        let call = Span {
            span_id: (id << 8 | 1).to_be_bytes().to_vec(),
            parent_span_id: root.span_id.clone(),
            name: "chat".to_owned(),
            kind: 3,
            attributes: attributes(number),
            ..root.clone()
        };
        [root, call]
    });
    ExportTraceServiceRequest {
        resource_spans: vec![ResourceSpans {
            resource: Some(Resource {
                attributes: vec![text("service.name", "support-api")],
                ..Resource::default()
            }),
            scope_spans: vec![ScopeSpans {
                spans: all.collect(),
                ..ScopeSpans::default()
            }],
            ..ResourceSpans::default()
        }],
    }
}

/// An id that says nothing of the time.
fn scattered(number: u64) -> Vec<u8> {
    let high = number.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    [high.to_be_bytes(), number.to_be_bytes()].concat()
}

fn attributes(number: u64) -> Vec<KeyValue> {
    let whole = |key: &str, value: u64| KeyValue {
        key: key.to_owned(),
        value: Some(AnyValue {
            value: Some(Any::IntValue(i64::try_from(value).unwrap_or(0))),
        }),
        ..KeyValue::default()
    };
    vec![
        text("gen_ai.operation.name", "chat"),
        text("gen_ai.request.model", MODEL),
        text("server.address", &format!("10.0.0.{}", number % INSTANCES)),
        whole("server.port", 8_000),
        whole("gen_ai.usage.input_tokens", 1_000 + number % 500),
        whole("gen_ai.usage.output_tokens", 100 + number % 50),
        text("llm.app.tenant_id", &format!("tenant {}", number % 20)),
        text(
            "gen_ai.input.messages",
            r#"[{"role":"user","parts":[{"type":"text","content":"Where is my parcel?"}]}]"#,
        ),
        text(
            "gen_ai.output.messages",
            r#"[{"role":"assistant","parts":[{"type":"text","content":"On its way."}]}]"#,
        ),
    ]
}

const MODEL: &str = "meta-llama/Llama-3.1-8B-Instruct";

fn text(key: &str, value: &str) -> KeyValue {
    KeyValue {
        key: key.to_owned(),
        value: Some(AnyValue {
            value: Some(Any::StringValue(value.to_owned())),
        }),
        ..KeyValue::default()
    }
}

/// One scrape of all engines and GPUs.
pub(crate) fn samples(at_ms: u64) -> Value {
    let (mut metrics, nanos) = (Vec::new(), (at_ms * 1_000_000).to_string());
    let mut tell = |name: &str, value: f64, labels: &[(&str, String)]| {
        let attributes: Vec<Value> = labels
            .iter()
            .map(|(key, value)| json!({"key": key, "value": {"stringValue": value}}))
            .collect();
        let point = json!({"timeUnixNano": nanos, "asDouble": value, "attributes": attributes});
        metrics.push(json!({"name": name, "gauge": {"dataPoints": [point]}}));
    };
    let wave = (at_ms / 1_000) as f64;
    for instance in 0..INSTANCES {
        let labels = [
            ("instance", format!("10.0.0.{instance}:8000")),
            ("pod", format!("vllm-{instance}")),
            ("model_name", MODEL.to_owned()),
        ];
        for name in [
            "num_requests_running",
            "num_requests_waiting",
            "kv_cache_usage_perc",
        ] {
            tell(&format!("vllm:{name}"), (wave / 60.0).sin().abs(), &labels);
        }
        for name in [
            "prefix_cache_hits_total",
            "prefix_cache_queries_total",
            "prompt_tokens_total",
            "generation_tokens_total",
        ] {
            tell(&format!("vllm:{name}"), wave, &labels);
        }
        for gpu in 0..4 {
            let labels = [
                ("UUID", format!("GPU-{instance}-{gpu}")),
                ("exported_pod", format!("vllm-{instance}")),
            ];
            for name in DCGM {
                tell(
                    name,
                    (wave / 100.0 + gpu as f64).sin().abs() * 100.0,
                    &labels,
                );
            }
        }
    }
    json!({"resourceMetrics": [{"scopeMetrics": [{"metrics": metrics}]}]})
}

const DCGM: &[&str] = &[
    "DCGM_FI_PROF_SM_ACTIVE",
    "DCGM_FI_PROF_PIPE_TENSOR_ACTIVE",
    "DCGM_FI_PROF_DRAM_ACTIVE",
    "DCGM_FI_DEV_FB_USED",
    "DCGM_FI_DEV_FB_FREE",
    "DCGM_FI_DEV_POWER_USAGE",
    "DCGM_FI_DEV_GPU_TEMP",
    "DCGM_FI_PROF_PCIE_TX_BYTES",
    "DCGM_FI_PROF_PCIE_RX_BYTES",
    "DCGM_FI_PROF_NVLINK_TX_BYTES",
    "DCGM_FI_PROF_NVLINK_RX_BYTES",
    "DCGM_FI_DEV_XID_ERRORS",
];

fn time(millis: u64) -> anyhow::Result<String> {
    let time = domain::Timestamp::from_unix_millis(i64::try_from(millis)?);
    Ok(time.unwrap_or(domain::Timestamp::EPOCH).to_string())
}
