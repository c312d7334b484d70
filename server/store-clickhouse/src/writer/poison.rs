//! Finds the blocks of a batch that can never be stored.
//!
//! A refused batch is halved until single blocks are refused. Before a block is set aside, a row of
//! our own is inserted into its table: where that is refused too, the fault is ClickHouse's or the
//! table's, and nothing is set aside.

use bytes::Bytes;
use domain::axes::{Kind, Labels, Measured, Part, Sample, Seen, Series, SeriesId};
use domain::change::{Change, Subject};
use domain::log::LogRecord;
use domain::score::{Score, ScoreSource, ScoreValue, Target};
use domain::{ProjectId, Span, SpanId, Timestamp, TraceId};
use spool::{Spool, Stored};
use uuid::Uuid;

use super::{Inserted, insert_blocks};
use crate::block::{self, Table};
use crate::client::ClickHouse;
use crate::error::StoreError;
use crate::{changes, logs, samples, scores, series, spans};

/// Inserts what can be inserted and sets aside what can never be.
pub(super) async fn insert_without_poison(
    clickhouse: &ClickHouse,
    spool: &Spool,
    batch: &spool::Batch,
) -> Result<Inserted, StoreError> {
    let mut inserted = Inserted::default();
    let mut parts: Vec<&[Stored]> = vec![&batch.entries];
    while let Some(part) = parts.pop() {
        let [first, .., last] = part else {
            for entry in part {
                inserted.add(one(clickhouse, spool, batch, entry).await?);
            }
            continue;
        };
        let blocks = part.iter().map(|entry| entry.data.clone()).collect();
        let token = format!("{}-{}-{}", batch.token, first.sequence.0, last.sequence.0);
        match insert_blocks(clickhouse, blocks, &token).await {
            Ok(done) => inserted.add(done),
            Err(error) if error.is_transient() => return Err(error),
            Err(_) => {
                let (head, tail) = part.split_at(part.len() / 2);
                parts.extend([tail, head]);
            }
        }
    }
    Ok(inserted)
}

async fn one(
    clickhouse: &ClickHouse,
    spool: &Spool,
    batch: &spool::Batch,
    entry: &Stored,
) -> Result<Inserted, StoreError> {
    let token = format!("{}-{}", batch.token, entry.sequence.0);
    let refusal = match insert_blocks(clickhouse, vec![entry.data.clone()], &token).await {
        Err(error) if !error.is_transient() => error,
        outcome => return outcome,
    };
    if !matches!(refusal, StoreError::BadBlock(_)) {
        insert_probe(clickhouse, block::header(&entry.data)?.table()).await?;
    }
    let reason = refusal.brief();
    tracing::error!(
        reason,
        rows = entry.rows,
        "a block can never be stored and is set aside"
    );
    clickhouse
        .status()
        .set_aside(u64::from(entry.rows), &refusal);
    spool.set_aside(batch, entry.sequence, &reason).await;
    Ok(Inserted::default())
}

/// One row, always the same, of a project that nobody has.
async fn insert_probe(clickhouse: &ClickHouse, table: Table) -> Result<(), StoreError> {
    let nobody = ProjectId(Uuid::nil());
    let probe = match table {
        Table::Spans => spans::encode(nobody, &[probe_span()?])?,
        Table::Logs => logs::encode(nobody, &[LogRecord::default()])?,
        Table::Changes => changes::encode(nobody, &[probe_change()])?,
        Table::Scores => scores::encode(nobody, &[probe_score()])?,
        Table::Series => series::encode(nobody, &[probe_series()])?,
        Table::Samples => samples::encode(nobody, &[probe_sample()])?,
    };
    // Without a token of its own a repeated probe would be skipped as a repetition.
    let token = format!("probe-{}", Uuid::now_v7());
    insert_blocks(clickhouse, vec![Bytes::from(probe)], &token)
        .await
        .map(|_| ())
}

fn probe_span() -> Result<Span, StoreError> {
    let bad = |error: domain::ids::InvalidId| StoreError::BadRow(error.to_string());
    let trace_id = TraceId::from_text("probe").map_err(bad)?;
    let span_id = SpanId::from_text("probe").map_err(bad)?;
    Ok(Span::bare(trace_id, span_id, Timestamp::EPOCH))
}

fn probe_change() -> Change {
    Change {
        subject: Subject::Trace,
        id: "probe".to_owned(),
        time: Timestamp::EPOCH,
        is_update: false,
        place: 0,
        event_id: "probe".to_owned(),
        kind: String::new(),
        body: serde_json::Map::new(),
    }
}

fn probe_score() -> Score {
    Score {
        id: "probe".to_owned(),
        target: Target::Session("probe".to_owned()),
        name: "probe".to_owned(),
        value: ScoreValue::Numeric(0.0),
        source: ScoreSource::Api,
        time: Timestamp::EPOCH,
        environment: String::new(),
        comment: None,
        metadata: String::new(),
        config_id: None,
        queue_id: None,
        author_id: None,
        execution_trace_id: None,
    }
}

fn probe_series() -> Seen {
    let kinds = (Kind::Gauge, Part::Whole);
    Seen {
        id: SeriesId(0),
        series: Series::new("probe".into(), Labels::default(), kinds, "".into()),
        hour: Timestamp::EPOCH,
    }
}

fn probe_sample() -> Measured {
    Measured {
        series: SeriesId(0),
        sample: Sample {
            time: Timestamp::EPOCH,
            value: 0.0,
        },
    }
}
