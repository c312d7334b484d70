//! Texts as segments of paths: names and ids of others may hold anything printable.

use std::fmt::Write as _;

/// A text as one segment of a path: ids of traces may hold anything printable. Browsers take `.` and `..` for a
/// way through folders, however they are encoded; behind a tilde they are names, which [`unescaped`] takes off.
pub(super) fn segment(text: &str) -> String {
    let mut encoded = String::with_capacity(text.len() + 1);
    if is_dots(text) {
        encoded.push('~');
    }
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'~' | b'.') {
            encoded.push(char::from(byte));
        } else {
            // Writing to a `String` cannot fail.
            let _ = write!(encoded, "%{byte:02X}");
        }
    }
    encoded
}

/// The text that [`segment`] was given, out of what it made and a browser sent.
pub(crate) fn unescaped(segment: &str) -> &str {
    let behind = segment.strip_prefix('~');
    behind.filter(|text| is_dots(text)).unwrap_or(segment)
}

/// Whether a text is one or two dots, behind any number of tildes.
pub(super) fn is_dots(text: &str) -> bool {
    matches!(text.trim_start_matches('~'), "." | "..")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_dots_are_no_way_through_folders_and_come_back_as_they_were() {
        for (name, sent) in [
            (".", "~."),
            ("..", "~.."),
            ("~.", "~~."),
            ("~~..", "~~~.."),
            ("...", "..."),
            ("~root", "~root"),
            ("~", "~"),
        ] {
            assert_eq!(segment(name), sent);
            assert_eq!(unescaped(sent), name);
        }
    }
}
