use std::collections::BTreeMap;

/// How often each rule found something, by the name of the rule: `email`, `path:$.phone`, `field:user_id`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Counts(BTreeMap<String, u64>);

impl Counts {
    /// Counts one more.
    pub(super) fn add(&mut self, rule: &str) {
        match self.0.get_mut(rule) {
            Some(count) => *count += 1,
            None => {
                self.0.insert(rule.to_owned(), 1);
            }
        }
    }

    /// Adds those of another.
    pub fn merge(&mut self, other: Counts) {
        for (rule, count) in other.0 {
            *self.0.entry(rule).or_default() += count;
        }
    }

    /// By rule, sorted.
    pub fn iter(&self) -> impl Iterator<Item = (&str, u64)> {
        self.0.iter().map(|(rule, count)| (rule.as_str(), *count))
    }

    /// Whether nothing was found.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Of one rule.
    pub fn of(&self, rule: &str) -> u64 {
        self.0.get(rule).copied().unwrap_or(0)
    }
}
