//! Values of columns among the traces that a list shows, kept for a moment: many look at the same list.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use domain::facet::Facet;
use domain::filter::{Column, Filter};
use domain::{Fault, ProjectId};
use store_clickhouse::traces;
use tokio::time::Instant;

use crate::app::App;
use crate::scope::ProjectScope;

/// How long an answer is good.
const FRESH: Duration = Duration::from_secs(20);
/// Answers that are kept.
const MAX_KEPT: usize = 1000;
/// Most values that are asked for.
pub const MOST: u32 = 200;

/// Answers that were given lately.
#[derive(Default)]
pub(crate) struct Kept(Mutex<HashMap<Key, (Instant, Arc<Facet>)>>);

#[derive(Clone, PartialEq, Eq, Hash)]
struct Key {
    project: ProjectId,
    /// Filter and column; JSON, since neither can be compared with hashes.
    asked: String,
    most: u32,
}

impl Kept {
    fn get(&self, key: &Key) -> Option<Arc<Facet>> {
        let kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let (until, facet) = kept.get(key)?;
        (*until > Instant::now()).then(|| facet.clone())
    }

    fn put(&self, key: Key, facet: Arc<Facet>) {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let now = Instant::now();
        if kept.len() >= MAX_KEPT {
            kept.retain(|_, (until, _)| *until > now);
        }
        if kept.len() < MAX_KEPT {
            kept.insert(key, (now + FRESH, facet));
        }
    }
}

impl Kept {
    /// Forgets what was answered of a project.
    pub(crate) fn forget(&self, project: ProjectId) {
        let mut kept = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        kept.retain(|key, _| key.project != project);
    }
}

/// The most common values of a column among the traces that match, up to `most` and [`MOST`] of them.
/// What the filter says of the column itself is left out, so that others can be chosen. Two asks share an
/// answer when their filters are the same to the nanosecond: round times that come from a clock.
///
/// # Errors
/// `unavailable` or `timeout` when ClickHouse is away or takes too long.
pub async fn show(
    app: &App,
    scope: &ProjectScope,
    (filter, column): (&Filter, &Column),
    most: u32,
) -> Result<Arc<Facet>, Fault> {
    let mut filter = filter.clone();
    filter
        .conditions
        .retain(|condition| condition.column != *column);
    let most = most.clamp(1, MOST);
    let key = Key {
        project: scope.project_id(),
        asked: serde_json::to_string(&(&filter, column)).map_err(Fault::internal)?,
        most,
    };
    if let Some(facet) = app.facets().get(&key) {
        return Ok(facet);
    }
    let project = scope.project_id();
    let facet = traces::facet(app.clickhouse(), project, (&filter, column), most).await?;
    let facet = Arc::new(facet);
    app.facets().put(key, facet.clone());
    Ok(facet)
}
