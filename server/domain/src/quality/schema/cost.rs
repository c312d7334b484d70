//! The greatest number of keywords that a schema can make of one value, at each depth of an answer.
//!
//! A schema is a graph: some keywords apply another schema to the same value (`allOf`, `$ref`), others
//! to a value below it (`properties`, `items`). Followed from the root with the number of ways that lead
//! to each schema, it says how often each can be applied to one value of some depth. Two names of one
//! object are two values: of several names only the one with the most ways counts.

use std::collections::BTreeMap;

use serde_json::Value;

use super::SchemaError;
use super::keywords::{self, Node, Step};

/// Depths that an answer may have: `serde_json` reads no more.
const DEPTHS: usize = 128;

/// Steps through the graph that may be taken to know its costs.
const MAX_STEPS: usize = 2_000_000;

/// Keywords for one value at each depth, the greatest up to there.
#[derive(Debug)]
pub(super) struct Costs(Vec<u64>);

impl Costs {
    /// Of a schema, to the depth at which one value alone is over the budget.
    pub(super) fn of(schema: &Value, budget: u64) -> Result<Self, SchemaError> {
        let graph = Graph::of(schema)?;
        let mut ways = Ways::new();
        ways.insert(graph.root, 1);
        let mut steps = 0;
        let mut ways = graph.spread(ways, &mut steps)?;
        let mut costs: Vec<u64> = Vec::new();
        while costs.len() < DEPTHS {
            let cost = graph.cost(&ways).max(costs.last().copied().unwrap_or(0));
            if cost > budget {
                break;
            }
            costs.push(cost);
            let below = graph.descend(&ways, &mut steps)?;
            if below == ways {
                costs.resize(DEPTHS, cost);
            }
            ways = below;
        }
        (!costs.is_empty())
            .then_some(Costs(costs))
            .ok_or(SchemaError::TooCostly)
    }

    /// The cost of each value of an answer of that depth; `None` when it is over the budget.
    pub(super) fn at_depth(&self, depth: usize) -> Option<u64> {
        self.0.get(depth).copied()
    }
}

/// In how many ways each schema is applied to one value, by the schema's place in the order.
type Ways = BTreeMap<usize, u64>;

fn add(ways: &mut Ways, node: usize, more: u64) {
    let known = ways.entry(node).or_insert(0);
    *known = known.saturating_add(more);
}

/// The schemas of a schema, each before those that it applies in place.
struct Graph {
    root: usize,
    nodes: Vec<Node>,
    /// Steps to values below, sorted by key.
    below: Vec<Step>,
}

impl Graph {
    fn of(root: &Value) -> Result<Self, SchemaError> {
        let (nodes, below) = keywords::read(root)?;
        Graph::in_order(nodes, below).ok_or(SchemaError::TooCostly)
    }

    /// Sorts the schemas by what they apply in place (Kahn 1962); `None` when one comes to apply itself
    /// to the same value.
    fn in_order(mut nodes: Vec<Node>, mut below: Vec<Step>) -> Option<Self> {
        let mut waiting = vec![0_usize; nodes.len()];
        for &target in nodes.iter().flat_map(|node| &node.in_place) {
            waiting[target] += 1;
        }
        let mut order: Vec<usize> = (0..nodes.len()).filter(|&n| waiting[n] == 0).collect();
        let mut place = vec![0_usize; nodes.len()];
        let mut sorted = Vec::with_capacity(nodes.len());
        while let Some(&index) = order.get(sorted.len()) {
            place[index] = sorted.len();
            for &target in &nodes[index].in_place {
                waiting[target] -= 1;
                if waiting[target] == 0 {
                    order.push(target);
                }
            }
            sorted.push(std::mem::take(&mut nodes[index]));
        }
        if sorted.len() < nodes.len() {
            return None;
        }
        for target in sorted.iter_mut().flat_map(|node| &mut node.in_place) {
            *target = place[*target];
        }
        for step in &mut below {
            (step.from, step.to) = (place[step.from], place[step.to]);
        }
        below.sort_unstable_by_key(|step| step.key);
        Some(Graph {
            root: place[0],
            nodes: sorted,
            below,
        })
    }

    /// Follows the ways into a value to all schemas that are applied to it.
    fn spread(&self, mut entering: Ways, steps: &mut usize) -> Result<Ways, SchemaError> {
        let mut all = Ways::new();
        while let Some((index, ways)) = entering.pop_first() {
            let node = &self.nodes[index];
            *steps += 1 + node.in_place.len();
            if *steps > MAX_STEPS {
                return Err(SchemaError::TooCostly);
            }
            for &target in &node.in_place {
                add(&mut entering, target, ways.saturating_mul(node.times));
            }
            all.insert(index, ways);
        }
        Ok(all)
    }

    /// The ways into a value one deeper.
    fn descend(&self, ways: &Ways, steps: &mut usize) -> Result<Ways, SchemaError> {
        let mut anywhere = Ways::new();
        let mut most = Ways::new();
        for group in self.below.chunk_by(|a, b| a.key == b.key) {
            *steps += group.len();
            let mut entering = Ways::new();
            for step in group {
                if let Some(&ways) = ways.get(&step.from) {
                    add(&mut entering, step.to, ways);
                }
            }
            let inside = self.spread(entering, steps)?;
            if group[0].key == 0 {
                anywhere = inside;
                continue;
            }
            for (index, ways) in inside {
                let known = most.entry(index).or_insert(0);
                *known = ways.max(*known);
            }
        }
        for (index, ways) in anywhere {
            add(&mut most, index, ways);
        }
        Ok(most)
    }

    fn cost(&self, ways: &Ways) -> u64 {
        ways.iter().fold(0, |sum, (&index, &ways)| {
            sum.saturating_add(self.nodes[index].weight.saturating_mul(ways))
        })
    }
}
