//! Looking at rules: what many of them cost while nothing else happens.

use std::time::Duration;

use anyhow::ensure;
use serde_json::{Value, json};

use crate::server::{PUBLIC_KEY, SECRET_KEY, Server};
use crate::usage;

/// Rules of the project.
pub(crate) const RULES: u32 = 200;
/// Filters among them.
pub(crate) const FILTERS: u32 = 4;
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

/// Makes rules and lets them be looked at.
pub(crate) async fn measure(server: &Server) -> anyhow::Result<Alerts> {
    let idle = shares(server).await;
    let client = reqwest::Client::new();
    for number in 0..RULES {
        let request = client.post(format!("{}/api/v1/alert-rules", server.url));
        let request = request.basic_auth(PUBLIC_KEY, Some(SECRET_KEY));
        let status = request.json(&rule(number)).send().await?.status();
        ensure!(status.as_u16() == 201, "a rule was answered {status}");
    }
    tokio::time::sleep(WARM_UP).await;
    Ok(Alerts {
        idle,
        looking: shares(server).await,
    })
}

fn rule(number: u32) -> Value {
    let filter = json!({ "environment": format!("bench-{}", number % FILTERS) });
    let (kind, series, params) = match number % 5 {
        0 => ("threshold", "token.ttft_ms:p99", json!({ "value": 1e9 })),
        1 => ("threshold", "request.errors:rate", json!({ "value": 2 })),
        2 => ("adaptive", "token.e2e_ms:p95", json!({ "factor": 1000 })),
        3 => ("p99_shift", "token.ttft_ms:p99", json!({ "factor": 1000 })),
        _ => ("no_data", "request.count", json!({})),
    };
    json!({ "name": format!("bench {number}"), "kind": kind, "series": series, "params": params,
        "filter": filter, "for_s": 86_400 })
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
