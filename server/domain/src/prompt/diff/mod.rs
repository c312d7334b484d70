//! What two versions of a prompt differ in.

/// Texts line by line.
mod lines;
/// How far one follows the other, in tokens.
mod prefix;
/// Messages beside each other.
mod sides;
/// Texts word by word.
mod words;

#[cfg(test)]
mod tests;

use std::collections::BTreeSet;

use serde_json::{Map, Value, json};
use similar::{Algorithm, DiffOp, capture_diff_slices};

pub use lines::{Line, Row, rows};
pub use prefix::{Prefix, prefix};
pub use sides::{Beside, beside};
pub use words::{Edit, Stretch, words};

use super::Prompt;
use super::content::{Content, Message};
use super::variable::variables;
use crate::span::named_enum;

/// Most messages of a version that are matched by what they say; of more, each is compared with that of its number.
const MOST_MATCHED: usize = 2_000;

named_enum!(
    /// What a change does, as JSON Patch (RFC 6902) has it.
    Op, default Replace {
        /// Something is there that was not.
        Add = "add",
        /// Something is not there any more.
        Remove = "remove",
        /// Something is otherwise.
        Replace = "replace",
    }
);

/// One change.
#[derive(Clone, Debug, PartialEq)]
pub struct Change {
    /// What it does.
    pub op: Op,
    /// Where, as a JSON Pointer (RFC 6901): `/prompt` of a text; `/prompt/2`, `/prompt/2/role`, `/prompt/2/content` of a
    /// chat; `/variables/NAME`, which follow from these; `/config/…`. Numbers of messages are those of the new version, of
    /// what is removed those of the old one.
    pub path: String,
    /// What it was.
    pub old: Option<Value>,
    /// What it is.
    pub new: Option<Value>,
    /// How one text became the other, of texts.
    pub words: Vec<Stretch>,
}

/// A version's text with what goes along with it.
#[derive(Clone, Copy, Debug)]
pub struct Version<'p> {
    /// What it says.
    pub content: &'p Content,
    /// What goes along with it.
    pub config: &'p Value,
}

impl<'p> Version<'p> {
    /// Of a prompt.
    pub fn of(prompt: &'p Prompt) -> Self {
        Version {
            content: &prompt.content,
            config: &prompt.config,
        }
    }
}

/// All changes from one version to another: messages, variables, configuration, each in its order.
pub fn changes(old: Version<'_>, new: Version<'_>) -> Vec<Change> {
    let mut changes = Vec::new();
    match (old.content, new.content) {
        (Content::Text(before), Content::Text(after)) => {
            changes.extend(text("/prompt".to_owned(), before, after));
        }
        (Content::Chat(before), Content::Chat(after)) => messages(before, after, &mut changes),
        // All versions of a name are of one kind.
        (before, after) => changes.push(replaced(
            "/prompt".to_owned(),
            content(before),
            content(after),
        )),
    }
    names(old.content, new.content, &mut changes);
    config("/config", old.config, new.config, &mut changes);
    changes
}

fn added(path: String, new: Value) -> Change {
    Change {
        op: Op::Add,
        path,
        old: None,
        new: Some(new),
        words: Vec::new(),
    }
}

fn removed(path: String, old: Value) -> Change {
    Change {
        op: Op::Remove,
        path,
        old: Some(old),
        new: None,
        words: Vec::new(),
    }
}

fn replaced(path: String, old: Value, new: Value) -> Change {
    Change {
        op: Op::Replace,
        path,
        old: Some(old),
        new: Some(new),
        words: Vec::new(),
    }
}

fn text(path: String, old: &str, new: &str) -> Option<Change> {
    (old != new).then(|| Change {
        words: words(old, new),
        ..replaced(path, json!(old), json!(new))
    })
}

fn content(content: &Content) -> Value {
    match content {
        Content::Text(text) => json!(text),
        Content::Chat(messages) => messages.iter().map(whole).collect(),
    }
}

fn whole(message: &Message) -> Value {
    match message {
        Message::Said { role, content } => json!({ "role": role, "content": content }),
        Message::Placeholder { name } => json!({ "type": "placeholder", "name": name }),
    }
}

/// Messages that are the same are found wherever they stand; what lies between two such is compared in its order.
fn messages(old: &[Message], new: &[Message], changes: &mut Vec<Change>) {
    if old.len().max(new.len()) > MOST_MATCHED {
        return pairs((0, old), (0, new), changes);
    }
    for op in capture_diff_slices(Algorithm::Myers, old, new) {
        if !matches!(op, DiffOp::Equal { .. }) {
            let (before, after) = (op.old_range(), op.new_range());
            pairs(
                (before.start, &old[before]),
                (after.start, &new[after]),
                changes,
            );
        }
    }
}

/// One by one; what one side has more of goes or comes. Each with the number of its first.
fn pairs(
    (old_begin, old): (usize, &[Message]),
    (new_begin, new): (usize, &[Message]),
    changes: &mut Vec<Change>,
) {
    for at in 0..old.len().max(new.len()) {
        let path = format!("/prompt/{}", new_begin + at);
        match (old.get(at), new.get(at)) {
            (Some(before), Some(after)) => message(path, before, after, changes),
            (Some(before), None) => {
                let path = format!("/prompt/{}", old_begin + at);
                changes.push(removed(path, whole(before)));
            }
            (None, Some(after)) => changes.push(added(path, whole(after))),
            (None, None) => {}
        }
    }
}

fn message(path: String, old: &Message, new: &Message, changes: &mut Vec<Change>) {
    match (old, new) {
        (
            Message::Said { role, content },
            Message::Said {
                role: new_role,
                content: new_content,
            },
        ) => {
            if role != new_role {
                let path = format!("{path}/role");
                changes.push(replaced(path, json!(role), json!(new_role)));
            }
            changes.extend(text(format!("{path}/content"), content, new_content));
        }
        _ if old == new => {}
        _ => changes.push(replaced(path, whole(old), whole(new))),
    }
}

fn names(old: &Content, new: &Content, changes: &mut Vec<Change>) {
    let of = |content: &Content| -> BTreeSet<String> {
        let names = content.texts().flat_map(variables);
        names.map(str::to_owned).collect()
    };
    let (before, after) = (of(old), of(new));
    let path = |name: &String| format!("/variables/{name}");
    let gone = before.difference(&after);
    changes.extend(gone.map(|name| removed(path(name), json!(name))));
    let come = after.difference(&before);
    changes.extend(come.map(|name| added(path(name), json!(name))));
}

fn config(path: &str, old: &Value, new: &Value, changes: &mut Vec<Change>) {
    match (old, new) {
        (Value::Object(before), Value::Object(after)) => fields(path, before, after, changes),
        (Value::String(before), Value::String(after)) => {
            changes.extend(text(path.to_owned(), before, after));
        }
        _ if old == new => {}
        _ => changes.push(replaced(path.to_owned(), old.clone(), new.clone())),
    }
}

fn fields(
    path: &str,
    old: &Map<String, Value>,
    new: &Map<String, Value>,
    changes: &mut Vec<Change>,
) {
    let of = |key: &str| format!("{path}/{}", key.replace('~', "~0").replace('/', "~1"));
    for (key, before) in old {
        match new.get(key) {
            Some(after) => config(&of(key), before, after, changes),
            None => changes.push(removed(of(key), before.clone())),
        }
    }
    for (key, after) in new.iter().filter(|(key, _)| !old.contains_key(*key)) {
        changes.push(added(of(key), after.clone()));
    }
}
