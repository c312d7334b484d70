//! Parameters of the kinds of rules: what each is called, what it means, what is usual.

use crate::i18n::Lang;

/// A field of the form.
#[derive(Clone, Copy, Debug)]
pub(super) struct Spec {
    /// Its name in the form, and as a parameter.
    pub(super) name: &'static str,
    /// What it is called.
    pub(super) label: &'static str,
    /// What it means.
    pub(super) hint: &'static str,
    /// What holds when it is left out; empty where it is needed.
    pub(super) usual: &'static str,
    /// How it is entered.
    pub(super) shape: Shape,
}

/// How a field is entered, and what it becomes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Shape {
    /// A number.
    Number,
    /// Texts, separated by commas.
    Texts,
    /// Up or down.
    Direction,
    /// Yes or no.
    Flag,
    /// A pair of windows and a rate a line.
    Burns,
}

/// Parameters of a kind, in the order of the form.
pub(super) fn of(kind: &str, lang: Lang) -> Vec<Spec> {
    let names: &[&'static str] = match kind {
        "threshold" => &[
            "direction",
            "value",
            "window_s",
            "min_count",
            "group_by",
            "keep_s",
        ],
        "adaptive" => &[
            "direction",
            "factor",
            "window_s",
            "min_count",
            "group_by",
            "keep_s",
        ],
        "p99_shift" => &[
            "factor",
            "rise",
            "window_s",
            "min_count",
            "group_by",
            "keep_s",
        ],
        "cost_spike" => &[
            "factor",
            "window_s",
            "history_s",
            "min_count",
            "group_by",
            "keep_s",
        ],
        "composite" => &["axes", "within_s", "suppress", "keep_s"],
        "slo_burn" => &[
            "objective",
            "direction",
            "burns",
            "min_count",
            "group_by",
            "keep_s",
        ],
        _ => &["window_s", "keep_s"],
    };
    names.iter().map(|name| spec(kind, name, lang)).collect()
}

fn spec(kind: &str, name: &'static str, lang: Lang) -> Spec {
    let (label, hint) = match name {
        "direction" => (lang.t("Side"), lang.t("Which side of the bound is abnormal.")),
        "value" => (
            lang.t("Bound"),
            lang.t("In the unit of the series: milliseconds, a share from 0 to 1, a number."),
        ),
        "factor" => factor(kind, lang),
        "rise" => (
            lang.t("Least difference"),
            lang.t("And so far above what is usual, in the unit of the series."),
        ),
        "window_s" => window(kind, lang),
        "history_s" => (
            lang.t("History, seconds"),
            lang.t("What the cost of the window is held against."),
        ),
        "min_count" => (
            lang.t("Fewest values"),
            lang.t("Fewer in the window than that are no data."),
        ),
        "group_by" => (
            lang.t("Told apart by"),
            lang.t(
                "Each group has a state of its own. Requests: up to three of environment, instance, model, prompt, prompt_version, provider, release, route, service, tenant, user_id. Metrics: labels.",
            ),
        ),
        "axes" => (
            lang.t("Axes"),
            lang.t("How many of the three must be abnormal: 1 to 3."),
        ),
        "within_s" => (
            lang.t("Within, seconds"),
            lang.t("How far apart their beginnings may be."),
        ),
        "suppress" => (
            lang.t("Suppress the single rules"),
            lang.t("The rules that it watches write their incidents, but tell nobody."),
        ),
        "objective" => (
            lang.t("Objective"),
            lang.t("The share of requests that should be good: 0.99."),
        ),
        "burns" => (
            lang.t("Windows and rates"),
            lang.t(
                "A line each: seconds of the long window, of the short one, and how many times too fast the budget burns in both.",
            ),
        ),
        _ => (
            lang.t("Over after, seconds"),
            lang.t("So long it must be normal until it is over."),
        ),
    };
    Spec {
        name,
        label,
        hint,
        usual: usual(kind, name),
        shape: match name {
            "direction" => Shape::Direction,
            "group_by" => Shape::Texts,
            "suppress" => Shape::Flag,
            "burns" => Shape::Burns,
            _ => Shape::Number,
        },
    }
}

fn factor(kind: &str, lang: Lang) -> (&'static str, &'static str) {
    let hint = match kind {
        "adaptive" => lang.t("Times what is usual at that hour. Empty: the project’s factor."),
        "cost_spike" => lang.t("Times the cost an hour of the history."),
        _ => lang.t("Times what is usual at that hour."),
    };
    (lang.t("Factor"), hint)
}

fn window(kind: &str, lang: Lang) -> (&'static str, &'static str) {
    let hint = match kind {
        "no_data" => lang.t("So long nothing must have come. A multiple of 5."),
        "cost_spike" => lang.t("What the cost an hour is told of. A multiple of 60."),
        _ => lang.t("What the value is told of, at each step. A multiple of 5."),
    };
    (lang.t("Window, seconds"), hint)
}

/// As the kinds have it, told in `docs/alerts.md`.
fn usual(kind: &str, name: &str) -> &'static str {
    match (kind, name) {
        (_, "direction") => "up",
        ("p99_shift", "factor") => "1.8",
        ("cost_spike", "factor") => "3",
        (_, "rise") => "200",
        ("cost_spike" | "no_data", "window_s") => "300",
        (_, "window_s" | "keep_s") => "60",
        (_, "history_s") => "3600",
        ("p99_shift", "min_count") => "10",
        (_, "min_count") => "1",
        (_, "axes") => "2",
        (_, "within_s") => "120",
        (_, "suppress") => "true",
        (_, "objective") => "0.99",
        (_, "burns") => "3600 300 14.4\n21600 1800 6",
        _ => "",
    }
}

#[cfg(test)]
mod tests {
    use domain::alert::Kind;
    use domain::alert::kind::NAMES;
    use serde_json::{Map, Value, json};

    use super::*;

    #[test]
    fn what_is_said_to_be_usual_is_what_the_kinds_take() {
        for kind in NAMES {
            let mut params = Map::new();
            if kind == "threshold" {
                params.insert("value".to_owned(), json!(1));
            }
            let parsed = Kind::parse(kind, &params).unwrap();
            let held = parsed.params();
            let specs = of(kind, Lang::En);
            let named: Vec<&str> = specs.iter().map(|spec| spec.name).collect();
            for name in held.as_object().unwrap().keys() {
                let is_elsewhere = name == "rules";
                assert!(
                    named.contains(&name.as_str()) || is_elsewhere,
                    "{kind}: {name}"
                );
            }
            for spec in specs.iter().filter(|spec| spec.shape == Shape::Number) {
                let usual: Option<f64> = spec.usual.parse().ok();
                let held = held.get(spec.name).and_then(Value::as_f64);
                let is_asked = spec.name == "value";
                assert!(is_asked || usual == held, "{kind}: {}", spec.name);
            }
        }
    }
}
