//! Users who are forgotten: what is asked for and how far it is, what of them is here, what is dropped from now on.

/// What of a user is here: counts, deletions.
mod erase;
/// What must not be deleted for the time being.
pub mod holds;
/// What names a user in settings and reports.
pub mod mentions;
/// What is asked for, and how far it is.
mod request;
/// How projects forget.
mod settings;
/// What was found of a user.
mod things;
/// What is dropped when it arrives.
pub mod tombstones;
/// Room of rows that are gone is given back.
mod vacuum;

pub use erase::{
    Erased, count_business_events, counts, erase, erase_items, erase_media, forget_user, items_of,
    runs_of,
};
pub use request::{Asked, Taken, Wanted, ask, finish, go_on, hold, list, show, take};
pub use settings::{set, settings};
pub use things::{Things, add, forget, read};
pub use vacuum::vacuum;
