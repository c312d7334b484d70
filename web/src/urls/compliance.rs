//! Users of the application who are forgotten.

use domain::{DeletionId, LegalHoldId, ProjectId};

use super::with_pairs;

/// Users who are forgotten and who were.
pub(crate) fn deletions(project: ProjectId) -> String {
    format!("/p/{project}/settings/deletions")
}

/// The page with what there is of a user.
pub(crate) fn deletion_preview(project: ProjectId, user: &str) -> String {
    with_pairs(&deletions(project), &[("user", user)])
}

/// How far one is.
pub(crate) fn deletion(project: ProjectId, id: DeletionId) -> String {
    format!("{}/{id}", deletions(project))
}

/// Its certificate.
pub(crate) fn certificate(project: ProjectId, id: DeletionId) -> String {
    format!("{}/certificate", deletion(project, id))
}

/// Who did what and who saw what.
pub(crate) fn audit_log(project: ProjectId) -> String {
    format!("/p/{project}/settings/audit-log")
}

/// A part of it.
pub(crate) fn audit_log_with(project: ProjectId, pairs: &[(&str, &str)]) -> String {
    with_pairs(&audit_log(project), pairs)
}

/// The whole of it as a file.
pub(crate) fn audit_log_export(project: ProjectId, of: &str) -> String {
    with_pairs(&format!("{}/export", audit_log(project)), &[("of", of)])
}

/// Verifies it.
pub(crate) fn audit_log_verify(project: ProjectId) -> String {
    format!("{}/verify", audit_log(project))
}

/// Sets how the project forgets.
pub(crate) fn deletion_settings(project: ProjectId) -> String {
    format!("/p/{project}/settings/deletion-settings")
}

/// What is not stored.
pub(crate) fn masking(project: ProjectId) -> String {
    format!("/p/{project}/settings/masking")
}

/// How long what is kept.
pub(crate) fn retention(project: ProjectId) -> String {
    format!("/p/{project}/settings/retention")
}

/// Sets which traces keep their contents.
pub(crate) fn content_sampling(project: ProjectId) -> String {
    format!("/p/{project}/settings/content-sampling")
}

/// Sets a legal hold.
pub(crate) fn legal_holds(project: ProjectId) -> String {
    format!("/p/{project}/settings/legal-holds")
}

/// Lifts one.
pub(crate) fn legal_hold_lift(project: ProjectId, id: LegalHoldId) -> String {
    format!("{}/{id}/lift", legal_holds(project))
}
