//! Our own keys: what an application says on purpose, in words that nobody else uses.

use domain::attr::triaxis as attr;

use super::{ALWAYS, Dialect, no_kind, nothing_composed};
use crate::normalise::field::Field;
use crate::normalise::lookup::keys;

pub(super) static DIALECT: Dialect = Dialect {
    families: ALWAYS,
    kind: no_kind,
    fields: &[
        (Field::PromptName, keys![attr::APP_PROMPT_TEMPLATE_ID]),
        (
            Field::PromptVersion,
            keys![attr::APP_PROMPT_TEMPLATE_VERSION],
        ),
        (Field::Tenant, keys![attr::APP_TENANT_ID]),
        (Field::Route, keys![attr::APP_ROUTE]),
    ],
    composed: nothing_composed,
};
