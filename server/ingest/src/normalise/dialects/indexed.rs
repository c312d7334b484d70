//! Messages spread over numbered keys (`llm.input_messages.0.message.role`,
//! `gen_ai.prompt.0.content`), put together again as one JSON list.

use std::collections::BTreeMap;
use std::sync::Arc;

use domain::Value;
use serde_json::{Map, Value as Json};

/// Higher numbers are data, not places in a list.
const MAX_INDEX: u32 = 10_000;
/// Steps of a key; deeper keys stay attributes only.
const MAX_STEPS: usize = 16;

/// Steps that OpenInference puts between the number and the field, and that say nothing.
const WRAPPERS: &[&str] = &["message", "message_content", "tool_call", "image"];

/// A tree of what the keys spell.
#[derive(Default)]
struct Node<'a> {
    leaf: Option<&'a Value>,
    by_index: BTreeMap<u32, Node<'a>>,
    by_name: Vec<(&'a str, Node<'a>)>,
}

/// The messages below `prefix`, as JSON text; `None` when there are none.
pub(super) fn messages(attributes: &[(Arc<str>, Value)], prefix: &str) -> Option<String> {
    let mut root = Node::default();
    for (key, value) in attributes {
        let Some(path) = key
            .strip_prefix(prefix)
            .and_then(|rest| rest.strip_prefix('.'))
        else {
            continue;
        };
        if path.starts_with(|first: char| first.is_ascii_digit())
            && path.bytes().filter(|byte| *byte == b'.').count() < MAX_STEPS
        {
            root.insert(path, value);
        }
    }
    if root.by_index.is_empty() {
        return None;
    }
    Some(root.into_json().to_string())
}

impl<'a> Node<'a> {
    fn insert(&mut self, path: &'a str, value: &'a Value) {
        let mut node = self;
        for step in path.split('.').filter(|step| !WRAPPERS.contains(step)) {
            let index = step.parse().ok().filter(|index| *index <= MAX_INDEX);
            node = match index {
                Some(index) => node.by_index.entry(index).or_default(),
                None => node.named(step),
            };
        }
        node.leaf = Some(value);
    }

    fn named(&mut self, step: &'a str) -> &mut Node<'a> {
        let at = self.by_name.iter().position(|(name, _)| *name == step);
        let at = at.unwrap_or_else(|| {
            self.by_name.push((step, Node::default()));
            self.by_name.len() - 1
        });
        &mut self.by_name[at].1
    }

    fn into_json(self) -> Json {
        if self.by_name.is_empty() && !self.by_index.is_empty() {
            return self.by_index.into_values().map(Node::into_json).collect();
        }
        if self.by_name.is_empty() {
            return self.leaf.map_or(Json::Null, Value::to_json);
        }
        let mut map: Map<String, Json> = self
            .by_name
            .into_iter()
            .map(|(name, node)| (name.to_owned(), node.into_json()))
            .collect();
        for (index, node) in self.by_index {
            map.insert(index.to_string(), node.into_json());
        }
        Json::Object(map)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn attributes(pairs: &[(&str, &str)]) -> Vec<(Arc<str>, Value)> {
        pairs
            .iter()
            .map(|(key, text)| ((*key).into(), (*text).into()))
            .collect()
    }

    #[test]
    fn openinference_messages_come_together_in_the_order_of_their_numbers() {
        let attributes = attributes(&[
            ("llm.input_messages.10.message.content", "last"),
            (
                "llm.input_messages.2.message.tool_calls.0.tool_call.function.name",
                "find",
            ),
            ("llm.input_messages.2.message.role", "assistant"),
            ("llm.input_messages.0.message.role", "user"),
            (
                "llm.input_messages.0.message.contents.0.message_content.text",
                "hi",
            ),
        ]);
        let expected = concat!(
            r#"[{"role":"user","contents":[{"text":"hi"}]},"#,
            r#"{"tool_calls":[{"function":{"name":"find"}}],"role":"assistant"},"#,
            r#"{"content":"last"}]"#,
        );
        assert_eq!(
            messages(&attributes, "llm.input_messages").unwrap(),
            expected
        );
    }

    #[test]
    fn other_keys_below_the_prefix_are_no_messages() {
        let attributes = attributes(&[
            ("gen_ai.prompt.name", "p"),
            ("gen_ai.prompt", "[]"),
            ("gen_ai.prompts.0", "x"),
        ]);
        assert_eq!(messages(&attributes, "gen_ai.prompt"), None);
    }
}
