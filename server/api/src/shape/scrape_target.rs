//! A target of scrapes, and what became of one.

use std::collections::BTreeMap;

use domain::scrape::{AuthHint, ScrapeOutcome, ScrapeTarget};
use serde::Serialize;

/// A target, ready to be written.
#[derive(Serialize)]
pub(crate) struct ScrapeTargetRow<'a> {
    id: String,
    name: &'a str,
    url: &'a str,
    kind: &'static str,
    interval_s: u32,
    labels: &'a BTreeMap<String, String>,
    enabled: bool,
    auth: Option<Auth<'a>>,
    last_scrape: Option<String>,
    samples: Option<u64>,
    recognised: Option<u64>,
    exporters: Option<&'a [String]>,
    duration_ms: Option<f64>,
    error: Option<&'a str>,
    created_at: String,
    updated_at: String,
}

#[derive(Serialize)]
struct Auth<'a> {
    r#type: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    username: Option<&'a str>,
}

impl<'a> From<&'a ScrapeTarget> for ScrapeTargetRow<'a> {
    fn from(target: &'a ScrapeTarget) -> Self {
        let (draft, outcome) = (&target.draft, target.outcome.as_ref());
        ScrapeTargetRow {
            id: target.id.to_string(),
            name: &draft.name,
            url: &draft.url,
            kind: draft.kind.as_str(),
            interval_s: draft.interval_s,
            labels: &draft.labels,
            enabled: draft.is_enabled,
            auth: target.auth.as_ref().map(|auth| match auth {
                AuthHint::Bearer => Auth {
                    r#type: "bearer",
                    username: None,
                },
                AuthHint::Basic(user) => Auth {
                    r#type: "basic",
                    username: Some(user),
                },
            }),
            last_scrape: outcome.map(|outcome| outcome.at.to_string()),
            samples: outcome.map(|outcome| outcome.samples),
            recognised: outcome.map(|outcome| outcome.recognised),
            exporters: outcome.map(|outcome| outcome.exporters.as_slice()),
            duration_ms: outcome.map(|outcome| outcome.duration.as_millis_f64()),
            error: outcome.and_then(|outcome| outcome.error.as_deref()),
            created_at: target.created_at.to_string(),
            updated_at: target.updated_at.to_string(),
        }
    }
}

/// What a look at a target gave.
#[derive(Serialize)]
pub(crate) struct ScrapeOutcomeShape<'a> {
    at: String,
    duration_ms: f64,
    samples: u64,
    recognised: u64,
    exporters: &'a [String],
    error: Option<&'a str>,
}

impl<'a> From<&'a ScrapeOutcome> for ScrapeOutcomeShape<'a> {
    fn from(outcome: &'a ScrapeOutcome) -> Self {
        ScrapeOutcomeShape {
            at: outcome.at.to_string(),
            duration_ms: outcome.duration.as_millis_f64(),
            samples: outcome.samples,
            recognised: outcome.recognised,
            exporters: &outcome.exporters,
            error: outcome.error.as_deref(),
        }
    }
}
