use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use regex::Regex;

use super::keys::FieldKeys;
use super::path::{Path, Place};
use super::settings::{Action, Detector, MaskedField, MaskingSettings};
use crate::pattern::NamePattern;

/// A keyed hash of a text: equal for equal texts of a project, and not to be guessed without its key.
pub type Pseudonym = Arc<dyn Fn(&str) -> [u8; 16] + Send + Sync>;

/// What stands in place of a value of which nothing is shown.
const MASKED: &str = "[MASKED]";
const DROPPED: &str = "[DROPPED]";
const HASHED: &str = "[HASH:";

/// The rules of a project, compiled.
pub struct Masker {
    pub(super) detectors: BTreeSet<Detector>,
    /// The same without addresses: what tells of machines.
    pub(super) of_machines: BTreeSet<Detector>,
    pub(super) patterns: Vec<Regex>,
    /// Names and marks of detectors and patterns.
    pub(super) rules: Vec<(String, String)>,
    paths: Vec<(Path, Action, String)>,
    fields: BTreeMap<MaskedField, (Action, String)>,
    attributes: Vec<(NamePattern, Action, String)>,
    pseudonym: Pseudonym,
    pub(super) keys: FieldKeys,
}

/// How a text is looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Something that was said or kept.
    Content,
    /// An id: marks tell different ones apart.
    Id,
    /// What tells of machines: their addresses stay.
    Machine,
}

impl Masker {
    /// Of settings that were checked; a rule that cannot be used nevertheless is left out. `None` where nothing is
    /// masked.
    pub fn new(settings: &MaskingSettings, pseudonym: Pseudonym, keys: FieldKeys) -> Option<Self> {
        if settings.is_off() {
            return None;
        }
        let mut rules: Vec<(String, String)> = Detector::ALL
            .iter()
            .map(|it| (it.as_str().to_owned(), it.mark()))
            .collect();
        let mut patterns = Vec::new();
        for custom in &settings.patterns {
            if let Ok(pattern) = custom.compiled() {
                patterns.push(pattern);
                rules.push((custom.name.clone(), custom.mark()));
            }
        }
        let paths = settings.paths.iter().filter_map(|rule| {
            let path = Path::parse(&rule.path).ok()?;
            Some((path, rule.action, format!("path:{}", rule.path)))
        });
        let attributes = settings.attributes.iter().map(|rule| {
            let name = format!("attribute:{}", rule.key);
            (NamePattern::new(&rule.key), rule.action, name)
        });
        let fields = settings.fields.iter().map(|(field, action)| {
            let name = format!("field:{field}");
            (*field, (*action, name))
        });
        let mut of_machines = settings.detectors.clone();
        of_machines.remove(&Detector::IpAddress);
        Some(Masker {
            detectors: settings.detectors.clone(),
            of_machines,
            patterns,
            rules,
            paths: paths.collect(),
            fields: fields.collect(),
            attributes: attributes.collect(),
            pseudonym,
            keys,
        })
    }

    pub(super) fn wanted(&self, kind: Kind) -> &BTreeSet<Detector> {
        match kind {
            Kind::Machine => &self.of_machines,
            Kind::Content | Kind::Id => &self.detectors,
        }
    }

    pub(super) fn has_paths(&self) -> bool {
        !self.paths.is_empty()
    }

    /// What becomes of a value within JSON, and which rule says so.
    pub(super) fn at(&self, place: &Place) -> Option<(Action, &str)> {
        let mut paths = self.paths.iter();
        let (_, action, name) = paths.find(|(path, ..)| path.means(place))?;
        Some((*action, name))
    }

    /// What becomes of a field.
    pub(super) fn of_field(&self, field: MaskedField) -> Option<(Action, &str)> {
        let (action, name) = self.fields.get(&field)?;
        Some((*action, name))
    }

    /// What becomes of an attribute by its key.
    pub(super) fn of_attribute(&self, key: &str) -> Option<(Action, &str)> {
        let mut rules = self.attributes.iter();
        let (_, action, name) = rules.find(|(pattern, ..)| pattern.matches(key))?;
        Some((*action, name))
    }

    /// A whole text under an action; `None` where it stays.
    pub(super) fn whole(&self, action: Action, text: &str) -> Option<String> {
        let is_done = text == MASKED || text == DROPPED || is_hash(text);
        if text.is_empty() || is_done {
            return None;
        }
        match action {
            Action::Keep => None,
            Action::Mask => Some(MASKED.to_owned()),
            Action::Drop => Some(DROPPED.to_owned()),
            Action::Hash => Some(format!("{HASHED}{}]", self.letters(text, 16))),
        }
    }

    /// A keyed hash as letters, in which no detector finds a number.
    pub(super) fn letters(&self, text: &str, count: usize) -> String {
        let hash = (self.pseudonym)(text);
        let halves = hash.iter().flat_map(|byte| [byte >> 4, byte & 15]);
        halves
            .take(count)
            .map(|half| char::from(b'a' + half))
            .collect()
    }
}

fn is_hash(text: &str) -> bool {
    let inner = text
        .strip_prefix(HASHED)
        .and_then(|rest| rest.strip_suffix(']'));
    inner.is_some_and(|inner| {
        inner.len() == 16 && inner.bytes().all(|it| (b'a'..=b'p').contains(&it))
    })
}

impl std::fmt::Debug for Masker {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Masker")
            .field("detectors", &self.detectors)
            .field("patterns", &self.patterns)
            .field("paths", &self.paths)
            .field("fields", &self.fields)
            .field("attributes", &self.attributes)
            .finish_non_exhaustive()
    }
}
