//! `GET /api/public/v3/scores`

use axum::Json;
use axum::extract::{Extension, State};
use axum::response::{IntoResponse, Response};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use domain::page::Cursor;
use domain::score::wanted::{Compare, Condition, Field};
use serde_json::{Map, Value, json};
use service::scores::{self, Slice};
use service::{App, ProjectScope};

use super::conditions::{known, several, times};
use super::shape::{Groups, v3};
use crate::langfuse::error::{Issue, Result};
use crate::langfuse::query::Query;

/// Scores of a slice where the query does not say, and most of them.
const USUAL: u32 = 50;
const MOST: u32 = 100;

/// Parameters with a list of values.
const LISTS: [(&str, Field); 12] = [
    ("id", Field::Id),
    ("name", Field::Name),
    ("source", Field::Source),
    ("dataType", Field::DataType),
    ("environment", Field::Environment),
    ("configId", Field::ConfigId),
    ("queueId", Field::QueueId),
    ("authorUserId", Field::AuthorId),
    ("traceId", Field::TraceId),
    ("sessionId", Field::SessionId),
    ("observationId", Field::ObservationId),
    ("experimentId", Field::DatasetRunId),
];
/// The other ones.
const OTHERS: [&str; 8] = [
    "limit",
    "cursor",
    "fields",
    "value",
    "valueMin",
    "valueMax",
    "fromTimestamp",
    "toTimestamp",
];

/// Scores that match, newest first.
pub(crate) async fn list_scores(
    State(app): State<App>,
    Extension(scope): Extension<ProjectScope>,
    query: Query,
) -> Result<Response> {
    let mut names: Vec<&str> = LISTS.iter().map(|(name, _)| *name).collect();
    names.extend(OTHERS);
    query.only(&names)?;
    let wanted = conditions(&query)?;
    let groups = groups(&query)?;
    let limit = query.number("limit", 1..=MOST)?.unwrap_or(USUAL);
    let slice = Slice {
        after: cursor(&query)?,
        offset: 0,
        // One more tells whether there is another slice.
        limit: limit + 1,
    };
    let mut rows = scores::list(&app, &scope, &wanted, &slice).await?;
    let more = rows.len() > limit as usize;
    rows.truncate(limit as usize);
    let mut meta = Map::new();
    meta.insert("limit".to_owned(), limit.into());
    if let Some(last) = rows.last().filter(|_| more) {
        let place = Cursor {
            start: last.time,
            id: last.id.clone(),
        };
        let text = URL_SAFE_NO_PAD.encode(place.to_string());
        meta.insert("cursor".to_owned(), text.into());
    }
    let data: Vec<Value> = rows
        .iter()
        .map(|score| Value::Object(v3(score, scope.project_id(), groups)))
        .collect();
    Ok(Json(json!({ "data": data, "meta": meta })).into_response())
}

fn cursor(query: &Query) -> Result<Option<Cursor>> {
    let Some(text) = query.text("cursor")? else {
        return Ok(None);
    };
    let bytes = URL_SAFE_NO_PAD.decode(text).ok();
    let text = bytes.and_then(|bytes| String::from_utf8(bytes).ok());
    let place = text.and_then(|text| Cursor::parse(&text).ok());
    let wrong = || Issue::new("custom", "cursor", "Invalid cursor");
    Ok(Some(place.ok_or_else(wrong)?))
}

fn groups(query: &Query) -> Result<Groups> {
    let mut groups = Groups::default();
    for name in query.several("fields") {
        match name {
            "core" => {}
            "details" => groups.details = true,
            "subject" => groups.subject = true,
            "annotation" => groups.annotation = true,
            _ => {
                let message = format!("Invalid option: {name}");
                return Err(Issue::new("invalid_value", "fields", message).into());
            }
        }
    }
    Ok(groups)
}

fn conditions(query: &Query) -> Result<Vec<Condition>> {
    let mut wanted = Vec::new();
    for (name, field) in LISTS {
        for text in query.several(name) {
            known(name, &field, text)?;
        }
        several(query, name, field, &mut wanted);
    }
    let is_given = |name: &str| !query.several(name).is_empty();
    let subjects = ["traceId", "sessionId", "experimentId"];
    if subjects.iter().filter(|name| is_given(name)).count() > 1 {
        let message = "give one of traceId, sessionId and experimentId";
        return Err(Issue::new("custom", "traceId", message).into());
    }
    if is_given("observationId") && !is_given("traceId") {
        return Err(Issue::new("custom", "observationId", "needs traceId").into());
    }
    times(query, &mut wanted)?;
    values(query, &mut wanted)?;
    Ok(wanted)
}

/// Conditions on the value, which need to know its type.
fn values(query: &Query, wanted: &mut Vec<Condition>) -> Result<()> {
    let types = query.several("dataType");
    let only = |name: &str| types.as_slice() == [name];
    let (least, most) = (query.float("valueMin")?, query.float("valueMax")?);
    if (least.is_some() || most.is_some()) && !only("NUMERIC") {
        let message = "valueMin and valueMax need dataType=NUMERIC";
        return Err(Issue::new("custom", "dataType", message).into());
    }
    wanted.extend(least.map(|least| Condition::value(Compare::GreaterOrEqual, least)));
    wanted.extend(most.map(|most| Condition::value(Compare::LessOrEqual, most)));
    let values = query.several("value");
    if values.is_empty() {
        return Ok(());
    }
    let wrong = |expected: &str| Issue::of_type("value", expected);
    if only("CATEGORICAL") {
        wanted.push(Condition::any_of(Field::Words, values));
    } else if only("BOOLEAN") {
        let word = |value: &&str| match *value {
            "true" | "1" => Ok("True"),
            "false" | "0" => Ok("False"),
            _ => Err(wrong("boolean")),
        };
        let words: std::result::Result<Vec<&str>, Issue> = values.iter().map(word).collect();
        wanted.push(Condition::any_of(Field::Words, words?));
    } else if only("NUMERIC") {
        let number = |value: &&str| {
            let number = value.parse().ok().filter(|number: &f64| number.is_finite());
            number.ok_or_else(|| wrong("number"))
        };
        let numbers: std::result::Result<Vec<f64>, Issue> = values.iter().map(number).collect();
        wanted.push(Condition {
            field: Field::Value,
            test: domain::score::wanted::Test::NumberIn(numbers?),
        });
    } else {
        let message = "value needs one dataType: NUMERIC, BOOLEAN or CATEGORICAL";
        return Err(Issue::new("custom", "dataType", message).into());
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_goes_together_is_asked_for() {
        for wrong in [
            "traceId=a&sessionId=b",
            "observationId=a",
            "value=1",
            "value=1&dataType=NUMERIC,BOOLEAN",
            "value=x&dataType=NUMERIC",
            "value=2&dataType=BOOLEAN",
            "value=x&dataType=TEXT",
            "valueMin=1",
            "valueMax=1&dataType=BOOLEAN",
            "dataType=COLOUR",
        ] {
            assert!(conditions(&Query::parse(wrong)).is_err(), "{wrong}");
        }
        for right in [
            "traceId=a,b&observationId=c",
            "value=0,1&dataType=NUMERIC",
            "value=true&dataType=BOOLEAN",
            "value=x&dataType=CATEGORICAL",
            "valueMin=0&valueMax=1&dataType=NUMERIC",
        ] {
            assert!(conditions(&Query::parse(right)).is_ok(), "{right}");
        }
    }

    #[test]
    fn a_cursor_comes_back_as_it_was_given() {
        assert!(cursor(&Query::parse("cursor=nonsense")).is_err());
        assert_eq!(cursor(&Query::parse("")).unwrap(), None);
        let groups = groups(&Query::parse("fields=core,subject")).unwrap();
        assert!(groups.subject && !groups.details && !groups.annotation);
        assert!(super::groups(&Query::parse("fields=everything")).is_err());
    }
}
