//! Rows of the tree: the first ones with the page, the others as they are scrolled to.

use askama::Template;
use axum::extract::{RawPathParams, State};
use domain::Fault;
use service::{App, traces};

use super::drawing::Drawing;
use super::row::{Row, Rows};
use super::trace_id;
use super::wanted::{Wanted, changed};
use super::window::{WINDOW, pixels, window};
use crate::chart::waterfall::GridLine;
use crate::extract::{InProject, Pairs};
use crate::i18n::Lang;
use crate::layout::{Frame, Shell};
use crate::pages::{Answer, render};
use crate::urls::{self, Door};

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
    /// How many there are in all.
    pub(crate) total: usize,
    /// Height of those above in pixels.
    pub(crate) above: usize,
    /// Height of those below in pixels.
    pub(crate) below: usize,
    /// The page with the rows before; empty at the top.
    pub(crate) earlier_url: String,
    /// The page with the rows after; empty at the end.
    pub(crate) later_url: String,
    /// The span that had to be among them.
    pub(crate) reached: String,
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
    let drawing = Drawing::new(&trace, &wanted);
    let lang = entered.reader.visitor.choices.lang;
    Ok(render(&RowsPage {
        shell: Frame::shell(&entered.reader),
        block: block((entered.id().into(), lang), &drawing, &wanted, &pairs),
    }))
}

/// Prepares a block.
pub(crate) fn block(
    (door, lang): (Door, Lang),
    drawing: &Drawing<'_>,
    wanted: &Wanted,
    pairs: &Pairs,
) -> Block {
    let lines = drawing.lines(wanted);
    let reach = drawing.reach(wanted);
    // A row that is folded away is where the row stands that folds it.
    let place = reach.map(|row| {
        lines
            .partition_point(|line| line.at <= row)
            .saturating_sub(1)
    });
    let shown = window(lines.len(), wanted.from, place);
    let rows = Rows {
        drawing,
        wanted,
        door,
        lang,
        hottest: wanted.heat.map_or(0.0, |heat| drawing.hottest(heat)),
    };
    let home = changed(
        &urls::trace(door, &drawing.trace.summary.trace_id),
        pairs,
        &[],
    );
    let at = |from: usize| urls::and(&home, &[("from", &from.to_string())]);
    Block {
        grid: drawing.clock.grid(),
        rows: lines[shown.clone()]
            .iter()
            .map(|line| rows.row(*line))
            .collect(),
        total: lines.len(),
        above: pixels(shown.start),
        below: pixels(lines.len() - shown.end),
        earlier_url: match shown.start {
            0 => String::new(),
            start => at(start.saturating_sub(WINDOW)),
        },
        later_url: match shown.end == lines.len() {
            true => String::new(),
            false => at(shown.end),
        },
        reached: reach.map_or_else(String::new, |row| {
            drawing.trace.tree.rows[row].span.span_id.to_string()
        }),
    }
}
