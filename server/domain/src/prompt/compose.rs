//! References put in their place, within bounds of depth and size.

use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;

use super::Prompt;
use super::content::{Content, Message};
use super::name::PromptName;
use super::reference::{Piece, Reference, pieces};
use crate::ids::PromptId;

/// How deep prompts stand within prompts.
pub const MAX_DEPTH: usize = 5;
/// Bytes of all texts that are put together for one prompt.
const MAX_BYTES: usize = 8 * 1024 * 1024;

/// What the references of a prompt mean, and those within them.
pub type Found = HashMap<Reference, Arc<Prompt>>;

/// A prompt whose references are in their place.
#[derive(Clone, Debug, PartialEq)]
pub struct Composed {
    /// What it says then.
    pub content: Content,
    /// Which prompts stand in which; `None` where none does.
    pub graph: Option<Graph>,
}

/// Which prompts stand in which.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Graph {
    /// The prompt that was asked for.
    pub root: Node,
    /// The prompts that stand in a prompt, by its id, the outermost first.
    pub dependencies: Vec<(PromptId, Vec<Node>)>,
}

/// A version in a graph.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Node {
    /// Its id.
    pub id: PromptId,
    /// Its name.
    pub name: PromptName,
    /// Its number.
    pub version: u32,
}

/// Why references cannot be put in their place.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Uncomposable {
    /// There is no such prompt.
    #[error("the prompt {0} that it refers to does not exist")]
    Missing(Reference),
    /// Only a text can stand in a text.
    #[error("the prompt {0} that it refers to is not a text prompt")]
    Chat(Reference),
    /// A prompt would stand in itself.
    #[error("it would stand in itself by way of {0}")]
    Cycle(Node),
    /// Too many prompts stand in one another.
    #[error("prompts stand in one another at most {MAX_DEPTH} deep")]
    Deep,
    /// The texts are too long, or there are too many.
    #[error("what it is put together from is too large")]
    Large,
}

/// Puts the references of a prompt in their place, and those within them.
///
/// # Errors
/// When one means nothing, or the whole has no end or is too deep or too large.
pub fn compose(root: &Prompt, found: &Found) -> Result<Composed, Uncomposable> {
    let mut composer = Composer {
        found,
        root: &root.name,
        path: vec![root.id],
        done: HashMap::new(),
        dependencies: Vec::new(),
        bytes: 0,
    };
    let place = composer.place_of(root.id);
    let content = match &root.content {
        Content::Text(text) => Content::Text(composer.expand(text, place)?.text),
        Content::Chat(messages) => {
            let messages = messages.iter().map(|message| match message {
                Message::Said { role, content } => Ok(Message::Said {
                    role: role.clone(),
                    content: composer.expand(content, place)?.text,
                }),
                Message::Placeholder { .. } => Ok(message.clone()),
            });
            Content::Chat(messages.collect::<Result<_, _>>()?)
        }
    };
    let dependencies = composer.dependencies;
    let none = dependencies.iter().all(|(_, nodes)| nodes.is_empty());
    let graph = (!none).then(|| Graph {
        root: Node::of(root),
        dependencies: dependencies
            .into_iter()
            .filter(|(_, nodes)| !nodes.is_empty())
            .collect(),
    });
    Ok(Composed { content, graph })
}

struct Composer<'f> {
    found: &'f Found,
    root: &'f PromptName,
    /// The prompts that are being put together, the outermost first.
    path: Vec<PromptId>,
    /// Each is put together once, however often it is meant.
    done: HashMap<PromptId, Arc<Expanded>>,
    dependencies: Vec<(PromptId, Vec<Node>)>,
    bytes: usize,
}

/// A text with its references in their place, and how deep they go.
struct Expanded {
    text: String,
    depth: usize,
}

impl Composer<'_> {
    fn place_of(&mut self, id: PromptId) -> usize {
        self.dependencies.push((id, Vec::new()));
        self.dependencies.len() - 1
    }

    /// `place` is where the prompts that stand in the text are noted.
    fn expand(&mut self, text: &str, place: usize) -> Result<Expanded, Uncomposable> {
        let mut whole = Expanded {
            text: String::new(),
            depth: 0,
        };
        for piece in pieces(text) {
            match piece {
                Piece::Text(text) => self.append(&mut whole.text, text)?,
                Piece::Reference(reference) => {
                    let inner = self.resolve(&reference, place)?;
                    self.append(&mut whole.text, &inner.text)?;
                    whole.depth = whole.depth.max(inner.depth + 1);
                }
            }
        }
        // One that was put together nearer to the surface may be too deep here.
        if self.path.len() - 1 + whole.depth > MAX_DEPTH {
            return Err(Uncomposable::Deep);
        }
        Ok(whole)
    }

    fn resolve(
        &mut self,
        reference: &Reference,
        place: usize,
    ) -> Result<Arc<Expanded>, Uncomposable> {
        let prompt = self.found.get(reference);
        let prompt = prompt.ok_or_else(|| Uncomposable::Missing(reference.clone()))?;
        let Content::Text(text) = &prompt.content else {
            return Err(Uncomposable::Chat(reference.clone()));
        };
        if prompt.name == *self.root || self.path.contains(&prompt.id) {
            return Err(Uncomposable::Cycle(Node::of(prompt)));
        }
        let node = Node::of(prompt);
        let siblings = &mut self.dependencies[place].1;
        if !siblings.contains(&node) {
            siblings.push(node);
        }
        if let Some(done) = self.done.get(&prompt.id) {
            return Ok(Arc::clone(done));
        }
        if self.path.len() > MAX_DEPTH {
            return Err(Uncomposable::Deep);
        }
        self.path.push(prompt.id);
        let place = self.place_of(prompt.id);
        let expanded = Arc::new(self.expand(text, place)?);
        self.path.pop();
        self.done.insert(prompt.id, Arc::clone(&expanded));
        Ok(expanded)
    }

    fn append(&mut self, whole: &mut String, text: &str) -> Result<(), Uncomposable> {
        self.bytes += text.len();
        if self.bytes > MAX_BYTES {
            return Err(Uncomposable::Large);
        }
        whole.push_str(text);
        Ok(())
    }
}

impl Node {
    /// The node of a prompt.
    pub fn of(prompt: &Prompt) -> Self {
        Node {
            id: prompt.id,
            name: prompt.name.clone(),
            version: prompt.version,
        }
    }
}

impl fmt::Display for Node {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} version {}", self.name, self.version)
    }
}
