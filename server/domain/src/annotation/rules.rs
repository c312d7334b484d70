//! How a queue is worked on.

use super::without_nul;
use crate::fault::Fault;
use crate::time::Timestamp;

/// Most people who judge one item.
pub const MAX_RATERS: u32 = 20;
/// Shortest and longest time that an item is kept for somebody, in seconds.
pub const RESERVATION_S: (u32, u32) = (30, 86_400);
/// Longest rubric, in characters.
pub const MAX_RUBRIC_CHARS: usize = 20_000;

/// How a queue is worked on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QueueRules {
    /// How to judge, in words; empty without any.
    pub rubric: String,
    /// People who judge an item before it is complete, 1 to [`MAX_RATERS`].
    pub raters: u32,
    /// How long an item is kept for whoever opened it, in seconds, within [`RESERVATION_S`].
    pub reservation_s: u32,
    /// Whether raters see the judgements of others only after their own.
    pub is_blind: bool,
    /// Whether items are two things of which one is chosen.
    pub is_pairwise: bool,
    /// Since when nobody works on it any more.
    pub archived_at: Option<Timestamp>,
}

impl Default for QueueRules {
    fn default() -> Self {
        QueueRules {
            rubric: String::new(),
            raters: 1,
            reservation_s: 600,
            is_blind: false,
            is_pairwise: false,
            archived_at: None,
        }
    }
}

impl QueueRules {
    /// Checks what was set.
    ///
    /// # Errors
    /// `invalid` on the field that is wrong.
    pub fn check(&self) -> Result<(), Fault> {
        if self.rubric.chars().count() > MAX_RUBRIC_CHARS {
            let message = "must have at most 20000 characters";
            return Err(Fault::invalid(message).on_field("rubric"));
        }
        without_nul("rubric", &self.rubric)?;
        if !(1..=MAX_RATERS).contains(&self.raters) {
            return Err(Fault::invalid("must be 1 to 20").on_field("raters"));
        }
        if !(RESERVATION_S.0..=RESERVATION_S.1).contains(&self.reservation_s) {
            let message = "must be between 30 seconds and a day";
            return Err(Fault::invalid(message).on_field("reservation"));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rules_have_limits() {
        assert!(QueueRules::default().check().is_ok());
        let wrong = [
            (
                "rubric",
                QueueRules {
                    rubric: "a\0".to_owned(),
                    ..QueueRules::default()
                },
            ),
            (
                "raters",
                QueueRules {
                    raters: 0,
                    ..QueueRules::default()
                },
            ),
            (
                "reservation",
                QueueRules {
                    reservation_s: 1,
                    ..QueueRules::default()
                },
            ),
        ];
        for (field, rules) in wrong {
            assert_eq!(rules.check().unwrap_err().field.as_deref(), Some(field));
        }
    }
}
