//! Tools of one call of a model, by name.

use serde::{Deserialize, Serialize};

/// Tools that a model was offered and called, as far as the span tells; empty where it tells nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ToolUse {
    /// Names of the tools that it was offered, in order, each once.
    pub offered: Vec<String>,
    /// Name of the tool of each call that it made, in order.
    pub called: Vec<String>,
}

impl ToolUse {
    /// More tools, and more calls, of one span are not kept.
    pub const MAX: usize = 1_000;
    /// A longer name is no name, in bytes.
    pub const MAX_NAME_BYTES: usize = 256;

    /// From names as they were found: what is no name is left out, and so is whatever is too much.
    pub fn new(
        offered: impl IntoIterator<Item = String>,
        called: impl IntoIterator<Item = String>,
    ) -> Self {
        let mut tools = ToolUse::default();
        for name in offered.into_iter().filter(is_name).take(Self::MAX) {
            if !tools.offered.contains(&name) {
                tools.offered.push(name);
            }
        }
        tools.called = called.into_iter().filter(is_name).take(Self::MAX).collect();
        tools
    }
}

#[expect(clippy::ptr_arg, reason = "a predicate of an iterator of texts")]
fn is_name(name: &String) -> bool {
    !name.is_empty() && name.len() <= ToolUse::MAX_NAME_BYTES
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_offer_counts_once_and_a_call_each_time() {
        let names =
            |names: &[&str]| -> Vec<String> { names.iter().map(|&name| name.to_owned()).collect() };
        let long = "x".repeat(ToolUse::MAX_NAME_BYTES + 1);
        let tools = ToolUse::new(
            names(&["a", "b", "a", "", &long]),
            names(&["b", "b", "", &long]),
        );
        assert_eq!(tools.offered, ["a", "b"]);
        assert_eq!(tools.called, ["b", "b"]);
        let many = (0..ToolUse::MAX + 5).map(|at| at.to_string());
        let tools = ToolUse::new(many.clone(), many);
        assert_eq!(
            (tools.offered.len(), tools.called.len()),
            (ToolUse::MAX, ToolUse::MAX)
        );
    }
}
