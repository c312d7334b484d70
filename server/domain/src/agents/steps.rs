//! The graph of steps: what was done, in the order in which it was done, whoever did it.

use std::collections::HashMap;

use crate::money::Usd;
use crate::span::SpanKind;
use crate::time::{Nanos, Timestamp};
use crate::tree::figures::{Figures, add};
use crate::tree::{Tree, TreeRow};

/// Steps that are drawn one by one; names that are drawn when they are put together.
pub const MOST_STEPS: usize = 60;

/// How steps are put together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// All of one name are one.
    ByName,
    /// Each stands for itself.
    Expanded,
}

/// A step, or all of one name.
#[derive(Clone, Debug, PartialEq)]
pub struct Step {
    /// Its name.
    pub name: String,
    /// Its kind.
    pub kind: SpanKind,
    /// How often.
    pub times: u64,
    /// How many failed.
    pub failed: u64,
    /// Tokens; `None` where nothing counted any.
    pub tokens: Option<u64>,
    /// Cost, likewise.
    pub cost: Option<Usd>,
    /// Time, summed up.
    pub latency: Nanos,
    /// Row of the first one.
    pub row: usize,
}

/// What followed what.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Follows {
    /// The earlier one.
    pub from: usize,
    /// The later one: the same where something was repeated.
    pub to: usize,
    /// How often.
    pub times: u64,
}

/// The graph.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StepGraph {
    /// In the order of their first start.
    pub steps: Vec<Step>,
    /// In the order in which they first came.
    pub follows: Vec<Follows>,
    /// Steps that are not drawn.
    pub left_out: u64,
}

/// Draws it. Steps are spans that nothing is below, but for instants. A step follows the one that ended last before
/// it began; those that ran at the same time follow the same one.
pub fn step_graph(tree: &Tree, figures: &[Figures], form: Form) -> StepGraph {
    let mut rows: Vec<(usize, &TreeRow)> = tree
        .rows
        .iter()
        .enumerate()
        .filter(|(_, row)| row.descendants == 0)
        .filter(|(_, row)| !matches!(row.span.kind, SpanKind::Event | SpanKind::Trace))
        .collect();
    rows.sort_by_key(|(_, row)| row.span.start);
    let mut graph = StepGraph::default();
    let mut known: HashMap<(SpanKind, &str), usize> = HashMap::new();
    let mut edges: HashMap<(usize, usize), usize> = HashMap::new();
    let mut ended = Ended::default();
    for (at, row) in rows {
        let key = (row.span.kind, row.span.name.as_str());
        let step = match (form, known.get(&key)) {
            (Form::ByName, Some(step)) => *step,
            _ if graph.steps.len() >= MOST_STEPS => {
                graph.left_out += 1;
                continue;
            }
            _ => {
                graph.steps.push(new_step(at, row));
                known.insert(key, graph.steps.len() - 1);
                graph.steps.len() - 1
            }
        };
        graph.steps[step].count(row, &figures[at]);
        if let Some(from) = ended.before(row.span.start) {
            let edge = *edges.entry((from, step)).or_insert_with(|| {
                graph.follows.push(Follows {
                    from,
                    to: step,
                    times: 0,
                });
                graph.follows.len() - 1
            });
            graph.follows[edge].times += 1;
        }
        ended.add(row.span.end.unwrap_or(row.span.start), step);
    }
    graph
}

fn new_step(at: usize, row: &TreeRow) -> Step {
    Step {
        name: row.span.name.clone(),
        kind: row.span.kind,
        times: 0,
        failed: 0,
        tokens: None,
        cost: None,
        latency: Nanos(0),
        row: at,
    }
}

impl Step {
    fn count(&mut self, row: &TreeRow, figures: &Figures) {
        self.times += 1;
        self.failed += u64::from(row.span.failed());
        self.tokens = add(self.tokens, figures.tokens, u64::saturating_add);
        self.cost = add(self.cost, figures.cost, |a, b| a + b);
        let latency = row.span.latency().unwrap_or_default();
        self.latency = Nanos(self.latency.0.saturating_add(latency.0));
    }
}

/// Steps by their end.
#[derive(Default)]
struct Ended(std::collections::BTreeMap<Timestamp, usize>);

impl Ended {
    fn add(&mut self, end: Timestamp, step: usize) {
        self.0.insert(end, step);
    }

    /// The step that ended last by then.
    fn before(&self, start: Timestamp) -> Option<usize> {
        self.0.range(..=start).next_back().map(|(_, step)| *step)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::tests::step;
    use super::*;
    use crate::trace::TreeSpan;
    use crate::tree::build_tree;
    use crate::tree::figures::figures;

    fn drawn(spans: Vec<TreeSpan>, form: Form) -> StepGraph {
        let tree = build_tree(spans);
        step_graph(&tree, &figures(&tree), form)
    }

    fn looping() -> Vec<TreeSpan> {
        let at = |n: u64| (n * 10, n * 10 + 9);
        vec![
            step(("r", None), SpanKind::Agent, "agent", (0, 100)),
            step(("1", Some("r")), SpanKind::Generation, "plan", at(0)),
            step(("2", Some("r")), SpanKind::Tool, "search", at(1)),
            step(("3", Some("r")), SpanKind::Tool, "search!", at(2)),
            step(("4", Some("r")), SpanKind::Generation, "plan", at(3)),
            step(("5", Some("r")), SpanKind::Tool, "write", at(4)),
            step(("6", Some("r")), SpanKind::Tool, "notify", at(4)),
        ]
    }

    #[test]
    fn steps_of_a_name_are_one_and_what_came_again_leads_back() {
        let graph = drawn(looping(), Form::ByName);
        let steps: Vec<_> = graph
            .steps
            .iter()
            .map(|step| (step.name.as_str(), step.times, step.failed))
            .collect();
        let expected = [
            ("plan", 2, 0),
            ("search", 2, 1),
            ("write", 1, 0),
            ("notify", 1, 0),
        ];
        assert_eq!(steps, expected);
        let follows: Vec<_> = graph
            .follows
            .iter()
            .map(|edge| (edge.from, edge.to))
            .collect();
        assert_eq!(follows, [(0, 1), (1, 1), (1, 0), (0, 2), (0, 3)]);
    }

    #[test]
    fn expanded_each_stands_for_itself_and_time_goes_one_way() {
        let graph = drawn(looping(), Form::Expanded);
        assert_eq!(graph.steps.len(), 6);
        assert!(graph.follows.iter().all(|edge| edge.from < edge.to));
    }

    proptest! {
        #[test]
        fn every_step_is_counted_or_told_to_be_left_out(
            spans in proptest::collection::vec((0u64..500, 0u64..50, 0usize..100), 0..150),
        ) {
            let made = |_| spans.iter().enumerate().map(|(n, (from, length, name))| {
                step((&n.to_string(), None), SpanKind::Tool, &name.to_string(), (*from, from + length))
            }).collect();
            for form in [Form::ByName, Form::Expanded] {
                let graph = drawn(made(()), form);
                let times: u64 = graph.steps.iter().map(|step| step.times).sum();
                prop_assert_eq!(times + graph.left_out, spans.len() as u64);
                prop_assert!(graph.steps.len() <= MOST_STEPS);
                if form == Form::Expanded {
                    prop_assert!(graph.follows.iter().all(|edge| edge.from < edge.to));
                }
            }
        }
    }
}
