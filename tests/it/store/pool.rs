//! Connections to Postgres: none is handed out within a transaction that nobody ends.

use std::pin::pin;
use std::task::Poll;

use serde_json::Value;
use sqlx::PgPool;
use store_postgres::Postgres;
use tests::{eventually, shared};
use uuid::Uuid;

/// Turns that a `BEGIN` has for itself: a connection is taken and tried, asked, and answers.
const MOST_TURNS: usize = 8;
/// Broken off so often, each of the turns is among them.
const ENOUGH: u32 = 24;
/// How often it is tried at most.
const MOST_TRIES: usize = 2_000;

/// A new database of the shared server's Postgres: its address, its name, and connections to look at it from outside.
async fn fresh() -> (String, String, PgPool) {
    let run = std::fs::read(shared().await.data_dir().join("run/server.json")).unwrap();
    let run: Value = serde_json::from_slice(&run).unwrap();
    let url = run["database_url"].as_str().unwrap();
    let outside = PgPool::connect(url).await.unwrap();
    let name = format!("pool_{}", Uuid::now_v7().simple());
    let create = format!("CREATE DATABASE {name}");
    sqlx::query(&create).execute(&outside).await.unwrap();
    let mut own = reqwest::Url::parse(url).unwrap();
    own.set_path(&name);
    (own.into(), name, outside)
}

/// Asks for something and gives up after so many turns; whether it was there before.
async fn give_up<T>(asked: impl Future<Output = T>, turns: usize) -> bool {
    let mut asked = pin!(asked);
    let mut left = turns;
    std::future::poll_fn(|context| {
        if asked.as_mut().poll(context).is_ready() {
            return Poll::Ready(true);
        }
        left -= 1;
        match left {
            0 => Poll::Ready(false),
            _ => Poll::Pending,
        }
    })
    .await
}

#[tokio::test(flavor = "multi_thread")]
async fn a_begin_that_is_broken_off_leaves_no_transaction_behind() {
    let (url, name, outside) = fresh().await;
    let postgres = Postgres::connect(&url).await.unwrap();
    for reads in [false, true] {
        let mut broken_off = 0;
        for turns in (1..=MOST_TURNS).cycle().take(MOST_TRIES) {
            // On a busy machine the answer may be there at once: then nothing was broken off.
            let is_there = match reads {
                false => give_up(postgres.begin(), turns).await,
                true => give_up(postgres.begin_reading(), turns).await,
            };
            broken_off += u32::from(!is_there);
            if broken_off >= ENOUGH {
                break;
            }
        }
        assert!(broken_off >= ENOUGH, "{broken_off}");
        // What was begun all the same is undone as it is given back.
        eventually("no connection is within a transaction", async || {
            let open = "SELECT count(*) FROM pg_stat_activity
                        WHERE datname = $1 AND state LIKE 'idle in transaction%'";
            let open = sqlx::query_scalar::<_, i64>(open).bind(&name);
            match open.fetch_one(&outside).await.unwrap() {
                0 => Ok(()),
                open => Err(open),
            }
        })
        .await;
    }
    // Whatever is handed out now may change things.
    postgres.migrate().await.unwrap();
    postgres.forget_expired_sessions().await.unwrap();
    postgres.close().await;
}
