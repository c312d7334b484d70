//! What is expected of the answers of a project, beside what their requests ask for.

use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::Value;

use super::{ProjectRules, Requested};
use crate::span::PromptRef;

/// Rules and prompts of a project, as far as they say what answers should be.
#[derive(Clone, Debug, Default)]
pub struct Expected {
    /// Rules: they go before what a request asks for.
    pub rules: Arc<ProjectRules>,
    /// Prompts: they count where neither a rule nor the request says anything.
    pub prompts: PromptFormats,
}

/// The formats that versions of managed prompts ask for in their configurations.
#[derive(Clone, Debug, Default)]
pub struct PromptFormats(BTreeMap<PromptRef, Requested>);

impl PromptFormats {
    /// Of some versions.
    pub fn new(formats: impl IntoIterator<Item = (PromptRef, Requested)>) -> Self {
        PromptFormats(formats.into_iter().collect())
    }

    /// What a version asks for; `None` when it asks for nothing, or is not known.
    pub fn of(&self, prompt: &PromptRef) -> Option<&Requested> {
        self.0.get(prompt)
    }
}

impl Requested {
    /// Reads the configuration of a prompt, which applications hand on to the model: `response_format`,
    /// `text` of the Responses API, or `json_schema` with its `schema`, as OpenAI has them.
    pub fn from_prompt_config(config: &Value) -> Option<Self> {
        let of = |value: &Value| match value {
            Value::String(text) => Requested::from_response_format(text),
            Value::Object(_) => Requested::from_response_format(&value.to_string()),
            _ => None,
        };
        let asked = ["response_format", "text"]
            .iter()
            .find_map(|key| config.get(key));
        if let Some(asked) = asked {
            return of(asked);
        }
        let named = config.get("json_schema")?;
        of(named.get("schema").unwrap_or(named))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_configuration_asks_as_a_request_would() {
        let schema = json!({ "type": "object", "required": ["a"] });
        let asked = Some(Requested::JsonSchema(schema.to_string()));
        for config in [
            json!({ "response_format": { "type": "json_schema", "json_schema": { "name": "n", "schema": schema } } }),
            json!({ "text": { "format": { "type": "json_schema", "name": "n", "schema": schema } } }),
            json!({ "json_schema": { "name": "n", "schema": schema } }),
            json!({ "json_schema": schema, "model": "m" }),
        ] {
            assert_eq!(Requested::from_prompt_config(&config), asked, "{config}");
        }
        let json = json!({ "response_format": { "type": "json_object" } });
        assert_eq!(Requested::from_prompt_config(&json), Some(Requested::Json));
        for nothing in [
            json!({}),
            json!(null),
            json!([1]),
            json!({ "text": 7 }),
            json!({ "model": "m" }),
        ] {
            assert_eq!(Requested::from_prompt_config(&nothing), None, "{nothing}");
        }
    }
}
