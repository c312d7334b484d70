//! Calls of tools against the tools that the model was offered, and results against the calls before them.
//!
//! Where it is not known what was offered, or the provider runs tools of its own, nothing is said of names; where a
//! schema cannot be used, nothing of arguments.

use std::collections::HashSet;

use serde_json::Value as Json;

use super::{Detail, Rule, shortened};
use crate::message::{Message, Part, Role, ToolDefinition};

/// Longest name that is repeated in words, characters.
const MAX_NAME: usize = 100;

/// A call that a model made.
#[derive(Clone, Debug, PartialEq)]
pub struct Call {
    /// Name of the tool.
    pub name: String,
    /// Its arguments: JSON, or text where they are none.
    pub arguments: Json,
}

/// Whether arguments, as JSON text, are what a schema, as JSON text, asks for; `None` where that cannot be told.
pub type Accepts<'a> = &'a dyn Fn(&str, &str) -> Option<bool>;

/// What is wrong with calls; of several things the first call's.
pub fn deviation(
    offered: &[ToolDefinition],
    called: &[Call],
    accepts: Accepts<'_>,
) -> Option<Detail> {
    if offered.is_empty() {
        return None;
    }
    let is_all = !offered.iter().any(is_providers);
    let mut found = called.iter().filter_map(|call| {
        let mut same = offered.iter().filter(|tool| tool.name == call.name);
        match same.next() {
            None => (is_all && !call.name.is_empty()).then(|| not_offered(offered, call)),
            // Which of two tools of one name was meant is not known.
            Some(_) if same.next().is_some() => None,
            Some(tool) => wrong_arguments(tool, call, accepts),
        }
    });
    let first = found.next()?;
    let others = found.count();
    Some(match others {
        0 => first,
        more => Detail {
            evidence: format!("{}; {more} more calls deviate", first.evidence),
            ..first
        },
    })
}

/// A tool that the provider runs is defined by its type alone; what it is called by is the provider's choice.
fn is_providers(tool: &ToolDefinition) -> bool {
    let kind = tool.parameters.as_ref().and_then(|whole| whole.get("type"));
    tool.name.is_empty() || kind.and_then(Json::as_str) == Some(tool.name.as_str())
}

fn not_offered(offered: &[ToolDefinition], call: &Call) -> Detail {
    const SHOWN: usize = 5;
    let names: Vec<String> = offered
        .iter()
        .take(SHOWN)
        .map(|tool| shortened(&tool.name, MAX_NAME))
        .collect();
    let rest = match offered.len().saturating_sub(SHOWN) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let evidence = format!(
        "the tool {} was called; offered were {}{rest}",
        shortened(&call.name, MAX_NAME),
        names.join(", ")
    );
    Detail::new(Rule::ToolNotOffered, evidence)
}

fn wrong_arguments(tool: &ToolDefinition, call: &Call, accepts: Accepts<'_>) -> Option<Detail> {
    let schema = tool
        .parameters
        .as_ref()
        .filter(|schema| schema.is_object())?;
    let name = shortened(&call.name, MAX_NAME);
    let arguments = match &call.arguments {
        Json::Null => "{}".to_owned(),
        Json::String(text) if text.trim().is_empty() => "{}".to_owned(),
        // Readable JSON was read already.
        Json::String(_) => {
            let evidence = format!("the arguments of {name} are no JSON object");
            return Some(Detail::new(Rule::ToolArguments, evidence));
        }
        json => json.to_string(),
    };
    if accepts(&schema.to_string(), &arguments) != Some(false) {
        return None;
    }
    let missing = missing(schema, &call.arguments);
    let why = match missing.is_empty() {
        true => String::new(),
        false => format!("; missing: {}", missing.join(", ")),
    };
    let evidence = format!("the arguments of {name} do not match its schema{why}");
    Some(Detail::new(Rule::ToolArguments, evidence))
}

/// Required arguments that are not there.
fn missing(schema: &Json, arguments: &Json) -> Vec<String> {
    let required = schema.get("required").and_then(Json::as_array);
    let names = required.into_iter().flatten().filter_map(Json::as_str);
    let absent = names.filter(|name| arguments.get(name).is_none());
    absent.map(|name| shortened(name, MAX_NAME)).collect()
}

/// What a conversation says of calls before the answer: a result behind the last words of the model that answers none
/// of its calls. Where no call is in the conversation, its history is kept elsewhere.
pub fn unknown_result(messages: &[Message]) -> Option<Detail> {
    let calls = |message: &Message| -> Vec<Option<String>> {
        let ids = message.parts.iter().filter_map(|part| match part {
            Part::ToolCall { id, .. } => Some(id.clone()),
            _ => None,
        });
        ids.collect()
    };
    let known: Vec<Option<String>> = messages.iter().flat_map(calls).collect();
    let known: Option<HashSet<String>> = known.into_iter().collect();
    let known = known.filter(|ids| !ids.is_empty())?;
    let last = messages
        .iter()
        .rposition(|message| message.role == Role::Assistant)?;
    let results = messages[last + 1..]
        .iter()
        .flat_map(|message| &message.parts);
    let mut unknown = results.filter_map(|part| match part {
        Part::ToolResult { id: Some(id), .. } if !known.contains(id) => Some(id),
        _ => None,
    });
    let id = shortened(unknown.next()?, MAX_NAME);
    let evidence = format!("a tool's result names the call {id}, which nobody made");
    Some(Detail::new(Rule::ToolResultUnknown, evidence))
}

/// Which turn of its conversation an answer belongs to: so often a person has spoken. `None` where nobody did.
pub fn round(messages: &[Message]) -> Option<u32> {
    let spoke = |message: &&Message| {
        message.role == Role::User
            && message
                .parts
                .iter()
                .any(|part| !matches!(part, Part::ToolResult { .. }))
    };
    let times = messages.iter().filter(spoke).count();
    u32::try_from(times).ok().filter(|&times| times > 0)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::message::{Side, read_generation, tool_definitions};
    use crate::quality::Schema;

    const OFFERED: &str = r#"[{"type":"function","function":{"name":"pay","parameters":{"type":"object",
        "properties":{"amount":{"type":"number"}},"required":["amount"]}}},{"name":"look_up"}]"#;

    fn accepts(schema: &str, arguments: &str) -> Option<bool> {
        Schema::compile(schema).ok()?.accepts(arguments)
    }

    fn told(offered: &str, calls: &[(&str, Json)]) -> Option<(Rule, String)> {
        let calls: Vec<Call> = calls
            .iter()
            .map(|(name, arguments)| Call {
                name: (*name).to_owned(),
                arguments: arguments.clone(),
            })
            .collect();
        let found = deviation(&tool_definitions(offered), &calls, &accepts)?;
        Some((found.rule, found.evidence))
    }

    #[test]
    fn a_call_of_what_was_not_offered_deviates() {
        let (rule, evidence) = told(OFFERED, &[("refund", json!({})), ("x", json!({}))]).unwrap();
        assert_eq!(rule, Rule::ToolNotOffered);
        assert_eq!(
            evidence,
            "the tool refund was called; offered were pay, look_up; 1 more calls deviate"
        );
        assert_eq!(told(OFFERED, &[("look_up", json!({"any": 1}))]), None);
        assert_eq!(told("[]", &[("refund", json!({}))]), None);
    }

    #[test]
    fn where_the_provider_runs_tools_names_say_nothing() {
        let with = r#"[{"type":"web_search"},{"name":"pay"}]"#;
        assert_eq!(told(with, &[("web_search_call", json!({}))]), None);
    }

    #[test]
    fn arguments_are_held_against_the_schema() {
        assert_eq!(told(OFFERED, &[("pay", json!({"amount": 3}))]), None);
        for (arguments, evidence) in [
            (
                json!({}),
                "the arguments of pay do not match its schema; missing: amount",
            ),
            (
                json!(""),
                "the arguments of pay do not match its schema; missing: amount",
            ),
            (
                json!({"amount": "3"}),
                "the arguments of pay do not match its schema",
            ),
            (
                json!("{\"amount\": 3"),
                "the arguments of pay are no JSON object",
            ),
        ] {
            let expected = Some((Rule::ToolArguments, evidence.to_owned()));
            assert_eq!(told(OFFERED, &[("pay", arguments)]), expected);
        }
        let gemini = r#"[{"name":"pay","parameters":{"type":"OBJECT","required":["amount"]}}]"#;
        assert_eq!(told(gemini, &[("pay", json!({}))]), None);
    }

    fn read(text: &str) -> Vec<Message> {
        read_generation(text, Side::Input).messages
    }

    #[test]
    fn a_result_that_answers_no_call_is_unknown() {
        let told = |id: &str, after: &str| {
            let text = format!(
                r#"[{{"role":"user","content":"?"}},{{"role":"assistant","content":null,"tool_calls":[
                {{"id":"1","type":"function","function":{{"name":"a","arguments":"{{}}"}}}}]}},
                {{"role":"tool","tool_call_id":"{id}","content":"3"}}{after}]"#
            );
            unknown_result(&read(&text)).map(|found| found.evidence)
        };
        assert_eq!(told("1", ""), None);
        let expected = "a tool's result names the call 9, which nobody made";
        assert_eq!(told("9", "").as_deref(), Some(expected));
        // It was told of when it came.
        assert_eq!(told("9", r#",{"role":"assistant","content":"3"}"#), None);
        let elsewhere = r#"[{"role":"tool","tool_call_id":"1","content":"3"}]"#;
        assert_eq!(unknown_result(&read(elsewhere)), None);
    }

    #[test]
    fn a_round_is_how_often_a_person_spoke() {
        let text = r#"[{"role":"system","content":"s"},{"role":"user","content":"a"},
            {"role":"assistant","content":"b"},{"role":"user","content":[
            {"type":"tool_result","tool_use_id":"1","content":"3"}]},{"role":"user","content":"c"}]"#;
        assert_eq!(round(&read(text)), Some(2));
        assert_eq!(round(&[]), None);
    }
}
