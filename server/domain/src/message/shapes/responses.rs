use serde_json::Value as Json;

use super::chat;
use crate::message::json::{self, Map};
use crate::message::python;
use crate::message::read::Reading;
use crate::message::tools::definitions;
use crate::message::{Conversation, Message, Part, Role};

/// Items that are no messages.
pub(super) fn part(map: &Map) -> Option<Part> {
    match json::kind(map) {
        kind @ ("function_call" | "custom_tool_call") => {
            let key = if kind == "function_call" {
                "arguments"
            } else {
                "input"
            };
            Some(Part::ToolCall {
                id: json::owned(map, &["call_id", "id"]),
                name: json::owned(map, &["name"])?,
                arguments: json::unwrapped(json::first(map, &[key, "args"])?),
            })
        }
        "function_call_output" | "custom_tool_call_output" => Some(Part::ToolResult {
            id: json::owned(map, &["call_id", "id"]),
            name: json::owned(map, &["name"]),
            result: super::result(map.get("output")?),
        }),
        "reasoning" => thoughts(map).map(Part::reasoning),
        _ => None,
    }
}

/// A call as Python prints it: one instrumentation of the Agents SDK writes that as text.
pub(super) fn printed(text: &str) -> Option<Part> {
    let fields = python::fields(text, "ResponseFunctionToolCall")?;
    let field = |key| {
        fields
            .iter()
            .find(|(name, _)| *name == key)
            .map(|(_, text)| text.clone())
    };
    Some(Part::ToolCall {
        id: field("call_id"),
        name: field("name")?,
        arguments: json::unwrapped(&Json::String(field("arguments")?)),
    })
}

/// Either the thoughts themselves or a summary of them; encrypted ones cannot be read.
fn thoughts(map: &Map) -> Option<String> {
    let words: Vec<&str> = ["summary", "content"]
        .iter()
        .filter_map(|key| map.get(*key)?.as_array())
        .flatten()
        .filter_map(|item| json::text(item.as_object()?, &["text"]))
        .collect();
    (!words.is_empty()).then(|| words.join("\n"))
}

/// A request (`input`) or an answer (`output`).
pub(super) fn body(map: &Map, reading: Reading) -> Option<Conversation> {
    let answered = json::text(map, &["object"]) == Some("response");
    let key = if answered { "output" } else { "input" };
    let items = map.get(key)?;
    let reading = if answered {
        reading.as_output()
    } else {
        reading
    };
    let mut found = match items {
        Json::Array(items) => reading.list(items)?,
        Json::String(text) if is_request(map) => Conversation {
            messages: vec![chat::said(Role::User, text)],
            ..Conversation::default()
        },
        _ => return None,
    };
    if answered {
        finish(map, &mut found.messages);
    } else if let Some(instructions) = map.get("instructions") {
        chat::instruct(&mut found, instructions);
    }
    if let Some(tools) = map.get("tools") {
        found.tool_definitions.extend(definitions(tools));
    }
    // An answer repeats the instructions of its request: there they are no message of its own.
    let read = if answered {
        &["output", "tools"][..]
    } else {
        &["input", "instructions", "tools"]
    };
    found.rest = super::rest(map, read);
    Some(found)
}

/// Embeddings have a model and an input too, and no conversation has less than this beside them.
fn is_request(map: &Map) -> bool {
    const MARKS: &[&str] = &[
        "instructions",
        "previous_response_id",
        "max_output_tokens",
        "reasoning",
        "store",
        "tools",
        "temperature",
    ];
    map.contains_key("model") && MARKS.iter().any(|key| map.contains_key(*key))
}

/// An answer tells why it is not whole, else its status.
fn finish(map: &Map, messages: &mut [Message]) {
    let reason = json::object(map, &["incomplete_details"])
        .and_then(|details| json::text(details, &["reason"]))
        .or_else(|| json::text(map, &["status"]));
    if let Some(last) = messages.last_mut() {
        last.finish_reason = reason.map(str::to_owned);
    }
}

#[cfg(test)]
mod tests {
    use crate::message::shapes::tests::{call, input, output, texts};
    use crate::message::{Part, Role, Side, output_text, read, system_text};
    use serde_json::json;

    #[test]
    fn items_of_an_input_become_messages_in_order() {
        let messages = input(&json!([
            {"content": "Where is my order 48213?", "role": "user"},
            {"arguments": "{\"order_id\":\"48213\"}", "call_id": "c1", "name": "lookup_order", "type": "function_call", "id": "fc", "status": "completed"},
            {"call_id": "c1", "output": "{'status': 'sent'}", "type": "function_call_output"},
        ]));
        let roles: Vec<Role> = messages.iter().map(|message| message.role).collect();
        assert_eq!(roles, [Role::User, Role::Assistant, Role::Tool]);
        assert_eq!(
            messages[1].parts,
            [call("c1", "lookup_order", json!({"order_id": "48213"}))]
        );
        assert!(
            matches!(&messages[2].parts[0], Part::ToolResult { result, .. } if result == "{'status': 'sent'}")
        );
    }

    #[test]
    fn thoughts_and_answer_of_one_output_are_one_message() {
        let messages = output(&json!([
            {"id": "r", "summary": [{"text": "Think.", "type": "summary_text"}], "type": "reasoning", "content": null},
            {"id": "m", "content": [{"annotations": [], "text": "Paris", "type": "output_text", "logprobs": []}], "role": "assistant", "status": "completed", "type": "message"},
        ]));
        assert_eq!(messages.len(), 1);
        assert_eq!(
            messages[0].parts,
            [Part::reasoning("Think."), Part::text("Paris")]
        );
    }

    #[test]
    fn an_answer_is_read_with_its_tools_and_without_the_instructions_it_repeats() {
        let text = json!({"id": "x", "object": "response", "instructions": "Route.", "status": "completed", "incomplete_details": null,
            "output": [{"arguments": "{}", "call_id": "c1", "name": "transfer", "type": "function_call"}],
            "tools": [{"name": "transfer", "parameters": {}, "type": "function", "description": "d"}]}).to_string();
        let found = read(&text, Side::Output).unwrap();
        assert_eq!(found.messages[0].parts, [call("c1", "transfer", json!({}))]);
        assert_eq!(
            found.messages[0].finish_reason.as_deref(),
            Some("completed")
        );
        assert_eq!(found.tool_definitions[0].name, "transfer");
        assert_eq!(found.rest["instructions"], "Route.");
    }

    #[test]
    fn a_request_with_plain_input_and_instructions_is_read() {
        let messages = input(
            &json!({"model": "gpt-5", "instructions": "Be short.", "input": "Capital of France?"}),
        );
        assert_eq!(texts(&messages), ["Be short.", "Capital of France?"]);
        assert_eq!(system_text(&messages), "Be short.");
        assert_eq!(output_text(&messages), "");
    }

    #[test]
    fn an_embedding_request_is_no_conversation() {
        assert_eq!(
            read(
                r#"{"model":"text-embedding-3-small","input":"hi"}"#,
                Side::Input
            ),
            None
        );
    }

    #[test]
    fn items_that_are_not_understood_do_not_hide_the_answer() {
        let messages = output(&json!([
            {"id": "ws_1", "type": "web_search_call", "status": "completed"},
            {"id": "ws_2", "type": "web_search_call", "status": "completed"},
            {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "Paris"}]},
        ]));
        assert_eq!(output_text(&messages), "Paris");
        assert!(matches!(&messages[0].parts[1], Part::Other { value } if value["id"] == "ws_2"));
    }

    #[test]
    fn a_call_that_was_printed_as_text_is_a_call() {
        let printed = r#"ResponseFunctionToolCall(arguments='{"order_id": "A-7731"}', call_id='c1', name='lookup_order', type='function_call', id='fc_1', async_=None, status='completed')"#;
        let messages = output(
            &json!([{"role": "assistant", "parts": [{"type": "text", "content": printed}]}]),
        );
        assert_eq!(
            messages[0].parts,
            [call("c1", "lookup_order", json!({"order_id": "A-7731"}))]
        );
    }
}
