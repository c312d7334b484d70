//! The playground and connections to providers of models, with made-up data.

use domain::llm_connection::{Adapter, LlmConnection};
use domain::span::{Content, SpanKind};
use domain::{Code, Fault, LlmConnectionId, Span, Timestamp};
use service::completions::{Assembled, Outcome};
use uuid::Uuid;

use super::data::{now, spans};
use super::{HOSTILE, Sample, sample};
use crate::extract::Reader;
use crate::pages::playground::{OutcomeView, PlaygroundPage};
use crate::pages::settings::LlmConnectionsPage;

/// All of them.
pub(super) fn all(reader: &Reader) -> Vec<Sample> {
    let some = [
        connection(1, "openai", Adapter::OpenAi, None),
        connection(2, "vllm", Adapter::OpenAi, Some("http://10.0.0.7:8000/v1")),
        connection(3, HOSTILE, Adapter::Bedrock, Some(HOSTILE)),
    ];
    let list = LlmConnectionsPage::new(reader, &some);
    let failed = Err(format!("401: {HOSTILE}"));
    let mut samples = vec![
        sample("settings-llm-connections", &list.changing(reader, &some[1])),
        sample(
            "settings-llm-connections-overfull",
            &LlmConnectionsPage::new(reader, &some).tested(
                reader.lang(),
                (HOSTILE, HOSTILE),
                &failed,
            ),
        ),
        sample(
            "playground-none",
            &PlaygroundPage::new(reader, &[], (Vec::new(), None)),
        ),
        sample(
            "playground",
            &PlaygroundPage::new(reader, &some, (Vec::new(), None)),
        ),
    ];
    let generation = spans()
        .into_iter()
        .find(|span| span.kind == SpanKind::Generation);
    if let Some(span) = generation {
        samples.push(sample(
            "playground-step",
            &PlaygroundPage::of_step(reader, &some, &span),
        ));
        let odd = hostile(span);
        samples.push(sample(
            "playground-overfull",
            &PlaygroundPage::of_step(reader, &some, &odd),
        ));
        let outcome = answered(Assembled::default(), odd);
        let refused = Err(Fault::new(Code::Conflict, HOSTILE));
        let view = OutcomeView::new(reader, &outcome, Some("as it was"), Some(&refused));
        samples.push(sample("playground-outcome-overfull", &view));
    }
    samples
}

fn connection(number: u128, name: &str, adapter: Adapter, base_url: Option<&str>) -> LlmConnection {
    LlmConnection {
        id: LlmConnectionId(Uuid::from_u128(number)),
        provider: name.to_owned(),
        adapter,
        secret_hint: "7f3a".to_owned(),
        base_url: base_url.map(str::to_owned),
        custom_models: vec!["qwen3-32b".to_owned(), name.to_owned()],
        with_default_models: true,
        extra_header_names: vec!["x-gateway-token".to_owned()],
        config: None,
        created_at: Timestamp::EPOCH,
        updated_at: now(),
    }
}

fn hostile(mut span: Span) -> Span {
    let content = |text: String| {
        Some(Content {
            text: text.into(),
            attribute: None,
        })
    };
    let quoted = serde_json::Value::from(HOSTILE).to_string();
    span.name = HOSTILE.to_owned();
    span.request_model = Some(HOSTILE.to_owned());
    span.response_model = None;
    span.input = content(format!(
        "[{{\"role\":{quoted},\"content\":{quoted}}},{{\"role\":\"user\",\"content\":\"{{{{x}}}}\"}}]"
    ));
    span.output = content(HOSTILE.to_owned());
    span.finish_reasons = vec![HOSTILE.to_owned()];
    span
}

fn answered(mut answer: Assembled, span: Span) -> Outcome {
    answer.text = HOSTILE.to_owned();
    Outcome {
        answer,
        span,
        unpriced: Some(HOSTILE.to_owned()),
    }
}
