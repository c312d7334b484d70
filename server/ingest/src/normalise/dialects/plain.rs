//! What needs no dialect: general keys of OpenTelemetry, and guesses for the rest.

use domain::attr::{gen_ai, openinference, openllmetry, otel as attr, vercel_ai};
use domain::span::SpanKind;

use super::{ALWAYS, Dialect, nothing_composed};
use crate::normalise::field::Field;
use crate::normalise::lookup::{Key, Lookup, keys};

pub(super) static DIALECT: Dialect = Dialect {
    families: ALWAYS,
    kind,
    fields: &[
        (Field::Session, keys![attr::SESSION_ID]),
        (Field::User, keys![attr::USER_ID, attr::ENDUSER_ID]),
        (Field::Tags, keys![openinference::TAG_TAGS, attr::TAGS]),
        (
            Field::Environment,
            keys![
                attr::DEPLOYMENT_ENVIRONMENT_NAME,
                attr::DEPLOYMENT_ENVIRONMENT
            ],
        ),
        (
            Field::Release,
            keys![attr::SERVICE_VERSION, attr::VCS_REF_HEAD_REVISION],
        ),
        (
            Field::Tenant,
            keys![
                attr::TENANT_ID,
                attr::TENANT_ID_PLAIN,
                attr::METADATA_TENANT_ID
            ],
        ),
        (Field::Route, keys![attr::HTTP_ROUTE, attr::URL_PATH]),
        (Field::Service, keys![attr::SERVICE_NAME]),
        (
            Field::Instance,
            keys![
                attr::SERVICE_INSTANCE_ID,
                attr::K8S_POD_NAME,
                attr::HOST_NAME
            ],
        ),
        (Field::Input, keys![attr::INPUT]),
        (Field::Output, keys![attr::OUTPUT]),
    ],
    composed: nothing_composed,
};

/// A model's name makes a call of a model, but not on what is plainly the work of a web server, a
/// database, a queue.
fn kind(lookup: &Lookup<'_>) -> Option<(SpanKind, &'static str)> {
    if let Some((key, method)) = lookup.text(keys![attr::MCP_METHOD_NAME]) {
        let calls_tool = method == "tools/call";
        return Some((
            if calls_tool {
                SpanKind::Tool
            } else {
                SpanKind::Span
            },
            key.name,
        ));
    }
    let other_work = keys![
        attr::HTTP_REQUEST_METHOD,
        attr::HTTP_METHOD,
        attr::DB_SYSTEM,
        attr::DB_SYSTEM_NAME,
        attr::MESSAGING_SYSTEM,
        attr::RPC_SYSTEM,
    ];
    if lookup.first(other_work).is_some() {
        return None;
    }
    let (key, _) = lookup.first(MODELS)?;
    Some((SpanKind::Generation, key.name))
}

const MODELS: &[Key] = keys![
    gen_ai::REQUEST_MODEL,
    gen_ai::RESPONSE_MODEL,
    openinference::LLM_MODEL_NAME,
    openllmetry::LLM_REQUEST_MODEL,
    vercel_ai::MODEL_ID,
];
