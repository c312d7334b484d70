//! Evaluators: what scores root spans and generations by itself, with a model that judges or with a rule.

/// What came of spans, and of evaluators as a whole.
mod evaluation;
/// A place in a JSON document.
mod json_path;
/// Models that judge: what they are asked, what they answer.
mod judge;
/// What an evaluator sees of a span.
mod material;
/// Checks that need no model.
mod rule;

use std::fmt::Write as _;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::fault::Fault;
use crate::filter::{Column, Condition, Filter, Operator};
use crate::ids::{EvaluatorId, SpanId, TraceId};
use crate::money::Usd;
use crate::score::{DataType, ScoreValue};
use crate::search;
use crate::span::named_enum;
use crate::time::Timestamp;

pub use evaluation::{Evaluation, EvaluationState, Figures, Sums};
pub use json_path::JsonPath;
pub use judge::{Judge, VARIABLES};
pub use material::{MAX_CHARS, Material};
pub use rule::{Compiled, On, Rule, RuleKind};

/// Longest name of an evaluator or a score, in characters.
const MAX_NAME_CHARS: usize = 100;
/// Most labels of a score.
const MAX_LABELS: usize = 20;
/// Longest label, in characters.
const MAX_LABEL_CHARS: usize = 100;

named_enum!(
    /// Which spans an evaluator looks at.
    LooksAt, default RootSpans {
        /// Root spans; the score is of the trace.
        RootSpans = "root_spans",
        /// Calls of models; the score is of the span.
        Generations = "generations",
    }
);

/// How it comes to a score.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Method {
    /// A model judges.
    Judge(Judge),
    /// A check that needs no model.
    Rule(Rule),
}

impl Method {
    /// Its name: `judge` or `rule`.
    pub fn name(&self) -> &'static str {
        match self {
            Method::Judge(_) => "judge",
            Method::Rule(_) => "rule",
        }
    }
}

/// What scores it writes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Scale {
    /// The name of the score.
    pub name: String,
    /// Numeric, boolean or categorical.
    pub data_type: DataType,
    /// Labels, of a categorical one.
    #[serde(default)]
    pub labels: Vec<String>,
    /// Least number, of a numeric one.
    #[serde(default)]
    pub min: Option<f64>,
    /// Greatest number, likewise.
    #[serde(default)]
    pub max: Option<f64>,
}

/// What is set of an evaluator.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct EvaluatorDraft {
    /// Name that the project gives it.
    pub name: String,
    /// How it comes to a score.
    pub method: Method,
    /// Which spans it looks at.
    pub looks_at: LooksAt,
    /// What these must match, as a search field takes it; empty: all.
    pub filter: String,
    /// The share of them that is scored, above 0 and up to 1.
    pub sample_rate: f64,
    /// What scores it writes.
    pub score: Scale,
    /// What its calls may cost in a day; `None`: whatever they cost.
    pub max_cost_per_day: Option<Usd>,
    /// Whether it is at work.
    pub is_enabled: bool,
}

/// An evaluator of a project.
#[derive(Clone, Debug, PartialEq)]
pub struct Evaluator {
    /// Its id.
    pub id: EvaluatorId,
    /// What is set.
    pub draft: EvaluatorDraft,
    /// When it was made.
    pub created_at: Timestamp,
    /// When it was last changed.
    pub updated_at: Timestamp,
}

impl EvaluatorDraft {
    /// Checks what was set; gives it without blanks around names.
    ///
    /// # Errors
    /// `invalid` on a field.
    pub fn checked(mut self) -> Result<Self, Fault> {
        self.name = named("name", &self.name)?;
        self.score.name = named("score.name", &self.score.name)?;
        self.filter = self.filter.trim().to_owned();
        self.parsed_filter()?;
        if !(self.sample_rate > 0.0 && self.sample_rate <= 1.0) {
            return Err(wrong("sample_rate", "must be above 0 and at most 1"));
        }
        if let Some(most) = &self.max_cost_per_day
            && (!most.is_plausible() || *most <= Usd::default())
        {
            return Err(wrong("max_cost_per_day", "must be above 0"));
        }
        self.score.check()?;
        match &mut self.method {
            Method::Judge(judge) => judge.check()?,
            Method::Rule(rule) => {
                rule.check()?;
                if self.score.data_type != DataType::Boolean {
                    return Err(wrong("score.data_type", "a rule says yes or no: BOOLEAN"));
                }
                if self.max_cost_per_day.is_some() {
                    return Err(wrong("max_cost_per_day", "a rule costs nothing"));
                }
            }
        }
        Ok(self)
    }

    fn parsed_filter(&self) -> Result<Option<search::Search>, Fault> {
        if self.filter.contains('\0') {
            return Err(wrong("filter", "must not hold NUL"));
        }
        match search::parse(&self.filter) {
            Ok(parsed) => Ok(parsed.search),
            Err(error) => Err(wrong("filter", &error.to_string())),
        }
    }

    /// The spans that it looks at, of any time.
    ///
    /// # Errors
    /// `invalid` on the field `filter`.
    pub fn spans(&self) -> Result<Filter, Fault> {
        let (column, value) = match self.looks_at {
            LooksAt::RootSpans => (Column::ParentId, ""),
            LooksAt::Generations => (Column::Kind, "generation"),
        };
        Ok(Filter {
            search: self.parsed_filter()?,
            conditions: vec![Condition {
                column,
                operator: Operator::AnyOf,
                values: vec![value.to_owned()],
            }],
            ..Filter::default()
        })
    }
}

impl Scale {
    fn check(&mut self) -> Result<(), Fault> {
        let is_categorical = self.data_type == DataType::Categorical;
        let is_numeric = self.data_type == DataType::Numeric;
        if !is_categorical && !is_numeric && self.data_type != DataType::Boolean {
            let message = "give NUMERIC, BOOLEAN or CATEGORICAL";
            return Err(wrong("score.data_type", message));
        }
        for label in &mut self.labels {
            *label = label.trim().to_owned();
        }
        self.labels.retain(|label| !label.is_empty());
        let fits = |label: &String| label.chars().count() <= MAX_LABEL_CHARS && !is_odd(label);
        let mut distinct = self.labels.clone();
        distinct.sort_unstable();
        distinct.dedup();
        let is_good = (2..=MAX_LABELS).contains(&distinct.len())
            && distinct.len() == self.labels.len()
            && self.labels.iter().all(fits);
        if is_categorical && !is_good {
            let message = "give 2 to 20 different labels of at most 100 characters";
            return Err(wrong("score.labels", message));
        }
        if !is_categorical && !self.labels.is_empty() {
            return Err(wrong("score.labels", "are for categorical scores"));
        }
        let bounds = [self.min, self.max];
        if !is_numeric && bounds.iter().any(Option::is_some) {
            return Err(wrong("score.min", "bounds are for numeric scores"));
        }
        if !bounds.iter().flatten().all(|bound| bound.is_finite()) {
            return Err(wrong("score.min", "must be a number"));
        }
        if let [Some(min), Some(max)] = bounds
            && min >= max
        {
            return Err(wrong("score.max", "must be greater than the least"));
        }
        Ok(())
    }

    /// Whether a value is one of this scale.
    pub fn allows(&self, value: &ScoreValue) -> bool {
        match value {
            ScoreValue::Numeric(number) => {
                self.min.is_none_or(|min| *number >= min)
                    && self.max.is_none_or(|max| *number <= max)
            }
            ScoreValue::Categorical { label, .. } => self.labels.contains(label),
            ScoreValue::Boolean(_) => true,
            ScoreValue::Text(_) | ScoreValue::Correction(_) => false,
        }
    }
}

/// Whether a trace is in the sample of an evaluator: the same whenever, and wherever, it is asked.
pub fn is_sampled(evaluator: EvaluatorId, trace: &TraceId, rate: f64) -> bool {
    crate::fill::is_within_share(&format!("{evaluator} {trace}"), rate)
}

/// The id of the score that an evaluator gives a span: whoever scores it again replaces it.
pub fn score_id(evaluator: EvaluatorId, trace: &TraceId, span: &SpanId) -> String {
    let mut hash = Sha256::new();
    for part in [trace.as_str(), span.as_str()] {
        hash.update(part.as_bytes());
        hash.update([0]);
    }
    let mut id = score_prefix(evaluator);
    for byte in hash.finalize().iter().take(16) {
        // Writing to a text does not fail.
        let _written = write!(id, "{byte:02x}");
    }
    id
}

/// What the ids of an evaluator's scores begin with.
pub fn score_prefix(evaluator: EvaluatorId) -> String {
    format!("evaluator-{evaluator}-")
}

fn named(field: &str, text: &str) -> Result<String, Fault> {
    let text = text.trim();
    if text.is_empty() {
        return Err(wrong(field, "must not be empty"));
    }
    if text.chars().count() > MAX_NAME_CHARS || is_odd(text) {
        let message = "must have at most 100 characters, none of them a control character";
        return Err(wrong(field, message));
    }
    Ok(text.to_owned())
}

fn is_odd(text: &str) -> bool {
    text.chars().any(char::is_control)
}

fn wrong(field: &str, why: &str) -> Fault {
    Fault::invalid(why).on_field(field)
}

#[cfg(test)]
mod tests;
