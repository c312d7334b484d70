//! Input and output, as the nearest witness wrote them.

use std::sync::Arc;

use domain::Value;
use domain::span;

use super::dialects::{ALWAYS, BY_CALL, Content, Side};
use super::field::Field;
use super::lookup::{Key, is_empty};
use super::read;

/// Input or output and the key that gave it. The text of a single attribute is shared with it, not
/// copied, and remembered as the same.
pub(super) fn content(
    source: &Content<'_, '_>,
    side: Side,
) -> Option<(span::Content, &'static str)> {
    let field = match side {
        Side::Input => Field::Input,
        Side::Output => Field::Output,
    };
    let families = source.lookup.families | ALWAYS;
    for dialect in BY_CALL
        .iter()
        .filter(|dialect| dialect.families & families != 0)
    {
        if let Some((text, key)) = (dialect.composed)(source, side) {
            return Some((
                span::Content {
                    text: text.into(),
                    attribute: None,
                },
                key,
            ));
        }
        let keys = dialect.fields.iter().find(|(other, _)| *other == field);
        for &key in keys.map_or(&[][..], |(_, keys)| *keys) {
            if let Some(content) = of_attribute(source, key) {
                return Some((content, key.name));
            }
        }
    }
    None
}

fn of_attribute(source: &Content<'_, '_>, key: Key) -> Option<span::Content> {
    let (name, value) = source.lookup.pair(key)?;
    if is_empty(value) {
        return None;
    }
    Some(match value {
        Value::Str(text) => span::Content {
            text: Arc::clone(text),
            attribute: Some(Arc::clone(name)),
        },
        other => span::Content {
            text: read::text(other).into(),
            attribute: None,
        },
    })
}
