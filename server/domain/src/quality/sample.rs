/// Bytes of a text that are looked at, half of them at its head and half at its tail.
pub(super) const SAMPLE_BYTES: usize = 64 * 1024;

/// The text whole, or its head and its tail where it is longer than [`SAMPLE_BYTES`]: a prompt tells
/// itself apart at its ends, and a model that fell into a loop is still in it at the end.
pub(super) fn head_and_tail(text: &str) -> [&str; 2] {
    if text.len() <= SAMPLE_BYTES {
        return [text, ""];
    }
    let head = text.floor_char_boundary(SAMPLE_BYTES / 2);
    let tail = text.ceil_char_boundary(text.len() - SAMPLE_BYTES / 2);
    [&text[..head], &text[tail..]]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_text_is_cut_between_characters() {
        let text = "a".to_owned() + &"字".repeat(SAMPLE_BYTES);
        let [head, tail] = head_and_tail(&text);
        assert!(head.len() + tail.len() <= SAMPLE_BYTES);
        assert!(text.starts_with(head) && text.ends_with(tail));
    }

    #[test]
    fn a_short_text_is_looked_at_whole() {
        assert_eq!(head_and_tail("short"), ["short", ""]);
    }
}
