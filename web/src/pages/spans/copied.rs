//! A span in the words of other tools: a request for curl, a fixture for pytest, an item of a dataset.

use domain::Span;
use serde_json::{Map, Value as Json, json};

/// What it is copied as, by its name in the address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// The call of the model, for an endpoint that speaks like OpenAI's.
    Curl,
    /// A fixture of pytest with input and output.
    Pytest,
    /// An item for `POST /api/public/dataset-items`.
    DatasetItem,
}

impl Form {
    /// All of them.
    pub(crate) const ALL: [Form; 3] = [Form::Curl, Form::Pytest, Form::DatasetItem];

    /// Name in the address.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Form::Curl => "curl",
            Form::Pytest => "pytest",
            Form::DatasetItem => "dataset-item",
        }
    }

    /// Name of the file.
    pub(crate) fn file(self) -> &'static str {
        match self {
            Form::Curl => "request.sh",
            Form::Pytest => "fixture.py",
            Form::DatasetItem => "dataset-item.json",
        }
    }

    /// The span in this form.
    pub(crate) fn write(self, span: &Span) -> String {
        match self {
            Form::Curl => curl(span),
            Form::Pytest => pytest(span),
            Form::DatasetItem => pretty(&dataset_item(span)),
        }
    }
}

/// Address and key are the reader's own: they stand in variables of the shell.
fn curl(span: &Span) -> String {
    let mut body = Map::new();
    body.insert(
        "model".to_owned(),
        json!(span.request_model.as_deref().or(span.model())),
    );
    body.insert(
        "messages".to_owned(),
        messages(&content(span.input.as_ref())),
    );
    for (name, value) in &span.parameters {
        let value = serde_json::from_str(value).unwrap_or_else(|_| json!(value));
        body.entry(name.clone()).or_insert(value);
    }
    let body = pretty(&Json::Object(body)).replace('\'', "'\\''");
    format!(
        "curl \"$OPENAI_BASE_URL/chat/completions\" \\\n  -H \"Authorization: Bearer $OPENAI_API_KEY\" \\\n  \
         -H 'Content-Type: application/json' \\\n  -d '{body}'\n"
    )
}

/// What was sent as a conversation, whatever stands around it.
fn messages(input: &Json) -> Json {
    let is_message = |one: &Json| one.get("role").is_some();
    match input {
        Json::Array(all) if !all.is_empty() && all.iter().all(is_message) => input.clone(),
        Json::Object(fields) if fields.get("messages").is_some_and(Json::is_array) => {
            fields["messages"].clone()
        }
        Json::String(text) => json!([{ "role": "user", "content": text }]),
        other => json!([{ "role": "user", "content": other.to_string() }]),
    }
}

fn pytest(span: &Span) -> String {
    let name = identifier(&span.name);
    let text = |json: &Json| {
        // A text of JSON in quotes is one of Python, too.
        Json::String(pretty(json)).to_string()
    };
    format!(
        "import json\n\nimport pytest\n\n\n@pytest.fixture\ndef {name}():\n    \"\"\"Span {} of trace {}.\"\"\"\n    \
         return {{\n        \"input\": json.loads({}),\n        \"output\": json.loads({}),\n    }}\n",
        span.span_id.as_str().escape_default(),
        span.trace_id.as_str().escape_default(),
        text(&content(span.input.as_ref())),
        text(&content(span.output.as_ref())),
    )
}

fn dataset_item(span: &Span) -> Json {
    json!({
        "input": content(span.input.as_ref()),
        "expectedOutput": content(span.output.as_ref()),
        "metadata": span.metadata,
        "sourceTraceId": span.trace_id.as_str(),
        "sourceObservationId": span.span_id.as_str(),
    })
}

/// A content as the JSON that it is, else as a text.
fn content(content: Option<&domain::span::Content>) -> Json {
    let Some(content) = content else {
        return Json::Null;
    };
    let is_structure = |json: &Json| json.is_object() || json.is_array();
    let parsed = serde_json::from_str(&content.text).ok();
    parsed
        .filter(is_structure)
        .unwrap_or_else(|| json!(&*content.text))
}

fn pretty(json: &Json) -> String {
    format!("{json:#}")
}

/// A name of Python.
fn identifier(name: &str) -> String {
    let letters = name.chars().map(|char| match char {
        char if char.is_ascii_alphanumeric() => char.to_ascii_lowercase(),
        _ => '_',
    });
    let name: String = letters.take(60).collect();
    let name = name.trim_matches('_');
    match name.chars().next() {
        Some(first) if first.is_ascii_alphabetic() => name.to_owned(),
        _ => format!("span_{name}"),
    }
}

#[cfg(test)]
mod tests {
    use domain::span::Content;
    use domain::{SpanId, Timestamp, TraceId};

    use super::*;

    fn span(input: &str, output: &str) -> Span {
        let (trace, id) = (
            TraceId::from_text("t\"1").unwrap(),
            SpanId::from_text("s1").unwrap(),
        );
        let mut span = Span::bare(trace, id, Timestamp::EPOCH);
        span.name = "Résumé: plan!".to_owned();
        span.request_model = Some("qwen3-32b".to_owned());
        let of = |text: &str| Content {
            text: text.into(),
            attribute: None,
        };
        span.input = Some(of(input));
        span.output = Some(of(output));
        span
    }

    #[test]
    fn a_call_is_written_so_that_no_quote_ends_it() {
        let span = span(r#"[{"role":"user","content":"it's $HOME `id`"}]"#, "yes");
        let written = Form::Curl.write(&span);
        assert!(
            written.contains(r#""content": "it'\''s $HOME `id`""#),
            "{written}"
        );
        assert!(written.contains("\"model\": \"qwen3-32b\""));
        // Outside of the single quotes that the shell sees there is nothing of the span.
        let outside: String = written
            .replace("'\\''", "")
            .split('\'')
            .step_by(2)
            .collect();
        assert!(!outside.contains("HOME"), "{outside}");
    }

    #[test]
    fn what_is_no_conversation_is_said_by_the_user() {
        for (input, expected) in [
            ("hello", "hello"),
            (
                r#"{"messages":[{"role":"user","content":"inner"}]}"#,
                "inner",
            ),
            ("{\"unfinished\": ", "{\"unfinished\": "),
        ] {
            let found = messages(&content(span(input, "").input.as_ref()));
            assert_eq!(found[0]["content"], expected);
        }
    }

    #[test]
    fn a_fixture_is_python_and_an_item_is_json() {
        let span = span("say \"\"\" and \\ and 你好\n", r#"{"a": 1}"#);
        let fixture = Form::Pytest.write(&span);
        assert!(fixture.contains("def r_sum___plan():"), "{fixture}");
        assert!(
            fixture.contains(r#""""Span s1 of trace t\"1.""""#),
            "{fixture}"
        );
        let item: Json = serde_json::from_str(&Form::DatasetItem.write(&span)).unwrap();
        assert_eq!(item["expectedOutput"]["a"], 1);
        assert_eq!(item["sourceObservationId"], "s1");
        assert_eq!(identifier("12"), "span_12");
    }
}
