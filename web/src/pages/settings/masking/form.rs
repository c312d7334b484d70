//! Settings as a form, and a form as settings. Lists are texts with one rule a line.

use domain::Fault;
use domain::masking::{
    Action, AttributeRule, CustomPattern, Detector, MaskedField, MaskingSettings, PathRule, Preset,
};

use crate::extract::Pairs;
use crate::form::Field;
use crate::i18n::{Lang, text};

/// Fields that faults name.
pub(super) const FIELDS: &[&str] = &["patterns", "paths", "attributes", "text"];

/// A detector.
pub(crate) struct Tick {
    pub(crate) name: &'static str,
    pub(crate) label: &'static str,
    pub(crate) mark: String,
    pub(crate) is_on: bool,
}

/// A field of records with what becomes of it.
pub(crate) struct FieldChoice {
    pub(crate) name: &'static str,
    pub(crate) label: &'static str,
    pub(crate) actions: Vec<ActionChoice>,
}

/// One of the actions.
pub(crate) struct ActionChoice {
    pub(crate) name: &'static str,
    pub(crate) label: &'static str,
    pub(crate) is_on: bool,
}

/// A preset.
pub(crate) struct PresetChoice {
    pub(crate) name: &'static str,
    pub(crate) label: &'static str,
    pub(crate) is_on: bool,
}

/// All that is entered.
pub(crate) struct MaskingForm {
    pub(crate) presets: Vec<PresetChoice>,
    pub(crate) detectors: Vec<Tick>,
    pub(crate) patterns: Field,
    pub(crate) paths: Field,
    pub(crate) attributes: Field,
    pub(crate) fields: Vec<FieldChoice>,
    pub(crate) text: Field,
}

impl MaskingForm {
    /// Of settings.
    pub(super) fn new(lang: Lang, settings: &MaskingSettings) -> Self {
        let patterns = settings.patterns.iter();
        let patterns = patterns.map(|it| format!("{} = {}", it.name, it.pattern));
        let paths = settings
            .paths
            .iter()
            .map(|it| format!("{} {}", it.path, it.action));
        let attributes = settings.attributes.iter();
        let attributes = attributes.map(|it| format!("{} {}", it.key, it.action));
        MaskingForm {
            presets: presets(lang, settings.preset()),
            detectors: ticks(lang, settings),
            patterns: Field::holding(&lines(patterns)),
            paths: Field::holding(&lines(paths)),
            attributes: Field::holding(&lines(attributes)),
            fields: fields(lang, settings),
            text: Field::default(),
        }
    }

    /// What was entered stays as it was entered, with what is wrong about it.
    pub(super) fn keep(&mut self, pairs: &Pairs, fault: Option<&Fault>) {
        for (name, field) in [
            ("patterns", &mut self.patterns),
            ("paths", &mut self.paths),
            ("attributes", &mut self.attributes),
            ("text", &mut self.text),
        ] {
            *field = Field::holding(pairs.get(name).unwrap_or_default());
            if let Some(fault) = fault {
                *field = std::mem::take(field).with_fault(name, fault);
            }
        }
    }
}

/// Settings as they were entered. A preset that was chosen stands for its detectors.
pub(super) fn read(pairs: &Pairs, lang: Lang) -> Result<MaskingSettings, Fault> {
    let preset = pairs.get("preset").and_then(Preset::from_name);
    let detectors = match preset {
        Some(preset) => preset.detectors(),
        None => pairs
            .all("detector")
            .filter_map(Detector::from_name)
            .collect(),
    };
    let wrong = |field: &str| {
        let message = lang.t("One rule a line, as in the example.");
        Fault::invalid(message).on_field(field)
    };
    let patterns = filled(pairs, "patterns").map(|line| {
        let (name, pattern) = line.split_once('=')?;
        Some(CustomPattern {
            name: name.trim().to_owned(),
            pattern: pattern.trim().to_owned(),
        })
    });
    let patterns: Option<Vec<CustomPattern>> = patterns.collect();
    let paths = filled(pairs, "paths").map(|line| {
        let (path, action) = with_action(line)?;
        Some(PathRule { path, action })
    });
    let paths: Option<Vec<PathRule>> = paths.collect();
    let attributes = filled(pairs, "attributes").map(|line| {
        let (key, action) = with_action(line)?;
        Some(AttributeRule { key, action })
    });
    let attributes: Option<Vec<AttributeRule>> = attributes.collect();
    let fields = MaskedField::ALL.iter().filter_map(|field| {
        let action = pairs
            .get(&format!("field-{field}"))
            .and_then(Action::from_name)?;
        (action != Action::Mask).then_some((*field, action))
    });
    Ok(MaskingSettings {
        detectors,
        patterns: patterns.ok_or_else(|| wrong("patterns"))?,
        paths: paths.ok_or_else(|| wrong("paths"))?,
        fields: fields.collect(),
        attributes: attributes.ok_or_else(|| wrong("attributes"))?,
    })
}

fn filled<'p>(pairs: &'p Pairs, name: &str) -> impl Iterator<Item = &'p str> {
    let text = pairs.get(name).unwrap_or_default();
    text.lines().map(str::trim).filter(|line| !line.is_empty())
}

/// A path or a key with an action behind it; without one all of it is masked.
fn with_action(line: &str) -> Option<(String, Action)> {
    match line.rsplit_once(char::is_whitespace) {
        None => Some((line.to_owned(), Action::Mask)),
        Some((rule, action)) => Some((rule.trim().to_owned(), Action::from_name(action)?)),
    }
}

fn lines(lines: impl Iterator<Item = String>) -> String {
    lines.collect::<Vec<_>>().join("\n")
}

fn presets(lang: Lang, current: Preset) -> Vec<PresetChoice> {
    let label = |preset: Preset| match preset {
        Preset::Off => Some(lang.t("Off")),
        Preset::PersonalData => Some(lang.t("Personal data")),
        Preset::PersonalDataAndSecrets => Some(lang.t("Personal data and secrets")),
        Preset::Custom => None,
    };
    let choice = |preset: &Preset| {
        Some(PresetChoice {
            name: preset.as_str(),
            label: label(*preset)?,
            is_on: *preset == current,
        })
    };
    Preset::ALL.iter().filter_map(choice).collect()
}

fn ticks(lang: Lang, settings: &MaskingSettings) -> Vec<Tick> {
    let tick = |detector: &Detector| Tick {
        name: detector.as_str(),
        label: detector_label(lang, *detector),
        mark: detector.mark(),
        is_on: settings.detectors.contains(detector),
    };
    Detector::ALL.iter().map(tick).collect()
}

fn detector_label(lang: Lang, detector: Detector) -> &'static str {
    lang.t(match detector {
        Detector::Email => text!("E-mail addresses"),
        Detector::CnMobile => text!("Mobile numbers of mainland China"),
        Detector::Phone => text!("Phone numbers with a country code"),
        Detector::CnResidentId => text!("Resident identity numbers of China"),
        Detector::BankCard => text!("Bank cards"),
        Detector::IpAddress => text!("IP addresses"),
        Detector::Secret => text!("Keys, tokens, private keys"),
    })
}

fn fields(lang: Lang, settings: &MaskingSettings) -> Vec<FieldChoice> {
    let label = |field: MaskedField| {
        lang.t(match field {
            MaskedField::Input => text!("Input"),
            MaskedField::Output => text!("Output"),
            MaskedField::Metadata => text!("Metadata"),
            MaskedField::UserId => text!("User id"),
            MaskedField::SessionId => text!("Session"),
            MaskedField::Tags => text!("Tags"),
            MaskedField::Name => text!("Name"),
            MaskedField::Error => text!("Error"),
        })
    };
    let choice = |field: &MaskedField| {
        let current = settings.fields.get(field).copied().unwrap_or_default();
        let action = |action: &Action| ActionChoice {
            name: action.as_str(),
            label: action_label(lang, *action),
            is_on: *action == current,
        };
        FieldChoice {
            name: field.as_str(),
            label: label(*field),
            actions: Action::ALL.iter().map(action).collect(),
        }
    };
    MaskedField::ALL.iter().map(choice).collect()
}

fn action_label(lang: Lang, action: Action) -> &'static str {
    lang.t(match action {
        Action::Keep => text!("keep as it is"),
        Action::Mask => text!("mask what is found"),
        Action::Hash => text!("keep a hash only"),
        Action::Drop => text!("do not store"),
    })
}
