//! Traces of a stretch of time, summed up by what they share: a session, or a user.

use crate::fault::Fault;
use crate::money::Usd;
use crate::span::named_enum;
use crate::time::{Nanos, Timestamp};

named_enum!(
    /// What traces are gathered by.
    RollupBy, default Session {
        /// Session of the trace.
        Session = "session",
        /// User of the trace.
        User = "user",
    }
);

named_enum!(
    /// What a list is ordered by; the greatest comes first, and among equals the greater id.
    RollupOrder, default Activity {
        /// Start of the last span that names it.
        Activity = "activity",
        /// Traces.
        Traces = "traces",
        /// US dollars; unknown counts as 0 here.
        Cost = "cost",
        /// Input and output tokens; unknown counts as 0 here.
        Tokens = "tokens",
        /// Traces with an error.
        Errors = "errors",
        /// From the first start to the last end.
        Duration = "duration",
    }
);

/// The place in a list by a number, the greatest first, after which the next page begins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// What the list is ordered by, of the last row given.
    pub rank: u64,
    /// Its id, which settles ties.
    pub id: String,
}

impl Place {
    /// Before every row.
    pub fn start() -> Self {
        Place {
            rank: u64::MAX,
            id: String::new(),
        }
    }

    /// As a list in an order gives it: in another one it would lead anywhere.
    pub fn written(&self, (by, order): (RollupBy, RollupOrder)) -> String {
        format!("{by}-{order}~{:x}.{}", self.rank, self.id)
    }

    /// From what [`Place::written`] makes for that list in that order.
    ///
    /// # Errors
    /// `invalid` for any other text, and for places in other lists and orders.
    pub fn read((by, order): (RollupBy, RollupOrder), text: &str) -> Result<Self, Fault> {
        let wrong = || {
            let message = "cursor is not one that this list gave in this order";
            Fault::invalid(message).on_field("cursor")
        };
        let place = text.strip_prefix(&format!("{by}-{order}~"));
        let parts = place.and_then(|place| place.split_once('.'));
        let (rank, id) = parts.ok_or_else(wrong)?;
        let rank = u64::from_str_radix(rank, 16).map_err(|_| wrong())?;
        Ok(Place {
            rank,
            id: id.to_owned(),
        })
    }
}

/// Which rows of which list are wanted.
#[derive(Clone, Debug, PartialEq)]
pub struct RollupQuery {
    /// What traces are gathered by.
    pub by: RollupBy,
    /// Only traces that began from then on.
    pub from: Timestamp,
    /// Only traces that began before.
    pub to: Timestamp,
    /// Those with these ids; all where there are none.
    pub ids: Vec<String>,
    /// Those in which one of these users is named; all where there are none.
    pub users: Vec<String>,
    /// Those with a span in one of these environments; all where there are none.
    pub environments: Vec<String>,
    /// Those whose id, user, name or head of what was said holds the text, whatever its case.
    pub text: Option<String>,
    /// The order.
    pub order: RollupOrder,
    /// Where the page begins.
    pub after: Option<Place>,
    /// Rows of a page.
    pub limit: u32,
}

impl RollupQuery {
    /// Everything of a stretch of time, the page from its start.
    pub fn new(by: RollupBy, (from, to): (Timestamp, Timestamp), limit: u32) -> Self {
        RollupQuery {
            by,
            from,
            to,
            ids: Vec::new(),
            users: Vec::new(),
            environments: Vec::new(),
            text: None,
            order: RollupOrder::Activity,
            after: None,
            limit,
        }
    }
}

/// A session or a user, with what its traces of the stretch come to.
#[derive(Clone, Debug, PartialEq)]
pub struct Rollup {
    /// Id of the session, or of the user.
    pub id: String,
    /// Start of its first trace.
    pub first: Timestamp,
    /// Start of the last span that names it.
    pub last: Timestamp,
    /// The last end; `None` while nothing has ended.
    pub end: Option<Timestamp>,
    /// Traces.
    pub traces: u64,
    /// Of these, those with a failed span.
    pub failed_traces: u64,
    /// Sessions of its traces.
    pub sessions: u64,
    /// Users of its traces, sorted, ten at most.
    pub users: Vec<String>,
    /// Environments of its traces, sorted, ten at most.
    pub environments: Vec<String>,
    /// Input tokens; `None` when no call told any.
    pub input_tokens: Option<u64>,
    /// Output tokens, likewise.
    pub output_tokens: Option<u64>,
    /// US dollars; `None` when no call has a cost.
    pub cost: Option<Usd>,
    /// Calls that counted something and have no cost.
    pub unpriced_calls: u64,
    /// Answers that a hard check found wrong.
    pub failed_checks: u64,
    /// Scores from 0 to 1, yes and no among them.
    pub scores: u64,
    /// Their mean; `None` without any.
    pub score_mean: Option<f64>,
    /// Of these, those below [`LOW_SCORE`].
    pub low_scores: u64,
}

/// Scores from 0 to 1 below this are low; a no is, too.
pub const LOW_SCORE: f64 = 0.5;

impl Rollup {
    /// From the first start to the last end; `None` while nothing has ended.
    pub fn duration(&self) -> Option<Nanos> {
        self.end
            .filter(|end| *end >= self.first)
            .map(|end| end - self.first)
    }
}

/// A page of a list.
#[derive(Clone, Debug, PartialEq)]
pub struct RollupPage {
    /// Rows in order.
    pub rows: Vec<Rollup>,
    /// Where the next page begins; `None` at the end.
    pub next: Option<Place>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_survives_its_text_whatever_the_id() {
        for id in ["team/7#a?b=c&d %2F é", "a.b", ""] {
            let place = Place {
                rank: u64::MAX,
                id: id.to_owned(),
            };
            let list = (RollupBy::Session, RollupOrder::Cost);
            let text = place.written(list);
            assert_eq!(Place::read(list, &text).unwrap(), place);
            assert!(Place::read((RollupBy::User, RollupOrder::Cost), &text).is_err());
            assert!(Place::read((RollupBy::Session, RollupOrder::Traces), &text).is_err());
        }
        for wrong in ["", "nonsense", "session-cost~zz.a", "1.a"] {
            let list = (RollupBy::Session, RollupOrder::Cost);
            assert!(Place::read(list, wrong).is_err(), "{wrong:?}");
        }
    }
}
