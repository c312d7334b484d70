//! Numbers that only grow, for `/metrics`.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

/// One number: a name and, where it has parts, which part.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Counter {
    /// Name as Prometheus wants it: `triaxis_…_total`.
    pub name: &'static str,
    /// `(label, value)`. Values come from a closed set, never from input, so that there are few.
    pub label: Option<(&'static str, &'static str)>,
}

impl Counter {
    /// A number without parts.
    pub const fn new(name: &'static str) -> Self {
        Counter { name, label: None }
    }

    /// One part of a number.
    pub const fn of(name: &'static str, label: &'static str, value: &'static str) -> Self {
        Counter {
            name,
            label: Some((label, value)),
        }
    }
}

/// All numbers since the start. Meant for once a request or batch, not once a span.
#[derive(Default)]
pub struct Counters {
    values: Mutex<BTreeMap<Counter, u64>>,
}

impl Counters {
    /// Adds to a number.
    pub fn add(&self, counter: Counter, by: u64) {
        let mut values = self.values.lock().unwrap_or_else(PoisonError::into_inner);
        let value = values.entry(counter).or_default();
        *value = value.saturating_add(by);
    }

    /// All numbers, by name and label.
    pub fn read(&self) -> Vec<(Counter, u64)> {
        let values = self.values.lock().unwrap_or_else(PoisonError::into_inner);
        values
            .iter()
            .map(|(counter, value)| (*counter, *value))
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_count_apart_and_stand_together() {
        let counters = Counters::default();
        counters.add(Counter::of("b", "reason", "y"), 1);
        counters.add(Counter::new("a"), 2);
        counters.add(Counter::of("b", "reason", "x"), 1);
        counters.add(Counter::of("b", "reason", "x"), 4);
        let read: Vec<_> = counters
            .read()
            .into_iter()
            .map(|(c, n)| (c.name, c.label, n))
            .collect();
        assert_eq!(
            read,
            [
                ("a", None, 2),
                ("b", Some(("reason", "x")), 5),
                ("b", Some(("reason", "y")), 1)
            ]
        );
    }
}
