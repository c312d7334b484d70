//! The time of a conversation as a line to move along: turns as blocks, long pauses shortened.

use domain::session::Turn;
use domain::{Nanos, Timestamp};

use super::number;

/// A pause longer than this is shortened.
const LONG: u64 = Nanos::from_seconds(30).0;
/// To this.
const SHORT: u64 = Nanos::from_seconds(4).0;
/// What takes no time can be seen all the same.
const LEAST: u64 = Nanos::from_millis(400).0;
/// Blocks that are drawn; of more turns, several share one.
const MOST_BLOCKS: usize = 240;
/// Numbers below the line.
const MOST_LABELS: usize = 12;

/// A turn, or several.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Block {
    /// Left edge, in percent.
    pub(crate) x: String,
    /// Width, in percent.
    pub(crate) width: String,
    /// `fail` where something was wrong; empty otherwise.
    pub(crate) class: &'static str,
    /// The first of them, counted from 1.
    pub(crate) number: usize,
}

/// A shortened pause, in percent.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Pause {
    /// Where it begins.
    pub(crate) from: String,
    /// Where it ends.
    pub(crate) to: String,
}

/// A number below the line.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Label {
    /// Place, in percent.
    pub(crate) x: String,
    /// Number of the turn.
    pub(crate) text: String,
}

/// The line.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Scrubber {
    /// Turns.
    pub(crate) blocks: Vec<Block>,
    /// Pauses that were shortened.
    pub(crate) pauses: Vec<Pause>,
    /// Numbers of some turns.
    pub(crate) labels: Vec<Label>,
    /// Where each turn begins on the line, in percent.
    pub(crate) places: Vec<f64>,
    /// Starts of the turns on the line, in milliseconds, with commas between them.
    pub(crate) starts: String,
    /// Length of the line, in milliseconds.
    pub(crate) length_ms: u64,
    /// Before each turn the pause, where it was shortened.
    pub(crate) before: Vec<Option<Nanos>>,
}

/// Lays turns, the earliest first, on the line.
pub(crate) fn draw(turns: &[Turn]) -> Scrubber {
    let Some(first) = turns.first() else {
        return Scrubber::default();
    };
    let (mut at, mut over) = (0, first.start);
    let mut starts = Vec::with_capacity(turns.len());
    let mut ends = Vec::with_capacity(turns.len());
    let (mut before, mut pauses) = (Vec::with_capacity(turns.len()), Vec::new());
    for turn in turns {
        let idle = since(over, turn.start);
        let shown = if idle > LONG { SHORT } else { idle };
        let paused = (idle > LONG).then_some(Nanos(idle));
        if paused.is_some() {
            pauses.push((at, at + shown));
        }
        before.push(paused);
        // A turn that begins before the last one has ended lies within it.
        let start = (at + shown).saturating_sub(since(turn.start, over));
        let length = turn.latency().map_or(LEAST, |length| length.0.max(LEAST));
        let end = start.saturating_add(length);
        starts.push(start);
        ends.push(end);
        over = over.max(turn.start.plus(Nanos(length)));
        at = at.max(end);
    }
    let whole = at.max(LEAST);
    let place = |at: u64| at as f64 / whole as f64 * 100.0;
    let millis = |at: &u64| (at / 1_000_000).to_string();
    Scrubber {
        blocks: blocks(turns, (&starts, &ends), place),
        pauses: pauses
            .into_iter()
            .map(|(from, to)| Pause {
                from: number(place(from)),
                to: number(place(to)),
            })
            .collect(),
        labels: labels(&starts, place),
        places: starts.iter().map(|start| place(*start)).collect(),
        starts: starts.iter().map(millis).collect::<Vec<_>>().join(","),
        length_ms: whole / 1_000_000,
        before,
    }
}

/// Nanoseconds from one instant to a later one; 0 to an earlier one.
fn since(from: Timestamp, to: Timestamp) -> u64 {
    if to > from { (to - from).0 } else { 0 }
}

fn blocks(
    turns: &[Turn],
    (starts, ends): (&[u64], &[u64]),
    place: impl Fn(u64) -> f64,
) -> Vec<Block> {
    let together = turns.len().div_ceil(MOST_BLOCKS).max(1);
    let places = turns.chunks(together).enumerate();
    places
        .map(|(at, some)| {
            let first = at * together;
            let end = ends[first..first + some.len()].iter().max();
            let x = place(starts[first]);
            let width = end.map_or(0.0, |end| place(*end) - x);
            Block {
                x: number(x),
                width: number((width - 0.15).max(0.3)),
                class: match some.iter().any(Turn::is_bad) {
                    true => "fail",
                    false => "",
                },
                number: first + 1,
            }
        })
        .collect()
}

fn labels(starts: &[u64], place: impl Fn(u64) -> f64) -> Vec<Label> {
    let apart = 100.0 / MOST_LABELS as f64 / 2.0;
    let mut last = f64::NEG_INFINITY;
    let mut labels = Vec::new();
    for (at, start) in starts.iter().enumerate() {
        let x = place(*start);
        if x - last >= apart {
            labels.push(Label {
                x: number(x),
                text: (at + 1).to_string(),
            });
            last = x;
        }
    }
    labels
}

#[cfg(test)]
mod tests {
    use domain::TraceId;

    use super::*;

    fn turn(second: u64, lasts: Option<u64>, errors: u64) -> Turn {
        let start = Timestamp::EPOCH.plus(Nanos::from_seconds(second));
        Turn {
            trace_id: TraceId::from_text(&format!("t{second}")).unwrap(),
            name: String::new(),
            start,
            end: lasts.map(|seconds| start.plus(Nanos::from_seconds(seconds))),
            user_id: None,
            environment: String::new(),
            errors,
            failed_checks: 0,
            low_scores: 0,
            input_tokens: None,
            output_tokens: None,
            cost: None,
            unpriced_calls: 0,
        }
    }

    #[test]
    fn long_pauses_are_shortened_and_told_and_the_order_stays() {
        let turns = [
            turn(0, Some(2), 0),
            turn(10, Some(2), 1),
            turn(3612, Some(4), 0),
            turn(3614, None, 0),
        ];
        let line = draw(&turns);
        assert_eq!(line.starts, "0,10000,16000,18000");
        assert_eq!(line.length_ms, 20_000);
        assert_eq!(line.pauses.len(), 1);
        assert_eq!(line.before[2], Some(Nanos::from_seconds(3600)));
        assert_eq!(line.blocks[1].class, "fail");
        assert!(line.places.is_sorted() && line.places[3] <= 100.0);
    }

    #[test]
    fn thousands_of_turns_make_no_more_blocks_than_can_be_seen() {
        let turns: Vec<Turn> = (0..20_000).map(|n| turn(n * 60, Some(1), 0)).collect();
        let line = draw(&turns);
        assert!(line.blocks.len() <= MOST_BLOCKS && line.labels.len() <= 2 * MOST_LABELS + 1);
        assert_eq!(line.starts.split(',').count(), turns.len());
        assert_eq!(draw(&[]), Scrubber::default());
    }
}
