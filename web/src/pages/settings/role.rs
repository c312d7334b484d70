//! Roles to choose from.

use domain::Fault;
use domain::tenancy::Role;

use crate::i18n::{Lang, text};

/// A role to choose.
pub(crate) struct RoleChoice {
    pub(crate) name: &'static str,
    pub(crate) label: &'static str,
    pub(crate) meaning: &'static str,
    pub(crate) chosen: bool,
}

/// Roles with their words, one of them chosen.
pub(super) fn choices(
    lang: Lang,
    roles: impl IntoIterator<Item = Role>,
    chosen: Role,
) -> Vec<RoleChoice> {
    let choice = |role: Role| RoleChoice {
        name: role.as_str(),
        label: label(lang, role),
        meaning: meaning(lang, role),
        chosen: role == chosen,
    };
    roles.into_iter().map(choice).collect()
}

/// The word for a role.
pub(super) fn label(lang: Lang, role: Role) -> &'static str {
    lang.t(match role {
        Role::Owner => text!("Owner"),
        Role::Admin => text!("Admin"),
        Role::Member => text!("Member"),
        Role::Viewer => text!("Viewer"),
        Role::Annotator => text!("Annotator"),
        Role::Auditor => text!("Auditor"),
        Role::None => text!("No access"),
    })
}

/// What a role is for, in a sentence.
pub(super) fn meaning(lang: Lang, role: Role) -> &'static str {
    lang.t(match role {
        Role::Owner => text!("May do everything, and makes others owner."),
        Role::Admin => text!("Manages keys, members, projects and settings."),
        Role::Member => text!("Reads everything; changes telemetry, prompts and datasets."),
        Role::Viewer => text!("Reads everything but the audit log."),
        Role::Annotator => {
            text!("Judges what waits in queues; opens the traces and sessions of it.")
        }
        Role::Auditor => {
            text!("Reads the audit log, deletions, masking, retention and members; no traces.")
        }
        Role::None => text!("Enters only projects that give another role."),
    })
}

/// The role that a form names.
///
/// # Errors
/// `invalid` on the field `role`.
pub(super) fn parse(name: Option<&str>) -> Result<Role, Fault> {
    name.and_then(Role::from_name)
        .ok_or_else(|| Fault::invalid("there is no such role").on_field("role"))
}
