//! Which traces keep their contents, as a form. Shares are percents; environments are a text with one a line.

use std::collections::BTreeMap;

use domain::Fault;
use domain::content_sampling::{ContentSampling, LowScore};

use crate::extract::Pairs;
use crate::form::Field;
use crate::format::trimmed;
use crate::i18n::Lang;

/// Fields that faults name.
pub(super) const FIELDS: &[&str] = &["ratio", "environments", "keep_low_scores", "wait_days"];

/// All that is entered.
pub(crate) struct SamplingForm {
    pub(crate) percent: Field,
    pub(crate) environments: Field,
    pub(crate) keeps_errors: bool,
    pub(crate) score: Field,
    pub(crate) below: Field,
    pub(crate) wait: Field,
}

impl SamplingForm {
    /// Of settings.
    pub(super) fn new(sampling: &ContentSampling) -> Self {
        let low = sampling.keep_low_scores.as_ref();
        let line = |(name, ratio): (&String, &f64)| format!("{name} {}", percent(*ratio));
        let lines: Vec<String> = sampling.environments.iter().map(line).collect();
        SamplingForm {
            percent: Field::holding(&percent(sampling.ratio)),
            environments: Field::holding(&lines.join("\n")),
            keeps_errors: sampling.keep_errors,
            score: Field::holding(low.map_or("", |low| &low.name)),
            below: Field::holding(&low.map_or_else(String::new, |low| trimmed(low.below, 6))),
            wait: Field::holding(&sampling.wait_days.to_string()),
        }
    }

    /// What was entered stays as it was entered, with what is wrong about it.
    pub(super) fn keep(&mut self, pairs: &Pairs, fault: &Fault) {
        self.keeps_errors = pairs.get("keep_errors").is_some();
        for (name, field, faulty) in [
            ("percent", &mut self.percent, "ratio"),
            ("shares", &mut self.environments, "environments"),
            ("score", &mut self.score, "keep_low_scores"),
            ("below", &mut self.below, ""),
            ("wait_days", &mut self.wait, "wait_days"),
        ] {
            let entered = Field::holding(pairs.get(name).unwrap_or_default());
            *field = entered.with_fault(faulty, fault);
        }
    }
}

/// Settings as they were entered.
pub(super) fn read(pairs: &Pairs, lang: Lang) -> Result<ContentSampling, Fault> {
    let text = |name: &str| pairs.get(name).unwrap_or_default().trim();
    let number = |name: &str, field: &str| {
        let read = text(name).parse::<f64>().ok();
        let message = lang.t("A number is missing or is none.");
        read.ok_or_else(|| Fault::invalid(message).on_field(field))
    };
    let lines = text("shares").lines().map(str::trim);
    let lines = lines.filter(|line| !line.is_empty()).map(|line| {
        let (name, share) = line.rsplit_once(char::is_whitespace)?;
        Some((name.trim().to_owned(), share.parse::<f64>().ok()? / 100.0))
    });
    let environments: Option<BTreeMap<String, f64>> = lines.collect();
    let keep_low_scores = match text("score") {
        "" => None,
        name => Some(LowScore {
            name: name.to_owned(),
            below: number("below", "keep_low_scores")?,
        }),
    };
    Ok(ContentSampling {
        ratio: number("percent", "ratio")? / 100.0,
        environments: environments.ok_or_else(|| {
            let message = lang.t("One environment a line, as in the example.");
            Fault::invalid(message).on_field("environments")
        })?,
        keep_errors: pairs.get("keep_errors").is_some(),
        keep_low_scores,
        wait_days: text("wait_days").parse().map_err(|_| {
            Fault::invalid(lang.t("A number is missing or is none.")).on_field("wait_days")
        })?,
    })
}

fn percent(ratio: f64) -> String {
    trimmed(ratio * 100.0, 4)
}
