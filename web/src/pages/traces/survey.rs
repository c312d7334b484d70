//! The strip above the tree: the whole trace at a glance, and what a stretch of it comes to.

use domain::Timestamp;
use domain::tree::activity::{columns, stretch};

use super::drawing::Drawing;
use super::wanted::{Heat, Wanted, changed};
use crate::chart::density::Column;
use crate::chart::waterfall::{Clock, GridLine};
use crate::chart::{number, strip};
use crate::extract::Pairs;
use crate::format::{self, Figure};
use crate::i18n::Lang;
use crate::layout::Choice;

/// Columns of the strip.
const COLUMNS: usize = 240;

/// The strip, and what it says.
pub(crate) struct Survey {
    pub(crate) columns: Vec<Column>,
    pub(crate) grid: Vec<GridLine>,
    /// Length of the trace in milliseconds.
    pub(crate) length_ms: String,
    /// The chosen stretch: left edge and width in percent; empty where none is.
    pub(crate) chosen: Option<(String, String)>,
    /// The stretch in words.
    pub(crate) words: String,
    /// The trace as a whole again.
    pub(crate) whole_url: String,
    /// What the stretch comes to, or the trace.
    pub(crate) figures: Vec<(&'static str, Figure)>,
    pub(crate) failed: Figure,
    /// What rows are coloured by.
    pub(crate) heats: Vec<Choice>,
    /// The name of what they are coloured by; empty where by nothing.
    pub(crate) heat: &'static str,
    /// With the critical path alone, or with all again.
    pub(crate) path_url: String,
    pub(crate) only_path: bool,
}

impl Survey {
    /// Prepares it; `here` is the page without anything said of the tree.
    pub(super) fn new(
        drawing: &Drawing<'_>,
        wanted: &Wanted,
        (here, pairs): (&str, &Pairs),
        lang: Lang,
    ) -> Self {
        let tree = &drawing.trace.tree;
        let (from, to) = drawing.bounds;
        let shown = drawing.range.unwrap_or(drawing.bounds);
        let clock = Clock::between(from, to);
        let told = stretch(tree, &drawing.drawn.figures, shown);
        let plain = |number: u64| format::count_or_nothing(Some(number));
        let with = |changes: &[(&str, &str)]| changed(here, pairs, changes);
        Survey {
            columns: strip::draw(&columns(tree, (from, to), COLUMNS)),
            grid: clock.grid(),
            length_ms: format::trimmed((to - from).as_millis_f64(), 6),
            chosen: drawing.range.map(|range| edges(&clock, range)),
            words: drawing.range.map_or_else(String::new, |(begin, end)| {
                let after = |instant: Timestamp| format::latency((instant - from).as_millis_f64());
                format!("{} – {}", after(begin), after(end.min(to)))
            }),
            whole_url: with(&[("from_ms", ""), ("to_ms", "")]),
            figures: vec![
                (lang.t("Spans"), plain(told.spans)),
                (lang.t("Tokens"), format::tokens(told.tokens)),
                (lang.t("Cost"), format::dollars(told.cost)),
            ],
            failed: plain(told.failed),
            heats: heats(wanted, &with, lang),
            heat: wanted.heat.map_or("", |heat| heat_name(heat, lang)),
            path_url: with(&[("path", if wanted.only_path { "" } else { "1" })]),
            only_path: wanted.only_path,
        }
    }
}

fn edges(clock: &Clock, (from, to): (Timestamp, Timestamp)) -> (String, String) {
    let left = clock.place(from).clamp(0.0, 100.0);
    let right = clock.place(to).clamp(0.0, 100.0);
    (number(left), number(right - left))
}

fn heats(wanted: &Wanted, with: &impl Fn(&[(&str, &str)]) -> String, lang: Lang) -> Vec<Choice> {
    let nothing = Choice {
        label: lang.t("Nothing").to_owned(),
        url: with(&[("heat", "")]),
        current: wanted.heat.is_none(),
    };
    let each = Heat::ALL.into_iter().map(|heat| Choice {
        label: heat_name(heat, lang).to_owned(),
        url: with(&[("heat", heat.name())]),
        current: wanted.heat == Some(heat),
    });
    std::iter::once(nothing).chain(each).collect()
}

fn heat_name(heat: Heat, lang: Lang) -> &'static str {
    match heat {
        Heat::Latency => lang.t("Own time"),
        Heat::Cost => lang.t("Own cost"),
        Heat::Tokens => lang.t("Own tokens"),
    }
}
