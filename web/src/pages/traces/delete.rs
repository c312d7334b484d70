//! Deletes one trace, or several.

use axum::extract::{RawPathParams, State};
use domain::{Fault, TraceId};
use service::{App, traces};

use super::trace_id;
use crate::extract::{InProject, Posted};
use crate::pages::{Answer, see_other};
use crate::urls;

/// A page of the list holds fewer.
const MOST: usize = 1000;

/// Deletes the trace of the path, and goes to the list.
pub(crate) async fn delete_trace(
    State(app): State<App>,
    entered: InProject,
    params: RawPathParams,
    _: Posted,
) -> Answer {
    traces::delete(&app, &entered.scope, &trace_id(&params)?).await?;
    Ok(see_other(&urls::traces_home(entered.id())))
}

/// Deletes the chosen traces, and goes back to the list. One that is already gone is no error.
pub(crate) async fn delete_traces(
    State(app): State<App>,
    entered: InProject,
    Posted(pairs): Posted,
) -> Answer {
    let ids: Result<Vec<TraceId>, Fault> = pairs
        .all("id")
        .map(|id| {
            let wrong = |_| Fault::invalid("this is the id of no trace").on_field("id");
            TraceId::from_text(id).map_err(wrong)
        })
        .collect();
    let ids = ids?;
    if ids.is_empty() {
        return Err(Fault::invalid("choose the traces to delete").into());
    }
    if ids.len() > MOST {
        return Err(Fault::invalid(format!("at most {MOST} traces at once")).into());
    }
    traces::delete_all(&app, &entered.scope, &ids).await?;
    let list = urls::traces_home(entered.id());
    let back = pairs.get("back").map_or(list.as_str(), urls::local);
    Ok(see_other(back))
}
