//! Prompts.

mod create;
mod delete;
mod draft;
mod label;
mod list;
mod shape;
mod show;
/// The first version of these routes.
pub(crate) mod v1;
mod written;

pub(crate) use create::create_prompt;
pub(crate) use delete::delete_prompt;
pub(crate) use label::label_prompt;
pub(crate) use list::list_prompts;
pub(crate) use show::show_prompt;

use axum::extract::{FromRequestParts, RawPathParams};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue};
use domain::Fault;
use domain::prompt::{Label, PromptName, Selector};
use service::App;

use super::error::{Failure, Result};
use super::query::Query;

/// Highest number that a version may be asked for.
const MAX_VERSION: u32 = i32::MAX.unsigned_abs();

/// The rest of a path, decoded once: a name may hold a `/`, written as `%2F` or as it is.
pub(crate) struct Rest(String);

impl FromRequestParts<App> for Rest {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self> {
        let params = RawPathParams::from_request_parts(parts, app).await;
        let params = params.map_err(|error| Fault::invalid(error.body_text()))?;
        let rest = params.iter().find(|(name, _)| *name == "rest");
        Ok(Rest(rest.map_or("", |(_, rest)| rest).to_owned()))
    }
}

/// A name that is none is the name of no prompt.
fn existing_name(text: &str) -> Result<PromptName> {
    let name = PromptName::parse(text);
    name.map_err(|_| Fault::not_found(format!("Prompt not found: '{text}'")).into())
}

/// Most bytes of what is stuck to.
const MAX_STICK_TO: usize = 500;

/// What whoever asks sticks to, where they say: `stickTo` of the query, else the header `X-Stick-To`. It is any text, such as
/// the id of a user or a session.
fn stick_to<'r>(query: &'r Query, headers: &'r HeaderMap) -> Result<Option<&'r str>> {
    let header = headers.get("x-stick-to").map(HeaderValue::to_str);
    let header = header.transpose().map_err(|_| {
        Fault::invalid("the header X-Stick-To holds what is no visible ASCII").on_field("stickTo")
    })?;
    let text = query.text("stickTo")?.or(header);
    let text = text.filter(|text| !text.is_empty());
    match text {
        Some(text) if text.len() > MAX_STICK_TO => {
            let message = "stickTo has at most 500 bytes";
            Err(Fault::invalid(message).on_field("stickTo").into())
        }
        text => Ok(text),
    }
}

/// The version that the query means, if it says.
fn selector(query: &Query) -> Result<Option<Selector>> {
    let version = query.number("version", 1..=MAX_VERSION)?;
    let label = query.text("label")?;
    match (version, label) {
        (Some(_), Some(_)) => Err(Fault::invalid("give a version or a label, not both").into()),
        (Some(version), None) => Ok(Some(Selector::Version(version))),
        (None, Some(text)) => {
            let missing = |_| Fault::not_found(format!("Prompt not found with label '{text}'"));
            let label = Label::parse(text).map_err(missing)?;
            Ok(Some(Selector::Label(label)))
        }
        (None, None) => Ok(None),
    }
}
