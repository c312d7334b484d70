//! Runs over datasets, and what they made of each item.

mod delete;
mod draft;
mod link;
mod list;
mod list_items;
mod shape;
mod show;

pub(crate) use delete::delete_run;
pub(crate) use link::link_item;
pub(crate) use list::list_runs;
pub(crate) use list_items::list_run_items;
pub(crate) use show::show_run;
