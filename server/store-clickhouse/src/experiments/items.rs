//! Items of experiments, newest first.

use domain::filter::Filter;
use domain::page::{Cursor, Limit, Page};
use domain::{ProjectId, Span};

use super::Wanted;
use crate::client::ClickHouse;
use crate::error::StoreError;
use crate::filter::{compile, with_conditions, with_params};
use crate::spans::{Bound, CandidateRow, read};
use crate::traces::extent::hour;

pub(crate) const SQL: &str = include_str!("items.sql");

/// The roots of items, whole, after a place in the list. A page may be short of some that were replaced
/// meanwhile.
///
/// # Errors
/// When ClickHouse is away or takes too long.
pub async fn items(
    clickhouse: &ClickHouse,
    project: ProjectId,
    wanted: &Wanted,
    (limit, cursor): (Limit, Option<&Cursor>),
) -> Result<Page<Span>, StoreError> {
    let filter = Filter {
        from: Some(wanted.from),
        to: Some(wanted.to),
        conditions: wanted.conditions.clone(),
        ..Filter::default()
    };
    let compiled = compile(&filter);
    let before = Bound::of(&filter, cursor);
    let query = clickhouse
        .read(&with_conditions(SQL, &compiled.on_span()))
        .param("project_id", project.to_string())
        .param("from_hour", hour(wanted.from))
        .param("to_hour", hour(before.start))
        .param("from_ns", wanted.from.unix_nanos())
        .param("ids", &wanted.ids)
        .param("before_ns", before.start.unix_nanos())
        .param("before_trace", &before.trace_id)
        .param("before_span", &before.span_id)
        .param("limit", limit.rows() + 1);
    let rows = with_params(query, &compiled).rows::<CandidateRow>().await?;
    let mut places: Vec<_> = rows
        .into_iter()
        .map(CandidateRow::into_place)
        .collect::<Result<_, _>>()?;
    let has_more = places.len() > limit.rows() as usize;
    places.truncate(limit.rows() as usize);
    let next_cursor = places.last().filter(|_| has_more).map(|last| last.cursor());
    let data = read(clickhouse, project, (&filter, &compiled), places).await?;
    Ok(Page { data, next_cursor })
}
