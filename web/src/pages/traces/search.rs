//! The search box of the bar: an id opens its trace, anything else searches the list.

use axum::extract::State;
use domain::TraceId;
use service::{App, traces};

use super::query::ListQuery;
use crate::extract::{InProject, Pairs};
use crate::pages::{Answer, see_other};
use crate::urls;

/// Longer texts are no ids of anybody's.
const LONGEST_ID: usize = 128;

/// Leads to the trace, or to the list.
pub(crate) async fn search_traces(
    State(app): State<App>,
    entered: InProject,
    pairs: Pairs,
) -> Answer {
    let id = entered.id();
    let Some(text) = pairs.filled("q") else {
        return Ok(see_other(&urls::traces_home(id)));
    };
    let may_be_id = text.len() <= LONGEST_ID && !text.contains(char::is_whitespace);
    if may_be_id
        && let Ok(trace_id) = TraceId::from_text(&normal(text))
        && let Some(found) = traces::open(&app, &entered.scope, &trace_id).await?
    {
        return Ok(see_other(&urls::trace(id, &found.summary.trace_id)));
    }
    let query = ListQuery {
        text: Some(text.to_owned()),
        ..ListQuery::default()
    };
    Ok(see_other(&urls::traces(id, &query)))
}

/// Ids of OTLP are shown in lower case, whatever case they are pasted in.
fn normal(text: &str) -> String {
    let is_hex =
        text.len() == TraceId::OTLP_BYTES * 2 && text.bytes().all(|b| b.is_ascii_hexdigit());
    if is_hex {
        text.to_ascii_lowercase()
    } else {
        text.to_owned()
    }
}
