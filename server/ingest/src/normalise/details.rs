//! What a whole call tells in a log record of its own, where its span does not.

use domain::Attributes;
use domain::span::{Span, SpanKind};

use super::found::Found;
use super::lookup::Lookup;
use super::{field::Field, kind, provider, read, usage};

/// Fills what a span does not say of its call from the attributes of `gen_ai.client.inference.operation.details`: by the
/// same rules as where it comes as an event of the span. What the span says stays.
pub fn complete(span: &mut Span, details: &Attributes) {
    let before = span.clone();
    let (own, whole) = (Lookup::new(&before.attributes), Lookup::new(details));
    let resource = Lookup::new(&before.resource);
    let found = Found::search(&own, Some(&whole), &resource);
    if span.kind == SpanKind::Span
        && let Some((kind, _)) = kind(&whole)
    {
        span.kind = kind;
    }
    let or_found = |known: &mut Option<String>, field| {
        if known.is_none() {
            *known = found.text(field);
        }
    };
    or_found(&mut span.request_model, Field::RequestModel);
    or_found(&mut span.response_model, Field::ResponseModel);
    or_found(&mut span.response_id, Field::ResponseId);
    if span.provider.is_none() {
        let named = found.text(Field::Provider);
        span.provider = named
            .and_then(|name| provider::from_name(&name))
            .or_else(|| provider::of_model(span.model()?));
    }
    if span.finish_reasons.is_empty() {
        let reasons = found.value(Field::FinishReasons).map(read::texts);
        span.finish_reasons = reasons.unwrap_or_default();
    }
    if span.usage.is_none() {
        let counter = usage::Counter {
            scope: &before.scope.name,
            provider: span.provider.as_deref(),
            model: span.model(),
        };
        span.usage = usage::usage(&found, counter);
    }
    let is_new = |field: &str| before.provenance.iter().all(|known| known.field != field);
    let told = found.provenance().into_iter();
    span.provenance
        .extend(told.filter(|evidence| is_new(&evidence.field)));
}

#[cfg(test)]
mod tests {
    use domain::{SpanId, Timestamp, TraceId, Value};

    use super::*;

    fn span(attributes: Attributes) -> Span {
        let trace = TraceId::from_text("t").unwrap();
        let span = SpanId::from_text("s").unwrap();
        let mut span = Span::bare(trace, span, Timestamp::EPOCH);
        span.attributes = attributes;
        span
    }

    fn details() -> Attributes {
        vec![
            ("gen_ai.operation.name".into(), "chat".into()),
            ("gen_ai.provider.name".into(), "openai".into()),
            ("gen_ai.request.model".into(), "gpt-4o".into()),
            ("gen_ai.response.model".into(), "gpt-4o-2024".into()),
            ("gen_ai.response.id".into(), "r1".into()),
            ("gen_ai.response.finish_reasons".into(), "[\"stop\"]".into()),
            ("gen_ai.usage.input_tokens".into(), Value::Int(120)),
            ("gen_ai.usage.output_tokens".into(), Value::Int(7)),
        ]
    }

    #[test]
    fn what_a_span_does_not_say_is_filled() {
        let mut bare = span(Attributes::new());
        complete(&mut bare, &details());
        assert_eq!(bare.kind, SpanKind::Generation);
        assert_eq!(bare.provider.as_deref(), Some("openai"));
        assert_eq!(bare.request_model.as_deref(), Some("gpt-4o"));
        assert_eq!(bare.response_model.as_deref(), Some("gpt-4o-2024"));
        assert_eq!(bare.response_id.as_deref(), Some("r1"));
        assert_eq!(bare.finish_reasons, ["stop"]);
        let usage = bare.usage.as_ref().unwrap();
        assert_eq!(
            (usage.input_tokens, usage.output_tokens),
            (Some(120), Some(7))
        );
        assert!(
            bare.provenance
                .iter()
                .any(|evidence| evidence.field == "request_model")
        );
        let once = bare.clone();
        complete(&mut bare, &details());
        assert_eq!(bare, once, "again changes nothing");
    }

    #[test]
    fn what_a_span_says_stays() {
        let mut known = span(Attributes::new());
        known.kind = SpanKind::Agent;
        known.request_model = Some("mine".to_owned());
        known.finish_reasons = vec!["length".to_owned()];
        known.usage = Some(domain::span::Usage {
            input_tokens: Some(1),
            ..domain::span::Usage::default()
        });
        complete(&mut known, &details());
        assert_eq!(known.kind, SpanKind::Agent);
        assert_eq!(known.request_model.as_deref(), Some("mine"));
        assert_eq!(known.finish_reasons, ["length"]);
        assert_eq!(known.usage.unwrap().input_tokens, Some(1));
    }
}
