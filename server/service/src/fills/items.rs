//! What a filter finds becomes items of a dataset, the newest first. The id of an item follows from the dataset and from
//! what it was taken from, so that nothing comes in twice, and what has left does not come back.

use std::collections::HashSet;

use domain::dataset::{Dataset, DatasetItemId, DatasetKind, ItemDraft, stripped};
use domain::fill::{MAX_MOST, Takes, is_sampled};
use domain::filter::Filter;
use domain::page::{Cursor, Limit};
use domain::{Code, DatasetId, Fault, Span, SpanId, Timestamp, TraceId};
use serde_json::Value;
use sha2::{Digest, Sha256};
use store_postgres::datasets as store;
use store_postgres::fills::Taken;

use super::work::{MOST, PAGE, hold};
use crate::app::App;
use crate::scope::ProjectScope;
use crate::{datasets, numbered, spans, traces};

/// Traces that are read whole at once, and spans of a page.
const AT_ONCE: u32 = 20;
/// Items that leave between two signs of life.
const LEAVE_AT_ONCE: u32 = 100;

/// Something that may become an item.
struct Found {
    id: DatasetItemId,
    trace: TraceId,
    span: Option<SpanId>,
    began: Timestamp,
    input: Option<String>,
    output: Option<String>,
}

/// What is filled, by whom, and how much room is left.
struct Filling<'f> {
    app: &'f App,
    scope: &'f ProjectScope,
    dataset: Dataset,
    room: u64,
}

/// Puts in what matches and is in the sample. Of a rolling dataset the oldest leave; any other takes no more when it has
/// as many as it may.
pub(super) async fn fill_dataset(
    app: &App,
    scope: &ProjectScope,
    taken: &mut Taken,
    (id, filter): (DatasetId, &Filter),
) -> Result<(), Fault> {
    let dataset = datasets::find_by_id(app, scope, id).await?;
    let most = taken.fill.draft.most.unwrap_or(MAX_MOST);
    let is_rolling = dataset.kind == DatasetKind::Rolling;
    let room = match is_rolling {
        // The newest come first: of one look no more than these can stay.
        true => most,
        false => most.saturating_sub(datasets::count_items(app, scope, id).await?.0),
    };
    let mut filling = Filling {
        app,
        scope,
        dataset,
        room,
    };
    let mut filter = filter.clone();
    if is_rolling {
        // What began before the oldest that stays would leave at once.
        filter.from = filter.from.max(filling.begins(most).await?);
    }
    let (mut cursor, mut seen) = (None, 0);
    while filling.room > 0 && seen < MOST {
        let place = (&filter, cursor.as_ref());
        let (rows, next) = match taken.fill.draft.takes {
            Takes::Traces => filling.traces(taken, place).await?,
            Takes::Spans => filling.spans(taken, place).await?,
        };
        seen += rows;
        hold(app, taken).await?;
        cursor = next;
        if cursor.is_none() {
            break;
        }
    }
    if is_rolling {
        filling.leave(taken, most).await?;
    }
    Ok(())
}

impl Filling<'_> {
    /// A page of traces: how many it had, and where the next begins.
    async fn traces(
        &mut self,
        taken: &mut Taken,
        (filter, cursor): (&Filter, Option<&Cursor>),
    ) -> Result<(u64, Option<Cursor>), Fault> {
        let (app, scope) = (self.app, self.scope);
        let page = traces::list(app, scope, filter, Limit::new(PAGE)?, cursor).await?;
        let rows = page.data.len() as u64;
        let sampled = page.data.into_iter().filter(|trace| {
            is_sampled(
                taken.target,
                trace.trace_id.as_str(),
                taken.fill.draft.share,
            )
        });
        let named = sampled.map(|trace| {
            let id = item_id(self.dataset.id, &trace.trace_id, None)?;
            Ok::<_, Fault>((id, trace.trace_id))
        });
        let fresh = self.fresh(named.collect::<Result<_, Fault>>()?).await?;
        for some in fresh.chunks(AT_ONCE as usize) {
            if self.room == 0 {
                break;
            }
            let ids: Vec<TraceId> = some.iter().map(|(_, trace)| trace.clone()).collect();
            let turn = spans::turn(app, scope, Limit::new(AT_ONCE)?).await?;
            let portraits = numbered::portraits(app, scope, &ids).await?;
            for portrait in portraits {
                let trace = portrait.summary.trace_id.clone();
                let found = Found {
                    id: item_id(self.dataset.id, &trace, None)?,
                    trace,
                    span: None,
                    began: portrait.summary.start,
                    input: portrait.input().map(str::to_owned),
                    output: portrait.output().map(str::to_owned),
                };
                self.add(taken, found).await?;
            }
            drop(turn);
            hold(app, taken).await?;
        }
        Ok((rows, page.next_cursor))
    }

    /// The same of spans.
    async fn spans(
        &mut self,
        taken: &mut Taken,
        (filter, cursor): (&Filter, Option<&Cursor>),
    ) -> Result<(u64, Option<Cursor>), Fault> {
        let (app, scope, limit) = (self.app, self.scope, Limit::new(AT_ONCE)?);
        let _turn = spans::turn(app, scope, limit).await?;
        let (page, _) = spans::list(app, scope, filter, limit, cursor).await?;
        let rows = page.data.len() as u64;
        let sampled = page.data.into_iter().filter(|span| {
            let name = format!("{} {}", span.trace_id, span.span_id);
            is_sampled(taken.target, &name, taken.fill.draft.share)
        });
        let named = sampled.map(|span| {
            let id = item_id(self.dataset.id, &span.trace_id, Some(&span.span_id))?;
            Ok::<_, Fault>((id, span))
        });
        let fresh: Vec<(DatasetItemId, Span)> =
            self.fresh(named.collect::<Result<_, Fault>>()?).await?;
        for (id, span) in fresh {
            let found = Found {
                id,
                trace: span.trace_id,
                span: Some(span.span_id),
                began: span.start,
                input: span.input.map(|content| content.text.to_string()),
                output: span.output.map(|content| content.text.to_string()),
            };
            self.add(taken, found).await?;
        }
        Ok((rows, page.next_cursor))
    }

    /// Those that never were items.
    async fn fresh<T>(
        &self,
        named: Vec<(DatasetItemId, T)>,
    ) -> Result<Vec<(DatasetItemId, T)>, Fault> {
        let ids: Vec<DatasetItemId> = named.iter().map(|(id, _)| id.clone()).collect();
        let known = store::known_items(self.app.postgres(), self.scope.project_id(), &ids).await?;
        let known: HashSet<String> = known.into_iter().collect();
        let fresh = named.into_iter();
        Ok(fresh
            .filter(|(id, _)| !known.contains(id.as_str()))
            .collect())
    }

    /// Makes an item where there is room and never was one. What does not follow the schemas of the dataset is left out.
    async fn add(&mut self, taken: &mut Taken, found: Found) -> Result<(), Fault> {
        if self.room == 0 {
            return Ok(());
        }
        let value = |text: Option<String>| text.map(json_or_text);
        // What an input brought about that is meant to break is not what it should.
        let expected = match self.dataset.kind {
            DatasetKind::Adversarial => None,
            _ => value(found.output),
        };
        let draft = ItemDraft {
            input: value(found.input),
            expected_output: expected,
            source_trace_id: Some(found.trace),
            source_observation_id: found.span,
            challenge: Some(taken.fill.draft.challenge),
            ..ItemDraft::default()
        };
        let place = (&self.dataset.name, found.id);
        match datasets::take_in(self.app, self.scope, place, draft, found.began).await {
            Ok(true) => {
                taken.fill.added += 1;
                self.room -= 1;
                Ok(())
            }
            Ok(false) => Ok(()),
            Err(fault) => match fault.code {
                Code::Invalid | Code::Conflict | Code::TooLarge => Ok(()),
                _ => Err(fault),
            },
        }
    }

    /// When the oldest item began of a dataset that is full; `None` where there is room.
    async fn begins(&self, most: u64) -> Result<Option<Timestamp>, Fault> {
        let place = (self.scope.project_id(), self.dataset.id);
        let kept = most.saturating_sub(1);
        let oldest = store::items_beyond(self.app.postgres(), place, kept, 1).await?;
        let Some(id) = oldest.first() else {
            return Ok(None);
        };
        match datasets::show_item(self.app, self.scope, id).await {
            Ok(item) => Ok(Some(item.created_at)),
            // It has left meanwhile.
            Err(fault) if fault.code == Code::NotFound => Ok(None),
            Err(fault) => Err(fault),
        }
    }

    /// The oldest leave until there are `most`.
    async fn leave(&self, taken: &Taken, most: u64) -> Result<(), Fault> {
        let place = (self.scope.project_id(), self.dataset.id);
        loop {
            let db = self.app.postgres();
            let beyond = store::items_beyond(db, place, most, LEAVE_AT_ONCE).await?;
            if beyond.is_empty() {
                return Ok(());
            }
            for id in beyond {
                match datasets::delete_item(self.app, self.scope, &id).await {
                    Ok(()) => {}
                    // Somebody else has deleted it.
                    Err(fault) if fault.code == Code::NotFound => {}
                    Err(fault) => return Err(fault),
                }
            }
            hold(self.app, taken).await?;
        }
    }
}

/// JSON where it is some, else the text; without what Postgres cannot keep.
fn json_or_text(text: String) -> Value {
    stripped(serde_json::from_str(&text).unwrap_or(Value::String(text)))
}

fn item_id(
    dataset: DatasetId,
    trace: &TraceId,
    span: Option<&SpanId>,
) -> Result<DatasetItemId, Fault> {
    let mut hash = Sha256::new();
    let dataset = dataset.to_string();
    for part in [
        dataset.as_str(),
        trace.as_str(),
        span.map_or("", SpanId::as_str),
    ] {
        hash.update(part.as_bytes());
        hash.update([0]);
    }
    let digest = hex::encode(hash.finalize());
    DatasetItemId::parse(&format!("found-{}", &digest[..32]))
}
