//! `GET /api/v1/spans`

use std::io;

use axum::body::Bytes;
use axum::extract::State;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use domain::billing::{Call, counted};
use domain::filter::Filter;
use domain::page::{Cursor, Limit, Page};
use domain::score::Judgements;
use domain::{Fault, Span};
use futures_util::{StreamExt, stream};
use service::{App, ProjectScope, Turn, spans};

use crate::error::Result;
use crate::extract::{Caller, Fields, Listing};
use crate::sending;
use crate::shape::SpanShape;

/// Spans that are in memory at once: each may hold a whole conversation.
const BATCH: u32 = 50;

/// Spans that match, newest first.
pub(crate) async fn list_spans(
    State(app): State<App>,
    Caller(scope): Caller,
    fields: Fields,
    listing: Listing,
) -> Result<Response> {
    let cursor = listing.cursor("spans")?;
    let Listing { filter, limit, .. } = listing;
    let mut writer = Writer {
        _turn: spans::turn(&app, &scope, limit).await?,
        app,
        scope,
        filter,
        fields,
        cursor,
        left: limit.rows(),
        begun: false,
        ended: false,
    };
    // What fails here is still told as a failure.
    let first = writer.piece().await?;
    let rest = stream::try_unfold(writer, async |mut writer| {
        if writer.ended {
            return Ok(None);
        }
        let piece = writer.piece().await.map_err(io::Error::other)?;
        Ok(Some((Bytes::from(piece), writer)))
    });
    let pieces = stream::iter([Ok(Bytes::from(first))]).chain(rest);
    Ok(([(CONTENT_TYPE, "application/json")], sending::body(pieces)).into_response())
}

/// Writes a page of the list batch by batch.
struct Writer {
    app: App,
    scope: ProjectScope,
    filter: Filter,
    fields: Fields,
    /// Where the next batch begins.
    cursor: Option<Cursor>,
    /// Rows that the page has room for.
    left: u32,
    begun: bool,
    ended: bool,
    _turn: Turn,
}

impl Writer {
    async fn piece(&mut self) -> std::result::Result<Vec<u8>, Fault> {
        let limit = Limit::new(self.left.min(BATCH))?;
        let (scope, cursor) = (&self.scope, self.cursor.as_ref());
        let found = spans::list(&self.app, scope, &self.filter, limit, cursor).await?;
        let mut piece = Vec::new();
        self.write(found, &mut piece).map_err(Fault::internal)?;
        Ok(piece)
    }

    fn write(
        &mut self,
        (page, judgements): (Page<Span>, Judgements),
        piece: &mut Vec<u8>,
    ) -> serde_json::Result<()> {
        if !self.begun {
            piece.extend_from_slice(b"{\"data\":[");
        }
        for span in &page.data {
            if std::mem::replace(&mut self.begun, true) {
                piece.push(b',');
            }
            // A list shows spans without those around them: each speaks for itself.
            let counts = counted(&[Call::from(span)]).first() != Some(&false);
            let shape = SpanShape::from_span(span, &judgements, (self.fields, counts));
            serde_json::to_writer(&mut *piece, &shape)?;
        }
        self.left = self
            .left
            .saturating_sub(u32::try_from(page.data.len()).unwrap_or(u32::MAX));
        self.cursor = page.next_cursor;
        self.ended = self.left == 0 || self.cursor.is_none();
        if self.ended {
            piece.extend_from_slice(b"],\"next_cursor\":");
            let cursor = self.cursor.as_ref().map(|cursor| cursor.written("spans"));
            serde_json::to_writer(&mut *piece, &cursor)?;
            piece.push(b'}');
        }
        Ok(())
    }
}
