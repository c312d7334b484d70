//! Looking at rules of every kind: what many of them cost while requests and samples arrive.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use anyhow::ensure;
use serde_json::{Value, json};

use crate::axes::{samples, send};
use crate::server::{PUBLIC_KEY, SECRET_KEY, Server};
use crate::usage;

/// Rules of the project.
pub(crate) const RULES: u32 = 200;
/// Filters among them.
pub(crate) const FILTERS: u32 = 40;
/// Requests that arrive in a second, each with its environment: 10,000 in five minutes.
pub(crate) const REQUESTS_PER_S: u32 = 33;
/// Seconds between two scrapes of sixteen GPUs.
const SCRAPE_S: u64 = 5;
/// How long is measured.
const TIME: Duration = Duration::from_secs(60);
/// How long before, for everything to be read once.
const WARM_UP: Duration = Duration::from_secs(20);

/// What looking cost.
pub(crate) struct Alerts {
    /// Share of a core without rules, by process.
    pub(crate) idle: Vec<(&'static str, f64)>,
    /// The same with them.
    pub(crate) looking: Vec<(&'static str, f64)>,
}

/// Makes rules and lets them be looked at, while as much arrives as before.
pub(crate) async fn measure(server: &Server) -> anyhow::Result<Alerts> {
    tokio::select! {
        measured = looked_at(server) => measured,
        Err(error) = arrive(server) => Err(error),
    }
}

/// Sends requests and samples for ever.
async fn arrive(server: &Server) -> anyhow::Result<std::convert::Infallible> {
    let client = reqwest::Client::new();
    let mut every = tokio::time::interval(Duration::from_secs(1));
    let mut second = 0;
    loop {
        every.tick().await;
        let now = SystemTime::now().duration_since(UNIX_EPOCH)?;
        let calls: Vec<Value> = (0..REQUESTS_PER_S)
            .map(|number| call(now, (second, number)))
            .collect();
        let body = json!({ "resourceSpans": [{ "scopeSpans": [{ "spans": calls }] }] });
        let body = (body.to_string().into_bytes(), "application/json");
        send(&client, server, "/v1/traces", body).await?;
        if second % SCRAPE_S == 0 {
            let at = samples(u64::try_from(now.as_millis())?).to_string();
            let body = (at.into_bytes(), "application/json");
            send(&client, server, "/v1/metrics", body).await?;
        }
        second += 1;
    }
}

/// A call of a model that ends now.
fn call(now: Duration, (second, number): (u64, u32)) -> Value {
    let end = now.as_nanos();
    let dice = second * 31 + u64::from(number) * 17;
    let text = |key: &str, value: String| json!({ "key": key, "value": { "stringValue": value } });
    let count = |key: &str, value: u64| json!({ "key": key, "value": { "intValue": value } });
    let ttft = 0.2 + (dice % 50) as f64 / 1e3;
    json!({
        "traceId": format!("{:032x}", (u128::from(second) << 16) | u128::from(number) | 1 << 100),
        "spanId": format!("{:016x}", (second << 16) | u64::from(number) | 1 << 60),
        "name": "chat",
        "startTimeUnixNano": (end - 1_000_000_000 - u128::from(dice % 900) * 1_000_000).to_string(),
        "endTimeUnixNano": end.to_string(),
        "attributes": [
            text("gen_ai.operation.name", "chat".to_owned()),
            text("gen_ai.request.model", format!("model-{}", dice % 3)),
            text("langfuse.environment", format!("bench-{}", dice % u64::from(FILTERS))),
            text("tenant.id", format!("tenant-{}", dice % 20)),
            count("gen_ai.usage.input_tokens", 1_000 + dice % 500),
            count("gen_ai.usage.output_tokens", 100 + dice % 90),
            json!({ "key": "gen_ai.server.time_to_first_token", "value": { "doubleValue": ttft } }),
        ],
    })
}

async fn looked_at(server: &Server) -> anyhow::Result<Alerts> {
    tokio::time::sleep(WARM_UP).await;
    let idle = shares(server).await;
    let client = reqwest::Client::new();
    for number in 0..RULES {
        let request = client.post(format!("{}/api/v1/alert-rules", server.url));
        let request = request.basic_auth(PUBLIC_KEY, Some(SECRET_KEY));
        let answer = request.json(&rule(number)).send().await?;
        let status = answer.status();
        ensure!(
            status.as_u16() == 201,
            "rule {number} was answered {status}: {}",
            answer.text().await?
        );
    }
    tokio::time::sleep(WARM_UP).await;
    Ok(Alerts {
        idle,
        looking: shares(server).await,
    })
}

fn rule(number: u32) -> Value {
    let filter = json!({ "environment": format!("bench-{}", number % FILTERS) });
    let by = |value: f64, dimension: &str| json!({ "value": value, "group_by": [dimension] });
    let (kind, series, params) = match number % 10 {
        0 => ("threshold", "token.ttft_ms:p99", json!({ "value": 1e9 })),
        1 => ("threshold", "request.errors:rate", by(2.0, "tenant")),
        2 => ("adaptive", "token.e2e_ms:p95", json!({ "factor": 1000 })),
        3 => ("p99_shift", "token.ttft_ms:p99", json!({ "factor": 1000 })),
        4 => ("no_data", "request.count", json!({})),
        5 => ("threshold", "token.e2e_ms:p95", by(1e9, "model")),
        6 => ("threshold", "gpu.sm_active:avg", by(2.0, "instance")),
        7 => (
            "threshold",
            "gpu.temperature_c:max",
            json!({ "value": 1e3 }),
        ),
        8 => ("cost_spike", "", json!({ "factor": 1000 })),
        _ => ("slo_burn", "request.errors", json!({ "objective": 0.5 })),
    };
    let mut rule = json!({ "name": format!("bench {number}"), "kind": kind, "params": params, "for_s": 86_400 });
    if !series.is_empty() {
        rule["series"] = json!(series);
    }
    if !series.starts_with("gpu.") {
        rule["filter"] = filter;
    }
    rule
}

/// What share of a core each process uses.
async fn shares(server: &Server) -> Vec<(&'static str, f64)> {
    let used = || {
        let all = server.processes().into_iter();
        let own = |(name, pid)| match name {
            // The engines are its children, and are counted for themselves.
            "triaxis" => (name, usage::cpu_seconds(pid)),
            _ => (name, usage::tree_cpu_seconds(pid)),
        };
        all.map(own).collect::<Vec<_>>()
    };
    let before = used();
    tokio::time::sleep(TIME).await;
    let after = used().into_iter().zip(before);
    after
        .map(|((name, after), (_, before))| (name, (after - before) / TIME.as_secs_f64()))
        .collect()
}
