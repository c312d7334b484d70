//! All items of a dataset as a file.

use axum::body::Body;
use axum::extract::{RawPathParams, State};
use axum::response::IntoResponse;
use domain::dataset::SheetForm;
use http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use service::App;
use service::datasets;

use super::dataset_id;
use crate::extract::InProject;
use crate::pages::traces::segment;
use crate::pages::{Answer, no_such_page};

/// Gives it, piece by piece: one that breaks off ends without its last piece, which clients tell from a whole one.
pub(crate) async fn export_items(
    State(app): State<App>,
    entered: InProject,
    params: RawPathParams,
) -> Answer {
    let form = segment(&params, "form").and_then(SheetForm::from_name);
    let form = form.ok_or_else(no_such_page)?;
    let (name, pieces) = datasets::export(&app, &entered.scope, dataset_id(&params)?, form).await?;
    let name: String = name.chars().map(plain).collect();
    let headers = [
        (CONTENT_TYPE, form.media_type().to_owned()),
        (
            CONTENT_DISPOSITION,
            format!("attachment; filename=\"{name}.{}\"", form.as_str()),
        ),
    ];
    Ok((headers, Body::from_stream(pieces)).into_response())
}

/// A character of a name that any system takes for one of a file.
fn plain(char: char) -> char {
    match char {
        'a'..='z' | 'A'..='Z' | '0'..='9' | '-' | '_' | '.' => char,
        _ => '_',
    }
}
