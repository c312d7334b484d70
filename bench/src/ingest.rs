//! The whole path: spans are sent as fast as they are accepted, and looked for until they are seen.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use anyhow::{Context, bail};
use serde_json::Value;

use crate::payload::Template;
use crate::server::{PUBLIC_KEY, SECRET_KEY, Server};
use crate::usage;

/// What the whole path did.
pub(crate) struct Path {
    /// Spans sent.
    pub(crate) spans: usize,
    /// Acknowledged spans by the time that sending took.
    pub(crate) accepted_per_s: f64,
    /// The same by the time until the last one could be read.
    pub(crate) visible_per_s: f64,
    /// From a probe's acknowledgement until it could be read, under full load.
    pub(crate) visible_after_ms: Quantiles,
    /// CPU of this process for each span sent.
    pub(crate) sender_cpu_s_per_span: f64,
    /// The server's processes.
    pub(crate) processes: Vec<Process>,
    /// ClickHouse's files by rows.
    pub(crate) bytes_per_span: f64,
}

/// CPU and memory of one process.
pub(crate) struct Process {
    /// Name.
    pub(crate) name: &'static str,
    /// CPU for a million spans.
    pub(crate) cpu_s_per_million: f64,
    /// Highest memory held.
    pub(crate) peak_mb: f64,
}

/// Of a set of measurements.
pub(crate) struct Quantiles {
    /// Middle.
    pub p50: f64,
    /// 95 of 100 are below.
    pub p95: f64,
    /// 99 of 100 are below.
    pub p99: f64,
    /// Measurements.
    pub(crate) count: usize,
}

/// Numbers of requests that belong to probes, far from those of the load.
const FIRST_PROBE: u32 = 2_000_000_000;

/// From the end of a probe to the next.
const BETWEEN_PROBES: Duration = Duration::from_millis(500);
/// From one look whether a trace is there to the next: how exact "visible after" is.
const BETWEEN_LOOKS: Duration = Duration::from_millis(25);

/// Sends and looks.
pub(crate) async fn measure(
    server: &Server,
    template: &Template,
    spans: usize,
    connections: usize,
) -> anyhow::Result<Path> {
    let template = Arc::new(Template::clone(template));
    let requests = u32::try_from(spans.div_ceil(template.spans()))?;
    let spans = requests as usize * template.spans();
    let cpu_before: Vec<f64> = cpu_of(server);
    let own_cpu_before = usage::cpu_seconds(std::process::id());
    let done = Arc::new(AtomicBool::new(false));
    let probe = tokio::spawn(probe(server.url.clone(), done.clone()));

    let begun = Instant::now();
    let next = Arc::new(AtomicU32::new(0));
    let senders: Vec<_> = (0..connections)
        .map(|_| {
            tokio::spawn(send(
                server.url.clone(),
                template.clone(),
                next.clone(),
                requests,
            ))
        })
        .collect();
    for sender in senders {
        sender.await??;
    }
    let accepted_in = begun.elapsed();
    await_visible(&server.url, &template.last_trace_id(requests - 1)).await?;
    let visible_in = begun.elapsed();
    let own_cpu = usage::cpu_seconds(std::process::id()) - own_cpu_before;
    done.store(true, Ordering::Relaxed);
    let visible_after_ms = quantiles(probe.await??);

    let millions = spans as f64 / 1e6;
    let processes = server
        .processes()
        .into_iter()
        .zip(cpu_of(server).into_iter().zip(cpu_before))
        .map(|((name, pid), (after, before))| Process {
            name,
            cpu_s_per_million: (after - before) / millions,
            peak_mb: usage::peak_mb(pid),
        })
        .collect();
    let bytes_per_span = usage::bytes_per_span(&server.clickhouse_url).await?;
    Ok(Path {
        spans,
        accepted_per_s: spans as f64 / accepted_in.as_secs_f64(),
        visible_per_s: spans as f64 / visible_in.as_secs_f64(),
        visible_after_ms,
        sender_cpu_s_per_span: own_cpu / spans as f64,
        processes,
        bytes_per_span,
    })
}

fn cpu_of(server: &Server) -> Vec<f64> {
    let of = |(name, pid): (&str, u32)| {
        if name == "postgres" {
            usage::tree_cpu_seconds(pid)
        } else {
            usage::cpu_seconds(pid)
        }
    };
    server.processes().into_iter().map(of).collect()
}

async fn send(
    url: String,
    template: Arc<Template>,
    next: Arc<AtomicU32>,
    requests: u32,
) -> anyhow::Result<()> {
    let client = reqwest::Client::new();
    loop {
        let number = next.fetch_add(1, Ordering::Relaxed);
        if number >= requests {
            return Ok(());
        }
        post(&client, &url, template.request(number, now_nanos())).await?;
    }
}

/// Sends until it is accepted: an answer of 429 or 503 means "come again".
async fn post(client: &reqwest::Client, url: &str, body: Vec<u8>) -> anyhow::Result<()> {
    for _ in 0..1000 {
        let answer = client
            .post(format!("{url}/v1/traces"))
            .basic_auth(PUBLIC_KEY, Some(SECRET_KEY))
            .header("content-type", "application/x-protobuf")
            .body(body.clone())
            .send()
            .await?;
        match answer.status().as_u16() {
            200 => return Ok(()),
            429 | 503 => tokio::time::sleep(Duration::from_millis(50)).await,
            status => bail!("answered {status}: {}", answer.text().await?),
        }
    }
    bail!("not accepted after a thousand tries")
}

/// Twice a second a small trace, timed from its acknowledgement until it can be read: often enough to
/// tell, seldom enough not to be a load of its own.
async fn probe(url: String, done: Arc<AtomicBool>) -> anyhow::Result<Vec<f64>> {
    let client = reqwest::Client::new();
    let template = Template::new(1);
    let mut times = Vec::new();
    let mut number = FIRST_PROBE;
    while !done.load(Ordering::Relaxed) {
        post(&client, &url, template.request(number, now_nanos())).await?;
        let acknowledged = Instant::now();
        await_visible(&url, &template.last_trace_id(number)).await?;
        times.push(acknowledged.elapsed().as_secs_f64() * 1000.0);
        number += 1;
        tokio::time::sleep(BETWEEN_PROBES).await;
    }
    Ok(times)
}

async fn await_visible(url: &str, trace_id: &str) -> anyhow::Result<()> {
    let client = reqwest::Client::new();
    let begun = Instant::now();
    while begun.elapsed() < Duration::from_secs(120) {
        let answer = client
            .get(format!("{url}/api/v1/traces/{trace_id}"))
            .basic_auth(PUBLIC_KEY, Some(SECRET_KEY))
            .send()
            .await?;
        if answer.status().is_success() {
            let trace: Value = answer.json().await.context("trace is not JSON")?;
            if trace["span_count"].as_u64().unwrap_or(0) > 0 {
                return Ok(());
            }
        }
        tokio::time::sleep(BETWEEN_LOOKS).await;
    }
    bail!("trace {trace_id} was not readable within two minutes")
}

/// The middle and the slow end of measurements.
pub(crate) fn quantiles(mut times: Vec<f64>) -> Quantiles {
    times.sort_by(f64::total_cmp);
    let at = |share: f64| {
        let index = (times.len() as f64 * share) as usize;
        times
            .get(index.min(times.len().saturating_sub(1)))
            .copied()
            .unwrap_or(f64::NAN)
    };
    Quantiles {
        p50: at(0.5),
        p95: at(0.95),
        p99: at(0.99),
        count: times.len(),
    }
}

fn now_nanos() -> u64 {
    let since = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .unwrap_or_default();
    u64::try_from(since.as_nanos()).unwrap_or(u64::MAX)
}
