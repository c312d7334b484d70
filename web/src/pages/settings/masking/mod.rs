//! What is not stored: detectors, patterns, paths, fields; what they would find, and what they found.

/// What is entered.
mod form;
/// The page and what is asked of it.
mod show;

pub(crate) use show::{MaskingPage, set_masking, show_masking};
