//! What is asked about an item, and what somebody answered. Zero, no and a label `0` are answers; only what
//! was left open is none.

use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Serialize};

use super::without_nul;
use crate::fault::Fault;
use crate::ids::ScoreConfigId;
use crate::score::{MAX_TEXT_CHARS, Scale, ScoreValue};
use crate::span::named_enum;

/// Longest comment of a rater, in characters.
pub const MAX_COMMENT_CHARS: usize = 5_000;
/// Longest correction, in characters.
pub const MAX_CORRECTION_CHARS: usize = 100_000;
/// Longest reason for skipping or deciding, in characters.
pub const MAX_REASON_CHARS: usize = 1_000;

/// Something that is asked.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(into = "String", try_from = "String")]
pub enum Question {
    /// A score by a configuration.
    Config(ScoreConfigId),
    /// Which of two things is better.
    Preference,
}

named_enum!(
    /// Which of two things is better.
    Preference, default Equal {
        /// The first.
        First = "A",
        /// The second.
        Second = "B",
        /// Neither.
        Equal = "EQUAL",
    }
);

/// An answer.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Answer {
    /// A finite number.
    Number(f64),
    /// Yes or no.
    Flag(bool),
    /// A label, which is never empty.
    Label(String),
    /// Free words, never empty.
    Text(String),
    /// One of two things.
    Choice(Preference),
}

/// All that somebody answered about an item.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Answers {
    /// By what was asked.
    #[serde(default)]
    pub values: BTreeMap<Question, Answer>,
    /// What the output should have been.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub correction: Option<String>,
    /// Why, in words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub comment: Option<String>,
}

impl fmt::Display for Question {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Question::Config(id) => id.fmt(f),
            Question::Preference => f.write_str("preference"),
        }
    }
}

impl From<Question> for String {
    fn from(question: Question) -> Self {
        question.to_string()
    }
}

impl TryFrom<String> for Question {
    type Error = uuid::Error;

    fn try_from(text: String) -> Result<Self, uuid::Error> {
        text.parse()
    }
}

impl std::str::FromStr for Question {
    type Err = uuid::Error;

    fn from_str(text: &str) -> Result<Self, uuid::Error> {
        match text {
            "preference" => Ok(Question::Preference),
            id => id.parse().map(Question::Config),
        }
    }
}

impl Answer {
    /// Reads what a form holds; `None` for what was left open.
    ///
    /// # Errors
    /// What is wrong, in words.
    pub fn read(scale: &Scale, text: &str) -> Result<Option<Self>, String> {
        if text.contains('\0') {
            return Err("must not hold NUL characters".to_owned());
        }
        match scale {
            Scale::Numeric { min, max } => {
                let text = text.trim();
                if text.is_empty() {
                    return Ok(None);
                }
                let number: Option<f64> = text.parse().ok();
                let number = number.filter(|number| number.is_finite());
                let number = number.ok_or_else(|| format!("{text:?} is no number"))?;
                if min.is_some_and(|min| number < min) || max.is_some_and(|max| number > max) {
                    return Err(format!("{number} is out of range"));
                }
                Ok(Some(Answer::Number(number)))
            }
            Scale::Boolean => match text.trim() {
                "" => Ok(None),
                "1" => Ok(Some(Answer::Flag(true))),
                "0" => Ok(Some(Answer::Flag(false))),
                other => Err(format!("{other:?} is neither 0 nor 1")),
            },
            Scale::Categorical(categories) => match text {
                "" => Ok(None),
                label if categories.iter().any(|known| known.label == label) => {
                    Ok(Some(Answer::Label(label.to_owned())))
                }
                other => Err(format!("{other:?} is none of the categories")),
            },
            Scale::Text => match text.trim() {
                "" => Ok(None),
                words if words.chars().count() > MAX_TEXT_CHARS => {
                    Err(format!("must have at most {MAX_TEXT_CHARS} characters"))
                }
                words => Ok(Some(Answer::Text(words.to_owned()))),
            },
        }
    }

    /// As the value of a score; a label has the number that its category has.
    pub fn to_score_value(&self, scale: Option<&Scale>) -> ScoreValue {
        match self {
            Answer::Number(number) => ScoreValue::Numeric(*number),
            Answer::Flag(yes) => ScoreValue::Boolean(*yes),
            Answer::Label(label) => ScoreValue::Categorical {
                label: label.clone(),
                number: self.number(scale).unwrap_or(0.0),
            },
            Answer::Text(text) => ScoreValue::Text(text.clone()),
            Answer::Choice(choice) => ScoreValue::Categorical {
                label: choice.as_str().to_owned(),
                number: 0.0,
            },
        }
    }

    /// The number that it is counted by; `None` for words.
    pub fn number(&self, scale: Option<&Scale>) -> Option<f64> {
        match (self, scale) {
            (Answer::Number(number), _) => Some(*number),
            (Answer::Flag(yes), _) => Some(f64::from(u8::from(*yes))),
            (Answer::Label(label), Some(Scale::Categorical(categories))) => categories
                .iter()
                .find(|known| known.label == *label)
                .map(|known| known.value),
            _ => None,
        }
    }

    /// As a form and an export write it.
    pub fn words(&self) -> String {
        match self {
            Answer::Number(number) => number.to_string(),
            Answer::Flag(yes) => u8::from(*yes).to_string(),
            Answer::Label(words) | Answer::Text(words) => words.clone(),
            Answer::Choice(choice) => choice.as_str().to_owned(),
        }
    }
}

impl Answers {
    /// Checks the words that go along with the answers.
    ///
    /// # Errors
    /// `invalid` on the field that is wrong.
    pub fn check(&self) -> Result<(), Fault> {
        check_words("comment", self.comment.as_deref(), MAX_COMMENT_CHARS)?;
        check_words(
            "correction",
            self.correction.as_deref(),
            MAX_CORRECTION_CHARS,
        )
    }
}

/// Checks free words of a rater.
///
/// # Errors
/// `invalid` on the field.
pub fn check_words(field: &str, words: Option<&str>, most: usize) -> Result<(), Fault> {
    let words = words.unwrap_or_default();
    if words.chars().count() > most {
        let message = format!("must have at most {most} characters");
        return Err(Fault::invalid(message).on_field(field));
    }
    without_nul(field, words)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::score::Category;

    fn scales() -> [Scale; 4] {
        let labels = ["0", "good"].map(str::to_owned);
        let categories = labels.into_iter().zip([0.0, 2.0]);
        [
            Scale::Numeric {
                min: Some(-1.0),
                max: None,
            },
            Scale::Boolean,
            Scale::Categorical(
                categories
                    .map(|(label, value)| Category { label, value })
                    .collect(),
            ),
            Scale::Text,
        ]
    }

    #[test]
    fn zero_no_and_a_label_of_nought_are_answers_and_nothing_is_none() {
        let [numeric, boolean, categorical, text] = scales();
        assert_eq!(Answer::read(&numeric, "0"), Ok(Some(Answer::Number(0.0))));
        assert_eq!(Answer::read(&numeric, "-1"), Ok(Some(Answer::Number(-1.0))));
        assert_eq!(Answer::read(&boolean, "0"), Ok(Some(Answer::Flag(false))));
        let nought = Answer::Label("0".to_owned());
        assert_eq!(Answer::read(&categorical, "0"), Ok(Some(nought.clone())));
        assert_eq!(nought.number(Some(&categorical)), Some(0.0));
        for scale in [&numeric, &boolean, &categorical, &text] {
            assert_eq!(Answer::read(scale, ""), Ok(None));
        }
        for (scale, wrong) in [
            (&numeric, "-1.5"),
            (&numeric, "NaN"),
            (&numeric, "x"),
            (&boolean, "yes"),
            (&categorical, "bad"),
            (&text, "a\0"),
        ] {
            assert!(Answer::read(scale, wrong).is_err(), "{wrong:?}");
        }
    }

    #[test]
    fn answers_are_kept_as_they_are() {
        let question = Question::Config(ScoreConfigId(uuid::Uuid::from_u128(7)));
        let mut answers = Answers::default();
        answers.values.insert(question, Answer::Number(0.0));
        let choice = Answer::Choice(Preference::Second);
        answers.values.insert(Question::Preference, choice);
        let json = serde_json::to_string(&answers).unwrap();
        assert_eq!(serde_json::from_str::<Answers>(&json).unwrap(), answers);
    }
}
