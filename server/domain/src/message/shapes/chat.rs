use serde_json::{Value as Json, json};

use super::openai::call_in_list;
use crate::message::json::{self, Map};
use crate::message::read::Reading;
use crate::message::tools::definitions;
use crate::message::{Conversation, Message, Modality, Part, Role, Side};

/// A message of one text.
pub(super) fn said(role: Role, text: &str) -> Message {
    Message::new(role, vec![Part::text(text)])
}

/// Puts instructions in front of a conversation.
pub(super) fn instruct(conversation: &mut Conversation, instructions: &Json) {
    let parts = super::instructions(instructions);
    if !parts.is_empty() {
        let message = Message::new(Role::System, parts);
        conversation.messages.insert(0, message);
    }
}

/// Keys of which a message has one beside its role.
const SAID: &[&str] = &[
    "content",
    "parts",
    "contents",
    "blocks",
    "text",
    "message",
    "tool_calls",
    "function_call",
    "function_call_name",
    "refusal",
    "reasoning_content",
    "reasoning",
    "thinking",
    "tool_plan",
    "images",
];

const FINISH_REASON: &[&str] = &[
    "finish_reason",
    "finishReason",
    "stop_reason",
    "stopReason",
    "done_reason",
];

/// A role with content.
pub(super) fn messages(map: &Map) -> Option<Vec<Message>> {
    let mut outer;
    let mut map = map;
    // An event of a choice wraps the message that it has a role beside.
    if let Some(inner) = json::object(map, &["message"]) {
        outer = map.clone();
        outer.remove("message");
        outer.extend(inner.clone());
        map = &outer;
    }
    let word = json::text(map, &["role"])?;
    if !SAID.iter().any(|key| map.contains_key(*key)) {
        return None;
    }
    let (role, free_name) = Role::and_name(word);
    let mut message = Message::new(role, Vec::new());
    message.finish_reason = json::owned(map, FINISH_REASON);
    if role == Role::Tool && !map.contains_key("parts") {
        message.parts = results(map);
    } else {
        message.name = json::owned(map, &["name"]).or(free_name);
        message.parts = thoughts(map);
        message.parts.extend(spoken(map));
        calls(map, &mut message.parts);
    }
    Some(vec![message])
}

/// Thoughts beside the content.
fn thoughts(map: &Map) -> Vec<Part> {
    let mut parts = Vec::new();
    for key in ["reasoning_content", "reasoning", "thinking", "tool_plan"] {
        let thought = match map.get(key) {
            Some(Json::String(text)) if !text.is_empty() => vec![Part::reasoning(text)],
            Some(list @ Json::Array(_)) => super::content(list),
            _ => continue,
        };
        parts.extend(thought);
    }
    // Some gateways send the same thoughts under two names.
    parts.dedup();
    parts
}

fn spoken(map: &Map) -> Vec<Part> {
    let lists = ["parts", "contents", "blocks"];
    let list = json::list(map, &lists).filter(|list| !list.is_empty());
    let mut parts: Vec<Part> = list
        .unwrap_or_default()
        .iter()
        .map(super::part_in_content)
        .collect();
    let content = json::first(map, &["content", "message"])
        .or_else(|| map.get("text").filter(|_| parts.is_empty()));
    // The same words may stand in the list and, for older readers, beside it.
    for part in content.map(super::content).unwrap_or_default() {
        if list.is_none() || !parts.contains(&part) {
            parts.push(part);
        }
    }
    if let Some(refusal) = json::text(map, &["refusal"]) {
        parts.push(Part::text(refusal));
    }
    for image in json::list(map, &["images"]).unwrap_or_default() {
        parts.push(match image.as_str() {
            Some(data) => Part::inline(Modality::Image, None, data),
            None => super::part_in_content(image),
        });
    }
    if let Some(audio) = json::object(map, &["audio"]) {
        parts.extend(json::text(audio, &["transcript"]).map(Part::text));
        let data = json::text(audio, &["data"]);
        parts.extend(data.map(|data| Part::inline(Modality::Audio, None, data)));
    }
    parts
}

/// Calls beside the content. Some dialects send them in it as well.
fn calls(map: &Map, parts: &mut Vec<Part>) {
    let extra = json::object(map, &["additional_kwargs"]);
    let listed = json::list(map, &["tool_calls"])
        .filter(|calls| !calls.is_empty())
        .or_else(|| json::list(extra?, &["tool_calls"]));
    let in_content = parts.len();
    for call in listed.unwrap_or_default() {
        let call = call_in_list(call);
        if !parts[..in_content]
            .iter()
            .any(|part| same_call(part, &call))
        {
            parts.push(call);
        }
    }
    if let Some(call) = map.get("function_call").filter(|call| call.is_object()) {
        parts.push(call_in_list(call));
    }
    if let Some(name) = json::text(map, &["function_call_name"]) {
        let arguments = json::first(map, &["function_call_arguments_json"]);
        parts.push(Part::ToolCall {
            id: None,
            name: name.to_owned(),
            arguments: arguments.map_or(Json::Null, json::unwrapped),
        });
    }
    // Strands tells the results of the calls in the same event.
    if let Some(results) = map.get("tool.result") {
        parts.extend(super::content(&json::unwrapped(results)));
    }
}

fn same_call(one: &Part, other: &Part) -> bool {
    match (one, other) {
        (
            Part::ToolCall { id: Some(one), .. },
            Part::ToolCall {
                id: Some(other), ..
            },
        ) => one == other,
        _ => one == other,
    }
}

/// The results of a message of the tool: parts of their own kind, or its whole content.
fn results(map: &Map) -> Vec<Part> {
    let content = json::first(map, &["content", "contents", "blocks", "message", "text"]);
    let content = content.unwrap_or(&Json::Null);
    let parts = super::content(content);
    if parts
        .iter()
        .any(|part| matches!(part, Part::ToolResult { .. }))
    {
        return parts;
    }
    vec![Part::ToolResult {
        id: json::owned(map, &["tool_call_id", "toolCallId", "call_id", "id"]),
        name: json::owned(map, &["name", "tool_name"]),
        result: super::result(content),
    }]
}

/// A body with messages, and whatever of system instructions and tools stands beside them.
pub(super) fn body(map: &Map, reading: Reading) -> Option<Conversation> {
    let key = ["messages", "chat_history", "history"]
        .into_iter()
        .find(|key| map.contains_key(*key))?;
    let mut found = reading.conversation(map.get(key)?)?;
    const SYSTEM: &[&str] = &["system", "system_prompt", "instructions", "preamble"];
    const TOOLS: &[&str] = &["tools", "functions", "toolConfig", "tool_config"];
    if let Some(system) = json::first(map, SYSTEM) {
        instruct(&mut found, system);
    }
    for tools in TOOLS.iter().filter_map(|key| map.get(*key)) {
        found.tool_definitions.extend(definitions(tools));
    }
    let mut rest = super::rest(map, &[&[key], SYSTEM, TOOLS].concat());
    rest.extend(std::mem::take(&mut found.rest));
    found.rest = rest;
    Some(found)
}

/// A body that wraps one answer in `message`. Only an output may leave out whose it is.
pub(super) fn answer(map: &Map, side: Side) -> Option<Conversation> {
    let mut message = json::object(map, &["message"])?.clone();
    if side == Side::Output {
        message.entry("role").or_insert_with(|| json!("assistant"));
    }
    let mut messages = super::messages(&message)?;
    if let (Some(last), Some(reason)) = (messages.last_mut(), json::owned(map, FINISH_REASON)) {
        last.finish_reason = Some(reason);
    }
    Some(Conversation {
        messages,
        rest: super::rest(map, &["message"]),
        ..Conversation::default()
    })
}

#[cfg(test)]
mod tests {
    use crate::message::shapes::tests::{input, texts};
    use crate::message::{Part, Role};
    use serde_json::json;

    #[test]
    fn a_free_role_stays_as_a_name() {
        let messages = input(&json!([{"role": "customer", "content": "hi"}]));
        assert_eq!(messages[0].role, Role::User);
        assert_eq!(messages[0].name.as_deref(), Some("customer"));
    }

    #[test]
    fn content_left_out_leaves_the_structure() {
        let messages =
            input(&json!([{"role": "user", "content": ""}, {"role": "assistant", "parts": []}]));
        assert_eq!(texts(&messages), ["", ""]);
        assert!(messages.iter().all(|message| message.parts.is_empty()));
    }

    #[test]
    fn words_that_stand_twice_in_a_message_are_said_once() {
        let messages = input(
            &json!([{"role": "user", "content": "hi", "parts": [{"type": "text", "text": "hi"}]}]),
        );
        assert_eq!(messages[0].parts, [Part::text("hi")]);
    }

    #[test]
    fn odd_entries_of_a_conversation_are_kept() {
        let messages = input(
            &json!([{"role": "user", "content": "hi"}, {"role": "user", "content": {"x": 1}}, {"y": 2}]),
        );
        assert!(matches!(&messages[1].parts[0], Part::Other { value } if value["x"] == 1));
        assert!(matches!(&messages[2].parts[0], Part::Other { value } if value["y"] == 2));
    }

    #[test]
    fn a_last_message_that_lost_its_role_is_still_a_message() {
        let messages = input(&json!([{"role": "user", "content": "hi"}, {"content": "and?"}]));
        assert_eq!(texts(&messages), ["hi", "and?"]);
        let alone = json!([{"content": "text to embed"}]).to_string();
        assert_eq!(
            crate::message::read(&alone, crate::message::Side::Input),
            None
        );
    }
}
