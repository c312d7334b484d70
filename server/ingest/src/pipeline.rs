//! The way of a request, stage by stage. Everything else in this crate is a stage of it.

use domain::{Fault, Span, Timestamp};
use service::{App, prices};

use crate::decode::{Decoded, Encoding, Rejected};
use crate::receive::body::Received;
use crate::{decode, enrich, mask, normalise, write};

/// Above this many bytes a body is worked on aside, so that small requests need not wait for it.
const BIG_BODY_BYTES: usize = 256 * 1024;

/// What became of a trace request.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Taken {
    /// Spans that are durable now.
    pub spans: u64,
    /// Spans that cannot be used.
    pub rejected: Rejected,
}

/// A received trace request → decode → normalise → mask → enrich → write. When this returns `Ok`,
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
    let prices = prices::of_project(app, &scope).await;
    let is_big = body.len() > BIG_BODY_BYTES;
    let stages = move || {
        let (mut spans, rejected) = spans_of(encoding, &body, arrival)?;
        if let Some(prices) = prices {
            enrich::cost::cost(&mut spans, &prices);
        }
        Ok::<_, Fault>((spans, rejected))
    };
    let (spans, rejected) = if is_big {
        let aside = tokio::task::spawn_blocking(stages);
        aside.await.map_err(Fault::internal)??
    } else {
        stages()?
    };
    let taken = Taken {
        spans: spans.len() as u64,
        rejected,
    };
    write::write(app, &scope, spans).await?;
    drop(held);
    Ok(taken)
}

/// The stages that need nothing but the body: body → clean spans.
///
/// # Errors
/// `invalid` for a body that cannot be read, or of which no span can be used; `too_large` for too
/// many spans in one request.
pub fn spans_of(
    encoding: Encoding,
    body: &[u8],
    arrival: Timestamp,
) -> Result<(Vec<Span>, Rejected), Fault> {
    let Decoded {
        spans: raw_spans,
        rejected,
    } = decode::traces(encoding, body)?;
    let spans = raw_spans
        .into_iter()
        .map(|raw| normalise::normalise(raw, arrival))
        .map(mask::mask)
        .map(enrich::enrich)
        .collect();
    Ok((spans, rejected))
}

/// For the benchmark: decodes a protobuf trace request and counts its spans.
pub fn decode_only(body: &[u8]) -> usize {
    decode::traces(Encoding::Protobuf, body).map_or(0, |decoded| decoded.spans.len())
}

/// For the benchmark: a protobuf trace request as clean spans.
pub fn decode_and_normalise(body: &[u8]) -> Vec<Span> {
    spans_of(Encoding::Protobuf, body, Timestamp::MAX).map_or_else(|_| Vec::new(), |found| found.0)
}
