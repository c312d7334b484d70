//! `kill -9` of the server, of ClickHouse, of Postgres, at random moments under load: every
//! acknowledged span is there exactly once.
//!
//! `KILL_ROUNDS` sets how often (20 unless set), `KILL_SEED` which moments.
#![expect(
    clippy::disallowed_methods,
    reason = "a test may be told to try harder"
)]

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};
use serde_json::Value;
use tests::builders::{SpanBuilder, export};
use tests::{ProjectClient, Server, eventually_within};

const SENDERS: usize = 3;
const SPANS_PER_REQUEST: usize = 5;

/// Trace id → span ids that were acknowledged.
type Acknowledged = Arc<Mutex<BTreeMap<String, BTreeSet<String>>>>;

#[tokio::test(flavor = "multi_thread")]
async fn acknowledged_spans_survive_kills_of_every_process_exactly_once() {
    let rounds = number("KILL_ROUNDS", 20);
    let seed = number("KILL_SEED", 47);
    let server = Server::start().await;
    let acknowledged = Acknowledged::default();
    let stop = Arc::new(AtomicBool::new(false));
    let senders: Vec<_> = (0..SENDERS)
        .map(|_| tokio::spawn(send(server.client(), acknowledged.clone(), stop.clone())))
        .collect();

    let mut rng = StdRng::seed_from_u64(seed);
    let mut killed = BTreeMap::<&str, u32>::new();
    for round in 0..rounds {
        let load = acknowledged.lock().unwrap().len();
        progress(&acknowledged, load + rng.random_range(3..25)).await;
        let victim = ["server", "clickhouse", "postgres"][usize::try_from(round % 3).unwrap()];
        kill(&server, victim).await;
        *killed.entry(victim).or_default() += 1;
    }
    stop.store(true, Ordering::Relaxed);
    for sender in senders {
        sender.await.unwrap();
    }

    let expected = acknowledged.lock().unwrap().clone();
    for (trace_id, spans) in &expected {
        let found = all_of(&server.client(), trace_id, spans.len()).await;
        let distinct: BTreeSet<&String> = found.iter().collect();
        assert_eq!(
            distinct.len(),
            found.len(),
            "{trace_id}: a span stands there twice"
        );
        assert!(
            spans.iter().all(|span| distinct.contains(span)),
            "{trace_id}: an acknowledged span is lost (seed {seed})"
        );
    }
    assert_eq!(
        listed_once(&server.client(), &expected).await,
        expected.len()
    );
    println!(
        "{rounds} kills {killed:?}, {} traces acknowledged, none lost",
        expected.len()
    );
}

async fn send(client: ProjectClient, acknowledged: Acknowledged, stop: Arc<AtomicBool>) {
    while !stop.load(Ordering::Relaxed) {
        let root = SpanBuilder::root("kill.test");
        let children = (1..SPANS_PER_REQUEST).map(|_| root.child("step"));
        let spans: Vec<SpanBuilder> = std::iter::once(root.clone()).chain(children).collect();
        let body = serde_json::to_vec(&export(&spans)).unwrap();
        let answer = client
            .request(reqwest::Method::POST, "/v1/traces")
            .header("content-type", "application/json")
            .timeout(Duration::from_secs(30))
            .body(body)
            .send()
            .await;
        // Only what was acknowledged counts; what failed is not sent again.
        if answer.is_ok_and(|answer| answer.status().is_success()) {
            let ids = spans.iter().map(|span| span.span_id().to_owned()).collect();
            acknowledged
                .lock()
                .unwrap()
                .insert(root.trace_id().to_owned(), ids);
        } else {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    }
}

/// Waits until that many traces have been acknowledged in all.
async fn progress(acknowledged: &Acknowledged, traces: usize) {
    eventually_within(
        Duration::from_secs(60),
        "the server accepts spans",
        async || {
            let now = acknowledged.lock().unwrap().len();
            if now >= traces { Ok(()) } else { Err(now) }
        },
    )
    .await;
}

async fn kill(server: &Server, victim: &str) {
    if victim == "server" {
        server.kill();
        server.start_again().await;
        return;
    }
    let pid = eventually_within(Duration::from_secs(60), "engine runs", async || {
        server
            .engine_pid(victim)
            .filter(|pid| alive(*pid))
            .ok_or(victim)
    })
    .await;
    tests::signal(pid, "KILL");
    eventually_within(Duration::from_secs(60), "engine runs again", async || {
        server
            .engine_pid(victim)
            .filter(|now| *now != pid && alive(*now))
            .ok_or(victim)
    })
    .await;
}

fn alive(pid: u32) -> bool {
    std::path::Path::new(&format!("/proc/{pid}")).exists()
}

async fn all_of(client: &ProjectClient, trace_id: &str, at_least: usize) -> Vec<String> {
    eventually_within(
        Duration::from_secs(30),
        "the trace is readable",
        async || {
            let answer = client.get(&format!("/api/v1/traces/{trace_id}")).await;
            let status = answer.status();
            let trace: Value = answer.json().await.map_err(|error| error.to_string())?;
            let ids = span_ids(&trace);
            if ids.len() >= at_least {
                return Ok(ids);
            }
            let ready = client.get("/readyz").await.text().await.unwrap_or_default();
            Err(format!(
                "{trace_id}: {status}: {} spans; {ready}",
                ids.len()
            ))
        },
    )
    .await
}

fn span_ids(trace: &Value) -> Vec<String> {
    let mut ids = Vec::new();
    let mut open: Vec<&Value> = trace["spans"].as_array().into_iter().flatten().collect();
    while let Some(span) = open.pop() {
        ids.push(span["span_id"].as_str().unwrap_or_default().to_owned());
        open.extend(span["children"].as_array().into_iter().flatten());
    }
    ids
}

/// How many of the expected traces the whole list holds; fails when it holds one twice.
async fn listed_once(
    client: &ProjectClient,
    expected: &BTreeMap<String, BTreeSet<String>>,
) -> usize {
    let mut seen = BTreeSet::new();
    let mut cursor = String::new();
    loop {
        let page = client
            .get_json(&format!("/api/v1/traces?limit=500{cursor}"))
            .await;
        for row in page["data"].as_array().unwrap() {
            let id = row["trace_id"].as_str().unwrap().to_owned();
            assert!(seen.insert(id.clone()), "{id} is listed twice");
        }
        match page["next_cursor"].as_str() {
            Some(next) => cursor = format!("&cursor={next}"),
            None => return expected.keys().filter(|id| seen.contains(*id)).count(),
        }
    }
}

fn number(name: &str, default: u64) -> u64 {
    std::env::var(name)
        .ok()
        .and_then(|text| text.parse().ok())
        .unwrap_or(default)
}
