//! Large traces that were opened lately: whoever scrolls, folds or searches one asks for it again and again.
//!
//! **Invariants:** what is kept is only given to whoever has just read the mark of what is stored, and only
//! where it is the same, so that new spans are seen and a trace that was deleted is never shown; all that is
//! kept together, and what is kept of one project, is bounded in bytes; what nobody asks for goes.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use domain::trace::{TraceView, TreeSpan};
use domain::tree::TreeRow;
use domain::tree::figures::Figures;
use domain::{ProjectId, TraceId};
use store_clickhouse::spans::Mark;
use tokio::time::Instant;

/// Smaller traces are read faster than it is worth to keep them.
const FEWEST_SPANS: usize = 2_000;
/// Bytes of all that is kept.
const MOST_BYTES: usize = 256 << 20;
/// Bytes of what is kept of one project.
const MOST_BYTES_OF_PROJECT: usize = 128 << 20;
/// Traces that are kept.
const MOST_TRACES: usize = 64;
/// How long a trace is kept that nobody asks for.
const KEPT: Duration = Duration::from_secs(60);
/// How often those are looked for.
const SWEEP_EVERY: Duration = Duration::from_secs(15);

/// Traces that were opened lately.
#[derive(Default)]
pub(crate) struct Opened(Mutex<Shelf>);

#[derive(Default)]
struct Shelf {
    traces: HashMap<ProjectId, HashMap<TraceId, Kept>>,
    is_swept: bool,
}

struct Kept {
    mark: Mark,
    view: Arc<TraceView>,
    bytes: usize,
    used: Instant,
}

impl Opened {
    /// A trace as it was opened; `None` where it was not, or what is stored of it is another.
    pub(crate) fn get(
        &self,
        (project, trace_id): (ProjectId, &TraceId),
        mark: Mark,
    ) -> Option<Arc<TraceView>> {
        let mut shelf = self.lock();
        let kept = shelf.traces.get_mut(&project)?.get_mut(trace_id)?;
        if kept.mark != mark {
            return None;
        }
        kept.used = Instant::now();
        Some(Arc::clone(&kept.view))
    }

    /// Keeps a large trace, for as long as somebody asks for it. Must be called within the async runtime.
    pub(crate) fn put(
        self: &Arc<Self>,
        (project, trace_id): (ProjectId, &TraceId),
        mark: Mark,
        view: &Arc<TraceView>,
    ) {
        if view.tree.rows.len() < FEWEST_SPANS {
            return;
        }
        let kept = Kept {
            mark,
            bytes: bytes_of(view),
            view: Arc::clone(view),
            used: Instant::now(),
        };
        let mut shelf = self.lock();
        shelf.put((project, trace_id.clone()), kept);
        if !std::mem::replace(&mut shelf.is_swept, true) {
            tokio::spawn(sweep(Arc::clone(self)));
        }
    }

    /// Forgets traces that were deleted: they would not be given to anybody, but nothing of them is to stay.
    pub(crate) fn forget(&self, project: ProjectId, trace_ids: &[&TraceId]) {
        let mut shelf = self.lock();
        for trace_id in trace_ids {
            shelf.take(project, trace_id);
        }
    }

    /// Forgets all of a project.
    pub(crate) fn forget_project(&self, project: ProjectId) {
        self.lock().traces.remove(&project);
    }

    fn lock(&self) -> MutexGuard<'_, Shelf> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Forgets what nobody asks for, until nothing is left.
async fn sweep(opened: Arc<Opened>) {
    loop {
        tokio::time::sleep(SWEEP_EVERY).await;
        let mut shelf = opened.lock();
        shelf.forget_idle(Instant::now());
        if shelf.traces.is_empty() {
            shelf.is_swept = false;
            return;
        }
    }
}

impl Shelf {
    /// Makes room, which goes at the expense of what was not asked for the longest.
    fn put(&mut self, (project, trace_id): (ProjectId, TraceId), kept: Kept) {
        self.take(project, &trace_id);
        if kept.bytes > MOST_BYTES_OF_PROJECT {
            return;
        }
        while self.bytes_of(project) + kept.bytes > MOST_BYTES_OF_PROJECT {
            self.forget_oldest(|of| of == project);
        }
        while self.bytes() + kept.bytes > MOST_BYTES || self.count() >= MOST_TRACES {
            self.forget_oldest(|_| true);
        }
        self.traces
            .entry(project)
            .or_default()
            .insert(trace_id, kept);
    }

    fn take(&mut self, project: ProjectId, trace_id: &TraceId) {
        if let Some(own) = self.traces.get_mut(&project) {
            own.remove(trace_id);
            if own.is_empty() {
                self.traces.remove(&project);
            }
        }
    }

    fn forget_oldest(&mut self, is_meant: impl Fn(ProjectId) -> bool) {
        let meant = self
            .traces
            .iter()
            .filter(|(project, _)| is_meant(**project));
        let all =
            meant.flat_map(|(project, own)| own.iter().map(move |(id, kept)| (*project, id, kept)));
        let oldest = all.min_by_key(|(.., kept)| kept.used);
        if let Some((project, trace_id)) = oldest.map(|(project, id, _)| (project, id.clone())) {
            self.take(project, &trace_id);
        }
    }

    fn forget_idle(&mut self, now: Instant) {
        for own in self.traces.values_mut() {
            own.retain(|_, kept| now.duration_since(kept.used) < KEPT);
        }
        self.traces.retain(|_, own| !own.is_empty());
    }

    fn count(&self) -> usize {
        self.traces.values().map(HashMap::len).sum()
    }

    fn bytes(&self) -> usize {
        let all = self.traces.values().flat_map(HashMap::values);
        all.map(|kept| kept.bytes).sum()
    }

    fn bytes_of(&self, project: ProjectId) -> usize {
        let own = self.traces.get(&project).into_iter();
        own.flat_map(HashMap::values).map(|kept| kept.bytes).sum()
    }
}

/// Bytes that a trace takes, about: its rows with what is computed of each, and their texts.
fn bytes_of(view: &TraceView) -> usize {
    /// Of a text that is counted, and what an allocation costs.
    const HEAD: usize = 16;
    let text = |text: &Option<String>| text.as_ref().map_or(0, |text| text.capacity() + HEAD);
    let texts = |span: &TreeSpan| {
        let ids = span.span_id.as_str().len() + 2 * HEAD;
        let parent = span.parent_span_id.as_ref();
        ids + parent.map_or(0, |id| id.as_str().len() + 2 * HEAD)
            + span.name.capacity()
            + span.service.capacity()
            + 2 * HEAD
            + text(&span.error)
            + text(&span.model)
            + text(&span.response_id)
            + text(&span.timings.ttft_source)
    };
    let row = size_of::<TreeRow>() + size_of::<Figures>() + 1;
    let rows = view.tree.rows.iter();
    rows.map(|each| row + texts(&each.span)).sum()
}

#[cfg(test)]
mod tests {
    use domain::Timestamp;
    use domain::trace::TraceSummary;
    use domain::tree::build_tree;
    use uuid::Uuid;

    use super::*;

    const SMALL: usize = 10;

    fn project(number: u128) -> ProjectId {
        ProjectId(Uuid::from_u128(number))
    }

    fn id(number: usize) -> TraceId {
        TraceId::from_text(&format!("trace {number}")).unwrap()
    }

    fn mark(rows: u64) -> Mark {
        Mark {
            rows,
            ..Mark::default()
        }
    }

    fn view(spans: usize) -> Arc<TraceView> {
        let spans = (0..spans).map(|number| {
            let span_id = domain::SpanId::from_text(&number.to_string()).unwrap();
            let span = domain::Span::bare(id(0), span_id, Timestamp::EPOCH);
            TreeSpan::from(&span)
        });
        let summary = TraceSummary::bare(id(0), Timestamp::EPOCH);
        Arc::new(TraceView::new(summary, build_tree(spans.collect())))
    }

    fn kept(bytes: usize, used: Instant) -> Kept {
        Kept {
            mark: mark(1),
            view: view(0),
            bytes,
            used,
        }
    }

    #[tokio::test]
    async fn a_large_trace_is_given_to_its_project_as_long_as_it_is_as_it_was() {
        let opened = Arc::new(Opened::default());
        opened.put((project(1), &id(1)), mark(7), &view(FEWEST_SPANS));
        opened.put((project(1), &id(2)), mark(7), &view(SMALL));
        let get = |of, trace, rows| opened.get((project(of), &id(trace)), mark(rows)).is_some();
        assert!(get(1, 1, 7));
        assert!(!get(1, 1, 8), "a span was added");
        assert!(!get(2, 1, 7), "another project");
        assert!(!get(1, 2, 7), "a small one is read again");
    }

    #[test]
    fn what_nobody_asks_for_goes() {
        let (mut shelf, start) = (Shelf::default(), Instant::now());
        shelf.put((project(1), id(1)), kept(1, start));
        shelf.put((project(2), id(1)), kept(1, start + KEPT));
        shelf.forget_idle(start + KEPT - Duration::from_secs(1));
        assert_eq!(shelf.count(), 2);
        shelf.forget_idle(start + KEPT);
        assert!(!shelf.traces.contains_key(&project(1)));
        shelf.forget_idle(start + 2 * KEPT);
        assert!(shelf.traces.is_empty());
    }

    #[test]
    fn what_is_kept_is_bounded_in_all_and_by_project() {
        let (mut shelf, start) = (Shelf::default(), Instant::now());
        let at = |second| start + Duration::from_secs(second);
        let third = MOST_BYTES_OF_PROJECT / 3;
        for number in 0..9 {
            shelf.put((project(1), id(number)), kept(third, at(number as u64)));
        }
        assert_eq!(shelf.bytes_of(project(1)), 3 * third);
        assert!(shelf.traces[&project(1)].contains_key(&id(8)));
        assert!(!shelf.traces[&project(1)].contains_key(&id(5)));
        for number in 2..9 {
            shelf.put(
                (project(number), id(0)),
                kept(3 * third, at(20 + number as u64)),
            );
        }
        assert!(shelf.bytes() <= MOST_BYTES && shelf.bytes_of(project(8)) > 0);
        assert_eq!(shelf.bytes_of(project(1)), 0);
        shelf.put((project(1), id(1)), kept(MOST_BYTES_OF_PROJECT + 1, at(40)));
        assert_eq!(shelf.bytes_of(project(1)), 0);
        for number in 0..2 * MOST_TRACES {
            shelf.put((project(1), id(number)), kept(1, at(50)));
        }
        assert!(shelf.count() <= MOST_TRACES);
    }
}
