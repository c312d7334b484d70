//! What a project expects of the answers of some calls, whatever their requests say.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::phrases::Phrases;
use super::refusal::{self, RefusalPhrases};
use super::{Answer, Checks, Expectation, Format, LengthRange, Rules, Schema, SchemaError, check};
use crate::ids::QualityRuleId;
use crate::pattern::{NamePattern, matches_if_asked};
use crate::span::{Span, named_enum};
use crate::time::Timestamp;

named_enum!(
    /// The form that a rule asks for.
    RuleFormat, default Json {
        /// Any text: whatever the request said, there is nothing to be wrong about.
        Text = "text",
        /// Any JSON value.
        Json = "json",
        /// A JSON value that the rule's schema accepts.
        JsonSchema = "json_schema",
    }
);

/// What somebody sets as a rule. It is for generations that meet all its patterns.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct QualityRuleDraft {
    /// What it is called.
    pub name: String,
    /// Names of spans; `None`: any. `*` stands for any run of characters, here and below.
    pub span_name: Option<String>,
    /// Models that answered, else were asked for; `None`: any.
    pub model: Option<String>,
    /// Names of managed prompts; `None`: any, and none.
    pub prompt: Option<String>,
    /// The form that answers should have; `None`: as the request says.
    pub format: Option<RuleFormat>,
    /// The schema, where the form is [`RuleFormat::JsonSchema`].
    pub schema: Option<String>,
    /// Fewest characters.
    pub min_characters: Option<u64>,
    /// Most characters.
    pub max_characters: Option<u64>,
    /// Fewest output tokens.
    pub min_tokens: Option<u64>,
    /// Most output tokens.
    pub max_tokens: Option<u64>,
    /// Phrases by which these models refuse, beside the built-in ones.
    pub refusal_phrases: Vec<String>,
    /// Control tokens of these models, beside the built-in ones.
    pub instruction_tokens: Vec<String>,
}

/// A rule that a project has set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QualityRule {
    /// Its id.
    pub id: QualityRuleId,
    /// What was set.
    pub draft: QualityRuleDraft,
    /// When it was made.
    pub created_at: Timestamp,
}

/// The rules of a project, ready to judge by; none by default.
#[derive(Clone, Debug, Default)]
pub struct ProjectRules(Box<[ReadyRule]>);

#[derive(Clone, Debug)]
struct ReadyRule {
    span_name: Option<NamePattern>,
    model: Option<NamePattern>,
    prompt: Option<NamePattern>,
    format: Option<Format>,
    characters: Option<LengthRange>,
    tokens: Option<LengthRange>,
    refusals: Option<RefusalPhrases>,
    instruction_tokens: Option<Phrases>,
}

/// The rules that are for one span.
#[derive(Clone, Debug, Default)]
pub struct Applying<'r>(Vec<&'r ReadyRule>);

impl QualityRuleDraft {
    /// The schema, compiled; `None` when the rule asks for none.
    ///
    /// # Errors
    /// When it cannot be used.
    pub fn compiled_schema(&self) -> Result<Option<Schema>, SchemaError> {
        let asked = self.format == Some(RuleFormat::JsonSchema);
        let schema = self.schema.as_deref().filter(|_| asked);
        schema.map(Schema::compile).transpose()
    }

    fn ready(&self) -> ReadyRule {
        let pattern = |text: &Option<String>| text.as_deref().map(NamePattern::new);
        let range = |min: Option<u64>, max: Option<u64>| {
            (min.is_some() || max.is_some()).then_some(LengthRange { min, max })
        };
        let phrases = &self.refusal_phrases;
        let tokens = &self.instruction_tokens;
        ReadyRule {
            span_name: pattern(&self.span_name),
            model: pattern(&self.model),
            prompt: pattern(&self.prompt),
            format: self.format.map(|format| match format {
                RuleFormat::Text => Format::Text,
                RuleFormat::Json => Format::Json,
                // It was checked when it was set; one that cannot be used asks for JSON.
                RuleFormat::JsonSchema => match self.compiled_schema() {
                    Ok(Some(schema)) => Format::JsonSchema(Arc::new(schema)),
                    Ok(None) | Err(_) => Format::Json,
                },
            }),
            characters: range(self.min_characters, self.max_characters),
            tokens: range(self.min_tokens, self.max_tokens),
            refusals: (!phrases.is_empty())
                .then(|| RefusalPhrases::new(phrases.iter().map(String::as_str))),
            instruction_tokens: (!tokens.is_empty()).then(|| Phrases::longest(tokens)),
        }
    }
}

impl ReadyRule {
    fn is_for(&self, span: &Span) -> bool {
        let prompt = span.prompt.as_ref().map(|prompt| prompt.name.as_str());
        matches_if_asked(self.span_name.as_ref(), Some(&span.name))
            && matches_if_asked(self.model.as_ref(), span.model())
            && matches_if_asked(self.prompt.as_ref(), prompt)
    }
}

impl ProjectRules {
    /// Of the rules in the order in which they are asked.
    pub fn new(rules: &[QualityRule]) -> Self {
        ProjectRules(rules.iter().map(|rule| rule.draft.ready()).collect())
    }

    /// The rules that are for a span.
    pub fn for_span(&self, span: &Span) -> Applying<'_> {
        Applying(self.0.iter().filter(|rule| rule.is_for(span)).collect())
    }
}

impl Applying<'_> {
    /// What is expected, with what the request asked for where no rule says otherwise: of several
    /// rules the first that says something of the form, and of each length, holds.
    pub fn expectation(&self, requested: impl FnOnce() -> Option<Format>) -> Expectation {
        let mut rules = self.0.iter();
        Expectation {
            format: rules
                .find_map(|rule| rule.format.clone())
                .or_else(requested),
            characters: self.0.iter().find_map(|rule| rule.characters),
            tokens: self.0.iter().find_map(|rule| rule.tokens),
            ..Expectation::default()
        }
    }

    /// Holds an answer against what is expected of it. Phrases and tokens of all rules count, beside
    /// those of `base`.
    pub fn check(&self, answer: &Answer<'_>, expectation: &Expectation, base: &Rules) -> Checks {
        let mut checks = check(answer, expectation, base);
        let Some(text) = answer.words() else {
            return checks;
        };
        for rule in &self.0 {
            if let (Some(false), Some(added)) = (checks.refused, &rule.refusals) {
                checks.refused = refusal::refused(Some(text), &[], added);
            }
            if let Some(tokens) = &rule.instruction_tokens {
                let found = checks.repeated_instruction_tokens.unwrap_or_default();
                checks.repeated_instruction_tokens = Some(found + repeated(tokens, text));
            }
        }
        checks
    }
}

/// How often tokens stand in a text, of those that stand there twice or more.
fn repeated(tokens: &Phrases, text: &str) -> u64 {
    let mut counts = std::collections::BTreeMap::<_, u64>::new();
    for found in tokens.find(text) {
        *counts.entry(found.pattern()).or_default() += 1;
    }
    counts.into_values().filter(|&count| count > 1).sum()
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;
    use crate::ids::{SpanId, TraceId};

    fn rules(drafts: impl IntoIterator<Item = QualityRuleDraft>) -> ProjectRules {
        let rule = |draft| QualityRule {
            id: QualityRuleId(Uuid::nil()),
            draft,
            created_at: Timestamp::EPOCH,
        };
        let all: Vec<QualityRule> = drafts.into_iter().map(rule).collect();
        ProjectRules::new(&all)
    }

    fn span(name: &str, model: Option<&str>) -> Span {
        let trace = TraceId::from_text("t").unwrap();
        let mut span = Span::bare(trace, SpanId::from_text("s").unwrap(), Timestamp::EPOCH);
        name.clone_into(&mut span.name);
        span.response_model = model.map(str::to_owned);
        span
    }

    fn judge(rules: &ProjectRules, span: &Span, text: &str) -> Checks {
        let applying = rules.for_span(span);
        let answer = Answer {
            text: Some(text),
            ..Answer::default()
        };
        let expectation = applying.expectation(|| None);
        applying.check(&answer, &expectation, &Rules::default())
    }

    #[test]
    fn a_rule_is_for_the_spans_that_meet_all_its_patterns() {
        let json = rules([QualityRuleDraft {
            span_name: Some("extract*".to_owned()),
            model: Some("qwen/*".to_owned()),
            format: Some(RuleFormat::Json),
            ..QualityRuleDraft::default()
        }]);
        let valid = |name, model| judge(&json, &span(name, model), "no JSON").format_valid;
        assert_eq!(valid("extract-dates", Some("Qwen/Qwen3")), Some(false));
        assert_eq!(valid("extract-dates", Some("gpt-5")), None);
        assert_eq!(valid("extract-dates", None), None);
        assert_eq!(valid("chat", Some("Qwen/Qwen3")), None);
    }

    #[test]
    fn a_schema_and_a_length_are_held_against_the_answer() {
        let draft = QualityRuleDraft {
            format: Some(RuleFormat::JsonSchema),
            schema: Some(r#"{"type":"object","required":["b"]}"#.to_owned()),
            max_characters: Some(9),
            ..QualityRuleDraft::default()
        };
        let rules = rules([draft]);
        let good = judge(&rules, &span("s", None), r#"{"b":1}"#);
        assert_eq!(
            (good.format_valid, good.length_in_range),
            (Some(true), Some(true))
        );
        let wrong = judge(&rules, &span("s", None), r#"{"a":1,"c":2}"#);
        assert_eq!(
            (wrong.format_valid, wrong.length_in_range),
            (Some(false), Some(false))
        );
    }

    #[test]
    fn the_first_rule_that_says_something_holds_and_comes_before_the_request() {
        let format = |format| QualityRuleDraft {
            format: Some(format),
            ..QualityRuleDraft::default()
        };
        let length = QualityRuleDraft {
            min_tokens: Some(1),
            ..QualityRuleDraft::default()
        };
        let both = rules([length, format(RuleFormat::Text), format(RuleFormat::Json)]);
        let span = span("s", None);
        let expectation = both.for_span(&span).expectation(|| Some(Format::Json));
        assert!(matches!(expectation.format, Some(Format::Text)));
        assert_eq!(expectation.tokens.and_then(|range| range.min), Some(1));
        let none = ProjectRules::default();
        let expectation = none.for_span(&span).expectation(|| Some(Format::Json));
        assert!(matches!(expectation.format, Some(Format::Json)));
    }

    #[test]
    fn phrases_and_tokens_of_all_rules_count() {
        let words = |phrase: &str, token: &str| QualityRuleDraft {
            refusal_phrases: vec![phrase.to_owned()],
            instruction_tokens: vec![token.to_owned()],
            ..QualityRuleDraft::default()
        };
        let rules = rules([
            words("that is above my pay grade", "<|a|>"),
            words("nope", "<|b|>"),
        ]);
        let judged = |text| {
            let checks = judge(&rules, &span("s", None), text);
            (checks.refused, checks.repeated_instruction_tokens)
        };
        assert_eq!(judged("Nope. <|b|> <|b|> <|a|>"), (Some(true), Some(2)));
        assert_eq!(judged("That is above my pay grade."), (Some(true), Some(0)));
        assert_eq!(judged("Here you are."), (Some(false), Some(0)));
    }
}
