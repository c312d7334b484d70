//! Contents of items as cells of a table: a text stands there as it is wherever it is read back as the same
//! text, anything else as JSON. So a table that was written here is read back without loss, and one that a
//! person made is read as they meant it.

use std::borrow::Cow;

use serde_json::Value;

use crate::spreadsheet::harmless;

/// A content as a cell: nothing for null. No spreadsheet computes it, for a text that begins like a formula
/// stands there in the quotes of JSON.
pub(super) fn write(content: &Value) -> Cow<'_, str> {
    match content {
        Value::Null => Cow::Borrowed(""),
        Value::String(text) if read(text) == *content && harmless(text) == text.as_str() => {
            Cow::Borrowed(text)
        }
        other => Cow::Owned(other.to_string()),
    }
}

/// What a cell says: nothing is null, what is JSON is that, anything else a text. A number stays a text where
/// it would change: leading zeros, more digits than a double has.
pub(super) fn read(cell: &str) -> Value {
    if cell.is_empty() {
        return Value::Null;
    }
    let text = || Value::String(cell.to_owned());
    match serde_json::from_str(cell) {
        Ok(Value::Number(number)) if number.to_string() != cell => text(),
        Ok(value) => value,
        Err(_) => text(),
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    #[test]
    fn texts_stand_as_they_are_where_that_is_read_back() {
        for (content, cell) in [
            (
                json!("what, \"exactly\"?\nthis"),
                "what, \"exactly\"?\nthis",
            ),
            (json!("中文"), "中文"),
            (json!(null), ""),
            (json!(""), "\"\""),
            (json!("null"), "\"null\""),
            (json!("1"), "\"1\""),
            (json!("007"), "007"),
            (json!("=1+1"), "\"=1+1\""),
            (json!("\t=1"), "\"\\t=1\""),
            (json!(-0.5), "-0.5"),
            (json!({"a": [1, null]}), "{\"a\":[1,null]}"),
        ] {
            assert_eq!(write(&content), cell);
            assert_eq!(read(cell), content);
        }
        assert_eq!(
            read("12345678901234567890123"),
            json!("12345678901234567890123")
        );
        assert_eq!(read("{not json"), json!("{not json"));
    }

    proptest! {
        #[test]
        fn any_text_is_read_back(text in "\\PC{0,20}|[-+=@\t 0-9.e\"]{0,6}") {
            let content = Value::String(text);
            prop_assert_eq!(read(&write(&content)), content);
        }
    }
}
