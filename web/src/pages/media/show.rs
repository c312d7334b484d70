//! An attachment: leads to the signed address of its bytes, on this server.

use axum::extract::{RawPathParams, State};
use axum::response::{IntoResponse, Redirect};
use domain::Fault;
use domain::media::MediaId;
use service::{App, media};

use crate::extract::InProject;
use crate::pages::Answer;
use crate::pages::traces::segment;
use crate::urls;

/// Leads there.
pub(crate) async fn show_media(
    State(app): State<App>,
    entered: InProject,
    params: RawPathParams,
) -> Answer {
    let missing = || Fault::not_found("there is no attachment of this id in this project");
    let id = segment(&params, "media").and_then(MediaId::from_text);
    let found = media::show(&app, &entered.scope, &id.ok_or_else(missing)?).await?;
    Ok(Redirect::to(&urls::media_bytes(&found.token)).into_response())
}
