//! Large results and inserts, many queries at once, clients that go away.

use std::time::{Duration, Instant};

use bytes::Bytes;
use clickhouse::Client;
use tests::{eventually, eventually_within};

use super::{Engine, resident_mb};

#[tokio::test(flavor = "multi_thread")]
async fn a_gigabyte_is_streamed_in_constant_memory() {
    let engine = Engine::start().await;
    let [plain, compressed] = engine.clients();
    let (engine_before, own_before) = (engine.resident_mb(), resident_mb(std::process::id()));
    for (client, rows) in [(plain, 1_000_000), (compressed, 100_000)] {
        let sql = format!("SELECT repeat('x', 1000) FROM numbers({rows})");
        let mut cursor = client.query(&sql).fetch_bytes("TSV").unwrap();
        let (mut bytes, mut engine_peak, mut own_peak) = (0, 0, 0);
        while let Some(chunk) = cursor.next().await.unwrap() {
            let begun = bytes / (64 << 20);
            bytes += chunk.len();
            if bytes / (64 << 20) > begun {
                engine_peak = engine_peak.max(engine.resident_mb());
                own_peak = own_peak.max(resident_mb(std::process::id()));
            }
        }
        assert_eq!(bytes, rows * 1001);
        assert!(
            engine_peak < engine_before + 400,
            "engine: {engine_before} to {engine_peak} MB"
        );
        assert!(
            own_peak < own_before + 200,
            "client: {own_before} to {own_peak} MB"
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_slow_reader_holds_the_query_back() {
    let engine = Engine::start().await;
    let before = engine.resident_mb();
    let sql = "SELECT repeat('x', 1000) FROM numbers(10000000)";
    let mut cursor = engine.client().query(sql).fetch_bytes("TSV").unwrap();
    cursor.next().await.unwrap().unwrap();
    tokio::time::sleep(Duration::from_secs(2)).await;
    let after = engine.resident_mb();
    assert!(
        after < before + 400,
        "the engine went on for nobody: {before} to {after} MB"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_large_insert_is_whole_or_nothing_and_repeats_do_nothing() {
    let engine = Engine::start().await;
    engine
        .run(
            "CREATE TABLE t (a UInt64, b String) ENGINE = MergeTree ORDER BY a
             SETTINGS non_replicated_deduplication_window = 100",
        )
        .await;
    let piece: Bytes = {
        let mut text = String::new();
        for row in 0..2_000 {
            text.push_str(&format!("{row}\t{}\n", "y".repeat(500)));
        }
        text.into()
    };
    let pieces = 100;
    for client in engine.clients() {
        let mut insert = client
            .insert_formatted_with("INSERT INTO t FORMAT TSV")
            .with_setting("insert_deduplication_token", "the same");
        for _ in 0..pieces {
            insert.send(piece.clone()).await.unwrap();
        }
        insert.end().await.unwrap();
        assert_eq!(count(&engine.client()).await, 2_000 * pieces);
    }
    let mut broken = engine
        .client()
        .insert_formatted_with("INSERT INTO t FORMAT TSV");
    broken.send(piece.clone()).await.unwrap();
    let sent = broken.send(Bytes::from_static(b"not a number\tz\n")).await;
    let error = match sent {
        Ok(()) => broken.end().await.unwrap_err(),
        Err(error) => error,
    };
    assert!(error.to_string().contains("Code: 27"), "{error}");
    assert_eq!(count(&engine.client()).await, 2_000 * pieces);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_insert_whose_client_goes_away_leaves_nothing() {
    let engine = Engine::start().await;
    engine
        .run("CREATE TABLE t (a UInt64) ENGINE = MergeTree ORDER BY a")
        .await;
    let rows: Bytes = "7\n".repeat(100_000).into();
    let mut insert = engine
        .client()
        .insert_formatted_with("INSERT INTO t FORMAT TSV");
    insert.send(rows).await.unwrap();
    drop(insert);
    eventually("the insert is gone", async || nothing_runs(&engine).await).await;
    assert_eq!(count(&engine.client()).await, 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn queries_run_side_by_side() {
    let engine = Engine::start().await;
    let begun = Instant::now();
    let queries: Vec<_> = (0..60_u64)
        .map(|number| {
            let client = engine.client();
            tokio::spawn(async move {
                let sql = "SELECT {number:UInt64} + sleep(0.3)";
                let query = client.query_raw(sql).param("number", number);
                assert_eq!(query.fetch_one::<u64>().await.unwrap(), number);
            })
        })
        .collect();
    for query in queries {
        query.await.unwrap();
    }
    // One after the other they would take 18 s; two waves are allowed, and a slow machine.
    assert!(
        begun.elapsed() < Duration::from_secs(12),
        "{:?}",
        begun.elapsed()
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn a_client_that_goes_away_cancels_its_query() {
    let engine = Engine::start().await;
    for round in 0..8_u64 {
        // Before anything of the result was sent.
        let endless = engine.client().query("SELECT count() FROM system.numbers");
        let endless = endless.fetch_one::<u64>();
        let patience = Duration::from_millis(50 * (round + 1));
        assert!(tokio::time::timeout(patience, endless).await.is_err());
        // In the middle of it, several at once, while other sessions come and go.
        let mut cursors = Vec::new();
        for rows in [1, 1_000, 100_000 * round] {
            let endless = engine.client().query("SELECT number FROM system.numbers");
            let mut cursor = endless.fetch::<u64>().unwrap();
            for _ in 0..=rows {
                cursor.next().await.unwrap();
            }
            cursors.push(cursor);
        }
        drop(cursors);
        let limit = Duration::from_secs(60);
        eventually_within(limit, "nothing runs", async || nothing_runs(&engine).await).await;
    }
    let one: u8 = engine.client().query("SELECT 1").fetch_one().await.unwrap();
    assert_eq!(one, 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_query_that_wants_too_much_memory_is_refused_and_the_engine_lives() {
    let engine = Engine::start().await;
    let sql = "SELECT groupArray(repeat('x', 1000)) FROM numbers(100000000)";
    let query = engine
        .client()
        .query(sql)
        .with_setting("max_memory_usage", "200000000");
    let error = query.fetch_one::<Vec<String>>().await.unwrap_err();
    assert!(error.to_string().contains("Code: 241"), "{error}");
    let one: u8 = engine.client().query("SELECT 1").fetch_one().await.unwrap();
    assert_eq!(one, 1);
}

async fn count(client: &Client) -> u64 {
    client
        .query("SELECT count() FROM t")
        .fetch_one()
        .await
        .unwrap()
}

async fn nothing_runs(engine: &Engine) -> Result<(), String> {
    let sql = "SELECT query FROM system.processes WHERE query NOT LIKE '%system.processes%'";
    let running: Vec<String> = engine.client().query(sql).fetch_all().await.unwrap();
    if running.is_empty() {
        Ok(())
    } else {
        Err(running.join("; "))
    }
}
