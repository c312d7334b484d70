//! Targets that metrics are fetched from.

mod create;
mod delete;
mod draft;
mod list;
mod show;
mod test;
mod update;

pub(crate) use create::create_scrape_target;
pub(crate) use delete::delete_scrape_target;
pub(crate) use list::list_scrape_targets;
pub(crate) use show::show_scrape_target;
pub(crate) use test::test_scrape_target;
pub(crate) use update::update_scrape_target;
