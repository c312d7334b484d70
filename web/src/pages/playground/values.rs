//! What is filled in for all windows: variables, and messages in the place of placeholders.

use std::collections::{BTreeMap, BTreeSet};

use domain::Fault;
use domain::message::{Message, Side, read};
use domain::prompt::variables;

use super::window::{PLACEHOLDER, Window};
use crate::extract::Pairs;

/// What fields of variables are called before the name.
const VARIABLE: &str = "var.";
/// What those of placeholders are called.
const SLOT: &str = "slot.";

/// What is filled in.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Values {
    /// Values of variables by name.
    pub(super) variables: BTreeMap<String, String>,
    /// What stands for placeholders by name: the JSON of a list of messages.
    slots: BTreeMap<String, String>,
}

impl Values {
    /// As it was sent.
    pub(super) fn posted(pairs: &Pairs) -> Self {
        let named = |prefix: &str| {
            let fields = pairs.0.iter();
            let fields = fields.filter_map(|(name, value)| {
                let name = name.strip_prefix(prefix)?;
                Some((name.to_owned(), value.replace("\r\n", "\n")))
            });
            fields.collect()
        };
        Values {
            variables: named(VARIABLE),
            slots: named(SLOT),
        }
    }

    /// The messages that stand for a placeholder; none where it is left empty.
    ///
    /// # Errors
    /// `invalid` on the field `variables` when nothing was said of it, or what is no list of messages.
    pub(super) fn messages(&self, name: &str) -> Result<Vec<Message>, Fault> {
        let wrong = |why: &str| {
            Fault::invalid(format!("the placeholder {name} {why}")).on_field("variables")
        };
        let slot = self
            .slots
            .get(name)
            .ok_or_else(|| wrong("has no messages"))?;
        if slot.trim().is_empty() {
            return Ok(Vec::new());
        }
        let list = serde_json::from_str::<Vec<serde_json::Value>>(slot);
        list.map_err(|_| wrong("needs the JSON of a list of messages"))?;
        let conversation = read(slot, Side::Input);
        let none = || wrong("needs messages with a role and a content each");
        Ok(conversation.ok_or_else(none)?.messages)
    }
}

/// Names of variables and of placeholders in some windows, in the order of the alphabet.
pub(super) fn names(windows: &[Window]) -> (BTreeSet<String>, BTreeSet<String>) {
    let mut found = (BTreeSet::new(), BTreeSet::new());
    let entries = windows.iter().flat_map(|window| &window.messages);
    for entry in entries.filter(|entry| !entry.is_parts) {
        if entry.role == PLACEHOLDER {
            found.1.insert(entry.content.trim().to_owned());
        } else {
            found
                .0
                .extend(variables(&entry.content).into_iter().map(str::to_owned));
        }
    }
    found.1.remove("");
    found
}
