//! A new version, as a body describes it.

use domain::prompt::{Content, Draft, Labels, Message, PromptName, Tags};
use serde_json::{Map, Value};

use crate::langfuse::body::Body;
use crate::langfuse::error::{Issue, Result};

/// What a body asks for. Without a type it is a text.
///
/// # Errors
/// When a field is missing, of another type, or breaks a rule of prompts.
pub(super) fn read(body: &Body) -> Result<Draft> {
    let name = PromptName::parse(body.required_text("name")?)?;
    let content = match body.text("type")? {
        None | Some("text") => Content::Text(body.required_text("prompt")?.to_owned()),
        Some("chat") => Content::Chat(messages(body)?),
        Some(_) => {
            let message = "Invalid option: expected one of \"chat\"|\"text\"";
            return Err(Issue::new("invalid_value", "type", message).into());
        }
    };
    let config = body.value("config").cloned();
    let tags = body.texts("tags")?.map(Tags::parse);
    Ok(Draft {
        name,
        content,
        config: config.unwrap_or_else(|| Value::Object(Map::new())),
        labels: Labels::parse("labels", body.texts("labels")?.unwrap_or_default())?,
        tags: tags.transpose()?,
        commit_message: body.text("commitMessage")?.map(str::to_owned),
    })
}

fn messages(body: &Body) -> Result<Vec<Message>> {
    let list = body.value("prompt").and_then(Value::as_array);
    let list = list.ok_or_else(|| Issue::of_type("prompt", "array"))?;
    let mut messages = Vec::with_capacity(list.len());
    for (at, value) in list.iter().enumerate() {
        messages.push(message(value).map_err(|(field, expected)| {
            Issue::of_type(&format!("prompt.{at}.{field}"), expected)
        })?);
    }
    Ok(messages)
}

/// The field that is wrong with a message, and what it should be.
type Wrong = (&'static str, &'static str);

/// One message; fields that have no meaning fall away.
fn message(value: &Value) -> std::result::Result<Message, Wrong> {
    let fields = value.as_object().ok_or(("", "object"))?;
    let text = |field: &'static str| {
        let text = fields.get(field).and_then(Value::as_str);
        text.map(str::to_owned).ok_or((field, "string"))
    };
    let is_placeholder = match fields.get("type").and_then(Value::as_str) {
        Some(kind) => kind == "placeholder",
        None => fields.contains_key("name") && !fields.contains_key("role"),
    };
    if is_placeholder {
        return Ok(Message::Placeholder {
            name: text("name")?,
        });
    }
    Ok(Message::Said {
        role: text("role")?,
        content: text("content")?,
    })
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn draft(body: &Value) -> Result<Draft> {
        read(&Body::parse(body.to_string().as_bytes()).unwrap())
    }

    #[test]
    fn without_a_type_it_is_a_text() {
        let draft = draft(&json!({ "name": "a", "prompt": "x", "config": null })).unwrap();
        assert_eq!(draft.content, Content::Text("x".into()));
        assert_eq!(draft.config, json!({}));
        assert_eq!(draft.tags, None);
    }

    #[test]
    fn messages_lose_what_has_no_meaning() {
        let prompt = json!([
            { "type": "chatmessage", "role": "system", "content": "s", "id": 7 },
            { "type": "placeholder", "name": "history" },
            { "name": "more" },
        ]);
        let draft = draft(&json!({ "name": "a", "type": "chat", "prompt": prompt })).unwrap();
        let said = Message::Said {
            role: "system".into(),
            content: "s".into(),
        };
        let placeholder = |name: &str| Message::Placeholder { name: name.into() };
        let expected = vec![said, placeholder("history"), placeholder("more")];
        assert_eq!(draft.content, Content::Chat(expected));
    }

    #[test]
    fn what_is_of_another_type_is_refused() {
        for wrong in [
            json!({ "prompt": "x" }),
            json!({ "name": "a" }),
            json!({ "name": "a", "prompt": [] }),
            json!({ "name": "a", "prompt": "x", "type": "chat" }),
            json!({ "name": "a", "prompt": [], "type": "text" }),
            json!({ "name": "a", "prompt": "x", "type": "poem" }),
            json!({ "name": "a", "prompt": ["x"], "type": "chat" }),
            json!({ "name": "a", "prompt": [{ "role": "user" }], "type": "chat" }),
            json!({ "name": "a", "prompt": [{ "type": "placeholder" }], "type": "chat" }),
            json!({ "name": "a", "prompt": "x", "labels": ["Not so"] }),
            json!({ "name": "a", "prompt": "x", "labels": "production" }),
            json!({ "name": "new", "prompt": "x" }),
        ] {
            assert!(draft(&wrong).is_err(), "{wrong}");
        }
    }
}
