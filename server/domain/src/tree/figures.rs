//! Tokens, cost and time of each row: with those below it, and of itself alone.

use super::Tree;
use crate::money::Usd;
use crate::time::{Nanos, Timestamp};
use crate::trace::TreeSpan;

/// What a row comes to.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Figures {
    /// Tokens in and out, with those below it; `None` where nothing counted any.
    pub tokens: Option<u64>,
    /// Cost with those below it.
    pub cost: Option<Usd>,
    /// Tokens that nothing below it counts.
    pub own_tokens: u64,
    /// Cost that nothing below it has.
    pub own_cost: Usd,
    /// The part of its time in which nothing directly below it ran.
    pub own_time: Nanos,
}

/// Figures of every row, from the leaves up. What a span reports itself counts over the sum of those below it,
/// so that an agent that repeats its calls' usage does not count twice.
pub fn figures(tree: &Tree) -> Vec<Figures> {
    let mut all = vec![Figures::default(); tree.rows.len()];
    for at in (0..tree.rows.len()).rev() {
        let span = &tree.rows[at].span;
        let mut below = Figures::default();
        let mut covered = Covered::of(span);
        for child in tree.tops(tree.below(at)) {
            below.tokens = add(below.tokens, all[child].tokens, u64::saturating_add);
            below.cost = add(below.cost, all[child].cost, |a, b| a + b);
            covered.add(&tree.rows[child].span);
        }
        let tokens = own_tokens(span).or(below.tokens);
        let cost = span.cost.or(below.cost);
        all[at] = Figures {
            tokens,
            cost,
            own_tokens: tokens
                .unwrap_or(0)
                .saturating_sub(below.tokens.unwrap_or(0)),
            own_cost: Usd(
                (cost.unwrap_or_default().0 - below.cost.unwrap_or_default().0)
                    .max(Usd::default().0),
            ),
            own_time: Nanos(
                span.latency()
                    .unwrap_or_default()
                    .0
                    .saturating_sub(covered.time.0),
            ),
        };
    }
    all
}

fn own_tokens(span: &TreeSpan) -> Option<u64> {
    match (span.input_tokens, span.output_tokens) {
        (None, None) => None,
        (input, output) => Some(input.unwrap_or(0).saturating_add(output.unwrap_or(0))),
    }
}

/// `a` and `b` together, where either is known.
pub fn add<T>(a: Option<T>, b: Option<T>, sum: impl Fn(T, T) -> T) -> Option<T> {
    match (a, b) {
        (Some(a), Some(b)) => Some(sum(a, b)),
        (a, b) => a.or(b),
    }
}

/// How much of a span's time others cover, which are given by start.
struct Covered {
    from: Timestamp,
    to: Timestamp,
    time: Nanos,
}

impl Covered {
    fn of(span: &TreeSpan) -> Self {
        Covered {
            from: span.start,
            to: span.end.unwrap_or(span.start),
            time: Nanos(0),
        }
    }

    fn add(&mut self, child: &TreeSpan) {
        let from = child.start.max(self.from);
        let to = child.end.unwrap_or(child.start).min(self.to);
        if to > from {
            self.time = Nanos(self.time.0 + (to - from).0);
            self.from = to;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::build_tree;
    use super::super::tests::span;
    use super::*;

    fn timed(id: &str, parent: Option<&str>, (from, to): (u64, u64)) -> TreeSpan {
        let mut timed = span(id, parent, from);
        timed.end = Timestamp::from_unix_nanos(to);
        timed
    }

    #[test]
    fn a_span_that_repeats_what_its_calls_used_does_not_count_twice() {
        let mut agent = timed("agent", None, (0, 100));
        agent.input_tokens = Some(30);
        let mut first = timed("first", Some("agent"), (10, 40));
        first.input_tokens = Some(10);
        first.cost = Some(Usd(2.into()));
        let mut second = timed("second", Some("agent"), (20, 60));
        second.output_tokens = Some(20);
        let found = figures(&build_tree(vec![agent, first, second]));
        assert_eq!((found[0].tokens, found[0].own_tokens), (Some(30), 0));
        assert_eq!(
            (found[0].cost, found[0].own_cost),
            (Some(Usd(2.into())), Usd::default())
        );
        assert_eq!(found[0].own_time, Nanos(50), "10 to 60 is covered, once");
        assert_eq!((found[2].cost, found[2].tokens), (None, Some(20)));
    }

    #[test]
    fn whatever_is_below_is_in_the_sum_and_counts_as_own_once() {
        let spans = (0..200u64).map(|n| {
            let parent = (n > 0).then(|| (n / 3).to_string());
            let parent = parent.as_deref().filter(|_| n > 2 || n > 0);
            let mut span = timed(&n.to_string(), parent, (n, n + 5));
            span.cost = (n % 4 == 3).then(|| Usd(n.into()));
            span.input_tokens = (n % 7 == 6).then_some(n);
            span
        });
        let tree = build_tree(spans.collect());
        let found = figures(&tree);
        let own: u64 = found.iter().map(|row| row.own_tokens).sum();
        let tops: u64 = tree
            .tops(0..tree.rows.len())
            .filter_map(|at| found[at].tokens)
            .sum();
        assert!(own >= tops, "{own} {tops}");
    }
}
