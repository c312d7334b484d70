//! Prompts, beyond what Langfuse's clients ask for.

mod remove_label;

pub(crate) use remove_label::remove_prompt_label;
