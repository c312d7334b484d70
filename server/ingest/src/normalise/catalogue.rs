//! What is looked for: the tables of the dialects, as the mapping inspector shows them.

use domain::attr::{openinference, triaxis};
use domain::mapping::{Catalogue, FieldKeys};

use super::dialects::{BY_AUTHOR, BY_CALL};
use super::field::Field;
use super::free;

/// Every field with its keys in the order in which they are asked.
pub fn catalogue() -> Catalogue {
    let fields = Field::FOUND.iter().chain(&[Field::Input, Field::Output]);
    let mut shown: Vec<FieldKeys> = Vec::new();
    for field in fields {
        let keys = keys_of(*field);
        match shown.iter_mut().find(|known| known.field == field.name()) {
            Some(known) => known.keys.extend(keys),
            None => shown.push(FieldKeys {
                field: field.name(),
                keys,
            }),
        }
    }
    let mut prefixes = vec![
        triaxis::QUALITY_PREFIX,
        openinference::LLM_INPUT_MESSAGES,
        openinference::LLM_OUTPUT_MESSAGES,
    ];
    prefixes.extend(free::read_prefixes());
    Catalogue {
        fields: shown,
        prefixes,
    }
}

fn keys_of(field: Field) -> Vec<&'static str> {
    let order = if field.is_of_call() {
        BY_CALL
    } else {
        BY_AUTHOR
    };
    let tables = order.iter().flat_map(|dialect| dialect.fields);
    let mine = tables.filter(|(other, _)| *other == field);
    mine.flat_map(|(_, keys)| keys.iter().map(|key| key.name))
        .collect()
}
