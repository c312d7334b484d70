//! Tools that a model was offered and called, as they stand in what went in and came out.

use std::collections::BTreeMap;

use domain::Span;
use domain::message::{Part, Side, ToolDefinition, said, tool_calls};
use serde::Serialize;
use serde_json::{Value, json};

use crate::shape::Dialogue;

/// The group `tools`; definitions and calls are JSON within texts, as in Langfuse's own columns.
#[derive(Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Tools {
    tool_definitions: BTreeMap<String, String>,
    tool_calls: Vec<String>,
    tool_call_names: Vec<String>,
}

impl Tools {
    /// Those of a call of a model; any other span has none.
    pub(super) fn of(span: &Span) -> Self {
        if span.kind != domain::span::SpanKind::Generation {
            return Tools::default();
        }
        let offered = Dialogue::of(span).tool_definitions.into_iter();
        let output = said(span, Side::Output).unwrap_or_default();
        let calls = tool_calls(&output.messages);
        let calls: Vec<(String, &str)> = calls.into_iter().enumerate().filter_map(call).collect();
        Tools {
            tool_definitions: offered.map(definition).collect(),
            tool_call_names: calls.iter().map(|(_, name)| (*name).to_owned()).collect(),
            tool_calls: calls.into_iter().map(|(call, _)| call).collect(),
        }
    }
}

fn definition(tool: ToolDefinition) -> (String, String) {
    let said = json!({"description": tool.description, "parameters": tool.parameters});
    (tool.name, said.to_string())
}

fn call((index, part): (usize, &Part)) -> Option<(String, &str)> {
    let Part::ToolCall {
        id,
        name,
        arguments,
    } = part
    else {
        return None;
    };
    let arguments = match arguments {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    };
    let call = json!({
        "id": id, "name": name, "arguments": arguments, "type": "function", "index": index,
    });
    Some((call.to_string(), name))
}
