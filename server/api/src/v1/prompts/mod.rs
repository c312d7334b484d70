//! Prompts, beyond what Langfuse's clients ask for.

mod diff;
mod remove_label;
mod test;

pub(crate) use diff::diff_prompt;
pub(crate) use remove_label::remove_prompt_label;
pub(crate) use test::{end_prompt_test, set_prompt_test, show_prompt_test};
