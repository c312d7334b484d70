//! What people remark on a span and its trace: read in the panel, written and taken back there.

use axum::extract::{RawPathParams, State};
use domain::comment::{CommentDraft, CommentedKind, Piece, Remark, handle, pieces};
use domain::span::SpanKind;
use domain::tenancy::{Permission, Person};
use domain::{CommentId, Fault, Span, SpanId, Timestamp, TraceId};
use service::{App, comments, spans};

use crate::extract::{InProject, Pairs, Posted, Reader};
use crate::pages::traces::{Sight, segment, trace_id};
use crate::pages::{Answer, see_other};
use crate::urls;

/// What is remarked, and who can be mentioned.
#[derive(Default)]
pub(crate) struct Remarks {
    /// Newest first.
    pub(crate) list: Vec<Remark>,
    /// Members of the project.
    pub(crate) people: Vec<Person>,
}

/// The thread.
pub(crate) struct ThreadView {
    pub(crate) groups: Vec<RemarkGroup>,
    /// Where one is written; empty for whoever may not.
    pub(crate) action: String,
    /// The span that it is written on; empty where the trace alone can be.
    pub(crate) span: String,
    /// Who can be mentioned: handle and name.
    pub(crate) people: Vec<(String, String)>,
}

/// Remarks on one thing.
pub(crate) struct RemarkGroup {
    pub(crate) title: &'static str,
    pub(crate) rows: Vec<RemarkRow>,
}

/// One of them.
pub(crate) struct RemarkRow {
    pub(crate) id: String,
    pub(crate) author: String,
    pub(crate) when: String,
    pub(crate) exact: String,
    pub(crate) pieces: Vec<Piece>,
    /// Where it is taken back; empty for whoever did not write it.
    pub(crate) delete_url: String,
}

/// Reads them.
pub(crate) async fn remarks(
    app: &App,
    entered: &InProject,
    (trace_id, span_id): (&TraceId, &SpanId),
) -> Result<Remarks, Fault> {
    let (list, people) = tokio::try_join!(
        comments::thread(app, &entered.scope, (trace_id, span_id)),
        comments::people(app, &entered.scope),
    )?;
    Ok(Remarks { list, people })
}

impl ThreadView {
    /// Prepares it.
    pub(super) fn new(
        (sight, reader): (Sight<'_>, &Reader),
        span: &Span,
        remarks: &Remarks,
        now: Timestamp,
    ) -> Self {
        let lang = sight.lang();
        let id = reader.id();
        let may_write = reader.may(Permission::Annotate);
        let handles: Vec<&str> = remarks.people.iter().map(|p| handle(&p.email)).collect();
        let row = |remark: &Remark| {
            let comment = &remark.comment;
            let is_own = comment.draft.author == Some(reader.visitor.person.id);
            RemarkRow {
                id: comment.id.to_string(),
                author: author(remark, lang.t("a program")),
                when: sight.zone().date_time(comment.created_at, now),
                exact: comment.created_at.to_string(),
                pieces: pieces(&comment.draft.content, &handles),
                delete_url: match is_own && may_write {
                    true => urls::comment_delete(id, (&span.trace_id, &span.span_id), comment.id),
                    false => String::new(),
                },
            }
        };
        let of = |kind: CommentedKind| {
            let all = remarks.list.iter();
            let all = all.filter(|remark| remark.comment.draft.kind == kind);
            all.map(row).collect::<Vec<_>>()
        };
        let groups = [
            RemarkGroup {
                title: lang.t("This span"),
                rows: of(CommentedKind::Observation),
            },
            RemarkGroup {
                title: lang.t("The whole trace"),
                rows: of(CommentedKind::Trace),
            },
        ];
        let groups = groups.into_iter().filter(|group| !group.rows.is_empty());
        let name = |person: &Person| (handle(&person.email).to_owned(), person.name.clone());
        ThreadView {
            groups: groups.collect(),
            action: match may_write {
                true => urls::comments(id, (&span.trace_id, &span.span_id)),
                false => String::new(),
            },
            span: match span.kind {
                SpanKind::Trace => String::new(),
                _ => span.span_id.to_string(),
            },
            people: remarks.people.iter().map(name).collect(),
        }
    }
}

/// Who wrote it, as people say it.
pub(crate) fn author(remark: &Remark, program: &str) -> String {
    let named = remark.author_name.as_ref().filter(|name| !name.is_empty());
    match (named, &remark.author_email) {
        (Some(name), _) => name.clone(),
        (None, Some(email)) => handle(email).to_owned(),
        (None, None) => program.to_owned(),
    }
}

/// Writes one, on the span or on the whole trace.
pub(crate) async fn create_comment(
    State(app): State<App>,
    entered: InProject,
    params: RawPathParams,
    pairs: Pairs,
    Posted(form): Posted,
) -> Answer {
    let trace_id = trace_id(&params)?;
    let on_span = form.filled("on").filter(|on| *on != "trace");
    if let Some(span) = on_span {
        require_span(&app, &entered, &trace_id, span).await?;
    }
    let draft = CommentDraft {
        kind: match on_span {
            Some(_) => CommentedKind::Observation,
            None => CommentedKind::Trace,
        },
        object_id: on_span.unwrap_or(trace_id.as_str()).to_owned(),
        // Forms end lines in two characters.
        content: form
            .get("content")
            .unwrap_or_default()
            .trim()
            .replace("\r\n", "\n"),
        author: Some(entered.reader.visitor.person.id),
    };
    comments::create(&app, &entered.scope, draft).await?;
    Ok(see_other(&back(&entered, &trace_id, &pairs)))
}

/// A comment on a span is shown with its trace: it must be one of it.
async fn require_span(
    app: &App,
    entered: &InProject,
    trace_id: &TraceId,
    span: &str,
) -> Result<(), Fault> {
    let missing = || Fault::not_found("there is no span of this id in this trace");
    let id = SpanId::from_text(span).map_err(|_| missing())?;
    let found = spans::show(app, &entered.scope, trace_id, &id).await?;
    found.map(|_| ()).ok_or_else(missing)
}

/// Takes back one that the reader wrote.
pub(crate) async fn delete_comment(
    State(app): State<App>,
    entered: InProject,
    params: RawPathParams,
    pairs: Pairs,
    Posted(_): Posted,
) -> Answer {
    let trace_id = trace_id(&params)?;
    let missing = || Fault::not_found("you wrote no such comment");
    let id = segment(&params, "comment").and_then(|text| text.parse::<CommentId>().ok());
    comments::delete_own(&app, &entered.scope, id.ok_or_else(missing)?).await?;
    Ok(see_other(&back(&entered, &trace_id, &pairs)))
}

/// The thread of the span that was open.
fn back(entered: &InProject, trace_id: &TraceId, pairs: &Pairs) -> String {
    let span = pairs
        .filled("span")
        .and_then(|text| SpanId::from_text(text).ok());
    match span {
        Some(span) => urls::trace_span_tab(entered.id(), trace_id, &span, "comments"),
        None => urls::trace(entered.id(), trace_id),
    }
}
