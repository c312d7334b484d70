//! A file that a form with its token brought.

use std::time::Duration;

use axum::extract::multipart::{Field, Multipart, MultipartError};
use axum::extract::{FromRequest, Request};
use domain::{Code, Fault};
use service::App;
use tokio::time::timeout;
use tower_sessions::Session;

use super::posted::{FIELD, check_token};
use crate::error::Failure;

/// A file that comes slower does not hold its connection for ever.
const READ_TIMEOUT: Duration = Duration::from_secs(120);

/// The file of a form whose token came before it. How large it may be says the layer of its route.
pub(crate) struct Uploaded {
    /// What it is called.
    pub(crate) name: String,
    /// Its bytes.
    pub(crate) content: Vec<u8>,
}

impl FromRequest<App> for Uploaded {
    type Rejection = Failure;

    async fn from_request(request: Request, app: &App) -> Result<Self, Failure> {
        let session = request.extensions().get::<Session>().cloned();
        let form = Multipart::from_request(request, app).await;
        let form = form.map_err(|_| Fault::invalid("this form has to bring a file"))?;
        timeout(READ_TIMEOUT, read(form, session))
            .await
            .map_err(|_| Fault::new(Code::Timeout, "the file did not arrive within 2 minutes"))?
    }
}

async fn read(mut form: Multipart, session: Option<Session>) -> Result<Uploaded, Failure> {
    let mut is_ours = false;
    while let Some(field) = form.next_field().await.map_err(broken)? {
        if field.name() == Some(FIELD) {
            let given = field.text().await.map_err(broken)?;
            check_token(session.as_ref(), &given).await?;
            is_ours = true;
        } else if field.file_name().is_some() && is_ours {
            return Ok(file(field).await?);
        }
    }
    if is_ours {
        return Err(Fault::invalid("choose a file").into());
    }
    check_token(session.as_ref(), "").await?;
    Err(Fault::invalid("this form has to bring a file").into())
}

async fn file(field: Field<'_>) -> Result<Uploaded, Fault> {
    let name = field.file_name().unwrap_or_default().to_owned();
    let content = field.bytes().await.map_err(broken)?.to_vec();
    Ok(Uploaded { name, content })
}

fn broken(error: MultipartError) -> Fault {
    if error.status() == http::StatusCode::PAYLOAD_TOO_LARGE {
        return Fault::new(
            Code::TooLarge,
            "the file is larger than 16 MiB: cut it into several",
        );
    }
    Fault::invalid("the form broke off on its way").because(error)
}
