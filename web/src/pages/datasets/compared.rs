//! What stands in the lines of a comparison: scores with their differences, outputs with what is different in them.

use std::collections::BTreeMap;

use domain::dataset::DatasetItemId;
use domain::prompt::{Edit, words as differing};
use domain::run_comparison::{Aggregate, Summary, Verdict, Yardstick};
use domain::{DatasetId, SpanId};
use serde_json::Value;
use service::experiments::{Cell, Compared, latency_ms};

use super::compare;
use crate::content;
use crate::extract::Reader;
use crate::format::{self, Figure};
use crate::urls;

/// Most bytes of an output that are shown and compared; the trace has all of it.
const SHOWN: usize = 1_200;
/// Differences below this are none.
const LEAST: f64 = 1e-9;

/// A score over all items.
pub(crate) struct ScoreRow {
    pub(crate) name: String,
    pub(crate) runs: Vec<ScoreCell>,
}

/// A score of a run over all items.
pub(crate) struct ScoreCell {
    pub(crate) mean: Figure,
    pub(crate) n: String,
    /// Against the baseline, with its interval; empty of that itself.
    pub(crate) difference: String,
    pub(crate) interval: String,
    /// Items that both have.
    pub(crate) pairs: String,
    /// Whether the whole interval is on the bad side.
    pub(crate) is_worse: bool,
}

/// An item.
pub(crate) struct CompareRow {
    pub(crate) item: String,
    pub(crate) item_url: String,
    pub(crate) verdict: &'static str,
    pub(crate) is_worse: bool,
    pub(crate) input: String,
    pub(crate) expected: String,
    /// What each run made of it, in their order.
    pub(crate) cells: Vec<Option<CompareCell>>,
}

/// What a run made of an item.
pub(crate) struct CompareCell {
    pub(crate) trace_url: String,
    pub(crate) failed: bool,
    /// Pieces of the output: `del`, `ins`, or nothing for what is in both.
    pub(crate) pieces: Vec<(&'static str, String)>,
    pub(crate) scores: Vec<Change>,
    /// Latency, cost, and how often it was tried where that is more than once, as far as they are known.
    pub(crate) facts: String,
}

/// A score of an item.
pub(crate) struct Change {
    pub(crate) name: String,
    pub(crate) value: String,
    /// Against the baseline; empty where it is the same.
    pub(crate) difference: String,
    pub(crate) is_worse: bool,
}

/// A score over all items, as its line shows it.
pub(super) fn score_row(score: &Aggregate, yardstick: &Yardstick) -> ScoreRow {
    let cell = |summary: &Summary| {
        let difference = summary.difference;
        let interval = difference.and_then(|difference| difference.interval);
        ScoreCell {
            mean: Figure {
                text: summary
                    .mean
                    .map_or_else(|| "–".to_owned(), |mean| format::trimmed(mean, 3)),
                exact: String::new(),
                none: summary.mean.is_none(),
            },
            n: format::count(summary.n as u64),
            difference: difference.map_or_else(String::new, |one| signed(one.mean)),
            interval: interval.map_or_else(String::new, |(low, high)| {
                format!("{} … {}", signed(low), signed(high))
            }),
            pairs: difference.map_or_else(String::new, |one| format::count(one.pairs as u64)),
            is_worse: interval.is_some_and(|(low, high)| match yardstick.lower_is_better {
                true => low > LEAST,
                false => high < -LEAST,
            }),
        }
    };
    ScoreRow {
        name: score.name.clone(),
        runs: score.runs.iter().map(cell).collect(),
    }
}

/// An item, as its line shows it.
pub(super) fn row(
    reader: &Reader,
    dataset: DatasetId,
    item: &Compared,
    yardstick: &Yardstick,
) -> CompareRow {
    let baseline = item.cells.first().and_then(Option::as_ref);
    let any = item.cells.iter().flatten().next();
    let text = |of: fn(&Cell) -> &Option<String>| {
        let text = any.and_then(|cell| of(cell).as_deref());
        content::preview(text.unwrap_or_default())
    };
    let cell = |(at, cell): (usize, &Option<Cell>)| {
        let cell = cell.as_ref()?;
        let against = baseline.filter(|_| at > 0);
        Some(compared(reader, (cell, against), yardstick))
    };
    let place = (reader.id(), dataset);
    CompareRow {
        item: item.item_id.clone(),
        item_url: DatasetItemId::parse(&item.item_id)
            .map_or_else(|_| String::new(), |id| urls::item(place, &id)),
        verdict: compare::words(Some(item.verdict), reader.lang()),
        is_worse: item.verdict == Verdict::Worse,
        input: text(|cell| &cell.result.item.input),
        expected: text(|cell| &cell.result.item.expected_output),
        cells: item.cells.iter().enumerate().map(cell).collect(),
    }
}

fn compared(
    reader: &Reader,
    (cell, baseline): (&Cell, Option<&Cell>),
    yardstick: &Yardstick,
) -> CompareCell {
    let item = &cell.result.item;
    let output = plain(item.output.as_deref());
    let pieces = match baseline {
        None => vec![("", output)],
        Some(baseline) => {
            let before = plain(baseline.result.item.output.as_deref());
            let stretches = differing(&before, &output).into_iter();
            let piece = |edit| match edit {
                Edit::Equal => "",
                Edit::Delete => "del",
                Edit::Insert => "ins",
            };
            stretches.map(|one| (piece(one.edit), one.text)).collect()
        }
    };
    CompareCell {
        trace_url: match SpanId::from_text(&item.id) {
            Ok(span) => urls::trace_span(reader.id(), &item.trace_id, &span),
            Err(_) => urls::trace(reader.id(), &item.trace_id),
        },
        failed: cell.outcome.failed,
        pieces,
        scores: changes(
            &cell.outcome.scores,
            baseline.map(|baseline| &baseline.outcome.scores),
            yardstick,
        ),
        facts: facts(cell),
    }
}

fn facts(cell: &Cell) -> String {
    let figures = [
        format::latency_or_nothing(latency_ms(&cell.result)),
        format::dollars(cell.result.cost),
    ];
    let known = figures.into_iter().filter(|figure| !figure.none);
    let mut facts: Vec<String> = known.map(|figure| figure.text).collect();
    if cell.times > 1 {
        facts.push(format!("× {}", cell.times));
    }
    facts.join(" · ")
}

/// The head of an output: a text without the quotes of JSON.
fn plain(output: Option<&str>) -> String {
    let text = output.unwrap_or_default();
    match serde_json::from_str(content::head(text, SHOWN * 4)) {
        Ok(Value::String(words)) => content::head(&words, SHOWN).to_owned(),
        _ => content::head(text, SHOWN).to_owned(),
    }
}

fn changes(
    scores: &BTreeMap<String, f64>,
    before: Option<&BTreeMap<String, f64>>,
    yardstick: &Yardstick,
) -> Vec<Change> {
    let change = |(name, value): (&String, &f64)| {
        let before = before.and_then(|before| before.get(name));
        let gain = before.map_or(0.0, |before| value - before);
        let loss = if yardstick.lower_is_better {
            gain
        } else {
            -gain
        };
        Change {
            name: name.clone(),
            value: format::trimmed(*value, 3),
            difference: match gain.abs() > LEAST {
                true => signed(gain),
                false => String::new(),
            },
            is_worse: loss > LEAST,
        }
    };
    scores.iter().map(change).collect()
}

/// A difference with its sign.
fn signed(number: f64) -> String {
    let text = format::trimmed(number.abs(), 3);
    match number {
        _ if text == "0" => text,
        number if number < 0.0 => format!("−{text}"),
        _ => format!("+{text}"),
    }
}
