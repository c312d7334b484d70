//! The search box of the bar: the id of a trace, or its head, opens the trace; the id of a session or
//! a user lists its traces; anything else searches the list.

use axum::extract::State;
use domain::filter::{Column, Operator};
use domain::page::Limit;
use domain::{Fault, TraceId};
use service::{App, traces};

use super::query::{ListQuery, PRESETS, Preset, Range};
use crate::extract::{InProject, Pairs};
use crate::pages::{Answer, see_other};
use crate::urls;

/// Longer texts are no ids of anybody's.
const LONGEST_ID: usize = 128;
/// How far back sessions and users are looked for.
const LOOK_BACK: Preset = PRESETS[5];

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
        && traces::exists(&app, &entered.scope, &trace_id).await?
    {
        return Ok(see_other(&urls::trace(id, &trace_id)));
    }
    if is_head_of_id(text)
        && let Some(trace_id) =
            traces::find_by_prefix(&app, &entered.scope, &text.to_ascii_lowercase()).await?
    {
        return Ok(see_other(&urls::trace(id, &trace_id)));
    }
    if may_be_id {
        for column in [Column::SessionId, Column::UserId] {
            let query = ListQuery {
                range: Range::Last(LOOK_BACK),
                conditions: vec![(column, Operator::AnyOf, text.to_owned())],
                ..ListQuery::default()
            };
            if has_any(&app, &entered, &query).await? {
                return Ok(see_other(&urls::traces(id, &query)));
            }
        }
    }
    let query = ListQuery {
        text: Some(text.to_owned()),
        ..ListQuery::default()
    };
    Ok(see_other(&urls::traces(id, &query)))
}

async fn has_any(app: &App, entered: &InProject, query: &ListQuery) -> Result<bool, Fault> {
    let filter = query.filter(app.clock().now());
    let one = Limit::new(1)?;
    let page = traces::list(app, &entered.scope, &filter, one, None).await?;
    Ok(!page.data.is_empty())
}

/// So many hexadecimal digits are meant as the head of an id, as people copy it from logs.
fn is_head_of_id(text: &str) -> bool {
    (6..TraceId::OTLP_BYTES * 2).contains(&text.len())
        && text.bytes().all(|b| b.is_ascii_hexdigit())
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
