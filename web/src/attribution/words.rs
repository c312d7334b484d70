//! Reasons, advice and moments of an attribution in the reader's language.

use domain::TraceId;
use domain::attribution::answer::{Action, Group, PromptSuspect};
use domain::attribution::reason::{Happening, Reason};
use domain::attribution::{Attribution, Axis};

use crate::format;
use crate::i18n::Lang;
use crate::measure;

/// The answer in two words.
pub(super) fn verdict(answer: &Attribution, lang: Lang) -> String {
    let is_quiet = |reason: &Reason| matches!(reason, Reason::AsBefore { .. });
    match answer.axis {
        Some(axis) => lang.fill("{} axis", &[measure::axis_name(axis, lang)]),
        None if answer.reasons.first().is_some_and(is_quiet) => lang.t("No symptom").to_owned(),
        None => lang.t("No axis explains it").to_owned(),
    }
}

/// Why, as a sentence.
pub(super) fn reason(reason: &Reason, lang: Lang) -> String {
    let name = |series: &str| measure::name(series, lang);
    match reason {
        Reason::AsBefore { series, traffic } if (0.8..=1.25).contains(traffic) => {
            lang.fill("{} is as before.", &[&name(series)])
        }
        Reason::AsBefore { series, traffic } => lang.fill(
            "{} is as before; traffic is {} times the baseline’s, without harm.",
            &[&name(series), &format!("{traffic:.1}")],
        ),
        Reason::NothingExplains { series, left } => lang.fill(
            "{} is worse, and no value that was measured explains {} of it.",
            &[&name(series), &percent(*left)],
        ),
        Reason::Explains {
            series,
            share,
            before: Some(before),
            after: Some(after),
        } => {
            let value = |value: f64| measure::number(series, value);
            lang.fill(
                "{} went from {} to {} and explains {} of the excess.",
                &[
                    &name(series),
                    &value(*before),
                    &value(*after),
                    &percent(*share),
                ],
            )
        }
        Reason::Explains { series, share, .. } => lang.fill(
            "{} explains {} of the excess.",
            &[&name(series), &percent(*share)],
        ),
        Reason::Concentrated {
            group: of,
            share_of_abnormal,
            share_of_baseline,
        } => lang.fill(
            "{} of the bad requests have {}, {} of the baseline’s had; the others are as before.",
            &[
                &percent(*share_of_abnormal),
                &group(of, lang),
                &percent(*share_of_baseline),
            ],
        ),
        Reason::Grew {
            group: of,
            before,
            after,
        } => lang.fill(
            "The share of {} went from {} to {} of all requests.",
            &[&group(of, lang), &percent(*before), &percent(*after)],
        ),
        Reason::HarmlessNewcomer { group: of } => lang.fill(
            "{} is new, but requests with it are no worse than others.",
            &[&group(of, lang)],
        ),
        Reason::Unproven { group: of } => lang.fill(
            "{} came into use, but requests with it are not clearly worse than others of the same instance and time.",
            &[&group(of, lang)],
        ),
        Reason::Unseen { axis } => lang.fill(
            "Fewer than half of the requests have values of the {} axis: it cannot be ruled out.",
            &[measure::axis_name(*axis, lang)],
        ),
        Reason::FewRequests { count } => lang.fill(
            "There are only {} requests in the window.",
            &[&count.to_string()],
        ),
        Reason::UnstableBaseline { series } => {
            lang.fill("{} was unstable in the baseline already.", &[&name(series)])
        }
    }
}

/// What happened.
pub(super) fn happening(what: &Happening, lang: Lang) -> String {
    let name = |series: &str| measure::name(series, lang);
    match what {
        Happening::FeatureChanged {
            series,
            group: of,
            rose,
        } => {
            let what = match rose {
                true => lang.fill("{} rises", &[&name(series)]),
                false => lang.fill("{} falls", &[&name(series)]),
            };
            match of {
                Some(of) => format!("{what} · {}", group(of, lang)),
                None => what,
            }
        }
        Happening::SymptomBegan { series } => lang.fill("{} gets worse", &[&name(series)]),
        Happening::FirstAbnormal { .. } => lang.t("First bad request").to_owned(),
        Happening::FirstSeen { group: of } => lang.fill("{} is first seen", &[&group(of, lang)]),
        Happening::Alerted => lang.t("The alert fires").to_owned(),
        Happening::Recovered => lang.t("All is well again").to_owned(),
    }
}

/// The trace that a moment is about.
pub(super) fn trace_of(what: &Happening) -> Option<&TraceId> {
    match what {
        Happening::FirstAbnormal { trace_id } => Some(trace_id),
        _ => None,
    }
}

/// What to do.
pub(super) fn advice(action: Action, lang: Lang) -> &'static str {
    match action {
        Action::Rollback => lang.t("Roll back"),
        Action::Defragment => lang.t("Restart or compact what has fragmented memory"),
        Action::Rebalance => lang.t("Take the instance out of rotation"),
        Action::ScaleOut => lang.t("Add capacity, or limit the tenant"),
        Action::Inspect => lang.t("Look closer"),
        Action::None => lang.t("Nothing to do"),
    }
}

/// Why it is not done at once.
pub(super) fn doubt(contested_by: Option<Axis>, lang: Lang) -> String {
    contested_by.map_or_else(String::new, |axis| {
        lang.fill(
            "The {} axis shows a cause of its own in this window: nothing goes back by itself before a second look says the same.",
            &[measure::axis_name(axis, lang)],
        )
    })
}

/// What is known of the prompt under suspicion.
pub(super) fn prompt(prompt: &PromptSuspect, lang: Lang) -> String {
    let mut said = match &prompt.previous_version {
        Some(previous) => lang.fill(
            "Prompt {}: version {} instead of {}.",
            &[&prompt.name, &prompt.suspect_version, previous],
        ),
        None => lang.fill(
            "Prompt {}: version {}.",
            &[&prompt.name, &prompt.suspect_version],
        ),
    };
    let mut add = |words: String| {
        said.push(' ');
        said.push_str(&words);
    };
    if let Some(token) = prompt.diverges_at_token {
        let token = format::count(token);
        add(lang.fill("It leaves the old token prefix at token {}.", &[&token]));
    }
    if let (Some(before), Some(after)) = (prompt.prefix_reuse_before, prompt.prefix_reuse_after) {
        let (before, after) = (percent(before), percent(after));
        add(lang.fill("Prefix reuse went from {} to {}.", &[&before, &after]));
    }
    said
}

/// What requests are told apart by.
pub(super) fn dimension(name: &str, lang: Lang) -> &'static str {
    match name {
        "instance" => lang.t("instance"),
        "gpu" => lang.t("GPU"),
        "model" => lang.t("model"),
        "prompt" => lang.t("prompt"),
        "prompt_version" => lang.t("prompt version"),
        "tenant" => lang.t("tenant"),
        "route" => lang.t("route"),
        "release" => lang.t("release"),
        "provider" => lang.t("provider"),
        "environment" => lang.t("environment"),
        _ => lang.t("other"),
    }
}

/// A dimension with its value.
pub(super) fn group(group: &Group, lang: Lang) -> String {
    format!("{} {}", dimension(&group.dimension, lang), group.value)
}

/// A p-value: `< 1e-9`, `2e-5`, `0.004`.
pub(super) fn probability(p: f64) -> String {
    if !p.is_finite() {
        format::NOTHING.to_owned()
    } else if p < 1e-9 {
        "< 1e-9".to_owned()
    } else if p < 1e-3 {
        format!("{p:.0e}")
    } else {
        format::trimmed(p, 3)
    }
}

/// A number with its sign: `+13`, `−38`.
pub(super) fn signed(number: f64, digits: usize) -> String {
    let sign = if number < 0.0 { '−' } else { '+' };
    format!("{sign}{:.digits$}", number.abs())
}

fn percent(share: f64) -> String {
    format!("{:.0} %", 100.0 * share)
}
