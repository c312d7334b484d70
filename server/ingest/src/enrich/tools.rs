//! Tools that a model was offered and called: their names, which lists are narrowed by and metrics count, and
//! whether the calls are what was offered.

use std::borrow::Cow;

use domain::Span;
use domain::message::{ToolDefinition, tool_definitions, tools_beside};
use domain::semantic::{Detail, tools};
use domain::tool_use::ToolUse;
use serde::Deserialize;
use serde::de::IgnoredAny;

use super::schemas;
use super::words::Heard;

/// Longer definitions are not read.
const MAX_BYTES: usize = 256 * 1024;

/// The tools of a generation. Definitions that stand beside its input go before those in it.
pub(super) fn used(span: &Span, heard: &Heard) -> ToolUse {
    let beside = tools_beside(span);
    let offered: Vec<String> = match beside.is_empty() {
        true => {
            let within = heard.input.iter().flat_map(|input| &input.offered);
            within.map(|tool| tool.name.clone()).collect()
        }
        false => beside.iter().flat_map(|text| names(text)).collect(),
    };
    let called = heard.output.iter().flat_map(|output| &output.called);
    ToolUse::new(offered, called.map(|call| call.name.clone()))
}

/// What is wrong with the calls of a generation, or with the results that it was given.
pub(super) fn deviation(span: &Span, heard: &Heard) -> Option<Detail> {
    let (input, output) = (heard.input.as_ref(), heard.output.as_ref());
    let unknown = || input.and_then(|words| words.unknown_result.clone());
    let called = output.map_or(&[][..], |words| &words.called);
    // Of what was cut it is not known what it was.
    if called.is_empty() || span.oddities.cut {
        return unknown();
    }
    let beside = tools_beside(span);
    let read = beside.iter().filter(|text| text.len() <= MAX_BYTES);
    let read: Vec<ToolDefinition> = read.flat_map(|text| tool_definitions(text)).collect();
    let offered = match beside.is_empty() {
        true => input.map_or(&[][..], |words| &words.offered),
        false => &read,
    };
    let accepts = |schema: &str, arguments: &str| schemas::compiled(schema)?.accepts(arguments);
    tools::deviation(offered, called, &accepts).or_else(unknown)
}

fn names(text: &str) -> Vec<String> {
    if text.len() > MAX_BYTES {
        return Vec::new();
    }
    quick(text).unwrap_or_else(|| {
        let tools = tool_definitions(text).into_iter();
        tools.map(|tool| tool.name).collect()
    })
}

/// A definition as most write it, of which the name alone is built; the other keys make it another shape.
#[derive(Deserialize)]
struct Plain<'a> {
    #[serde(borrow)]
    name: Option<Cow<'a, str>>,
    #[serde(borrow)]
    function: Option<Named<'a>>,
    #[serde(
        rename = "toolSpec",
        alias = "tool_spec",
        alias = "tool",
        alias = "json_schema"
    )]
    #[serde(alias = "functionDeclarations", alias = "function_declarations")]
    #[serde(
        alias = "function_tools",
        alias = "output_tools",
        alias = "native_tools"
    )]
    #[serde(alias = "builtin_tools", alias = "tools")]
    other: Option<IgnoredAny>,
}

#[derive(Deserialize)]
struct Named<'a> {
    #[serde(borrow)]
    name: Cow<'a, str>,
}

fn quick(text: &str) -> Option<Vec<String>> {
    if !text.starts_with("[{") {
        return None;
    }
    let tools: Vec<Plain<'_>> = serde_json::from_str(text).ok()?;
    let name = |tool: Plain<'_>| match tool {
        Plain { other: Some(_), .. } => None,
        Plain {
            function: Some(inner),
            ..
        } => Some(inner.name.into_owned()),
        Plain { name, .. } => name.map(Cow::into_owned),
    };
    tools.into_iter().map(name).collect()
}

#[cfg(test)]
mod tests {
    use domain::span::{Content, SpanKind};
    use domain::{SpanId, Timestamp, TraceId};

    use super::*;

    #[test]
    fn quick_names_are_those_of_the_whole_reader() {
        let schema = r#"{"type":"object","properties":{"name":{"type":"string"}}}"#;
        for text in [
            format!(r#"[{{"type":"function","function":{{"name":"a","parameters":{schema}}}}}]"#),
            format!(r#"[{{"name":"a","input_schema":{schema}}},{{"name":"b\n"}}]"#),
            "[]".to_owned(),
        ] {
            let whole: Vec<String> = tool_definitions(&text)
                .into_iter()
                .map(|it| it.name)
                .collect();
            assert_eq!(names(&text), whole, "{text}");
        }
        for text in [
            r#"[{"toolSpec":{"name":"a"}}]"#,
            r#"[{"type":"web_search"}]"#,
            r#"[{"functionDeclarations":[{"name":"a"}]}]"#,
            r#"[{"name":"x","tool":{"name":"a"}}]"#,
            r#"{"tools":[{"name":"a"}]}"#,
        ] {
            assert_eq!(quick(text), None, "{text}");
            assert_eq!(names(text).len(), 1, "{text}");
        }
    }

    fn generation(input: &str, output: &str) -> Span {
        let trace = TraceId::from_text("t").unwrap();
        let mut span = Span::bare(trace, SpanId::from_text("s").unwrap(), Timestamp::EPOCH);
        span.kind = SpanKind::Generation;
        let content = |text: &str| Content {
            text: text.into(),
            attribute: None,
        };
        span.input = Some(content(input));
        span.output = Some(content(output));
        span
    }

    #[test]
    fn calls_are_held_against_what_was_offered() {
        let output = r#"{"role":"assistant","content":null,"tool_calls":[
            {"id":"1","type":"function","function":{"name":"pay","arguments":"{\"amount\":\"x\"}"}}]}"#;
        let schema = r#"{"type":"object","properties":{"amount":{"type":"number"}}}"#;
        let mut span = generation("?", output);
        assert_eq!(deviation(&span, &Heard::of(&span)), None);
        let beside = format!(r#"[{{"name":"pay","parameters":{schema}}}]"#);
        span.metadata.insert("tools".to_owned(), beside);
        let told = deviation(&span, &Heard::of(&span)).unwrap();
        assert_eq!(told.rule, domain::semantic::Rule::ToolArguments);
        span.oddities.cut = true;
        assert_eq!(deviation(&span, &Heard::of(&span)), None);
    }

    fn named(span: &Span) -> ToolUse {
        used(span, &Heard::of(span))
    }

    #[test]
    fn tools_stand_within_the_input_or_beside_it() {
        let input = r#"{"messages":[{"role":"user","content":"?"}],
            "tools":[{"type":"function","function":{"name":"within"}}]}"#;
        let output = r#"{"role":"assistant","content":null,"tool_calls":[
            {"id":"1","type":"function","function":{"name":"within","arguments":"{}"}},
            {"id":"2","type":"function","function":{"name":"within","arguments":"{}"}}]}"#;
        let mut span = generation(input, output);
        assert_eq!(named(&span).offered, ["within"]);
        assert_eq!(named(&span).called, ["within", "within"]);
        let beside = r#"[{"name":"beside"}]"#;
        span.metadata.insert("tools".to_owned(), beside.to_owned());
        assert_eq!(named(&span).offered, ["beside"]);
        let numbered = ("llm.tools.0.tool.json_schema".into(), beside.into());
        span.attributes.push(numbered);
        assert_eq!(named(&span).offered, ["beside"]);
    }

    #[test]
    fn calls_of_the_past_are_not_those_of_this_answer() {
        let input = r#"[{"role":"assistant","content":null,"tool_calls":[
            {"id":"1","type":"function","function":{"name":"before","arguments":"{}"}}]},
            {"role":"tool","tool_call_id":"1","content":"3"}]"#;
        let span = generation(input, "It is 3.");
        assert_eq!(named(&span), ToolUse::default());
    }
}
