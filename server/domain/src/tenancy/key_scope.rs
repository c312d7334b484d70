//! What a key is limited to.

use std::fmt;

use serde::{Serialize, Serializer};

use crate::span::named_enum;

named_enum!(
    /// One thing that a limited key may be used for.
    KeyScope, default Read {
        /// Sends telemetry and its attachments.
        Ingest = "ingest",
        /// Reads whatever the API answers.
        Read = "read",
        /// Writes and reads scores.
        Scores = "scores",
        /// Reads prompts.
        Prompts = "prompts",
    }
);

/// At least one [`KeyScope`], each once.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct KeyScopes(u8);

impl KeyScopes {
    /// Those of a list; `None` where it is empty.
    pub fn new(scopes: impl IntoIterator<Item = KeyScope>) -> Option<Self> {
        let bits = scopes.into_iter().fold(0, |bits, scope| bits | bit(scope));
        (bits != 0).then_some(KeyScopes(bits))
    }

    /// Whether that is one of them.
    pub fn has(self, scope: KeyScope) -> bool {
        self.0 & bit(scope) != 0
    }

    /// Each of them, in the order of declaration.
    pub fn iter(self) -> impl Iterator<Item = KeyScope> {
        let all = KeyScope::ALL.iter().copied();
        all.filter(move |scope| self.has(*scope))
    }

    /// Their names, in the order of declaration.
    pub fn names(self) -> Vec<&'static str> {
        self.iter().map(KeyScope::as_str).collect()
    }
}

fn bit(scope: KeyScope) -> u8 {
    1 << (scope as u8)
}

impl fmt::Display for KeyScopes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.names().join(", "))
    }
}

impl fmt::Debug for KeyScopes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "KeyScopes({self})")
    }
}

impl Serialize for KeyScopes {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_has_each_scope_once_and_is_never_empty() {
        assert_eq!(KeyScopes::new([]), None);
        let both = KeyScopes::new([KeyScope::Scores, KeyScope::Ingest, KeyScope::Scores]).unwrap();
        assert_eq!(both.names(), ["ingest", "scores"]);
        assert!(!both.has(KeyScope::Read));
        assert_eq!(both.to_string(), "ingest, scores");
    }
}
