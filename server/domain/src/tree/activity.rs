//! What went on when: how many spans were at work at each time, and what a stretch of time comes to.

use super::Tree;
use super::figures::Figures;
use crate::money::Usd;
use crate::span::SpanKind;
use crate::time::Timestamp;
use crate::trace::TreeSpan;

/// A stretch of a trace's time, one of several that are equally long.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Column {
    /// Spans with none below them that were at work at any time of it: what spans these wait for.
    pub at_work: u64,
    /// Failed ones that ended in it.
    pub failed: u64,
}

/// What a stretch of time comes to.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Stretch {
    /// Spans that were at work in it.
    pub spans: u64,
    /// Of these, those that failed.
    pub failed: u64,
    /// Their own tokens, whole even of those that reach beyond it; `None` where none counted any.
    pub tokens: Option<u64>,
    /// Their own cost, likewise.
    pub cost: Option<Usd>,
}

/// First start and last end of a tree's spans; `None` without any.
pub fn bounds(tree: &Tree) -> Option<(Timestamp, Timestamp)> {
    let spans = || tree.rows.iter().map(|row| &row.span);
    let from = spans().map(|span| span.start).min()?;
    let to = spans().map(end_of).max()?;
    Some((from, to))
}

/// Whether a span was at work between two instants; one that is open was so when it began.
pub fn at_work(span: &TreeSpan, (from, to): (Timestamp, Timestamp)) -> bool {
    span.start <= to && end_of(span) >= from
}

/// The time between two instants in `count` columns.
pub fn columns(tree: &Tree, (from, to): (Timestamp, Timestamp), count: usize) -> Vec<Column> {
    let mut columns = vec![Column::default(); count];
    if count == 0 {
        return columns;
    }
    let whole = u128::from((to - from).0).max(1);
    let place = |instant: Timestamp| {
        let share = u128::from((instant - from).0) * count as u128 / whole;
        usize::try_from(share).unwrap_or(count).min(count - 1)
    };
    // Where spans begin to be at work, and where they no longer are.
    let (mut begin, mut end) = (vec![0u64; count + 1], vec![0u64; count + 1]);
    for row in &tree.rows {
        let span = &row.span;
        if row.descendants > 0 || span.kind == SpanKind::Trace || !at_work(span, (from, to)) {
            continue;
        }
        let last = place(end_of(span).min(to));
        begin[place(span.start.max(from))] += 1;
        end[last + 1] += 1;
        columns[last].failed += u64::from(span.failed());
    }
    let mut now = 0u64;
    for (at, column) in columns.iter_mut().enumerate() {
        now = now + begin[at] - end[at];
        column.at_work = now;
    }
    columns
}

/// What the time between two instants comes to.
pub fn stretch(tree: &Tree, figures: &[Figures], range: (Timestamp, Timestamp)) -> Stretch {
    let mut found = Stretch::default();
    for (row, figures) in tree.rows.iter().zip(figures) {
        let span = &row.span;
        if span.kind == SpanKind::Trace || !at_work(span, range) {
            continue;
        }
        found.spans += 1;
        found.failed += u64::from(span.failed());
        if figures.tokens.is_some() {
            found.tokens = Some(found.tokens.unwrap_or(0).saturating_add(figures.own_tokens));
        }
        if figures.cost.is_some() {
            found.cost = Some(found.cost.unwrap_or_default() + figures.own_cost);
        }
    }
    found
}

fn end_of(span: &TreeSpan) -> Timestamp {
    span.end.unwrap_or(span.start).max(span.start)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::build_tree;
    use super::super::figures::figures;
    use super::super::tests::span;
    use super::*;
    use crate::span::Status;

    fn at(nanos: u64) -> Timestamp {
        Timestamp::from_unix_nanos(nanos).unwrap()
    }

    fn timed(id: &str, parent: Option<&str>, from: u64, to: u64) -> TreeSpan {
        let mut timed = span(id, parent, from);
        timed.end = Some(at(to));
        timed
    }

    #[test]
    fn a_stretch_has_what_was_at_work_in_it_and_no_tokens_twice() {
        let mut root = timed("root", None, 0, 100);
        root.input_tokens = Some(30);
        let mut early = timed("early", Some("root"), 10, 30);
        early.input_tokens = Some(10);
        let mut late = timed("late", Some("root"), 60, 90);
        late.input_tokens = Some(20);
        late.status = Status::Error;
        let tree = build_tree(vec![root, early, late]);
        let told = |from, to| {
            let found = stretch(&tree, &figures(&tree), (at(from), at(to)));
            (found.spans, found.failed, found.tokens, found.cost)
        };
        assert_eq!(told(0, 100), (3, 1, Some(30), None));
        assert_eq!(told(50, 70), (2, 1, Some(20), None));
        assert_eq!(told(31, 40), (1, 0, Some(0), None));
        assert_eq!(bounds(&tree), Some((at(0), at(100))));
    }

    #[test]
    fn a_column_has_what_was_at_work_at_any_time_of_it() {
        let mut failed = timed("b", Some("a"), 30, 40);
        failed.status = Status::Error;
        let tree = build_tree(vec![timed("a", None, 0, 99), failed]);
        let found = columns(&tree, (at(0), at(100)), 10);
        let at_work: Vec<u64> = found.iter().map(|column| column.at_work).collect();
        assert_eq!(at_work, [0, 0, 0, 1, 1, 0, 0, 0, 0, 0]);
        assert_eq!((found[4].failed, found[3].failed), (1, 0));
    }

    proptest! {
        #[test]
        fn no_span_is_left_out_of_the_columns(
            spans in proptest::collection::vec((0u64..1000, 0u64..300), 1..40),
            count in 1usize..50,
        ) {
            let made = spans.iter().enumerate();
            let tree = build_tree(made.map(|(n, (from, length))| {
                timed(&n.to_string(), None, *from, from + length)
            }).collect());
            let whole = bounds(&tree).unwrap();
            let found = columns(&tree, whole, count);
            let most = found.iter().map(|column| column.at_work).max().unwrap();
            let all: u64 = found.iter().map(|column| column.at_work).sum();
            prop_assert!(most <= spans.len() as u64 && all >= spans.len() as u64);
        }
    }
}
