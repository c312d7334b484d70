//! Builds every URL. Templates and handlers hold no path of their own.

use domain::media::MediaId;
use domain::{
    ApiKeyId, GpuPriceId, ObjectiveId, PriceId, ProjectId, QualityRuleId, RepriceId, SpanId,
    TraceId,
};

use crate::pages::correlation::query::CorrelationQuery;
use crate::pages::traces::query::ListQuery;

/// Incidents, alert rules, channels, topology.
mod alerts;
/// Datasets, items, runs.
mod datasets;

pub(crate) use alerts::*;
pub(crate) use datasets::*;
/// Facets, saved views, files and jobs of the list of traces.
mod lists;

pub(crate) use lists::*;
/// Comments, and those that name the reader.
mod comments;

pub(crate) use comments::*;
/// Sessions, users, costs and caches.
mod usage;

pub(crate) use usage::*;
/// Dashboards and their widgets.
mod dashboards;

pub(crate) use dashboards::*;
/// Evaluators.
mod evaluators;

pub(crate) use evaluators::*;
/// Annotation queues, what scores may be.
mod queues;

pub(crate) use queues::*;
/// What the server reaches out to: targets of scrapes, providers of models.
mod connections;

pub(crate) use connections::*;
/// Users who are forgotten.
mod compliance;

pub(crate) use compliance::*;
/// The playground.
mod playground;

pub(crate) use playground::*;
/// Prompts.
mod prompts;

pub(crate) use prompts::*;
/// Signing in, one's own account, members.
mod people;

pub(crate) use people::*;
/// Texts as segments of paths.
mod segments;

pub(crate) use segments::unescaped;
use segments::{is_dots, segment};

/// The way in.
pub(crate) const HOME: &str = "/";
/// Signing in.
pub(crate) const SIGN_IN: &str = "/sign-in";
/// Signing out.
pub(crate) const SIGN_OUT: &str = "/sign-out";
/// Every part of the pages, for development.
#[cfg(debug_assertions)]
pub(crate) const GALLERY: &str = "/gallery";
/// Language, theme, time zone.
pub(crate) const PREFERENCES: &str = "/preferences";

/// Sets one preference and comes back.
pub(crate) fn preference(name: &str, value: &str, back: &str) -> String {
    with_pairs(PREFERENCES, &[(name, value), ("back", back)])
}

/// An asset, under a name that changes with its content.
pub(crate) fn asset(path: &str) -> String {
    format!("/assets/{}/{path}", crate::assets::version())
}

/// The four rows.
pub(crate) fn overview(project: ProjectId, query: &ListQuery) -> String {
    with_query(overview_home(project), &query.to_query())
}

/// The four rows as they open.
pub(crate) fn overview_home(project: ProjectId) -> String {
    format!("/p/{project}/overview")
}

/// The list of traces.
pub(crate) fn traces(project: ProjectId, query: &ListQuery) -> String {
    with_query(format!("/p/{project}/traces"), &query.to_query())
}

/// The list of traces as it opens.
pub(crate) fn traces_home(project: ProjectId) -> String {
    format!("/p/{project}/traces")
}

/// Tells when there are new traces.
pub(crate) fn traces_live(project: ProjectId) -> String {
    format!("/p/{project}/live")
}

/// Deletes several traces.
pub(crate) fn traces_delete(project: ProjectId) -> String {
    format!("/p/{project}/delete")
}

/// The search box of the bar.
pub(crate) fn search(project: ProjectId) -> String {
    format!("/p/{project}/search")
}

/// The way to a trace: that of members, or that of anybody, who sees public traces only.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Door {
    project: ProjectId,
    /// Whether it is that of anybody.
    pub(crate) is_open: bool,
}

impl Door {
    /// That of anybody.
    pub(crate) fn open(project: ProjectId) -> Self {
        Door {
            project,
            is_open: true,
        }
    }

    /// The project, for whoever may see more of it than one trace.
    pub(crate) fn of_members(self) -> Option<ProjectId> {
        (!self.is_open).then_some(self.project)
    }
}

impl From<ProjectId> for Door {
    fn from(project: ProjectId) -> Self {
        Door {
            project,
            is_open: false,
        }
    }
}

/// One trace.
pub(crate) fn trace(door: impl Into<Door>, trace: &TraceId) -> String {
    let Door { project, is_open } = door.into();
    let root = if is_open { "project" } else { "p" };
    format!("/{root}/{project}/traces/{}", segment(trace.as_str()))
}

/// Makes a trace public, or private.
pub(crate) fn trace_publish(project: ProjectId, trace_id: &TraceId) -> String {
    format!("{}/public", trace(project, trace_id))
}

/// A trace with a span chosen.
pub(crate) fn trace_span(door: impl Into<Door>, trace_id: &TraceId, span: &SpanId) -> String {
    with_pairs(&trace(door, trace_id), &[("span", span.as_str())])
}

/// A trace with a span chosen and one of its tabs open.
pub(crate) fn trace_span_tab(
    door: impl Into<Door>,
    trace_id: &TraceId,
    span: &SpanId,
    tab: &str,
) -> String {
    with_pairs(
        &trace(door, trace_id),
        &[("span", span.as_str()), ("tab", tab)],
    )
}

/// A trace with a tab of its root.
pub(crate) fn trace_tab(door: impl Into<Door>, trace_id: &TraceId, tab: &str) -> String {
    with_pairs(&trace(door, trace_id), &[("tab", tab)])
}

/// Rows of the tree.
pub(crate) fn trace_rows_home(door: impl Into<Door>, trace_id: &TraceId) -> String {
    format!("{}/rows", trace(door, trace_id))
}

/// Deletes one trace.
pub(crate) fn trace_delete(project: ProjectId, trace_id: &TraceId) -> String {
    format!("{}/delete", trace(project, trace_id))
}

/// Input or output of a span, as sent, for download.
pub(crate) fn span_content(
    door: impl Into<Door>,
    trace_id: &TraceId,
    span: &SpanId,
    which: &str,
) -> String {
    let span = segment(span.as_str());
    format!("{}/spans/{span}/{which}", trace(door, trace_id))
}

/// An attachment.
pub(crate) fn media(project: ProjectId, media: &MediaId) -> String {
    format!("/p/{project}/media/{media}")
}

/// An attachment that a public trace names.
pub(crate) fn public_media(project: ProjectId, trace_id: &TraceId, media: &MediaId) -> String {
    format!("{}/media/{media}", trace(Door::open(project), trace_id))
}

/// The bytes of an attachment, for whoever has the token.
pub(crate) fn media_bytes(token: &str) -> String {
    format!("/api/media/{token}")
}

/// A page of a list that begins elsewhere.
pub(crate) fn after(list: &str, place: &[(&str, &str)]) -> String {
    and(list, place)
}

/// An address with more pairs in its query.
pub(crate) fn and(url: &str, pairs: &[(&str, &str)]) -> String {
    if pairs.is_empty() {
        return url.to_owned();
    }
    let mut query = form_urlencoded::Serializer::new(String::new());
    query.extend_pairs(pairs);
    let sign = if url.contains('?') { '&' } else { '?' };
    format!("{url}{sign}{}", query.finish())
}

/// Goodput and GPUs, over a range.
pub(crate) fn serving(project: ProjectId, query: &ListQuery) -> String {
    with_query(serving_home(project), &query.to_query())
}

/// Goodput and GPUs as they open.
pub(crate) fn serving_home(project: ProjectId) -> String {
    format!("/p/{project}/serving")
}

/// The three axes on one clock.
pub(crate) fn correlation(project: ProjectId, query: &CorrelationQuery) -> String {
    with_query(correlation_home(project), &query.to_query())
}

/// The three axes as they open.
pub(crate) fn correlation_home(project: ProjectId) -> String {
    format!("/p/{project}/correlation")
}

/// Why a window was bad, as a part of the page.
pub(crate) fn correlation_why(project: ProjectId, query: &CorrelationQuery) -> String {
    let path = format!("{}/why", correlation_home(project));
    with_query(path, &query.to_query())
}

/// From a bin of a joint plot to its traces.
pub(crate) fn correlation_traces(project: ProjectId, pairs: &[(&str, String)]) -> String {
    let pairs: Vec<(&str, &str)> = pairs
        .iter()
        .map(|(name, value)| (*name, value.as_str()))
        .collect();
    with_pairs(&format!("{}/traces", correlation_home(project)), &pairs)
}

/// The axes of a generation of a trace.
pub(crate) fn trace_axes(project: ProjectId, trace_id: &TraceId, span: Option<&SpanId>) -> String {
    let path = format!("{}/axes", trace(project, trace_id));
    match span {
        Some(span) => with_pairs(&path, &[("span", span.as_str())]),
        None => path,
    }
}

/// The same with what is usual at this hour of other days.
pub(crate) fn trace_axes_hourly(project: ProjectId, trace_id: &TraceId, span: &SpanId) -> String {
    let path = format!("{}/axes", trace(project, trace_id));
    with_pairs(&path, &[("span", span.as_str()), ("hour", "1")])
}

/// Agents, tools and steps of a trace as a graph.
pub(crate) fn trace_graph(project: ProjectId, trace_id: &TraceId) -> String {
    format!("{}/graph", trace(project, trace_id))
}

/// Settings of a project.
pub(crate) fn settings(project: ProjectId) -> String {
    format!("/p/{project}/settings")
}

/// Has a project show public traces to anybody, or not.
pub(crate) fn public_links(project: ProjectId) -> String {
    format!("/p/{project}/settings/public-links")
}

/// Has labels of prompts be moved by few.
pub(crate) fn protected_labels(project: ProjectId) -> String {
    format!("/p/{project}/settings/protected-labels")
}

/// Renames a project.
pub(crate) fn project_rename(project: ProjectId) -> String {
    format!("/p/{project}/settings/name")
}

/// Makes another project beside this one.
pub(crate) fn project_create(project: ProjectId) -> String {
    format!("/p/{project}/settings/projects")
}

/// API keys of a project.
pub(crate) fn api_keys(project: ProjectId) -> String {
    format!("/p/{project}/settings/keys")
}

/// Revokes a key.
pub(crate) fn api_key_revoke(project: ProjectId, key: ApiKeyId) -> String {
    format!("/p/{project}/settings/keys/{key}/revoke")
}

/// Prices of models.
pub(crate) fn prices(project: ProjectId) -> String {
    format!("/p/{project}/settings/prices")
}

/// Prices of models, about to set one for a model.
pub(crate) fn price_of_model(project: ProjectId, model: &str) -> String {
    with_pairs(&prices(project), &[("model", model)])
}

/// Prices of models, about to change one.
pub(crate) fn price_edit(project: ProjectId, price: PriceId) -> String {
    with_pairs(&prices(project), &[("price", &price.to_string())])
}

/// Changes a price.
pub(crate) fn price(project: ProjectId, price: PriceId) -> String {
    format!("{}/{price}", prices(project))
}

/// Deletes a price.
pub(crate) fn price_delete(project: ProjectId, price: PriceId) -> String {
    format!("{}/{price}/delete", prices(project))
}

/// Prices of GPUs.
pub(crate) fn gpu_prices(project: ProjectId) -> String {
    format!("/p/{project}/settings/gpu-prices")
}

/// Deletes a price of GPUs.
pub(crate) fn gpu_price_delete(project: ProjectId, price: GpuPriceId) -> String {
    format!("{}/{price}/delete", gpu_prices(project))
}

/// What is expected of models.
pub(crate) fn expectations(project: ProjectId) -> String {
    format!("/p/{project}/settings/expectations")
}

/// How soon answers should come.
pub(crate) fn objectives(project: ProjectId) -> String {
    format!("/p/{project}/settings/objectives")
}

/// Deletes an objective.
pub(crate) fn objective_delete(project: ProjectId, objective: ObjectiveId) -> String {
    format!("{}/{objective}/delete", objectives(project))
}

/// What answers should be.
pub(crate) fn quality_rules(project: ProjectId) -> String {
    format!("/p/{project}/settings/quality-rules")
}

/// Deletes a rule.
pub(crate) fn quality_rule_delete(project: ProjectId, rule: QualityRuleId) -> String {
    format!("{}/{rule}/delete", quality_rules(project))
}

/// Has costs of the past computed anew.
pub(crate) fn reprice(project: ProjectId) -> String {
    format!("/p/{project}/settings/reprice")
}

/// Prices of models, and how far a repricing is.
pub(crate) fn repricing(project: ProjectId, reprice: RepriceId) -> String {
    with_pairs(&prices(project), &[("repricing", &reprice.to_string())])
}

/// A path of this server to come back to, or the way in when it is none: an address of another
/// host is never followed.
pub(crate) fn local(path: &str) -> &str {
    let stays = path.starts_with('/')
        && !path.starts_with("//")
        && !path.contains(|letter: char| letter == '\\' || letter.is_control());
    if stays { path } else { HOME }
}

fn with_pairs(path: &str, pairs: &[(&str, &str)]) -> String {
    let mut query = form_urlencoded::Serializer::new(String::new());
    query.extend_pairs(pairs);
    with_query(path.to_owned(), &query.finish())
}

fn with_query(path: String, query: &str) -> String {
    if query.is_empty() {
        path
    } else {
        format!("{path}?{query}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_id_is_one_segment() {
        let project: ProjectId = "0197f2c8-0000-7000-8000-000000000001".parse().unwrap();
        let id = TraceId::from_text("team/7#a?b=c&d %2F é").unwrap();
        let url = trace(project, &id);
        assert!(
            url.ends_with("/traces/team%2F7%23a%3Fb%3Dc%26d%20%252F%20%C3%A9"),
            "{url}"
        );
    }

    #[test]
    fn only_paths_of_this_server_are_come_back_to() {
        for wrong in [
            "https://evil.invalid",
            "//evil.invalid",
            "/\\evil.invalid",
            "javascript:1",
            "",
        ] {
            assert_eq!(local(wrong), HOME, "{wrong}");
        }
        assert_eq!(local("/p/1/traces?q=a"), "/p/1/traces?q=a");
    }
}
