//! What is filled in when a prompt is used: `{{ name }}`.

use std::collections::BTreeSet;

/// Names of the variables in a text.
pub fn variables(text: &str) -> BTreeSet<&str> {
    let mut names = BTreeSet::new();
    let mut rest = text;
    while let Some((_, after)) = rest.split_once("{{") {
        // Of three braces the last two open.
        let inner = after.trim_start_matches('{');
        let Some(end) = inner.find(['{', '}']) else {
            break;
        };
        let name = inner[..end].trim();
        if inner[end..].starts_with("}}") && is_name(name) {
            names.insert(name);
        }
        rest = &inner[end..];
    }
    names
}

/// A letter or `_`, then letters, digits or `_`.
fn is_name(text: &str) -> bool {
    let mut chars = text.chars();
    chars.next().is_some_and(|c| c == '_' || c.is_alphabetic())
        && chars.all(|c| c == '_' || c.is_alphanumeric())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variables_stand_in_two_braces() {
        let found = |text| variables(text).into_iter().collect::<Vec<_>>();
        assert_eq!(found("Hi {{ name }}, it is {{hour}}."), ["hour", "name"]);
        assert_eq!(found("{{{a}}} {{ b}} {{c }}"), ["a", "b", "c"]);
        let none = "{a} {{}} {{ }} {{a b}} {{1}} {{a} } {{ {\"json\": {{}} }} {{open";
        assert_eq!(found(none), [""; 0]);
    }
}
