//! Work for people who judge: queues of traces, observations and sessions.

/// Whether people agree, and with the right answers.
pub mod agreement;
/// What is asked, and what was answered.
pub mod answer;
/// Evaluators against people.
pub mod judge;
/// What people made of items, and how far a queue is.
mod label;
/// How a queue is worked on.
mod rules;

pub use answer::{Answer, Answers, Preference, Question};
pub use label::{Decision, Label, LabelState, Pace, Placed, Progress};
pub use rules::{MAX_RATERS, MAX_RUBRIC_CHARS, QueueRules, RESERVATION_S};

use crate::fault::Fault;
use crate::ids::{AnnotationItemId, AnnotationQueueId, ScoreConfigId};
use crate::span::named_enum;
use crate::time::Timestamp;

/// Longest name of a queue, in characters.
pub const MAX_NAME_CHARS: usize = 255;
/// Longest description of a queue, in characters.
pub const MAX_DESCRIPTION_CHARS: usize = 5_000;
/// Most configurations that a queue asks for.
pub const MAX_CONFIGS: usize = 100;
/// Longest id of what is judged, in bytes.
pub const MAX_OBJECT_BYTES: usize = 800;

named_enum!(
    /// What kind of thing is judged.
    ObjectKind, default Trace {
        /// A trace.
        Trace = "TRACE",
        /// An observation.
        Observation = "OBSERVATION",
        /// A session.
        Session = "SESSION",
    }
);

named_enum!(
    /// How far an item is.
    ItemStatus, default Pending {
        /// Nobody has judged it.
        Pending = "PENDING",
        /// It is done.
        Completed = "COMPLETED",
    }
);

/// What somebody sets of a queue.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QueueDraft {
    /// Its name, 1 to [`MAX_NAME_CHARS`] characters, once within a project.
    pub name: String,
    /// What it is for.
    pub description: Option<String>,
    /// What is to be scored, at least one, none twice.
    pub score_configs: Vec<ScoreConfigId>,
}

/// A queue of a project.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AnnotationQueue {
    /// Its id.
    pub id: AnnotationQueueId,
    /// What was set.
    pub draft: QueueDraft,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it was changed last.
    pub updated_at: Timestamp,
}

/// Something to be judged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AnnotationItem {
    /// Its id.
    pub id: AnnotationItemId,
    /// The queue that it waits in.
    pub queue_id: AnnotationQueueId,
    /// What kind of thing it is.
    pub kind: ObjectKind,
    /// The id of the thing, which need not have come yet.
    pub object_id: String,
    /// How far it is.
    pub status: ItemStatus,
    /// When it was completed; `None` while it is pending.
    pub completed_at: Option<Timestamp>,
    /// When it was put into the queue.
    pub created_at: Timestamp,
    /// When it was changed last.
    pub updated_at: Timestamp,
}

impl QueueDraft {
    /// Checks what was set; configurations that are named twice count once.
    ///
    /// # Errors
    /// `invalid` on the field that is wrong, by its name in Langfuse's API.
    pub fn check(&mut self) -> Result<(), Fault> {
        self.check_words()?;
        if self.score_configs.is_empty() {
            let message = "name 1 to 100 score configurations";
            return Err(Fault::invalid(message).on_field("scoreConfigIds"));
        }
        Ok(())
    }

    /// The same for a pairwise queue, which needs no configuration.
    ///
    /// # Errors
    /// As [`QueueDraft::check`].
    pub fn check_words(&mut self) -> Result<(), Fault> {
        if !(1..=MAX_NAME_CHARS).contains(&self.name.chars().count()) {
            return Err(Fault::invalid("must have 1 to 255 characters").on_field("name"));
        }
        without_nul("name", &self.name)?;
        if let Some(description) = &self.description {
            if description.chars().count() > MAX_DESCRIPTION_CHARS {
                let message = "must have at most 5000 characters";
                return Err(Fault::invalid(message).on_field("description"));
            }
            without_nul("description", description)?;
        }
        let mut seen = std::collections::HashSet::new();
        self.score_configs.retain(|id| seen.insert(*id));
        if self.score_configs.len() > MAX_CONFIGS {
            let message = "name 1 to 100 score configurations";
            return Err(Fault::invalid(message).on_field("scoreConfigIds"));
        }
        Ok(())
    }
}

impl AnnotationItem {
    /// Sets how far it is; what is completed already keeps its time, what is pending again has none.
    pub fn set_status(&mut self, status: ItemStatus, now: Timestamp) {
        self.completed_at = match status {
            ItemStatus::Pending => None,
            ItemStatus::Completed => self.completed_at.or(Some(now)),
        };
        self.status = status;
        self.updated_at = now;
    }
}

/// That Postgres can store a text.
pub(crate) fn without_nul(field: &str, text: &str) -> Result<(), Fault> {
    if text.contains('\0') {
        return Err(Fault::invalid("must not hold NUL characters").on_field(field));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;
    use crate::time::Nanos;

    #[test]
    fn a_queue_needs_a_name_and_something_to_score() {
        let config = ScoreConfigId(Uuid::nil());
        let draft = |name: &str, configs: &[ScoreConfigId]| QueueDraft {
            name: name.to_owned(),
            description: None,
            score_configs: configs.to_vec(),
        };
        let mut twice = draft("q", &[config, config]);
        twice.check().unwrap();
        assert_eq!(twice.score_configs, [config]);
        for (name, configs, field) in [
            ("", [config].as_slice(), "name"),
            ("a\0", &[config], "name"),
            (&"x".repeat(256), &[config], "name"),
            ("q", &[], "scoreConfigIds"),
        ] {
            let fault = draft(name, configs).check().unwrap_err();
            assert_eq!(fault.field.as_deref(), Some(field));
        }
    }

    #[test]
    fn the_time_of_completion_stays_until_an_item_is_pending_again() {
        let at = |seconds| Timestamp::EPOCH.plus(Nanos::from_seconds(seconds));
        let mut item = AnnotationItem {
            id: AnnotationItemId(Uuid::nil()),
            queue_id: AnnotationQueueId(Uuid::nil()),
            kind: ObjectKind::Trace,
            object_id: "t".to_owned(),
            status: ItemStatus::Pending,
            completed_at: None,
            created_at: at(0),
            updated_at: at(0),
        };
        item.set_status(ItemStatus::Completed, at(1));
        item.set_status(ItemStatus::Completed, at(2));
        assert_eq!((item.completed_at, item.updated_at), (Some(at(1)), at(2)));
        item.set_status(ItemStatus::Pending, at(3));
        assert_eq!(item.completed_at, None);
    }
}
