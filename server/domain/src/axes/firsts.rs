//! What is new in a stretch of time: releases, and versions of prompts.

use std::collections::HashSet;

use super::dimension::Dimension;
use crate::Timestamp;

/// When a value was first seen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct First {
    /// [`Dimension::Release`] or [`Dimension::PromptVersion`].
    pub dimension: Dimension,
    /// Name of the prompt; empty of a release.
    pub family: String,
    /// The release, or the version.
    pub value: String,
    /// When.
    pub at: Timestamp,
}

/// Those that came from an instant on, after another of their kind: the first of its kind is no change. `firsts` in the
/// order of time.
pub fn new_since(firsts: Vec<First>, from: Timestamp) -> Vec<First> {
    let mut seen: HashSet<(Dimension, String)> = HashSet::new();
    let mut firsts = firsts;
    firsts.retain(|first| {
        let is_first_of_its_kind = seen.insert((first.dimension, first.family.clone()));
        !is_first_of_its_kind && first.at >= from
    });
    firsts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_version_is_new_only_after_another_of_the_same_prompt() {
        let at = |second: u64| Timestamp::from_unix_nanos(second * 1_000_000_000).unwrap();
        let first = |family: &str, value: &str, second: u64| First {
            dimension: match family {
                "" => Dimension::Release,
                _ => Dimension::PromptVersion,
            },
            family: family.to_owned(),
            value: value.to_owned(),
            at: at(second),
        };
        let all = vec![
            first("answer", "17", 1),
            first("answer", "17b", 5),
            first("", "r1", 11),
            first("answer", "18", 12),
            first("plan", "1", 13),
            first("", "r2", 14),
        ];
        let new: Vec<String> = new_since(all, at(10))
            .into_iter()
            .map(|first| first.value)
            .collect();
        assert_eq!(new, ["18", "r2"]);
    }
}
