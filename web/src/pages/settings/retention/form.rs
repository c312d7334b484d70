//! Settings as a form, and a form as settings. A field that is empty is for ever; environments are a text with one a line.

use std::collections::BTreeMap;

use domain::Fault;
use domain::retention::{Preset, RetentionSettings, Tiers};

use crate::extract::Pairs;
use crate::form::Field;
use crate::i18n::{Lang, text};

/// Fields that faults name.
pub(super) const FIELDS: &[&str] = &[
    "content_days",
    "structure_days",
    "metrics_days",
    "audit_days",
    "environments",
];
/// What stands for days without an end in a line.
const FOR_EVER: &str = "-";

/// Days that are set together, with what they are for.
pub(crate) struct PresetRow {
    pub(crate) name: &'static str,
    pub(crate) label: &'static str,
    pub(crate) purpose: &'static str,
    pub(crate) days: [String; 4],
    pub(crate) is_on: bool,
}

/// All that is entered.
pub(crate) struct RetentionForm {
    pub(crate) presets: Vec<PresetRow>,
    pub(crate) content: Field,
    pub(crate) structure: Field,
    pub(crate) metrics: Field,
    pub(crate) audit: Field,
    pub(crate) environments: Field,
}

impl RetentionForm {
    /// Of settings.
    pub(super) fn new(lang: Lang, settings: &RetentionSettings) -> Self {
        let field = |days: Option<u32>| Field::holding(&number(days));
        RetentionForm {
            presets: presets(lang, settings.preset()),
            content: field(settings.usual.content_days),
            structure: field(settings.usual.structure_days),
            metrics: field(settings.metrics_days),
            audit: field(settings.audit_days),
            environments: Field::holding(&lines(&settings.environments)),
        }
    }

    /// What was entered stays as it was entered, with what is wrong about it.
    pub(super) fn keep(&mut self, pairs: &Pairs, fault: &Fault) {
        for (name, field) in [
            ("content_days", &mut self.content),
            ("structure_days", &mut self.structure),
            ("metrics_days", &mut self.metrics),
            ("audit_days", &mut self.audit),
            ("environments", &mut self.environments),
        ] {
            let entered = Field::holding(pairs.get(name).unwrap_or_default());
            *field = entered.with_fault(name, fault);
        }
    }
}

/// Settings as they were entered. A preset that was chosen stands for its days; environments stay.
pub(super) fn read(pairs: &Pairs, lang: Lang) -> Result<RetentionSettings, Fault> {
    let environments = environments(pairs, lang)?;
    let preset = pairs.get("preset").and_then(Preset::from_name);
    if let Some(settings) = preset.and_then(Preset::settings) {
        return Ok(RetentionSettings {
            environments,
            ..settings
        });
    }
    let field = |name: &str| {
        let entered = pairs.get(name).unwrap_or_default();
        days(entered).ok_or_else(|| {
            let message = lang.t("A number of days, or nothing for ever.");
            Fault::invalid(message).on_field(name)
        })
    };
    Ok(RetentionSettings {
        usual: Tiers {
            content_days: field("content_days")?,
            structure_days: field("structure_days")?,
        },
        metrics_days: field("metrics_days")?,
        audit_days: field("audit_days")?,
        environments,
    })
}

fn environments(pairs: &Pairs, lang: Lang) -> Result<BTreeMap<String, Tiers>, Fault> {
    let text = pairs.get("environments").unwrap_or_default();
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let read = lines.map(|line| {
        let mut words = line.rsplitn(3, char::is_whitespace);
        let (structure, content, name) = (words.next()?, words.next()?, words.next()?);
        let tiers = Tiers {
            content_days: days(content)?,
            structure_days: days(structure)?,
        };
        Some((name.trim().to_owned(), tiers))
    });
    let read: Option<BTreeMap<String, Tiers>> = read.collect();
    read.ok_or_else(|| {
        let message = lang.t("One environment a line, as in the example.");
        Fault::invalid(message).on_field("environments")
    })
}

/// Days that were entered; outer `None`: not a number.
fn days(entered: &str) -> Option<Option<u32>> {
    match entered.trim() {
        "" | FOR_EVER => Some(None),
        number => number.parse().ok().map(Some),
    }
}

fn number(days: Option<u32>) -> String {
    days.map_or_else(String::new, |days| days.to_string())
}

fn lines(environments: &BTreeMap<String, Tiers>) -> String {
    let word =
        |days: Option<u32>| days.map_or_else(|| FOR_EVER.to_owned(), |days| days.to_string());
    let line = |(name, tiers): (&String, &Tiers)| {
        let (content, structure) = (word(tiers.content_days), word(tiers.structure_days));
        format!("{name} {content} {structure}")
    };
    environments.iter().map(line).collect::<Vec<_>>().join("\n")
}

fn presets(lang: Lang, current: Preset) -> Vec<PresetRow> {
    let row = |preset: &Preset| {
        let settings = preset.settings()?;
        let (label, purpose) = words(*preset)?;
        let days = [
            settings.usual.content_days,
            settings.usual.structure_days,
            settings.metrics_days,
            settings.audit_days,
        ];
        Some(PresetRow {
            name: preset.as_str(),
            label: lang.t(label),
            purpose: lang.t(purpose),
            days: days.map(|days| match days {
                Some(days) => days.to_string(),
                None => lang.t("for ever").to_owned(),
            }),
            is_on: *preset == current,
        })
    };
    Preset::ALL.iter().filter_map(row).collect()
}

fn words(preset: Preset) -> Option<(&'static str, &'static str)> {
    Some(match preset {
        Preset::Everything => (text!("Keep everything"), text!("Nothing is removed.")),
        Preset::DataMinimisation => (
            text!("Data minimisation"),
            text!("GDPR-minded: personal data for a month, figures for a year."),
        ),
        Preset::CnPublicService => (
            text!("Public service in China"),
            text!("Logs of a service to the public for at least 180 days."),
        ),
        Preset::EuHighRiskLogs => (
            text!("EU high-risk system"),
            text!("Logs of a high-risk system for at least six months, figures for two years."),
        ),
        Preset::Development => (
            text!("Development"),
            text!("What is tried out, gone within two weeks."),
        ),
        Preset::Custom => return None,
    })
}
