//! What scores spans by itself.

mod backfill;
mod create;
mod delete;
mod draft;
mod list;
mod show;
mod update;

pub(crate) use backfill::backfill_evaluator;
pub(crate) use create::create_evaluator;
pub(crate) use delete::delete_evaluator;
pub(crate) use list::list_evaluators;
pub(crate) use show::show_evaluator;
pub(crate) use update::update_evaluator;
