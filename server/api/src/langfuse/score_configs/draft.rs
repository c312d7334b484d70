//! A configuration, as a body describes it.

use domain::score::{Category, Scale, ScoreConfigDraft};
use serde_json::Value;
use service::score_configs::ScoreConfigChange;

use crate::langfuse::body::Body;
use crate::langfuse::error::{Failure, Issue, Result};

/// Fields of a change.
const FIELDS: [&str; 6] = [
    "isArchived",
    "name",
    "categories",
    "minValue",
    "maxValue",
    "description",
];

/// What a body asks for.
///
/// # Errors
/// When a field is missing, of another type, or not for the type of the scores.
pub(super) fn read(body: &Body) -> Result<ScoreConfigDraft> {
    let (min, max) = (body.number("minValue")?, body.number("maxValue")?);
    let categories = categories(body)?;
    let data_type = body.required_text("dataType")?;
    if data_type != "NUMERIC" && (min.is_some() || max.is_some()) {
        return Err(Issue::new("custom", "minValue", "is for NUMERIC ones only").into());
    }
    if data_type != "CATEGORICAL" && categories.is_some() {
        return Err(Issue::new("custom", "categories", "is for CATEGORICAL ones only").into());
    }
    let scale = match data_type {
        "NUMERIC" => Scale::Numeric { min, max },
        "CATEGORICAL" => {
            let missing = || Issue::of_type("categories", "array, received undefined");
            Scale::Categorical(categories.ok_or_else(missing)?)
        }
        "BOOLEAN" => Scale::Boolean,
        "TEXT" => Scale::Text,
        _ => {
            let message = "Invalid option: expected one of \
                           \"NUMERIC\"|\"CATEGORICAL\"|\"BOOLEAN\"|\"TEXT\"";
            return Err(Issue::new("invalid_value", "dataType", message).into());
        }
    };
    Ok(ScoreConfigDraft {
        name: body.required_text("name")?.to_owned(),
        scale,
        description: body.text("description")?.map(str::to_owned),
        is_archived: false,
    })
}

/// What a body changes.
///
/// # Errors
/// When nothing is given, or a field is of another type.
pub(super) fn change(body: &Body) -> Result<ScoreConfigChange> {
    let is_given = |field: &str| body.given(field).is_some();
    if !FIELDS.iter().any(|field| is_given(field)) {
        return Err(Issue::new("custom", "", "Request body cannot be empty").into());
    }
    let number = |field: &str| {
        let number = body.number(field)?;
        Ok::<_, Failure>(is_given(field).then_some(number))
    };
    let description = body.text("description")?.map(str::to_owned);
    Ok(ScoreConfigChange {
        name: body.text("name")?.map(str::to_owned),
        is_archived: body.flag("isArchived")?,
        min: number("minValue")?,
        max: number("maxValue")?,
        categories: categories(body)?,
        description: is_given("description").then_some(description),
    })
}

fn categories(body: &Body) -> Result<Option<Vec<Category>>> {
    let Some(value) = body.value("categories") else {
        return Ok(None);
    };
    let list = value.as_array();
    let list = list.ok_or_else(|| Issue::of_type("categories", "array"))?;
    let mut categories = Vec::with_capacity(list.len());
    for (at, item) in list.iter().enumerate() {
        let wrong = |field: &str, expected: &str| {
            Issue::of_type(&format!("categories.{at}.{field}"), expected)
        };
        let label = item.get("label").and_then(Value::as_str);
        let value = item.get("value").and_then(Value::as_f64);
        categories.push(Category {
            label: label.ok_or_else(|| wrong("label", "string"))?.to_owned(),
            value: value.ok_or_else(|| wrong("value", "number"))?,
        });
    }
    Ok(Some(categories))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn body(value: &Value) -> Body {
        Body::parse(value.to_string().as_bytes()).unwrap()
    }

    #[test]
    fn what_is_not_for_the_type_is_refused() {
        let categories = json!([{ "label": "good", "value": 1 }]);
        for wrong in [
            json!({ "dataType": "NUMERIC" }),
            json!({ "name": "n" }),
            json!({ "name": "n", "dataType": "COLOUR" }),
            json!({ "name": "n", "dataType": "CORRECTION" }),
            json!({ "name": "n", "dataType": "CATEGORICAL" }),
            json!({ "name": "n", "dataType": "NUMERIC", "minValue": "0" }),
            json!({ "name": "n", "dataType": "TEXT", "maxValue": 1 }),
            json!({ "name": "n", "dataType": "BOOLEAN", "categories": categories }),
            json!({ "name": "n", "dataType": "CATEGORICAL", "categories": [{ "label": "x" }] }),
        ] {
            assert!(read(&body(&wrong)).is_err(), "{wrong}");
        }
        let right = json!({ "name": "n", "dataType": "CATEGORICAL", "categories": categories });
        assert!(
            matches!(read(&body(&right)).unwrap().scale, Scale::Categorical(of) if of.len() == 1)
        );
    }

    #[test]
    fn a_change_of_nothing_is_refused_and_null_takes_away() {
        for wrong in [
            json!({}),
            json!({ "other": 1 }),
            json!({ "isArchived": "yes" }),
        ] {
            assert!(change(&body(&wrong)).is_err(), "{wrong}");
        }
        let change = change(&body(&json!({ "minValue": null, "maxValue": 3 }))).unwrap();
        assert_eq!((change.min, change.max), (Some(None), Some(Some(3.0))));
        assert_eq!((change.name, change.description), (None, None));
    }
}
