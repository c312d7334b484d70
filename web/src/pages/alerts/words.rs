//! Series, conditions and groups in words.

use domain::Nanos;
use domain::alert::incident::IncidentState;
use domain::alert::kind::{Condition, Direction};
use domain::alert::measure::{Aggregate, RequestMeasure, Source};
use domain::alert::{AlertSeries, Axis, Group, Kind, RuleDraft, Severity};

use crate::format;
use crate::i18n::Lang;
use crate::measure::{self, Unit};

/// What a series is called: `TTFT p99`, `Errors`.
pub(crate) fn series(series: &AlertSeries, lang: Lang) -> String {
    let known = match &series.source {
        Source::Requests(RequestMeasure::Requests) => "requests",
        Source::Requests(RequestMeasure::Errors) => "errors",
        Source::Requests(RequestMeasure::Cost) => "cost",
        Source::Requests(measure) => measure.as_str(),
        Source::Scores(name) | Source::Metric(name) => name,
    };
    let name = measure::name(known, lang);
    match series.aggregate {
        Aggregate::Rate => name,
        Aggregate::Count if known == "requests" => name,
        Aggregate::Avg => lang.fill("{} mean", &[&name]),
        Aggregate::Sum => lang.fill("{} sum", &[&name]),
        Aggregate::Count => lang.fill("{} count", &[&name]),
        other => format!("{name} {other}"),
    }
}

/// What the numbers of a series count.
pub(crate) fn unit(series: &AlertSeries) -> Unit {
    if series.aggregate == Aggregate::Count {
        return Unit::Count;
    }
    let known = match &series.source {
        Source::Requests(RequestMeasure::Requests) => return Unit::Count,
        Source::Requests(RequestMeasure::Errors) => "errors",
        Source::Requests(RequestMeasure::Cost) => "cost",
        Source::Requests(measure) => measure.as_str(),
        Source::Scores(name) | Source::Metric(name) => name,
    };
    measure::unit(known)
}

/// What the numbers of readings of a kind of rule count.
pub(crate) fn unit_of(kind: &str, series: &AlertSeries) -> Unit {
    match kind {
        "slo_burn" => Unit::Count,
        _ => unit(series),
    }
}

/// The class of an axis in the style sheet, and its name; nothing for what is of none.
pub(crate) fn axis(axis: Option<Axis>, lang: Lang) -> (&'static str, &'static str) {
    match axis {
        Some(Axis::Gpu) => ("gpu", lang.t("GPU")),
        Some(Axis::Token) => ("token", lang.t("Token")),
        Some(Axis::Quality) => ("quality", lang.t("Quality")),
        None => ("", ""),
    }
}

/// A group: `model qwen3, tenant lumen`; empty where everything is one.
pub(crate) fn group(group: &Group) -> String {
    let parts = group
        .0
        .iter()
        .map(|(name, value)| format!("{name} {value}"));
    parts.collect::<Vec<_>>().join(", ")
}

/// A length of time: `60 s`, `5 min`, `6 h`.
pub(crate) fn seconds(seconds: u64) -> String {
    match seconds {
        0..=119 => format!("{seconds} s"),
        _ => format::range_length(Nanos::from_seconds(seconds)),
    }
}

/// How long something took, in its two largest units: `42 s`, `7 min 4 s`, `2 h 10 min`.
pub(crate) fn length(length: Nanos) -> String {
    let whole = (length.0 + 500_000_000) / 1_000_000_000;
    match whole {
        0..60 => format!("{whole} s"),
        60..3_600 if !whole.is_multiple_of(60) => format!("{} min {} s", whole / 60, whole % 60),
        _ => format::range_length(length),
    }
}

/// What a kind of rule is called, and what it does.
pub(crate) fn kind(name: &str, lang: Lang) -> (&'static str, &'static str) {
    match name {
        "threshold" => (
            lang.t("Threshold"),
            lang.t("Fires when the series is beyond a fixed value."),
        ),
        "adaptive" => (
            lang.t("Adaptive"),
            lang.t(
                "Fires when the series is beyond what is usual at that hour of the day, times a factor.",
            ),
        ),
        "p99_shift" => (
            lang.t("Shift of a quantile"),
            lang.t(
                "Fires when a high quantile is above what is usual at that hour, by a factor and by a difference.",
            ),
        ),
        "cost_spike" => (
            lang.t("Cost spike"),
            lang.t("Fires when requests cost much more an hour than they did before."),
        ),
        "composite" => (
            lang.t("Several axes"),
            lang.t(
                "Fires when rules of several axes fire near each other. Those keep silent by themselves.",
            ),
        ),
        "slo_burn" => (
            lang.t("Error budget"),
            lang.t("Fires when an error budget burns too fast, in a long and in a short window."),
        ),
        _ => (
            lang.t("No data"),
            lang.t("Fires when nothing has come for a while."),
        ),
    }
}

/// When a rule fires, in a line.
pub(crate) fn condition(draft: &RuleDraft, lang: Lang) -> String {
    let Kind {
        condition,
        window_s,
        ..
    } = &draft.kind;
    let name = draft
        .series
        .as_ref()
        .map_or_else(String::new, |known| series(known, lang));
    let number = |value: f64| match &draft.series {
        Some(series) => measure::written(unit(series), value),
        None => format::trimmed(value, 3),
    };
    let sign = |direction: &Direction| match direction {
        Direction::Up => ">",
        Direction::Down => "<",
    };
    let window = seconds(*window_s);
    match condition {
        Condition::Threshold { direction, value } => {
            format!("{name} {} {} · {window}", sign(direction), number(*value))
        }
        Condition::Adaptive { direction, factor } => {
            let factor = factor.map(|factor| format::trimmed(factor, 2));
            let usual = match (direction, factor) {
                (_, None) => lang.t("baseline × the project’s factor").to_owned(),
                (Direction::Up, Some(factor)) => {
                    lang.fill("{} baseline", &[&format!("{factor} ×")])
                }
                (Direction::Down, Some(factor)) => {
                    lang.fill("{} baseline", &[&format!("1/{factor} ×")])
                }
            };
            format!("{name} {} {usual} · {window}", sign(direction))
        }
        Condition::P99Shift { factor, rise } => {
            let times = format!("{} ×", format::trimmed(*factor, 2));
            let usual = lang.fill("{} baseline", &[&times]);
            format!("{name} > {usual}, + {} · {window}", number(*rise))
        }
        Condition::CostSpike { history_s, factor } => {
            let factor = format::trimmed(*factor, 2);
            lang.fill(
                "Cost of {} > {} × that of {}",
                &[&window, &factor, &seconds(*history_s)],
            )
        }
        Condition::Composite { axes, within_s, .. } => lang.fill(
            "{} axes abnormal within {}",
            &[&axes.to_string(), &seconds(*within_s)],
        ),
        Condition::SloBurn {
            objective, burns, ..
        } => {
            let objective = format!("{} %", format::trimmed(100.0 * objective, 4));
            let rates = burns.iter().map(|burn| {
                let (long, rate) = (seconds(burn.long_s), format::trimmed(burn.rate, 1));
                format!("{rate} × / {long}")
            });
            let rates = rates.collect::<Vec<_>>().join(", ");
            lang.fill("{}: budget of {} burns {}", &[&name, &objective, &rates])
        }
        Condition::NoData => lang.fill("Nothing of {} for {}", &[&name, &window]),
    }
}

/// Where an incident stands.
pub(crate) fn state(state: IncidentState, lang: Lang) -> &'static str {
    match state {
        IncidentState::Open => lang.t("going on"),
        IncidentState::Acknowledged => lang.t("acknowledged"),
        IncidentState::Resolved => lang.t("resolved"),
    }
}

/// The class of a tag of a severity.
pub(crate) fn severity_class(severity: Severity) -> &'static str {
    match severity {
        Severity::P1 => "tag-live",
        Severity::P2 => "tag-label",
        Severity::P3 => "",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn series_have_names_and_units_and_lengths_are_short() {
        let parsed = |text| AlertSeries::parse(text).unwrap();
        let named = |text| series(&parsed(text), Lang::En);
        assert_eq!(named("token.ttft_ms:p99"), "TTFT p99");
        assert_eq!(named("request.errors:rate"), "Errors");
        assert_eq!(named("request.count"), "Requests");
        assert_eq!(
            named("vllm:num_requests_running"),
            "vllm:num_requests_running mean"
        );
        assert_eq!(unit(&parsed("request.errors:rate")), Unit::Flag);
        assert_eq!(unit(&parsed("token.ttft_ms:p99")), Unit::Ms);
        assert_eq!(length(Nanos::from_seconds(424)), "7 min 4 s");
        assert_eq!(
            (seconds(60), seconds(21_600)),
            ("60 s".into(), "6 h".into())
        );
    }
}
