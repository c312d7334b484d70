use domain::evaluator::{EvaluationState, LooksAt, Method, On, Rule, RuleKind};

use super::number;
use crate::i18n::{Lang, text};

/// What a kind of evaluator is called.
pub(super) fn kind(method: &Method, lang: Lang) -> &'static str {
    match method {
        Method::Judge(_) => lang.t("judge"),
        Method::Rule(_) => lang.t("rule"),
    }
}

/// What it looks at.
pub(super) fn looks_at(looks_at: LooksAt, lang: Lang) -> &'static str {
    match looks_at {
        LooksAt::RootSpans => lang.t("Root spans: the trace gets the score"),
        LooksAt::Generations => lang.t("Model calls: the span gets the score"),
    }
}

/// What a rule asks.
pub(super) fn check(kind: RuleKind) -> &'static str {
    match kind {
        RuleKind::Matches => text!("matches a pattern"),
        RuleKind::DoesNotMatch => text!("does not match a pattern"),
        RuleKind::Contains => text!("contains a text"),
        RuleKind::DoesNotContain => text!("does not contain a text"),
        RuleKind::IsJson => text!("is valid JSON"),
        RuleKind::HasJsonPath => text!("is JSON with something at a path"),
        RuleKind::Length => text!("length in characters, within bounds"),
        RuleKind::OutputTokens => text!("output tokens, within bounds"),
        RuleKind::Latency => text!("latency in ms, within bounds"),
        RuleKind::Cost => text!("cost in US dollars, within bounds"),
    }
}

/// What a rule looks at.
pub(super) fn on(on: On, lang: Lang) -> &'static str {
    match on {
        On::Output => lang.t("Output"),
        On::Input => lang.t("Input"),
    }
}

/// A rule in a line.
pub(super) fn rule(rule: &Rule, lang: Lang) -> String {
    let mut line = lang.t(check(rule.kind)).to_owned();
    if rule.kind.takes_value() || matches!(rule.kind, RuleKind::IsJson | RuleKind::Length) {
        line = format!("{}: {line}", on(rule.on, lang));
    }
    if rule.kind.takes_value() {
        line = format!("{line}: {}", rule.value);
    }
    match (rule.min, rule.max) {
        (Some(min), Some(max)) => format!("{line}: {} – {}", number(min), number(max)),
        (Some(min), None) => format!("{line}: ≥ {}", number(min)),
        (None, Some(max)) => format!("{line}: ≤ {}", number(max)),
        (None, None) => line,
    }
}

/// What came of a span, and how it looks.
pub(super) fn state(state: EvaluationState, lang: Lang) -> (&'static str, &'static str) {
    match state {
        EvaluationState::Waiting => (lang.t("tried again"), "tag-label"),
        EvaluationState::Scored => (lang.t("scored"), ""),
        EvaluationState::Failed => (lang.t("failed"), "tag-error"),
        EvaluationState::Skipped => (lang.t("skipped"), ""),
    }
}
