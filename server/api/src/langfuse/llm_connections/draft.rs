//! A connection, as a body describes it.

use std::collections::BTreeMap;

use domain::llm_connection::Adapter;
use serde_json::Value;
use service::llm_connections::Draft;

use crate::langfuse::body::Body;
use crate::langfuse::error::{Issue, Result};

/// What a body sets.
///
/// # Errors
/// When a field is missing, of another type, or not for the adapter.
pub(super) fn read(body: &Body) -> Result<Draft> {
    let adapter = body.required_text("adapter")?;
    let names: Vec<_> = Adapter::ALL
        .iter()
        .map(|adapter| adapter.as_str())
        .collect();
    let message = || format!("Invalid option: expected one of {}", names.join("|"));
    let adapter = Adapter::from_name(adapter)
        .ok_or_else(|| Issue::new("invalid_value", "adapter", message()))?;
    let models = body.texts("customModels")?.unwrap_or_default();
    Ok(Draft {
        provider: body.required_text("provider")?.to_owned(),
        adapter,
        secret: body.required_text("secretKey")?.to_owned(),
        base_url: body.text("baseURL")?.map(str::to_owned),
        custom_models: models.into_iter().map(str::to_owned).collect(),
        with_default_models: body.flag("withDefaultModels")?.unwrap_or(true),
        extra_headers: headers(body)?,
        config: config(body, adapter)?,
    })
}

fn headers(body: &Body) -> Result<BTreeMap<String, String>> {
    let mut headers = BTreeMap::new();
    let Some(value) = body.value("extraHeaders") else {
        return Ok(headers);
    };
    let object = value.as_object();
    let object = object.ok_or_else(|| Issue::of_type("extraHeaders", "record"))?;
    for (name, value) in object {
        let wrong = || Issue::of_type(&format!("extraHeaders.{name}"), "string");
        let value = value.as_str().ok_or_else(wrong)?;
        headers.insert(name.clone(), value.to_owned());
    }
    Ok(headers)
}

/// Bedrock needs a region, Vertex AI may have a location, the others take nothing.
fn config(body: &Body, adapter: Adapter) -> Result<Option<String>> {
    let (known, is_needed) = match adapter {
        Adapter::Bedrock => ("region", true),
        Adapter::VertexAi => ("location", false),
        _ => ("", false),
    };
    let Some(config) = body.object("config")? else {
        return match is_needed {
            true => Err(Issue::of_type("config.region", "string, received undefined").into()),
            false => Ok(None),
        };
    };
    let fields = body.value("config").and_then(Value::as_object);
    for (field, value) in fields.into_iter().flatten() {
        if field != known {
            let message = format!("Unrecognized key for this adapter: \"{field}\"");
            return Err(Issue::new("unrecognized_keys", "config", message).into());
        }
        if !value.is_string() {
            return Err(Issue::of_type(&format!("config.{field}"), "string").into());
        }
    }
    if is_needed && config == "{}" {
        return Err(Issue::of_type("config.region", "string, received undefined").into());
    }
    Ok(Some(config))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn with(field: &str, value: Value) -> Result<Draft> {
        let mut body = json!({ "provider": "p", "adapter": "openai", "secretKey": "sk" });
        body[field] = value;
        read(&Body::parse(body.to_string().as_bytes()).unwrap())
    }

    #[test]
    fn what_is_of_another_type_or_not_for_the_adapter_is_refused() {
        for (field, value) in [
            ("adapter", json!("abacus")),
            ("adapter", json!("bedrock")),
            ("secretKey", Value::Null),
            ("customModels", json!([1])),
            ("extraHeaders", json!({ "x": 1 })),
            ("extraHeaders", json!([])),
            ("config", json!({ "region": "eu" })),
            ("config", json!("eu")),
        ] {
            assert!(with(field, value.clone()).is_err(), "{field} {value}");
        }
        assert!(with("config", Value::Null).unwrap().with_default_models);
    }
}
