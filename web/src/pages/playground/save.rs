//! What stands in a window becomes a version of a prompt or an item of a dataset: the forms of these open with
//! it, so that somebody looks at it before it is saved.

use axum::extract::State;
use domain::message::{Message, Part, text_of};
use domain::tenancy::Permission;
use serde_json::{Value as Json, json};
use service::App;

use super::values::Values;
use super::window::{Window, pretty};
use crate::extract::{InProject, PostedLong};
use crate::pages::datasets;
use crate::pages::prompts::{Begun, EditorPage};
use crate::pages::{Answer, render};

/// Opens the editor of prompts with a window.
pub(crate) async fn to_prompt(entered: InProject, PostedLong(pairs): PostedLong) -> Answer {
    entered.scope.require(Permission::ChangePrompts)?;
    let window = Window::posted(&pairs);
    let begun = Begun {
        config: pretty(&window.config()?),
        messages: window.pairs(),
        source: Some(window.prompt).filter(|(name, _)| !name.is_empty()),
    };
    Ok(render(&EditorPage::begun(&entered.reader, begun)))
}

/// Opens the form of an item with what the model was asked and what it answered last.
pub(crate) async fn to_dataset(
    State(app): State<App>,
    entered: InProject,
    PostedLong(pairs): PostedLong,
) -> Answer {
    entered.scope.require(Permission::ChangeDatasets)?;
    let window = Window::posted(&pairs);
    let said = window.said(&Values::posted(&pairs))?;
    let input: Json = said.iter().map(spoken).collect();
    let answer = pairs.get("answer").unwrap_or_default();
    let answer = match answer {
        "" => Json::Null,
        text => json!(text),
    };
    let page = datasets::with_contents(&app, &entered, &pairs, (&input, &answer)).await?;
    Ok(render(&page))
}

/// A message as most programs write it, with its parts where it is more than words.
fn spoken(message: &Message) -> Json {
    let role = match &message.name {
        Some(name) => name.as_str(),
        None => message.role.as_str(),
    };
    match message.parts.as_slice() {
        [Part::Text { .. }] => json!({"role": role, "content": text_of(message)}),
        parts => json!({"role": role, "parts": parts}),
    }
}
