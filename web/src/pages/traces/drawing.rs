//! What is drawn of a trace: its lines in order, each a span or a run of spans that do the same.

use domain::Timestamp;
use domain::trace::{TraceView, TreeSpan};
use domain::tree::Tree;
use domain::tree::activity::at_work;
use domain::tree::drawn::Drawn;
use domain::tree::figures::Figures;
use domain::tree::repeats::Repeat;
use rust_decimal::prelude::ToPrimitive;

use super::wanted::{Heat, Wanted};
use crate::chart::waterfall::Clock;

/// A trace with what is computed of it to be drawn.
pub(crate) struct Drawing<'a> {
    pub(super) trace: &'a TraceView,
    /// What is computed of its tree.
    pub(super) drawn: &'a Drawn,
    /// First start and last end.
    pub(super) bounds: (Timestamp, Timestamp),
    /// The chosen stretch of it.
    pub(super) range: Option<(Timestamp, Timestamp)>,
    pub(super) clock: Clock,
}

/// A line of the drawing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Line {
    /// Its row; of a run the first one.
    pub(super) at: usize,
    /// Steps below the top.
    pub(super) depth: u32,
    /// The run, where it is one.
    pub(super) run: Option<usize>,
    pub(super) is_folded: bool,
}

impl<'a> Drawing<'a> {
    /// As somebody wants to see it.
    pub(crate) fn new(trace: &'a TraceView, wanted: &Wanted) -> Self {
        let drawn = trace.drawn();
        let start = trace.summary.start;
        let bounds = drawn.bounds.unwrap_or((start, start));
        let range = wanted.range(bounds.0);
        let (from, to) = range.unwrap_or(bounds);
        Drawing {
            trace,
            drawn,
            clock: Clock::between(from, to),
            bounds,
            range,
        }
    }

    /// Row of the span that must be seen.
    pub(super) fn reach(&self, wanted: &Wanted) -> Option<usize> {
        let row_of = |id: &String| {
            let mut rows = self.trace.tree.rows.iter();
            rows.position(|row| row.span.span_id.as_str() == id)
        };
        let up = wanted.up.as_ref().and_then(row_of);
        let above = up.and_then(|row| self.trace.tree.parent(row));
        above.or_else(|| wanted.reach.as_ref().and_then(row_of))
    }

    /// The lines in order: neither folded away nor without what is looked for.
    pub(super) fn lines(&self, wanted: &Wanted) -> Vec<Line> {
        let tree = &self.trace.tree;
        let kept = self.kept(wanted);
        let reach = self.reach(wanted);
        // Runs that are open and where they end: what is in them stands a step deeper.
        let mut open: Vec<usize> = Vec::new();
        let mut runs = self.drawn.runs.iter().enumerate().peekable();
        let mut lines = Vec::new();
        let mut at = 0;
        while let Some(row) = tree.rows.get(at) {
            while open.last().is_some_and(|end| *end <= at) {
                open.pop();
            }
            while runs.peek().is_some_and(|(_, run)| run.first < at) {
                runs.next();
            }
            let depth = |open: &[usize]| row.depth + u32::try_from(open.len()).unwrap_or(0);
            let here = runs.peek().filter(|(_, run)| run.first == at);
            if let Some(&(index, run)) = here.filter(|_| !wanted.narrows()) {
                let is_folded = wanted.folds_run(run, row, reach);
                if self.any_kept(kept.as_deref(), run) {
                    lines.push(Line {
                        at,
                        depth: depth(&open),
                        run: Some(index),
                        is_folded,
                    });
                }
                if is_folded {
                    at = run.end;
                    continue;
                }
                open.push(run.end);
            }
            let is_folded = wanted.folds(row);
            if kept.as_ref().is_none_or(|kept| kept[at]) {
                lines.push(Line {
                    at,
                    depth: depth(&open),
                    run: None,
                    is_folded,
                });
            }
            at = match is_folded {
                true => tree.below(at).end,
                false => at + 1,
            };
        }
        lines
    }

    fn any_kept(&self, kept: Option<&[bool]>, run: &Repeat) -> bool {
        kept.is_none_or(|kept| kept[run.first..run.end].contains(&true))
    }

    /// For each row whether it is one that is looked for, or leads to one; `None` where all are.
    fn kept(&self, wanted: &Wanted) -> Option<Vec<bool>> {
        if !wanted.narrows() && self.range.is_none() {
            return None;
        }
        let tree = &self.trace.tree;
        let is_kept = |at: usize| {
            let span = &tree.rows[at].span;
            wanted.text.as_ref().is_none_or(|text| holds(span, text))
                && (!wanted.only_path || self.drawn.on_path[at])
                && self.range.is_none_or(|range| at_work(span, range))
        };
        Some(with_ancestors(tree, is_kept))
    }

    /// How hot a row is, 0 to 5, against the hottest; its value beside it.
    pub(super) fn heat(&self, heat: Heat, at: usize, hottest: f64) -> usize {
        let share = value(heat, &self.drawn.figures[at]) / hottest;
        if share > 0.0 && share.is_finite() {
            1 + ((share * 5.0) as usize).min(4)
        } else {
            0
        }
    }

    /// The most that a row has of its own.
    pub(super) fn hottest(&self, heat: Heat) -> f64 {
        let values = self
            .drawn
            .figures
            .iter()
            .map(|figures| value(heat, figures));
        values.fold(0.0, f64::max)
    }
}

fn value(heat: Heat, figures: &Figures) -> f64 {
    match heat {
        Heat::Latency => figures.own_time.as_millis_f64(),
        Heat::Cost => figures.own_cost.0.to_f64().unwrap_or(0.0),
        Heat::Tokens => figures.own_tokens as f64,
    }
}

fn holds(span: &TreeSpan, text: &str) -> bool {
    let texts = [Some(&span.name), span.model.as_ref(), span.error.as_ref()];
    let mut texts = texts.into_iter().flatten();
    texts.any(|held| held.to_lowercase().contains(text))
        || span.kind.as_str() == text
        || span.span_id.as_str() == text
}

fn with_ancestors(tree: &Tree, is_kept: impl Fn(usize) -> bool) -> Vec<bool> {
    let mut kept = vec![false; tree.rows.len()];
    let mut ancestors: Vec<usize> = Vec::new();
    for (at, row) in tree.rows.iter().enumerate() {
        ancestors.truncate(row.depth as usize);
        if is_kept(at) {
            kept[at] = true;
            // Whoever leads to a row that is kept already leads to this one, and so do those above.
            for ancestor in ancestors.iter().rev() {
                if std::mem::replace(&mut kept[*ancestor], true) {
                    break;
                }
            }
        }
        ancestors.push(at);
    }
    kept
}
