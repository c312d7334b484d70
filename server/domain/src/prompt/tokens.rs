//! Prompts as tokens, as a model reads them.
//!
//! Of OpenAI's models the vocabularies are public and here. Of others we have none: they are counted with the newest of
//! these, which differs by some percent, and say so.

use super::content::{Content, Message};
use super::variable::{Stretch, stretches};
use crate::span::named_enum;

named_enum!(
    /// A vocabulary.
    Tokenizer, default O200kBase {
        /// Of GPT-4o and later models of OpenAI.
        O200kBase = "o200k_base",
        /// Of GPT-4, GPT-3.5 and embeddings of their time.
        Cl100kBase = "cl100k_base",
    }
);

/// Begins of names of models with a vocabulary; of several that fit the first counts.
const MODELS: &[(&str, Tokenizer)] = &[
    ("gpt-4o", Tokenizer::O200kBase),
    ("gpt-4.1", Tokenizer::O200kBase),
    ("gpt-4.5", Tokenizer::O200kBase),
    ("chatgpt-4o", Tokenizer::O200kBase),
    ("gpt-5", Tokenizer::O200kBase),
    ("gpt-oss", Tokenizer::O200kBase),
    ("o1", Tokenizer::O200kBase),
    ("o3", Tokenizer::O200kBase),
    ("o4-mini", Tokenizer::O200kBase),
    ("gpt-4", Tokenizer::Cl100kBase),
    ("gpt-3.5", Tokenizer::Cl100kBase),
    ("gpt-35", Tokenizer::Cl100kBase),
];

impl Tokenizer {
    /// The vocabulary of a model, and whether it is the model's own.
    pub fn of_model(model: Option<&str>) -> (Self, bool) {
        let model = model.unwrap_or_default().to_lowercase();
        let name = model.rsplit('/').next().unwrap_or_default();
        let is_of = |known: &str| {
            let rest = name.strip_prefix(known);
            rest.is_some_and(|rest| !rest.starts_with(|c: char| c.is_ascii_alphanumeric()))
        };
        let found = MODELS.iter().find(|(known, _)| is_of(known));
        found.map_or((Tokenizer::default(), false), |(_, own)| (*own, true))
    }

    fn encode(self, text: &str) -> Vec<u32> {
        let tokenizer = match self {
            Tokenizer::O200kBase => bpe_openai::o200k_base(),
            Tokenizer::Cl100kBase => bpe_openai::cl100k_base(),
        };
        tokenizer.encode(text)
    }
}

/// A piece of a prompt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Piece<'p> {
    /// A token of a text.
    Text(u32),
    /// One that stands between messages: where one begins, where its text begins, where it ends. Formats of chats differ;
    /// these three are those of OpenAI's.
    Mark(Mark),
    /// What is filled in when the prompt is used; how many tokens that is nobody knows.
    Slot(&'p str),
}

/// A token between texts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mark {
    Begin,
    Text,
    End,
}

/// The pieces of a prompt in the order in which a model reads them.
pub(super) fn pieces(content: &Content, tokenizer: Tokenizer) -> Vec<Piece<'_>> {
    let mut pieces = Vec::new();
    match content {
        Content::Text(text) => spread(text, tokenizer, &mut pieces),
        Content::Chat(messages) => {
            for message in messages {
                match message {
                    Message::Said { role, content } => {
                        pieces.push(Piece::Mark(Mark::Begin));
                        pieces.extend(tokenizer.encode(role).into_iter().map(Piece::Text));
                        pieces.push(Piece::Mark(Mark::Text));
                        spread(content, tokenizer, &mut pieces);
                        pieces.push(Piece::Mark(Mark::End));
                    }
                    Message::Placeholder { name } => pieces.push(Piece::Slot(name)),
                }
            }
        }
    }
    pieces
}

fn spread<'p>(text: &'p str, tokenizer: Tokenizer, pieces: &mut Vec<Piece<'p>>) {
    for stretch in stretches(text) {
        match stretch {
            Stretch::Text(text) => {
                pieces.extend(tokenizer.encode(text).into_iter().map(Piece::Text));
            }
            Stretch::Variable(name) => pieces.push(Piece::Slot(name)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn models_have_their_own_vocabulary_or_say_that_they_do_not() {
        let of = |model| Tokenizer::of_model(Some(model));
        for own in ["gpt-4o-mini", "openai/gpt-4.1", "GPT-5", "o3", "o1-preview"] {
            assert_eq!(of(own), (Tokenizer::O200kBase, true), "{own}");
        }
        for own in ["gpt-4", "gpt-4-turbo", "gpt-3.5-turbo-0125", "gpt-35-turbo"] {
            assert_eq!(of(own), (Tokenizer::Cl100kBase, true), "{own}");
        }
        for other in ["qwen3-32b", "gpt-40", "o11", "claude-sonnet-4", ""] {
            assert_eq!(of(other), (Tokenizer::O200kBase, false), "{other}");
        }
        assert_eq!(Tokenizer::of_model(None), (Tokenizer::O200kBase, false));
    }

    #[test]
    fn tokens_are_those_of_tiktoken() {
        // tiktoken.get_encoding(name).encode("hello world")
        let text = "hello world";
        assert_eq!(Tokenizer::Cl100kBase.encode(text), [15339, 1917]);
        assert_eq!(Tokenizer::O200kBase.encode(text), [24912, 2375]);
    }

    #[test]
    fn variables_and_placeholders_are_no_tokens() {
        let content = Content::Chat(vec![
            Message::Said {
                role: "system".to_owned(),
                content: "hello world{{name}}".to_owned(),
            },
            Message::Placeholder {
                name: "history".to_owned(),
            },
        ]);
        let found = pieces(&content, Tokenizer::Cl100kBase);
        let expected = [
            Piece::Mark(Mark::Begin),
            Piece::Text(9125),
            Piece::Mark(Mark::Text),
            Piece::Text(15339),
            Piece::Text(1917),
            Piece::Slot("name"),
            Piece::Mark(Mark::End),
            Piece::Slot("history"),
        ];
        assert_eq!(found, expected);
    }
}
