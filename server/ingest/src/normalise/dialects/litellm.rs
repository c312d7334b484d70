//! LiteLLM's own exporter: GenAI keys, and a few of its own.

use domain::attr::litellm as attr;

use super::{Dialect, no_kind, nothing_composed};
use crate::normalise::field::Field;
use crate::normalise::lookup::{family, keys};

pub(super) static DIALECT: Dialect = Dialect {
    families: family::GEN_AI | family::OPENINFERENCE,
    kind: no_kind,
    fields: &[
        (
            Field::User,
            keys![
                attr::METADATA_USER_API_KEY_END_USER_ID,
                attr::METADATA_USER_API_KEY_USER_ID
            ],
        ),
        (Field::CostTotal, keys![attr::COST_TOTAL]),
        (Field::FromCache, keys![attr::CACHE_HIT]),
    ],
    composed: nothing_composed,
};
