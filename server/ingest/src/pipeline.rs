//! The way of a request, stage by stage. Everything else in this crate is a stage of it.

use domain::axes::Track;
use domain::log::LogRecord;
use domain::quality::Expected;
use domain::score::Sent;
use domain::{Fault, Span, Timestamp};
use serde_json::Value as Json;
use service::deletions::tombstones;
use service::scrape_targets::{Exposition, Scraped};
use service::{App, masking, prices, prompts, quality_rules, retention, scores};
use uuid::Uuid;

use crate::aside::aside;
use crate::decode::remote_write::Version;
use crate::decode::{Decoded, Encoding, Rejected};
use crate::langfuse::batch::{self, Answer, Sender};
use crate::langfuse::scores::Scores;
use crate::langfuse::single::{self, Single};
use crate::normalise::{Tracks, Written};
use crate::receive::body::{Received, ReceivedScores};
use crate::{decode, enrich, langfuse, mask, normalise, write};

/// Above this many bytes a body is worked on aside.
const BIG_BODY_BYTES: usize = 256 * 1024;

/// What became of a request.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Taken {
    /// Records that are durable now.
    pub records: u64,
    /// Records that cannot be used.
    pub rejected: Rejected,
    /// Ids of records that could not be used, while the records could.
    pub bad_ids: u64,
}

/// A received trace request → decode → normalise → mask → enrich → seal → write. What is dropped is known by ids as
/// they came, so that it goes before masking; what is derived from texts is derived afterwards, so that no digest and
/// no judgement tells of what was masked. When this returns `Ok`,
/// every span that is not counted as rejected is durable.
///
/// # Errors
/// `invalid` for a body that cannot be read, or of which no span can be used; `too_large` for too
/// many spans in one request; what [`write::write`] says.
pub async fn ingest_traces(app: &App, received: Received) -> Result<Taken, Fault> {
    let Received {
        scope,
        encoding,
        body,
        held,
    } = received;
    let arrival = app.clock().now();
    let (prices, rules, gone, masking, retention) = tokio::join!(
        prices::of_project(app, &scope),
        quality_rules::of_project(app, &scope),
        tombstones::of_project(app, scope.project_id()),
        masking::of_project(app, scope.project_id()),
        retention::of_project(app, scope.project_id()),
    );
    let masking = masking?;
    let big = body.len() > BIG_BODY_BYTES;
    let for_stages = app.clone();
    // One thread makes all spans and drops them, which costs the allocator much less.
    let stages = async move {
        let (mut spans, rejected) = clean_spans(encoding, &body, arrival)?;
        if let Some(gone) = gone {
            let dropped = gone.spans(&mut spans);
            tombstones::note(&for_stages, scope.project_id(), dropped).await;
        }
        mask::spans(&for_stages, (scope.project_id(), &masking), &mut spans);
        let named = enrich::prompts_of(&spans);
        let prompts = prompts::formats_of(&for_stages, &scope, named).await;
        let mut spans = judged(spans, &Expected { rules, prompts });
        if let Some(prices) = prices {
            enrich::cost::cost(&mut spans, &prices);
        }
        if let Some(retention) = retention {
            retention.stamp(&mut spans);
        }
        let taken = Taken {
            records: spans.len() as u64,
            rejected,
            bad_ids: 0,
        };
        Ok((write::seal(&for_stages, &scope, &spans)?, taken))
    };
    let (sealed, taken) = aside(big, stages).await?;
    write::write(app, sealed).await?;
    drop(held);
    Ok(taken)
}

/// A received log request → decode → normalise → mask → seal → write, as for traces.
///
/// # Errors
/// As [`ingest_traces`].
pub async fn ingest_logs(app: &App, received: Received) -> Result<Taken, Fault> {
    let Received {
        scope,
        encoding,
        body,
        held,
    } = received;
    let (gone, masking, retention) = tokio::join!(
        tombstones::of_project(app, scope.project_id()),
        masking::of_project(app, scope.project_id()),
        retention::of_project(app, scope.project_id()),
    );
    let masking = masking?;
    let big = body.len() > BIG_BODY_BYTES;
    let for_stages = app.clone();
    let stages = async move {
        let (mut records, taken) = logs_of(encoding, &body)?;
        if let Some(gone) = gone {
            let dropped = gone.logs(&mut records);
            tombstones::note(&for_stages, scope.project_id(), dropped).await;
        }
        mask::logs(&for_stages, (scope.project_id(), &masking), &mut records);
        if let Some(retention) = retention {
            retention.stamp_logs(&mut records);
        }
        Ok((write::seal_logs(&for_stages, &scope, &records)?, taken))
    };
    let (sealed, taken) = aside(big, stages).await?;
    write::write(app, sealed).await?;
    drop(held);
    Ok(taken)
}

/// A received OTLP metric request → decode → normalise → write.
///
/// # Errors
/// As [`ingest_traces`].
pub async fn ingest_metrics(app: &App, received: Received) -> Result<Taken, Fault> {
    let Received {
        scope,
        encoding,
        body,
        held,
    } = received;
    let arrival = app.clock().now();
    let big = body.len() > BIG_BODY_BYTES;
    let stages = async move { tracks_of(encoding, &body, arrival) };
    let (tracks, taken) = aside(big, stages).await?;
    write::write_tracks(app, &scope, tracks).await?;
    drop(held);
    Ok(taken)
}

/// What became of a request of Prometheus.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RemotelyWritten {
    /// Values that are durable now.
    pub written: Written,
    /// Values that cannot be used.
    pub rejected: Rejected,
}

/// A received request of Prometheus' remote write, likewise.
///
/// # Errors
/// `invalid` for a body that cannot be read; `too_large` for too much in one request; what
/// [`write::write`] says.
pub async fn ingest_remote_write(
    app: &App,
    version: Version,
    received: Received,
) -> Result<RemotelyWritten, Fault> {
    let Received {
        scope, body, held, ..
    } = received;
    let arrival = app.clock().now();
    let big = body.len() > BIG_BODY_BYTES;
    let stages = async move { remote_tracks_of(version, &body, arrival) };
    let (tracks, outcome) = aside(big, stages).await?;
    write::write_tracks(app, &scope, tracks).await?;
    drop(held);
    Ok(outcome)
}

/// Body → series with their samples.
///
/// # Errors
/// As [`ingest_metrics`].
pub fn tracks_of(
    encoding: Encoding,
    body: &[u8],
    arrival: Timestamp,
) -> Result<(Vec<Track>, Taken), Fault> {
    let decoded = decode::metrics(encoding, body)?;
    let mut tracks = Tracks::new(arrival);
    tracks.rejected = decoded.rejected;
    for metric in decoded.records {
        normalise::add_metric(&mut tracks, metric)?;
    }
    let taken = Taken {
        records: tracks.samples(),
        rejected: tracks.rejected,
        bad_ids: 0,
    };
    Ok((tracks.tracks, taken))
}

/// The same of Prometheus' remote write, decompressed.
///
/// # Errors
/// As [`ingest_remote_write`].
pub fn remote_tracks_of(
    version: Version,
    body: &[u8],
    arrival: Timestamp,
) -> Result<(Vec<Track>, RemotelyWritten), Fault> {
    let mut tracks = Tracks::new(arrival);
    let mut written = Written::default();
    for series in decode::remote_write(version, body)? {
        let more = normalise::add_series(&mut tracks, &series)?;
        written.samples += more.samples;
        written.histograms += more.histograms;
    }
    let outcome = RemotelyWritten {
        written,
        rejected: tracks.rejected,
    };
    Ok((tracks.tracks, outcome))
}

/// What a scraped target answered → decode → normalise: series with their samples. What is said of the scrape itself, and
/// the way to the store, is the scraper's.
///
/// # Errors
/// `invalid` for what is no exposition, `too_large` for one with too many samples.
pub fn scraped_tracks_of(scraped: &Scraped) -> Result<Exposition, Fault> {
    let read = decode::exposition(&scraped.content_type, &scraped.body)?;
    let mut tracks = Tracks::new(scraped.at);
    tracks.rejected = read.rejected;
    normalise::add_scraped(&mut tracks, &read.samples, (&scraped.labels, scraped.at))?;
    let Rejected { count, reason } = tracks.rejected;
    let refused = reason.map(|reason| format!("{count} samples cannot be used: {reason}"));
    Ok(Exposition {
        tracks: tracks.tracks,
        refused,
    })
}

/// A received batch of an older Langfuse client → decode → write. What it says of an observation is put
/// together with what is known of it when it is stored, and takes the rest of the way then
/// ([`crate::langfuse::settle`]); its scores are held against the configurations that they follow.
///
/// # Errors
/// `invalid` for a body that is no batch; `unavailable` when configurations cannot be read; what
/// [`write::write_changes`] says.
pub async fn ingest_batch(app: &App, received: ReceivedScores) -> Result<Answer, Fault> {
    let ReceivedScores { writer, body, held } = received;
    let big = body.len() > BIG_BODY_BYTES;
    let sender = match (writer.may_ingest(), writer.may_score()) {
        (true, true) => Sender::Key,
        (true, false) => Sender::KeyWithoutScores,
        (false, _) => Sender::ScoresOnly,
    };
    let mut batch = aside(big, async move { batch::read(&body, sender) }).await?;
    let (ids, sent): (Vec<String>, Vec<Sent>) = batch.scores.drain(..).unzip();
    let scores = scores::configured(app, &writer, sent).await?;
    let scores = batch.take_scores(ids, scores);
    if let Some(scope) = writer.scope() {
        write::write_changes(app, scope, batch.changes).await?;
    }
    write::write_scores(app, &writer, scores).await?;
    drop(held);
    Ok(batch.answer)
}

/// A received body of a route that is older than batches, likewise; the id of what it is about.
///
/// # Errors
/// `invalid` for a body that cannot be read; what [`write::write_changes`] says.
pub async fn ingest_single(app: &App, single: Single, received: Received) -> Result<String, Fault> {
    let Received {
        scope, body, held, ..
    } = received;
    let (now, fresh_id) = (app.clock().now(), Uuid::now_v7().to_string());
    let change = single::read(single, &body, (now, &fresh_id))?;
    let id = change.id.clone();
    write::write_changes(app, &scope, vec![change]).await?;
    drop(held);
    Ok(id)
}

/// What became of scores that came by themselves.
#[derive(Debug)]
pub enum Scored {
    /// The one of that id is durable.
    One(String),
    /// The one cannot be used: what is wrong with it.
    Refused(Vec<Json>),
    /// Of several.
    Many(Answer),
}

/// Scores that came by themselves → decode → configurations → write.
///
/// # Errors
/// `invalid` for a body that is no JSON; `unavailable` when configurations cannot be read; what
/// [`write::write_scores`] says.
pub async fn ingest_scores(app: &App, received: ReceivedScores) -> Result<Scored, Fault> {
    let ReceivedScores { writer, body, held } = received;
    let big = body.len() > BIG_BODY_BYTES;
    let now = app.clock().now();
    let (kept, scored) = match aside(big, async move { langfuse::scores::read(&body, now) }).await?
    {
        Scores::One(Err(issues)) => return Ok(Scored::Refused(issues)),
        Scores::One(Ok(sent)) => {
            let mut scores = scores::configured(app, &writer, vec![*sent]).await?;
            match scores.pop() {
                Some(Ok(score)) => {
                    let id = score.id.clone();
                    (vec![score], Scored::One(id))
                }
                Some(Err((field, message))) => {
                    let issue = langfuse::scores::issue(field, message);
                    return Ok(Scored::Refused(vec![issue]));
                }
                None => return Err(Fault::internal("a score was lost on its way")),
            }
        }
        Scores::Many(sent, mut answer) => {
            let ids = sent.iter().map(|sent| sent.score.id.clone()).collect();
            let scores = scores::configured(app, &writer, sent).await?;
            let kept = answer.take_scores(ids, scores);
            (kept, Scored::Many(answer))
        }
    };
    write::write_scores(app, &writer, kept).await?;
    drop(held);
    Ok(scored)
}

/// The stages without prices: body → clean spans, held against what their project expects.
///
/// # Errors
/// `invalid` for a body that cannot be read, or of which no span can be used; `too_large` for too
/// many spans in one request.
pub fn spans_of(
    encoding: Encoding,
    body: &[u8],
    (arrival, expected): (Timestamp, &Expected),
) -> Result<(Vec<Span>, Rejected), Fault> {
    let (spans, rejected) = clean_spans(encoding, body, arrival)?;
    Ok((judged(spans, expected), rejected))
}

/// Body → clean spans.
fn clean_spans(
    encoding: Encoding,
    body: &[u8],
    arrival: Timestamp,
) -> Result<(Vec<Span>, Rejected), Fault> {
    let Decoded {
        records: raw_spans,
        rejected,
    } = decode::traces(encoding, body)?;
    let spans = raw_spans
        .into_iter()
        .map(|raw| normalise::normalise(raw, arrival))
        .collect();
    Ok((spans, rejected))
}

fn judged(spans: Vec<Span>, expected: &Expected) -> Vec<Span> {
    let spans = spans.into_iter();
    spans.map(|span| enrich::enrich(span, expected)).collect()
}

/// The same for log records, with what there is to say about them.
///
/// # Errors
/// As [`ingest_logs`].
pub fn logs_of(encoding: Encoding, body: &[u8]) -> Result<(Vec<LogRecord>, Taken), Fault> {
    let decoded = decode::logs(encoding, body)?;
    let taken = Taken {
        records: decoded.records.len() as u64,
        rejected: decoded.rejected,
        bad_ids: decoded.records.iter().map(|raw| raw.bad_ids).sum(),
    };
    let records = decoded
        .records
        .into_iter()
        .map(normalise::normalise_log)
        .collect();
    Ok((records, taken))
}

/// For the benchmark: decodes a protobuf trace request and counts its spans.
pub fn decode_only(body: &[u8]) -> usize {
    decode::traces(Encoding::Protobuf, body).map_or(0, |decoded| decoded.records.len())
}

/// For the benchmark: a protobuf trace request as clean spans.
pub fn decode_and_normalise(body: &[u8]) -> Vec<Span> {
    let nothing = Expected::default();
    spans_of(Encoding::Protobuf, body, (Timestamp::MAX, &nothing))
        .map_or_else(|_| Vec::new(), |found| found.0)
}
