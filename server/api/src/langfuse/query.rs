//! Query parameters. Those that nobody knows are passed over, and an empty one counts as left out.

use std::ops::RangeInclusive;

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use domain::Timestamp;
use service::App;

use super::error::{Failure, Issue, Result};
use crate::extract::parse_time;

/// Query parameters in the order sent.
pub(crate) struct Query(Vec<(String, String)>);

impl Query {
    /// From the part of a URL after `?`.
    pub(crate) fn parse(query: &str) -> Self {
        let pairs = form_urlencoded::parse(query.as_bytes())
            .into_owned()
            .filter(|(_, value)| !value.is_empty());
        Query(pairs.collect())
    }

    /// A text.
    ///
    /// # Errors
    /// When it comes twice.
    pub(crate) fn text(&self, name: &str) -> Result<Option<&str>> {
        let mut values = self.0.iter().filter(|(key, _)| key == name);
        let first = values.next().map(|(_, value)| value.as_str());
        match values.next() {
            None => Ok(first),
            Some(_) => Err(Issue::of_type(name, "string, received array").into()),
        }
    }

    /// Texts: the parameter may be repeated, and a value may be a list with commas.
    pub(crate) fn list(&self, name: &str) -> Vec<String> {
        let texts = self.several(name).into_iter();
        texts.map(str::to_owned).collect()
    }

    /// Several texts: the parameter may come more than once, and each time hold a list with commas.
    pub(crate) fn several(&self, name: &str) -> Vec<&str> {
        let values = self.0.iter().filter(|(key, _)| key == name);
        let items = values.flat_map(|(_, value)| value.split(','));
        items
            .map(str::trim)
            .filter(|item| !item.is_empty())
            .collect()
    }

    /// A finite number.
    ///
    /// # Errors
    /// When it is none.
    pub(crate) fn float(&self, name: &str) -> Result<Option<f64>> {
        let Some(text) = self.text(name)? else {
            return Ok(None);
        };
        let number = text.parse().ok().filter(|number: &f64| number.is_finite());
        Ok(Some(number.ok_or_else(|| Issue::of_type(name, "number"))?))
    }

    /// That no parameter comes but these.
    ///
    /// # Errors
    /// When there is another one.
    pub(crate) fn only(&self, known: &[&str]) -> Result<()> {
        let unknown = self
            .0
            .iter()
            .find(|(key, _)| !known.contains(&key.as_str()));
        match unknown {
            None => Ok(()),
            Some((key, _)) => {
                let message = format!("Unrecognized key: \"{key}\"");
                Err(Issue::new("unrecognized_keys", key, message).into())
            }
        }
    }

    /// A whole number within `range`.
    ///
    /// # Errors
    /// When it is none, or outside.
    pub(crate) fn number(&self, name: &str, range: RangeInclusive<u32>) -> Result<Option<u32>> {
        let Some(text) = self.text(name)? else {
            return Ok(None);
        };
        let number: i128 = text
            .parse()
            .map_err(|_| Issue::of_type(name, "a whole number"))?;
        let (least, most) = (*range.start(), *range.end());
        if number < i128::from(least) {
            let message = format!("Number must be greater than or equal to {least}");
            return Err(Issue::new("too_small", name, message).into());
        }
        let within = u32::try_from(number).ok().filter(|number| *number <= most);
        let message = || format!("Number must be less than or equal to {most}");
        let within = within.ok_or_else(|| Issue::new("too_big", name, message()));
        Ok(Some(within?))
    }

    /// `true` or `false`.
    ///
    /// # Errors
    /// When it is something else.
    pub(crate) fn flag(&self, name: &str) -> Result<Option<bool>> {
        match self.text(name)? {
            None => Ok(None),
            Some(text) if text.eq_ignore_ascii_case("true") => Ok(Some(true)),
            Some(text) if text.eq_ignore_ascii_case("false") => Ok(Some(false)),
            Some(_) => {
                let message = "Invalid option: expected one of \"true\"|\"false\"";
                Err(Issue::new("invalid_value", name, message).into())
            }
        }
    }

    /// A time with its zone.
    ///
    /// # Errors
    /// When it is none.
    pub(crate) fn time(&self, name: &str) -> Result<Option<Timestamp>> {
        let Some(text) = self.text(name)? else {
            return Ok(None);
        };
        let time = parse_time(text);
        let time = time.map_err(|error| Issue::new("invalid_format", name, error.to_string()));
        Ok(Some(time?))
    }
}

impl FromRequestParts<App> for Query {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, _: &App) -> Result<Self> {
        Ok(Query::parse(parts.uri.query().unwrap_or_default()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_wrong_is_an_issue_of_its_parameter() {
        let query = Query::parse("n=-1&m=99999999999&f=perhaps&t=yesterday&x=1&x=2&empty=");
        assert!(query.number("n", 0..=9).is_err());
        assert!(query.number("m", 0..=9).is_err());
        assert!(query.flag("f").is_err());
        assert!(query.time("t").is_err());
        assert!(query.text("x").is_err());
        assert_eq!(query.text("empty").unwrap(), None);
        assert_eq!(query.text("unknown").unwrap(), None);
    }

    #[test]
    fn what_is_right_is_read() {
        let query = Query::parse("n=7&f=True&t=2026-01-05T10:00:00+09:00&l=a,%20b&l=c&l=,");
        assert_eq!(query.list("l"), ["a", "b", "c"]);
        assert_eq!(query.number("n", 1..=9).unwrap(), Some(7));
        assert_eq!(query.flag("f").unwrap(), Some(true));
        let utc = Timestamp::parse("2026-01-05T01:00:00Z").unwrap();
        assert_eq!(query.time("t").unwrap(), Some(utc));
    }
}
