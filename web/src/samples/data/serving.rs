//! What a project sets for its models, and what came of it.

use domain::cost::{BusyTime, GpuPrice, GpuPriceDraft, GpuReport, ProjectGpuPrice};
use domain::objective::{Goodput, Objective, ObjectiveDraft};
use domain::pattern::NamePattern;
use domain::quality::{QualityRule, QualityRuleDraft, RuleFormat};
use domain::{Nanos, Timestamp};
use uuid::Uuid;

use super::super::HOSTILE;
use super::{now, usd};

fn earlier() -> Timestamp {
    now().minus(Nanos::from_seconds(86_400 * 3))
}

/// Prices of GPUs.
pub(in crate::samples) fn gpu_prices() -> Vec<ProjectGpuPrice> {
    let price = |number: u128, model: &str, provider: Option<&str>, gpus| ProjectGpuPrice {
        id: Uuid::from_u128(number).into(),
        draft: GpuPriceDraft {
            model: NamePattern::new(model),
            provider: provider.map(NamePattern::new),
            instance: (number == 52).then(|| NamePattern::new("harbor-gpu-*")),
            price: GpuPrice {
                usd_per_gpu_hour: usd("2.49").0,
                gpus,
            },
        },
        created_at: earlier(),
    };
    vec![
        price(51, "Qwen/*", Some("vllm"), 8),
        price(52, "harbor/support-7b", None, 1),
        price(53, HOSTILE, Some(HOSTILE), 2),
    ]
}

/// What they yielded: one that worked, one that stood still, one with something missing.
pub(in crate::samples) fn gpu_reports() -> Vec<GpuReport> {
    let day = Nanos::from_seconds(86_400);
    let mut reports: Vec<GpuReport> = gpu_prices()
        .into_iter()
        .map(|price| GpuReport::idle(price, day))
        .collect();
    for at in [0, 2] {
        let report = &mut reports[at];
        report.models = vec!["Qwen/Qwen3-32B".to_owned(), HOSTILE.to_owned()];
        report.calls = 48_211;
        (report.open_calls, report.uncounted_calls) = (at as u64, at as u64 * 7);
        (report.input_tokens, report.output_tokens) = (Some(612_004_221), Some(48_112_090));
        report.time = BusyTime {
            busy: Nanos::from_seconds(61_200),
            in_calls: Nanos::from_seconds(612_400),
        };
    }
    reports
}

/// Objectives.
pub(in crate::samples) fn objectives() -> Vec<Objective> {
    let objective = |number: u128, model: &str, tpot_ms| Objective {
        id: Uuid::from_u128(number).into(),
        draft: ObjectiveDraft {
            model: NamePattern::new(model),
            ttft_ms: Some(800.0),
            tpot_ms,
        },
        created_at: earlier(),
    };
    vec![
        objective(61, "*", None),
        objective(62, "Qwen/*", Some(40.0)),
        objective(63, HOSTILE, Some(40.0)),
    ]
}

/// Goodput of models.
pub(in crate::samples) fn goodput(hostile: bool) -> Vec<Goodput> {
    let of = |model: &str, at: usize, good, missed, unjudged| Goodput {
        model: model.to_owned(),
        objective: objectives()[at].clone(),
        good,
        missed,
        unjudged,
    };
    let mut all = vec![
        of("Qwen/Qwen3-32B", 1, 44_107, 4_104, 12),
        of("gpt-5-mini", 0, 0, 0, 512),
    ];
    if hostile {
        all.push(of(HOSTILE, 2, 1, 1, 1));
    }
    all
}

/// Rules for answers.
pub(in crate::samples) fn quality_rules() -> Vec<QualityRule> {
    let rule = |number: u128, draft| QualityRule {
        id: Uuid::from_u128(number).into(),
        draft,
        created_at: earlier(),
    };
    let dates = QualityRuleDraft {
        name: "Dates as JSON".to_owned(),
        span_name: Some("extract-*".to_owned()),
        format: Some(RuleFormat::JsonSchema),
        schema: Some("{}".to_owned()),
        max_tokens: Some(400),
        ..QualityRuleDraft::default()
    };
    let hostile = QualityRuleDraft {
        name: HOSTILE.to_owned(),
        model: Some(HOSTILE.to_owned()),
        refusal_phrases: vec![HOSTILE.to_owned()],
        ..QualityRuleDraft::default()
    };
    vec![rule(71, dates), rule(72, hostile)]
}
