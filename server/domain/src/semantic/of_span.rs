//! What one span tells, by what its client reported, by the checks of its answer, by the intent that it names, and by
//! the tools that it called.

use super::{Detail, EventType, Finding, LEAST_REPORTED, Rule, shortened};
use crate::attr::triaxis as attr;
use crate::quality::record::names;
use crate::quality::{Source, Verdict};
use crate::span::Span;
use crate::value::Value;

/// Labels of intents that stand for whatever was not recognised, in lower case and without anything but letters and
/// digits: Dialogflow's, Rasa's, Lex's and what applications call theirs.
const FALLBACKS: [&str; 19] = [
    "fallback",
    "defaultfallback",
    "defaultfallbackintent",
    "fallbackintent",
    "intentfallback",
    "amazonfallbackintent",
    "nlufallback",
    "outofscope",
    "outofdomain",
    "oos",
    "unknown",
    "unknownintent",
    "unrecognized",
    "unrecognised",
    "nointent",
    "nomatch",
    "兜底意图",
    "未识别意图",
    "未知意图",
];
/// Longest label that is repeated in words, characters.
const MAX_LABEL: usize = 100;

/// The events of a span, by type. `round` is the turn of the conversation as its input tells it, `deviation` what is
/// wrong with its calls of tools.
pub fn events(span: &Span, round: Option<u32>, deviation: Option<Detail>) -> Vec<Finding> {
    let found = [
        (EventType::IntentRecognitionFailure, intent(span)),
        (EventType::ToolCallDeviation, deviation),
        (EventType::MultiTurnInconsistency, None),
        (EventType::Hallucination, None),
        (EventType::Refusal, refusal(span)),
        (EventType::FormatError, format_error(span)),
        (EventType::AgentLoop, None),
    ];
    let event = |(event_type, found): (EventType, Option<Detail>)| {
        let mut detail = reported(span, event_type).or(found)?;
        detail.trigger_round = count(span, attr::APP_ROUND).or(round);
        detail.confidence_drop = number(span, attr::APP_CONFIDENCE_DROP);
        detail.fallback_intent = detail
            .fallback_intent
            .or_else(|| label(span, attr::APP_FALLBACK_INTENT));
        Some(Finding { event_type, detail })
    };
    found.into_iter().filter_map(event).collect()
}

/// What the client reported under the name of a type.
fn reported(span: &Span, event_type: EventType) -> Option<Detail> {
    let name = event_type.as_str();
    let judged = span.quality.get(name)?;
    let said = match judged.value {
        Verdict::Bool(true) => "true".to_owned(),
        Verdict::Number(number) if number >= LEAST_REPORTED => number.to_string(),
        Verdict::Bool(false) | Verdict::Number(_) => return None,
    };
    let evidence = format!(
        "the client reported {}{name} = {said}",
        attr::QUALITY_PREFIX
    );
    Some(Detail::new(Rule::Reported, evidence))
}

fn refusal(span: &Span) -> Option<Detail> {
    let judged = flagged(span, names::REFUSED, true)?;
    Some(match judged {
        Source::Client => by_client(names::REFUSED, true),
        _ => Detail::new(Rule::RefusalCheck, "the answer reads as a refusal"),
    })
}

fn format_error(span: &Span) -> Option<Detail> {
    if let Some(source) = flagged(span, names::FORMAT_VALID, false) {
        let is_cut = flagged(span, names::TRUNCATED_JSON, true).is_some();
        return Some(match source {
            Source::Client => by_client(names::FORMAT_VALID, false),
            _ if is_cut => Detail::new(
                Rule::TruncatedJson,
                "the answer is JSON that ends before it is complete",
            ),
            _ => Detail::new(
                Rule::FormatCheck,
                "the answer does not have the format that was asked for",
            ),
        });
    }
    // What a client calls valid stays valid.
    if span.quality.get(names::FORMAT_VALID).is_some() {
        return None;
    }
    flagged(span, names::TRUNCATED_JSON, true)?;
    let evidence = "the answer is JSON that ends before it is complete";
    Some(Detail::new(Rule::TruncatedJson, evidence))
}

/// Who judged, where the judgement of that name is that flag.
fn flagged(span: &Span, name: &str, flag: bool) -> Option<Source> {
    let judged = span.quality.get(name)?;
    (judged.value == Verdict::Bool(flag)).then_some(judged.source)
}

fn by_client(name: &str, flag: bool) -> Detail {
    let evidence = format!(
        "the client reported {}{name} = {flag}",
        attr::QUALITY_PREFIX
    );
    Detail::new(Rule::Reported, evidence)
}

/// An intent that is the fallback, or a fallback that the application says to have taken.
fn intent(span: &Span) -> Option<Detail> {
    for key in [attr::PROMPT_INTENT, attr::APP_INTENT] {
        if let Some(intent) = label(span, key).filter(|intent| is_fallback(intent)) {
            let evidence = format!("{key} is \"{intent}\", which stands for no intent recognised");
            let detail = Detail::new(Rule::FallbackIntent, evidence);
            return Some(Detail {
                fallback_intent: Some(intent),
                ..detail
            });
        }
    }
    let taken = label(span, attr::APP_FALLBACK_INTENT)?;
    let evidence = format!("{} is \"{taken}\"", attr::APP_FALLBACK_INTENT);
    Some(Detail::new(Rule::FallbackIntent, evidence))
}

fn is_fallback(label: &str) -> bool {
    let letters: String = label
        .chars()
        .filter(|char| char.is_alphanumeric())
        .flat_map(char::to_lowercase)
        .collect();
    FALLBACKS.contains(&letters.as_str())
}

fn label(span: &Span, key: &str) -> Option<String> {
    let text = span.text_attribute(key)?.trim();
    let is_said = !text.is_empty() && !matches!(text, "null" | "None");
    is_said.then(|| shortened(text, MAX_LABEL))
}

fn number(span: &Span, key: &str) -> Option<f64> {
    let mut attributes = span.attributes.iter();
    let (_, value) = attributes.find(|(name, _)| **name == *key)?;
    let number = match value {
        Value::Double(number) => *number,
        other => other.to_text().trim().parse().ok()?,
    };
    number.is_finite().then_some(number)
}

fn count(span: &Span, key: &str) -> Option<u32> {
    let number = number(span, key)?;
    let is_count = number >= 1.0 && number <= f64::from(u32::MAX) && number.fract() == 0.0;
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "it is only taken where it is a whole number within the range"
    )]
    let count = number as u32;
    is_count.then_some(count)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ids::{SpanId, TraceId};
    use crate::quality::{Checks, Quality};
    use crate::time::Timestamp;

    fn span(attributes: &[(&str, Value)]) -> Span {
        let trace = TraceId::from_text("t").unwrap();
        let mut span = Span::bare(trace, SpanId::from_text("s").unwrap(), Timestamp::EPOCH);
        span.attributes = attributes
            .iter()
            .map(|(key, value)| ((*key).into(), value.clone()))
            .collect();
        span.quality = Quality::from_checks(&Checks::default(), &span.attributes);
        span
    }

    fn found(span: &Span) -> Vec<(EventType, Rule)> {
        let events = events(span, None, None);
        events
            .iter()
            .map(|event| (event.event_type, event.detail.rule))
            .collect()
    }

    #[test]
    fn what_a_client_reports_counts_from_one_half_on() {
        let likely = span(&[("llm.quality.hallucination", Value::Double(0.8))]);
        assert_eq!(found(&likely), [(EventType::Hallucination, Rule::Reported)]);
        let evidence = &events(&likely, None, None)[0].detail.evidence;
        assert_eq!(
            evidence,
            "the client reported llm.quality.hallucination = 0.8"
        );
        assert!(found(&span(&[("llm.quality.hallucination", Value::Double(0.2))])).is_empty());
        let flag = |flag| span(&[("llm.quality.multi_turn_inconsistency", Value::Bool(flag))]);
        assert_eq!(
            found(&flag(true)),
            [(EventType::MultiTurnInconsistency, Rule::Reported)]
        );
        assert!(found(&flag(false)).is_empty());
    }

    #[test]
    fn checks_and_clients_tell_refusals_and_formats() {
        let mut checked = span(&[]);
        let checks = Checks {
            refused: Some(true),
            format_valid: Some(false),
            truncated_json: Some(true),
            ..Checks::default()
        };
        checked.quality = Quality::from_checks(&checks, &checked.attributes);
        let both = [
            (EventType::Refusal, Rule::RefusalCheck),
            (EventType::FormatError, Rule::TruncatedJson),
        ];
        assert_eq!(found(&checked), both);
        let denied = [("llm.quality.format_valid".into(), Value::Bool(true))];
        checked.quality = Quality::from_checks(&checks, &denied.into());
        assert_eq!(found(&checked), both[..1]);
    }

    #[test]
    fn an_intent_that_stands_for_none_is_a_failure() {
        for label in [
            "fallback",
            "Default Fallback Intent",
            "AMAZON.FallbackIntent",
            "未知意图",
        ] {
            let failed = span(&[
                ("prompt.intent", label.into()),
                ("llm.app.round", Value::Int(4)),
                ("llm.app.confidence_drop", "0.35".into()),
            ]);
            let event = &events(&failed, Some(2), None)[0];
            assert_eq!(event.event_type, EventType::IntentRecognitionFailure);
            assert_eq!(event.detail.fallback_intent.as_deref(), Some(label));
            assert_eq!(event.detail.trigger_round, Some(4));
            assert_eq!(event.detail.confidence_drop, Some(0.35));
        }
        for label in ["refund", "None", "", "none"] {
            assert!(found(&span(&[("prompt.intent", label.into())])).is_empty());
        }
        let taken = span(&[("llm.app.fallback_intent", "small_talk".into())]);
        let event = &events(&taken, Some(2), None)[0];
        assert_eq!(event.detail.fallback_intent.as_deref(), Some("small_talk"));
        assert_eq!(event.detail.trigger_round, Some(2));
    }

    #[test]
    fn rounds_that_are_no_counts_are_unknown() {
        for round in ["-1", "NaN", "2.5", "many", "1e300"] {
            let odd = span(&[
                ("llm.quality.refusal", Value::Bool(true)),
                ("llm.app.round", round.into()),
            ]);
            assert_eq!(events(&odd, None, None)[0].detail.trigger_round, None);
        }
    }
}
