//! States of a list that people named.

use crate::ids::{PersonId, SavedViewId};
use crate::time::Timestamp;

/// A state of the list of traces.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SavedView {
    /// Its id.
    pub id: SavedViewId,
    /// Whose it is.
    pub owner: PersonId,
    /// What it says.
    pub draft: SavedViewDraft,
    /// When it was saved first.
    pub created_at: Timestamp,
}

/// What somebody saves.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SavedViewDraft {
    /// Its name; one of its owner's in the project.
    pub name: String,
    /// The state, as the query of an address.
    pub query: String,
    /// Whether all members of the project see it.
    pub is_shared: bool,
    /// Whether the list opens with it.
    pub is_default: bool,
}

/// The view that the list opens with for a person: their own default, else the oldest shared one.
pub fn default_for(views: &[SavedView], person: PersonId) -> Option<&SavedView> {
    let defaults = || views.iter().filter(|view| view.draft.is_default);
    let own = defaults().find(|view| view.owner == person);
    own.or_else(|| defaults().find(|view| view.draft.is_shared))
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    #[test]
    fn ones_own_default_goes_before_a_shared_one() {
        let person = |n| PersonId(Uuid::from_u128(n));
        let view = |owner, name: &str, is_shared, is_default| SavedView {
            id: SavedViewId(Uuid::nil()),
            owner: person(owner),
            draft: SavedViewDraft {
                name: name.to_owned(),
                is_shared,
                is_default,
                ..SavedViewDraft::default()
            },
            created_at: Timestamp::EPOCH,
        };
        let views = [
            view(1, "not the default", true, false),
            view(1, "of all", true, true),
            view(2, "mine", false, true),
        ];
        let of = |n| default_for(&views, person(n)).map(|view| view.draft.name.as_str());
        assert_eq!((of(2), of(3)), (Some("mine"), Some("of all")));
        assert_eq!(default_for(&views[..1], person(1)), None);
    }
}
