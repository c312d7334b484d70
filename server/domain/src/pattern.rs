//! Patterns for names, as people write them in settings.

use std::fmt;

/// A name in which `*` stands for any run of characters, also for none; letter case makes no
/// difference. `qwen/*` means every model of that maker, `*` means any.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamePattern {
    text: Box<str>,
    /// What stands between the stars, in lower case; one part where there is no star.
    parts: Box<[Box<str>]>,
}

impl NamePattern {
    /// Of the text without the blanks around it.
    pub fn new(text: &str) -> Self {
        let text = text.trim();
        let lower = text.to_lowercase();
        NamePattern {
            text: text.into(),
            parts: lower.split('*').map(Box::from).collect(),
        }
    }

    /// As it was written.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Whether it means that name.
    pub fn matches(&self, name: &str) -> bool {
        let name = name.to_lowercase();
        let (first, rest) = match &*self.parts {
            [] => return name.is_empty(),
            [only] => return *name == **only,
            [first, rest @ ..] => (first, rest),
        };
        let Some(mut tail) = name.strip_prefix(&**first) else {
            return false;
        };
        let Some((last, between)) = rest.split_last() else {
            return true;
        };
        for part in between {
            let Some(at) = tail.find(&**part) else {
                return false;
            };
            tail = &tail[at + part.len()..];
        }
        tail.ends_with(&**last)
    }

    /// How much of a name it fixes: a name without star comes before every pattern, and of two
    /// patterns the one with more characters beside its stars.
    pub fn precision(&self) -> (bool, usize) {
        let fixed = self.parts.iter().map(|part| part.chars().count());
        (self.parts.len() == 1, fixed.sum())
    }
}

/// Whether a name that may be unknown is the one that may be asked for.
pub fn matches_if_asked(asked: Option<&NamePattern>, name: Option<&str>) -> bool {
    asked.is_none_or(|pattern| name.is_some_and(|name| pattern.matches(name)))
}

impl fmt::Display for NamePattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn is(pattern: &str, name: &str) -> bool {
        NamePattern::new(pattern).matches(name)
    }

    #[test]
    fn a_star_is_any_run_and_case_makes_no_difference() {
        assert!(is("Qwen/*", "qwen/Qwen3-32B") && is("*", "") && is("*", "m"));
        assert!(is("*-32b", "Qwen3-32B") && is("a*b*c", "aXbXbYc"));
        assert!(is(" m1 ", "M1") && is("", ""));
        assert!(!is("Qwen/*", "qwen2") && !is("m1", "m12") && !is("a*a", "a"));
        assert!(!is("a*b*c", "acb") && !is("", "m"));
    }

    #[test]
    fn an_unknown_name_is_not_the_one_that_is_asked_for() {
        let any = NamePattern::new("*");
        assert!(matches_if_asked(None, None) && matches_if_asked(Some(&any), Some("m")));
        assert!(!matches_if_asked(Some(&any), None));
    }

    #[test]
    fn names_come_before_patterns_and_long_patterns_before_short_ones() {
        let of = |text: &str| NamePattern::new(text).precision();
        assert!(of("m") > of("qwen/*") && of("qwen/q*") > of("qwen/*") && of("q*") > of("*"));
    }

    proptest! {
        #[test]
        fn a_name_is_found_by_itself_and_by_its_ends(name in "[a-zA-Zß中 /.:-]{0,20}") {
            let name = name.trim();
            prop_assert!(is(name, name));
            let half: String = name.chars().take(name.chars().count() / 2).collect();
            let half = format!("{half}*");
            prop_assert!(is(&half, name));
        }
    }
}
