//! What a window's symptom comes from.

mod create;

pub(crate) use create::create_attribution;
