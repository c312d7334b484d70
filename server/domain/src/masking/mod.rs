//! What must not be stored is found and replaced before anything is stored.
//!
//! A project's [`MaskingSettings`] are compiled to a [`Masker`] once. Texts are looked at in a folded view
//! ([`fold`]) in which full-width letters, invisible characters and escapes are what a reader takes them for, so that
//! writing otherwise hides nothing. Detectors (`detect`) say where something stands; [`text`] puts marks there that name
//! the rule: `[EMAIL]`.
//!
//! **Invariants:** what is masked twice is as if it was masked once; JSON stays JSON; no detector finds anything in what
//! was masked; time grows with the length of the text and no faster.

/// Attributes and values.
mod attributes;
/// How often which rule found something.
mod counts;
/// What finds something in a folded text.
mod detect;
/// Texts as a reader takes them.
mod fold;
/// Texts that are JSON.
mod json;
/// Which field an attribute gives.
mod keys;
/// The rules of a project, compiled.
mod masker;
/// Paths to values within JSON.
mod path;
/// Log records, changes, scores, business events.
mod records;
/// What a project sets.
mod settings;
/// Spans.
mod span;
/// Texts.
mod text;

pub use counts::Counts;
pub use keys::FieldKeys;
pub use masker::{Masker, Pseudonym};
pub use path::{Path, PathError};
pub use settings::{
    Action, AttributeRule, CustomPattern, Detector, MAX_PATTERN_BYTES, MAX_RULES, MaskedField,
    MaskingSettings, PathRule, Preset, Problem,
};

#[cfg(test)]
mod tests;
#[cfg(test)]
mod vectors;
