//! Signing in, one's own account, members.

use domain::{PersonId, ProjectId};

use super::{SIGN_IN, with_pairs};

/// Signing in with the provider and going on to a page.
pub(crate) fn oidc(next: &str) -> String {
    with_pairs("/sign-in/oidc", &[("next", next)])
}

/// Signing in and going on to a page.
pub(crate) fn sign_in(next: &str) -> String {
    with_pairs(SIGN_IN, &[("next", next)])
}

/// One's own account, with a project to go back to.
pub(crate) fn account(project: ProjectId) -> String {
    format!("/p/{project}/account")
}

/// One's own account, after another password was set.
pub(crate) fn account_changed(project: ProjectId) -> String {
    with_pairs(&account(project), &[("changed", "1")])
}

/// Ends one of one's own sign-ins.
pub(crate) fn end_sign_in(project: ProjectId) -> String {
    format!("/p/{project}/account/sign-ins/end")
}

/// Ends all of one's own sign-ins but this one.
pub(crate) fn end_other_sign_ins(project: ProjectId) -> String {
    format!("/p/{project}/account/sign-ins/end-others")
}

/// Members of the organisation.
pub(crate) fn members(project: ProjectId) -> String {
    format!("/p/{project}/settings/members")
}

/// Changes a member's role.
pub(crate) fn member_role(project: ProjectId, person: PersonId) -> String {
    format!("/p/{project}/settings/members/{person}/role")
}

/// Removes a member.
pub(crate) fn member_remove(project: ProjectId, person: PersonId) -> String {
    format!("/p/{project}/settings/members/{person}/remove")
}

/// Ends all sign-ins of a member.
pub(crate) fn member_sign_out(project: ProjectId, person: PersonId) -> String {
    format!("/p/{project}/settings/members/{person}/sign-out")
}
