//! Prompts, beyond what Langfuse's clients ask for.

mod diff;
mod remove_label;

pub(crate) use diff::diff_prompt;
pub(crate) use remove_label::remove_prompt_label;
