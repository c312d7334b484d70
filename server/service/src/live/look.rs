//! One look: which traces are new.

use std::collections::{HashSet, VecDeque};
use std::sync::{LazyLock, Mutex, PoisonError};

use domain::filter::Filter;
use domain::page::Limit;
use domain::trace::TraceSummary;
use domain::{Fault, Nanos, Timestamp, TraceId};
use store_clickhouse::traces;

use super::News;
use crate::app::App;
use crate::scope::ProjectScope;

/// Traces that are asked for at once.
const LOOK_ROWS: u32 = 100;
/// Traces of one look: what lands beyond that at once is skipped.
const MAX_LOOK: usize = 2000;
/// How far back a trace may have begun to be found by its start. One that began before is found when
/// its root is received here.
const LOOK_BACK: Nanos = Nanos::from_seconds(3600);
/// Traces that are remembered as told: those of a look, and of the looks before.
const MAX_TOLD: usize = 2 * MAX_LOOK;
/// Looks at which a root that was received may still not be readable.
const MAX_TRIES: u32 = 20;

static LIMIT: LazyLock<Limit> = LazyLock::new(|| Limit::new(LOOK_ROWS).unwrap_or_default());

/// Traces whose roots were received lately, with how often they were looked for.
#[derive(Default)]
pub(super) struct Roots(Mutex<VecDeque<(TraceId, u32)>>);

impl Roots {
    /// Notes one; of too many the oldest is forgotten.
    pub(super) fn note(&self, trace_id: &TraceId) {
        self.push((trace_id.clone(), 0));
    }

    fn push(&self, root: (TraceId, u32)) {
        let mut roots = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        roots.push_back(root);
        if roots.len() > MAX_LOOK {
            roots.pop_front();
        }
    }

    /// Takes so many of the oldest.
    fn take(&self, most: usize) -> Vec<(TraceId, u32)> {
        let mut roots = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let taken = roots.len().min(most);
        roots.drain(..taken).collect()
    }
}

/// Looks for new traces and remembers which it told.
#[derive(Default)]
pub(super) struct Looker {
    told: Told,
    /// What began before is not told any more: it is not known whether it was.
    floor: Option<Timestamp>,
    /// The first look goes through all that is there.
    has_looked: bool,
}

impl Looker {
    /// Traces that match, have their root and were not told yet.
    pub(super) async fn look(
        &mut self,
        app: &App,
        scope: &ProjectScope,
        filter: &Filter,
        roots: &Roots,
    ) -> Result<News, Fault> {
        let mut news = self.newest(app, scope, filter).await?;
        // Those that are found by their start need not be asked for by name.
        for trace in &news.traces {
            self.told.note(&trace.trace_id);
        }
        // What was found must be told all the same; those that are missing are tried again.
        let late = self.received(app, scope, filter, roots).await;
        let late = late.unwrap_or_else(|fault| {
            tracing::warn!(fault = %fault, "a live view could not look for late roots");
            Vec::new()
        });
        for trace in &late {
            self.told.note(&trace.trace_id);
        }
        news.traces.extend(late);
        self.has_looked = true;
        Ok(news)
    }

    /// Goes on through the list, newest first, as long as a page brings new ones.
    async fn newest(
        &mut self,
        app: &App,
        scope: &ProjectScope,
        filter: &Filter,
    ) -> Result<News, Fault> {
        let (clickhouse, project) = (app.clickhouse(), scope.project_id());
        let mut filter = filter.clone();
        let back = app.clock().now().minus(LOOK_BACK);
        filter.from = filter.from.max(Some(back)).max(self.floor);
        let mut news = News::default();
        let mut cursor = None;
        let mut seen = 0;
        loop {
            let before = news.traces.len();
            let page =
                traces::list(clickhouse, project, &filter, (*LIMIT, cursor.as_ref())).await?;
            seen += page.data.len();
            let rows = page.data.into_iter().filter(|trace| trace.has_root);
            news.traces
                .extend(rows.filter(|trace| !self.told.knows(&trace.trace_id)));
            cursor = page.next_cursor;
            match &cursor {
                None => break,
                Some(_) if self.has_looked && news.traces.len() == before => break,
                Some(last) if seen >= MAX_LOOK => {
                    news.is_cut = true;
                    self.floor = Some(last.start);
                    break;
                }
                Some(_) => {}
            }
        }
        news.traces.reverse();
        Ok(news)
    }

    /// Those whose root was received since the last look, whenever they began.
    async fn received(
        &mut self,
        app: &App,
        scope: &ProjectScope,
        filter: &Filter,
        roots: &Roots,
    ) -> Result<Vec<TraceSummary>, Fault> {
        let mut wanted = roots.take(LOOK_ROWS as usize);
        wanted.retain(|(id, _)| !self.told.knows(id));
        if wanted.is_empty() {
            return Ok(Vec::new());
        }
        let ids: Vec<&TraceId> = wanted.iter().map(|(id, _)| id).collect();
        let found = traces::some(app.clickhouse(), scope.project_id(), &ids, filter).await;
        let found = match found {
            Ok(found) => found,
            Err(error) => {
                wanted.into_iter().for_each(|root| roots.push(root));
                return Err(error.into());
            }
        };
        let readable: HashSet<&TraceId> = found
            .iter()
            .filter(|found| found.summary.has_root)
            .map(|found| &found.summary.trace_id)
            .collect();
        for (id, tries) in wanted {
            if !readable.contains(&id) && tries < MAX_TRIES {
                roots.push((id, tries + 1));
            }
        }
        let told = found
            .into_iter()
            .filter(|found| found.meets && found.summary.has_root);
        Ok(told.map(|found| found.summary).collect())
    }
}

/// Which traces were told, as many as fit.
#[derive(Default)]
struct Told {
    ids: HashSet<TraceId>,
    order: VecDeque<TraceId>,
}

impl Told {
    fn knows(&self, id: &TraceId) -> bool {
        self.ids.contains(id)
    }

    fn note(&mut self, id: &TraceId) {
        if !self.ids.insert(id.clone()) {
            return;
        }
        self.order.push_back(id.clone());
        if self.order.len() > MAX_TOLD
            && let Some(oldest) = self.order.pop_front()
        {
            self.ids.remove(&oldest);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id(number: usize) -> TraceId {
        TraceId::from_text(&number.to_string()).unwrap()
    }

    #[test]
    fn what_was_told_is_known_until_there_is_too_much_of_it() {
        let mut told = Told::default();
        for number in 0..=MAX_TOLD {
            told.note(&id(number));
            told.note(&id(number));
        }
        assert!(!told.knows(&id(0)));
        assert!(told.knows(&id(1)) && told.knows(&id(MAX_TOLD)));
        assert_eq!(told.ids.len(), MAX_TOLD);
    }

    #[test]
    fn roots_are_bounded_and_the_oldest_goes_first() {
        let roots = Roots::default();
        for number in 0..MAX_LOOK + 1 {
            roots.note(&id(number));
        }
        assert_eq!(roots.take(1), [(id(1), 0)]);
        assert_eq!(roots.take(usize::MAX).len(), MAX_LOOK - 1);
    }
}
