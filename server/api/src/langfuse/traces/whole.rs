//! A trace as text, with all its observations, which wait in the scratch and are never in memory at
//! once.

use std::collections::HashMap;
use std::io;

use axum::body::Bytes;
use domain::portrait::Portrait;
use domain::score::DataType;
use domain::span::SpanKind;
use domain::{Fault, ProjectId, SpanId};
use futures_util::{Stream, stream};
use serde::Serialize;
use service::Turn;
use service::whole::WholeTrace;

use super::shape::{FactsShape, TraceShape};
use crate::langfuse::groups::Groups;
use crate::langfuse::observations::{ObservationShape, Pricing};
use crate::langfuse::scores::ScoreShape;
use crate::scratch::{Kept, Place, Scratch};
use crate::shape::not_kept;

/// Bytes of a piece.
const PIECE_BYTES: u64 = 64 * 1024;

/// Everything but the observations.
#[derive(Serialize)]
struct Head<'a> {
    #[serde(flatten)]
    trace: TraceShape<'a>,
    #[serde(flatten)]
    facts: FactsShape,
    scores: Vec<ScoreShape<'a>>,
}

/// A whole trace as JSON.
pub(super) struct WholeText {
    /// The head with the list of observations opened; taken when it is sent.
    head: Option<Vec<u8>>,
    places: std::vec::IntoIter<Place>,
    kept: Kept,
    is_first: bool,
    done: bool,
    /// Held as long as anything of the trace is in memory.
    _turn: Option<Turn>,
}

impl WholeText {
    /// Without observations.
    ///
    /// # Errors
    /// `internal` when it cannot be written.
    pub(super) fn new(
        project: ProjectId,
        portrait: &Portrait,
        groups: &Groups,
    ) -> Result<Self, Fault> {
        // This version of the API knows no corrections.
        let scores = portrait.scores.iter().filter(|score| {
            score.trace_id().is_some() && score.value.data_type() != DataType::Correction
        });
        let scores = scores.map(|score| ScoreShape::new(score, project));
        let head = Head {
            trace: TraceShape::new(project, portrait, groups),
            facts: FactsShape::new(project, portrait, groups),
            scores: scores.filter(|_| groups.usually("scores")).collect(),
        };
        let mut head = serde_json::to_vec(&head).map_err(Fault::internal)?;
        // The object goes on.
        head.pop();
        head.extend_from_slice(b",\"observations\":[");
        Ok(WholeText {
            head: Some(head),
            places: Vec::new().into_iter(),
            kept: Kept::Memory(Vec::new()),
            is_first: true,
            done: false,
            _turn: None,
        })
    }

    /// Reads the observations of a trace, with their prices, in the order in which its tree is drawn.
    ///
    /// # Errors
    /// Those of the read; `too_large` beyond eight gibibytes; `unavailable` when spans were deleted
    /// meanwhile.
    pub(super) async fn read(
        &mut self,
        project: ProjectId,
        (trace, mut pricing): (WholeTrace, Pricing),
        mut scratch: Scratch,
    ) -> Result<(), Fault> {
        let mut spans = trace.spans;
        let mut written: HashMap<SpanId, Option<Place>> = HashMap::new();
        while let Some(span) = spans.next().await? {
            let mut place = None;
            if span.kind != SpanKind::Trace {
                let shape = ObservationShape::new(project, &span, pricing.of(&span));
                let text = serde_json::to_vec(&shape).map_err(Fault::internal)?;
                place = Some(scratch.write(&text).await.map_err(not_kept)?);
            }
            written.insert(span.span_id, place);
        }
        let mut places = Vec::with_capacity(trace.outline.len());
        for node in &trace.outline {
            let place = written.remove(&node.span_id).ok_or_else(|| {
                Fault::unavailable("the trace was changed while it was read; try again")
            })?;
            places.extend(place);
        }
        self.kept = scratch.finish().await.map_err(not_kept)?;
        self.places = places.into_iter();
        self._turn = Some(spans.into_turn());
        Ok(())
    }

    /// Its pieces.
    pub(super) fn pieces(self) -> impl Stream<Item = io::Result<Bytes>> + Send {
        stream::try_unfold(self, async |mut text| {
            if text.done {
                return Ok(None);
            }
            let piece = text.piece().await?;
            Ok(Some((Bytes::from(piece), text)))
        })
    }

    async fn piece(&mut self) -> io::Result<Vec<u8>> {
        let mut piece = self.head.take().unwrap_or_default();
        let (mut places, mut bytes) = (Vec::new(), 0);
        while bytes < PIECE_BYTES {
            let Some(place) = self.places.next() else {
                self.done = true;
                break;
            };
            bytes += place.bytes();
            places.push(place);
        }
        for text in self.kept.read(places).await? {
            if !std::mem::take(&mut self.is_first) {
                piece.push(b',');
            }
            piece.extend_from_slice(&text);
        }
        if self.done {
            piece.extend_from_slice(b"]}");
        }
        Ok(piece)
    }
}
