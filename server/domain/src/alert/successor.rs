//! What takes the place of a version of a prompt that went back.

use std::collections::BTreeMap;

use super::rule::Rule;
use super::state::Group;
use crate::rollback::{Rollback, State};
use crate::{AlertRuleId, Timestamp};

/// Groups of a rule that another one took the place of.
pub type Successors = BTreeMap<Group, Successor>;

/// Those of several rules.
pub type SuccessorsOf = BTreeMap<AlertRuleId, Successors>;

/// The group that has taken the place of another, since its version of a prompt went back: nothing comes of that any more, and
/// whether all is well is seen on the version that its label stands on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Successor {
    /// The group.
    pub group: Group,
    /// Since when.
    pub since: Timestamp,
}

impl Successor {
    /// Of a group after a rollback; `None` where that moved no label, or the group is not told apart by what it moved.
    pub fn of(group: &Group, rollback: &Rollback) -> Option<Self> {
        let (to, since) = (rollback.to_version?, rollback.decided_at?);
        let is_version = group.0.get(VERSION)? == &rollback.from_version.to_string();
        let is_prompt = match group.0.get(PROMPT) {
            // It may have been cut.
            Some(named) => rollback.prompt.as_str().starts_with(named.as_str()),
            None => true,
        };
        if rollback.state != State::Applied || !is_version || !is_prompt {
            return None;
        }
        let mut group = group.clone();
        group.0.insert(VERSION.to_owned(), to.to_string());
        Some(Successor { group, since })
    }

    /// Whether groups of a rule may have one.
    pub fn is_of(rule: &Rule) -> bool {
        rule.draft.kind.group_by.iter().any(|name| name == VERSION)
    }
}

/// As dimensions are named.
const PROMPT: &str = "prompt";
const VERSION: &str = "prompt_version";
