//! What is said beside the graph: agents, tools and how they failed, what came again, the plan, messages.

use domain::ProjectId;
use domain::agents::again::{Again, again};
use domain::agents::messages::Node;
use domain::agents::plan::{PlannedStep, check, read_plan};
use domain::span::SpanKind;
use domain::tree::activity::bounds;

use super::graph::{Chosen, Kind, Told};
use crate::content;
use crate::format::{self, Figure};
use crate::i18n::Lang;
use crate::urls;

/// An agent.
pub(crate) struct AgentRow {
    pub(crate) name: String,
    pub(crate) url: String,
    pub(crate) is_chosen: bool,
    pub(crate) calls: String,
    pub(crate) tokens: Figure,
    pub(crate) cost: Figure,
    pub(crate) time: String,
}

/// A tool, and how it went.
pub(crate) struct ToolRow {
    pub(crate) name: String,
    pub(crate) calls: String,
    pub(crate) fine: String,
    /// `2 timeout, 1 arguments`; empty where all went well.
    pub(crate) errors: String,
}

/// Something that was noticed.
pub(crate) struct Finding {
    pub(crate) label: &'static str,
    pub(crate) tool: String,
    pub(crate) words: String,
}

/// A plan against what was done.
pub(crate) struct PlanView {
    pub(crate) steps: Vec<PlannedStep>,
    pub(crate) unplanned: Vec<String>,
    /// `0.12`.
    pub(crate) drift: String,
    pub(crate) is_in_order: bool,
}

/// A message that an agent or a tool got.
pub(crate) struct MessageRow {
    pub(crate) url: String,
    /// After the start of the trace.
    pub(crate) after: String,
    pub(crate) words: String,
    pub(crate) failed: bool,
}

/// Agents, those with the most tokens first.
pub(super) fn agents(told: &Told<'_>, chosen: &Chosen, project: ProjectId) -> Vec<AgentRow> {
    let graph = &told.graph;
    let here = urls::trace_graph(project, &told.trace.summary.trace_id);
    let all = graph.nodes.iter().enumerate();
    let mut agents: Vec<&Node> = all
        .filter(|(at, _)| graph.is_agent(*at))
        .map(|(_, node)| node)
        .collect();
    agents.sort_by_key(|node| std::cmp::Reverse((node.tokens, node.time.0)));
    let row = |node: &Node| {
        let pairs = Chosen::pairs(Kind::Messages, chosen.by);
        AgentRow {
            name: node.name.clone(),
            url: urls::and(&here, &[pairs[0], pairs[1], ("node", &node.name)]),
            is_chosen: chosen.node.as_ref() == Some(&node.name),
            calls: format::count(node.model_calls),
            tokens: format::tokens(Some(node.tokens)),
            cost: format::dollars(Some(node.cost)),
            time: format::latency(node.time.as_millis_f64()),
        }
    };
    agents.into_iter().map(row).collect()
}

/// Tools, those that were called most first.
pub(super) fn tools(told: &Told<'_>, lang: Lang) -> Vec<ToolRow> {
    let mut tools: Vec<&Node> = told
        .graph
        .nodes
        .iter()
        .filter(|node| node.kind == SpanKind::Tool)
        .collect();
    tools.sort_by_key(|node| std::cmp::Reverse(node.calls));
    let errors = |node: &Node| {
        let each = node.errors.iter().map(|(kind, times)| {
            let kind = if kind.is_empty() {
                lang.t("not told")
            } else {
                kind
            };
            format!("{} {kind}", format::count(*times))
        });
        Vec::from_iter(each).join(", ")
    };
    let row = |node: &Node| ToolRow {
        name: node.name.clone(),
        calls: format::count(node.calls),
        fine: format::count(node.calls - node.failed),
        errors: errors(node),
    };
    tools.into_iter().map(row).collect()
}

/// What came again, and agents that call one another in a circle.
pub(super) fn findings(told: &Told<'_>, lang: Lang) -> Vec<Finding> {
    let graph = &told.graph;
    let looped = graph.edges.iter().filter(|edge| edge.is_in_loop);
    let looped = looped.map(|edge| Finding {
        label: lang.t("Loop"),
        tool: graph.nodes[edge.from].name.clone(),
        words: lang.fill(
            "sends to {}, which leads back to it",
            &[&graph.nodes[edge.to].name],
        ),
    });
    let repeated = again(&told.trace.tree, told.details);
    let repeated = repeated.into_iter().map(|(tool, again)| {
        let (label, words) = again_words(&again, lang);
        Finding { label, tool, words }
    });
    looped.chain(repeated).collect()
}

fn again_words(again: &Again, lang: Lang) -> (&'static str, String) {
    match again {
        Again::Loop { times } => (
            lang.t("Loop"),
            lang.fill(
                "{} times in a row with the same arguments",
                &[&times.to_string()],
            ),
        ),
        Again::Paging { times } => (
            lang.t("Repeated"),
            lang.fill(
                "{} times with other arguments each time: no loop",
                &[&times.to_string()],
            ),
        ),
        Again::Retry {
            failed,
            kind,
            has_succeeded,
        } => {
            let errors = match kind.is_empty() {
                true => lang.fill("{} failed", &[&failed.to_string()]),
                false => format!("{failed} {kind}"),
            };
            let words = match has_succeeded {
                true => lang.fill("after {}, then it went well", &[&errors]),
                false => lang.fill("after {}, and it never went well", &[&errors]),
            };
            (lang.t("Retry"), words)
        }
    }
}

/// The first plan of the trace; what was done are the tools and agents that were called after it.
pub(super) fn plan(told: &Told<'_>, lang: Lang) -> Option<PlanView> {
    let rows = &told.trace.tree.rows;
    let written = rows.iter().find_map(|row| {
        let text = told.details.get(&row.span.span_id)?.plan.as_ref()?;
        let steps = read_plan(text);
        (!steps.is_empty()).then_some((row, steps))
    });
    let (planner, steps) = written?;
    let written_at = planner.span.end.unwrap_or(planner.span.start);
    let mut done: Vec<_> = rows
        .iter()
        .map(|row| &row.span)
        .filter(|span| {
            matches!(
                span.kind,
                SpanKind::Tool | SpanKind::Agent | SpanKind::Retriever
            )
        })
        .filter(|span| span.start >= written_at && span.span_id != planner.span.span_id)
        .collect();
    done.sort_by_key(|span| span.start);
    let names: Vec<&str> = done.iter().map(|span| span.name.as_str()).collect();
    let found = check(steps, &names);
    let no_name = lang.t("(no name)");
    Some(PlanView {
        drift: format!("{:.2}", found.drift()),
        is_in_order: found.is_in_order,
        steps: found.steps,
        unplanned: found
            .unplanned
            .into_iter()
            .map(|name| {
                if name.is_empty() {
                    no_name.to_owned()
                } else {
                    name
                }
            })
            .collect(),
    })
}

/// What an agent or a tool was sent.
pub(super) fn messages(told: &Told<'_>, name: &str, project: ProjectId) -> Vec<MessageRow> {
    let tree = &told.trace.tree;
    let start = bounds(tree).map(|(start, _)| start);
    let nodes = told.graph.nodes.iter().filter(|node| node.name == name);
    let rows = nodes.flat_map(|node| &node.rows);
    rows.map(|&at| {
        let span = &tree.rows[at].span;
        let detail = told.details.get(&span.span_id);
        let head = detail.map_or("", |detail| detail.input_head.as_str());
        let after = start.map_or(0.0, |start| (span.start - start).as_millis_f64());
        MessageRow {
            url: urls::trace_span(project, &told.trace.summary.trace_id, &span.span_id),
            after: format!("+{}", format::latency(after)),
            words: match (&span.error, head.is_empty()) {
                (Some(error), _) if span.failed() => error.clone(),
                (_, true) => span.name.clone(),
                (_, false) => content::preview(head),
            },
            failed: span.failed(),
        }
    })
    .collect()
}
