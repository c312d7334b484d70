//! What broke, in a sentence that needs no knowledge of rules.

use domain::alert::AlertSeries;
use domain::alert::incident::{Incident, Subject};
use domain::alert::measure::Aggregate;
use domain::alert::state::{Reading, Resolution};
use domain::{Nanos, Timestamp};

use crate::format;
use crate::i18n::Lang;
use crate::measure;
use crate::pages::alerts::words;

/// What broke and for how long. `worst`: what was seen at its worst, where that is known.
pub(crate) fn title(
    incident: &Incident,
    worst: Option<Reading>,
    (lang, now): (Lang, Timestamp),
) -> String {
    let what = what(&incident.subject, worst, lang);
    let lasted = words::length(lasted(incident, now));
    match incident.resolved_at {
        Some(_) => lang.fill("{}, for {}", &[&what, &lasted]),
        None => lang.fill("{}, for {} so far", &[&what, &lasted]),
    }
}

/// How long it went on.
pub(crate) fn lasted(incident: &Incident, now: Timestamp) -> Nanos {
    incident.resolved_at.unwrap_or(now) - incident.onset
}

/// What broke.
pub(crate) fn what(subject: &Subject, worst: Option<Reading>, lang: Lang) -> String {
    let reading = worst.unwrap_or(subject.reading);
    let parsed = subject.series.as_deref().map(AlertSeries::parse);
    let Some(Ok(series)) = parsed else {
        return lang.t("Several axes became abnormal together").to_owned();
    };
    let name = words::series(&series, lang);
    let times = ratio(&reading).map(|ratio| format::trimmed(ratio, 1));
    match (subject.kind.as_str(), reading.value) {
        ("no_data", _) | (_, None) => lang.fill("Nothing came of {}", &[&name]),
        ("slo_burn", Some(value)) => {
            let times = format::trimmed(value, 1);
            lang.fill(
                "The error budget of {} burned {} times too fast",
                &[&name, &times],
            )
        }
        ("cost_spike", Some(_)) => match times {
            Some(times) => lang.fill("Requests cost {} times as much as before", &[&times]),
            None => lang.t("Requests cost much more than before").to_owned(),
        },
        (_, Some(value)) => of_series((&series, &name), (&reading, value), times, lang),
    }
}

fn of_series(
    (series, name): (&AlertSeries, &str),
    (reading, value): (&Reading, f64),
    times: Option<String>,
    lang: Lang,
) -> String {
    let number = measure::written(words::unit(series), value);
    let slower = match series.name() {
        "token.ttft_ms" => {
            times.map(|times| lang.fill("Answers started {} times slower", &[&times]))
        }
        "token.e2e_ms" => times.map(|times| lang.fill("Answers took {} times longer", &[&times])),
        "token.tpot_ms" => {
            times.map(|times| lang.fill("Answers were written {} times slower", &[&times]))
        }
        "token.queue_ms" => {
            times.map(|times| lang.fill("Requests waited {} times longer", &[&times]))
        }
        _ => None,
    };
    if let Some(words) = slower {
        return words;
    }
    if series.aggregate == Aggregate::Rate {
        let (some, none) = (one_in(value), one_in(1.0 - value));
        let known = match series.name() {
            "request.errors" => some.map(|many| lang.fill("1 in {} requests failed", &[&many])),
            "quality.format_valid" => {
                none.map(|many| lang.fill("1 in {} answers had the wrong form", &[&many]))
            }
            "quality.truncated_json" => {
                some.map(|many| lang.fill("1 in {} answers broke off", &[&many]))
            }
            "quality.refused" => {
                some.map(|many| lang.fill("1 in {} answers was a refusal", &[&many]))
            }
            "quality.length_in_range" => {
                none.map(|many| lang.fill("1 in {} answers was too short or too long", &[&many]))
            }
            _ => None,
        };
        if let Some(words) = known {
            return words;
        }
    }
    match (series.name(), reading.bound) {
        ("request.errors", _) if series.aggregate == Aggregate::Rate => {
            lang.fill("{} of the requests failed", &[&number])
        }
        ("token.ttft_ms", _) => lang.fill("Answers took {} to start", &[&number]),
        ("token.e2e_ms", _) => lang.fill("Answers took {}", &[&number]),
        (_, Some(bound)) => {
            let bound = measure::written(words::unit(series), bound);
            lang.fill(
                "{} was {}, beyond its bound of {}",
                &[name, &number, &bound],
            )
        }
        (_, None) => lang.fill("{} was {}", &[name, &number]),
    }
}

/// How many times what is usual, where it is more.
fn ratio(reading: &Reading) -> Option<f64> {
    let (value, usual) = (reading.value?, reading.baseline?);
    let ratio = value / usual;
    (usual > 0.0 && ratio.is_finite() && ratio > 1.05).then_some(ratio)
}

/// `15` of a share of 0.067; nothing of more than half.
fn one_in(share: f64) -> Option<String> {
    (share > 0.0 && share <= 0.5).then(|| format::count((1.0 / share).round() as u64))
}

/// Why it is over.
pub(crate) fn resolution(why: Option<Resolution>, lang: Lang) -> &'static str {
    match why {
        Some(Resolution::Recovered) | None => lang.t("within its bounds again"),
        Some(Resolution::NoData) => lang.t("nothing has come for an hour"),
        Some(Resolution::RuleChanged) => lang.t("its rule was changed or deleted"),
        Some(Resolution::Person) => lang.t("somebody said so"),
    }
}

#[cfg(test)]
mod tests {
    use domain::alert::Group;
    use domain::alert::state::Verdict;

    use super::*;

    fn said(kind: &str, series: &str, (value, bound, baseline): (f64, f64, Option<f64>)) -> String {
        let subject = Subject {
            rule_name: "rule".to_owned(),
            kind: kind.to_owned(),
            series: (!series.is_empty()).then(|| series.to_owned()),
            axis: None,
            group: Group::default(),
            reading: Reading {
                verdict: Verdict::Abnormal,
                value: Some(value),
                bound: Some(bound),
                baseline,
            },
        };
        what(&subject, None, Lang::En)
    }

    #[test]
    fn what_broke_is_said_in_words() {
        for (kind, series, numbers, words) in [
            (
                "adaptive",
                "token.ttft_ms:p99",
                (2750.0, 1600.0, Some(640.0)),
                "Answers started 4.3 times slower",
            ),
            (
                "threshold",
                "token.ttft_ms:p99",
                (2750.0, 1600.0, None),
                "Answers took 2.75 s to start",
            ),
            (
                "threshold",
                "request.errors:rate",
                (0.067, 0.05, None),
                "1 in 15 requests failed",
            ),
            (
                "threshold",
                "request.errors:rate",
                (1.0, 0.05, None),
                "100.0 % of the requests failed",
            ),
            (
                "threshold",
                "quality.format_valid:rate",
                (0.931, 0.95, None),
                "1 in 14 answers had the wrong form",
            ),
            (
                "threshold",
                "gpu.temperature_c:max",
                (91.0, 85.0, None),
                "Temperature max was 91 °C, beyond its bound of 85 °C",
            ),
            (
                "composite",
                "",
                (2.0, 2.0, None),
                "Several axes became abnormal together",
            ),
            (
                "slo_burn",
                "request.errors:rate",
                (18.0, 14.4, None),
                "The error budget of Errors burned 18 times too fast",
            ),
        ] {
            assert_eq!(said(kind, series, numbers), words);
        }
    }
}
