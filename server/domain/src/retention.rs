//! How long what is kept: settings by tier and environment, and what follows for a row.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::span::{Span, named_enum};
use crate::time::{Nanos, Timestamp};

/// Longest that can be set; what is to be kept for longer is kept for ever.
pub const MAX_DAYS: u32 = 7_300;
/// Shortest that the audit log is kept: what it is for is to be read later.
pub const MIN_AUDIT_DAYS: u32 = 30;
/// Environments with days of their own.
pub const MAX_ENVIRONMENTS: usize = 100;
const MAX_NAME_BYTES: usize = 200;
const DAY: u64 = 86_400;

/// Days of the two tiers of telemetry; `None`: for ever.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tiers {
    /// Prompts, completions and other long texts.
    pub content_days: Option<u32>,
    /// Whole rows: usage, latency, tags, ids, names.
    pub structure_days: Option<u32>,
}

/// What a project set.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RetentionSettings {
    /// Where the environment has no days of its own.
    #[serde(flatten)]
    pub usual: Tiers,
    /// Values of series; `None`: for ever.
    pub metrics_days: Option<u32>,
    /// Entries of the audit log; `None`: for ever.
    pub audit_days: Option<u32>,
    /// Days of some environments.
    pub environments: BTreeMap<String, Tiers>,
}

named_enum!(
    /// Days that are set together, by what they are for.
    Preset, default Custom {
        /// Nothing is removed.
        Everything = "everything",
        /// Contents for a month, figures for a year: personal data no longer than debugging takes.
        DataMinimisation = "data_minimisation",
        /// A service to the public in China: logs of at least 180 days.
        CnPublicService = "cn_public_service",
        /// Records of what a high-risk system did, for six months at least.
        EuHighRiskLogs = "eu_high_risk_logs",
        /// What is tried out.
        Development = "development",
        /// Anything else.
        Custom = "custom",
    }
);

/// What is wrong about settings, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// Name of the field.
    pub field: &'static str,
    /// What is wrong.
    pub message: String,
}

impl Preset {
    /// Its days; `None` for [`Preset::Custom`], which has none of its own.
    pub fn settings(self) -> Option<RetentionSettings> {
        let days = |content, structure, metrics, audit| RetentionSettings {
            usual: Tiers {
                content_days: content,
                structure_days: structure,
            },
            metrics_days: metrics,
            audit_days: audit,
            environments: BTreeMap::new(),
        };
        match self {
            Preset::Everything => Some(days(None, None, None, None)),
            Preset::DataMinimisation => Some(days(Some(30), Some(365), Some(365), Some(730))),
            Preset::CnPublicService => Some(days(Some(180), Some(365), Some(180), Some(1_095))),
            Preset::EuHighRiskLogs => Some(days(Some(200), Some(730), Some(365), Some(1_825))),
            Preset::Development => Some(days(Some(7), Some(14), Some(30), Some(90))),
            Preset::Custom => None,
        }
    }
}

impl RetentionSettings {
    /// The same days for everything, as a project without settings of its own names them; 0: for ever.
    pub fn of_project(days: u32) -> Self {
        let days = Some(days).filter(|days| *days > 0);
        RetentionSettings {
            usual: Tiers {
                content_days: days,
                structure_days: days,
            },
            metrics_days: days,
            ..RetentionSettings::default()
        }
    }

    /// The preset that says the same; days of environments make it one's own.
    pub fn preset(&self) -> Preset {
        let presets = Preset::ALL.iter().copied();
        let mut same = presets.filter(|preset| preset.settings().as_ref() == Some(self));
        same.next().unwrap_or(Preset::Custom)
    }

    /// What is wrong about them.
    ///
    /// # Errors
    /// The first that is.
    pub fn check(&self) -> Result<(), Problem> {
        check_tiers(&self.usual, "content_days", "structure_days")?;
        check_days(self.metrics_days, 1, "metrics_days")?;
        check_days(self.audit_days, MIN_AUDIT_DAYS, "audit_days")?;
        let wrong = |message: &str| Problem {
            field: "environments",
            message: message.to_owned(),
        };
        if self.environments.len() > MAX_ENVIRONMENTS {
            return Err(wrong(": at most 100 have days of their own"));
        }
        for (name, tiers) in &self.environments {
            if name.is_empty() || name.len() > MAX_NAME_BYTES || name.contains(char::is_control) {
                return Err(wrong(": a name has 1 to 200 bytes"));
            }
            check_tiers(tiers, "environments", "environments").map_err(|problem| {
                let message = format!(": {name}{}", problem.message);
                wrong(&message)
            })?;
        }
        Ok(())
    }

    /// Days of an environment.
    pub fn tiers(&self, environment: &str) -> Tiers {
        let own = self.environments.get(environment);
        own.copied().unwrap_or(self.usual)
    }

    /// What a row of an environment is stored with.
    pub fn keep(&self, environment: &str) -> Keep {
        Keep::from(self.tiers(environment))
    }

    /// The shortest time that a row is kept; `None` where all are kept for ever.
    pub fn shortest_structure(&self) -> Option<u32> {
        let all = self.environments.values().chain([&self.usual]);
        all.filter_map(|tiers| tiers.structure_days).min()
    }

    /// The shortest time that a content is kept.
    pub fn shortest_content(&self) -> Option<u32> {
        let all = self.environments.values().chain([&self.usual]);
        let days = all.flat_map(|tiers| [tiers.content_days, tiers.structure_days]);
        days.flatten().min()
    }
}

fn check_tiers(
    tiers: &Tiers,
    content: &'static str,
    structure: &'static str,
) -> Result<(), Problem> {
    check_days(tiers.content_days, 1, content)?;
    check_days(tiers.structure_days, 1, structure)?;
    match (tiers.content_days, tiers.structure_days) {
        (Some(content_days), Some(days)) if content_days > days => Err(Problem {
            field: content,
            message: ": contents cannot be kept for longer than the rows that they are of"
                .to_owned(),
        }),
        _ => Ok(()),
    }
}

fn check_days(days: Option<u32>, least: u32, field: &'static str) -> Result<(), Problem> {
    match days {
        Some(days) if !(least..=MAX_DAYS).contains(&days) => Err(Problem {
            field,
            message: format!(": give {least} to {MAX_DAYS} days, or none for ever"),
        }),
        _ => Ok(()),
    }
}

/// The latest instant whose days are over.
pub fn over_since(now: Timestamp, days: u32) -> Timestamp {
    now.minus(Nanos::from_seconds(u64::from(days) * DAY))
}

named_enum!(
    /// What decided how long a row is kept.
    KeepRule, default Settings {
        /// The days of its project.
        Settings = "",
        /// A user on legal hold.
        Held = "held",
        /// It is outside of the sample of contents.
        Sampled = "sampled",
        /// It is outside of it, and an error or a score has it kept.
        Chosen = "chosen",
    }
);

/// How long a row is kept, as it is stored with it; 0: for ever.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Keep {
    /// Days of its contents.
    pub content_days: u16,
    /// Days of the row.
    pub structure_days: u16,
    /// What decided it.
    pub rule: KeepRule,
}

impl Keep {
    /// The same outside of the sample, where contents are kept for some days only.
    #[must_use]
    pub fn sampled(self, wait_days: u32) -> Self {
        let wait = u16::try_from(wait_days).unwrap_or(1);
        let content_days = match self.content_days {
            0 => wait,
            days => days.min(wait),
        };
        Keep {
            content_days,
            rule: KeepRule::Sampled,
            ..self
        }
    }
}

impl From<Tiers> for Keep {
    fn from(tiers: Tiers) -> Self {
        let number =
            |days: Option<u32>| days.and_then(|days| u16::try_from(days).ok()).unwrap_or(0);
        Keep {
            content_days: number(tiers.content_days),
            structure_days: number(tiers.structure_days),
            rule: KeepRule::Settings,
        }
    }
}

/// Whether the contents of a span are past their time, so that nothing is left to show.
pub fn has_lost_contents(span: &Span, now: Timestamp) -> bool {
    let days = u32::from(span.keep.content_days);
    days > 0
        && span.start < over_since(now, days)
        && span.input.is_none()
        && span.output.is_none()
        && span.attributes.is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tiers(content_days: Option<u32>, structure_days: Option<u32>) -> Tiers {
        Tiers {
            content_days,
            structure_days,
        }
    }

    #[test]
    fn an_environment_has_its_own_days_or_those_of_the_project() {
        let mut settings = RetentionSettings::of_project(30);
        settings
            .environments
            .insert("dev".to_owned(), tiers(Some(1), Some(2)));
        let keep = |content_days, structure_days| Keep {
            content_days,
            structure_days,
            rule: KeepRule::Settings,
        };
        assert_eq!(settings.keep("prod"), keep(30, 30));
        assert_eq!(settings.keep("dev"), keep(1, 2));
        assert_eq!(settings.shortest_structure(), Some(2));
        assert_eq!(settings.shortest_content(), Some(1));
        assert_eq!(RetentionSettings::of_project(0).keep("dev"), keep(0, 0));
    }

    #[test]
    fn a_preset_is_known_by_its_days_and_every_preset_holds() {
        for preset in Preset::ALL {
            let Some(settings) = preset.settings() else {
                continue;
            };
            assert_eq!(settings.check(), Ok(()), "{preset}");
            assert_eq!(settings.preset(), *preset);
        }
        assert_eq!(RetentionSettings::of_project(3).preset(), Preset::Custom);
    }

    #[test]
    fn what_cannot_be_is_said_with_its_field() {
        let wrong = |settings: &RetentionSettings| settings.check().unwrap_err().field;
        let mut settings = RetentionSettings {
            usual: tiers(Some(31), Some(30)),
            ..RetentionSettings::default()
        };
        assert_eq!(wrong(&settings), "content_days");
        settings.usual = tiers(None, Some(MAX_DAYS + 1));
        assert_eq!(wrong(&settings), "structure_days");
        settings.usual = tiers(None, Some(1));
        assert_eq!(settings.check(), Ok(()));
        settings.audit_days = Some(1);
        assert_eq!(wrong(&settings), "audit_days");
        settings.audit_days = None;
        settings
            .environments
            .insert("dev".to_owned(), tiers(Some(0), None));
        assert_eq!(wrong(&settings), "environments");
    }
}
