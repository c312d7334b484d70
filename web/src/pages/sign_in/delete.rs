//! Ends the session.

use tower_sessions::Session;

use crate::extract::{Posted, sign_out};
use crate::pages::{Answer, see_other};
use crate::urls;

/// Signs out.
pub(crate) async fn delete_session(session: Session, _: Posted) -> Answer {
    sign_out(&session).await?;
    Ok(see_other(urls::SIGN_IN))
}
