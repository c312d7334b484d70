//! Who did what and who saw what.

mod list;
mod verify;

pub(crate) use list::list_audit_log;
pub(crate) use verify::verify_audit_log;
