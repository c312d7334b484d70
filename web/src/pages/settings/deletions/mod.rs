//! Users of the application who are forgotten: asked for with a preview, followed, proven.

/// What is asked for and set.
mod change;
/// Users who are forgotten and who were, with the forms.
mod list;
/// One of them.
mod show;
/// Words of states and stores.
mod words;

pub(crate) use change::{
    create_deletion, create_legal_hold, lift_legal_hold, set_deletion_settings,
};
pub(crate) use list::{DeletionsPage, Told as ToldOfUsers, list_deletions};
pub(crate) use show::{DeletionPage, download_certificate, show_deletion};
