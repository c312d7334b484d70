//! Pydantic AI and Logfire, beside the GenAI keys that they also write.

use domain::attr::pydantic_ai as attr;

use super::{Dialect, no_kind, nothing_composed};
use crate::normalise::field::Field;
use crate::normalise::lookup::{family, keys};

pub(super) static DIALECT: Dialect = Dialect {
    families: family::PYDANTIC_AI,
    kind: no_kind,
    fields: &[
        (Field::RequestModel, keys![attr::MODEL_NAME]),
        (Field::CostTotal, keys![attr::OPERATION_COST]),
        (
            Field::Input,
            keys![
                attr::ALL_MESSAGES_EVENTS,
                attr::PYDANTIC_AI_ALL_MESSAGES,
                attr::TOOL_ARGUMENTS,
                attr::REQUEST_DATA,
            ],
        ),
        (
            Field::Output,
            keys![attr::FINAL_RESULT, attr::TOOL_RESPONSE, attr::RESPONSE_DATA],
        ),
    ],
    composed: nothing_composed,
};
