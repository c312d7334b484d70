//! What happened in the business.

mod create;
mod delete;
mod list;

pub(crate) use create::create_business_events;
pub(crate) use delete::delete_business_event;
pub(crate) use list::list_business_events;
