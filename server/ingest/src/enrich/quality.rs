//! Hard checks of an answer, and the context that it was made in.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use domain::Span;

use super::schemas;
use super::words::Heard;
use domain::quality::{
    Answer, Expected, Format, InputDigest, PromptFormats, Quality, Requested, Rules, system_hash,
};
use domain::span::{PromptRef, SpanKind};

/// Parameters by which a format is asked for, in the order in which they are looked at.
const FORMATS: [&str; 3] = ["response_format", "output_type", "text"];
/// Made once: the phrases of refusals are compiled into an automaton.
static RULES: LazyLock<Rules> = LazyLock::new(Rules::default);

/// Judges the answer of a generation; what the client reported stands, whatever the kind.
pub(super) fn judge(span: &mut Span, heard: &Heard, expected: &Expected) {
    if span.kind != SpanKind::Generation {
        span.quality = Quality::from_checks(&domain::quality::Checks::default(), &span.attributes);
        return;
    }
    let text = heard.output.as_ref().map(|words| words.answer.as_str());
    let answer = Answer {
        // Content that was withheld and an answer without words look alike: neither is judged.
        text: text.filter(|text| !text.is_empty()),
        output_tokens: span.usage.as_ref().and_then(|usage| usage.output_tokens),
        finish_reasons: &span.finish_reasons,
    };
    let applying = expected.rules.for_span(span);
    let expectation = applying.expectation(|| asked_for(span, &expected.prompts));
    let checks = applying.check(&answer, &expectation, &RULES);
    span.quality = Quality::from_checks(&checks, &span.attributes);
    if let Some(input) = &span.input {
        let system = heard.input.as_ref().map_or("", |words| &words.system);
        span.context.system_hash = (!system.is_empty()).then(|| system_hash(system));
        span.context.input_digest = InputDigest::of(&input.text);
    }
}

/// The prompts whose configurations say what is expected of some answers: of those generations whose
/// requests say nothing.
pub(crate) fn prompts_of(spans: &[Span]) -> BTreeSet<PromptRef> {
    let silent = |span: &&Span| span.kind == SpanKind::Generation && in_request(span).is_none();
    let prompts = spans
        .iter()
        .filter(silent)
        .filter_map(|span| span.prompt.clone());
    prompts.collect()
}

fn in_request(span: &Span) -> Option<&str> {
    let mut formats = FORMATS.iter().filter_map(|name| span.parameters.get(*name));
    formats.next().map(String::as_str)
}

/// The format that the request asked for, else its prompt; a schema that cannot be used asks for JSON.
fn asked_for(span: &Span, prompts: &PromptFormats) -> Option<Format> {
    let asked = match in_request(span) {
        Some(asked) => Requested::from_response_format(asked),
        None => prompts.of(span.prompt.as_ref()?).cloned(),
    };
    match asked? {
        Requested::Text => Some(Format::Text),
        Requested::Json => Some(Format::Json),
        Requested::JsonSchema(schema) => {
            Some(schemas::compiled(&schema).map_or(Format::Json, Format::JsonSchema))
        }
    }
}

#[cfg(test)]
mod tests {
    use domain::quality::{Source, Verdict};
    use domain::span::Content;
    use domain::{SpanId, Timestamp, TraceId};

    use super::*;

    fn generation(output: &str, format: &str) -> Span {
        let trace = TraceId::from_text("t").unwrap();
        let mut span = Span::bare(trace, SpanId::from_text("s").unwrap(), Timestamp::EPOCH);
        span.kind = SpanKind::Generation;
        let content = |text: &str| Content {
            text: text.into(),
            attribute: None,
        };
        span.input = Some(content(
            r#"[{"role":"system","content":"Be brief."},{"role":"user","content":"Where is it?"}]"#,
        ));
        span.output = Some(content(output));
        span.parameters
            .insert("response_format".to_owned(), format.to_owned());
        judged(&mut span);
        span
    }

    fn judged(span: &mut Span) {
        let heard = Heard::of(span);
        judge(span, &heard, &Expected::default());
    }

    fn verdict(span: &Span, name: &str) -> Option<Verdict> {
        span.quality.get(name).map(|judged| judged.value)
    }

    #[test]
    fn an_answer_is_held_against_the_format_that_was_asked_for() {
        let json = r#"{"type":"json_object"}"#;
        let good = generation(r#"[{"role":"assistant","content":"{\"a\":1}"}]"#, json);
        assert_eq!(verdict(&good, "format_valid"), Some(Verdict::Bool(true)));
        let cut = generation(r#"{"a": [1, 2"#, json);
        assert_eq!(verdict(&cut, "format_valid"), Some(Verdict::Bool(false)));
        assert_eq!(verdict(&cut, "truncated_json"), Some(Verdict::Bool(true)));
        let schema = r#"{"type":"json_schema","json_schema":{"name":"x","schema":
            {"type":"object","required":["b"]}}}"#;
        let missing = generation(r#"{"a":1}"#, schema);
        assert_eq!(
            verdict(&missing, "format_valid"),
            Some(Verdict::Bool(false))
        );
    }

    #[test]
    fn the_context_names_the_system_message() {
        let span = generation("It is in the drawer.", "text");
        assert_eq!(span.context.system_hash, Some(system_hash("Be brief.")));
        assert!(span.context.input_digest.is_some());
        assert_eq!(verdict(&span, "refused"), Some(Verdict::Bool(false)));
    }

    #[test]
    fn what_the_client_says_of_its_quality_wins() {
        let mut span = generation("I'm sorry, but I can't help with that.", "text");
        assert_eq!(verdict(&span, "refused"), Some(Verdict::Bool(true)));
        span.attributes
            .push(("llm.quality.refused".into(), domain::Value::Bool(false)));
        judged(&mut span);
        let judged = span.quality.get("refused").unwrap();
        assert_eq!(
            (judged.value, judged.source),
            (Verdict::Bool(false), Source::Client)
        );
    }
}
