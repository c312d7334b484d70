//! Google's Agent Development Kit.

use domain::attr::google_adk as attr;

use super::{Dialect, no_kind, nothing_composed};
use crate::normalise::field::Field;
use crate::normalise::lookup::{family, keys};

pub(super) static DIALECT: Dialect = Dialect {
    families: family::GCP,
    kind: no_kind,
    fields: &[
        (Field::Session, keys![attr::SESSION_ID]),
        (Field::Input, keys![attr::LLM_REQUEST, attr::TOOL_CALL_ARGS]),
        (
            Field::Output,
            keys![attr::LLM_RESPONSE, attr::TOOL_RESPONSE],
        ),
    ],
    composed: nothing_composed,
};
