//! A row of the tree, prepared for the template.

use domain::span::SpanKind;
use domain::tree::Place;
use domain::tree::repeats::Repeat;

use super::drawing::{Drawing, Line};
use super::wanted::{Heat, Wanted};
use crate::chart::waterfall::Piece;
use crate::format::{self, Figure};
use crate::i18n::Lang;
use crate::urls::{self, Door};

/// Deeper rows are indented no further; their depth is written out.
const MAX_GUIDES: u32 = 9;

/// One span, or a run of spans that do the same.
pub(crate) struct Row {
    pub(crate) id: String,
    pub(crate) url: String,
    /// Whether it is a run.
    pub(crate) is_run: bool,
    pub(crate) level: u32,
    pub(crate) guides: Vec<()>,
    pub(crate) deeper: u32,
    pub(crate) parent: bool,
    pub(crate) expanded: bool,
    pub(crate) kind: SpanKind,
    pub(crate) kind_class: &'static str,
    pub(crate) name: String,
    pub(crate) note: String,
    /// What went wrong in a run.
    pub(crate) failures: String,
    pub(crate) place: &'static str,
    pub(crate) failed: bool,
    /// Whether it is on the critical path.
    pub(crate) critical: bool,
    pub(crate) selected: bool,
    pub(crate) tokens: Measure,
    pub(crate) cost: Measure,
    pub(crate) latency: Measure,
    pub(crate) pieces: Vec<Piece>,
}

/// A number of a row.
pub(crate) struct Measure {
    pub(crate) figure: Figure,
    /// Class of its colour; empty where rows are not coloured by it.
    pub(crate) heat: String,
}

/// Prepares rows of a drawing.
pub(super) struct Rows<'a> {
    pub(super) drawing: &'a Drawing<'a>,
    pub(super) wanted: &'a Wanted,
    pub(super) door: Door,
    pub(super) lang: Lang,
    /// The most that a row has of what rows are coloured by.
    pub(super) hottest: f64,
}

impl Rows<'_> {
    /// A line as a row.
    pub(super) fn row(&self, line: Line) -> Row {
        match line.run {
            Some(run) => self.of_run(line, &self.drawing.drawn.runs[run]),
            None => self.of_span(line),
        }
    }

    fn of_span(&self, line: Line) -> Row {
        let drawing = self.drawing;
        let row = &drawing.trace.tree.rows[line.at];
        let (span, figures) = (&row.span, &drawing.drawn.figures[line.at]);
        let place = match row.place {
            Place::Root | Place::Child => "",
            Place::Orphan => self.lang.t("parent missing"),
            Place::CycleCut => self.lang.t("circle of parents, cut here"),
        };
        let note = match (&span.error, &span.model) {
            (Some(error), _) if span.failed() => error.clone(),
            (_, Some(model)) if *model != span.name => model.clone(),
            _ => String::new(),
        };
        Row {
            parent: row.descendants > 0,
            note,
            place,
            failed: span.failed(),
            critical: drawing.drawn.on_path[line.at],
            selected: self.wanted.selected.as_deref() == Some(span.span_id.as_str()),
            tokens: self.measure(Heat::Tokens, line.at, format::tokens(figures.tokens)),
            cost: self.measure(Heat::Cost, line.at, format::dollars(figures.cost)),
            latency: self.measure(Heat::Latency, line.at, format::nanos(span.latency())),
            pieces: drawing.clock.bar(span),
            url: urls::trace_span(self.door, &drawing.trace.summary.trace_id, &span.span_id),
            ..self.bare(line)
        }
    }

    fn of_run(&self, line: Line, run: &Repeat) -> Row {
        let drawing = self.drawing;
        let tree = &drawing.trace.tree;
        let members = || tree.tops(run.first..run.end);
        let spans = members().map(|at| &tree.rows[at].span);
        let number = format::count(run.members as u64);
        let p95 = format::latency_or_nothing(run.p95_ms);
        let name = self.bare(line).name;
        let id = tree.rows[run.first].span.span_id.as_str();
        let state = if line.is_folded { "open" } else { "shut" };
        let home = urls::trace(self.door, &drawing.trace.summary.trace_id);
        let plain = |figure| Measure {
            figure,
            heat: String::new(),
        };
        Row {
            is_run: true,
            parent: true,
            name: format!("{name} × {number}"),
            note: match p95.none {
                true => String::new(),
                false => format!("p95 {}", p95.text),
            },
            failures: match run.failed {
                0 => String::new(),
                failed => self
                    .lang
                    .fill("{} failed", &[&format::count(failed as u64)]),
            },
            critical: members().any(|at| drawing.drawn.on_path[at]),
            tokens: plain(format::tokens(run.tokens)),
            cost: plain(format::dollars(run.cost)),
            latency: plain(format::nanos(run.to.map(|to| to - run.start))),
            pieces: drawing.clock.bar_of_many(spans),
            url: urls::and(&home, &[(state, id)]),
            ..self.bare(line)
        }
    }

    fn measure(&self, heat: Heat, at: usize, figure: Figure) -> Measure {
        let level = match self.wanted.heat == Some(heat) {
            true => self.drawing.heat(heat, at, self.hottest),
            false => 0,
        };
        Measure {
            figure,
            heat: match level {
                0 => String::new(),
                level => format!(" hot-{level}"),
            },
        }
    }

    /// What every row has.
    fn bare(&self, line: Line) -> Row {
        let span = &self.drawing.trace.tree.rows[line.at].span;
        let guides = line.depth.min(MAX_GUIDES);
        let nothing = || Measure {
            figure: Figure::default(),
            heat: String::new(),
        };
        Row {
            id: span.span_id.to_string(),
            url: String::new(),
            is_run: false,
            level: line.depth + 1,
            guides: vec![(); guides as usize],
            deeper: line.depth - guides,
            parent: false,
            expanded: !line.is_folded,
            kind: span.kind,
            kind_class: kind_class(span.kind),
            name: match span.name.is_empty() {
                true => self.lang.t("(no name)").to_owned(),
                false => span.name.clone(),
            },
            note: String::new(),
            failures: String::new(),
            place: "",
            failed: false,
            critical: false,
            selected: false,
            tokens: nothing(),
            cost: nothing(),
            latency: nothing(),
            pieces: Vec::new(),
        }
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
