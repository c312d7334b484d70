//! Comparisons as conditions write them: an operator and a value.

use domain::comparison::{Compare, Test, Within};
use serde_json::Value;

/// A comparison, or what is wrong with it.
type Result<T> = std::result::Result<T, &'static str>;

/// A comparison of numbers by its sign.
///
/// # Errors
/// What is wrong, in words.
pub(super) fn compared(sign: &str) -> Result<Compare> {
    let known = Compare::from_sign(sign).filter(|compare| *compare != Compare::NotEqual);
    known.ok_or("operator: expected =, >, <, >= or <=")
}

/// A comparison of instants by its sign.
///
/// # Errors
/// What is wrong, in words.
pub(super) fn ordered(sign: &str) -> Result<Compare> {
    let known = compared(sign)
        .ok()
        .filter(|compare| *compare != Compare::Equal);
    known.ok_or("operator: expected >, <, >= or <=")
}

/// A test of a text by its operator.
///
/// # Errors
/// What is wrong, in words.
pub(super) fn text_test(operator: &str, text: &str) -> Result<Test> {
    let within = match operator {
        "=" => return Ok(Test::AnyOf(vec![text.to_owned()])),
        "contains" => Within::Contains,
        "does not contain" => Within::DoesNotContain,
        "starts with" => Within::StartsWith,
        "ends with" => Within::EndsWith,
        _ => return Err("operator: unknown for a text"),
    };
    Ok(Test::Text(within, text.to_owned()))
}

/// A test against a list by its operator; `of_list` where the value is a list itself.
///
/// # Errors
/// What is wrong, in words.
pub(super) fn list_test(operator: &str, values: Vec<String>, of_list: bool) -> Result<Test> {
    match operator {
        "any of" => Ok(Test::AnyOf(values)),
        "none of" => Ok(Test::NoneOf(values)),
        "all of" if of_list => Ok(Test::AllOf(values)),
        _ => Err("operator: expected any of or none of"),
    }
}

/// A list of texts.
///
/// # Errors
/// What is wrong, in words.
pub(super) fn texts(value: &Value) -> Result<Vec<String>> {
    let items = value.as_array().ok_or("value: expected array")?;
    let text = |item: &Value| item.as_str().map(str::to_owned);
    let texts: Option<Vec<String>> = items.iter().map(text).collect();
    texts.ok_or("value: expected strings")
}
