//! `GET /api/v1/channels`

use axum::extract::State;
use axum::response::Response;
use domain::page::Page;
use service::App;
use service::alerts::channels;

use crate::error::Result;
use crate::extract::Caller;
use crate::shape::ChannelRow;
use crate::v1::page;

/// Channels by name: few enough for one page.
pub(crate) async fn list_channels(
    State(app): State<App>,
    Caller(scope): Caller,
) -> Result<Response> {
    let all = Page {
        data: channels::list(&app, &scope).await?,
        next_cursor: None,
    };
    page(("channels", &all), ChannelRow::from)
}
