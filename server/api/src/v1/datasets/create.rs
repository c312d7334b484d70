//! `POST /api/v1/datasets`

use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use domain::dataset::{DatasetDraft, DatasetKind, DatasetName};
use service::{App, datasets};

use super::{DatasetRow, kind, time};
use crate::error::Result;
use crate::extract::{Body, Caller, wrong};

/// Makes a dataset of a kind.
pub(crate) async fn create_dataset(
    State(app): State<App>,
    Caller(scope): Caller,
    body: Body,
) -> Result<Response> {
    body.only(&["name", "kind", "description"])?;
    let name = body.text("name")?;
    let name = name.ok_or_else(|| wrong("name", "give a name"))?;
    let of_kind = body.text("kind")?.map(kind).transpose()?;
    let draft = DatasetDraft {
        name: DatasetName::parse(name).map_err(|fault| fault.on_field("name"))?,
        description: body.text("description")?.map(str::to_owned),
        metadata: None,
        input_schema: None,
        expected_output_schema: None,
    };
    let of_kind = of_kind.unwrap_or(DatasetKind::Plain);
    let made = datasets::create(&app, &scope, of_kind, draft).await?;
    let row = DatasetRow {
        id: made.id.to_string(),
        name: made.name.as_str(),
        kind: made.kind.as_str(),
        description: made.description.as_deref(),
        items: 0,
        runs: 0,
        created_at: time(made.created_at),
        updated_at: time(made.updated_at),
    };
    Ok((StatusCode::CREATED, Json(row)).into_response())
}
