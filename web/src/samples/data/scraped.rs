//! Targets of scrapes: one that answers, one that does not, one that was never asked.

use domain::scrape::{AuthHint, ScrapeOutcome, ScrapeTarget, TargetDraft, TargetKind};
use domain::{Nanos, Timestamp};
use uuid::Uuid;

use super::super::HOSTILE;
use super::now;

fn earlier(seconds: u64) -> Timestamp {
    now().minus(Nanos::from_seconds(seconds))
}

/// Targets.
pub(in crate::samples) fn scrape_targets() -> Vec<ScrapeTarget> {
    let target = |number: u128, name: &str, url: &str, outcome| ScrapeTarget {
        id: Uuid::from_u128(number).into(),
        draft: TargetDraft {
            name: name.to_owned(),
            url: url.to_owned(),
            kind: TargetKind::Auto,
            is_enabled: number != 83,
            ..TargetDraft::default()
        },
        auth: (number == 82).then(|| AuthHint::Basic(HOSTILE.to_owned())),
        outcome,
        created_at: earlier(86_400),
        updated_at: earlier(86_400),
    };
    let outcome = |samples, exporters: &[&str], error: Option<&str>| ScrapeOutcome {
        at: earlier(7),
        duration: Nanos::from_millis(12),
        samples,
        recognised: samples / 2,
        exporters: exporters.iter().map(|name| (*name).to_owned()).collect(),
        error: error.map(str::to_owned),
    };
    vec![
        target(
            81,
            "gpus",
            "http://10.0.0.7:9400/metrics",
            Some(outcome(412, &["dcgm"], None)),
        ),
        target(
            82,
            "engines",
            "http://10.0.0.8:8000/metrics",
            Some(outcome(0, &[], Some("no connection to the host"))),
        ),
        target(83, HOSTILE, HOSTILE, None),
    ]
}
