//! Names of versions that move.

use std::fmt;
use std::sync::Arc;

use crate::fault::Fault;

/// Most characters of one.
const MAX_CHARS: usize = 36;
/// Most that are given at once.
const MAX_LABELS: usize = 100;

/// The name of a version that may move to another one: `production`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Label(Arc<str>);

/// Labels that are given to a version, each once, `latest` not among them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Labels(Vec<Label>);

impl Label {
    /// The label that the product moves itself.
    pub const LATEST: &str = "latest";
    /// The label that is meant where none is named.
    pub const PRODUCTION: &str = "production";

    /// From text.
    ///
    /// # Errors
    /// `invalid` on the field `label` for anything but 1 to 36 of `a-z 0-9 _ - .`
    pub fn parse(text: &str) -> Result<Self, Fault> {
        let allowed = |c: char| matches!(c, 'a'..='z' | '0'..='9' | '_' | '-' | '.');
        if (1..=MAX_CHARS).contains(&text.len()) && text.chars().all(allowed) {
            return Ok(Label(text.into()));
        }
        let message = "a label has 1 to 36 characters of a-z, 0-9, '_', '-' and '.'";
        Err(Fault::invalid(message).on_field("label"))
    }

    /// The label that the product moves itself.
    pub fn latest() -> Self {
        Label(Self::LATEST.into())
    }

    /// The label that is meant where none is named.
    pub fn production() -> Self {
        Label(Self::PRODUCTION.into())
    }

    /// The label as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether the product moves it itself.
    pub fn is_latest(&self) -> bool {
        self.as_str() == Self::LATEST
    }
}

impl Labels {
    /// From texts in the field `field`; repetitions and `latest` fall away.
    ///
    /// # Errors
    /// `invalid` on `field.<at>` for what is no label, on `field` for more than a hundred.
    pub fn parse<'t>(field: &str, texts: impl IntoIterator<Item = &'t str>) -> Result<Self, Fault> {
        let mut labels: Vec<Label> = Vec::new();
        for (at, text) in texts.into_iter().enumerate() {
            let label = Label::parse(text);
            let label = label.map_err(|fault| fault.on_field(format!("{field}.{at}")))?;
            if !label.is_latest() && !labels.contains(&label) {
                labels.push(label);
            }
        }
        if labels.len() > MAX_LABELS {
            let message = format!("give at most {MAX_LABELS} labels");
            return Err(Fault::invalid(message).on_field(field));
        }
        Ok(Labels(labels))
    }

    /// The same of labels that are moved by hand.
    ///
    /// # Errors
    /// As [`Labels::parse`], and `invalid` for `latest`, which moves by itself.
    pub fn parse_moved(field: &str, texts: &[&str]) -> Result<Self, Fault> {
        if let Some(at) = texts.iter().position(|text| *text == Label::LATEST) {
            let fault = Fault::invalid("the label latest moves by itself");
            return Err(fault.on_field(format!("{field}.{at}")));
        }
        Labels::parse(field, texts.iter().copied())
    }

    /// One after the other, as given.
    pub fn iter(&self) -> impl Iterator<Item = &Label> {
        self.0.iter()
    }

    /// With one more, unless it is among them.
    #[must_use]
    pub fn with(mut self, label: Label) -> Self {
        if !label.is_latest() && !self.0.contains(&label) {
            self.0.push(label);
        }
        self
    }
}

impl fmt::Display for Label {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_are_short_and_plain() {
        let longest = "x".repeat(36);
        for good in ["production", "3", "a-b_c.d", &longest] {
            assert_eq!(Label::parse(good).unwrap().as_str(), good);
        }
        let long = "x".repeat(37);
        for wrong in ["", "Production", "a b", "a:b", "é", "a\0", &long] {
            assert!(Label::parse(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn each_label_is_given_once_and_latest_never() {
        let labels = Labels::parse("labels", ["b", "latest", "a", "b"]).unwrap();
        let texts: Vec<&str> = labels.iter().map(Label::as_str).collect();
        assert_eq!(texts, ["b", "a"]);
        let fault = Labels::parse("labels", ["a", "B"]).unwrap_err();
        assert_eq!(fault.field.as_deref(), Some("labels.1"));
    }
}
