//! From the spool into the store.

use std::sync::Arc;
use std::time::Duration;

use domain::{ProjectId, Span, Timestamp};
use spool::{Entry, Spool};
use store_clickhouse::{ClickHouse, logs, spans, writer};
use tests::eventually_within;
use tokio_util::sync::CancellationToken;

use super::logs::{record, stored_logs};
use super::{fresh_database, project, span, stored};

struct Running {
    spool: Arc<Spool>,
    store: ClickHouse,
    database_url: String,
    stop: CancellationToken,
    task: tokio::task::JoinHandle<()>,
    told: tokio::sync::mpsc::UnboundedReceiver<(ProjectId, Timestamp)>,
    _dir: tempfile::TempDir,
}

async fn start() -> Running {
    let database_url = fresh_database().await;
    let store = ClickHouse::connect(&database_url).unwrap();
    store.migrate().await.unwrap();
    let dir = tempfile::tempdir().unwrap();
    let config = spool::Config {
        dir: dir.path().to_owned(),
        max_bytes: 64 << 20,
    };
    let spool = Arc::new(Spool::open(config).unwrap());
    let stop = CancellationToken::new();
    let (tell, told) = tokio::sync::mpsc::unbounded_channel();
    let on_inserted = Arc::new(move |project, newest| {
        let _open = tell.send((project, newest));
    });
    let follow = writer::Follow {
        on_inserted,
        settle: Arc::new(|_, _| Box::pin(async { Ok(()) })),
    };
    let run = writer::run(store.clone(), Arc::clone(&spool), follow, stop.clone());
    let task = tokio::spawn(run);
    Running {
        spool,
        store,
        database_url,
        stop,
        task,
        told,
        _dir: dir,
    }
}

impl Running {
    /// Changes the tables behind the product's back.
    async fn alter(&self, sql: &str) {
        let (server, database) = self.database_url.rsplit_once('/').unwrap();
        let request = reqwest::Client::new().post(format!("{server}/?database={database}"));
        let answer = request.body(sql.to_owned()).send().await.unwrap();
        assert!(
            answer.status().is_success(),
            "{}",
            answer.text().await.unwrap()
        );
    }

    async fn send(&self, project: ProjectId, spans: &[Span]) {
        let data = spans::encode(project, spans).unwrap().into();
        self.append(data, spans.len() as u32).await;
    }

    async fn append(&self, data: bytes::Bytes, rows: u32) {
        let entry = Entry {
            rows,
            weight: 100,
            received: Timestamp::EPOCH,
            data,
        };
        self.spool.append(entry).await.unwrap();
    }

    async fn readable(&self, project: ProjectId, trace: &str) {
        eventually_within(
            Duration::from_secs(30),
            "the trace is readable",
            async || match stored(&self.store, project, trace).await.len() {
                0 => Err("nothing yet"),
                _ => Ok(()),
            },
        )
        .await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_appended_is_readable_and_told() {
    let mut running = start().await;
    running
        .send(project(1), &[span("t", "a", 0), span("t", "b", 5)])
        .await;
    running.readable(project(1), "t").await;
    let newest = span("t", "b", 5).start;
    assert_eq!(running.told.recv().await, Some((project(1), newest)));
    running.send(project(1), &[span("u", "a", 0)]).await;
    running.stop.cancel();
    running.task.await.unwrap();
    assert_eq!(
        stored(&running.store, project(1), "u").await.len(),
        1,
        "drained when stopped"
    );
    assert_eq!(running.spool.stats(Timestamp::EPOCH).entries, 0);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_block_that_can_never_be_stored_is_set_aside_and_the_others_go_on() {
    let running = start().await;
    running
        .append(bytes::Bytes::from_static(b"TXSP no block at all"), 3)
        .await;
    for number in 0..5 {
        running
            .send(project(1), &[span(&format!("t{number}"), "s", number)])
            .await;
    }
    for number in 0..5 {
        running.readable(project(1), &format!("t{number}")).await;
    }
    assert!(
        running
            .spool
            .wait_until_drained(Duration::from_secs(30))
            .await
    );
    assert_eq!(running.spool.stats(Timestamp::EPOCH).set_aside, 1);
    assert_eq!(running.store.status().stats().set_aside_rows, 3);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_table_that_refuses_everything_is_waited_for_and_nothing_is_set_aside() {
    let running = start().await;
    running.alter("ALTER TABLE spans DROP COLUMN route").await;
    running.send(project(1), &[span("t", "s", 0)]).await;
    running.send(project(1), &[span("u", "s", 0)]).await;
    eventually_within(Duration::from_secs(30), "the failure shows", async || {
        let stats = running.store.status().stats();
        match stats.failing_for {
            Some(_) if stats.retries > 1 => Ok(()),
            _ => Err(format!("{stats:?}")),
        }
    })
    .await;
    assert_eq!(running.spool.stats(Timestamp::EPOCH).set_aside, 0);
    let repair = "ALTER TABLE spans ADD COLUMN route LowCardinality(String)";
    running.alter(repair).await;
    running.readable(project(1), "t").await;
    running.readable(project(1), "u").await;
    let stats = running.store.status().stats();
    assert_eq!((stats.set_aside_rows, stats.failing_for), (0, None));
}

#[tokio::test(flavor = "multi_thread")]
async fn spans_and_log_records_go_to_their_tables_in_one_queue() {
    let running = start().await;
    let cut = logs::encode(project(1), &[record("t", "s", 7)]).unwrap();
    running
        .append(cut[..cut.len() - 2].to_vec().into(), 1)
        .await;
    for number in 0..4 {
        running
            .send(project(1), &[span("t", &format!("s{number}"), number)])
            .await;
        let block = logs::encode(project(1), &[record("t", "s", number)]).unwrap();
        running.append(block.into(), 1).await;
    }
    eventually_within(Duration::from_secs(30), "all is readable", async || {
        let spans = stored(&running.store, project(1), "t").await.len();
        let logs = stored_logs(&running.store, project(1), "t").await.len();
        match (spans, logs) {
            (4, 4) => Ok(()),
            both => Err(both),
        }
    })
    .await;
    assert!(
        running
            .spool
            .wait_until_drained(Duration::from_secs(30))
            .await
    );
    assert_eq!(running.spool.stats(Timestamp::EPOCH).set_aside, 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_table_of_records_that_refuses_everything_is_waited_for() {
    let running = start().await;
    running
        .alter("ALTER TABLE logs DROP COLUMN scope_name")
        .await;
    let block = logs::encode(project(1), &[record("t", "s", 7)]).unwrap();
    running.append(block.into(), 1).await;
    running.send(project(1), &[span("t", "s", 0)]).await;
    eventually_within(Duration::from_secs(30), "the failure shows", async || {
        let stats = running.store.status().stats();
        match stats.failing_for {
            Some(_) if stats.retries > 1 => Ok(()),
            _ => Err(format!("{stats:?}")),
        }
    })
    .await;
    assert_eq!(running.spool.stats(Timestamp::EPOCH).set_aside, 0);
    let repair = "ALTER TABLE logs ADD COLUMN scope_name LowCardinality(String)";
    running.alter(repair).await;
    running.readable(project(1), "t").await;
    eventually_within(
        Duration::from_secs(30),
        "the record is there",
        async || match stored_logs(&running.store, project(1), "t").await.len() {
            1 => Ok(()),
            other => Err(other),
        },
    )
    .await;
}
