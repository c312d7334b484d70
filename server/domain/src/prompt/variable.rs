//! What is filled in when a prompt is used: `{{ name }}`.

use std::collections::BTreeSet;

/// A stretch of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stretch<'t> {
    /// It is the same whenever the prompt is used.
    Text(&'t str),
    /// A variable, by its name.
    Variable(&'t str),
}

/// A text in its stretches, none of them empty.
pub(super) fn stretches(text: &str) -> Vec<Stretch<'_>> {
    let mut found = Vec::new();
    let (mut kept, mut at) = (0, 0);
    while let Some(open) = text[at..].find("{{") {
        let braces = &text[at + open..];
        // Of three braces the last two open.
        let inner = braces.trim_start_matches('{');
        let begin = text.len() - inner.len();
        let Some(length) = inner.find(['{', '}']) else {
            break;
        };
        let name = inner[..length].trim();
        at = begin + length;
        if text[at..].starts_with("}}") && is_name(name) {
            let before = &text[kept..begin - 2];
            found.extend((!before.is_empty()).then_some(Stretch::Text(before)));
            found.push(Stretch::Variable(name));
            at += 2;
            kept = at;
        }
    }
    let rest = &text[kept..];
    found.extend((!rest.is_empty()).then_some(Stretch::Text(rest)));
    found
}

/// Names of the variables in a text.
pub fn variables(text: &str) -> BTreeSet<&str> {
    let names = stretches(text)
        .into_iter()
        .filter_map(|stretch| match stretch {
            Stretch::Text(_) => None,
            Stretch::Variable(name) => Some(name),
        });
    names.collect()
}

/// A text with its variables filled in; those without a value stay as they are written, without spaces.
pub fn fill<'v>(text: &str, value_of: impl Fn(&str) -> Option<&'v str>) -> String {
    let mut filled = String::with_capacity(text.len());
    for stretch in stretches(text) {
        match stretch {
            Stretch::Text(text) => filled.push_str(text),
            Stretch::Variable(name) => match value_of(name) {
                Some(value) => filled.push_str(value),
                None => filled.extend(["{{", name, "}}"]),
            },
        }
    }
    filled
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

    #[test]
    fn variables_are_filled_in_once() {
        let value_of = |name: &str| (name == "a").then_some("{{b}}");
        assert_eq!(fill("{{ a }}, {{ b }} {{}}", value_of), "{{b}}, {{b}} {{}}");
    }

    #[test]
    fn stretches_make_the_text_again_without_its_variables() {
        use Stretch::{Text, Variable};
        let found = stretches("Hi {{ name }}{{{a}}}, {{}} {{b");
        let expected = [
            Text("Hi "),
            Variable("name"),
            Text("{"),
            Variable("a"),
            Text("}, {{}} {{b"),
        ];
        assert_eq!(found, expected);
        assert!(stretches("").is_empty());
    }
}
