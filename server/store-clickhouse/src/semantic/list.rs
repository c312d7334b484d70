//! Lists of semantic events: newest first.

use clickhouse::Row;
use domain::filter::Filter;
use domain::semantic::{EventType, Rule, SemanticEvent};
use domain::span::PromptRef;
use domain::{ProjectId, Timestamp};
use serde::Deserialize;

use crate::client::ClickHouse;
use crate::error::StoreError;
use crate::filter::{LATENCY, compile, with_conditions, with_params};
use crate::spans::row::{optional_span_id, some, timestamp, trace_id};

use super::{LIST, query};

/// Which events.
#[derive(Clone, Debug)]
pub struct Wanted {
    /// From this time on.
    pub from: Timestamp,
    /// Before this time.
    pub to: Timestamp,
    /// Of these types; none: of any.
    pub types: Vec<EventType>,
    /// Found by these rules; none: by any.
    pub rules: Vec<Rule>,
    /// Of that trace.
    pub trace_id: Option<String>,
    /// Whose spans meet this: the event's own, or any of its trace where it is of no single span.
    pub filter: Filter,
    /// What follows that place.
    pub after: Option<Place>,
}

/// A place in a list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// When the event was.
    pub at: Timestamp,
    /// Its type.
    pub event_type: String,
    /// Its trace, or nothing.
    pub trace_id: String,
    /// Its span, or nothing.
    pub span_id: String,
    /// Its session, or nothing.
    pub session_id: String,
}

#[derive(Row, Deserialize)]
struct EventRow {
    trace_id: String,
    span_id: String,
    at_ns: i64,
    what: String,
    detail: String,
    session_id: String,
    prompt: String,
    prompt_number: String,
}

/// Whose span meets conditions: an event of a loop or of a trace as a whole is met by any span of its trace.
const MEETS: &str = "(trace_id, if(what = 'agent_loop', '', span_id)) IN (
    SELECT trace_id, arrayJoin(['', span_id]) FROM spans
    WHERE project_id = {project_id:UUID} AND start_hour BETWEEN {near_from_hour:UInt32} AND {to_hour:UInt32}
        AND kind != 'trace' AND (/* met */))";

/// Those that are wanted, newest first, at most `limit`.
///
/// # Errors
/// When ClickHouse is away or takes too long.
pub async fn list(
    clickhouse: &ClickHouse,
    project: ProjectId,
    wanted: &Wanted,
    limit: u32,
) -> Result<Vec<SemanticEvent>, StoreError> {
    let filter = &wanted.filter;
    let compiled = compile(filter);
    let mut conditions = compiled.on_span();
    if filter.min_latency_ms.is_some() {
        conditions = format!("{conditions} AND {LATENCY}");
    }
    let is_narrowed = filter.min_latency_ms.is_some() || !compiled.formulas.is_empty();
    let sql = match is_narrowed {
        true => with_conditions(LIST, &MEETS.replace("/* met */", &conditions)),
        false => LIST.to_owned(),
    };
    let types = match wanted.types.is_empty() {
        true => EventType::ALL,
        false => &wanted.types,
    };
    let rules: Vec<&str> = wanted.rules.iter().map(|rule| rule.as_str()).collect();
    let trace = wanted.trace_id.as_deref().unwrap_or_default();
    let range = (wanted.from, wanted.to);
    let after = wanted.after.as_ref();
    let text = |part: fn(&Place) -> &str| after.map_or("", part);
    let query = query(clickhouse, (project, &sql), range, (types, trace))
        .param("rules", rules)
        .param("min_latency_ms", filter.min_latency_ms.unwrap_or(0.0))
        .param(
            "before_ns",
            after.map_or(i64::MAX, |place| place.at.unix_nanos()),
        )
        .param("before_type", text(|place| &place.event_type))
        .param("before_trace", text(|place| &place.trace_id))
        .param("before_span", text(|place| &place.span_id))
        .param("before_session", text(|place| &place.session_id))
        .param("limit", limit);
    let rows = with_params(query, &compiled).rows::<EventRow>().await?;
    rows.into_iter().filter_map(EventRow::into_event).collect()
}

impl EventRow {
    /// `None` for a type that this version does not know.
    fn into_event(self) -> Option<Result<SemanticEvent, StoreError>> {
        let event_type = EventType::from_name(&self.what)?;
        Some(self.into_event_of(event_type))
    }

    fn into_event_of(self, event_type: EventType) -> Result<SemanticEvent, StoreError> {
        let trace = some(self.trace_id);
        Ok(SemanticEvent {
            event_type,
            at: timestamp(self.at_ns),
            trace_id: trace.map(|id| trace_id(&id)).transpose()?,
            span_id: optional_span_id(&self.span_id)?,
            session_id: some(self.session_id),
            prompt: some(self.prompt).map(|name| PromptRef {
                name,
                version: self.prompt_number,
            }),
            detail: serde_json::from_str(&self.detail).unwrap_or_default(),
        })
    }
}
