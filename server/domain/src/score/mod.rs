//! Judgements of a trace, an observation, a session or a run of a dataset: by programs, evaluators and
//! people.

/// What scores of a name may be.
pub mod config;
/// Scores by what they judge.
mod judgements;
/// Which scores a reader asked for.
pub mod wanted;

pub use config::{Category, Scale, ScoreConfig, ScoreConfigDraft};
pub use judgements::Judgements;

use serde_json::Value as Json;

use crate::ids::{SpanId, TraceId};
use crate::span::named_enum;
use crate::time::Timestamp;

/// Longest value of a text, in characters.
pub const MAX_TEXT_CHARS: usize = 500;

named_enum!(
    /// Who judged.
    ScoreSource, default Api {
        /// A program.
        Api = "API",
        /// An evaluator.
        Eval = "EVAL",
        /// A person.
        Annotation = "ANNOTATION",
    }
);

named_enum!(
    /// What kind of value it is.
    DataType, default Numeric {
        /// A number.
        Numeric = "NUMERIC",
        /// One of some labels.
        Categorical = "CATEGORICAL",
        /// Yes or no.
        Boolean = "BOOLEAN",
        /// Free words.
        Text = "TEXT",
        /// What the output should have been.
        Correction = "CORRECTION",
    }
);

/// A judgement's value.
#[derive(Clone, Debug, PartialEq)]
pub enum ScoreValue {
    /// A finite number.
    Numeric(f64),
    /// A label, and the number that stands for it; 0 where none does.
    Categorical {
        /// The label.
        label: String,
        /// Its number.
        number: f64,
    },
    /// Yes or no.
    Boolean(bool),
    /// 1 to [`MAX_TEXT_CHARS`] characters.
    Text(String),
    /// What the output should have been.
    Correction(String),
}

impl ScoreValue {
    /// Reads a value as JSON. Without a type, numbers are numeric and texts are labels.
    ///
    /// # Errors
    /// What is wrong, in words: value and type do not go together, or the value is out of range.
    pub fn read(value: &Json, data_type: Option<DataType>) -> Result<Self, &'static str> {
        let number = value.as_f64().filter(|number| number.is_finite());
        let text = || value.as_str().map(str::to_owned);
        let data_type = match (data_type, value) {
            (Some(known), _) => known,
            (None, Json::String(_)) => DataType::Categorical,
            (None, Json::Bool(_)) => DataType::Boolean,
            (None, _) => DataType::Numeric,
        };
        match data_type {
            DataType::Numeric => number.map(ScoreValue::Numeric).ok_or("must be a number"),
            DataType::Categorical => {
                let label = text().filter(|label| !label.is_empty());
                let label = label.ok_or("must be a text")?;
                Ok(ScoreValue::Categorical { label, number: 0.0 })
            }
            DataType::Boolean => match (value, number) {
                (Json::Bool(yes), _) => Ok(ScoreValue::Boolean(*yes)),
                (_, Some(0.0)) => Ok(ScoreValue::Boolean(false)),
                (_, Some(1.0)) => Ok(ScoreValue::Boolean(true)),
                _ => Err("must be 0 or 1"),
            },
            DataType::Text => {
                let text =
                    text().filter(|text| (1..=MAX_TEXT_CHARS).contains(&text.chars().count()));
                text.map(ScoreValue::Text)
                    .ok_or("must be a text of 1 to 500 characters")
            }
            DataType::Correction => text().map(ScoreValue::Correction).ok_or("must be a text"),
        }
    }

    /// What kind of value it is.
    pub fn data_type(&self) -> DataType {
        match self {
            ScoreValue::Numeric(_) => DataType::Numeric,
            ScoreValue::Categorical { .. } => DataType::Categorical,
            ScoreValue::Boolean(_) => DataType::Boolean,
            ScoreValue::Text(_) => DataType::Text,
            ScoreValue::Correction(_) => DataType::Correction,
        }
    }

    /// The number that it is counted by; 0 for words.
    pub fn number(&self) -> f64 {
        match self {
            ScoreValue::Numeric(number) | ScoreValue::Categorical { number, .. } => *number,
            ScoreValue::Boolean(yes) => f64::from(u8::from(*yes)),
            ScoreValue::Text(_) | ScoreValue::Correction(_) => 0.0,
        }
    }

    /// Its words; `None` for a number.
    pub fn words(&self) -> Option<&str> {
        match self {
            ScoreValue::Numeric(_) => None,
            ScoreValue::Boolean(true) => Some("True"),
            ScoreValue::Boolean(false) => Some("False"),
            ScoreValue::Categorical { label, .. } => Some(label),
            ScoreValue::Text(text) | ScoreValue::Correction(text) => Some(text),
        }
    }

    /// From what a store keeps of it.
    pub fn from_parts(data_type: DataType, number: f64, words: String) -> Self {
        match data_type {
            DataType::Numeric => ScoreValue::Numeric(number),
            DataType::Categorical => ScoreValue::Categorical {
                label: words,
                number,
            },
            DataType::Boolean => ScoreValue::Boolean(number != 0.0),
            DataType::Text => ScoreValue::Text(words),
            DataType::Correction => ScoreValue::Correction(words),
        }
    }
}

/// What is judged.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target {
    /// A trace, or an observation of it.
    Trace {
        /// The trace.
        trace_id: TraceId,
        /// The observation; `None` for the trace as a whole.
        observation_id: Option<SpanId>,
    },
    /// A session.
    Session(String),
    /// A run of a dataset.
    DatasetRun(String),
}

/// A judgement. One with the same id replaces an earlier one.
#[derive(Clone, Debug, PartialEq)]
pub struct Score {
    /// Its id, unique within the project.
    pub id: String,
    /// What is judged.
    pub target: Target,
    /// By what name.
    pub name: String,
    /// The judgement.
    pub value: ScoreValue,
    /// Who judged.
    pub source: ScoreSource,
    /// When it was judged.
    pub time: Timestamp,
    /// Deployment environment.
    pub environment: String,
    /// Why, in words.
    pub comment: Option<String>,
    /// Metadata: a JSON object as text; empty without any.
    pub metadata: String,
    /// The configuration that it follows.
    pub config_id: Option<String>,
    /// The annotation queue that it was made in.
    pub queue_id: Option<String>,
    /// The person who judged.
    pub author_id: Option<String>,
    /// The trace of the evaluator that judged.
    pub execution_trace_id: Option<String>,
}

impl Score {
    /// The trace that is judged, as a whole or in one of its observations.
    pub fn trace_id(&self) -> Option<&TraceId> {
        match &self.target {
            Target::Trace { trace_id, .. } => Some(trace_id),
            Target::Session(_) | Target::DatasetRun(_) => None,
        }
    }

    /// The observation that is judged.
    pub fn observation_id(&self) -> Option<&SpanId> {
        match &self.target {
            Target::Trace { observation_id, .. } => observation_id.as_ref(),
            Target::Session(_) | Target::DatasetRun(_) => None,
        }
    }
}

/// A score as it was sent: it follows a configuration that has not been looked at yet.
#[derive(Clone, Debug, PartialEq)]
pub struct Sent {
    /// The score.
    pub score: Score,
    /// Whether its type was told; otherwise it is what the value looks like.
    pub typed: bool,
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn value_and_type_go_together() {
        let good = [
            (json!(0.5), None, ScoreValue::Numeric(0.5)),
            (json!(1), Some(DataType::Boolean), ScoreValue::Boolean(true)),
            (json!(false), None, ScoreValue::Boolean(false)),
            (
                json!("x"),
                Some(DataType::Text),
                ScoreValue::Text("x".into()),
            ),
        ];
        for (value, data_type, expected) in good {
            let read = ScoreValue::read(&value, data_type).unwrap();
            let (number, words) = (read.number(), read.words().unwrap_or_default().to_owned());
            assert_eq!(read, expected);
            assert_eq!(
                ScoreValue::from_parts(read.data_type(), number, words),
                expected
            );
        }
        let label = ScoreValue::read(&json!("good"), None).unwrap();
        assert_eq!(
            (label.data_type(), label.words()),
            (DataType::Categorical, Some("good"))
        );
        let bad = [
            (json!("a"), DataType::Numeric),
            (json!(2), DataType::Boolean),
            (json!(1), DataType::Categorical),
            (json!(""), DataType::Categorical),
            (json!("x".repeat(501)), DataType::Text),
            (json!(null), DataType::Numeric),
        ];
        for (value, data_type) in bad {
            assert!(
                ScoreValue::read(&value, Some(data_type)).is_err(),
                "{value}"
            );
        }
    }
}
