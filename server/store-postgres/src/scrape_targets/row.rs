//! A row, and what it says.

use domain::Nanos;
use domain::scrape::{AuthHint, ScrapeOutcome, ScrapeTarget, TargetDraft, TargetKind};
use time::OffsetDateTime;
use uuid::Uuid;

/// Token or password, sealed.
pub type Sealed = Option<Vec<u8>>;

pub(super) struct Row {
    pub(super) id: Uuid,
    pub(super) project_id: Uuid,
    pub(super) name: String,
    pub(super) url: String,
    pub(super) kind: String,
    pub(super) interval_s: i32,
    pub(super) labels: String,
    pub(super) is_enabled: bool,
    pub(super) auth_kind: Option<String>,
    pub(super) auth_user: Option<String>,
    pub(super) auth_secret: Option<Vec<u8>>,
    pub(super) scraped_at: Option<OffsetDateTime>,
    pub(super) duration_ns: Option<i64>,
    pub(super) samples: Option<i64>,
    pub(super) recognised: Option<i64>,
    pub(super) exporters: Option<Vec<String>>,
    pub(super) error: Option<String>,
    pub(super) created_at: OffsetDateTime,
    pub(super) updated_at: OffsetDateTime,
}

impl Row {
    pub(super) fn into_target(self) -> ScrapeTarget {
        self.into_sealed().0
    }

    pub(super) fn into_sealed(self) -> (ScrapeTarget, Sealed) {
        let count = |number: Option<i64>| number.unwrap_or(0).unsigned_abs();
        let outcome = self.scraped_at.map(|at| ScrapeOutcome {
            at: at.into(),
            duration: Nanos(count(self.duration_ns)),
            samples: count(self.samples),
            recognised: count(self.recognised),
            exporters: self.exporters.unwrap_or_default(),
            error: self.error,
        });
        let auth = self.auth_kind.map(|kind| match kind.as_str() {
            "basic" => AuthHint::Basic(self.auth_user.unwrap_or_default()),
            // The table's constraint keeps other names out.
            _ => AuthHint::Bearer,
        });
        let target = ScrapeTarget {
            id: self.id.into(),
            draft: TargetDraft {
                name: self.name,
                url: self.url,
                kind: TargetKind::from_name(&self.kind).unwrap_or_default(),
                interval_s: self.interval_s.unsigned_abs(),
                // What is no such object was not written here.
                labels: serde_json::from_str(&self.labels).unwrap_or_default(),
                is_enabled: self.is_enabled,
            },
            auth,
            outcome,
            created_at: self.created_at.into(),
            updated_at: self.updated_at.into(),
        };
        (target, self.auth_secret)
    }
}

pub(super) fn auth_kind(target: &ScrapeTarget) -> Option<&'static str> {
    target.auth.as_ref().map(|auth| match auth {
        AuthHint::Bearer => "bearer",
        AuthHint::Basic(_) => "basic",
    })
}

pub(super) fn auth_user(target: &ScrapeTarget) -> Option<&str> {
    match &target.auth {
        Some(AuthHint::Basic(user)) => Some(user),
        _ => None,
    }
}

pub(super) fn json(draft: &TargetDraft) -> String {
    serde_json::to_string(&draft.labels).unwrap_or_else(|_| "{}".to_owned())
}
