//! The drawing of a graph of agents or steps: boxes with words, edges with numbers.

use domain::agents::messages::{Edge, MessageGraph, Node};
use domain::agents::steps::{Form, Step, StepGraph};
use domain::span::SpanKind;
use domain::{Nanos, ProjectId, Usd};
use rust_decimal::prelude::ToPrimitive;

use super::graph::{By, Chosen, Kind, Told};
use super::row::kind_class;
use crate::chart::layered::{Layout, Route, Spot, lay_out};
use crate::chart::number;
use crate::format;
use crate::i18n::Lang;
use crate::urls;

/// Width and height of the box of an agent.
const AGENT: (f64, f64) = (204.0, 84.0);
/// Of a tool or a step.
const TOOL: (f64, f64) = (168.0, 44.0);
/// The widest line of an edge, in pixels.
const WIDEST: f64 = 6.0;
/// Places of letters that fit into a box of an agent, and of a tool; a wide letter takes two.
const AGENT_LETTERS: usize = 20;
const TOOL_LETTERS: usize = 18;

/// The drawing.
pub(crate) struct GraphDrawing {
    pub(crate) width: String,
    pub(crate) height: String,
    pub(crate) nodes: Vec<NodeMark>,
    pub(crate) edges: Vec<EdgeMark>,
}

/// A box.
pub(crate) struct NodeMark {
    pub(crate) x: String,
    pub(crate) y: String,
    pub(crate) width: String,
    pub(crate) height: String,
    /// Where what is within it begins and ends, from the left.
    pub(crate) inner: (String, String),
    pub(crate) text_x: String,
    /// Base lines of its words, from the top.
    pub(crate) base: Vec<String>,
    pub(crate) icon_y: String,
    pub(crate) url: String,
    pub(crate) name: String,
    /// All of it, on hover.
    pub(crate) title: String,
    pub(crate) kind: SpanKind,
    pub(crate) kind_class: &'static str,
    pub(crate) is_agent: bool,
    pub(crate) is_chosen: bool,
    pub(crate) failed: bool,
    /// Words below the name.
    pub(crate) lines: Vec<String>,
    /// Its share: in words, and the bar.
    pub(crate) share: String,
    pub(crate) share_y: String,
    pub(crate) share_width: (String, String),
}

/// A line with a tip.
pub(crate) struct EdgeMark {
    pub(crate) line: String,
    pub(crate) tip: String,
    pub(crate) class: &'static str,
    pub(crate) width: String,
    pub(crate) x: String,
    pub(crate) y: String,
    pub(crate) below: String,
    /// Whether the words end there.
    pub(crate) is_left: bool,
    /// How many, and what came of them.
    pub(crate) words: String,
    pub(crate) note: String,
    pub(crate) title: String,
}

/// Agents and tools.
pub(super) fn of_messages(
    told: &Told<'_>,
    chosen: &Chosen,
    here: &str,
    lang: Lang,
) -> GraphDrawing {
    let graph = &told.graph;
    let size = |node: usize| if graph.is_agent(node) { AGENT } else { TOOL };
    let sizes: Vec<(f64, f64)> = (0..graph.nodes.len()).map(size).collect();
    let ends: Vec<(usize, usize)> = graph
        .edges
        .iter()
        .map(|edge| (edge.from, edge.to))
        .collect();
    let layout = lay_out(&sizes, &ends);
    let all: f64 = graph
        .nodes
        .iter()
        .map(|node| of_node(node, chosen.by))
        .sum();
    let nodes = graph.nodes.iter().enumerate().map(|(at, node)| {
        let pairs = Chosen::pairs(Kind::Messages, chosen.by);
        let url = urls::and(here, &[pairs[0], pairs[1], ("node", &node.name)]);
        let share = of_node(node, chosen.by) / all.max(f64::MIN_POSITIVE);
        let mut mark = boxed(
            layout.spots[at],
            (&node.name, node.kind),
            graph.is_agent(at),
        );
        mark.url = url;
        mark.is_chosen = chosen.node.as_ref() == Some(&node.name);
        mark.failed = node.failed > 0;
        mark.lines = match graph.is_agent(at) {
            true => agent_words(node, lang),
            false => vec![tool_words(node, lang)],
        };
        if graph.is_agent(at) {
            let whole = AGENT.0 - 24.0;
            mark.share = format!("{:.0} %", share * 100.0);
            mark.share_width = (number(whole), number(whole * share.clamp(0.0, 1.0)));
        }
        mark
    });
    let nodes = nodes.collect();
    let edges = message_edges(graph, &layout, chosen.by, lang);
    drawing(&layout, nodes, edges)
}

fn message_edges(graph: &MessageGraph, layout: &Layout, by: By, lang: Lang) -> Vec<EdgeMark> {
    let values: Vec<f64> = graph.edges.iter().map(|edge| of_edge(edge, by)).collect();
    let most = values.iter().copied().fold(0.0, f64::max);
    let pairs = graph.edges.iter().zip(values).zip(&layout.routes);
    pairs
        .map(|((edge, value), route)| {
            let told = edge_words(edge, lang);
            let is_between_agents = graph.is_agent(edge.to);
            let class = match (edge.failed > 0, edge.is_in_loop, is_between_agents) {
                (true, ..) => "bad",
                (false, true, _) => "hot loop",
                (false, false, true) => "hot",
                (false, false, false) => "",
            };
            let mut mark = line(route, class, value / most.max(f64::MIN_POSITIVE));
            mark.title = format!(
                "{} → {}: {}",
                graph.nodes[edge.from].name,
                graph.nodes[edge.to].name,
                told.join(", ")
            );
            if is_between_agents || route.is_back {
                mark.words = match (edge.is_hand_off, edge.is_in_loop) {
                    (true, _) => lang.t("hand off").to_owned(),
                    (false, true) => format!("{} · {}", told[0], lang.t("loop")),
                    (false, false) => told[0].clone(),
                };
                mark.note = told[1..].join(", ");
            }
            mark
        })
        .collect()
}

/// Steps one after another.
pub(super) fn of_steps(
    told: &Told<'_>,
    graph: &StepGraph,
    (by, form): (By, Form),
    (project, lang): (ProjectId, Lang),
) -> GraphDrawing {
    let sizes = vec![TOOL; graph.steps.len()];
    let ends: Vec<(usize, usize)> = graph
        .follows
        .iter()
        .map(|edge| (edge.from, edge.to))
        .collect();
    let layout = lay_out(&sizes, &ends);
    let trace_id = &told.trace.summary.trace_id;
    let nodes = graph.steps.iter().zip(&layout.spots).map(|(step, spot)| {
        let span = &told.trace.tree.rows[step.row].span;
        let mut mark = boxed(*spot, (&step.name, step.kind), false);
        mark.url = urls::trace_span(project, trace_id, &span.span_id);
        mark.failed = step.failed > 0;
        mark.lines = vec![step_words(step, (by, form), lang)];
        mark
    });
    let nodes = nodes.collect();
    let most = graph.follows.iter().map(|edge| edge.times).max();
    let most = most.unwrap_or(1) as f64;
    let edges = graph
        .follows
        .iter()
        .zip(&layout.routes)
        .map(|(edge, route)| {
            let class = if route.is_back { "hot loop" } else { "" };
            let mut mark = line(route, class, edge.times as f64 / most);
            if edge.times > 1 || route.is_back {
                mark.words = format!("× {}", format::count(edge.times));
            }
            let (from, to) = (&graph.steps[edge.from], &graph.steps[edge.to]);
            mark.title = format!("{} → {} × {}", from.name, to.name, edge.times);
            mark
        });
    let edges = edges.collect();
    drawing(&layout, nodes, edges)
}

fn drawing(layout: &Layout, nodes: Vec<NodeMark>, edges: Vec<EdgeMark>) -> GraphDrawing {
    GraphDrawing {
        width: number(layout.width),
        height: number(layout.height),
        nodes,
        edges,
    }
}

fn boxed(spot: Spot, (name, kind): (&str, SpanKind), is_agent: bool) -> NodeMark {
    let letters = if is_agent {
        AGENT_LETTERS
    } else {
        TOOL_LETTERS
    };
    let first = spot.y + if is_agent { 24.0 } else { 18.0 };
    let base = |line: u32| number(first + f64::from(line) * if is_agent { 18.0 } else { 15.0 });
    NodeMark {
        x: number(spot.x),
        y: number(spot.y),
        width: number(spot.width),
        height: number(spot.height),
        inner: (number(spot.x + 12.0), number(spot.x + spot.width - 12.0)),
        text_x: number(spot.x + 34.0),
        base: (0..3).map(base).collect(),
        icon_y: number(first - 12.0),
        url: String::new(),
        name: cut(name, letters),
        title: name.to_owned(),
        kind,
        kind_class: kind_class(kind),
        is_agent,
        is_chosen: false,
        failed: false,
        lines: Vec::new(),
        share: String::new(),
        share_y: number(spot.y + spot.height - 11.0),
        share_width: (String::new(), String::new()),
    }
}

fn line(route: &Route, class: &'static str, share: f64) -> EdgeMark {
    EdgeMark {
        line: route.line.clone(),
        tip: route.tip.clone(),
        class,
        width: number(1.2 + share.clamp(0.0, 1.0).sqrt() * (WIDEST - 1.2)),
        x: number(route.label.0),
        y: number(route.label.1 - 2.0),
        below: number(route.label.1 + 12.0),
        is_left: route.is_left,
        words: String::new(),
        note: String::new(),
        title: String::new(),
    }
}

/// The head of a text; a wide letter takes two places.
fn cut(text: &str, places: usize) -> String {
    let mut left = places;
    let mut cut = String::new();
    for char in text.chars() {
        let width = if (char as u32) < 0x1100 { 1 } else { 2 };
        if left < width {
            cut.push('…');
            break;
        }
        left -= width;
        cut.push(char);
    }
    cut
}

fn of_node(node: &Node, by: By) -> f64 {
    match by {
        By::Calls => node.calls as f64,
        By::Tokens => node.tokens as f64,
        By::Cost => node.cost.0.to_f64().unwrap_or(0.0),
        By::Latency => node.time.as_millis_f64(),
    }
}

fn of_edge(edge: &Edge, by: By) -> f64 {
    let cost = |cost: Option<Usd>| cost.and_then(|cost| cost.0.to_f64());
    match by {
        By::Calls => edge.messages as f64,
        By::Tokens => edge.tokens.unwrap_or(0) as f64,
        By::Cost => cost(edge.cost).unwrap_or(0.0),
        By::Latency => edge.latency.as_millis_f64(),
    }
}

fn agent_words(node: &Node, lang: Lang) -> Vec<String> {
    let calls = match node.model_calls {
        1 => lang.t("1 model call").to_owned(),
        many => lang.fill("{} model calls", &[&format::count(many)]),
    };
    let tokens = format::tokens(Some(node.tokens)).text;
    let cost = format::dollars(Some(node.cost)).text;
    vec![
        format!("{calls}, {}", lang.fill("{} tokens", &[&tokens])),
        format!("{cost}, {}", time(node.time)),
    ]
}

fn tool_words(node: &Node, lang: Lang) -> String {
    let calls = match node.calls {
        1 => lang.t("1 call").to_owned(),
        many => lang.fill("{} calls", &[&format::count(many)]),
    };
    match node.failed {
        0 => format!("{calls}, {}", time(node.time)),
        failed => format!(
            "{calls}, {}",
            lang.fill("{} failed", &[&format::count(failed)])
        ),
    }
}

fn step_words(step: &Step, (by, form): (By, Form), lang: Lang) -> String {
    let value = match by {
        By::Calls | By::Latency => time(step.latency),
        By::Tokens => lang.fill("{} tokens", &[&format::tokens(step.tokens).text]),
        By::Cost => format::dollars(step.cost).text,
    };
    let failed = match step.failed {
        0 => String::new(),
        failed => format!(", {}", lang.fill("{} failed", &[&format::count(failed)])),
    };
    match form {
        Form::ByName if step.times > 1 => {
            format!("× {}, {value}{failed}", format::count(step.times))
        }
        Form::ByName | Form::Expanded => format!("{value}{failed}"),
    }
}

/// How many, then what came of them.
fn edge_words(edge: &Edge, lang: Lang) -> Vec<String> {
    let mut words = vec![match edge.messages {
        1 => lang.t("1 message").to_owned(),
        many => lang.fill("{} messages", &[&format::count(many)]),
    }];
    if edge.tokens.is_some() {
        words.push(lang.fill("{} tokens", &[&format::tokens(edge.tokens).text]));
    }
    if edge.cost.is_some() {
        words.push(format::dollars(edge.cost).text);
    }
    if edge.latency.0 > 0 {
        words.push(time(edge.latency));
    }
    words
}

fn time(length: Nanos) -> String {
    format::latency(length.as_millis_f64())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_cut_to_what_fits() {
        assert_eq!(cut("short", 8), "short");
        assert_eq!(cut("a longer name", 8), "a longer…");
        assert_eq!(cut("查询订单状态", 8), "查询订单…");
    }
}
