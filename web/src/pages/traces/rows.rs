//! Rows of the tree: the first ones with the page, the others as they are scrolled to.

use std::collections::HashSet;
use std::ops::Range;

use askama::Template;
use axum::extract::{RawPathParams, State};
use domain::span::SpanKind;
use domain::trace::TraceView;
use domain::tree::{Place, Tree, TreeRow};
use domain::{Fault, TraceId, Usd};
use service::{App, traces};

use super::trace_id;
use super::window::choose;
use crate::chart::waterfall::{Clock, GridLine, Piece};
use crate::extract::{InProject, Pairs};
use crate::format::{self, Figure};
use crate::i18n::Lang;
use crate::layout::{Frame, Shell};
use crate::pages::{Answer, no_such_page, render};
use crate::urls::{self, Door};

/// Deeper rows are indented no further; their depth is written out.
const MAX_GUIDES: u32 = 9;

/// A block of rows.
#[derive(Template)]
#[template(path = "traces/rows.html")]
pub(crate) struct RowsPage {
    pub(crate) shell: Shell,
    pub(crate) block: Block,
}

/// Rows with what is drawn behind them.
pub(crate) struct Block {
    /// Lines of the clock.
    pub(crate) grid: Vec<GridLine>,
    /// Rows.
    pub(crate) rows: Vec<Row>,
    /// Where the next block is; empty at the end. A script tells what is folded.
    pub(crate) next_url: String,
    /// Rows that are left out after the last one, when others follow.
    pub(crate) gap: Option<Gap>,
}

/// Rows that are left out between two others.
pub(crate) struct Gap {
    /// `1,234 rows are left out`.
    pub(crate) text: String,
    /// Where the first of them are.
    pub(crate) url: String,
}

/// One span.
pub(crate) struct Row {
    /// What is left out before it.
    pub(crate) gap: Option<Gap>,
    pub(crate) id: String,
    pub(crate) url: String,
    pub(crate) level: u32,
    pub(crate) guides: Vec<()>,
    pub(crate) deeper: u32,
    pub(crate) parent: bool,
    pub(crate) expanded: bool,
    pub(crate) kind: SpanKind,
    pub(crate) kind_class: &'static str,
    pub(crate) name: String,
    pub(crate) note: String,
    pub(crate) place: &'static str,
    pub(crate) failed: bool,
    pub(crate) selected: bool,
    pub(crate) tokens: Figure,
    pub(crate) cost: Figure,
    pub(crate) latency: Figure,
    pub(crate) pieces: Vec<Piece>,
}

/// Which rows are wanted.
#[derive(Default)]
pub(crate) struct Wanted {
    /// Rows after that one; from the top without.
    pub(crate) after: Option<usize>,
    /// Rows before that one; to the end without.
    before: Option<usize>,
    /// Whether everything below the top is folded away.
    fold_all: bool,
    /// Spans that are not as `fold_all` says.
    flipped: HashSet<String>,
    /// Only rows that hold this text, with their ancestors.
    pub(crate) text: Option<String>,
    /// The chosen span.
    pub(crate) selected: Option<String>,
    /// That span is among them.
    pub(crate) reach: Option<String>,
}

impl Wanted {
    /// From the address.
    pub(crate) fn read(pairs: &Pairs) -> Result<Self, Fault> {
        let place = |name: &str| {
            let place = pairs.filled(name).map(str::parse).transpose();
            place.map_err(|_| no_such_page())
        };
        Ok(Wanted {
            after: place("after")?,
            before: place("before")?,
            fold_all: pairs.get("fold_all") == Some("1"),
            flipped: pairs.all("flip").map(str::to_owned).collect(),
            text: pairs.filled("in").map(str::to_lowercase),
            selected: pairs.filled("span").map(str::to_owned),
            reach: pairs.filled("reach").map(str::to_owned),
        })
    }

    fn folds(&self, row: &TreeRow) -> bool {
        let flipped = self.flipped.contains(row.span.span_id.as_str());
        row.descendants > 0 && (self.fold_all && row.depth > 0) != flipped
    }
}

/// Gives a block of rows.
pub(crate) async fn list_rows(
    State(app): State<App>,
    entered: InProject,
    params: RawPathParams,
    pairs: Pairs,
) -> Answer {
    let trace_id = trace_id(&params)?;
    let missing = || Fault::not_found("there is no trace of this id");
    let trace = traces::open(&app, &entered.scope, &trace_id)
        .await?
        .ok_or_else(missing)?;
    let wanted = Wanted::read(&pairs)?;
    let block = block(
        entered.id().into(),
        &trace,
        &wanted,
        entered.reader.visitor.choices.lang,
    );
    Ok(render(&RowsPage {
        shell: Frame::shell(&entered.reader),
        block,
    }))
}

/// Prepares a block.
pub(crate) fn block(door: Door, trace: &TraceView, wanted: &Wanted, lang: Lang) -> Block {
    let rows = &trace.tree.rows;
    let clock = Clock::of(rows.iter().map(|row| &row.span));
    let sums = sums(&trace.tree);
    let shown = shown(&trace.tree, wanted);
    let start = wanted
        .after
        .map_or(0, |after| shown.partition_point(|at| *at <= after));
    let end = wanted.before.map_or(shown.len(), |before| {
        shown.partition_point(|at| *at < before)
    });
    let range = start.min(end)..end;
    let reach = wanted
        .reach
        .as_ref()
        .and_then(|id| rows.iter().position(|row| row.span.span_id.as_str() == id));
    let trace_id = &trace.summary.trace_id;
    let gap = |places: Range<usize>, before: usize| -> Option<Gap> {
        let after = places.start.checked_sub(1).map(|place| shown[place]);
        let left_out = format::count(places.len() as u64);
        (!places.is_empty()).then(|| Gap {
            text: lang.fill("{} rows are left out here: show more", &[&left_out]),
            url: rows_url((door, trace_id), wanted, (after, Some(before))),
        })
    };
    let mut drawn = Vec::new();
    let mut next = range.start;
    for place in choose(rows, &shown, range.clone(), reach) {
        let at = shown[place];
        let row = &rows[at];
        let mut ready = prepare((door, trace_id), (row, &sums[at]), &clock, lang);
        ready.expanded = !wanted.folds(row);
        ready.selected = wanted.selected.as_deref() == Some(row.span.span_id.as_str());
        ready.gap = gap(next..place, at);
        drawn.push(ready);
        next = place + 1;
    }
    let rest = next..range.end;
    let last = next
        .checked_sub(1)
        .and_then(|place| shown.get(place))
        .copied();
    let next_url = if wanted.before.is_none() && !rest.is_empty() {
        rows_url((door, trace_id), wanted, (last, None))
    } else {
        String::new()
    };
    Block {
        grid: clock.grid(),
        rows: drawn,
        next_url,
        gap: wanted.before.and_then(|before| gap(rest, before)),
    }
}

/// Indexes of the rows that are neither folded away nor without the text that is looked for.
fn shown(tree: &Tree, wanted: &Wanted) -> Vec<usize> {
    let hits = wanted.text.as_ref().map(|text| hits(tree, text));
    let mut shown = Vec::new();
    let mut at = 0;
    while let Some(row) = tree.rows.get(at) {
        if hits.as_ref().is_none_or(|hits| hits[at]) {
            shown.push(at);
        }
        let folded = wanted.folds(row);
        at += 1 + if folded { row.descendants as usize } else { 0 };
    }
    shown
}

/// Where the rows between two are.
fn rows_url(
    (door, trace_id): (Door, &TraceId),
    wanted: &Wanted,
    (after, before): (Option<usize>, Option<usize>),
) -> String {
    let (after, before) = (
        after.map(|at| at.to_string()),
        before.map(|at| at.to_string()),
    );
    let pairs = [
        ("after", &after),
        ("before", &before),
        ("in", &wanted.text),
        ("span", &wanted.selected),
    ];
    let pairs: Vec<(&str, &str)> = pairs
        .iter()
        .filter_map(|(name, value)| Some((*name, value.as_deref()?)))
        .collect();
    urls::trace_rows(door, trace_id, &pairs)
}

/// Tokens and cost of a row with those below it.
#[derive(Clone, Copy, Default)]
struct Sum {
    tokens: Option<u64>,
    cost: Option<Usd>,
}

/// Sums from the leaves up. What a span reports itself counts over the sum of those below it, so
/// that an agent that repeats its calls' usage does not count twice.
fn sums(tree: &Tree) -> Vec<Sum> {
    let mut sums = vec![Sum::default(); tree.rows.len()];
    let mut below: Vec<Sum> = vec![Sum::default(); 1];
    let mut depth_below = 0usize;
    for (at, row) in tree.rows.iter().enumerate().rev() {
        let depth = row.depth as usize;
        if below.len() < depth + 2 {
            below.resize(depth + 2, Sum::default());
        }
        let children = if depth_below > depth {
            std::mem::take(&mut below[depth + 1])
        } else {
            Sum::default()
        };
        let span = &row.span;
        let own_tokens = match (span.input_tokens, span.output_tokens) {
            (None, None) => None,
            (input, output) => Some(input.unwrap_or(0).saturating_add(output.unwrap_or(0))),
        };
        let sum = Sum {
            tokens: own_tokens.or(children.tokens),
            cost: span.cost.or(children.cost),
        };
        sums[at] = sum;
        let siblings = &mut below[depth];
        siblings.tokens = add(siblings.tokens, sum.tokens, u64::saturating_add);
        siblings.cost = add(siblings.cost, sum.cost, |a, b| a + b);
        depth_below = depth;
    }
    sums
}

fn add<T>(a: Option<T>, b: Option<T>, sum: impl Fn(T, T) -> T) -> Option<T> {
    match (a, b) {
        (Some(a), Some(b)) => Some(sum(a, b)),
        (a, b) => a.or(b),
    }
}

/// For each row whether it holds the text or leads to one that does.
fn hits(tree: &Tree, text: &str) -> Vec<bool> {
    let mut hits = vec![false; tree.rows.len()];
    let mut ancestors: Vec<usize> = Vec::new();
    for (at, row) in tree.rows.iter().enumerate() {
        ancestors.truncate(row.depth as usize);
        let span = &row.span;
        let texts = [Some(&span.name), span.model.as_ref(), span.error.as_ref()];
        let holds = texts
            .into_iter()
            .flatten()
            .any(|held| held.to_lowercase().contains(text))
            || span.kind.as_str() == text
            || span.span_id.as_str() == text;
        if holds {
            hits[at] = true;
            for ancestor in &ancestors {
                hits[*ancestor] = true;
            }
        }
        ancestors.push(at);
    }
    hits
}

fn prepare(
    (door, trace_id): (Door, &TraceId),
    (row, sum): (&TreeRow, &Sum),
    clock: &Clock,
    lang: Lang,
) -> Row {
    let span = &row.span;
    let place = match row.place {
        Place::Root | Place::Child => "",
        Place::Orphan => lang.t("parent missing"),
        Place::CycleCut => lang.t("circle of parents, cut here"),
    };
    let note = match (&span.error, &span.model) {
        (Some(error), _) if span.failed() => error.clone(),
        (_, Some(model)) if *model != span.name => model.clone(),
        _ => String::new(),
    };
    let guides = row.depth.min(MAX_GUIDES);
    Row {
        gap: None,
        id: span.span_id.to_string(),
        url: urls::trace_span(door, trace_id, &span.span_id),
        level: row.depth + 1,
        guides: vec![(); guides as usize],
        deeper: row.depth - guides,
        parent: row.descendants > 0,
        expanded: true,
        kind: span.kind,
        kind_class: kind_class(span.kind),
        name: if span.name.is_empty() {
            lang.t("(no name)").to_owned()
        } else {
            span.name.clone()
        },
        note,
        place,
        failed: span.failed(),
        selected: false,
        tokens: format::tokens(sum.tokens),
        cost: format::dollars(sum.cost),
        latency: format::nanos(span.latency()),
        pieces: clock.bar(span),
    }
}

/// Family of a kind, for its colour.
pub(crate) fn kind_class(kind: SpanKind) -> &'static str {
    match kind {
        SpanKind::Generation | SpanKind::Embedding => "kind-model",
        SpanKind::Retriever | SpanKind::Reranker => "kind-search",
        SpanKind::Tool => "kind-tool",
        SpanKind::Guardrail | SpanKind::Evaluator => "kind-check",
        SpanKind::Agent | SpanKind::Chain | SpanKind::Event | SpanKind::Trace | SpanKind::Span => {
            "kind-flow"
        }
    }
}
