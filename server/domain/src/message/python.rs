/// The fields of an object as Python prints it, `Class(key='text', other=None)`: those that are
/// text. `None` when it is not of that class, or not printed to its end.
pub(super) fn fields<'a>(text: &'a str, class: &str) -> Option<Vec<(&'a str, String)>> {
    let mut rest = text.strip_prefix(class)?.strip_prefix('(')?;
    let mut found = Vec::new();
    while !rest.starts_with(')') {
        let (key, value) = rest.split_once('=')?;
        rest = match string(value) {
            Some((said, after)) => {
                found.push((key, said));
                after
            }
            None => value.get(value.find([',', ')'])?..)?,
        };
        rest = rest.strip_prefix(", ").unwrap_or(rest);
    }
    Some(found)
}

/// A quoted text, with what follows it.
pub(super) fn string(source: &str) -> Option<(String, &str)> {
    let quote = source
        .chars()
        .next()
        .filter(|first| matches!(first, '\'' | '"'))?;
    let mut said = String::new();
    let mut chars = source.char_indices().skip(1);
    while let Some((at, char)) = chars.next() {
        match char {
            '\\' => match chars.next()?.1 {
                'n' => said.push('\n'),
                't' => said.push('\t'),
                'r' => said.push('\r'),
                escaped @ ('\\' | '\'' | '"') => said.push(escaped),
                other => said.extend(['\\', other]),
            },
            char if char == quote => return Some((said, source.get(at + 1..)?)),
            char => said.push(char),
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_read_whatever_their_text_holds() {
        let printed =
            r#"Call(arguments='{"name=": "it\'s, (so)"}', id=None, name="x", status='done')"#;
        let expected = [
            ("arguments", r#"{"name=": "it's, (so)"}"#.to_owned()),
            ("name", "x".to_owned()),
            ("status", "done".to_owned()),
        ];
        assert_eq!(fields(printed, "Call").unwrap(), expected);
    }

    #[test]
    fn what_is_cut_or_of_another_class_is_no_object() {
        for text in [
            "Call(a='x",
            "Call(a='x'",
            "Call(a",
            "Call",
            "Other(a='x')",
            "Call(a='x'b",
        ] {
            assert_eq!(fields(text, "Call"), None, "{text}");
        }
    }
}
