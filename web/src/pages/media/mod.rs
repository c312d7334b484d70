//! Attachments that contents name.

mod show;

pub(crate) use show::show_media;
