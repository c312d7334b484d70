//! The public API of Langfuse as its own document describes it: every answer that a test gets through
//! [`ProjectClient::langfuse`] is checked against the schema of its operation.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use jsonschema::Validator;
use reqwest::{Method, StatusCode};
use serde_json::{Map, Value, json};

use crate::client::ProjectClient;

/// An operation of the document.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Operation {
    /// `GET`, `POST` …
    pub method: String,
    /// Path with `{parameters}`.
    pub path: String,
}

/// What came back.
#[derive(Debug)]
pub struct Answer {
    /// The status.
    pub status: StatusCode,
    /// The body; null where there is none.
    pub body: Value,
}

static DOCUMENT: LazyLock<Document> = LazyLock::new(|| {
    let text = include_str!("../fixtures/langfuse/api.json");
    Document::read(serde_json::from_str(text).unwrap())
});

struct Document {
    /// With the schema of its success, where it has one.
    operations: BTreeMap<Operation, Option<Validator>>,
}

/// Every operation of the document, in order.
pub fn operations() -> Vec<Operation> {
    DOCUMENT.operations.keys().cloned().collect()
}

impl ProjectClient {
    /// A request whose answer, if it is a success, must be as the document says. What the document
    /// does not know is not checked.
    pub async fn langfuse(&self, method: Method, path: &str, body: Option<&Value>) -> Answer {
        let mut request = self.request(method.clone(), path);
        if let Some(body) = body {
            request = request.json(body);
        }
        let answer = request.send().await.unwrap();
        let status = answer.status();
        let text = answer.text().await.unwrap();
        let body = if text.is_empty() {
            Value::Null
        } else {
            serde_json::from_str(&text).unwrap_or_else(|error| panic!("{path}: {error}: {text}"))
        };
        if status.is_success() {
            assert_shape(method.as_str(), path, &body);
        }
        Answer { status, body }
    }
}

/// Checks a success against the document, if that knows the operation; whether it did.
pub fn assert_shape(method: &str, path: &str, body: &Value) -> bool {
    let path = path.split('?').next().unwrap_or_default();
    let found = DOCUMENT.operations.iter().find(|(operation, _)| {
        operation.method == method && matches_template(path, &operation.path)
    });
    let Some((_, Some(schema))) = found else {
        return false;
    };
    let wrong: Vec<String> = schema
        .iter_errors(body)
        .map(|error| format!("{}: {error}", error.instance_path()))
        .collect();
    assert!(wrong.is_empty(), "{method} {path}: {wrong:?}\n{body}");
    true
}

fn matches_template(path: &str, template: &str) -> bool {
    let (mut here, mut there) = (path.split('/'), template.split('/'));
    loop {
        match (here.next(), there.next()) {
            (None, None) => return true,
            (Some(a), Some(b)) if a == b || b.starts_with('{') => {}
            _ => return false,
        }
    }
}

impl Document {
    fn read(mut document: Value) -> Self {
        mend(&mut document);
        let schemas = document["components"].clone();
        let mut operations = BTreeMap::new();
        for (path, methods) in document["paths"].as_object().unwrap() {
            for (method, operation) in methods.as_object().unwrap() {
                let responses = operation["responses"].as_object().unwrap();
                let success = responses.iter().find(|(status, _)| status.starts_with('2'));
                let schema = success
                    .map(|(_, response)| &response["content"]["application/json"]["schema"])
                    .filter(|schema| !schema.is_null());
                let operation = Operation {
                    method: method.to_uppercase(),
                    path: path.clone(),
                };
                let validator = schema.map(|schema| {
                    let whole = json!({ "allOf": [schema], "components": schemas });
                    jsonschema::options()
                        .with_draft(jsonschema::Draft::Draft202012)
                        .should_validate_formats(true)
                        .build(&whole)
                        .unwrap()
                });
                operations.insert(operation, validator);
            }
        }
        Document { operations }
    }
}

/// `nullable` is a word of `OpenAPI` 3.0; JSON Schema says it with a type or a choice.
fn mend(value: &mut Value) {
    match value {
        Value::Array(list) => list.iter_mut().for_each(mend),
        Value::Object(fields) => {
            fields.values_mut().for_each(mend);
            // A property may be called so; then its value is a schema.
            if fields.get("nullable") == Some(&Value::Bool(true)) {
                fields.remove("nullable");
                if !fields.is_empty() {
                    let schema = Value::Object(std::mem::take(fields));
                    let choice = json!([schema, { "type": "null" }]);
                    *fields = Map::from_iter([("anyOf".to_owned(), choice)]);
                }
            }
        }
        _ => {}
    }
}
