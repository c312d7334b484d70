//! SCIM 2.0 (RFC 7643, RFC 7644): members of an organisation, as identity providers manage them.

mod create;
mod delete;
mod discovery;
mod filter;
mod list;
mod shape;
mod show;
mod update;

pub(crate) use create::create_user;
pub(crate) use delete::delete_user;
pub(crate) use discovery::{list_resource_types, list_schemas, show_config};
pub(crate) use list::list_users;
pub(crate) use show::show_user;
pub(crate) use update::{patch_user, replace_user};
