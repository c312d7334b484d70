//! `GET /api/v1/topology`

use axum::extract::State;
use axum::response::Response;
use service::{App, topology};

use super::shape;
use crate::error::Result;
use crate::extract::Caller;

/// The rules that hold.
pub(crate) async fn show_topology(
    State(app): State<App>,
    Caller(scope): Caller,
) -> Result<Response> {
    Ok(shape(&topology::show(&app, &scope).await?))
}
