//! Attributes by key, fast: a span has some forty attributes and the dialects ask for hundreds of
//! keys, most of which are not there.

use std::sync::Arc;

use domain::Value;

/// A key that dialects ask for, hashed when the program is compiled.
#[derive(Clone, Copy, Debug)]
pub(super) struct Key {
    pub(super) name: &'static str,
    hash: u64,
}

impl Key {
    pub(super) const fn new(name: &'static str) -> Self {
        Key {
            name,
            hash: hash(name.as_bytes()),
        }
    }
}

/// A list of keys, best first.
macro_rules! keys {
    ($($name:expr),* $(,)?) => {
        const { &[$($crate::normalise::lookup::Key::new($name)),*] }
    };
}
pub(super) use keys;

/// One bit for each first word of a key that dialects are recognised by.
pub(super) type Families = u32;

/// The families.
pub(super) mod family {
    use super::Families;

    pub(in crate::normalise) const GEN_AI: Families = 1;
    pub(in crate::normalise) const LANGFUSE: Families = 1 << 1;
    /// `llm.…`, which OpenInference, OpenLLMetry and our own keys share.
    pub(in crate::normalise) const LLM: Families = 1 << 2;
    /// The other words of OpenInference.
    pub(in crate::normalise) const OPENINFERENCE: Families = 1 << 3;
    pub(in crate::normalise) const TRACELOOP: Families = 1 << 4;
    pub(in crate::normalise) const AI: Families = 1 << 5;
    pub(in crate::normalise) const MLFLOW: Families = 1 << 6;
    pub(in crate::normalise) const LANGSMITH: Families = 1 << 7;
    pub(in crate::normalise) const PYDANTIC_AI: Families = 1 << 8;
    pub(in crate::normalise) const GCP: Families = 1 << 9;
    pub(in crate::normalise) const AGENTOPS: Families = 1 << 10;
    pub(in crate::normalise) const HAYSTACK: Families = 1 << 11;

    pub(super) fn of(key: &str) -> Families {
        let end = key
            .bytes()
            .position(|byte| byte == b'.')
            .unwrap_or(key.len());
        match &key.as_bytes()[..end] {
            b"gen_ai" => GEN_AI,
            b"langfuse" => LANGFUSE,
            b"llm" => LLM,
            b"openinference" | b"input" | b"output" | b"embedding" | b"reranker" | b"retrieval"
            | b"tool" | b"metadata" | b"tag" | b"prompt" => OPENINFERENCE,
            b"traceloop" => TRACELOOP,
            b"ai" => AI,
            b"operation" => AI | PYDANTIC_AI,
            b"mlflow" => MLFLOW,
            b"langsmith" => LANGSMITH,
            b"pydantic_ai"
            | b"logfire"
            | b"all_messages_events"
            | b"final_result"
            | b"model_name"
            | b"tool_arguments"
            | b"tool_response"
            | b"request_data"
            | b"response_data" => PYDANTIC_AI,
            b"gcp" => GCP,
            b"agentops" => AGENTOPS,
            b"haystack" => HAYSTACK,
            _ => 0,
        }
    }
}

/// An index over attributes. Where a key came twice, the last one counts.
pub(super) struct Lookup<'s> {
    pub(super) attributes: &'s [(Arc<str>, Value)],
    pub(super) families: Families,
    /// Index of an attribute plus one; 0 is free. A power of two, at most half full.
    slots: Vec<u16>,
}

impl<'s> Lookup<'s> {
    pub(super) fn new(attributes: &'s [(Arc<str>, Value)]) -> Self {
        // The decoder keeps no more attributes than fit into 16 bits.
        let attributes = &attributes[..attributes.len().min(usize::from(u16::MAX) / 2)];
        let mut lookup = Lookup {
            attributes,
            families: 0,
            slots: vec![0; (attributes.len() * 2).next_power_of_two().max(8)],
        };
        for (index, (key, _)) in attributes.iter().enumerate() {
            lookup.families |= family::of(key);
            let slot = lookup.slot(hash(key.as_bytes()), key);
            lookup.slots[slot] = u16::try_from(index + 1).unwrap_or(0);
        }
        lookup
    }

    pub(super) fn get(&self, key: Key) -> Option<&'s Value> {
        self.pair(key).map(|(_, value)| value)
    }

    /// The value with the key as it came.
    pub(super) fn pair(&self, key: Key) -> Option<&'s (Arc<str>, Value)> {
        let slot = self.slot(key.hash, key.name);
        self.attributes
            .get(usize::from(self.slots[slot].checked_sub(1)?))
    }

    /// The first of the keys whose value is not empty.
    pub(super) fn first(&self, keys: &[Key]) -> Option<(Key, &'s Value)> {
        keys.iter()
            .find_map(|&key| Some((key, self.get(key).filter(|value| !is_empty(value))?)))
    }

    /// The first of the keys whose value is a text and not empty.
    pub(super) fn text(&self, keys: &[Key]) -> Option<(Key, &'s str)> {
        keys.iter().find_map(|&key| {
            let value = self.get(key).filter(|value| !is_empty(value))?;
            Some((key, value.as_str()?))
        })
    }

    /// Where the key stands, or where it would stand.
    fn slot(&self, hash: u64, key: &str) -> usize {
        let mask = self.slots.len() - 1;
        #[expect(
            clippy::cast_possible_truncation,
            reason = "only the low bits are used"
        )]
        let mut slot = hash as usize & mask;
        loop {
            match usize::from(self.slots[slot]).checked_sub(1) {
                Some(index) if *self.attributes[index].0 != *key => slot = (slot + 1) & mask,
                _ => return slot,
            }
        }
    }
}

/// What Logfire puts in place of what it takes for a secret.
const SCRUBBED: &str = "[Scrubbed due to ";

/// Nothing was said: absent content, or what careless serialisers make of it.
pub(super) fn is_empty(value: &Value) -> bool {
    match value {
        Value::Str(text) => {
            matches!(&**text, "" | "null" | "\"null\"" | "None") || text.starts_with(SCRUBBED)
        }
        Value::Array(values) => values.is_empty(),
        Value::Map(pairs) => pairs.is_empty(),
        Value::Bytes(bytes) => bytes.is_empty(),
        Value::Null => true,
        Value::Int(_) | Value::Double(_) | Value::Bool(_) => false,
    }
}

const fn hash(mut bytes: &[u8]) -> u64 {
    const MULTIPLIER: u64 = 0x9e37_79b9_7f4a_7c15;
    let mut hash = bytes.len() as u64;
    while let Some((word, rest)) = bytes.split_first_chunk::<8>() {
        hash = (hash.rotate_left(5) ^ u64::from_le_bytes(*word)).wrapping_mul(MULTIPLIER);
        bytes = rest;
    }
    let mut tail = 0;
    while let Some((byte, rest)) = bytes.split_first() {
        tail = (tail << 8) | *byte as u64;
        bytes = rest;
    }
    hash = (hash.rotate_left(5) ^ tail).wrapping_mul(MULTIPLIER);
    hash ^ (hash >> 32)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_key_is_found_and_the_last_of_two_counts() {
        let mut attributes: Vec<(Arc<str>, Value)> = (0..10_000)
            .map(|n| (format!("key.{n}").into(), Value::Int(n)))
            .collect();
        attributes.push(("key.7".into(), Value::Int(-7)));
        let lookup = Lookup::new(&attributes);
        assert_eq!(lookup.get(Key::new("key.7")), Some(&Value::Int(-7)));
        assert_eq!(lookup.get(Key::new("key.9999")), Some(&Value::Int(9_999)));
        assert_eq!(lookup.get(Key::new("key.10000")), None);
        assert!(Lookup::new(&[]).get(Key::new("x")).is_none());
    }
}
