//! One trace: tree and waterfall, and the chosen span beside them.

use askama::Template;
use axum::extract::{RawPathParams, State};
use domain::annotation::ObjectKind;
use domain::media::MediaId;
use domain::score::Judgements;
use domain::span::SpanKind;
use domain::tenancy::Permission;
use domain::trace::{TraceSummary, TraceView};
use domain::{Fault, Span, SpanId, Timestamp, TraceId};
use http::HeaderMap;
use service::{App, media, public_links, scores, spans, traces};

use super::query::ListQuery;
use super::rows::{Block, Wanted, block};
use super::sight::Sight;
use super::trace_id;
use super::window::BLOCK;
use crate::content::attachments::{Attachments, named};
use crate::extract::{InProject, Pairs};
use crate::format;
use crate::i18n::Lang;
use crate::layout::{Frame, Section, Shell};
use crate::pages::spans::panel::{Panel, Subject};
use crate::pages::spans::scores::in_a_line;
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
    /// The axes of its generations; empty where it has none, or where they are not shown.
    pub(crate) axes_url: String,
    pub(crate) block: Block,
    /// Where more rows come from, of a trace that is not loaded whole.
    pub(crate) rows_url: String,
    /// `Rows 1–250 of 10,000`.
    pub(crate) extent: String,
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

/// A word about the trace with its value.
pub(crate) struct Fact {
    pub(crate) label: &'static str,
    pub(crate) value: String,
    pub(crate) exact: String,
    pub(crate) url: String,
    pub(crate) mono: bool,
    pub(crate) strong: bool,
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
    let attachments = match &span {
        Some(span) => attachments(&app, &entered, span).await?,
        None => Attachments::default(),
    };
    let panel = span.map(|span| {
        let subject = Subject {
            span: &span,
            judgements: &judgements,
            attachments: &attachments,
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
        (&trace, &judgements, neighbours?),
        (selected, &pairs),
        now,
    )?;
    view.may_delete = entered.reader.may(Permission::ChangeTelemetry);
    if entered.reader.may(Permission::Annotate) {
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
    let subject = Subject {
        span: &span,
        judgements: &judgements?,
        attachments: &attachments(app, entered, &span).await?,
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
        wanted.reach.clone_from(&selected);
        wanted.selected = selected;
        let rows = block(door, trace, &wanted, lang);
        let all = trace.tree.rows.len();
        let extent = if wanted.text.is_some() || rows.rows.len() == all {
            lang.fill(
                "{} of {} rows",
                &[
                    &format::count(rows.rows.len() as u64),
                    &format::count(all as u64),
                ],
            )
        } else {
            lang.fill(
                "{} rows, loaded {} at a time",
                &[&format::count(all as u64), &BLOCK.to_string()],
            )
        };
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
            axes_url: match door.of_members() {
                Some(project) if has_generation(trace) => {
                    urls::trace_axes(project, &summary.trace_id, None)
                }
                _ => String::new(),
            },
            block: rows,
            rows_url: if all > BLOCK {
                urls::trace_rows_home(door, &summary.trace_id)
            } else {
                String::new()
            },
            extent,
            search: pairs.get("in").unwrap_or_default().to_owned(),
            here: urls::trace(door, &summary.trace_id),
            delete_url: door.of_members().map_or_else(String::new, |project| {
                urls::trace_delete(project, &summary.trace_id)
            }),
            may_delete: false,
            queue_url: String::new(),
            sharing: None,
        })
    }
}

fn has_generation(trace: &TraceView) -> bool {
    let mut rows = trace.tree.rows.iter();
    rows.any(|row| row.span.kind == SpanKind::Generation)
}

/// What is said of a trace below its name.
pub(super) fn facts(
    sight: Sight<'_>,
    trace: &TraceSummary,
    judgements: &Judgements,
    now: Timestamp,
) -> Vec<Fact> {
    let (door, lang) = (sight.door, sight.lang());
    let zone = sight.zone();
    let mut facts = Vec::new();
    let started = format!(
        "{} {}",
        zone.date_time(trace.start, now),
        zone.offset(trace.start)
    );
    facts.push(Fact::new(lang.t("Started"), started).exactly(trace.start.to_string()));
    let latency = format::nanos(trace.latency());
    let mut fact = Fact::new(lang.t("Latency"), latency.text).exactly(latency.exact);
    fact.strong = true;
    facts.push(fact);
    if let Some(tokens) = token_words(trace, lang) {
        facts.push(Fact::new(lang.t("Tokens"), tokens));
    }
    if trace.cost.is_some() {
        let cost = format::dollars(trace.cost);
        facts.push(Fact::new(lang.t("Cost"), cost.text).exactly(cost.exact));
    }
    if trace.unpriced_calls > 0 {
        let calls = format::count(trace.unpriced_calls);
        facts.push(Fact::new(lang.t("Calls without a price"), calls));
    }
    if trace.error_count > 0 {
        facts.push(Fact::new(
            lang.t("Errors"),
            format::count(trace.error_count),
        ));
    }
    if let Some((few, all)) = in_a_line(judgements, &trace.trace_id, lang) {
        facts.push(Fact::new(lang.t("Scores"), few).exactly(all));
    }
    let linked = [
        (lang.t("Session"), &trace.session_id, "session_id"),
        (lang.t("User"), &trace.user_id, "user_id"),
        (lang.t("Tenant"), &trace.tenant, "tenant"),
        (lang.t("Release"), &trace.release, "release"),
    ];
    for (label, value, column) in linked {
        if let Some(value) = value {
            facts.push(Fact::linked(label, value, list_of(door, column, value)));
        }
    }
    if trace.environment != domain::span::DEFAULT_ENVIRONMENT {
        let url = list_of(door, "environment", &trace.environment);
        let mut fact = Fact::linked(lang.t("Environment"), &trace.environment, url);
        fact.mono = false;
        facts.push(fact);
    }
    if !trace.tags.is_empty() {
        let tags = trace.tags.join(", ");
        facts.push(Fact::new(lang.t("Tags"), tags.clone()).exactly(tags));
    }
    if !trace.has_root {
        facts.push(Fact::new(
            lang.t("Root"),
            lang.t("has not come yet").to_owned(),
        ));
    }
    facts
}

fn token_words(trace: &TraceSummary, lang: Lang) -> Option<String> {
    let part = |tokens: Option<u64>| format::count_or_nothing(tokens).text;
    match (trace.input_tokens, trace.output_tokens) {
        (None, None) => None,
        (input, output) => Some(lang.fill("{} in, {} out", &[&part(input), &part(output)])),
    }
}

/// The list narrowed to a value; for members alone.
fn list_of(door: Door, column: &str, value: &str) -> String {
    let Some(project) = door.of_members() else {
        return String::new();
    };
    let pair = format!("{column}:is:{value}");
    let pairs = Pairs(vec![("f".to_owned(), pair)]);
    let query = ListQuery::read(&pairs, &crate::zone::Zone::utc());
    query.map_or(String::new(), |read| urls::traces(project, &read.query))
}

impl Fact {
    fn new(label: &'static str, value: String) -> Self {
        let (exact, url) = (String::new(), String::new());
        Fact {
            label,
            value,
            exact,
            url,
            mono: false,
            strong: false,
        }
    }

    fn linked(label: &'static str, value: &str, url: String) -> Self {
        Fact {
            url,
            mono: true,
            ..Fact::new(label, value.to_owned()).exactly(value.to_owned())
        }
    }

    fn exactly(mut self, exact: String) -> Self {
        self.exact = exact;
        self
    }
}
