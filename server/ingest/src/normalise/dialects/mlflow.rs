//! MLflow, whose values are JSON in text.

use domain::attr::mlflow as attr;
use domain::span::SpanKind;

use super::{Dialect, kind_by_name, nothing_composed};
use crate::normalise::field::Field;
use crate::normalise::lookup::{Key, Lookup, family, keys};

pub(super) static DIALECT: Dialect = Dialect {
    families: family::MLFLOW,
    kind,
    fields: &[
        (Field::Session, keys![attr::TRACE_SESSION]),
        (Field::User, keys![attr::TRACE_USER]),
        (Field::Provider, keys![attr::LLM_PROVIDER]),
        (Field::RequestModel, keys![attr::LLM_MODEL]),
        (Field::UsageDetails, keys![attr::CHAT_TOKEN_USAGE]),
        (Field::CostDetails, keys![attr::LLM_COST]),
        (Field::ToolDefinitions, keys![attr::CHAT_TOOLS]),
        (Field::Input, keys![attr::SPAN_INPUTS]),
        (Field::Output, keys![attr::SPAN_OUTPUTS]),
    ],
    composed: nothing_composed,
};

fn kind(lookup: &Lookup<'_>) -> Option<(SpanKind, &'static str)> {
    const TYPES: &[(&str, SpanKind)] = &[
        ("LLM", SpanKind::Generation),
        ("CHAT_MODEL", SpanKind::Generation),
        ("CHAIN", SpanKind::Chain),
        ("WORKFLOW", SpanKind::Chain),
        ("TASK", SpanKind::Chain),
        ("AGENT", SpanKind::Agent),
        ("TOOL", SpanKind::Tool),
        ("RETRIEVER", SpanKind::Retriever),
        ("EMBEDDING", SpanKind::Embedding),
        ("RERANKER", SpanKind::Reranker),
        ("GUARDRAIL", SpanKind::Guardrail),
        ("EVALUATOR", SpanKind::Evaluator),
        ("PARSER", SpanKind::Span),
        ("MEMORY", SpanKind::Span),
    ];
    kind_by_name(lookup, const { Key::new(attr::SPAN_TYPE) }, TYPES)
}
