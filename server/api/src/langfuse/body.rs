//! Bodies, read field by field, so that whatever is wrong is named by its path. Fields that nobody
//! knows are passed over, and null counts as left out.

use axum::extract::{FromRequest, Request};
use domain::{Fault, sent_json};
use serde_json::{Map, Value};
use service::App;

use super::error::{Failure, Issue, Result};
use crate::extract::whole_body;

/// Fields whose numbers keep all of their digits.
const CONTENTS: [&str; 3] = ["input", "expectedOutput", "metadata"];

/// A JSON object.
#[derive(Debug)]
pub(crate) struct Body(Map<String, Value>);

impl FromRequest<App> for Body {
    type Rejection = Failure;

    async fn from_request(request: Request, app: &App) -> Result<Self> {
        let bytes = whole_body(request, app).await.map_err(Failure::Fault)?;
        Body::parse(&bytes)
    }
}

impl Body {
    /// From JSON.
    ///
    /// # Errors
    /// When it is no JSON object.
    pub(crate) fn parse(bytes: &[u8]) -> Result<Self> {
        match sent_json::read_bytes(bytes) {
            Ok(mut body) if body.is_object() => {
                let text = String::from_utf8_lossy(bytes);
                sent_json::keep_digits(&text, &mut body, None, &CONTENTS);
                match body {
                    Value::Object(fields) => Ok(Body(fields)),
                    _ => Err(Issue::of_type("", "object").into()),
                }
            }
            Ok(_) => Err(Issue::of_type("", "object").into()),
            Err(error) => Err(Fault::invalid(format!("the body is no JSON: {error}")).into()),
        }
    }

    /// A value of any type.
    pub(crate) fn value(&self, field: &str) -> Option<&Value> {
        self.0.get(field).filter(|value| !value.is_null())
    }

    /// A text.
    ///
    /// # Errors
    /// When it is something else.
    pub(crate) fn text(&self, field: &str) -> Result<Option<&str>> {
        let text = self.value(field).map(|value| value.as_str().ok_or(value));
        text.transpose()
            .map_err(|_| Issue::of_type(field, "string").into())
    }

    /// A text that must be there.
    ///
    /// # Errors
    /// When it is not, or is something else.
    pub(crate) fn required_text(&self, field: &str) -> Result<&str> {
        let text = self.text(field)?;
        text.ok_or_else(|| Issue::of_type(field, "string, received undefined").into())
    }

    /// A list of texts.
    ///
    /// # Errors
    /// When it, or one of its elements, is something else.
    pub(crate) fn texts(&self, field: &str) -> Result<Option<Vec<&str>>> {
        let Some(value) = self.value(field) else {
            return Ok(None);
        };
        let list = value.as_array();
        let list = list.ok_or_else(|| Issue::of_type(field, "array"))?;
        let mut texts = Vec::with_capacity(list.len());
        for (at, value) in list.iter().enumerate() {
            let wrong = || Issue::of_type(&format!("{field}.{at}"), "string");
            texts.push(value.as_str().ok_or_else(wrong)?);
        }
        Ok(Some(texts))
    }

    /// A whole number that is not negative.
    ///
    /// # Errors
    /// When it is something else.
    pub(crate) fn count(&self, field: &str) -> Result<Option<u32>> {
        let count = |value: &Value| value.as_u64().and_then(|number| u32::try_from(number).ok());
        let number = self.value(field).map(|value| count(value).ok_or(value));
        let wrong = |_| Issue::of_type(field, "whole number").into();
        number.transpose().map_err(wrong)
    }

    /// An object, as JSON.
    ///
    /// # Errors
    /// When it is something else.
    pub(crate) fn object(&self, field: &str) -> Result<Option<String>> {
        match self.value(field) {
            None => Ok(None),
            Some(value) if value.is_object() => Ok(Some(value.to_string())),
            Some(_) => Err(Issue::of_type(field, "object").into()),
        }
    }

    /// A list; an empty one where it is left out.
    ///
    /// # Errors
    /// When it is something else.
    pub(crate) fn array(&self, field: &str) -> Result<&[Value]> {
        match self.value(field) {
            None => Ok(&[]),
            Some(Value::Array(list)) => Ok(list),
            Some(_) => Err(Issue::of_type(field, "array").into()),
        }
    }

    /// What was given, `null` included: where that is not the same as leaving it out.
    pub(crate) fn given(&self, field: &str) -> Option<&Value> {
        self.0.get(field)
    }

    /// That no field is given but these.
    ///
    /// # Errors
    /// When there is another one.
    pub(crate) fn only(&self, known: &[&str]) -> Result<()> {
        match self.0.keys().find(|key| !known.contains(&key.as_str())) {
            None => Ok(()),
            Some(key) => {
                let message = format!("Unrecognized key: \"{key}\"");
                Err(Issue::new("unrecognized_keys", "", message).into())
            }
        }
    }

    /// A finite number.
    ///
    /// # Errors
    /// When it is something else.
    pub(crate) fn number(&self, field: &str) -> Result<Option<f64>> {
        let finite = |value: &Value| value.as_f64().filter(|number| number.is_finite());
        let number = self.value(field).map(|value| finite(value).ok_or(value));
        number
            .transpose()
            .map_err(|_| Issue::of_type(field, "number").into())
    }

    /// A whole number of at least `least`.
    ///
    /// # Errors
    /// When it is something else, or less.
    pub(crate) fn whole(&self, field: &str, least: u32) -> Result<Option<u64>> {
        let whole = |value: &Value| value.as_u64().filter(|number| *number >= u64::from(least));
        let number = self.value(field).map(|value| whole(value).ok_or(value));
        let expected = || format!("a whole number of at least {least}");
        number
            .transpose()
            .map_err(|_| Issue::of_type(field, &expected()).into())
    }

    /// One of some words, by their names.
    ///
    /// # Errors
    /// When it is something else.
    pub(crate) fn word<T>(
        &self,
        field: &str,
        from_name: fn(&str) -> Option<T>,
        names: &[&str],
    ) -> Result<Option<T>> {
        let Some(text) = self.text(field)? else {
            return Ok(None);
        };
        let word = from_name(text).ok_or_else(|| Issue::of_words(field, names));
        Ok(Some(word?))
    }

    /// `true` or `false`.
    ///
    /// # Errors
    /// When it is something else.
    pub(crate) fn flag(&self, field: &str) -> Result<Option<bool>> {
        let flag = self.value(field).map(|value| value.as_bool().ok_or(value));
        flag.transpose()
            .map_err(|_| Issue::of_type(field, "boolean").into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_wrong_is_an_issue_of_its_field() {
        let body = Body::parse(br#"{"name":1,"labels":["a",2],"tags":"x","on":"yes"}"#).unwrap();
        assert!(body.text("name").is_err());
        assert!(body.required_text("other").is_err());
        assert!(body.texts("labels").is_err());
        assert!(body.texts("tags").is_err());
        assert!(body.flag("on").is_err());
        assert!(body.only(&["name"]).is_err());
        assert!(body.only(&["name", "labels", "tags", "on"]).is_ok());
        assert_eq!(body.whole("name", 1).unwrap(), Some(1));
        assert!(body.whole("name", 2).is_err() && body.whole("on", 0).is_err());
        assert!(Body::parse(b"[]").is_err());
        assert!(Body::parse(b"").is_err());
    }

    #[test]
    fn null_is_left_out() {
        let body = Body::parse(br#"{"name":null,"labels":["a","b"]}"#).unwrap();
        assert_eq!(body.text("name").unwrap(), None);
        assert_eq!(body.texts("labels").unwrap(), Some(vec!["a", "b"]));
    }
}
