//! Siblings one after another that do the same: a loop, a fan-out. Hundreds of them say less than their number
//! and how long they took.

use std::ops::Range;

use super::Tree;
use super::figures::{Figures, add};
use crate::money::Usd;
use crate::stats::quantile::quantile;
use crate::time::Timestamp;

/// Fewer are shown one by one.
pub const FEWEST: usize = 5;

/// A run of siblings of one name and kind.
#[derive(Clone, Debug, PartialEq)]
pub struct Repeat {
    /// Row of the first of them.
    pub first: usize,
    /// One row past the last of them with what is below it.
    pub end: usize,
    /// How many they are.
    pub members: usize,
    /// How many of them failed.
    pub failed: usize,
    /// Start of the first.
    pub start: Timestamp,
    /// Latest end; `None` where none has ended.
    pub to: Option<Timestamp>,
    /// 95th percentile of the latency of those that ended, in milliseconds.
    pub p95_ms: Option<f64>,
    /// Tokens of all, with those below them.
    pub tokens: Option<u64>,
    /// Cost of all, likewise.
    pub cost: Option<Usd>,
}

/// The runs of a tree in the order of their rows; those within others come after them.
pub fn repeats(tree: &Tree, figures: &[Figures]) -> Vec<Repeat> {
    let mut found = Vec::new();
    collect(tree, 0..tree.rows.len(), figures, &mut found);
    for at in 0..tree.rows.len() {
        if tree.rows[at].descendants as usize >= FEWEST {
            collect(tree, tree.below(at), figures, &mut found);
        }
    }
    found.sort_by_key(|repeat| repeat.first);
    found
}

fn collect(tree: &Tree, generation: Range<usize>, figures: &[Figures], found: &mut Vec<Repeat>) {
    let mut run: Vec<usize> = Vec::new();
    for at in tree.tops(generation) {
        let same = run.last().is_none_or(|&last| {
            let (a, b) = (&tree.rows[last].span, &tree.rows[at].span);
            (a.kind, &a.name) == (b.kind, &b.name)
        });
        if !same {
            found.extend(repeat(tree, &run, figures));
            run.clear();
        }
        run.push(at);
    }
    found.extend(repeat(tree, &run, figures));
}

fn repeat(tree: &Tree, run: &[usize], figures: &[Figures]) -> Option<Repeat> {
    let (&first, &last) = (run.first()?, run.last()?);
    if run.len() < FEWEST {
        return None;
    }
    let spans = || run.iter().map(|&at| &tree.rows[at].span);
    let mut latencies: Vec<f64> = spans()
        .filter_map(|span| Some(span.latency()?.as_millis_f64()))
        .collect();
    latencies.sort_by(f64::total_cmp);
    let sums = run.iter().map(|&at| &figures[at]);
    Some(Repeat {
        first,
        end: tree.below(last).end,
        members: run.len(),
        failed: spans().filter(|span| span.failed()).count(),
        start: tree.rows[first].span.start,
        to: spans().filter_map(|span| span.end).max(),
        p95_ms: quantile(&latencies, 0.95),
        tokens: sums
            .clone()
            .fold(None, |sum, row| add(sum, row.tokens, u64::saturating_add)),
        cost: sums.fold(None, |sum, row| add(sum, row.cost, |a, b| a + b)),
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::build_tree;
    use super::super::figures::figures;
    use super::super::tests::span;
    use super::*;
    use crate::trace::TreeSpan;

    /// Children of one root by name, in order; each takes as many milliseconds as its place says.
    fn fan_out(names: &[&str]) -> Tree {
        let mut spans = vec![span("root", None, 0)];
        for (n, name) in names.iter().enumerate() {
            let start = 1_000_000 * (n as u64 + 1);
            let mut child = span(&format!("c{n:04}"), Some("root"), start);
            child.name = (*name).to_owned();
            child.end = Timestamp::from_unix_nanos(start + start);
            child.input_tokens = Some(2);
            spans.push(child);
        }
        build_tree(spans)
    }

    fn found(tree: &Tree) -> Vec<Repeat> {
        repeats(tree, &figures(tree))
    }

    #[test]
    fn a_run_is_told_by_number_time_and_tokens() {
        let mut names = vec!["plan"];
        names.extend(["search"; 20]);
        names.push("answer");
        let runs = found(&fan_out(&names));
        assert_eq!(runs.len(), 1);
        let run = &runs[0];
        assert_eq!((run.first, run.end, run.members), (2, 22, 20));
        assert_eq!((run.failed, run.tokens, run.cost), (0, Some(40), None));
        assert_eq!(run.p95_ms.map(f64::round), Some(20.0));
    }

    #[test]
    fn few_and_those_with_others_between_them_stay_as_they_are() {
        assert!(found(&fan_out(&["a"; FEWEST - 1])).is_empty());
        assert!(found(&fan_out(&["a", "b", "a", "b", "a", "b", "a", "b"])).is_empty());
    }

    #[test]
    fn runs_within_runs_are_found_and_those_of_tops_too() {
        let mut spans: Vec<TreeSpan> = Vec::new();
        for top in 0..6u64 {
            let mut turn = span(&format!("t{top}"), None, top * 100);
            turn.name = "turn".to_owned();
            spans.push(turn);
            for n in 0..7u64 {
                let mut call = span(
                    &format!("t{top}c{n}"),
                    Some(&format!("t{top}")),
                    top * 100 + n,
                );
                call.name = "call".to_owned();
                spans.push(call);
            }
        }
        let members: Vec<_> = found(&build_tree(spans))
            .into_iter()
            .map(|run| (run.first, run.end, run.members))
            .collect();
        assert_eq!(members[..3], [(0, 48, 6), (1, 8, 7), (9, 16, 7)]);
        assert_eq!(members.len(), 7);
    }

    proptest! {
        #[test]
        fn runs_are_whole_trees_that_lie_apart_or_within_one_another(
            spans in proptest::collection::vec((0usize..8, 0usize..2), 1..60),
        ) {
            let made = spans.iter().enumerate().map(|(n, (parent, name))| {
                let parent = (*parent < n).then(|| parent.to_string());
                let mut span = span(&n.to_string(), parent.as_deref(), n as u64);
                span.name = name.to_string();
                span
            });
            let tree = build_tree(made.collect());
            let runs = found(&tree);
            for run in &runs {
                let members: Vec<usize> = tree.tops(run.first..run.end).collect();
                prop_assert_eq!(members.len(), run.members);
                let depth = tree.rows[run.first].depth;
                prop_assert!(members.iter().all(|&at| tree.rows[at].depth == depth));
            }
            for pair in runs.windows(2) {
                prop_assert!(pair[0].first < pair[1].first);
                prop_assert!(pair[1].first >= pair[0].end || pair[1].end <= pair[0].end);
            }
        }
    }
}
