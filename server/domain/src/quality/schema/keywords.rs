//! Which schemas a schema applies, and to what: its keywords, read without compiling them.

use std::collections::HashMap;

use serde_json::Value;

use super::SchemaError;

/// One schema: the whole, or one inside it.
#[derive(Default)]
pub(super) struct Node {
    /// Work for one value, about one for each comparison.
    pub(super) weight: u64,
    /// Schemas that it applies to the same value.
    pub(super) in_place: Vec<usize>,
    /// How often its schemas in place run: `unevaluated…` asks them once more.
    pub(super) times: u64,
}

/// From a schema to one that it applies to a value below.
pub(super) struct Step {
    /// Which value: 0 is any, others are names or places.
    pub(super) key: usize,
    pub(super) from: usize,
    pub(super) to: usize,
}

/// All schemas that the root comes to apply, the root first, and the steps from one to another below.
pub(super) fn read(root: &Value) -> Result<(Vec<Node>, Vec<Step>), SchemaError> {
    let draft = root.get("$schema").and_then(Value::as_str);
    if draft.is_some_and(|draft| draft.contains("draft-04")) {
        return Err(SchemaError::Reference("draft 4".to_owned()));
    }
    if let Some(keyword) = opaque_below(root) {
        return Err(SchemaError::Reference(keyword.to_owned()));
    }
    let mut walk = Walk::default();
    walk.index(root);
    let mut nodes = Vec::new();
    while let Some(&schema) = walk.found.get(nodes.len()) {
        let node = walk.node(nodes.len(), schema, root)?;
        nodes.push(node);
    }
    Ok((nodes, walk.below))
}

/// How many patterns there are, used or not.
pub(super) fn patterns(value: &Value) -> usize {
    match value {
        Value::Array(items) => items.iter().map(patterns).sum(),
        Value::Object(members) => {
            let here = members
                .iter()
                .map(|(keyword, value)| match keyword.as_str() {
                    "pattern" => usize::from(value.is_string()),
                    "patternProperties" => value.as_object().map_or(0, serde_json::Map::len),
                    _ => 0,
                });
            here.sum::<usize>() + members.values().map(patterns).sum::<usize>()
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => 0,
    }
}

/// Keywords whose schemas apply to the same value.
const IN_PLACE: [&str; 10] = [
    "allOf",
    "anyOf",
    "oneOf",
    "not",
    "if",
    "then",
    "else",
    "dependentSchemas",
    "dependencies",
    "propertyNames",
];
/// Keywords whose schemas apply to any value below.
const BELOW: [&str; 7] = [
    "items",
    "additionalItems",
    "unevaluatedItems",
    "contains",
    "patternProperties",
    "additionalProperties",
    "unevaluatedProperties",
];
/// Keywords whose schemas each apply to one value below, told by name or place.
const BELOW_BY_KEY: [&str; 2] = ["properties", "prefixItems"];
/// Keywords that hold schemas by name; the others hold one or a list.
const BY_NAME: [&str; 4] = [
    "properties",
    "patternProperties",
    "dependentSchemas",
    "dependencies",
];
/// Keywords that run through texts.
const RUNS_PATTERNS: [&str; 3] = ["pattern", "patternProperties", "format"];
/// Keywords by which a reference can mean something that a JSON pointer does not show.
const OPAQUE: [&str; 4] = ["$id", "$dynamicRef", "$recursiveRef", "$schema"];

/// The schemas found so far, each once.
#[derive(Default)]
struct Walk<'a> {
    found: Vec<&'a Value>,
    by_address: HashMap<*const Value, usize>,
    keys: HashMap<String, usize>,
    below: Vec<Step>,
}

impl<'a> Walk<'a> {
    fn index(&mut self, schema: &'a Value) -> usize {
        let next = self.found.len();
        let index = *self.by_address.entry(schema).or_insert(next);
        if index == next {
            self.found.push(schema);
        }
        index
    }

    fn node(
        &mut self,
        from: usize,
        schema: &'a Value,
        root: &'a Value,
    ) -> Result<Node, SchemaError> {
        let mut node = Node {
            weight: 1,
            times: 1,
            ..Node::default()
        };
        let Value::Object(keywords) = schema else {
            return Ok(node);
        };
        for (keyword, value) in keywords {
            let keyword = keyword.as_str();
            node.weight += weight(keyword, value);
            if keyword == "$ref" {
                node.in_place.push(self.index(target(root, value)?));
            } else if IN_PLACE.contains(&keyword) {
                for (_, schema) in schemas(keyword, value) {
                    node.in_place.push(self.index(schema));
                }
            } else if BELOW.contains(&keyword) {
                node.times += u64::from(keyword.starts_with("unevaluated"));
                for (_, schema) in schemas(keyword, value) {
                    let to = self.index(schema);
                    self.below.push(Step { to, key: 0, from });
                }
            } else if BELOW_BY_KEY.contains(&keyword) {
                for (name, schema) in schemas(keyword, value) {
                    let next = self.keys.len() + 1;
                    let key = *self.keys.entry(name).or_insert(next);
                    let to = self.index(schema);
                    self.below.push(Step { to, key, from });
                }
            }
        }
        Ok(node)
    }
}

/// Work that a keyword makes of one value: each member may be compared, and each pattern be run.
fn weight(keyword: &str, value: &Value) -> u64 {
    let members = match value {
        Value::Array(list) => list.len(),
        Value::Object(members) => members.len(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => 1,
    };
    let each = if RUNS_PATTERNS.contains(&keyword) {
        10
    } else {
        1
    };
    1 + each * members as u64
}

/// The schemas that a keyword holds, each with its name or place.
fn schemas<'a>(keyword: &str, value: &'a Value) -> Vec<(String, &'a Value)> {
    match value {
        Value::Array(list) => {
            let places = list.iter().enumerate();
            places
                .map(|(place, schema)| (place.to_string(), schema))
                .collect()
        }
        Value::Object(members) if BY_NAME.contains(&keyword) => {
            let named = members.iter();
            named.map(|(name, schema)| (name.clone(), schema)).collect()
        }
        one => vec![(String::new(), one)],
    }
}

/// What a `$ref` means: a part of the schema by JSON pointer (RFC 6901) without percent signs.
fn target<'a>(root: &'a Value, reference: &Value) -> Result<&'a Value, SchemaError> {
    let pointer = reference.as_str().and_then(|text| text.strip_prefix('#'));
    pointer
        .filter(|pointer| !pointer.contains('%'))
        .and_then(|pointer| root.pointer(pointer))
        .ok_or_else(|| SchemaError::Reference("a reference to elsewhere".to_owned()))
}

/// A keyword below the root that would change what references mean. Everything is searched, because a
/// reference may point anywhere; a property of that name is a schema, not a text, and does no harm.
fn opaque_below(value: &Value) -> Option<&'static str> {
    let inner: Vec<&Value> = match value {
        Value::Array(items) => items.iter().collect(),
        Value::Object(members) => members.values().collect(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => return None,
    };
    inner.into_iter().find_map(|inner| {
        let here = |keyword: &&str| inner.get(keyword).is_some_and(Value::is_string);
        OPAQUE
            .into_iter()
            .find(here)
            .or_else(|| opaque_below(inner))
    })
}
