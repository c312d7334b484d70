//! What is masked, kept and forgotten; comments that name the reader.

use std::collections::BTreeMap;

use domain::comment::{Comment, CommentDraft, CommentedKind, Mention, Remark};
use domain::content_sampling::{ContentSampling, LowScore};
use domain::deletion::{Deletion, DeletionState, SharedTraces, SubjectHash};
use domain::masking::{Action, CustomPattern, MaskedField, MaskingSettings, PathRule, Preset};
use domain::retention::{RetentionSettings, Tiers};
use domain::{CommentId, Nanos, Timestamp};
use serde_json::json;
use service::masking::DayCount;
use service::retention::LastLook;
use uuid::Uuid;

use super::data::now;
use super::{HOSTILE, Load, Sample, sample};
use crate::extract::Reader;
use crate::pages::mentions::MentionsPage;
use crate::pages::settings::{
    DeletionPage, DeletionsPage, MaskingPage, RetentionPage, ToldOfUsers,
};

/// All of them.
pub(super) fn all(reader: &Reader) -> Vec<Sample> {
    let mut samples = Vec::new();
    for (end, load) in [
        ("", Load::Typical),
        ("-none", Load::Empty),
        ("-overfull", Load::Overfull),
    ] {
        let mut add = |name: &str, page: Sample| {
            samples.push(Sample {
                name: format!("{name}{end}"),
                ..page
            });
        };
        add("mentions", sample("", &mentions(reader, load)));
        add("settings-masking", sample("", &masking(reader, load)));
        add("settings-retention", sample("", &retention(reader, load)));
        add("settings-deletions", sample("", &deletions(reader, load)));
    }
    for (name, at) in [("settings-deletion", 2), ("settings-deletion-failed", 3)] {
        let page = DeletionPage::new(reader, (&deletion(at), Some(12)), now());
        samples.push(sample(name, &page));
    }
    samples
}

fn before(minutes: u64) -> Timestamp {
    now().minus(Nanos::from_seconds(60 * minutes))
}

fn mentions(reader: &Reader, load: Load) -> MentionsPage {
    let said = [
        "@maya the retriever gave three stale chunks here, can you look before we roll out?",
        "Same again as on Tuesday.\n@maya",
        "(@maya) this is what the judge complains about",
    ];
    let kinds = [
        CommentedKind::Trace,
        CommentedKind::Observation,
        CommentedKind::Session,
        CommentedKind::Prompt,
    ];
    let mention = |at: usize| Mention {
        remark: Remark {
            comment: Comment {
                id: CommentId(Uuid::from_u128(at as u128)),
                draft: CommentDraft {
                    kind: kinds[at % kinds.len()],
                    object_id: at.to_string(),
                    content: match load {
                        Load::Overfull => HOSTILE.repeat(3),
                        _ => said[at % said.len()].to_owned(),
                    },
                    author: None,
                },
                created_at: before(11 + 230 * at as u64),
                updated_at: before(11),
            },
            author_name: (at != 2).then(|| match load {
                Load::Overfull => HOSTILE.to_owned(),
                _ => "Li Wei".to_owned(),
            }),
            author_email: (at != 2).then(|| "li.wei@harbor.example".to_owned()),
        },
        is_read: at > 1,
    };
    let count = match load {
        Load::Empty => 0,
        Load::Overfull => 60,
        _ => 4,
    };
    let all: Vec<Mention> = (0..count).map(mention).collect();
    MentionsPage::new(reader, &all, now())
}

fn masking(reader: &Reader, load: Load) -> MaskingPage {
    let settings = match load {
        Load::Empty => MaskingSettings::default(),
        _ => MaskingSettings {
            patterns: vec![CustomPattern {
                name: "policy_number".to_owned(),
                pattern: r"\bHB-\d{8}\b".to_owned(),
            }],
            paths: vec![PathRule {
                path: "$.customer.address".to_owned(),
                action: Action::Drop,
            }],
            fields: BTreeMap::from([(MaskedField::UserId, Action::Hash)]),
            ..MaskingSettings::of_preset(Preset::PersonalDataAndSecrets)
        },
    };
    let rule = |at: usize| match load {
        Load::Overfull => format!("{HOSTILE} {at}"),
        _ => ["email", "cn_resident_id", "api_key"][at % 3].to_owned(),
    };
    let count = |at: usize| DayCount {
        day: "2026-03-11".to_owned(),
        rule: rule(at),
        found: 1_912 * (at as u64 + 1),
    };
    let counts: Vec<DayCount> = match load {
        Load::Empty => Vec::new(),
        Load::Overfull => (0..40).map(count).collect(),
        _ => (0..3).map(count).collect(),
    };
    MaskingPage::new(reader, &settings, &counts)
}

fn retention(reader: &Reader, load: Load) -> RetentionPage {
    let tiers = |content, structure| Tiers {
        content_days: Some(content),
        structure_days: Some(structure),
    };
    let environment = |at: u32| match load {
        Load::Overfull => format!("{HOSTILE} {at}"),
        _ => ["staging", "development"][at as usize % 2].to_owned(),
    };
    let environments = |count: u32| (0..count).map(|at| (environment(at), tiers(7, 30 + at)));
    let (settings, sampling, last) = match load {
        Load::Empty => (
            RetentionSettings::default(),
            ContentSampling::default(),
            LastLook {
                verified_at: None,
                outcome: json!({}),
                tries: 0,
            },
        ),
        _ => (
            RetentionSettings {
                usual: tiers(30, 400),
                metrics_days: Some(90),
                audit_days: None,
                environments: environments(if load == Load::Overfull { 20 } else { 2 }).collect(),
            },
            ContentSampling {
                ratio: 0.2,
                keep_low_scores: Some(LowScore {
                    name: "helpfulness".to_owned(),
                    below: 0.4,
                }),
                ..ContentSampling::default()
            },
            LastLook {
                verified_at: Some(before(42)),
                outcome: json!({
                    "removed": {"traces": 18_221, "contents": 640_112, "samples": 9_120_444},
                    "past": match load { Load::Overfull => json!({"logs": 12}), _ => json!({}) },
                }),
                tries: u32::from(load == Load::Overfull) * 2,
            },
        ),
    };
    RetentionPage::new(reader, (&settings, &sampling), &last)
}

fn deletion(at: u8) -> Deletion {
    let states = [
        DeletionState::Deleting,
        DeletionState::Queued,
        DeletionState::Verified,
        DeletionState::Failed,
    ];
    let state = states[usize::from(at) % states.len()];
    let counts = [
        ("spans", 1_204),
        ("traces", 88),
        ("scores", 31),
        ("media", 4),
    ];
    Deletion {
        id: Uuid::from_u128(at.into()).into(),
        subject: SubjectHash([at.wrapping_mul(37); 32]),
        state,
        shared_traces: SharedTraces::Whole,
        counts: counts.map(|(name, many)| (name.to_owned(), many)).into(),
        requested_by: "person:00000000-0000-0000-0000-000000000014".to_owned(),
        requested_at: before(5 + 700 * u64::from(at)),
        verified_at: (state == DeletionState::Verified).then(|| before(3)),
        tombstone_until: now().plus(Nanos::from_seconds(86_400 * 30)),
        fault: (state == DeletionState::Failed)
            .then(|| "the telemetry store did not answer".to_owned()),
        certificate: None,
    }
}

fn deletions(reader: &Reader, load: Load) -> DeletionsPage {
    let count = match load {
        Load::Empty => 0,
        Load::Overfull => 100,
        _ => 4,
    };
    let told = ToldOfUsers {
        deletions: (0..count).map(deletion).collect(),
        preview: (load == Load::Overfull).then(|| (HOSTILE.to_owned(), deletion(2).counts)),
        ..ToldOfUsers::default()
    };
    DeletionsPage::new(reader, &told, now())
}
