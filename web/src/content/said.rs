//! The head of a conversation, which may be cut anywhere, for a line of a list.

use super::json;

/// Keys that hold the words of a message, in order of preference.
const WORDS: [&str; 3] = ["content", "parts", "text"];

/// What the person said in the head of a conversation, which may be cut anywhere.
pub(crate) fn said_in(text: &str) -> Option<String> {
    let start = text.trim_start();
    if !start.starts_with(['[', '{']) || !start.contains("\"role\"") {
        return None;
    }
    let compact = |role: &str| {
        [
            format!("\"role\":\"{role}\""),
            format!("\"role\": \"{role}\""),
        ]
    };
    let after_user = compact("user")
        .iter()
        .filter_map(|needle| start.rfind(needle))
        .max();
    let rest = &start[after_user.unwrap_or(0)..];
    let words = WORDS.iter().filter_map(|key| {
        let at = rest.find(&format!("\"{key}\":"))? + key.len() + 3;
        rest[at..].trim_start().strip_prefix('"')
    });
    let source = words.into_iter().next()?;
    let mut end = source.len();
    let mut escaped = false;
    for (at, byte) in source.bytes().enumerate() {
        match byte {
            b'"' if !escaped => {
                end = at;
                break;
            }
            b'\\' => escaped = !escaped,
            _ => escaped = false,
        }
    }
    Some(json::read_escapes(&source[..end]))
}
