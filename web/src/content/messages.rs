//! Conversations: messages with roles, parts and tool calls, in the shapes that models and
//! conventions use. Whatever a message holds that is not understood is shown as JSON.

use super::head;
use super::json::{self, Json, Node, Token};

/// One message of a conversation.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Message {
    /// Who speaks: `system`, `user`, `assistant`, `tool` or another word, as sent.
    pub(crate) role: String,
    /// A name beside the role.
    pub(crate) name: Option<String>,
    /// What is said, in order.
    pub(crate) parts: Vec<Part>,
}

/// A part of a message.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Part {
    /// Words.
    Text(String),
    /// Thoughts before the answer.
    Reasoning(String),
    /// A wish to run a tool.
    Call {
        /// Name of the tool.
        name: String,
        /// Its arguments, indented where they are JSON.
        arguments: Vec<Token>,
    },
    /// Anything else.
    Other(Vec<Token>),
}

/// More messages than this are cut.
const MAX_MESSAGES: usize = 400;
/// Keys that hold the words of a message, in order of preference.
const WORDS: [&str; 3] = ["content", "parts", "text"];

/// The messages of a list of messages, of an object that holds one, or of one message; with
/// whether they were cut at `budget` bytes. `None` when it is no conversation.
pub(crate) fn from_json(tree: &Node<'_>, budget: usize) -> Option<(Vec<Message>, bool)> {
    let mut room = Room {
        left: budget,
        cut: false,
    };
    let list = match &tree.value {
        Json::List(nodes) => nodes.as_slice(),
        Json::Object(_) if is_message(tree) => std::slice::from_ref(tree),
        _ => wrapped(tree)?,
    };
    if list.is_empty() || !list.iter().all(is_message) {
        return None;
    }
    let kept = if budget == usize::MAX {
        list.len()
    } else {
        list.len().min(MAX_MESSAGES)
    };
    room.cut = kept < list.len();
    let mut messages = Vec::with_capacity(kept);
    for node in &list[..kept] {
        if room.left == 0 {
            room.cut = true;
            break;
        }
        messages.push(message(unwrapped(node), &mut room));
    }
    Some((messages, room.cut))
}

/// What the person said in the head of a conversation, which may be cut anywhere.
pub(crate) fn said_in(text: &str) -> Option<String> {
    let start = text.trim_start();
    if !start.starts_with(['[', '{']) || !start.contains("\"role\"") {
        return None;
    }
    let compact = |role: &str| {
        [
            format!("\"role\":\"{role}\""),
            format!("\"role\": \"{role}\""),
        ]
    };
    let after_user = compact("user")
        .iter()
        .filter_map(|needle| start.rfind(needle))
        .max();
    let rest = &start[after_user.unwrap_or(0)..];
    let words = WORDS.iter().filter_map(|key| {
        let at = rest.find(&format!("\"{key}\":"))? + key.len() + 3;
        rest[at..].trim_start().strip_prefix('"')
    });
    let source = words.into_iter().next()?;
    let mut end = source.len();
    let mut escaped = false;
    for (at, byte) in source.bytes().enumerate() {
        match byte {
            b'"' if !escaped => {
                end = at;
                break;
            }
            b'\\' => escaped = !escaped,
            _ => escaped = false,
        }
    }
    Some(json::read_escapes(&source[..end]))
}

struct Room {
    left: usize,
    cut: bool,
}

impl Room {
    fn text(&mut self, text: &str) -> String {
        let kept = head(text, self.left);
        self.cut |= kept.len() < text.len();
        self.left -= kept.len();
        kept.to_owned()
    }

    fn tokens(&mut self, source: &str) -> Vec<Token> {
        let budget = self.left;
        match json::compact(source, budget) {
            Some((tokens, cut)) => {
                self.cut |= cut;
                self.left = self.left.saturating_sub(source.len());
                tokens
            }
            None => vec![Token {
                class: "",
                text: self.text(source),
            }],
        }
    }
}

/// `{"messages": […]}` and its sisters.
fn wrapped<'t, 'a>(tree: &'t Node<'a>) -> Option<&'t [Node<'a>]> {
    ["messages", "choices", "input", "output"]
        .iter()
        .filter_map(|key| tree.get(key)?.list())
        .find(|list| !list.is_empty() && list.iter().all(is_message))
}

/// A choice of a completion wraps its message.
fn unwrapped<'t, 'a>(node: &'t Node<'a>) -> &'t Node<'a> {
    node.get("message")
        .filter(|inner| inner.get("role").is_some())
        .unwrap_or(node)
}

fn is_message(node: &Node<'_>) -> bool {
    let node = unwrapped(node);
    node.get("role").and_then(Node::text).is_some()
        && [
            "content",
            "parts",
            "text",
            "tool_calls",
            "refusal",
            "reasoning_content",
        ]
        .iter()
        .any(|key| node.get(key).is_some())
}

fn message(node: &Node<'_>, room: &mut Room) -> Message {
    let text_of = |key: &str| node.get(key).and_then(Node::text).map(str::to_owned);
    let mut parts = Vec::new();
    for key in ["reasoning_content", "reasoning"] {
        if let Some(thoughts) = node.get(key).and_then(Node::text) {
            parts.push(Part::Reasoning(room.text(thoughts)));
        }
    }
    for key in WORDS {
        if let Some(content) = node.get(key) {
            content_parts(content, room, &mut parts);
            break;
        }
    }
    for call in node
        .get("tool_calls")
        .and_then(Node::list)
        .unwrap_or_default()
    {
        parts.push(tool_call(call, room));
    }
    if let Some(refusal) = node.get("refusal").and_then(Node::text) {
        parts.push(Part::Text(room.text(refusal)));
    }
    Message {
        role: text_of("role").unwrap_or_default(),
        name: text_of("name").or_else(|| text_of("tool_call_id")),
        parts,
    }
}

fn content_parts(content: &Node<'_>, room: &mut Room, parts: &mut Vec<Part>) {
    match &content.value {
        Json::Text(text) => parts.push(words(text, room)),
        Json::Word("null") => {}
        Json::List(nodes) => parts.extend(nodes.iter().map(|node| part(node, room))),
        _ => parts.push(Part::Other(room.tokens(content.source))),
    }
}

/// A text that is JSON itself reads better indented.
fn words(text: &str, room: &mut Room) -> Part {
    if json::pretty(text, 1).is_some() {
        Part::Other(room.tokens(text))
    } else {
        Part::Text(room.text(text))
    }
}

fn part(node: &Node<'_>, room: &mut Room) -> Part {
    if let Some(text) = node.text() {
        return words(text, room);
    }
    let kind = node.get("type").and_then(Node::text).unwrap_or_default();
    let inner = |keys: &[&str]| keys.iter().find_map(|key| node.get(key)?.text());
    match kind {
        "text" | "input_text" | "output_text" => match inner(&["text", "content"]) {
            Some(text) => words(text, room),
            None => Part::Other(room.tokens(node.source)),
        },
        "reasoning" | "thinking" => match inner(&["content", "thinking", "text"]) {
            Some(text) => Part::Reasoning(room.text(text)),
            None => Part::Other(room.tokens(node.source)),
        },
        "tool_call" | "tool_use" | "function_call" => tool_call(node, room),
        _ => Part::Other(room.tokens(node.source)),
    }
}

fn tool_call(node: &Node<'_>, room: &mut Room) -> Part {
    let function = node.get("function").unwrap_or(node);
    let name = function.get("name").and_then(Node::text);
    let arguments = ["arguments", "input", "args"]
        .iter()
        .find_map(|key| function.get(key));
    match (name, arguments) {
        (Some(name), Some(arguments)) => {
            let source = arguments.text().unwrap_or(arguments.source);
            Part::Call {
                name: name.to_owned(),
                arguments: room.tokens(source),
            }
        }
        _ => Part::Other(room.tokens(node.source)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Vec<Message> {
        from_json(&json::parse(text).unwrap(), usize::MAX)
            .unwrap()
            .0
    }

    #[test]
    fn roles_parts_and_tool_calls_are_told_apart() {
        let messages = read(
            r#"[{"role":"user","content":[{"type":"text","text":"hi"},{"type":"image_url","image_url":{"url":"http://x"}}]},
                {"role":"assistant","content":null,"reasoning_content":"hm","tool_calls":[{"id":"c1","function":{"name":"quote","arguments":"{\"id\":107505301260286111}"}}]},
                {"role":"tool","tool_call_id":"c1","content":"done"}]"#,
        );
        assert_eq!(messages[0].parts[0], Part::Text("hi".to_owned()));
        assert!(matches!(messages[0].parts[1], Part::Other(_)));
        assert_eq!(messages[1].parts[0], Part::Reasoning("hm".to_owned()));
        let Part::Call { name, arguments } = &messages[1].parts[1] else {
            panic!("no call")
        };
        let shown: String = arguments.iter().map(|token| token.text.as_str()).collect();
        assert_eq!(
            (name.as_str(), shown.as_str()),
            ("quote", "{\"id\": 107505301260286111}")
        );
        assert_eq!(messages[2].name.as_deref(), Some("c1"));
    }

    #[test]
    fn messages_are_found_in_their_usual_wrappings() {
        for text in [
            r#"{"messages":[{"role":"user","content":"hi"}]}"#,
            r#"{"role":"user","content":"hi"}"#,
            r#"{"choices":[{"index":0,"message":{"role":"user","content":"hi"}}]}"#,
            r#"[{"role":"user","parts":[{"type":"text","content":"hi"}]}]"#,
        ] {
            assert_eq!(read(text)[0].parts, [Part::Text("hi".to_owned())], "{text}");
        }
    }

    #[test]
    fn other_json_is_no_conversation() {
        for text in [
            "[]",
            "{}",
            "[1]",
            r#"[{"role":"user"}]"#,
            r#"[{"role":1,"content":"x"}]"#,
        ] {
            assert!(
                from_json(&json::parse(text).unwrap(), usize::MAX).is_none(),
                "{text}"
            );
        }
    }

    #[test]
    fn a_long_conversation_is_cut_and_says_so() {
        let long = format!(
            r#"[{{"role":"user","content":"{}"}},{{"role":"assistant","content":"x"}}]"#,
            "a".repeat(500)
        );
        let (messages, cut) = from_json(&json::parse(&long).unwrap(), 100).unwrap();
        assert!(cut && messages.len() == 1);
    }
}
