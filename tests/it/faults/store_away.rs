//! Stores that are away, and a spool that is full.

use std::time::Duration;

use reqwest::StatusCode;
use tests::builders::{SpanBuilder, export};
use tests::{Server, Settings, eventually_within};
use tokio::task::JoinSet;

use crate::web::headers::Visitor;

#[tokio::test(flavor = "multi_thread")]
async fn with_clickhouse_away_spans_are_accepted_until_the_spool_is_full_and_none_is_lost() {
    let settings = Settings::default().with("TRIAXIS_SPOOL_MAX_BYTES", (1 << 20).to_string());
    let server = Server::start_with(settings).await;
    let client = server.client();
    server.freeze("clickhouse");

    // Many at once: senders are held back one by one, and an engine that answers nothing for a minute
    // is started again.
    let mut sending = JoinSet::new();
    for seed in 0..200 {
        let client = client.clone();
        sending.spawn(async move {
            let span = SpanBuilder::root("away").attribute("filling", noise(seed));
            let answer = client.send_traces(&export([&span])).await;
            (span.trace_id().to_owned(), answer)
        });
    }
    let (mut accepted, mut refused) = (Vec::new(), 0);
    while let Some(sent) = sending.join_next().await {
        let (trace_id, answer) = sent.unwrap();
        match answer.status() {
            StatusCode::OK => accepted.push(trace_id),
            StatusCode::SERVICE_UNAVAILABLE | StatusCode::TOO_MANY_REQUESTS => {
                assert!(answer.headers().contains_key("retry-after"));
                refused += 1;
            }
            status => panic!("{status}"),
        }
    }
    assert!(refused > 0, "the spool of 1 MiB never filled");
    assert!(accepted.len() > 10, "only {} were accepted", accepted.len());

    server.thaw("clickhouse");
    for trace_id in &accepted {
        client.trace_with_spans(trace_id, 1).await;
    }
    eventually_within(
        Duration::from_secs(60),
        "the spool takes spans again",
        async || {
            let span = SpanBuilder::root("after");
            let status = client.send_traces(&export([&span])).await.status();
            if status == StatusCode::OK {
                Ok(())
            } else {
                Err(status)
            }
        },
    )
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn with_postgres_away_known_keys_go_on_and_unknown_ones_are_told_to_wait() {
    let server = Server::start().await;
    let client = server.client();
    let first = SpanBuilder::root("before");
    client.accept_traces(&export([&first])).await;

    server.freeze("postgres");
    let during = SpanBuilder::root("during");
    client.accept_traces(&export([&during])).await;
    client.trace_with_spans(during.trace_id(), 1).await;

    let unknown = tests::ProjectClient::new(server.http_url(), "pk-tx-unknown", "sk-tx-unknown");
    let status = unknown.send_traces(&export([&during])).await.status();
    assert_eq!(status, StatusCode::SERVICE_UNAVAILABLE);
    server.thaw("postgres");
}

/// Text that no compression makes small.
fn noise(seed: usize) -> String {
    use rand::{Rng, SeedableRng};
    let mut rng = rand::rngs::StdRng::seed_from_u64(seed as u64);
    (0..20_000)
        .map(|_| char::from(rng.random_range(b'!'..=b'~')))
        .collect()
}

/// Changes the tables behind the product's back.
async fn alter(server: &Server, sql: &str) {
    let text = std::fs::read(server.data_dir().join("run/server.json")).unwrap();
    let run: serde_json::Value = serde_json::from_slice(&text).unwrap();
    let url = reqwest::Url::parse(run["clickhouse_url"].as_str().unwrap()).unwrap();
    let database = match url.path().trim_matches('/') {
        "" => "default",
        named => named,
    };
    let mut address = url.join("/").unwrap();
    address.set_query(Some(&format!("database={database}")));
    let answer = reqwest::Client::new().post(address).body(sql.to_owned());
    let answer = answer.send().await.unwrap();
    let status = answer.status();
    assert!(status.is_success(), "{}", answer.text().await.unwrap());
}

/// What is ready, as the server says.
async fn readiness(server: &Server) -> serde_json::Value {
    let answer = reqwest::get(format!("{}/readyz", server.http_url())).await;
    answer.unwrap().json().await.unwrap()
}

/// C086: a table that refuses what arrives is told everywhere, and nothing is lost.
#[tokio::test(flavor = "multi_thread")]
async fn a_store_that_starts_refusing_is_noticed_and_made_up_for() {
    const PATIENCE: Duration = Duration::from_secs(60);
    let server = Server::start().await;
    let client = server.client();
    let before = SpanBuilder::root("before");
    client.accept_traces(&export([&before])).await;
    client.trace_with_spans(before.trace_id(), 1).await;
    alter(&server, "ALTER TABLE spans DROP COLUMN route").await;
    let during: Vec<SpanBuilder> = (0..10).map(|_| SpanBuilder::root("during")).collect();
    for span in &during {
        client.accept_traces(&export([span])).await;
    }
    eventually_within(PATIENCE, "it is told what fails", async || {
        let ready = readiness(&server).await;
        let inserts = &ready["parts"]["inserts"];
        let is_told = inserts["ok"] == false && !inserts["message"].as_str().unwrap().is_empty();
        if is_told && ready["parts"]["clickhouse"]["ok"] == true {
            Ok(())
        } else {
            Err(ready)
        }
    })
    .await;
    let counts = reqwest::get(format!("{}/metrics", server.http_url())).await;
    let counts = counts.unwrap().text().await.unwrap();
    for name in [
        "triaxis_insert_errors_total ",
        "triaxis_inserts_failing_seconds ",
        "triaxis_spool_oldest_age_seconds ",
        "triaxis_spool_entries ",
    ] {
        let value = counts.lines().find_map(|line| line.strip_prefix(name));
        let value: f64 = value.unwrap().trim().parse().unwrap();
        assert!(value > 0.0, "{name}: {value}");
    }
    let mut owner = Visitor::owner_of(&server).await;
    let page = format!("{}/settings/keys", owner.project().await);
    let banner = "What arrives is not shown yet";
    assert!(owner.read(&page).await.contains(banner));

    let repair = "ALTER TABLE spans ADD COLUMN route LowCardinality(String)";
    alter(&server, repair).await;
    for span in &during {
        client.trace_with_spans(span.trace_id(), 1).await;
    }
    eventually_within(PATIENCE, "all is well again", async || {
        let ready = readiness(&server).await;
        if ready["status"] == "ready" {
            Ok(())
        } else {
            Err(ready)
        }
    })
    .await;
    assert!(!owner.read(&page).await.contains(banner));
}
