//! What keys of organisations manage: projects, keys and members.

mod keys;
mod memberships;
mod projects;
pub(crate) mod shape;

pub(crate) use keys::{create_project_key, delete_project_key, list_keys, list_project_keys};
pub(crate) use memberships::{
    delete_membership, delete_project_membership, list_memberships, list_project_memberships,
    set_membership, set_project_membership,
};
pub(crate) use projects::list_projects;
