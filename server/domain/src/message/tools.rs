use serde::Serialize;
use serde_json::Value as Json;

use super::json::{self, Map};

/// A tool that a model may call.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ToolDefinition {
    /// Its name; its type for tools that the provider runs.
    pub name: String,
    /// What it is for.
    pub description: Option<String>,
    /// JSON schema of its arguments. All of the definition where it is none that we know.
    pub parameters: Option<Json>,
}

/// More tools than this are not read.
const MAX_TOOLS: usize = 10_000;

/// The tools in the text of an attribute, in whatever shape; empty when there are none.
pub fn tool_definitions(text: &str) -> Vec<ToolDefinition> {
    json::decoded(text).map_or_else(Vec::new, |json| definitions(&json))
}

/// The tools in a list of definitions, in an object that holds such lists, or in one definition.
pub(super) fn definitions(json: &Json) -> Vec<ToolDefinition> {
    let mut found = Vec::new();
    collect(json, &mut found);
    found
}

/// Tools of Gemini and pydantic-ai stand in lists within objects.
const LISTS: &[&str] = &[
    "functionDeclarations",
    "function_declarations",
    "function_tools",
    "output_tools",
    "native_tools",
    "builtin_tools",
    "tools",
];

fn collect(json: &Json, found: &mut Vec<ToolDefinition>) {
    if found.len() >= MAX_TOOLS {
        return;
    }
    match json::unwrapped(json) {
        Json::Array(items) => {
            for item in &items {
                collect(item, found);
            }
        }
        Json::Object(map) => {
            let mut lists = LISTS
                .iter()
                .filter_map(|key| map.get(*key))
                .filter(|list| list.is_array())
                .peekable();
            if lists.peek().is_none() && !map.is_empty() {
                found.push(definition(&map));
            }
            for list in lists {
                collect(list, found);
            }
        }
        _ => {}
    }
}

fn definition(map: &Map) -> ToolDefinition {
    // OpenAI, Bedrock and the numbered keys of OpenInference put the definition one step deeper.
    if let Some(inner) = json::object(map, &["function", "toolSpec", "tool_spec", "tool"]) {
        return definition(inner);
    }
    if let Some(Json::Object(schema)) = map.get("json_schema").map(json::unwrapped) {
        return from_schema(map, schema);
    }
    let parameters = json::first(
        map,
        &[
            "parameters",
            "input_schema",
            "inputSchema",
            "parameters_json_schema",
            "parametersJsonSchema",
            "parameter_definitions",
            "args_schema",
        ],
    );
    match json::text(map, &["name"]) {
        Some(name) => ToolDefinition {
            name: name.to_owned(),
            description: json::owned(map, &["description"]),
            parameters: parameters.map(schema),
        },
        None => ToolDefinition {
            name: json::kind(map).to_owned(),
            description: json::owned(map, &["description"]),
            parameters: Some(Json::Object(map.clone())),
        },
    }
}

/// The schema at `json_schema` is the whole definition for most, the arguments alone for some.
fn from_schema(map: &Map, schema: Map) -> ToolDefinition {
    let whole = schema.contains_key("function")
        || schema.contains_key("name")
        || schema.contains_key("toolSpec");
    if whole {
        return definition(&schema);
    }
    ToolDefinition {
        name: json::owned(map, &["name"]).unwrap_or_default(),
        description: json::owned(map, &["description"]),
        parameters: Some(Json::Object(schema)),
    }
}

/// Bedrock and the AI SDK wrap a schema once more.
fn schema(parameters: &Json) -> Json {
    let parameters = json::unwrapped(parameters);
    let inner = parameters
        .as_object()
        .filter(|map| map.len() == 1)
        .and_then(|map| json::first(map, &["json", "jsonSchema"]));
    inner.cloned().unwrap_or(parameters)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn every_shape_of_a_definition_gives_the_same_tool() {
        let schema = json!({"type": "object", "properties": {"city": {"type": "string"}}});
        let flat = json!({"type": "function", "name": "weather", "description": "天气", "parameters": schema});
        let shapes = [
            json!([{"type": "function", "function": {"name": "weather", "description": "天气", "parameters": schema}}]),
            json!([flat]),
            json!([flat.to_string()]),
            json!([{"name": "weather", "description": "天气", "input_schema": schema}]),
            json!([{"type": "function", "name": "weather", "description": "天气", "inputSchema": schema}]),
            json!([{"name": "weather", "description": "天气", "parameters": schema.to_string()}]),
            json!([{"functionDeclarations": [{"name": "weather", "description": "天气", "parametersJsonSchema": schema}]}]),
            json!({"tools": [{"toolSpec": {"name": "weather", "description": "天气", "inputSchema": {"json": schema}}}]}),
            json!({"function_tools": [{"name": "weather", "parameters_json_schema": schema, "description": "天气", "kind": "function"}], "native_tools": []}),
            json!([{"tool": {"json_schema": flat.to_string()}}]),
            json!([{"tool": {"name": "weather", "description": "天气", "json_schema": schema.to_string()}}]),
        ];
        for shape in shapes {
            for text in [shape.to_string(), json!(shape.to_string()).to_string()] {
                let tools = tool_definitions(&text);
                assert_eq!(tools.len(), 1, "{text}");
                assert_eq!(tools[0].name, "weather", "{text}");
                assert_eq!(tools[0].description.as_deref(), Some("天气"), "{text}");
                assert_eq!(tools[0].parameters.as_ref(), Some(&schema), "{text}");
            }
        }
    }

    #[test]
    fn a_tool_of_the_provider_goes_by_its_type_and_keeps_what_it_says() {
        let tools = tool_definitions(r#"[{"type":"web_search_preview","size":"low"}]"#);
        assert_eq!(tools[0].name, "web_search_preview");
        assert_eq!(
            tools[0].parameters,
            Some(json!({"type": "web_search_preview", "size": "low"}))
        );
    }

    #[test]
    fn no_tools_are_no_error() {
        for text in [
            "",
            "[]",
            "{}",
            "null",
            "free text",
            r#"{"tools":[]}"#,
            "[1]",
        ] {
            assert_eq!(tool_definitions(text), [], "{text}");
        }
    }
}
