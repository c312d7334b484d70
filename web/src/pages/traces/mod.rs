//! Traces: list, show, live, delete, search.

use axum::extract::RawPathParams;
use domain::{Fault, SpanId, TraceId};

use crate::urls;

/// The axes of a generation.
mod axes;
/// Numbers and times of the state of the list.
mod bounds;
/// Columns and operators of its filter.
mod columns;
/// Deletes one or several.
mod delete;
/// What is drawn of a trace.
mod drawing;
/// The list as a file.
mod export;
/// Values of columns, to filter by.
mod facets;
/// What is said of a trace below its name.
mod facts;
/// What a project without traces shows instead.
mod first;
/// Where clients of Langfuse look for pages.
mod forward;
/// Agents, tools and steps as a graph.
mod graph;
/// Boxes and edges of it.
mod graph_drawing;
/// What is said beside it.
mod graph_words;
/// The list with its chart.
mod list;
/// Values of a generation on the track of what is usual.
mod measures;
/// Makes a trace public, or private.
mod publish;
/// The state of the list, as its address holds it.
pub(crate) mod query;
/// A row of the tree.
mod row;
/// Rows of the tree.
mod rows;
/// The search box of the bar.
mod search;
/// What the search field says.
mod search_words;
/// A public trace, for anybody.
mod shared;
/// One trace: tree, waterfall, a chosen span.
mod show;
/// How somebody sees a trace.
mod sight;
/// The strip above the tree.
mod survey;
/// Columns of the list, and its rows.
pub(crate) mod table;
/// Saved views.
mod views;
/// Which rows somebody wants to see, and how.
mod wanted;
/// Tells when there are new traces.
mod watch;
/// Which rows of a large tree are drawn.
mod window;

pub(crate) use axes::{AxesPage, AxesTold, show_axes};
pub(crate) use columns::column_name;
pub(crate) use delete::{delete_trace, delete_traces};
pub(crate) use export::{export_chosen, export_traces};
pub(crate) use facets::{FacetPage, rows as facet_rows, show_facet};
pub(crate) use first::{FirstPage, demo, is_empty, show_first, ways};
pub(crate) use forward::{find_and_forward, forward_list, forward_session, those_with};
pub(crate) use graph::{Chosen, GraphPage, Told, show_graph};
pub(crate) use list::{ListPage, ListView, list_traces};
pub(crate) use publish::publish_trace;
pub(crate) use row::kind_class;
pub(crate) use rows::list_rows;
pub(crate) use search::search_traces;
pub(crate) use shared::{SharedPage, list_shared_rows, show_shared, show_shared_media, unlisted};
pub(crate) use show::{Sharing, ShowPage, ShowView, show_trace};
pub(crate) use sight::Sight;
pub(crate) use views::{delete_view, save_view};
pub(crate) use watch::watch_traces;

/// The trace that the path names.
pub(crate) fn trace_id(params: &RawPathParams) -> Result<TraceId, Fault> {
    segment(params, "trace")
        .and_then(|text| TraceId::from_text(text).ok())
        .ok_or_else(|| Fault::not_found("there is no trace of this id"))
}

/// The span that the path names.
pub(crate) fn span_id(params: &RawPathParams) -> Result<SpanId, Fault> {
    segment(params, "span")
        .and_then(|text| SpanId::from_text(text).ok())
        .ok_or_else(|| Fault::not_found("there is no span of this id"))
}

/// The text of a segment of the path.
pub(crate) fn segment<'p>(params: &'p RawPathParams, name: &str) -> Option<&'p str> {
    params
        .iter()
        .find(|(key, _)| *key == name)
        .map(|(_, value)| urls::unescaped(value))
}
