//! Messages of two versions beside each other, matched as [`changes`](super::changes) matches them.

use similar::{Algorithm, capture_diff_slices};

use super::super::content::{Content, Message};
use super::MOST_MATCHED;

/// A message of the old version beside one of the new, each with its number from 0. One of them may be missing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Beside<'p> {
    /// Of the old version.
    pub old: Option<(usize, &'p Message)>,
    /// Of the new one.
    pub new: Option<(usize, &'p Message)>,
}

/// The messages of two versions; none of texts.
pub fn beside<'p>(old: &'p Content, new: &'p Content) -> Vec<Beside<'p>> {
    let (Content::Chat(old), Content::Chat(new)) = (old, new) else {
        return Vec::new();
    };
    let (old, new) = (old.as_slice(), new.as_slice());
    if old.len().max(new.len()) > MOST_MATCHED {
        return pairs((0, old), (0, new));
    }
    let ops = capture_diff_slices(Algorithm::Myers, old, new).into_iter();
    ops.flat_map(|op| {
        let (before, after) = (op.old_range(), op.new_range());
        pairs((before.start, &old[before]), (after.start, &new[after]))
    })
    .collect()
}

fn pairs<'p>(
    (old_at, old): (usize, &'p [Message]),
    (new_at, new): (usize, &'p [Message]),
) -> Vec<Beside<'p>> {
    let all = 0..old.len().max(new.len());
    all.map(|at| Beside {
        old: old.get(at).map(|message| (old_at + at, message)),
        new: new.get(at).map(|message| (new_at + at, message)),
    })
    .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_stand_beside_what_they_became() {
        let said = |content: &str| Message::Said {
            role: "user".to_owned(),
            content: content.to_owned(),
        };
        let chat = |all: &[&str]| Content::Chat(all.iter().map(|it| said(it)).collect());
        let (old, new) = (chat(&["a", "b", "c"]), chat(&["new", "a", "B", "c"]));
        let places: Vec<_> = beside(&old, &new)
            .iter()
            .map(|pair| (pair.old.map(|(at, _)| at), pair.new.map(|(at, _)| at)))
            .collect();
        let expected = [
            (None, Some(0)),
            (Some(0), Some(1)),
            (Some(1), Some(2)),
            (Some(2), Some(3)),
        ];
        assert_eq!(places, expected);
        assert!(beside(&Content::Text("a".to_owned()), &new).is_empty());
    }
}
