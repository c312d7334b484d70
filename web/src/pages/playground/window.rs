//! What a person enters in a window, and what becomes of it: a request, or the config of a prompt.

use domain::message::{
    Conversation, Message, Part, Role, Side, ToolDefinition, read, tool_definitions,
};
use domain::prompt::{Content, Message as PromptMessage, Prompt};
use domain::{Fault, LlmConnectionId};
use serde_json::{Map, Value as Json, json};
use service::completions::{Ask, MAX_MESSAGES, NAMED_PARAMETERS, filled};

use super::values::Values;
use crate::extract::Pairs;

/// The role of a place for messages that are known later.
pub(super) const PLACEHOLDER: &str = "placeholder";
/// Roles that a message may be given; any other word is kept.
pub(super) const ROLES: [&str; 6] = [
    "system",
    "user",
    "assistant",
    "tool",
    "developer",
    PLACEHOLDER,
];

/// What stands in a window, as it was entered.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Window {
    /// Id of a connection; empty: none is chosen.
    pub(super) connection: String,
    pub(super) model: String,
    pub(super) messages: Vec<Entry>,
    /// Parameters with a field of their own, in the order of [`NAMED_PARAMETERS`].
    pub(super) named: [String; 3],
    /// All others: the JSON of an object.
    pub(super) more: String,
    /// Tools: the JSON of a list.
    pub(super) tools: String,
    /// Schema that the answer follows: JSON.
    pub(super) schema: String,
    /// The prompt that it was opened with, and its version; empty: none.
    pub(super) prompt: (String, String),
}

/// A message as it was entered.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Entry {
    pub(super) role: String,
    /// Whether it is the JSON of a list of parts, in which nothing is filled in; else it is words.
    pub(super) is_parts: bool,
    pub(super) content: String,
}

impl Entry {
    pub(super) fn words(role: &str, content: &str) -> Self {
        Entry {
            role: role.to_owned(),
            is_parts: false,
            content: content.to_owned(),
        }
    }

    /// What was said, to be said again: in words where it is no more than that and nothing in it would be
    /// filled in.
    pub(super) fn said(message: &Message) -> Self {
        let role = match (&message.name, message.role) {
            (Some(name), Role::User) => name.as_str(),
            (_, role) => role.as_str(),
        };
        match message.parts.as_slice() {
            [] => Entry::words(role, ""),
            [Part::Text { content }] if domain::prompt::variables(content).is_empty() => {
                Entry::words(role, content)
            }
            parts => Entry {
                role: role.to_owned(),
                is_parts: true,
                content: format!("{:#}", json!(parts)),
            },
        }
    }

    /// The messages that it stands for.
    fn messages(&self, values: &Values) -> Result<Vec<Message>, Fault> {
        if self.role == PLACEHOLDER {
            return values.messages(self.content.trim());
        }
        if !self.is_parts {
            let words = Part::Text {
                content: filled(&self.content, &values.variables)?,
            };
            let role = Role::from_word(&self.role);
            let mut message = Message::new(role.unwrap_or(Role::User), vec![words]);
            message.name = role.is_none().then(|| self.role.clone());
            return Ok(vec![message]);
        }
        let parts: Json = serde_json::from_str(&self.content).map_err(|error| {
            Fault::invalid(format!("a message is no JSON: {error}")).on_field("messages")
        })?;
        let parts = match parts {
            Json::Array(parts) => parts,
            one => vec![one],
        };
        let said = json!([{"role": self.role, "parts": parts}]).to_string();
        let none = || Fault::invalid("a message is no list of parts").on_field("messages");
        let conversation = read(&said, Side::Input).ok_or_else(none)?;
        Ok(conversation.messages)
    }
}

impl Window {
    /// As it was sent. Browsers send ends of lines as CR LF, whatever they were.
    pub(super) fn posted(pairs: &Pairs) -> Self {
        let text = |name: &str| pairs.get(name).unwrap_or_default().replace("\r\n", "\n");
        let (roles, forms) = (pairs.all("role"), pairs.all("form"));
        let entries = roles.zip(forms).zip(pairs.all("content"));
        let entries = entries.map(|((role, form), content)| Entry {
            role: role.trim().to_owned(),
            is_parts: form == "parts",
            content: content.replace("\r\n", "\n"),
        });
        Window {
            connection: text("connection"),
            model: text("model").trim().to_owned(),
            messages: entries.collect(),
            named: NAMED_PARAMETERS.map(|name| text(name).trim().to_owned()),
            more: text("more"),
            tools: text("tools"),
            schema: text("schema"),
            prompt: (text("prompt"), text("version")),
        }
    }

    /// A version of a prompt with what its config says.
    pub(super) fn of_prompt(prompt: &Prompt) -> Self {
        let messages = match &prompt.content {
            Content::Text(text) => vec![Entry::words("user", text)],
            Content::Chat(messages) => {
                let entries = messages.iter().map(|message| match message {
                    PromptMessage::Said { role, content } => Entry::words(role, content),
                    PromptMessage::Placeholder { name } => Entry::words(PLACEHOLDER, name),
                });
                entries.collect()
            }
        };
        let mut window = Window {
            messages,
            prompt: (prompt.name.to_string(), prompt.version.to_string()),
            ..Window::default()
        };
        if let Json::Object(config) = &prompt.config {
            window.configure(
                config
                    .iter()
                    .map(|(name, value)| (name.as_str(), value.clone())),
            );
        }
        window
    }

    /// Takes what a config or recorded parameters say of a call; what is no part of a request is left out.
    pub(super) fn configure<'n>(&mut self, fields: impl Iterator<Item = (&'n str, Json)>) {
        let mut more = Map::new();
        for (name, value) in fields {
            let name = match name {
                "max_output_tokens" | "max_completion_tokens" => "max_tokens",
                other => other,
            };
            if let Some(at) = NAMED_PARAMETERS.iter().position(|known| *known == name) {
                if !value.is_null() {
                    self.named[at] = plain(&value);
                }
                continue;
            }
            match name {
                "model" | "model_name" => self.model = plain(&value),
                "tools" => self.tools = pretty(&value),
                "response_format" | "schema" | "json_schema" => self.schema = schema_of(&value),
                _ if PASSED_ON.contains(&name) => {
                    more.insert(name.to_owned(), value);
                }
                _ => {}
            }
        }
        if !more.is_empty() {
            self.more = pretty(&Json::Object(more));
        }
    }

    /// The request.
    ///
    /// # Errors
    /// `invalid` on a field.
    pub(super) fn ask(&self, values: &Values) -> Result<Ask, Fault> {
        let connection: Option<LlmConnectionId> = self.connection.parse().ok();
        let none = || Fault::invalid("choose a connection").on_field("connection");
        Ok(Ask {
            connection: connection.ok_or_else(none)?,
            model: self.model.clone(),
            messages: self.said(values)?,
            tools: self.tools()?,
            schema: json_in("the schema", "schema", &self.schema)?,
            parameters: self.parameters()?,
        })
    }

    /// All messages, filled in; those without a word fall away.
    pub(super) fn said(&self, values: &Values) -> Result<Vec<Message>, Fault> {
        let mut messages = Vec::new();
        for entry in self
            .messages
            .iter()
            .filter(|entry| !entry.content.trim().is_empty())
        {
            messages.extend(entry.messages(values)?);
            if messages.len() > MAX_MESSAGES {
                let message = format!("there are more than {MAX_MESSAGES} messages");
                return Err(Fault::invalid(message).on_field("messages"));
            }
        }
        Ok(messages)
    }

    fn tools(&self) -> Result<Vec<ToolDefinition>, Fault> {
        let Some(json) = json_in("the tools", "tools", &self.tools)? else {
            return Ok(Vec::new());
        };
        let tools = tool_definitions(&json.to_string());
        if tools.is_empty() && json != json!([]) {
            let message = "the tools are no list of definitions with names";
            return Err(Fault::invalid(message).on_field("tools"));
        }
        Ok(tools)
    }

    fn parameters(&self) -> Result<Map<String, Json>, Fault> {
        let mut parameters = match json_in("more parameters", "parameters", &self.more)? {
            None => Map::new(),
            Some(Json::Object(fields)) => fields,
            Some(_) => {
                let message = "more parameters are the JSON of an object";
                return Err(Fault::invalid(message).on_field("parameters"));
            }
        };
        let named = NAMED_PARAMETERS.into_iter().zip(&self.named);
        for (name, value) in named.filter(|(_, value)| !value.is_empty()) {
            let number = serde_json::from_str::<Json>(value).ok();
            let number = number.filter(Json::is_number).ok_or_else(|| {
                Fault::invalid(format!("{name} is no number")).on_field("parameters")
            })?;
            parameters.insert(name.to_owned(), number);
        }
        Ok(parameters)
    }

    /// Model, parameters, tools and schema as the config of a prompt has them.
    ///
    /// # Errors
    /// As [`Window::ask`].
    pub(super) fn config(&self) -> Result<Json, Fault> {
        let mut config = self.parameters()?;
        if !self.model.is_empty() {
            config.insert("model".to_owned(), json!(self.model));
        }
        let tools = json_in("the tools", "tools", &self.tools)?;
        config.extend(tools.map(|tools| ("tools".to_owned(), tools)));
        let schema = json_in("the schema", "schema", &self.schema)?;
        config.extend(schema.map(|schema| {
            let format =
                json!({"type": "json_schema", "json_schema": {"name": "answer", "schema": schema}});
            ("response_format".to_owned(), format)
        }));
        Ok(Json::Object(config))
    }

    /// Messages as pairs of role and words.
    pub(super) fn pairs(&self) -> Vec<(String, String)> {
        let entries = self.messages.iter();
        entries
            .map(|entry| (entry.role.clone(), entry.content.clone()))
            .collect()
    }

    /// What a recorded call was given.
    pub(super) fn of_conversation(conversation: &Conversation) -> Self {
        Window {
            messages: conversation.messages.iter().map(Entry::said).collect(),
            ..Window::default()
        }
    }
}

/// Parameters that are passed on under their own name, where a config or a recorded call has them.
const PASSED_ON: [&str; 13] = [
    "frequency_penalty",
    "presence_penalty",
    "seed",
    "stop",
    "stop_sequences",
    "top_k",
    "min_p",
    "repetition_penalty",
    "reasoning_effort",
    "tool_choice",
    "parallel_tool_calls",
    "thinking",
    "logit_bias",
];

/// The schema within a wish for a format of answers, or the schema itself.
fn schema_of(value: &Json) -> String {
    let value = match value {
        Json::String(text) => serde_json::from_str(text).unwrap_or(Json::Null),
        other => other.clone(),
    };
    let inner = value.get("json_schema").unwrap_or(&value);
    let schema = inner.get("schema").unwrap_or(inner);
    // `{"type": "json_object"}` and `{"type": "text"}` wish for a format, and for no shape.
    let names_no_shape = schema
        .get("type")
        .is_some_and(|kind| kind == "json_object" || kind == "text");
    match schema.is_object() && !names_no_shape {
        true => pretty(schema),
        false => String::new(),
    }
}

/// A text without quotes, anything else as JSON.
fn plain(value: &Json) -> String {
    match value {
        Json::String(text) => text.clone(),
        other => other.to_string(),
    }
}

pub(super) fn pretty(json: &Json) -> String {
    format!("{json:#}")
}

/// JSON that was entered; `None` where nothing was.
fn json_in(what: &str, field: &str, text: &str) -> Result<Option<Json>, Fault> {
    if text.trim().is_empty() {
        return Ok(None);
    }
    let json = serde_json::from_str(text);
    let json = json.map_err(|error| {
        Fault::invalid(format!("{what}: this is no JSON: {error}")).on_field(field)
    })?;
    Ok(Some(json))
}

#[cfg(test)]
mod tests {
    use super::*;

    const ID: &str = "00000000-0000-0000-0000-000000000001";

    fn asked(more: &str) -> Result<Ask, Fault> {
        let form = format!("connection={ID}&model=m&{more}");
        let pairs = Pairs::parse(form.as_bytes());
        Window::posted(&pairs).ask(&Values::posted(&pairs))
    }

    #[test]
    fn a_window_becomes_a_request() {
        let ask = asked(
            "role=system&form=text&content=Hi+%7B%7Bname%7D%7D&role=placeholder&form=text&content=history\
             &role=user&form=parts&content=%5B%7B%22type%22%3A%22text%22%2C%22content%22%3A%22%7B%7Bx%7D%7D%22%7D%5D\
             &role=user&form=text&content=&var.name=Ada&slot.history=%5B%7B%22role%22%3A%22assistant%22%2C%22content%22%3A%22Yes%22%7D%5D\
             &temperature=0.5&max_tokens=&more=%7B%22seed%22%3A7%7D&tools=%5B%7B%22name%22%3A%22find%22%7D%5D\
             &schema=%7B%22type%22%3A%22object%22%7D",
        )
        .unwrap();
        let said: Vec<(Role, String)> = ask
            .messages
            .iter()
            .map(|message| (message.role, domain::message::text_of(message)))
            .collect();
        let expected = [
            (Role::System, "Hi Ada".to_owned()),
            (Role::Assistant, "Yes".to_owned()),
            (Role::User, "{{x}}".to_owned()),
        ];
        assert_eq!(said, expected);
        assert_eq!(ask.parameters["temperature"], json!(0.5));
        assert_eq!(ask.parameters["seed"], 7);
        assert_eq!(ask.tools[0].name, "find");
        assert!(ask.schema.is_some());
    }

    #[test]
    fn what_is_wrong_is_named() {
        let wrong = |more: &str| asked(more).unwrap_err().field.unwrap();
        assert_eq!(
            wrong("role=user&form=text&content=%7B%7Bx%7D%7D"),
            "variables"
        );
        assert_eq!(wrong("role=placeholder&form=text&content=h"), "variables");
        assert_eq!(wrong("role=user&form=parts&content=%7B"), "messages");
        assert_eq!(wrong("temperature=warm"), "parameters");
        assert_eq!(wrong("more=%5B%5D"), "parameters");
        assert_eq!(wrong("tools=%7B"), "tools");
        assert_eq!(wrong("tools=%5B1%5D"), "tools");
        assert_eq!(wrong("schema=x"), "schema");
        let pairs = Pairs::parse(b"model=m");
        let fault = Window::posted(&pairs)
            .ask(&Values::posted(&pairs))
            .unwrap_err();
        assert_eq!(fault.field.as_deref(), Some("connection"));
    }

    #[test]
    fn a_config_says_how_a_model_is_called() {
        let mut window = Window::default();
        let config = json!({
            "model": "m", "max_completion_tokens": 9, "seed": 1, "owner": "team",
            "response_format": {"type": "json_schema", "json_schema": {"schema": {"type": "object"}}},
        });
        let fields = config.as_object().unwrap().iter();
        window.configure(fields.map(|(name, value)| (name.as_str(), value.clone())));
        assert_eq!(
            (window.model.as_str(), window.named[2].as_str()),
            ("m", "9")
        );
        assert!(window.more.contains("seed") && !window.more.contains("team"));
        let again = window.config().unwrap();
        assert_eq!(again["max_tokens"], 9);
        assert_eq!(
            again["response_format"]["json_schema"]["schema"]["type"],
            "object"
        );
        assert_eq!(schema_of(&json!({"type": "json_object"})), "");
    }

    #[test]
    fn what_was_recorded_is_said_again_word_for_word() {
        let words = |content: &str| Part::Text {
            content: content.to_owned(),
        };
        let plain = Entry::said(&Message::new(Role::User, vec![words("Hi")]));
        assert_eq!(plain, Entry::words("user", "Hi"));
        let braces = Message::new(Role::User, vec![words("Hi {{name}}")]);
        let entry = Entry::said(&braces);
        assert!(entry.is_parts);
        assert_eq!(entry.messages(&Values::default()).unwrap(), [braces]);
        let call = Part::ToolCall {
            id: Some("c".to_owned()),
            name: "f".to_owned(),
            arguments: json!({"a": 1}),
        };
        let called = Message::new(Role::Assistant, vec![words("So:"), call]);
        let entry = Entry::said(&called);
        assert_eq!(entry.messages(&Values::default()).unwrap(), [called]);
    }
}
