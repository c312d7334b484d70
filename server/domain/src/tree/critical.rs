//! The critical path: the spans without which the trace would have ended sooner.
//!
//! From the end backwards, as in CRISP (Zhang et al., USENIX ATC 2022): of the children of a span the one that
//! ended last is on the path, before its start the one that ended last by then, and so on; each of them
//! likewise. What runs beside them does not hold the trace up.

use std::ops::Range;

use super::{Tree, TreeRow};
use crate::time::Timestamp;

/// For each row whether it is on the critical path. Spans without a length take no time and are on none.
pub fn critical_path(tree: &Tree) -> Vec<bool> {
    let mut on_path = vec![false; tree.rows.len()];
    let last = tree.rows.iter().map(end_of).max();
    let mut open = Vec::new();
    enter(
        tree,
        0..tree.rows.len(),
        last.unwrap_or(Timestamp::EPOCH),
        &mut open,
    );
    while let Some((at, until)) = open.pop() {
        on_path[at] = true;
        enter(tree, tree.below(at), until, &mut open);
    }
    on_path
}

fn end_of(row: &TreeRow) -> Timestamp {
    row.span.end.unwrap_or(row.span.start)
}

/// Adds those of a generation that are on the path, each with when it stops to matter.
fn enter(
    tree: &Tree,
    generation: Range<usize>,
    until: Timestamp,
    open: &mut Vec<(usize, Timestamp)>,
) {
    let with_end = |at| (end_of(&tree.rows[at]).min(until), at);
    let mut by_end: Vec<(Timestamp, usize)> = tree.tops(generation).map(with_end).collect();
    by_end.sort_unstable_by(|a, b| b.cmp(a));
    let mut until = until;
    for (end, at) in by_end {
        let start = tree.rows[at].span.start;
        if end <= until && start < end {
            open.push((at, end));
            until = start;
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::build_tree;
    use super::super::tests::span;
    use super::*;
    use crate::trace::TreeSpan;

    fn path(spans: &[(&str, Option<&str>, u64, u64)]) -> Vec<String> {
        let timed = |&(id, parent, from, to): &(&str, Option<&str>, u64, u64)| {
            let mut timed = span(id, parent, from);
            timed.end = Timestamp::from_unix_nanos(to);
            timed
        };
        let tree = build_tree(spans.iter().map(timed).collect());
        let on_path = critical_path(&tree);
        let rows = tree.rows.iter().zip(on_path);
        rows.filter(|(_, is_on)| *is_on)
            .map(|(row, _)| row.span.name.clone())
            .collect()
    }

    #[test]
    fn what_ran_beside_something_longer_is_not_on_it() {
        let found = path(&[
            ("r", None, 0, 100),
            ("fast", Some("r"), 10, 40),
            ("slow", Some("r"), 10, 60),
            ("leaf", Some("slow"), 20, 30),
            ("point", Some("r"), 70, 70),
            ("last", Some("r"), 60, 100),
        ]);
        assert_eq!(found, ["r", "slow", "leaf", "last"]);
    }

    #[test]
    fn a_child_that_outlives_its_parent_counts_as_far_as_the_parent() {
        let found = path(&[
            ("r", None, 0, 50),
            ("long", Some("r"), 10, 90),
            ("other", None, 50, 95),
        ]);
        assert_eq!(found, ["r", "long", "other"]);
    }

    proptest! {
        #[test]
        fn siblings_on_it_never_overlap_and_each_stands_below_one_on_it(
            spans in proptest::collection::vec((0usize..20, 0u64..50, 0u64..30), 1..30),
        ) {
            let made: Vec<TreeSpan> = spans.iter().enumerate().map(|(n, (parent, from, length))| {
                let parent = (*parent < n).then(|| parent.to_string());
                let mut timed = span(&n.to_string(), parent.as_deref(), *from);
                timed.end = Timestamp::from_unix_nanos(from + length);
                timed
            }).collect();
            let tree = build_tree(made);
            let on_path = critical_path(&tree);
            for at in 0..tree.rows.len() {
                if on_path[at] && let Some(parent) = tree.parent(at) {
                    prop_assert!(on_path[parent]);
                }
                let children: Vec<usize> = tree.tops(tree.below(at)).filter(|&child| on_path[child]).collect();
                for pair in children.windows(2) {
                    let (a, b) = (&tree.rows[pair[0]].span, &tree.rows[pair[1]].span);
                    let end = tree.rows[at].span.end.min(a.end);
                    prop_assert!(end <= Some(b.start) || a.start >= b.start);
                }
            }
        }
    }
}
