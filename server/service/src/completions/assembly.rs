//! What came so far, put together: both interfaces tell of an answer piece by piece.

use std::collections::BTreeMap;

use domain::message::{Message, Part, Role};
use domain::span::Usage;
use serde_json::Value as Json;

/// A piece of an answer.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Delta {
    /// More words.
    Text(String),
    /// More thoughts.
    Reasoning(String),
    /// More of the call of a tool, by its place.
    Call {
        at: u64,
        id: Option<String>,
        name: Option<String>,
        arguments: String,
    },
    /// Why the model stopped.
    Finish(String),
    /// Tokens by kind, disjoint; a later word on a kind goes before an earlier one.
    Tokens(BTreeMap<String, u64>),
    /// The model that answers.
    Model(String),
    /// The provider's id of the answer.
    Id(String),
    /// It failed on the way.
    Failed(String),
    /// There is no more.
    End,
}

/// The call of a tool.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Call {
    /// Ties the result to it.
    pub id: String,
    /// Name of the tool.
    pub name: String,
    /// Its arguments, as the model wrote them.
    pub arguments: String,
}

/// An answer.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Assembled {
    /// Its words.
    pub text: String,
    /// Thoughts before them.
    pub reasoning: String,
    /// Calls of tools, in order.
    pub calls: Vec<Call>,
    /// Why the model stopped.
    pub finish_reason: Option<String>,
    /// The model that answered.
    pub model: Option<String>,
    /// The provider's id of it.
    pub id: Option<String>,
    pub(super) tokens: BTreeMap<String, u64>,
    pub(super) places: Vec<u64>,
}

/// Most calls of tools that are taken of one answer.
const MAX_CALLS: usize = 256;

impl Assembled {
    /// Takes a piece.
    pub(super) fn take(&mut self, delta: &Delta) {
        match delta {
            Delta::Text(text) => self.text.push_str(text),
            Delta::Reasoning(text) => self.reasoning.push_str(text),
            Delta::Call {
                at,
                id,
                name,
                arguments,
            } => {
                let known = self.places.iter().position(|place| place == at);
                let place = known.unwrap_or_else(|| {
                    self.places.push(*at);
                    self.calls.push(Call::default());
                    self.calls.len() - 1
                });
                if place >= MAX_CALLS {
                    return;
                }
                let call = &mut self.calls[place];
                call.id.push_str(id.as_deref().unwrap_or_default());
                call.name.push_str(name.as_deref().unwrap_or_default());
                call.arguments.push_str(arguments);
            }
            Delta::Finish(reason) => self.finish_reason = Some(reason.clone()),
            Delta::Tokens(tokens) => self.tokens.extend(tokens.clone()),
            Delta::Model(model) => self.model = Some(model.clone()),
            Delta::Id(id) => self.id = Some(id.clone()),
            Delta::Failed(_) | Delta::End => {}
        }
    }

    /// Whether anything was said.
    pub fn is_empty(&self) -> bool {
        self.text.is_empty() && self.calls.is_empty() && self.reasoning.is_empty()
    }

    /// Tokens, where any were told.
    pub(super) fn usage(&self) -> Option<Usage> {
        if self.tokens.is_empty() {
            return None;
        }
        let sum = |kinds: fn(&str) -> bool| {
            let counts = self.tokens.iter().filter(|(kind, _)| kinds(kind));
            counts.fold(0_u64, |sum, (_, count)| sum.saturating_add(*count))
        };
        let input = sum(|kind| kind == "input" || kind.starts_with("cache_"));
        let output = sum(|kind| kind == "output" || kind == "reasoning");
        Some(Usage {
            input_tokens: Some(input),
            output_tokens: Some(output),
            total_tokens: Some(input.saturating_add(output)),
            details: self.tokens.clone(),
            ..Usage::default()
        })
    }

    /// The answer as a message.
    pub fn message(&self) -> Message {
        let mut parts = Vec::new();
        if !self.reasoning.is_empty() {
            parts.push(Part::Reasoning {
                content: self.reasoning.clone(),
            });
        }
        if !self.text.is_empty() {
            parts.push(Part::Text {
                content: self.text.clone(),
            });
        }
        parts.extend(self.calls.iter().map(|call| Part::ToolCall {
            id: (!call.id.is_empty()).then(|| call.id.clone()),
            name: call.name.clone(),
            arguments: match serde_json::from_str(&call.arguments) {
                Ok(json) => json,
                Err(_) => Json::from(call.arguments.as_str()),
            },
        }));
        Message {
            finish_reason: self.finish_reason.clone(),
            ..Message::new(Role::Assistant, parts)
        }
    }

    /// The answer as one text, to be laid beside another: its words, then its calls.
    pub fn in_words(&self) -> String {
        let calls = self.calls.iter();
        let calls = calls.map(|call| format!("{}({})", call.name, call.arguments));
        let text = Some(self.text.clone()).filter(|text| !text.is_empty());
        let all: Vec<String> = text.into_iter().chain(calls).collect();
        all.join("\n")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_is_put_together_of_its_pieces() {
        let mut answer = Assembled::default();
        let call = |at, id: Option<&str>, name: Option<&str>, arguments: &str| Delta::Call {
            at,
            id: id.map(str::to_owned),
            name: name.map(str::to_owned),
            arguments: arguments.to_owned(),
        };
        for delta in [
            Delta::Text("Hel".to_owned()),
            Delta::Text("lo".to_owned()),
            call(1, Some("c1"), Some("find"), ""),
            call(4, Some("c2"), Some("look"), "{}"),
            call(1, None, None, "{\"q\":"),
            call(1, None, None, "1}"),
            Delta::Tokens([("input".to_owned(), 7), ("cache_read".to_owned(), 3)].into()),
            Delta::Tokens([("output".to_owned(), 2)].into()),
            Delta::Finish("tool_calls".to_owned()),
        ] {
            answer.take(&delta);
        }
        assert_eq!(answer.in_words(), "Hello\nfind({\"q\":1})\nlook({})");
        let usage = answer.usage().unwrap();
        assert_eq!(
            (usage.input_tokens, usage.output_tokens),
            (Some(10), Some(2))
        );
        let message = answer.message();
        assert_eq!(message.parts.len(), 3);
        assert_eq!(message.finish_reason.as_deref(), Some("tool_calls"));
        assert_eq!(Assembled::default().usage(), None);
    }
}
