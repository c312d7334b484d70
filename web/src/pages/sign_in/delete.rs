//! Ends the session.

use axum::extract::State;
use service::App;
use tower_sessions::Session;

use crate::extract::{Posted, sign_out};
use crate::pages::{Answer, see_other};
use crate::urls;

/// Signs out.
pub(crate) async fn delete_session(State(app): State<App>, session: Session, _: Posted) -> Answer {
    sign_out(&app, &session).await?;
    Ok(see_other(urls::SIGN_IN))
}
