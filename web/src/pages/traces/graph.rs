//! Who did what in a trace: agents and tools with what went between them, or the steps one after another.

use askama::Template;
use axum::extract::{RawPathParams, State};
use domain::agents::Details;
use domain::agents::messages::{MessageGraph, message_graph};
use domain::agents::steps::{Form, StepGraph, step_graph};
use domain::score::Judgements;
use domain::trace::TraceView;
use domain::tree::figures::Figures;
use domain::{Fault, Timestamp};
use service::{App, scores, traces};

use super::facts::{Fact, facts};
use super::graph_drawing::{GraphDrawing, of_messages, of_steps};
use super::graph_words::{
    AgentRow, Finding, MessageRow, PlanView, ToolRow, agents, findings, messages, plan, tools,
};
use super::trace_id;
use crate::extract::{InProject, Pairs, Reader};
use crate::format;
use crate::i18n::Lang;
use crate::layout::{Choice, Frame, Section, Shell};
use crate::pages::{Answer, render};
use crate::urls;

/// The page.
#[derive(Template)]
#[template(path = "traces/graph.html")]
pub(crate) struct GraphPage {
    pub(crate) shell: Shell,
    pub(crate) frame: Frame,
    pub(crate) view: GraphView,
}

/// What it shows.
pub(crate) struct GraphView {
    pub(crate) name: String,
    pub(crate) id: String,
    pub(crate) failed: bool,
    pub(crate) list_url: String,
    pub(crate) tree_url: String,
    pub(crate) axes_url: String,
    pub(crate) here: String,
    pub(crate) facts: Vec<Fact>,
    pub(crate) forms: Vec<Choice>,
    pub(crate) measures: Vec<Choice>,
    pub(crate) drawing: GraphDrawing,
    pub(crate) agents: Vec<AgentRow>,
    pub(crate) tools: Vec<ToolRow>,
    pub(crate) findings: Vec<Finding>,
    pub(crate) plan: Option<PlanView>,
    /// Of the chosen node.
    pub(crate) chosen: String,
    pub(crate) messages: Vec<MessageRow>,
    /// `3 agents, 6 tools, 24 messages`.
    pub(crate) extent: String,
    pub(crate) left_out: String,
}

/// What edges and shares are by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum By {
    /// How often.
    Calls,
    /// Tokens.
    Tokens,
    /// Cost.
    Cost,
    /// Time.
    Latency,
}

/// Which graph is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Agents and tools.
    Messages,
    /// Steps.
    Steps(Form),
}

/// What of the graph is wanted.
pub(crate) struct Chosen {
    pub(crate) kind: Kind,
    pub(crate) by: By,
    /// A node by its name.
    pub(crate) node: Option<String>,
}

impl Chosen {
    /// From the address.
    pub(crate) fn read(pairs: &Pairs) -> Self {
        let kind = match pairs.filled("form") {
            Some("steps") => Kind::Steps(Form::ByName),
            Some("expanded") => Kind::Steps(Form::Expanded),
            _ => Kind::Messages,
        };
        let by = By::ALL
            .into_iter()
            .find(|by| Some(by.name()) == pairs.filled("by"));
        Chosen {
            kind,
            by: by.unwrap_or(By::Tokens),
            node: pairs.filled("node").map(str::to_owned),
        }
    }

    /// The same as pairs of the address.
    pub(super) fn pairs(kind: Kind, by: By) -> [(&'static str, &'static str); 2] {
        [("form", kind.name()), ("by", by.name())]
    }
}

impl By {
    const ALL: [By; 4] = [By::Calls, By::Tokens, By::Cost, By::Latency];

    /// Name in the address.
    pub(crate) fn name(self) -> &'static str {
        match self {
            By::Calls => "calls",
            By::Tokens => "tokens",
            By::Cost => "cost",
            By::Latency => "latency",
        }
    }

    /// Name on the page.
    pub(super) fn words(self, lang: Lang) -> &'static str {
        match self {
            By::Calls => lang.t("Calls"),
            By::Tokens => lang.t("Tokens"),
            By::Cost => lang.t("Cost"),
            By::Latency => lang.t("Latency"),
        }
    }
}

impl Kind {
    const ALL: [Kind; 3] = [
        Kind::Messages,
        Kind::Steps(Form::ByName),
        Kind::Steps(Form::Expanded),
    ];

    fn name(self) -> &'static str {
        match self {
            Kind::Messages => "agents",
            Kind::Steps(Form::ByName) => "steps",
            Kind::Steps(Form::Expanded) => "expanded",
        }
    }

    fn words(self, lang: Lang) -> &'static str {
        match self {
            Kind::Messages => lang.t("Agents"),
            Kind::Steps(Form::ByName) => lang.t("Steps"),
            Kind::Steps(Form::Expanded) => lang.t("Each step"),
        }
    }
}

/// A trace with what was read and computed of it.
pub(crate) struct Told<'a> {
    pub(crate) trace: &'a TraceView,
    pub(crate) figures: &'a [Figures],
    pub(crate) details: &'a Details,
    pub(crate) judgements: &'a Judgements,
    pub(crate) graph: MessageGraph,
}

impl<'a> Told<'a> {
    /// Computes it.
    pub(crate) fn new(
        trace: &'a TraceView,
        details: &'a Details,
        judgements: &'a Judgements,
    ) -> Self {
        let figures = &trace.drawn().figures;
        let graph = message_graph(&trace.tree, figures, details);
        Told {
            trace,
            figures,
            details,
            judgements,
            graph,
        }
    }
}

/// Shows it.
pub(crate) async fn show_graph(
    State(app): State<App>,
    entered: InProject,
    params: RawPathParams,
    pairs: Pairs,
) -> Answer {
    let trace_id = trace_id(&params)?;
    let missing = || Fault::not_found("there is no trace of this id in this project");
    let trace = traces::open(&app, &entered.scope, &trace_id)
        .await?
        .ok_or_else(missing)?;
    let (details, judgements) = tokio::try_join!(
        traces::details(&app, &entered.scope, &trace_id),
        scores::of_traces(&app, &entered.scope, std::slice::from_ref(&trace_id)),
    )?;
    let told = Told::new(&trace, &details, &judgements);
    let now = app.clock().now();
    let chosen = Chosen::read(&pairs);
    Ok(render(&GraphPage::new(
        &entered.reader,
        &told,
        &chosen,
        now,
    )))
}

impl GraphPage {
    /// Prepares everything for the template.
    pub(crate) fn new(reader: &Reader, told: &Told<'_>, chosen: &Chosen, now: Timestamp) -> Self {
        let mut frame = Frame::new(reader, Section::Traces);
        frame.rail = true;
        GraphPage {
            shell: Frame::shell(reader),
            frame,
            view: GraphView::new(reader, told, chosen, now),
        }
    }
}

impl GraphView {
    fn new(reader: &Reader, told: &Told<'_>, chosen: &Chosen, now: Timestamp) -> Self {
        let (id, lang) = (reader.id(), reader.lang());
        let summary = &told.trace.summary;
        let here = urls::trace_graph(id, &summary.trace_id);
        let (drawing, left_out) = match chosen.kind {
            Kind::Messages => (of_messages(told, chosen, &here, lang), told.graph.left_out),
            Kind::Steps(form) => {
                let steps = step_graph(&told.trace.tree, told.figures, form);
                let left_out = steps.left_out;
                (drawn_steps(told, &steps, (chosen, form), reader), left_out)
            }
        };
        let node = chosen
            .node
            .as_ref()
            .filter(|_| chosen.kind == Kind::Messages);
        GraphView {
            name: match summary.name.is_empty() {
                true => lang.t("(no name)").to_owned(),
                false => summary.name.clone(),
            },
            id: summary.trace_id.to_string(),
            failed: summary.error_count > 0,
            list_url: urls::traces_home(id),
            tree_url: urls::trace(id, &summary.trace_id),
            axes_url: match told.graph.nodes.iter().any(|node| node.model_calls > 0) {
                true => urls::trace_axes(id, &summary.trace_id, None),
                false => String::new(),
            },
            facts: facts(reader.into(), summary, told.judgements, now),
            forms: choices(
                Kind::ALL.map(|kind| (kind, chosen.by)),
                chosen,
                &here,
                |(kind, _)| kind.words(lang),
            ),
            measures: choices(
                By::ALL.map(|by| (chosen.kind, by)),
                chosen,
                &here,
                |(_, by)| by.words(lang),
            ),
            here,
            drawing,
            agents: agents(told, chosen, id),
            tools: tools(told, lang),
            findings: findings(told, lang),
            plan: plan(told, lang),
            chosen: node.cloned().unwrap_or_default(),
            messages: node.map_or_else(Vec::new, |name| messages(told, name, id)),
            extent: extent(&told.graph, lang),
            left_out: match left_out {
                0 => String::new(),
                many => lang.fill("{} more are not drawn", &[&format::count(many)]),
            },
        }
    }
}

fn drawn_steps(
    told: &Told<'_>,
    steps: &StepGraph,
    (chosen, form): (&Chosen, Form),
    reader: &Reader,
) -> GraphDrawing {
    of_steps(told, steps, (chosen.by, form), (reader.id(), reader.lang()))
}

fn choices<const N: usize>(
    all: [(Kind, By); N],
    chosen: &Chosen,
    here: &str,
    words: impl Fn((Kind, By)) -> &'static str,
) -> Vec<Choice> {
    let choice = |(kind, by)| Choice {
        label: words((kind, by)).to_owned(),
        url: urls::and(here, &Chosen::pairs(kind, by)),
        current: (kind, by) == (chosen.kind, chosen.by),
    };
    all.into_iter().map(choice).collect()
}

fn extent(graph: &MessageGraph, lang: Lang) -> String {
    let agents = (0..graph.nodes.len()).filter(|node| graph.is_agent(*node));
    let agents = agents.count();
    let messages: u64 = graph.edges.iter().map(|edge| edge.messages).sum();
    lang.fill(
        "{} agents, {} tools, {} messages",
        &[
            &agents.to_string(),
            &(graph.nodes.len() - agents).to_string(),
            &format::count(messages),
        ],
    )
}
