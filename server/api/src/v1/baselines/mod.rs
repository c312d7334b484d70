//! What is usual.

mod list;

pub(crate) use list::list_baselines;
