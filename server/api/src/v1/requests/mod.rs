//! Requests with the state of their GPUs and engines.

mod list;

pub(crate) use list::list_requests;
