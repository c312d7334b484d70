//! Which rows of the tree somebody wants to see, and how: as the address holds it.

use std::collections::HashSet;

use domain::tree::TreeRow;
use domain::tree::repeats::Repeat;
use domain::{Fault, Nanos, Timestamp};

use crate::extract::Pairs;
use crate::pages::no_such_page;
use crate::urls;

/// What the address says of the tree, whatever span is chosen.
pub(crate) const KEPT: [&str; 7] = ["in", "heat", "path", "from_ms", "to_ms", "span", "tab"];

/// What rows are coloured by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Heat {
    /// Time in which nothing below ran.
    Latency,
    /// Cost of its own.
    Cost,
    /// Tokens of its own.
    Tokens,
}

impl Heat {
    /// All of them.
    pub(crate) const ALL: [Heat; 3] = [Heat::Latency, Heat::Cost, Heat::Tokens];

    /// Name in the address.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Heat::Latency => "latency",
            Heat::Cost => "cost",
            Heat::Tokens => "tokens",
        }
    }
}

/// Which rows are wanted.
#[derive(Default)]
pub(crate) struct Wanted {
    /// Rows from that place on.
    pub(crate) from: Option<usize>,
    /// Whether everything below the top is folded away.
    fold_all: bool,
    /// Spans that are not as `fold_all` says.
    flipped: HashSet<String>,
    /// Runs of repeats that are open, by the first span of each.
    opened: HashSet<String>,
    /// Runs that are not, though the chosen span is in them.
    shut: HashSet<String>,
    /// Only rows that hold this text, with their ancestors.
    pub(crate) text: Option<String>,
    /// What rows are coloured by.
    pub(crate) heat: Option<Heat>,
    /// Only rows on the critical path.
    pub(crate) only_path: bool,
    /// Only what was at work between these, in milliseconds from the start of the trace.
    range_ms: Option<(f64, f64)>,
    /// The chosen span.
    pub(crate) selected: Option<String>,
    /// That span is among them.
    pub(crate) reach: Option<String>,
    /// What is above that span is among them.
    pub(crate) up: Option<String>,
}

impl Wanted {
    /// From the address.
    pub(crate) fn read(pairs: &Pairs) -> Result<Self, Fault> {
        let place = pairs.filled("from").map(str::parse).transpose();
        let all = |name: &str| pairs.all(name).map(str::to_owned).collect();
        let one = |name: &str| pairs.filled(name).map(str::to_owned);
        let heat = pairs.filled("heat");
        Ok(Wanted {
            from: place.map_err(|_| no_such_page())?,
            fold_all: pairs.get("fold_all") == Some("1"),
            flipped: all("flip"),
            opened: all("open"),
            shut: all("shut"),
            text: pairs.filled("in").map(str::to_lowercase),
            heat: heat.and_then(|name| Heat::ALL.into_iter().find(|heat| heat.name() == name)),
            only_path: pairs.get("path") == Some("1"),
            range_ms: range_ms(pairs)?,
            selected: one("span"),
            reach: one("reach"),
            up: one("up"),
        })
    }

    /// Whether what is below a row is folded away.
    pub(super) fn folds(&self, row: &TreeRow) -> bool {
        let flipped = self.flipped.contains(row.span.span_id.as_str());
        row.descendants > 0 && (self.fold_all && row.depth > 0) != flipped
    }

    /// Whether a run is folded into one row: unless it was opened, or holds the row that must be seen.
    pub(super) fn folds_run(&self, run: &Repeat, first: &TreeRow, reach: Option<usize>) -> bool {
        let id = first.span.span_id.as_str();
        let holds = reach.is_some_and(|row| (run.first..run.end).contains(&row));
        self.shut.contains(id) || !(holds || self.opened.contains(id))
    }

    /// Whether some rows are left out, so that what is alike no longer stands together.
    pub(super) fn narrows(&self) -> bool {
        self.text.is_some() || self.only_path
    }

    /// The chosen stretch of the time of a trace that began then.
    pub(super) fn range(&self, start: Timestamp) -> Option<(Timestamp, Timestamp)> {
        let (from, to) = self.range_ms?;
        Some((start.plus(nanos(from)), start.plus(nanos(to))))
    }
}

fn range_ms(pairs: &Pairs) -> Result<Option<(f64, f64)>, Fault> {
    let bound = |name: &str| {
        let bound = pairs.filled(name).map(str::parse::<f64>).transpose();
        let bound = bound.map_err(|_| no_such_page())?;
        let is_one = |ms: &f64| ms.is_finite() && *ms >= 0.0;
        Ok::<_, Fault>(bound.filter(is_one))
    };
    let (from, to) = (bound("from_ms")?, bound("to_ms")?);
    Ok(from.zip(to).filter(|(from, to)| from < to))
}

/// A cast saturates: what is beyond all time is the end of it.
fn nanos(ms: f64) -> Nanos {
    Nanos((ms * 1e6) as u64)
}

/// An address with what it says of the tree changed here and there; an empty value takes one out.
pub(super) fn changed(url: &str, pairs: &Pairs, changes: &[(&str, &str)]) -> String {
    let said = |name: &str| {
        let change = changes.iter().find(|(changed, _)| *changed == name);
        let value = change
            .map(|(_, value)| *value)
            .or_else(|| pairs.filled(name));
        value.filter(|value| !value.is_empty())
    };
    let kept: Vec<(&str, &str)> = KEPT
        .into_iter()
        .filter_map(|name| Some((name, said(name)?)))
        .collect();
    urls::and(url, &kept)
}
