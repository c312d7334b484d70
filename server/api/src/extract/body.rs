//! Bodies: one JSON object.

use std::collections::BTreeMap;
use std::time::Duration;

use axum::body::Bytes;
use axum::extract::{FromRequest, Request};
use domain::filter::Filter;
use domain::{Code, Fault, Timestamp, Usd};
use serde_json::{Map, Value};
use service::App;
use tokio::time::timeout;

use super::params::wrong;
use super::{conditions, filter};
use crate::error::ApiError;

/// How long a body may take to arrive.
const READ_TIMEOUT: Duration = Duration::from_secs(60);

/// A JSON object, read field by field, so that whatever is wrong is named by its path.
#[derive(Debug)]
pub(crate) struct Body(Map<String, Value>);

impl FromRequest<App> for Body {
    type Rejection = ApiError;

    async fn from_request(request: Request, app: &App) -> Result<Self, ApiError> {
        Ok(Body::parse(&bytes(request, app).await?)?)
    }
}

/// The whole body, as long as it is not too large and arrives in time: nobody holds a connection for ever by sending slowly.
///
/// # Errors
/// `too_large`, `timeout`, or `invalid` when it breaks off.
pub(crate) async fn bytes(request: Request, app: &App) -> Result<Bytes, Fault> {
    let bytes = timeout(READ_TIMEOUT, Bytes::from_request(request, app)).await;
    let late = || Fault::new(Code::Timeout, "the body did not arrive within 60 seconds");
    bytes.map_err(|_| late())?.map_err(|error| {
        let is_large = error.status() == axum::http::StatusCode::PAYLOAD_TOO_LARGE;
        let code = if is_large {
            Code::TooLarge
        } else {
            Code::Invalid
        };
        Fault::new(code, error.body_text())
    })
}

/// A JSON list.
pub(crate) struct List(pub(crate) Vec<Value>);

impl FromRequest<App> for List {
    type Rejection = ApiError;

    async fn from_request(request: Request, app: &App) -> Result<Self, ApiError> {
        match serde_json::from_slice(&bytes(request, app).await?) {
            Ok(Value::Array(items)) => Ok(List(items)),
            Ok(_) => Err(Fault::invalid("the body must be a JSON list").into()),
            Err(error) => Err(Fault::invalid(format!("the body is no JSON: {error}")).into()),
        }
    }
}

impl Body {
    /// From JSON.
    ///
    /// # Errors
    /// `invalid` when it is no JSON object.
    pub(crate) fn parse(bytes: &[u8]) -> Result<Self, Fault> {
        match serde_json::from_slice(bytes) {
            Ok(Value::Object(fields)) => Ok(Body(fields)),
            Ok(_) => Err(Fault::invalid("the body must be a JSON object")),
            Err(error) => Err(Fault::invalid(format!("the body is no JSON: {error}"))),
        }
    }

    /// All of it as JSON, for what reads it as a whole.
    pub(crate) fn written(&self) -> String {
        Value::Object(self.0.clone()).to_string()
    }

    /// All of its fields.
    pub(crate) fn into_fields(self) -> Map<String, Value> {
        self.0
    }

    /// Refuses fields that nobody reads: a slip of the pen must not pass for a success.
    ///
    /// # Errors
    /// `invalid` on the field.
    pub(crate) fn only(&self, known: &[&str]) -> Result<(), Fault> {
        let mut fields = self.0.keys();
        match fields.find(|field| !known.contains(&field.as_str())) {
            Some(field) => Err(wrong(
                field,
                &format!("is not known; known are {}", known.join(", ")),
            )),
            None => Ok(()),
        }
    }

    /// A text; `None` when it is left out.
    ///
    /// # Errors
    /// `invalid` on the field when it is no text.
    pub(crate) fn text(&self, field: &str) -> Result<Option<&str>, Fault> {
        match self.0.get(field) {
            None => Ok(None),
            Some(Value::String(text)) => Ok(Some(text)),
            Some(_) => Err(wrong(field, "give a text")),
        }
    }

    /// A text; `None` when it is left out or null.
    ///
    /// # Errors
    /// `invalid` on the field when it is something else.
    pub(crate) fn text_or_null(&self, field: &str) -> Result<Option<&str>, Fault> {
        match self.0.get(field) {
            Some(Value::Null) => Ok(None),
            _ => self.text(field),
        }
    }

    /// Texts; none when they are left out or null.
    ///
    /// # Errors
    /// `invalid` on the field when it is no list of texts.
    pub(crate) fn texts(&self, field: &str) -> Result<Vec<String>, Fault> {
        let wrong = || wrong(field, "give a list of texts");
        match self.0.get(field) {
            None | Some(Value::Null) => Ok(Vec::new()),
            Some(Value::Array(items)) => items
                .iter()
                .map(|item| item.as_str().map(str::to_owned).ok_or_else(wrong))
                .collect(),
            Some(_) => Err(wrong()),
        }
    }

    /// A whole number from 0 on; `None` when it is left out or null.
    ///
    /// # Errors
    /// `invalid` on the field when it is something else.
    pub(crate) fn count(&self, field: &str) -> Result<Option<u64>, Fault> {
        match self.0.get(field) {
            None | Some(Value::Null) => Ok(None),
            Some(value) => match value.as_u64() {
                Some(count) => Ok(Some(count)),
                None => Err(wrong(field, "give a whole number")),
            },
        }
    }

    /// A number; `None` when it is left out or null.
    ///
    /// # Errors
    /// `invalid` on the field when it is something else.
    pub(crate) fn number(&self, field: &str) -> Result<Option<f64>, Fault> {
        match self.0.get(field) {
            None | Some(Value::Null) => Ok(None),
            Some(value) => match value.as_f64() {
                Some(number) => Ok(Some(number)),
                None => Err(wrong(field, "give a number")),
            },
        }
    }

    /// Texts by name; `None` when they are left out.
    ///
    /// # Errors
    /// `invalid` on the field when it is something else.
    pub(crate) fn texts_by_name(
        &self,
        field: &str,
    ) -> Result<Option<BTreeMap<String, String>>, Fault> {
        let Some(value) = self.0.get(field) else {
            return Ok(None);
        };
        let pairs = value.as_object().into_iter().flatten();
        let texts: Option<BTreeMap<String, String>> = pairs
            .map(|(name, value)| Some((name.clone(), value.as_str()?.to_owned())))
            .collect();
        let texts = texts.filter(|_| value.is_object());
        let texts = texts.ok_or_else(|| wrong(field, "give an object of texts"))?;
        Ok(Some(texts))
    }

    /// An object to be read likewise; `None` when it is left out, `Some(None)` when it is null.
    ///
    /// # Errors
    /// `invalid` on the field when it is something else.
    pub(crate) fn nested(&self, field: &str) -> Result<Option<Option<Body>>, Fault> {
        match self.0.get(field) {
            None => Ok(None),
            Some(Value::Null) => Ok(Some(None)),
            Some(Value::Object(fields)) => Ok(Some(Some(Body(fields.clone())))),
            Some(_) => Err(wrong(field, "give an object")),
        }
    }

    /// JSON as text; a text is taken for JSON itself. `None` when it is left out or null.
    pub(crate) fn json(&self, field: &str) -> Option<String> {
        match self.0.get(field)? {
            Value::Null => None,
            Value::String(text) => Some(text.clone()),
            value => Some(value.to_string()),
        }
    }

    /// An amount of money, a decimal as text or a number; `None` when it is left out.
    ///
    /// # Errors
    /// `invalid` on the field.
    pub(crate) fn amount(&self, field: &str) -> Result<Option<Usd>, Fault> {
        self.0.get(field).map(|value| usd(field, value)).transpose()
    }

    /// A list of texts; `None` when it is left out.
    ///
    /// # Errors
    /// `invalid` on the field when it is something else.
    pub(crate) fn given_texts(&self, field: &str) -> Result<Option<Vec<&str>>, Fault> {
        let Some(value) = self.0.get(field) else {
            return Ok(None);
        };
        let list = value.as_array();
        let texts = list.and_then(|list| list.iter().map(Value::as_str).collect());
        let texts: Option<Vec<&str>> = texts;
        texts
            .map(Some)
            .ok_or_else(|| wrong(field, "give a list of texts"))
    }

    /// A time with its zone; `None` when it is left out, `Some(None)` when it is null.
    ///
    /// # Errors
    /// `invalid` on the field when it is no time.
    pub(crate) fn time(&self, field: &str) -> Result<Option<Option<Timestamp>>, Fault> {
        match self.0.get(field) {
            None => Ok(None),
            Some(Value::Null) => Ok(Some(None)),
            Some(Value::String(text)) => match Timestamp::parse(text) {
                Ok(time) => Ok(Some(Some(time))),
                Err(error) => Err(wrong(field, &error.to_string())),
            },
            Some(_) => Err(wrong(field, "give a time such as 2026-01-05T00:00:00Z")),
        }
    }

    /// An object; `None` when it is left out or null.
    ///
    /// # Errors
    /// `invalid` on the field when it is something else.
    pub(crate) fn object(&self, field: &str) -> Result<Option<&Map<String, Value>>, Fault> {
        match self.0.get(field) {
            None | Some(Value::Null) => Ok(None),
            Some(Value::Object(fields)) => Ok(Some(fields)),
            Some(_) => Err(wrong(field, "give an object")),
        }
    }

    /// Whether it is given, null or not.
    pub(crate) fn has(&self, field: &str) -> bool {
        self.0.contains_key(field)
    }

    /// Yes or no; `None` when it is left out or null.
    ///
    /// # Errors
    /// `invalid` on the field when it is something else.
    pub(crate) fn flag(&self, field: &str) -> Result<Option<bool>, Fault> {
        match self.0.get(field) {
            None | Some(Value::Null) => Ok(None),
            Some(Value::Bool(flag)) => Ok(Some(*flag)),
            Some(_) => Err(wrong(field, "give true or false")),
        }
    }

    /// All fields.
    pub(crate) fn fields(&self) -> &Map<String, Value> {
        &self.0
    }

    /// Conditions, as in the parameter `filter`, or an object of the parameters of lists.
    ///
    /// # Errors
    /// `invalid` on `filter`, or on `filter.name`.
    pub(crate) fn filter(&self) -> Result<Filter, Fault> {
        match self.0.get("filter") {
            None | Some(Value::Null) => Ok(Filter::default()),
            Some(Value::Object(parameters)) => filter::from_object(parameters),
            Some(conditions) => conditions::parse(&conditions.to_string()),
        }
    }

    /// Amounts of money by name, each a decimal as text or a number; `None` when left out.
    ///
    /// # Errors
    /// `invalid` on the field, or on `field.name`.
    pub(crate) fn amounts(&self, field: &str) -> Result<Option<BTreeMap<String, Usd>>, Fault> {
        let Some(value) = self.0.get(field) else {
            return Ok(None);
        };
        let amounts = value.as_object();
        let amounts =
            amounts.ok_or_else(|| wrong(field, "give an object of US dollars by usage"))?;
        let amount = |(name, value): (&String, &Value)| {
            Ok((name.clone(), usd(&format!("{field}.{name}"), value)?))
        };
        amounts
            .iter()
            .map(amount)
            .collect::<Result<_, _>>()
            .map(Some)
    }
}

fn usd(field: &str, value: &Value) -> Result<Usd, Fault> {
    let usd = match value {
        Value::String(text) => text.trim().parse().ok(),
        Value::Number(number) => number.to_string().parse().ok(),
        _ => None,
    };
    let usd: Usd = usd.ok_or_else(|| wrong(field, "give US dollars such as \"0.000001\""))?;
    if usd != Usd::default() && usd.rounded() == Usd::default() {
        return Err(wrong(field, "give at least 0.000000000001 dollars, or 0"));
    }
    Ok(usd)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn body(json: &str) -> Body {
        Body::parse(json.as_bytes()).unwrap()
    }

    #[test]
    fn what_is_wrong_is_named_by_its_path() {
        let field = |fault: Fault| fault.field.unwrap();
        let wrong = body(r#"{"model":1,"from":"today","prices":{"input":"x"},"slip":0}"#);
        assert_eq!(field(wrong.text("model").unwrap_err()), "model");
        assert_eq!(field(wrong.time("from").unwrap_err()), "from");
        assert_eq!(field(wrong.amounts("prices").unwrap_err()), "prices.input");
        assert_eq!(
            field(wrong.only(&["model", "from", "prices"]).unwrap_err()),
            "slip"
        );
        assert!(Body::parse(b"[]").is_err());
        assert!(Body::parse(b"").is_err());
    }

    #[test]
    fn amounts_keep_their_digits_as_text_and_as_number() {
        let given = body(r#"{"prices":{"input":1e-7,"output":"0.000000300","cache_read":0}}"#);
        let amounts = given.amounts("prices").unwrap().unwrap();
        assert_eq!(amounts["input"].to_string(), "0.0000001");
        assert_eq!(amounts["output"].to_string(), "0.0000003");
        assert_eq!(amounts["cache_read"].to_string(), "0");
    }

    #[test]
    fn null_takes_a_time_away_and_nothing_leaves_it() {
        assert_eq!(body(r#"{"to":null}"#).time("to").unwrap(), Some(None));
        assert_eq!(body("{}").time("to").unwrap(), None);
    }
}
