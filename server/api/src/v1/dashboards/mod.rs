//! Charts that members put together.

mod create;
mod delete;
mod list;
mod replace;
mod show;

pub(crate) use create::create_dashboard;
pub(crate) use delete::delete_dashboard;
pub(crate) use list::list_dashboards;
pub(crate) use replace::replace_dashboard;
pub(crate) use show::show_dashboard;
