//! Filters of spans and traces.

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use domain::Fault;
use domain::filter::{Column, Condition, Filter, MAX_CONDITIONS, Operator};
use domain::page::{Cursor, Limit};
use domain::search;
use serde_json::{Map, Value};
use service::App;

use super::conditions;
use super::params::{Params, wrong};
use crate::error::ApiError;

/// A list that was asked for: what, how much, from where on.
pub(crate) struct Listing {
    /// What matches.
    pub(crate) filter: Filter,
    /// Rows of a page.
    pub(crate) limit: Limit,
    params: Params,
}

impl Listing {
    /// Where the page of a list of that name begins.
    ///
    /// # Errors
    /// `invalid` on `cursor`.
    pub(crate) fn cursor(&self, list: &str) -> Result<Option<Cursor>, Fault> {
        self.params.cursor(list)
    }
}

impl FromRequestParts<App> for Listing {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, ApiError> {
        let params = Params::from_request_parts(parts, app).await?;
        let mut filter = filter(&params)?;
        filter.from = later(filter.from, params.time("from")?);
        filter.to = earlier(filter.to, params.time("to")?);
        Ok(Listing {
            filter,
            limit: params.limit()?,
            params,
        })
    }
}

/// What a stream without end is narrowed to.
pub(crate) struct StreamFilter(pub(crate) Filter);

impl FromRequestParts<App> for StreamFilter {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, ApiError> {
        let params = Params::from_request_parts(parts, app).await?;
        Ok(StreamFilter(filter(&params)?))
    }
}

/// Fields of spans that lists leave out unless asked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Fields {
    /// Input as sent.
    pub(crate) input: bool,
    /// Output as sent.
    pub(crate) output: bool,
    /// Messages of both.
    pub(crate) messages: bool,
    /// Events.
    pub(crate) events: bool,
    /// Attributes.
    pub(crate) attributes: bool,
}

impl Fields {
    /// Nothing left out.
    pub(crate) const ALL: Fields = Fields {
        input: true,
        output: true,
        messages: true,
        events: true,
        attributes: true,
    };

    fn parse(params: &Params) -> Result<Self, Fault> {
        let mut fields = Fields::default();
        for name in params.all("fields").flat_map(|list| list.split(',')) {
            match name.trim() {
                "input" => fields.input = true,
                "output" => fields.output = true,
                "messages" => fields.messages = true,
                "events" => fields.events = true,
                "attributes" => fields.attributes = true,
                "all" => fields = Fields::ALL,
                _ => {
                    let known = "give any of input, output, messages, events, attributes, all";
                    return Err(wrong("fields", known));
                }
            }
        }
        Ok(fields)
    }
}

impl FromRequestParts<App> for Fields {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, ApiError> {
        let params = Params::from_request_parts(parts, app).await?;
        Ok(Fields::parse(&params)?)
    }
}

/// Parameters that compare a column; several values of one mean any of them.
const COLUMNS: [(&str, Column); 14] = [
    ("environment", Column::Environment),
    ("model", Column::Model),
    ("provider", Column::Provider),
    ("user_id", Column::UserId),
    ("session_id", Column::SessionId),
    ("prompt", Column::Prompt),
    ("prompt_version", Column::PromptVersion),
    ("tenant", Column::Tenant),
    ("route", Column::Route),
    ("release", Column::Release),
    ("name", Column::Name),
    ("kind", Column::Kind),
    ("level", Column::Level),
    ("service", Column::Service),
];

/// From an object of the parameters of lists: texts, numbers, `true` and `false`, lists of these.
///
/// # Errors
/// `invalid` on `filter.name`.
pub(super) fn from_object(parameters: &Map<String, Value>) -> Result<Filter, Fault> {
    let mut query = form_urlencoded::Serializer::new(String::new());
    let named = COLUMNS.map(|(name, _)| name);
    let others = ["tag", "q", "min_latency_ms", "has_error"];
    for (name, value) in parameters {
        let path = format!("filter.{name}");
        if !named.iter().chain(&others).any(|known| known == name) {
            let known: Vec<&str> = named.iter().chain(&others).copied().collect();
            return Err(wrong(
                &path,
                &format!("is not known; known are {}", known.join(", ")),
            ));
        }
        let values = match value {
            Value::Array(values) => values.as_slice(),
            value => std::slice::from_ref(value),
        };
        for value in values {
            let text = match value {
                Value::String(text) => text.clone(),
                Value::Number(number) => number.to_string(),
                Value::Bool(flag) => flag.to_string(),
                _ => return Err(wrong(&path, "give a text, a number, or a list of texts")),
            };
            query.append_pair(name, &text);
        }
    }
    filter(&Params::parse(&query.finish())).map_err(|fault| {
        let field = fault.field.clone().unwrap_or_default();
        fault.on_field(format!("filter.{field}"))
    })
}

fn filter(params: &Params) -> Result<Filter, Fault> {
    let mut filter = match params.one("filter")? {
        Some(text) => conditions::parse(text)?,
        None => Filter::default(),
    };
    let compared: Vec<Column> = filter
        .conditions
        .iter()
        .map(|condition| condition.column.clone())
        .collect();
    // As in Langfuse's API, a condition of `filter=` beats the parameter of the same column.
    let is_free = |column: &Column| !compared.contains(column);
    for (name, column) in COLUMNS {
        let values: Vec<String> = params.all(name).map(str::to_owned).collect();
        if !values.is_empty() && is_free(&column) {
            filter.conditions.push(Condition {
                column,
                operator: Operator::AnyOf,
                values,
            });
        }
    }
    if is_free(&Column::Tag) {
        // Each tag narrows further.
        filter
            .conditions
            .extend(params.all("tag").map(|tag| Condition {
                column: Column::Tag,
                operator: Operator::AnyOf,
                values: vec![tag.to_owned()],
            }));
    }
    if let Some(text) = params.one("q")? {
        let parsed = search::parse(text).map_err(|error| wrong("q", &error.to_string()))?;
        filter.search = parsed.search;
    }
    if let Some(least) = params.amount("min_latency_ms")? {
        filter.min_latency_ms = Some(least);
    }
    if let Some(failed) = params.flag("has_error")? {
        filter.has_error = Some(failed);
    }
    if filter.conditions.len() > MAX_CONDITIONS {
        let message = format!("give at most {MAX_CONDITIONS} conditions; each tag counts as one");
        return Err(wrong("tag", &message));
    }
    Ok(filter)
}

fn later<T: Ord>(a: Option<T>, b: Option<T>) -> Option<T> {
    match (a, b) {
        (Some(a), Some(b)) => Some(a.max(b)),
        (a, b) => a.or(b),
    }
}

fn earlier<T: Ord>(a: Option<T>, b: Option<T>) -> Option<T> {
    match (a, b) {
        (Some(a), Some(b)) => Some(a.min(b)),
        (a, b) => a.or(b),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_of_one_parameter_are_alternatives_but_tags_narrow() {
        let filter = filter(&Params::parse(
            "model=a&model=b&tag=x&tag=y&q=50%25&user_id=",
        ))
        .unwrap();
        let shown: Vec<_> = filter
            .conditions
            .iter()
            .map(|c| (c.column.clone(), c.values.join("|")))
            .collect();
        assert_eq!(
            shown,
            [
                (Column::Model, "a|b".to_owned()),
                (Column::Tag, "x".to_owned()),
                (Column::Tag, "y".to_owned())
            ]
        );
        assert_eq!(filter.search, Some(search::Search::text("50%")));
    }

    #[test]
    fn a_search_that_is_none_is_refused_with_its_place() {
        let fault = filter(&Params::parse("q=a+(b")).unwrap_err();
        assert_eq!(fault.field.as_deref(), Some("q"));
        assert!(
            fault.message.contains("at character 3"),
            "{}",
            fault.message
        );
    }

    #[test]
    fn a_condition_beats_the_parameter_of_the_same_column() {
        let query = "user_id=a&filter=[{\"column\":\"userId\",\"operator\":\"=\",\"value\":\"b\"}]";
        let filter = filter(&Params::parse(query)).unwrap();
        assert_eq!(filter.conditions.len(), 1);
        assert_eq!(filter.conditions[0].values, ["b"]);
    }

    #[test]
    fn unknown_fields_are_named() {
        let fields = Fields::parse(&Params::parse("fields=input,output")).unwrap();
        assert!(fields.input && fields.output && !fields.events);
        let fault = Fields::parse(&Params::parse("fields=secret")).unwrap_err();
        assert_eq!(fault.field.as_deref(), Some("fields"));
    }
}
