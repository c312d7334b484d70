//! Query parameters.

use std::str::FromStr;

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use domain::page::{Cursor, Limit};
use domain::time::InvalidTime;
use domain::{Fault, Timestamp};
use service::App;

use crate::error::ApiError;

/// Query parameters in the order sent. Empty ones count as left out, as forms send them.
pub(crate) struct Params(Vec<(String, String)>);

impl Params {
    /// From the part of a URL after `?`.
    pub(crate) fn parse(query: &str) -> Self {
        let pairs = form_urlencoded::parse(query.as_bytes())
            .into_owned()
            .filter(|(_, value)| !value.is_empty());
        Params(pairs.collect())
    }

    /// All values of a parameter.
    pub(crate) fn all<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a str> {
        self.0
            .iter()
            .filter(move |(key, _)| key == name)
            .map(|(_, value)| value.as_str())
    }

    /// The value of a parameter that may be given once.
    ///
    /// # Errors
    /// `invalid` on the parameter when it comes twice.
    pub(crate) fn one<'a>(&'a self, name: &'a str) -> Result<Option<&'a str>, Fault> {
        let mut values = self.all(name);
        let first = values.next();
        match values.next() {
            None => Ok(first),
            Some(_) => Err(wrong(name, "give it once")),
        }
    }

    /// A time with its zone.
    ///
    /// # Errors
    /// `invalid` on the parameter.
    pub(crate) fn time(&self, name: &str) -> Result<Option<Timestamp>, Fault> {
        let Some(text) = self.one(name)? else {
            return Ok(None);
        };
        let time = parse_time(text);
        time.map(Some)
            .map_err(|error| wrong(name, &error.to_string()))
    }

    /// A number of zero or more.
    ///
    /// # Errors
    /// `invalid` on the parameter.
    pub(crate) fn amount(&self, name: &str) -> Result<Option<f64>, Fault> {
        let Some(text) = self.one(name)? else {
            return Ok(None);
        };
        let number = f64::from_str(text).ok();
        let number = number.filter(|number| number.is_finite() && *number >= 0.0);
        number
            .map(Some)
            .ok_or_else(|| wrong(name, "give a number of zero or more"))
    }

    /// `true` or `false`.
    ///
    /// # Errors
    /// `invalid` on the parameter.
    pub(crate) fn flag(&self, name: &str) -> Result<Option<bool>, Fault> {
        match self.one(name)? {
            None => Ok(None),
            Some("true" | "1") => Ok(Some(true)),
            Some("false" | "0") => Ok(Some(false)),
            Some(_) => Err(wrong(name, "give true or false")),
        }
    }

    /// Rows of a page.
    ///
    /// # Errors
    /// `invalid` on `limit`.
    pub(crate) fn limit(&self) -> Result<Limit, Fault> {
        let Some(text) = self.one("limit")? else {
            return Ok(Limit::default());
        };
        let rows = u32::from_str(text).ok();
        let limit = rows.and_then(|rows| Limit::new(rows).ok());
        limit.ok_or_else(|| wrong("limit", &format!("give a number from 1 to {}", Limit::MAX)))
    }

    /// Where the page of a list of that name begins.
    ///
    /// # Errors
    /// `invalid` on `cursor`.
    pub(crate) fn cursor(&self, list: &str) -> Result<Option<Cursor>, Fault> {
        let text = self.one("cursor")?;
        let cursor = text.map(|text| Cursor::read(list, text)).transpose();
        cursor.map_err(|fault| wrong("cursor", &fault.message))
    }
}

impl FromRequestParts<App> for Params {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &App) -> Result<Self, ApiError> {
        Ok(Params::parse(parts.uri.query().unwrap_or_default()))
    }
}

/// A time with its zone that bounds what is asked for, from a decoded parameter. A raw `+` in a URL means a
/// blank; before a zone it can only have been a `+`.
///
/// # Errors
/// When it is none.
pub(crate) fn parse_time(text: &str) -> Result<Timestamp, InvalidTime> {
    match text.rsplit_once(' ') {
        Some((instant, zone)) if instant.contains('T') => {
            Timestamp::parse_bound(&format!("{instant}+{zone}"))
        }
        _ => Timestamp::parse_bound(text),
    }
}

/// A fault that names a parameter.
pub(crate) fn wrong(name: &str, why: &str) -> Fault {
    Fault::invalid(format!("{name}: {why}")).on_field(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_zone_may_come_with_a_raw_plus() {
        let time = |query: &str| Params::parse(query).time("from");
        let utc = time("from=2026-01-05T01:00:00Z").unwrap();
        assert!(utc.is_some());
        assert_eq!(time("from=2026-01-05T10:00:00%2B09:00").unwrap(), utc);
        assert_eq!(time("from=2026-01-05T10:00:00+09:00").unwrap(), utc);
        assert_eq!(time("to=x").unwrap(), None);
        for wrong in [
            "2026-01-05T01:00:00",
            "2026-01-05",
            "1767574800",
            "1767574800000",
            "yesterday",
        ] {
            let fault = time(&format!("from={wrong}")).unwrap_err();
            assert_eq!(fault.field.as_deref(), Some("from"), "{wrong}");
        }
    }

    #[test]
    fn limits_numbers_and_flags_are_checked_by_name() {
        for (query, name) in [
            ("limit=0", "limit"),
            ("limit=1001", "limit"),
            ("limit=ten", "limit"),
            ("cursor=nonsense", "cursor"),
            ("limit=1&limit=2", "limit"),
        ] {
            let params = Params::parse(query);
            let fault = params
                .limit()
                .err()
                .or_else(|| params.cursor("traces").err())
                .unwrap();
            assert_eq!(fault.field.as_deref(), Some(name), "{query}");
        }
        for number in ["-1", "NaN", "inf", "1e999", "x"] {
            assert!(
                Params::parse(&format!("n={number}")).amount("n").is_err(),
                "{number}"
            );
        }
        assert_eq!(Params::parse("n=1.5").amount("n").unwrap(), Some(1.5));
        assert!(Params::parse("f=maybe").flag("f").is_err());
        assert_eq!(Params::parse("f=").flag("f").unwrap(), None);
        assert_eq!(Params::parse("").limit().unwrap().rows(), 50);
    }
}
