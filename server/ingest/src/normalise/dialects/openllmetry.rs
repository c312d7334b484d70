//! OpenLLMetry (Traceloop).

use domain::attr::{gen_ai, openllmetry as attr};
use domain::span::SpanKind;

use super::{Content, Dialect, Side, indexed, kind_by_name};
use crate::normalise::field::Field;
use crate::normalise::lookup::{Key, Lookup, family, keys};

pub(super) static DIALECT: Dialect = Dialect {
    families: family::TRACELOOP | family::LLM | family::GEN_AI,
    kind,
    fields: &[
        (
            Field::Session,
            keys![
                attr::TRACELOOP_ASSOCIATION_PROPERTIES_SESSION_ID,
                attr::TRACELOOP_ASSOCIATION_PROPERTIES_CONVERSATION_ID,
                attr::TRACELOOP_ASSOCIATION_PROPERTIES_CHAT_ID,
                attr::TRACELOOP_ASSOCIATION_PROPERTIES_THREAD_ID,
            ],
        ),
        (
            Field::User,
            keys![attr::TRACELOOP_ASSOCIATION_PROPERTIES_USER_ID],
        ),
        (
            Field::Tenant,
            keys![
                attr::TRACELOOP_ASSOCIATION_PROPERTIES_TENANT_ID,
                attr::TRACELOOP_ASSOCIATION_PROPERTIES_ORGANIZATION_ID,
                attr::TRACELOOP_ASSOCIATION_PROPERTIES_CUSTOMER_ID,
            ],
        ),
        (Field::PromptName, keys![attr::TRACELOOP_PROMPT_KEY]),
        (
            Field::PromptVersion,
            keys![
                attr::TRACELOOP_PROMPT_VERSION,
                attr::TRACELOOP_PROMPT_VERSION_NAME
            ],
        ),
        (Field::RequestModel, keys![attr::LLM_REQUEST_MODEL]),
        (Field::ResponseModel, keys![attr::LLM_RESPONSE_MODEL]),
        (
            Field::FinishReasons,
            keys![
                attr::LLM_RESPONSE_FINISH_REASON,
                attr::LLM_RESPONSE_STOP_REASON
            ],
        ),
        (Field::InputTokens, keys![attr::LLM_USAGE_PROMPT_TOKENS]),
        (
            Field::OutputTokens,
            keys![attr::LLM_USAGE_COMPLETION_TOKENS],
        ),
        (Field::TotalTokens, keys![attr::LLM_USAGE_TOTAL_TOKENS]),
        (Field::Reasoning, keys![attr::LLM_USAGE_REASONING_TOKENS]),
        (Field::Input, keys![attr::TRACELOOP_ENTITY_INPUT]),
        (Field::Output, keys![attr::TRACELOOP_ENTITY_OUTPUT]),
    ],
    composed,
};

fn kind(lookup: &Lookup<'_>) -> Option<(SpanKind, &'static str)> {
    const KINDS: &[(&str, SpanKind)] = &[
        ("workflow", SpanKind::Chain),
        ("task", SpanKind::Chain),
        ("agent", SpanKind::Agent),
        ("tool", SpanKind::Tool),
    ];
    const REQUESTS: &[(&str, SpanKind)] = &[
        ("chat", SpanKind::Generation),
        ("completion", SpanKind::Generation),
        ("embedding", SpanKind::Embedding),
        ("rerank", SpanKind::Reranker),
    ];
    kind_by_name(lookup, const { Key::new(attr::LLM_REQUEST_TYPE) }, REQUESTS)
        .or_else(|| kind_by_name(lookup, const { Key::new(attr::TRACELOOP_SPAN_KIND) }, KINDS))
}

fn composed(content: &Content<'_, '_>, side: Side) -> Option<(String, &'static str)> {
    let prefix = match side {
        Side::Input => gen_ai::PROMPT,
        Side::Output => gen_ai::COMPLETION,
    };
    Some((
        indexed::messages(content.lookup.attributes, prefix)?,
        prefix,
    ))
}
