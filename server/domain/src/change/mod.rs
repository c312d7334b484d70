//! Observations and traces that come piece by piece, as Langfuse clients send them: "begun, with this
//! input", later "ended, with this output".
//!
//! **Invariant:** what they come to is a function of the set of changes, whatever the order and the
//! number of times in which they arrive ([`fold`]).

/// What a set of changes comes to.
mod fold;

use serde_json::{Map, Value as Json};

pub use fold::{Folded, fold};

use crate::span::named_enum;
use crate::time::Timestamp;

named_enum!(
    /// What a change is about.
    Subject, default Observation {
        /// A trace as a whole.
        Trace = "trace",
        /// One recorded operation.
        Observation = "observation",
    }
);

/// One change of an observation or a trace.
#[derive(Clone, Debug, PartialEq)]
pub struct Change {
    /// What it is about.
    pub subject: Subject,
    /// Its id, unique within the project for each subject.
    pub id: String,
    /// When the client made the change.
    pub time: Timestamp,
    /// Whether it goes after creations of the same instant.
    pub is_update: bool,
    /// Place within its request: of changes of one instant the later in the request goes after.
    pub place: u32,
    /// Id of the change itself: the same one may come again.
    pub event_id: String,
    /// Type of the observation in lower case (`generation`); empty for a trace.
    pub kind: String,
    /// The fields that it sets, by the names of the Langfuse API.
    pub body: Map<String, Json>,
}
