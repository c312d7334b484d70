use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::path::Path;
use crate::span::named_enum;

/// Rules of one kind.
pub const MAX_RULES: usize = 50;
/// Bytes of a pattern, a path or a key.
pub const MAX_PATTERN_BYTES: usize = 1_000;
const MAX_NAME_CHARS: usize = 32;
/// What a compiled pattern may take.
const MAX_COMPILED_BYTES: usize = 1 << 20;

named_enum!(
    /// What is looked for in every text.
    Detector, default Email {
        /// E-mail addresses.
        Email = "email",
        /// Mobile numbers of mainland China.
        CnMobile = "cn_mobile",
        /// Phone numbers with the code of their country.
        Phone = "phone",
        /// Resident identity numbers of China: real date, right check digit.
        CnResidentId = "cn_resident_id",
        /// Bank cards: known ranges, right check digit.
        BankCard = "bank_card",
        /// Addresses of IPv4 and IPv6.
        IpAddress = "ip_address",
        /// Keys, tokens and private keys.
        Secret = "secret",
    }
);

named_enum!(
    /// Parts of a record that can be treated apart.
    MaskedField, default Input {
        /// What went in.
        Input = "input",
        /// What came out.
        Output = "output",
        /// Metadata.
        Metadata = "metadata",
        /// The user of the application.
        UserId = "user_id",
        /// The session.
        SessionId = "session_id",
        /// Free labels.
        Tags = "tags",
        /// Names of traces and operations.
        Name = "name",
        /// What a failure said.
        Error = "error",
    }
);

named_enum!(
    /// What becomes of a value.
    Action, default Mask {
        /// It stays as it is.
        Keep = "keep",
        /// What detectors and patterns find in it is replaced; of a path or a key: all of it.
        Mask = "mask",
        /// It becomes a keyed hash: equal values stay comparable.
        Hash = "hash",
        /// It is not stored.
        Drop = "drop",
    }
);

named_enum!(
    /// Detectors that go together.
    Preset, default Off {
        /// Nothing is masked.
        Off = "off",
        /// What tells of people.
        PersonalData = "personal_data",
        /// The same, and what opens doors.
        PersonalDataAndSecrets = "personal_data_and_secrets",
        /// What no other is.
        Custom = "custom",
    }
);

impl Detector {
    /// What stands in place of what was found.
    pub fn mark(self) -> String {
        format!("[{}]", self.as_str().to_ascii_uppercase())
    }
}

impl Preset {
    /// Its detectors; none of a custom one.
    pub fn detectors(self) -> BTreeSet<Detector> {
        let all = Detector::ALL.iter().copied();
        match self {
            Preset::Off | Preset::Custom => BTreeSet::new(),
            Preset::PersonalData => all.filter(|it| *it != Detector::Secret).collect(),
            Preset::PersonalDataAndSecrets => all.collect(),
        }
    }
}

/// A pattern of the project.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CustomPattern {
    /// Its name, which the mark shows: lower-case letters and `_`.
    pub name: String,
    /// A regular expression without look-around and back-references: it is matched in linear time.
    pub pattern: String,
}

/// Values within JSON.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PathRule {
    /// Which ([`Path`]).
    pub path: String,
    /// What becomes of them.
    pub action: Action,
}

/// Attributes by key.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AttributeRule {
    /// Which; `*` stands for any run of characters.
    pub key: String,
    /// What becomes of them.
    pub action: Action,
}

/// What a project does not want stored. Nothing is masked by default.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct MaskingSettings {
    /// What is looked for.
    pub detectors: BTreeSet<Detector>,
    /// Patterns beside it.
    pub patterns: Vec<CustomPattern>,
    /// Values within JSON.
    pub paths: Vec<PathRule>,
    /// Parts that are treated otherwise than [`Action::Mask`].
    pub fields: BTreeMap<MaskedField, Action>,
    /// Attributes that are.
    pub attributes: Vec<AttributeRule>,
}

/// What is wrong with settings: where, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The field, as the API names it.
    pub field: &'static str,
    /// Which of several, and what about it.
    pub message: String,
}

impl MaskingSettings {
    /// Of a preset.
    pub fn of_preset(preset: Preset) -> Self {
        MaskingSettings {
            detectors: preset.detectors(),
            ..MaskingSettings::default()
        }
    }

    /// Which preset it is.
    pub fn preset(&self) -> Preset {
        let same = |preset: &&Preset| Self::of_preset(**preset) == *self;
        let found = Preset::ALL.iter().find(same);
        found.copied().unwrap_or(Preset::Custom)
    }

    /// Whether nothing is masked.
    pub fn is_off(&self) -> bool {
        let asks = |action: &Action| matches!(action, Action::Hash | Action::Drop);
        self.detectors.is_empty()
            && self.patterns.is_empty()
            && self.paths.is_empty()
            && self.attributes.is_empty()
            && !self.fields.values().any(asks)
    }

    /// What is wrong with it.
    ///
    /// # Errors
    /// The first rule that cannot be used.
    pub fn check(&self) -> Result<(), Problem> {
        let problem = |field, message: String| Err(Problem { field, message });
        for (field, count) in [
            ("patterns", self.patterns.len()),
            ("paths", self.paths.len()),
            ("attributes", self.attributes.len()),
        ] {
            if count > MAX_RULES {
                return problem(field, format!("give at most {MAX_RULES}"));
            }
        }
        for (at, custom) in self.patterns.iter().enumerate() {
            if let Err(message) = custom.compiled() {
                return problem("patterns", format!("[{at}]: {message}"));
            }
            if self.patterns[..at].iter().any(|it| it.name == custom.name) {
                let message = format!("[{at}]: the name {} is given twice", custom.name);
                return problem("patterns", message);
            }
        }
        for (at, rule) in self.paths.iter().enumerate() {
            if let Err(error) = Path::parse(&rule.path) {
                return problem("paths", format!("[{at}]: {error}"));
            }
        }
        for (at, rule) in self.attributes.iter().enumerate() {
            let key = rule.key.trim();
            if key.is_empty() || key.len() > MAX_PATTERN_BYTES || key.contains('\0') {
                return problem("attributes", format!("[{at}]: give a key"));
            }
        }
        Ok(())
    }
}

impl CustomPattern {
    /// What stands in place of what it found.
    pub(super) fn mark(&self) -> String {
        format!("[{}]", self.name.to_ascii_uppercase())
    }

    /// Ready to be used.
    ///
    /// # Errors
    /// What is wrong with it, in words.
    pub(super) fn compiled(&self) -> Result<regex::Regex, String> {
        let letter = |character: char| character.is_ascii_lowercase() || character == '_';
        let named = !self.name.is_empty() && self.name.len() <= MAX_NAME_CHARS;
        if !named || !self.name.chars().all(letter) {
            return Err("a name has 1 to 32 lower-case letters or _".to_owned());
        }
        if Detector::from_name(&self.name).is_some() {
            return Err(format!("{} is the name of a detector", self.name));
        }
        if self.pattern.is_empty() || self.pattern.len() > MAX_PATTERN_BYTES {
            return Err(format!("a pattern has 1 to {MAX_PATTERN_BYTES} bytes"));
        }
        let compiled = regex::RegexBuilder::new(&self.pattern)
            .size_limit(MAX_COMPILED_BYTES)
            .dfa_size_limit(MAX_COMPILED_BYTES)
            .build();
        let regex = compiled.map_err(|error| match error {
            regex::Error::CompiledTooBig(_) => "the pattern is too large".to_owned(),
            _ => "this is no regular expression that can be matched in linear time".to_owned(),
        })?;
        match regex.is_match("") {
            true => Err("the pattern also matches nothing at all".to_owned()),
            false => Ok(regex),
        }
    }
}
