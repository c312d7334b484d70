/// What stands in the Markdown fence that is the whole of a text: the lines between ```` ```json ````
/// and the closing fence. `None` when the text is not one fenced block.
pub fn inside(text: &str) -> Option<&str> {
    without_close(after_open(text.trim())?)
}

/// What follows the opening line of a fence that a text starts with.
pub(super) fn after_open(text: &str) -> Option<&str> {
    let (info, rest) = text.strip_prefix("```")?.split_once('\n')?;
    let language = info.trim();
    let is_json = language.is_empty() || language.to_ascii_lowercase().starts_with("json");
    is_json.then_some(rest)
}

/// A text without the closing fence that it ends with.
pub(super) fn without_close(text: &str) -> Option<&str> {
    text.trim_end().strip_suffix("```")
}
