use serde::{Deserialize, Serialize};
use serde_json::{Map, Value as Json, json};

use super::{Material, Scale, wrong};
use crate::fault::Fault;
use crate::ids::LlmConnectionId;
use crate::prompt::{fill, variables};
use crate::quality;
use crate::score::{DataType, ScoreValue};

/// Variables that a prompt may have.
pub const VARIABLES: [&str; 4] = ["input", "output", "expected_output", "metadata"];
/// Longest prompt, in bytes.
const MAX_PROMPT_BYTES: usize = 50_000;
/// Longest name of a model, in bytes.
const MAX_MODEL_BYTES: usize = 256;
/// Longest reasoning that is kept, in characters.
const MAX_REASONING_CHARS: usize = 5_000;

/// A model that judges.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Judge {
    /// The connection that it is asked through.
    pub connection: LlmConnectionId,
    /// The model.
    pub model: String,
    /// What it is asked, with variables.
    pub prompt: String,
}

impl Judge {
    pub(super) fn check(&mut self) -> Result<(), Fault> {
        self.model = self.model.trim().to_owned();
        let is_name = !self.model.is_empty() && !super::is_odd(&self.model);
        if !is_name || self.model.len() > MAX_MODEL_BYTES {
            return Err(wrong("judge.model", "name a model"));
        }
        if self.prompt.trim().is_empty() {
            return Err(wrong("judge.prompt", "say what is to be judged, and how"));
        }
        if self.prompt.len() > MAX_PROMPT_BYTES || self.prompt.contains('\0') {
            return Err(wrong(
                "judge.prompt",
                "must have at most 50000 bytes and no NUL",
            ));
        }
        let used = variables(&self.prompt);
        if let Some(unknown) = used.iter().find(|name| !VARIABLES.contains(&&***name)) {
            let known = VARIABLES.map(|name| format!("{{{{{name}}}}}")).join(", ");
            let message = format!("{{{{{unknown}}}}} is not known; known are {known}");
            return Err(wrong("judge.prompt", &message));
        }
        if used.is_empty() {
            return Err(wrong(
                "judge.prompt",
                "must show the model something: use {{output}}",
            ));
        }
        Ok(())
    }

    /// What the model is told of a span.
    ///
    /// # Errors
    /// What the span lacks that the prompt names.
    pub fn filled(&self, material: &Material, scale: &Scale) -> Result<String, String> {
        let values: Vec<(&str, String)> = VARIABLES
            .into_iter()
            .filter_map(|name| Some((name, material.variable(name)?)))
            .collect();
        let value = |name: &str| {
            let known = values.iter().find(|(known, _)| *known == name);
            known.map(|(_, value)| value.as_str())
        };
        let used = variables(&self.prompt);
        if let Some(missing) = used.iter().find(|name| value(name).is_none()) {
            return Err(format!("the span has no {missing}"));
        }
        let prompt = fill(&self.prompt, value);
        Ok(format!("{prompt}\n\n{}", scale.demand()))
    }
}

impl Scale {
    /// How the answer is to look, in words, for models that do not hold to schemas.
    fn demand(&self) -> String {
        let score = match self.data_type {
            DataType::Boolean => "true or false".to_owned(),
            DataType::Categorical => format!("one of {}", json!(self.labels)),
            _ => match (self.min, self.max) {
                (Some(min), Some(max)) => format!("a number from {min} to {max}"),
                (Some(min), None) => format!("a number of at least {min}"),
                (None, Some(max)) => format!("a number of at most {max}"),
                (None, None) => "a number".to_owned(),
            },
        };
        format!(
            "Answer with a JSON object and nothing else: {{\"reasoning\": why, in a few sentences, \"score\": {score}}}."
        )
    }

    /// JSON schema of an answer.
    pub fn schema(&self) -> Json {
        let score = match self.data_type {
            DataType::Boolean => json!({"type": "boolean"}),
            DataType::Categorical => json!({"type": "string", "enum": self.labels}),
            _ => json!({"type": "number"}),
        };
        // The reasons come first: a model that has written them down judges better.
        let mut properties = Map::new();
        properties.insert("reasoning".to_owned(), json!({"type": "string"}));
        properties.insert("score".to_owned(), score);
        json!({
            "type": "object",
            "properties": properties,
            "required": ["reasoning", "score"],
            "additionalProperties": false,
        })
    }

    /// Reads an answer: the score and the reasons.
    ///
    /// # Errors
    /// Why it is none.
    pub fn read(&self, answer: &str) -> Result<(ScoreValue, String), String> {
        let answer = answer.trim();
        let json = quality::fenced(answer).unwrap_or(answer);
        let json: Json = serde_json::from_str(json)
            .map_err(|error| format!("the answer is no JSON: {error}"))?;
        let score = json.get("score").ok_or("the answer has no score")?;
        let value = ScoreValue::read(score, Some(self.data_type))
            .map_err(|why| format!("the score of the answer {why}"))?;
        if !self.allows(&value) {
            return Err("the score of the answer is out of range".to_owned());
        }
        let reasoning = json.get("reasoning").and_then(Json::as_str);
        let reasoning = reasoning.ok_or("the answer has no reasoning")?;
        let kept = reasoning.chars().filter(|sign| *sign != '\0');
        Ok((value, kept.take(MAX_REASONING_CHARS).collect()))
    }
}
