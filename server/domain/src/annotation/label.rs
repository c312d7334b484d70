//! What people made of items, and how far a queue is.

use super::{AnnotationItem, Answer, Answers, Question};
use crate::ids::{AnnotationItemId, PersonId};
use crate::span::named_enum;
use crate::time::Timestamp;

named_enum!(
    /// What a person made of an item.
    LabelState, default Reserved {
        /// It is kept for them.
        Reserved = "reserved",
        /// They left it to others, or to later.
        Skipped = "skipped",
        /// They judged it.
        Done = "done",
    }
);

/// What one person made of one item.
#[derive(Clone, Debug, PartialEq)]
pub struct Label {
    /// The item.
    pub item: AnnotationItemId,
    /// Who.
    pub person: PersonId,
    /// What they made of it.
    pub state: LabelState,
    /// From then on another one may take their place, as long as they have not judged.
    pub reserved_until: Timestamp,
    /// What they said; kept when it is taken back, to be changed.
    pub answers: Answers,
    /// Why it was skipped; empty where it was not.
    pub reason: String,
    /// When they opened it.
    pub started_at: Timestamp,
    /// When they judged or skipped it.
    pub ended_at: Option<Timestamp>,
}

/// How far a queue is.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Progress {
    /// Items.
    pub total: u64,
    /// Those that are complete.
    pub completed: u64,
    /// Those of the others that somebody skipped; they come again.
    pub skipped: u64,
    /// People who judged any.
    pub raters: u64,
    /// Mean time of a judgement, in seconds.
    pub mean_s: Option<f64>,
}

/// How far one person is.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Pace {
    /// Items that they judged.
    pub done: u64,
    /// Median time of a judgement, in seconds.
    pub median_s: Option<f64>,
}

/// What holds where people disagreed.
#[derive(Clone, Debug, PartialEq)]
pub struct Decision {
    /// The item.
    pub item: AnnotationItemId,
    /// About what.
    pub question: Question,
    /// What holds.
    pub answer: Answer,
    /// Why; empty without words.
    pub reason: String,
    /// Who decided.
    pub person: PersonId,
    /// When.
    pub at: Timestamp,
}

/// An item with what goes along with it.
#[derive(Clone, Debug, PartialEq)]
pub struct Placed {
    /// The item.
    pub item: AnnotationItem,
    /// What it is compared with, in a pairwise queue.
    pub second_id: Option<String>,
    /// The right answers, of an item of the calibration set.
    pub known: Option<Answers>,
    /// People who judged it.
    pub done: u64,
    /// People who skipped it.
    pub skipped: u64,
}
