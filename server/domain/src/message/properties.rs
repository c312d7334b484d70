//! What holds for any input.

use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use serde_json::{Value as Json, json};

use super::*;

/// Words that decide how JSON is read, so that random JSON meets every reader.
const KEYS: &[&str] = &[
    "role",
    "content",
    "parts",
    "contents",
    "blocks",
    "type",
    "text",
    "message",
    "messages",
    "tool_calls",
    "function",
    "function_call",
    "name",
    "arguments",
    "args",
    "input",
    "output",
    "id",
    "kwargs",
    "data",
    "generations",
    "choices",
    "candidates",
    "finish_reason",
    "functionCall",
    "functionResponse",
    "toolUse",
    "toolResult",
    "toolUseId",
    "toolCallId",
    "toolName",
    "source",
    "kind",
    "part_kind",
    "block_type",
    "event.name",
    "body",
    "prompt",
    "system",
    "tools",
    "result",
    "response",
    "thinking",
    "reasoning",
    "refusal",
    "chat_history",
    "value",
    "call_id",
    "update",
];
const WORDS: &[&str] = &[
    "user",
    "assistant",
    "system",
    "tool",
    "model",
    "human",
    "ai",
    "text",
    "tool_call",
    "tool_result",
    "tool_call_response",
    "tool_use",
    "thinking",
    "reasoning",
    "image",
    "function",
    "function_call",
    "function_call_output",
    "tool-call",
    "tool-result",
    "response",
    "request",
    "tool-return",
    "user-prompt",
    "gen_ai.choice",
    "AIMessage",
    "TextMessage",
    "media",
    "other",
    "[{\"type\":\"text\",\"text\":\"x\"}]",
    "{\"a\":\"b\"}",
    "\"q\"",
    "free words",
];

fn any_json() -> impl Strategy<Value = Json> {
    let leaf = prop_oneof![
        Just(Json::Null),
        any::<bool>().prop_map(Json::from),
        any::<i64>().prop_map(Json::from),
        proptest::sample::select(WORDS).prop_map(Json::from),
        any::<String>().prop_map(Json::from),
    ];
    leaf.prop_recursive(6, 48, 6, |inner| {
        let word = proptest::sample::select(WORDS);
        let pairs = vec((proptest::sample::select(KEYS), inner.clone()), 0..6);
        prop_oneof![
            vec(inner.clone(), 1..4).prop_map(Json::from),
            pairs.clone().prop_map(|pairs| object(&pairs)),
            ("role|type|kind|part_kind", word, pairs).prop_map(|(key, word, mut pairs)| {
                let mark = KEYS.iter().find(|known| **known == key).unwrap();
                pairs.push((mark, word.into()));
                object(&pairs)
            }),
            inner.prop_map(|inner| Json::from(inner.to_string())),
        ]
    })
}

/// Entries that have a role, with anything beside it.
fn any_messages() -> impl Strategy<Value = Json> {
    let role = proptest::sample::select(&["user", "ai", "system", "tool", "guide"][..]);
    let pairs = vec((proptest::sample::select(KEYS), any_json()), 0..4);
    let entry = (role, any_json(), pairs).prop_map(|(role, content, mut pairs)| {
        pairs.extend([("role", role.into()), ("content", content)]);
        object(&pairs)
    });
    vec(entry, 1..4).prop_map(Json::from)
}

fn object(pairs: &[(&str, Json)]) -> Json {
    pairs
        .iter()
        .map(|(key, value)| ((*key).to_owned(), value.clone()))
        .collect()
}

fn part() -> impl Strategy<Value = Part> {
    let reference = prop_oneof![
        "[A-Za-z0-9+/]{0,8}".prop_map(Reference::Inline),
        any::<String>().prop_map(Reference::Uri),
        any::<String>().prop_map(Reference::FileId),
    ];
    let modality = prop_oneof![
        Just(Modality::Image),
        Just(Modality::Video),
        Just(Modality::Audio),
        Just(Modality::Document),
    ];
    // Text that is JSON is read as JSON, so that none of it stays in a message that was read.
    let payload = || any_json().prop_map(|json| json::unwrapped(&json));
    let id = || option::of("[a-z0-9_]{1,8}");
    prop_oneof![
        any::<String>().prop_map(Part::text),
        any::<String>().prop_map(Part::reasoning),
        (id(), any::<String>(), payload()).prop_map(|(id, name, arguments)| Part::ToolCall {
            id,
            name,
            arguments
        }),
        (modality, option::of(any::<String>()), reference).prop_map(
            |(modality, mime_type, reference)| Part::Media(Media {
                modality,
                mime_type,
                reference
            })
        ),
        any_json().prop_map(|value| Part::Other { value }),
    ]
}

fn message() -> impl Strategy<Value = Message> {
    let payload = any_json().prop_map(|json| json::unwrapped(&json));
    let result = (option::of("[a-z]{1,4}"), option::of("[a-z]{1,4}"), payload)
        .prop_map(|(id, name, result)| Part::ToolResult { id, name, result });
    let role = prop_oneof![Just(Role::System), Just(Role::User), Just(Role::Assistant)];
    let said = (role, vec(part(), 0..4));
    let gave = (Just(Role::Tool), vec(result, 0..3));
    let beside = (option::of(any::<String>()), option::of("[a-z_]{1,9}"));
    (prop_oneof![said, gave], beside).prop_map(|((role, parts), (name, finish_reason))| Message {
        role,
        name,
        parts,
        finish_reason,
    })
}

/// The same question and answer in the shapes of many dialects.
fn in_many_shapes(asked: &str, answered: &str) -> Vec<Json> {
    let pair = |user: Json, assistant: Json| json!([user, assistant]);
    vec![
        pair(
            json!({"role": "user", "parts": [{"type": "text", "content": asked}]}),
            json!({"role": "assistant", "parts": [{"type": "text", "content": answered}]}),
        ),
        json!({"messages": [{"role": "user", "content": [{"type": "text", "text": asked}]},
            {"role": "assistant", "content": [{"type": "text", "text": answered}]}]}),
        json!([{"role": "user", "content": [{"type": "input_text", "text": asked}]},
            {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": answered}]}]),
        json!({"contents": [{"role": "user", "parts": [{"text": asked}]}, {"role": "model", "parts": [{"text": answered}]}]}),
        json!({"messages": [{"role": "user", "content": [{"text": asked}]}, {"role": "assistant", "content": [{"text": answered}]}]}),
        json!({"messages": [[{"type": "human", "content": [{"type": "text", "text": asked}]},
            {"lc": 1, "type": "constructor", "id": ["AIMessage"], "kwargs": {"content": [{"type": "text", "text": answered}]}}]]}),
        json!([{"role": "user", "blocks": [{"block_type": "text", "text": asked}]}, {"role": "assistant", "blocks": [{"text": answered}]}]),
        json!([{"kind": "request", "parts": [{"part_kind": "user-prompt", "content": [{"type": "text", "text": asked}]}]},
            {"kind": "response", "parts": [{"part_kind": "text", "content": [{"type": "text", "text": answered}]}]}]),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn any_json_is_read_without_a_panic(json in any_json()) {
        let text = json.to_string();
        for side in [Side::Input, Side::Output] {
            read(&text, side);
            read_generation(&text, side);
        }
        read_instructions(&text);
        tool_definitions(&text);
    }

    #[test]
    fn any_text_is_read_without_a_panic(text in any::<String>()) {
        let said = read_generation(&text, Side::Output).messages;
        prop_assert!(said.len() <= 1);
        read_instructions(&text);
        tool_definitions(&text);
    }

    #[test]
    fn what_messages_serialise_to_is_read_as_the_same_messages(messages in vec(message(), 1..5)) {
        let found = read(&json!(messages).to_string(), Side::Input).map(|found| found.messages);
        prop_assert_eq!(found, Some(messages));
    }

    #[test]
    fn reading_twice_changes_nothing(json in prop_oneof![any_json(), any_messages()]) {
        for side in [Side::Input, Side::Output] {
            if let Some(once) = read(&json.to_string(), side) {
                let again = read(&json!(once.messages).to_string(), side).map(|found| found.messages);
                prop_assert_eq!(again.as_ref(), Some(&once.messages));
            }
        }
    }

    #[test]
    fn results_of_tools_stand_in_messages_of_the_tool(json in any_messages()) {
        let messages = read(&json.to_string(), Side::Input).map(|found| found.messages);
        for message in messages.unwrap_or_default() {
            let has_result = message.parts.iter().any(|part| matches!(part, Part::ToolResult { .. }));
            prop_assert!(!has_result || message.role == Role::Tool);
        }
    }

    #[test]
    fn the_words_are_the_same_in_every_shape(asked in "[^\"\\[]\\PC{0,20}", answered in "[^\"\\[]\\PC{0,20}") {
        for shape in in_many_shapes(&asked, &answered) {
            let messages = read(&shape.to_string(), Side::Input).unwrap().messages;
            prop_assert_eq!(last_user_text(&messages), Some(asked.clone()), "{}", shape);
            prop_assert_eq!(&output_text(&messages), &answered, "{}", shape);
        }
    }

    #[test]
    fn parts_that_are_not_understood_are_kept(value in any_json()) {
        let strange = json!({"type": "hologram", "hologram": value});
        let text = json!([{"role": "user", "content": ["hi", strange]}]).to_string();
        let messages = read(&text, Side::Input).unwrap().messages;
        prop_assert_eq!(&messages[0].parts[1], &Part::Other { value: strange });
    }
}
