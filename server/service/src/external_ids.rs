//! Ids that operators gave as any text: docs/decisions/0015-external-ids.md.

use domain::{OrganisationId, ProjectId};
use sha2::{Digest, Sha256};
use uuid::Uuid;

/// The project that a text names: a UUID, or any other text, which is always the same project.
pub fn project_id(text: &str) -> ProjectId {
    ProjectId(derived("project", text))
}

/// The organisation that a text names, likewise.
pub fn organisation_id(text: &str) -> OrganisationId {
    OrganisationId(derived("organisation", text))
}

/// The text to keep beside an id that was made from it.
pub(crate) fn to_keep(given: Option<&str>) -> Option<&str> {
    given.filter(|text| Uuid::parse_str(text).is_err())
}

fn derived(what: &str, text: &str) -> Uuid {
    Uuid::parse_str(text).unwrap_or_else(|_| {
        let hash = Sha256::digest(format!("triaxis {what} {text}"));
        let mut bytes = [0; 16];
        bytes.copy_from_slice(&hash[..16]);
        uuid::Builder::from_custom_bytes(bytes).into_uuid()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_uuids_as_given_or_made_from_the_text() {
        let uuid = "0190f0a0-0000-7000-8000-000000000001";
        assert_eq!(project_id(uuid).to_string(), uuid);
        let made = project_id("support");
        assert_eq!(made, project_id("support"));
        assert_ne!(made.as_uuid(), organisation_id("support").as_uuid());
        assert_eq!(to_keep(Some(uuid)), None);
        assert_eq!(to_keep(Some("support")), Some("support"));
    }
}
