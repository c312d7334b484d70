//! The message graph: an agent that has another agent or a tool do something sends it a message. An edge tells how
//! many, and what came of them.

use std::collections::{BTreeMap, HashMap};

use super::Details;
use crate::money::Usd;
use crate::span::SpanKind;
use crate::time::Nanos;
use crate::tree::figures::{Figures, add};
use crate::tree::{Tree, TreeRow};

/// More of different names are not drawn apart: what they did counts for whoever called them.
pub const MOST_NODES: usize = 60;
/// Spans that an edge or a node names one by one.
pub const MOST_NAMED: usize = 50;
/// How tools of hand-offs are named by agent frameworks, before the name of the agent.
const HAND_OFF: &str = "transfer_to_";

/// An agent or a tool, all of one name together.
#[derive(Clone, Debug, PartialEq)]
pub struct Node {
    /// Its name.
    pub name: String,
    /// What it is: of a trace without agents, its root stands for one.
    pub kind: SpanKind,
    /// How often it was called.
    pub calls: u64,
    /// How many of these failed.
    pub failed: u64,
    /// Failures by kind of error; the empty kind is one that was not told.
    pub errors: BTreeMap<String, u64>,
    /// Calls of models that it made itself.
    pub model_calls: u64,
    /// Tokens of what it did itself.
    pub tokens: u64,
    /// Cost of what it did itself.
    pub cost: Usd,
    /// Time of what it did itself.
    pub time: Nanos,
    /// Rows of its calls, the first [`MOST_NAMED`].
    pub rows: Vec<usize>,
}

/// What went from one to another.
#[derive(Clone, Debug, PartialEq)]
pub struct Edge {
    /// Who sent.
    pub from: usize,
    /// Who received.
    pub to: usize,
    /// How many.
    pub messages: u64,
    /// How many of them failed.
    pub failed: u64,
    /// Tokens of what came of them, with all below; `None` where nothing counted any.
    pub tokens: Option<u64>,
    /// Cost, likewise.
    pub cost: Option<Usd>,
    /// Time from each to its answer, summed up.
    pub latency: Nanos,
    /// Whether the one gave the conversation over to the other.
    pub is_hand_off: bool,
    /// Whether it is part of a circle: what was sent leads back to the sender.
    pub is_in_loop: bool,
}

/// The graph.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MessageGraph {
    /// In the order in which they first did something.
    pub nodes: Vec<Node>,
    /// In the order of their first message.
    pub edges: Vec<Edge>,
    /// Calls of names that are not drawn apart.
    pub left_out: u64,
}

impl MessageGraph {
    /// Whether a node is an agent.
    pub fn is_agent(&self, node: usize) -> bool {
        self.nodes.get(node).is_some_and(|node| is_agent(node.kind))
    }
}

/// Draws it.
pub fn message_graph(tree: &Tree, figures: &[Figures], details: &Details) -> MessageGraph {
    let mut drawn = Drawn::default();
    // Who is at work, with the depth at which they are.
    let mut at_work: Vec<(u32, usize)> = Vec::new();
    for (at, row) in tree.rows.iter().enumerate() {
        while at_work.last().is_some_and(|(depth, _)| *depth >= row.depth) {
            at_work.pop();
        }
        let sender = at_work.last().map(|(_, node)| *node);
        let node = match acts(row) {
            true => drawn.node(row),
            false => None,
        };
        if let Some(node) = node {
            drawn.called(node, at, row, details);
            if let Some(sender) = sender {
                drawn.sent((sender, node), row, &figures[at]);
            }
            at_work.push((row.depth, node));
        }
        if let Some(doer) = node.or(sender) {
            drawn.did(doer, row, &figures[at]);
        }
    }
    drawn.hand_offs();
    let mut graph = drawn.graph;
    mark_loops(&mut graph);
    graph
}

/// Whether a span is somebody's: an agent, a tool or the like, or what a trace begins with.
fn acts(row: &TreeRow) -> bool {
    row.depth == 0
        || !matches!(
            row.span.kind,
            SpanKind::Generation
                | SpanKind::Embedding
                | SpanKind::Chain
                | SpanKind::Event
                | SpanKind::Trace
                | SpanKind::Span
        )
}

/// Whether a kind is drawn as an agent: agents, and whatever stands for one.
fn is_agent(kind: SpanKind) -> bool {
    !matches!(
        kind,
        SpanKind::Tool
            | SpanKind::Retriever
            | SpanKind::Reranker
            | SpanKind::Guardrail
            | SpanKind::Evaluator
    )
}

#[derive(Default)]
struct Drawn {
    graph: MessageGraph,
    by_name: HashMap<(bool, String), usize>,
    by_ends: HashMap<(usize, usize), usize>,
}

impl Drawn {
    fn node(&mut self, row: &TreeRow) -> Option<usize> {
        let key = (is_agent(row.span.kind), row.span.name.clone());
        if let Some(known) = self.by_name.get(&key) {
            return Some(*known);
        }
        let nodes = &mut self.graph.nodes;
        if nodes.len() >= MOST_NODES {
            self.graph.left_out += 1;
            return None;
        }
        nodes.push(Node {
            name: row.span.name.clone(),
            kind: row.span.kind,
            calls: 0,
            failed: 0,
            errors: BTreeMap::new(),
            model_calls: 0,
            tokens: 0,
            cost: Usd::default(),
            time: Nanos(0),
            rows: Vec::new(),
        });
        self.by_name.insert(key, nodes.len() - 1);
        Some(nodes.len() - 1)
    }

    fn called(&mut self, node: usize, at: usize, row: &TreeRow, details: &Details) {
        let node = &mut self.graph.nodes[node];
        node.calls += 1;
        if row.span.failed() {
            node.failed += 1;
            let detail = details.get(&row.span.span_id);
            let kind = detail.and_then(|detail| detail.error_kind.clone());
            *node.errors.entry(kind.unwrap_or_default()).or_default() += 1;
        }
        if node.rows.len() < MOST_NAMED {
            node.rows.push(at);
        }
    }

    fn did(&mut self, node: usize, row: &TreeRow, figures: &Figures) {
        let node = &mut self.graph.nodes[node];
        node.model_calls += u64::from(row.span.kind == SpanKind::Generation);
        node.tokens = node.tokens.saturating_add(figures.own_tokens);
        node.cost = node.cost + figures.own_cost;
        node.time = Nanos(node.time.0.saturating_add(figures.own_time.0));
    }

    fn sent(&mut self, ends: (usize, usize), row: &TreeRow, figures: &Figures) {
        let edge = self.edge(ends);
        edge.messages += 1;
        edge.failed += u64::from(row.span.failed());
        edge.tokens = add(edge.tokens, figures.tokens, u64::saturating_add);
        edge.cost = add(edge.cost, figures.cost, |a, b| a + b);
        let latency = row.span.latency().unwrap_or_default();
        edge.latency = Nanos(edge.latency.0.saturating_add(latency.0));
    }

    fn edge(&mut self, (from, to): (usize, usize)) -> &mut Edge {
        let edges = &mut self.graph.edges;
        let at = *self.by_ends.entry((from, to)).or_insert_with(|| {
            edges.push(Edge {
                from,
                to,
                messages: 0,
                failed: 0,
                tokens: None,
                cost: None,
                latency: Nanos(0),
                is_hand_off: false,
                is_in_loop: false,
            });
            edges.len() - 1
        });
        &mut edges[at]
    }

    /// A tool that only gives the conversation over is an edge between agents.
    fn hand_offs(&mut self) {
        for at in 0..self.graph.edges.len() {
            let (from, to) = (self.graph.edges[at].from, self.graph.edges[at].to);
            let messages = self.graph.edges[at].messages;
            let target = self.graph.nodes[to].name.strip_prefix(HAND_OFF);
            let agent = target.and_then(|name| self.by_name.get(&(true, name.to_owned())));
            if let Some(&agent) = agent.filter(|agent| **agent != from) {
                let edge = self.edge((from, agent));
                edge.messages += messages;
                edge.is_hand_off = true;
            }
        }
    }
}

/// Marks the edges between nodes of which each can be reached from the other.
fn mark_loops(graph: &mut MessageGraph) {
    let mut after: Vec<Vec<usize>> = vec![Vec::new(); graph.nodes.len()];
    for edge in &graph.edges {
        after[edge.from].push(edge.to);
    }
    let reaches: Vec<Vec<bool>> = (0..graph.nodes.len())
        .map(|from| reached(&after, from))
        .collect();
    for edge in &mut graph.edges {
        edge.is_in_loop = reaches[edge.to][edge.from];
    }
}

/// What can be reached from a node, itself included.
fn reached(after: &[Vec<usize>], from: usize) -> Vec<bool> {
    let mut seen = vec![false; after.len()];
    let mut open = vec![from];
    while let Some(node) = open.pop() {
        if !std::mem::replace(&mut seen[node], true) {
            open.extend(&after[node]);
        }
    }
    seen
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::Detail;
    use super::super::tests::step;
    use super::*;
    use crate::ids::SpanId;
    use crate::trace::TreeSpan;
    use crate::tree::build_tree;
    use crate::tree::figures::figures;

    fn graph(spans: Vec<TreeSpan>, details: &Details) -> MessageGraph {
        let tree = build_tree(spans);
        message_graph(&tree, &figures(&tree), details)
    }

    fn support() -> Vec<TreeSpan> {
        let mut answer = step(("5", Some("2")), SpanKind::Generation, "answer", (60, 90));
        answer.input_tokens = Some(100);
        answer.cost = Some(Usd(2.into()));
        vec![
            step(("1", None), SpanKind::Span, "turn", (0, 100)),
            step(("2", Some("1")), SpanKind::Agent, "resolver", (10, 90)),
            step(("3", Some("2")), SpanKind::Tool, "quote!", (20, 30)),
            step(("4", Some("2")), SpanKind::Tool, "quote", (40, 50)),
            answer,
        ]
    }

    #[test]
    fn a_message_goes_to_whoever_does_something_for_another() {
        let id = SpanId::from_text("3").unwrap();
        let detail = Detail {
            error_kind: Some("arguments".to_owned()),
            ..Detail::default()
        };
        let graph = graph(support(), &Details::from([(id, detail)]));
        let names: Vec<_> = graph.nodes.iter().map(|node| node.name.as_str()).collect();
        assert_eq!(names, ["turn", "resolver", "quote"]);
        let resolver = &graph.nodes[1];
        assert_eq!((resolver.model_calls, resolver.tokens), (1, 100));
        assert_eq!(
            resolver.time,
            Nanos(30 + 30),
            "80 without the tools, answer within"
        );
        let edges: Vec<_> = graph
            .edges
            .iter()
            .map(|edge| (edge.from, edge.to, edge.messages, edge.failed, edge.tokens))
            .collect();
        assert_eq!(edges, [(0, 1, 1, 0, Some(100)), (1, 2, 2, 1, None)]);
        assert_eq!(graph.edges[0].cost, Some(Usd(2.into())));
        assert_eq!(
            graph.nodes[2].errors,
            BTreeMap::from([("arguments".to_owned(), 1)])
        );
        assert!(graph.edges.iter().all(|edge| !edge.is_in_loop));
    }

    #[test]
    fn agents_that_call_one_another_in_turn_are_a_loop_and_hand_offs_are_edges() {
        let found = graph(
            vec![
                step(("1", None), SpanKind::Agent, "a", (0, 100)),
                step(("2", Some("1")), SpanKind::Agent, "b", (1, 99)),
                step(("3", Some("2")), SpanKind::Agent, "a", (2, 98)),
                step(("4", Some("3")), SpanKind::Tool, "search", (3, 4)),
                step(("5", Some("3")), SpanKind::Tool, "transfer_to_c", (5, 6)),
                step(("6", Some("3")), SpanKind::Agent, "c", (7, 8)),
            ],
            &Details::new(),
        );
        let looped: Vec<_> = found.edges.iter().map(|edge| edge.is_in_loop).collect();
        assert_eq!(looped, [true, true, false, false, false]);
        let handed = found.edges.iter().find(|edge| edge.is_hand_off).unwrap();
        assert_eq!(found.nodes[handed.to].name, "c");
    }

    proptest! {
        #[test]
        fn nothing_is_lost_and_the_graph_stays_small(
            spans in proptest::collection::vec((0usize..30, 0usize..11, 0usize..90), 1..120),
        ) {
            let made: Vec<TreeSpan> = spans.iter().enumerate().map(|(n, (parent, kind, name))| {
                let parent = (*parent < n).then(|| parent.to_string());
                let kind = SpanKind::ALL[*kind];
                let mut span = step(
                    (&n.to_string(), parent.as_deref()), kind, &format!("n{name}"), (n as u64, n as u64 + 9),
                );
                span.input_tokens = Some(3);
                span
            }).collect();
            let tree = build_tree(made);
            let all = figures(&tree);
            let graph = message_graph(&tree, &all, &Details::new());
            prop_assert!(graph.nodes.len() <= MOST_NODES);
            let known = |node: usize| node < graph.nodes.len();
            prop_assert!(graph.edges.iter().all(|edge| known(edge.from) && known(edge.to)));
            let tokens: u64 = graph.nodes.iter().map(|node| node.tokens).sum();
            let own: u64 = all.iter().map(|row| row.own_tokens).sum();
            prop_assert!(tokens <= own && (graph.left_out > 0 || tokens == own));
            for (at, node) in graph.nodes.iter().enumerate() {
                let received: u64 = graph.edges.iter().filter(|edge| edge.to == at).map(|edge| edge.messages).sum();
                prop_assert!(received <= node.calls);
            }
        }
    }
}
