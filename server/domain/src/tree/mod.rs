//! Parents and children, drawn from a flat set of spans.
//!
//! Whatever came is shown exactly once: a span whose parent is missing stands at the top marked as
//! orphan, and a circle of parents is cut at one place (its earliest span) and marked there. Where the
//! trace itself was described, what has no parent stands below it.

/// What went on when.
pub mod activity;
/// What a trace took its time for.
pub mod critical;
/// What is computed of a tree to be drawn.
pub mod drawn;
/// Tokens, cost and time of a row with those below it.
pub mod figures;
/// Siblings that do the same.
pub mod repeats;

use std::collections::HashMap;
use std::ops::Range;

use crate::ids::SpanId;
use crate::span::SpanKind;
use crate::trace::TreeSpan;

/// The spans of a trace in the order in which they are drawn: parents before children, siblings by
/// start and then by id, so that the order is the same on every reading.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tree {
    /// Rows from top to bottom.
    pub rows: Vec<TreeRow>,
}

/// One row of a drawn tree.
#[derive(Clone, Debug, PartialEq)]
pub struct TreeRow {
    /// The span.
    pub span: TreeSpan,
    /// Steps below the top; 0 at the top.
    pub depth: u32,
    /// Rows below this one that belong to it, at any depth.
    pub descendants: u32,
    /// Why it stands where it stands.
    pub place: Place,
}

/// Why a row stands where it stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// It has no parent.
    Root,
    /// Below its parent.
    Child,
    /// Its parent is not among the spans: at the top until the parent comes.
    Orphan,
    /// Its ancestors lead back to itself: at the top, where the circle was cut.
    CycleCut,
}

impl Tree {
    /// Index of a span's row.
    pub fn position(&self, span_id: &SpanId) -> Option<usize> {
        self.rows
            .iter()
            .position(|row| row.span.span_id == *span_id)
    }

    /// Rows below a row, at any depth.
    pub fn below(&self, at: usize) -> Range<usize> {
        let descendants = self.rows.get(at).map_or(0, |row| row.descendants as usize);
        at + 1..at + 1 + descendants
    }

    /// Of the rows in a range that is whole trees, those that no other one of them is above.
    pub fn tops(&self, range: Range<usize>) -> impl Iterator<Item = usize> {
        let step = move |at: &usize| Some(self.below(*at).end);
        std::iter::successors(Some(range.start), step).take_while(move |at| *at < range.end)
    }

    /// The row that a row stands below.
    pub fn parent(&self, at: usize) -> Option<usize> {
        let depth = self.rows.get(at)?.depth;
        self.rows[..at].iter().rposition(|row| row.depth < depth)
    }
}

/// Draws the tree. Spans must be distinct by id. Takes time in proportion to n log n; the depth is
/// not limited and costs no stack.
pub fn build_tree(mut spans: Vec<TreeSpan>) -> Tree {
    spans.sort_by(|a, b| (a.start, &a.span_id).cmp(&(b.start, &b.span_id)));
    let whole = spans.iter().position(|span| span.kind == SpanKind::Trace);
    if let Some(index) = whole {
        spans[index].end = spans.iter().filter_map(|span| span.end).max();
    }
    let parents = parent_indexes(&spans, whole);
    let cuts = cycle_cuts(&parents);
    let mut children: Vec<Vec<u32>> = vec![Vec::new(); spans.len()];
    let mut tops = Vec::new();
    for (index, parent) in parents.iter().enumerate() {
        let (number, place) = (as_u32(index), place_of(&spans[index], *parent, cuts[index]));
        match parent {
            Some(parent) if place == Place::Child => children[*parent as usize].push(number),
            _ => tops.push((number, place)),
        }
    }
    let order = draw_order(&tops, &children);
    let mut slots: Vec<Option<TreeSpan>> = spans.into_iter().map(Some).collect();
    let mut rows: Vec<TreeRow> = order
        .into_iter()
        .filter_map(|(index, depth, place)| {
            let span = slots[index as usize].take()?;
            Some(TreeRow {
                span,
                depth,
                descendants: 0,
                place,
            })
        })
        .collect();
    count_descendants(&mut rows);
    Tree { rows }
}

fn place_of(span: &TreeSpan, parent: Option<u32>, cut: bool) -> Place {
    match (&span.parent_span_id, parent) {
        (None, None) => Place::Root,
        (None, Some(_)) => Place::Child,
        (Some(_), None) => Place::Orphan,
        (Some(_), Some(_)) if cut => Place::CycleCut,
        (Some(_), Some(_)) => Place::Child,
    }
}

/// `whole` is the row of the trace itself.
fn parent_indexes(spans: &[TreeSpan], whole: Option<usize>) -> Vec<Option<u32>> {
    let by_id: HashMap<&SpanId, u32> = spans
        .iter()
        .enumerate()
        .map(|(index, span)| (&span.span_id, as_u32(index)))
        .collect();
    let parent_of = |(index, span): (usize, &TreeSpan)| match &span.parent_span_id {
        Some(id) => by_id.get(id).copied(),
        None => whole.filter(|&whole| whole != index).map(as_u32),
    };
    spans.iter().enumerate().map(parent_of).collect()
}

/// For each span whether the way up through parents is cut at it: once per circle, at the member
/// that stands first in the given order.
fn cycle_cuts(parents: &[Option<u32>]) -> Vec<bool> {
    const UNSEEN: u32 = 0;
    let mut walk_of = vec![UNSEEN; parents.len()];
    let mut cuts = vec![false; parents.len()];
    for start in 0..parents.len() {
        let walk = as_u32(start) + 1;
        let mut at = Some(as_u32(start));
        while let Some(index) = at {
            let seen_in = walk_of[index as usize];
            if seen_in == walk {
                cuts[first_of_cycle(parents, index) as usize] = true;
                break;
            }
            if seen_in != UNSEEN {
                break;
            }
            walk_of[index as usize] = walk;
            at = parents[index as usize];
        }
    }
    cuts
}

fn first_of_cycle(parents: &[Option<u32>], member: u32) -> u32 {
    let mut first = member;
    let mut at = parents[member as usize];
    while let Some(index) = at.filter(|&index| index != member) {
        first = first.min(index);
        at = parents[index as usize];
    }
    first
}

fn draw_order(tops: &[(u32, Place)], children: &[Vec<u32>]) -> Vec<(u32, u32, Place)> {
    let mut order = Vec::with_capacity(children.len());
    let mut stack: Vec<(u32, u32, Place)> = tops
        .iter()
        .rev()
        .map(|&(index, place)| (index, 0, place))
        .collect();
    while let Some((index, depth, place)) = stack.pop() {
        order.push((index, depth, place));
        let below = children[index as usize].iter().rev();
        stack.extend(below.map(|&child| (child, depth + 1, Place::Child)));
    }
    order
}

fn count_descendants(rows: &mut [TreeRow]) {
    let mut open: Vec<usize> = Vec::new();
    for index in 0..=rows.len() {
        let depth = rows.get(index).map_or(0, |row| row.depth);
        while let Some(&ancestor) = open.last() {
            if index < rows.len() && rows[ancestor].depth < depth {
                break;
            }
            rows[ancestor].descendants = as_u32(index - ancestor - 1);
            open.pop();
        }
        if index < rows.len() {
            open.push(index);
        }
    }
}

/// A trace of more than four thousand million spans does not fit in memory, let alone in a tree.
fn as_u32(index: usize) -> u32 {
    u32::try_from(index).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::span::{CallRole, Level, Status, Timings};
    use crate::time::Timestamp;

    /// A bare span that is named like its id.
    pub(super) fn span(id: &str, parent: Option<&str>, start: u64) -> TreeSpan {
        TreeSpan {
            span_id: SpanId::from_text(id).unwrap(),
            parent_span_id: parent.map(|id| SpanId::from_text(id).unwrap()),
            name: id.to_owned(),
            kind: SpanKind::Span,
            start: Timestamp::from_unix_nanos(start).unwrap(),
            end: None,
            status: Status::Unset,
            level: Level::Default,
            error: None,
            service: String::new(),
            model: None,
            input_tokens: None,
            output_tokens: None,
            cost: None,
            timings: Timings::default(),
            response_id: None,
            call_role: CallRole::default(),
            usage_details: 0,
        }
    }

    fn drawn(tree: &Tree) -> Vec<(String, u32, u32, Place)> {
        tree.rows
            .iter()
            .map(|row| (row.span.name.clone(), row.depth, row.descendants, row.place))
            .collect()
    }

    #[test]
    fn siblings_stand_by_start_then_id_below_their_parent() {
        let tree = build_tree(vec![
            span("b", Some("r"), 2),
            span("z", Some("b"), 9),
            span("c", Some("r"), 3),
            span("a2", Some("r"), 1),
            span("a1", Some("r"), 1),
            span("r", None, 0),
        ]);
        assert_eq!(
            drawn(&tree),
            vec![
                ("r".to_owned(), 0, 5, Place::Root),
                ("a1".to_owned(), 1, 0, Place::Child),
                ("a2".to_owned(), 1, 0, Place::Child),
                ("b".to_owned(), 1, 1, Place::Child),
                ("z".to_owned(), 2, 0, Place::Child),
                ("c".to_owned(), 1, 0, Place::Child),
            ]
        );
    }

    #[test]
    fn what_has_no_parent_stands_below_the_trace_itself() {
        let mut whole = span("t", None, 5);
        whole.kind = SpanKind::Trace;
        let mut last = span("b", None, 7);
        last.end = Timestamp::from_unix_nanos(9);
        let tree = build_tree(vec![
            span("a", None, 1),
            last.clone(),
            whole,
            span("c", Some("b"), 8),
        ]);
        let drawn: Vec<_> = drawn(&tree)
            .into_iter()
            .map(|(name, depth, ..)| (name, depth))
            .collect();
        let expected = [("t", 0), ("a", 1), ("b", 1), ("c", 2)];
        assert_eq!(
            drawn,
            expected.map(|(name, depth)| (name.to_owned(), depth))
        );
        assert_eq!(tree.rows[0].span.end, last.end);
    }

    #[test]
    fn a_circle_is_cut_once_at_its_earliest_span() {
        let tree = build_tree(vec![
            span("a", Some("c"), 5),
            span("b", Some("a"), 3),
            span("c", Some("b"), 4),
            span("leaf", Some("c"), 9),
            span("self", Some("self"), 1),
            span("root", None, 0),
        ]);
        let places: Vec<_> = drawn(&tree)
            .into_iter()
            .map(|(name, _, _, place)| (name, place))
            .collect();
        assert_eq!(
            places,
            vec![
                ("root".to_owned(), Place::Root),
                ("self".to_owned(), Place::CycleCut),
                ("b".to_owned(), Place::CycleCut),
                ("c".to_owned(), Place::Child),
                ("a".to_owned(), Place::Child),
                ("leaf".to_owned(), Place::Child),
            ]
        );
    }

    #[test]
    fn a_chain_of_a_hundred_thousand_is_drawn_without_deep_recursion() {
        let spans = (0..100_000u64)
            .map(|n| {
                let parent = n.checked_sub(1).map(|parent| parent.to_string());
                span(&n.to_string(), parent.as_deref(), n)
            })
            .collect();
        let tree = build_tree(spans);
        assert_eq!(tree.rows[99_999].depth, 99_999);
        assert_eq!(tree.rows[0].descendants, 99_999);
    }

    proptest! {
        #[test]
        fn every_span_is_drawn_once_in_an_order_that_does_not_depend_on_arrival(
            parents in proptest::collection::vec(0usize..12, 1..12),
            seed in any::<u64>(),
        ) {
            let spans: Vec<TreeSpan> = parents
                .iter()
                .enumerate()
                .map(|(n, parent)| {
                    let parent = (*parent < 11).then(|| parent.to_string());
                    span(&n.to_string(), parent.as_deref(), (n % 3) as u64)
                })
                .collect();
            let mut shuffled = spans.clone();
            let mut state = seed;
            for at in (1..shuffled.len()).rev() {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
                shuffled.swap(at, usize::try_from(state >> 33).unwrap() % (at + 1));
            }
            let tree = build_tree(spans.clone());
            prop_assert_eq!(&tree, &build_tree(shuffled));
            let mut ids: Vec<_> = tree.rows.iter().map(|row| row.span.span_id.clone()).collect();
            ids.sort();
            let mut expected: Vec<_> = spans.iter().map(|span| span.span_id.clone()).collect();
            expected.sort();
            prop_assert_eq!(ids, expected);
        }
    }
}
