//! One trace: tree and waterfall, and the chosen span beside them.

use askama::Template;
use axum::extract::{RawPathParams, State};
use domain::annotation::ObjectKind;
use domain::media::MediaId;
use domain::score::Judgements;
use domain::span::SpanKind;
use domain::tenancy::Permission;
use domain::trace::TraceView;
use domain::{Fault, Span, SpanId, Timestamp, TraceId};
use http::HeaderMap;
use service::{App, media, public_links, scores, spans, traces};

use super::drawing::Drawing;
use super::facts::{Fact, facts};
use super::rows::{Block, block};
use super::sight::Sight;
use super::survey::Survey;
use super::trace_id;
use super::wanted::{KEPT, Wanted, changed};
use crate::content::attachments::{Attachments, named};
use crate::extract::{InProject, Pairs};
use crate::format;
use crate::layout::{Frame, Section, Shell};
use crate::pages::spans::comments::{Remarks, remarks};
use crate::pages::spans::diff::other;
use crate::pages::spans::panel::{Panel, Subject};
use crate::pages::{Answer, fragment_target, render};
use crate::urls::{self, Door};

/// One trace.
#[derive(Template)]
#[template(path = "traces/show.html")]
pub(crate) struct ShowPage {
    pub(crate) shell: Shell,
    pub(crate) frame: Frame,
    pub(crate) view: ShowView,
    /// The chosen span.
    pub(crate) panel: Option<Panel>,
}

/// What the page shows of the trace.
pub(crate) struct ShowView {
    pub(crate) id: String,
    pub(crate) name: String,
    pub(crate) list_url: String,
    pub(crate) failed: bool,
    pub(crate) newer_url: String,
    pub(crate) older_url: String,
    pub(crate) facts: Vec<Fact>,
    /// Its agents and steps; empty where they are not shown.
    pub(crate) graph_url: String,
    /// The axes of its generations; empty where it has none, or where they are not shown.
    pub(crate) axes_url: String,
    pub(crate) block: Block,
    /// Where other rows come from.
    pub(crate) rows_url: String,
    /// `19 of 30 rows`.
    pub(crate) extent: String,
    pub(crate) survey: Survey,
    /// What the search keeps of the address.
    pub(crate) keep: Vec<(&'static str, String)>,
    pub(crate) search: String,
    pub(crate) here: String,
    pub(crate) delete_url: String,
    pub(crate) may_delete: bool,
    /// Puts it into a queue to be judged; empty for whoever may not.
    pub(crate) queue_url: String,
    /// How it is shared; `None` where that is not told.
    pub(crate) sharing: Option<Sharing>,
}

/// Whether anybody may see it, and where that is changed.
pub(crate) struct Sharing {
    pub(crate) is_public: bool,
    /// Where anybody sees it.
    pub(crate) address: String,
    /// Empty for whoever may not change it.
    pub(crate) url: String,
}

/// Neighbours in the list: the newer one and the older one.
type Neighbours = (Option<TraceId>, Option<TraceId>);

/// The panel alone, when another span is chosen.
#[derive(Template)]
#[template(path = "traces/panel.html")]
pub(super) struct PanelPage {
    pub(super) shell: Shell,
    pub(super) panel: Option<Panel>,
}

/// Shows it; htmx asks for the panel alone when another span is chosen, which does not need the
/// tree.
pub(crate) async fn show_trace(
    State(app): State<App>,
    entered: InProject,
    params: RawPathParams,
    headers: HeaderMap,
    pairs: Pairs,
) -> Answer {
    let trace_id = trace_id(&params)?;
    if fragment_target(&headers) == Some("panel") && pairs.filled("span").is_some() {
        return show_panel(&app, &entered, &trace_id, &pairs).await;
    }
    let missing = || Fault::not_found("there is no trace of this id in this project");
    let trace = traces::open(&app, &entered.scope, &trace_id)
        .await?
        .ok_or_else(missing)?;
    let wanted = chosen(&trace, &pairs)?;
    let (span, judgements, neighbours, sharing) = tokio::join!(
        spans::first_with_content(&app, &entered.scope, &trace_id, &wanted),
        scores::of_traces(&app, &entered.scope, std::slice::from_ref(&trace_id)),
        traces::neighbours(&app, &entered.scope, &trace.summary),
        sharing(&app, &entered, &trace_id),
    );
    let now = app.clock().now();
    let (span, judgements) = (span?, judgements?);
    let span_id = span.as_ref().map(|span| span.span_id.clone());
    let (attachments, said) = match &span {
        Some(span) => beside(&app, &entered, span).await?,
        None => (Attachments::default(), Remarks::default()),
    };
    let other = other(&app, &entered, &trace_id, &pairs).await?;
    let panel = span.map(|span| {
        let subject = Subject {
            span: &span,
            judgements: &judgements,
            attachments: &attachments,
            remarks: Some((&entered.reader, &said)),
            other: &other,
        };
        Panel::new(
            (&entered.reader).into(),
            &subject,
            &pairs,
            (now, app.catalogue()),
        )
    });
    let mut frame = Frame::new(&entered.reader, Section::Traces);
    frame.rail = true;
    let selected = span_id.map(|id| id.to_string());
    let mut view = ShowView::new(
        (&entered.reader).into(),
        (&*trace, &judgements, neighbours?),
        (selected, &pairs),
        now,
    )?;
    view.may_delete = entered.reader.may(Permission::ChangeTelemetry);
    if entered.reader.may(Permission::ManageQueues) {
        view.queue_url = urls::queue_add_one(entered.id(), ObjectKind::Trace, trace_id.as_str());
    }
    view.sharing = sharing?;
    Ok(render(&ShowPage {
        shell: Frame::shell(&entered.reader),
        frame,
        view,
        panel,
    }))
}

async fn show_panel(app: &App, entered: &InProject, trace_id: &TraceId, pairs: &Pairs) -> Answer {
    let missing = || Fault::not_found("there is no span of this id in this trace");
    let text = pairs.filled("span").unwrap_or_default();
    let span_id = SpanId::from_text(text).map_err(|_| missing())?;
    let (span, judgements) = tokio::join!(
        spans::show(app, &entered.scope, trace_id, &span_id),
        scores::of_traces(app, &entered.scope, std::slice::from_ref(trace_id)),
    );
    let span = span?.ok_or_else(missing)?;
    let (attachments, said) = beside(app, entered, &span).await?;
    let subject = Subject {
        span: &span,
        judgements: &judgements?,
        attachments: &attachments,
        remarks: Some((&entered.reader, &said)),
        other: &other(app, entered, trace_id, pairs).await?,
    };
    let panel = Panel::new(
        (&entered.reader).into(),
        &subject,
        pairs,
        (app.clock().now(), app.catalogue()),
    );
    Ok(render(&PanelPage {
        shell: Frame::shell(&entered.reader),
        panel: Some(panel),
    }))
}

/// How a trace is shared; `None` where the project shows none to anybody.
async fn sharing(
    app: &App,
    entered: &InProject,
    trace_id: &TraceId,
) -> Result<Option<Sharing>, Fault> {
    if !public_links::allowed(app, &entered.scope).await? {
        return Ok(None);
    }
    let id = entered.id();
    let path = urls::trace(Door::open(id), trace_id);
    Ok(Some(Sharing {
        is_public: public_links::is_public(app, &entered.scope, trace_id).await?,
        address: format!("{}{path}", app.settings().public_url),
        url: match entered.reader.may(Permission::ChangeTelemetry) {
            true => urls::trace_publish(id, trace_id),
            false => String::new(),
        },
    }))
}

/// What belongs to a span and is kept elsewhere.
async fn beside(
    app: &App,
    entered: &InProject,
    span: &Span,
) -> Result<(Attachments, Remarks), Fault> {
    tokio::try_join!(
        attachments(app, entered, span),
        remarks(app, entered, (&span.trace_id, &span.span_id)),
    )
}

/// The attachments that a span names and whose bytes are here.
async fn attachments(app: &App, entered: &InProject, span: &Span) -> Result<Attachments, Fault> {
    let ids = named(span);
    let ids: Vec<&MediaId> = ids.iter().collect();
    let here = media::some(app, &entered.scope, &ids).await?;
    Ok(Attachments::new(entered.reader.id(), here))
}

/// Spans that are asked for content before the first one is shown without any.
const ASKED: usize = 6;

/// The span of the address; else the first one and, should it say nothing, those that might: calls of
/// a model before others.
pub(super) fn chosen(trace: &TraceView, pairs: &Pairs) -> Result<Vec<SpanId>, Fault> {
    let rows = &trace.tree.rows;
    if let Some(text) = pairs.filled("span") {
        let missing = || Fault::not_found("there is no span of this id in this trace");
        let id = SpanId::from_text(text).map_err(|_| missing())?;
        trace.tree.position(&id).ok_or_else(missing)?;
        return Ok(vec![id]);
    }
    let rest = rows.iter().skip(1).map(|row| &row.span);
    let (calls, others): (Vec<_>, Vec<_>) =
        rest.partition(|span| span.kind == SpanKind::Generation);
    let first = rows.first().map(|row| &row.span);
    let asked = first.into_iter().chain(calls).chain(others).take(ASKED);
    Ok(asked.map(|span| span.span_id.clone()).collect())
}

impl ShowView {
    /// Prepares everything for the template.
    pub(crate) fn new(
        sight: Sight<'_>,
        (trace, judgements, neighbours): (&TraceView, &Judgements, Neighbours),
        (selected, pairs): (Option<String>, &Pairs),
        now: Timestamp,
    ) -> Result<Self, Fault> {
        let (door, lang) = (sight.door, sight.lang());
        let summary = &trace.summary;
        let mut wanted = Wanted::read(pairs)?;
        // What nobody chose is selected where it stands, and brings nothing into view.
        wanted.reach = pairs.filled("span").map(str::to_owned);
        wanted.selected = selected;
        let drawing = Drawing::new(trace, &wanted);
        let rows = block((door, lang), &drawing, &wanted, pairs);
        let here = urls::trace(door, &summary.trace_id);
        let all = format::count(trace.tree.rows.len() as u64);
        let extent = lang.fill(
            "{} rows of {} spans",
            &[&format::count(rows.total as u64), &all],
        );
        let url = |neighbour: Option<TraceId>| {
            neighbour.map_or(String::new(), |other| urls::trace(door, &other))
        };
        Ok(ShowView {
            id: summary.trace_id.to_string(),
            name: if summary.name.is_empty() {
                lang.t("(no name)").to_owned()
            } else {
                summary.name.clone()
            },
            list_url: door
                .of_members()
                .map_or_else(String::new, urls::traces_home),
            failed: summary.error_count > 0,
            newer_url: url(neighbours.0),
            older_url: url(neighbours.1),
            facts: facts(sight, summary, judgements, now),
            graph_url: door.of_members().map_or_else(String::new, |project| {
                urls::trace_graph(project, &summary.trace_id)
            }),
            axes_url: match door.of_members() {
                Some(project) if has_generation(trace) => {
                    urls::trace_axes(project, &summary.trace_id, None)
                }
                _ => String::new(),
            },
            block: rows,
            rows_url: changed(
                &urls::trace_rows_home(door, &summary.trace_id),
                pairs,
                &[("span", ""), ("tab", "")],
            ),
            extent,
            survey: Survey::new(&drawing, &wanted, (&here, pairs), lang),
            keep: kept_by_search(pairs),
            search: pairs.get("in").unwrap_or_default().to_owned(),
            here,
            delete_url: door.of_members().map_or_else(String::new, |project| {
                urls::trace_delete(project, &summary.trace_id)
            }),
            may_delete: false,
            queue_url: String::new(),
            sharing: None,
        })
    }
}

fn kept_by_search(pairs: &Pairs) -> Vec<(&'static str, String)> {
    let kept = KEPT.into_iter().filter(|name| *name != "in");
    kept.filter_map(|name| Some((name, pairs.filled(name)?.to_owned())))
        .collect()
}

fn has_generation(trace: &TraceView) -> bool {
    let mut rows = trace.tree.rows.iter();
    rows.any(|row| row.span.kind == SpanKind::Generation)
}
