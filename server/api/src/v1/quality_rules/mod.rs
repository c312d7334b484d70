//! What the project expects of answers.

mod create;
mod delete;
mod list;

pub(crate) use create::create_quality_rule;
pub(crate) use delete::delete_quality_rule;
pub(crate) use list::list_quality_rules;
