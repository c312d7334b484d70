//! What is asked: messages with variables filled in, tools, the shape of the answer, parameters.

use std::collections::BTreeMap;

use domain::message::{Message, Part, Reference, Role, ToolDefinition};
use domain::prompt::{fill, variables};
use domain::{Fault, LlmConnectionId};
use serde_json::{Map, Value as Json};

/// Most messages of a request.
pub const MAX_MESSAGES: usize = 500;
/// Most tools of a request.
const MAX_TOOLS: usize = 128;
/// Most bytes of a request, as JSON.
pub(super) const MAX_BYTES: usize = 4 << 20;
/// Most bytes of the name of a model.
const MAX_MODEL: usize = 256;
/// Parameters that have a field of their own.
pub const NAMED_PARAMETERS: [&str; 3] = ["temperature", "top_p", "max_tokens"];
/// What a request says elsewhere, so that no parameter may.
const RESERVED: [&str; 9] = [
    "model",
    "messages",
    "system",
    "stream",
    "stream_options",
    "tools",
    "response_format",
    "functions",
    "n",
];

/// A request for a completion.
#[derive(Clone, Debug, PartialEq)]
pub struct Ask {
    /// The connection that it goes through.
    pub connection: LlmConnectionId,
    /// The model.
    pub model: String,
    /// What was said so far.
    pub messages: Vec<Message>,
    /// Tools that the model may call.
    pub tools: Vec<ToolDefinition>,
    /// JSON schema that the answer must follow.
    pub schema: Option<Json>,
    /// Parameters by the names of the interface.
    pub parameters: Map<String, Json>,
}

impl Ask {
    /// The least that tells whether a connection works.
    pub(super) fn trial(connection: LlmConnectionId, model: &str) -> Self {
        let words = Part::Text {
            content: "Say OK.".to_owned(),
        };
        Ask {
            connection,
            model: model.to_owned(),
            messages: vec![Message::new(Role::User, vec![words])],
            tools: Vec::new(),
            schema: None,
            parameters: Map::from_iter([("max_tokens".to_owned(), Json::from(16))]),
        }
    }

    /// Checks what the types do not.
    ///
    /// # Errors
    /// `invalid` on a field.
    pub(super) fn check(&self) -> Result<(), Fault> {
        let wrong = |field: &str, message: &str| Err(Fault::invalid(message).on_field(field));
        let is_name = !self.model.trim().is_empty() && !self.model.chars().any(char::is_control);
        if !is_name || self.model.len() > MAX_MODEL {
            return wrong("model", "name a model");
        }
        if self.messages.is_empty() {
            return wrong("messages", "say something: there is no message");
        }
        if self.messages.len() > MAX_MESSAGES {
            return wrong("messages", "there are more than 500 messages");
        }
        if self.tools.len() > MAX_TOOLS {
            return wrong("tools", "there are more than 128 tools");
        }
        if self.tools.iter().any(|tool| tool.name.is_empty()) {
            return wrong("tools", "each tool has a name");
        }
        if self
            .schema
            .as_ref()
            .is_some_and(|schema| !schema.is_object())
        {
            return wrong("schema", "a JSON schema is an object");
        }
        if let Some(name) = RESERVED
            .iter()
            .find(|name| self.parameters.contains_key(**name))
        {
            let message = format!("{name} is no parameter: it has a place of its own");
            return wrong("parameters", &message);
        }
        if self.parts().any(is_out_of_reach) {
            let message =
                "an attachment that is kept here cannot be sent: give its address or its words";
            return wrong("messages", message);
        }
        Ok(())
    }

    fn parts(&self) -> impl Iterator<Item = &Part> {
        self.messages.iter().flat_map(|message| &message.parts)
    }
}

/// Attachments in the project's own keeping, which no provider can fetch.
fn is_out_of_reach(part: &Part) -> bool {
    match part {
        Part::Media(media) => match &media.reference {
            Reference::Uri(uri) => uri.starts_with("@@@"),
            Reference::Inline(_) | Reference::FileId(_) => false,
        },
        _ => false,
    }
}

/// A text with its variables filled in.
///
/// # Errors
/// `invalid` on the field `variables` when one has no value.
pub fn filled(text: &str, values: &BTreeMap<String, String>) -> Result<String, Fault> {
    if let Some(missing) = variables(text)
        .into_iter()
        .find(|name| !values.contains_key(*name))
    {
        let message = format!("the variable {missing} has no value");
        return Err(Fault::invalid(message).on_field("variables"));
    }
    Ok(fill(text, |name| values.get(name).map(String::as_str)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variables_are_filled_in_and_none_is_left_open() {
        let values = BTreeMap::from([("a".to_owned(), "{{b}}".to_owned())]);
        assert_eq!(
            filled("{{ a }} and {{}}", &values).unwrap(),
            "{{b}} and {{}}"
        );
        let fault = filled("{{c}}", &values).unwrap_err();
        assert_eq!(fault.field.as_deref(), Some("variables"));
    }

    #[test]
    fn what_no_provider_could_take_is_refused_first() {
        let good = Ask::trial(LlmConnectionId(uuid::Uuid::nil()), "m");
        assert!(good.check().is_ok());
        let refused = |change: &dyn Fn(&mut Ask)| {
            let mut ask = good.clone();
            change(&mut ask);
            ask.check().unwrap_err().field.unwrap()
        };
        assert_eq!(refused(&|ask| ask.model = "a\nb".to_owned()), "model");
        assert_eq!(refused(&|ask| ask.messages.clear()), "messages");
        assert_eq!(refused(&|ask| ask.schema = Some(Json::from(1))), "schema");
        let stream = ("stream".to_owned(), Json::from(false));
        let streams = |ask: &mut Ask| ask.parameters.extend([stream.clone()]);
        assert_eq!(refused(&streams), "parameters");
    }
}
