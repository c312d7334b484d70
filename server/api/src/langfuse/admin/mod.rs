//! `/api/admin/organizations*`: organisations, for whoever has the operator's key.

mod keys;
mod manage;
mod shape;

pub(crate) use keys::{create_key, delete_key, list_keys};
pub(crate) use manage::{
    create_organisation, delete_organisation, list_organisations, show_organisation,
    update_organisation,
};
