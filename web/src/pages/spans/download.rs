//! Input or output of a span as a file: exactly what was sent, never shown by the browser; and the span in the words
//! of other tools.

use axum::extract::{RawPathParams, State};
use axum::response::IntoResponse;
use domain::Fault;
use http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use service::{App, spans};

use super::copied::Form;
use crate::extract::InProject;
use crate::pages::traces::{segment, span_id, trace_id};
use crate::pages::{Answer, no_such_page};

/// Gives it.
pub(crate) async fn download_content(
    State(app): State<App>,
    entered: InProject,
    params: RawPathParams,
) -> Answer {
    let (trace_id, span_id) = (trace_id(&params)?, span_id(&params)?);
    let missing = || Fault::not_found("there is no span of this id in this trace");
    let span = spans::show(&app, &entered.scope, &trace_id, &span_id)
        .await?
        .ok_or_else(missing)?;
    let which = segment(&params, "which").unwrap_or_default();
    let form = Form::ALL.into_iter().find(|form| form.name() == which);
    let (content, name) = match (which, form) {
        ("input", _) => (
            span.input.map(|content| content.text.to_string()),
            "input.txt",
        ),
        ("output", _) => (
            span.output.map(|content| content.text.to_string()),
            "output.txt",
        ),
        (_, Some(form)) => (Some(form.write(&span)), form.file()),
        _ => return Err(no_such_page().into()),
    };
    let content = content.ok_or_else(|| Fault::not_found("the span has no such content"))?;
    let headers = [
        (CONTENT_TYPE, "text/plain; charset=utf-8".to_owned()),
        (
            CONTENT_DISPOSITION,
            format!("attachment; filename=\"{name}\""),
        ),
    ];
    Ok((headers, content).into_response())
}
