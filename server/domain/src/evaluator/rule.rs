use regex::{Regex, RegexBuilder};
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

use super::{JsonPath, Material, wrong};
use crate::fault::Fault;
use crate::span::named_enum;

/// Longest pattern, text or path, in bytes.
const MAX_VALUE_BYTES: usize = 2_000;
/// Most memory of a compiled pattern, in bytes.
const MAX_PATTERN_MEMORY: usize = 1 << 20;

named_enum!(
    /// What a rule asks.
    RuleKind, default IsJson {
        /// Whether a pattern is found.
        Matches = "matches",
        /// Whether it is not.
        DoesNotMatch = "does_not_match",
        /// Whether a text is found, whatever the case of letters.
        Contains = "contains",
        /// Whether it is not.
        DoesNotContain = "does_not_contain",
        /// Whether the whole is JSON.
        IsJson = "is_json",
        /// Whether the JSON has something at a path.
        HasJsonPath = "has_json_path",
        /// Whether its length in characters is within bounds.
        Length = "length",
        /// Whether the tokens of the answer are.
        OutputTokens = "output_tokens",
        /// Whether the latency in milliseconds is.
        Latency = "latency_ms",
        /// Whether the cost in US dollars is.
        Cost = "cost_usd",
    }
);

named_enum!(
    /// What is looked at.
    On, default Output {
        /// What came out.
        Output = "output",
        /// What went in.
        Input = "input",
    }
);

/// A check that needs no model.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Rule {
    /// What it asks.
    pub kind: RuleKind,
    /// What is looked at, where it is a text.
    #[serde(default)]
    pub on: On,
    /// The pattern, the text or the path.
    #[serde(default)]
    pub value: String,
    /// The least that passes.
    #[serde(default)]
    pub min: Option<f64>,
    /// The most that passes.
    #[serde(default)]
    pub max: Option<f64>,
}

/// A rule, ready to be asked many times.
#[derive(Debug)]
pub struct Compiled {
    rule: Rule,
    asked: Asked,
}

#[derive(Debug)]
enum Asked {
    Pattern(Regex, bool),
    Text(String, bool),
    IsJson,
    Path(JsonPath),
    Bounds,
}

impl RuleKind {
    /// Whether it takes a pattern, a text or a path.
    pub fn takes_value(self) -> bool {
        !matches!(
            self,
            RuleKind::IsJson
                | RuleKind::Length
                | RuleKind::OutputTokens
                | RuleKind::Latency
                | RuleKind::Cost
        )
    }

    /// Whether it takes bounds.
    pub fn takes_bounds(self) -> bool {
        !self.takes_value() && self != RuleKind::IsJson
    }
}

impl Rule {
    pub(super) fn check(&mut self) -> Result<(), Fault> {
        if !self.kind.takes_value() && !self.value.trim().is_empty() {
            return Err(wrong("rule.value", "is not used by this check"));
        }
        let bounds = [self.min, self.max];
        if !self.kind.takes_bounds() && bounds.iter().any(Option::is_some) {
            return Err(wrong("rule.min", "bounds are not used by this check"));
        }
        if self.kind.takes_bounds() {
            let is_good = |bound: &f64| bound.is_finite() && *bound >= 0.0;
            if bounds.iter().all(Option::is_none) {
                return Err(wrong("rule.max", "give the least, the most, or both"));
            }
            if !bounds.iter().flatten().all(is_good) {
                return Err(wrong("rule.min", "must be a number from 0 on"));
            }
            if let [Some(min), Some(max)] = bounds
                && max < min
            {
                return Err(wrong("rule.max", "must not be less than the least"));
            }
        }
        if self.kind.takes_value() && self.value.trim().is_empty() {
            return Err(wrong("rule.value", "must not be empty"));
        }
        if self.value.len() > MAX_VALUE_BYTES || self.value.contains('\0') {
            return Err(wrong(
                "rule.value",
                "must have at most 2000 bytes and no NUL",
            ));
        }
        self.compiled().map(|_| ())
    }

    /// Ready to be asked. Patterns take time in proportion to the text, whatever they are.
    ///
    /// # Errors
    /// `invalid` on the field `rule.value`.
    pub fn compiled(&self) -> Result<Compiled, Fault> {
        let pattern = || {
            let mut builder = RegexBuilder::new(&self.value);
            let built = builder.size_limit(MAX_PATTERN_MEMORY).build();
            built.map_err(|error| {
                let words = error.to_string();
                let last = words.lines().last().unwrap_or_default();
                wrong("rule.value", &format!("is no pattern: {last}"))
            })
        };
        let text = || self.value.to_lowercase();
        let asked = match self.kind {
            RuleKind::Matches => Asked::Pattern(pattern()?, true),
            RuleKind::DoesNotMatch => Asked::Pattern(pattern()?, false),
            RuleKind::Contains => Asked::Text(text(), true),
            RuleKind::DoesNotContain => Asked::Text(text(), false),
            RuleKind::IsJson => Asked::IsJson,
            RuleKind::HasJsonPath => {
                let path = JsonPath::parse(&self.value);
                Asked::Path(path.map_err(|why| wrong("rule.value", why))?)
            }
            RuleKind::Length | RuleKind::OutputTokens | RuleKind::Latency | RuleKind::Cost => {
                Asked::Bounds
            }
        };
        Ok(Compiled {
            rule: self.clone(),
            asked,
        })
    }
}

impl Compiled {
    /// Whether a span passes, and why.
    ///
    /// # Errors
    /// What it lacks, so that nothing can be said of it.
    pub fn ask(&self, material: &Material) -> Result<(bool, String), String> {
        if matches!(self.asked, Asked::Bounds) {
            return self.ask_bounds(material);
        }
        let side = self.rule.on.as_str();
        let text = self.text(material)?;
        let found = |is_found: bool, what: &str| match is_found {
            true => format!("the {side} has {what}"),
            false => format!("the {side} does not have {what}"),
        };
        let document = || serde_json::from_str::<Json>(text.trim());
        Ok(match &self.asked {
            Asked::Pattern(pattern, is_wanted) => {
                let is_found = pattern.is_match(text);
                (
                    is_found == *is_wanted,
                    found(is_found, "what matches the pattern"),
                )
            }
            Asked::Text(wanted, is_wanted) => {
                let is_found = text.to_lowercase().contains(wanted);
                (is_found == *is_wanted, found(is_found, "the text"))
            }
            Asked::IsJson => match document() {
                Ok(_) => (true, format!("the {side} is JSON")),
                Err(error) => (false, format!("the {side} is no JSON: {error}")),
            },
            Asked::Path(path) => match document() {
                Ok(json) => {
                    let is_found = path.is_in(&json);
                    (is_found, found(is_found, &self.rule.value))
                }
                Err(error) => (false, format!("the {side} is no JSON: {error}")),
            },
            Asked::Bounds => return self.ask_bounds(material),
        })
    }

    fn text<'m>(&self, material: &'m Material) -> Result<&'m str, String> {
        let text = match self.rule.on {
            On::Output => material.output.as_deref(),
            On::Input => material.input.as_deref(),
        };
        text.ok_or_else(|| format!("the span has no {}", self.rule.on.as_str()))
    }

    #[expect(
        clippy::cast_precision_loss,
        reason = "lengths and tokens are far below 2^53"
    )]
    fn ask_bounds(&self, material: &Material) -> Result<(bool, String), String> {
        let (number, unit) = match self.rule.kind {
            RuleKind::OutputTokens => (
                material.output_tokens.map(|tokens| tokens as f64),
                "output tokens",
            ),
            RuleKind::Latency => (material.latency_ms, "ms"),
            RuleKind::Cost => (material.cost, "US dollars"),
            _ => {
                let length = self.text(material)?.chars().count();
                (Some(length as f64), "characters")
            }
        };
        let number = number.ok_or_else(|| format!("the span has no {unit}"))?;
        let (min, max) = (self.rule.min, self.rule.max);
        let passes =
            min.is_none_or(|least| number >= least) && max.is_none_or(|most| number <= most);
        let bounds = match (min, max) {
            (Some(min), Some(max)) => format!("{min} to {max}"),
            (Some(min), None) => format!("at least {min}"),
            (None, Some(max)) => format!("at most {max}"),
            (None, None) => "any number".to_owned(),
        };
        Ok((passes, format!("{number} {unit}, wanted are {bounds}")))
    }
}
