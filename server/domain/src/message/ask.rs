use super::{Message, Part, Role};

/// The words that a message shows, its texts each on a line of its own.
pub fn text_of(message: &Message) -> String {
    texts(std::slice::from_ref(message), |_| true)
}

/// What the model said, without its thoughts and calls.
pub fn output_text(messages: &[Message]) -> String {
    texts(messages, |message| message.role == Role::Assistant)
}

/// The system instructions.
pub fn system_text(messages: &[Message]) -> String {
    texts(messages, |message| message.role == Role::System)
}

/// The parts of the system instructions.
pub fn system_parts(messages: &[Message]) -> Vec<&Part> {
    messages
        .iter()
        .filter(|message| message.role == Role::System)
        .flat_map(|message| &message.parts)
        .collect()
}

/// What the person said last, `None` when they said nothing in words.
pub fn last_user_text(messages: &[Message]) -> Option<String> {
    messages
        .iter()
        .rev()
        .filter(|message| message.role == Role::User)
        .map(text_of)
        .find(|text| !text.is_empty())
}

/// The calls of tools, in order; each one is a [`Part::ToolCall`].
pub fn tool_calls(messages: &[Message]) -> Vec<&Part> {
    messages
        .iter()
        .flat_map(|message| &message.parts)
        .filter(|part| matches!(part, Part::ToolCall { .. }))
        .collect()
}

/// Why the model stopped, in the order of its messages.
pub fn finish_reasons(messages: &[Message]) -> Vec<&str> {
    messages
        .iter()
        .filter_map(|message| message.finish_reason.as_deref())
        .collect()
}

fn texts(messages: &[Message], wanted: impl Fn(&Message) -> bool) -> String {
    let mut all = String::new();
    let parts = messages
        .iter()
        .filter(|message| wanted(message))
        .flat_map(|message| &message.parts);
    for part in parts {
        if let Part::Text { content } = part {
            if !all.is_empty() {
                all.push('\n');
            }
            all.push_str(content);
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn conversation() -> Vec<Message> {
        let call = Part::ToolCall {
            id: None,
            name: "weather".to_owned(),
            arguments: json!({}),
        };
        let mut answer = Message::new(
            Role::Assistant,
            vec![Part::reasoning("hm"), Part::text("Sunny"), call],
        );
        answer.finish_reason = Some("stop".to_owned());
        vec![
            Message::new(Role::System, vec![Part::text("Be short.")]),
            Message::new(Role::User, vec![Part::text("Weather?")]),
            answer,
            Message::new(Role::User, Vec::new()),
        ]
    }

    #[test]
    fn what_was_said_is_told_by_role_and_without_thoughts() {
        let messages = conversation();
        assert_eq!(output_text(&messages), "Sunny");
        assert_eq!(system_text(&messages), "Be short.");
        assert_eq!(last_user_text(&messages).as_deref(), Some("Weather?"));
        assert_eq!(tool_calls(&messages).len(), 1);
        assert_eq!(finish_reasons(&messages), ["stop"]);
    }
}
