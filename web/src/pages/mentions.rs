//! Comments that name the reader.

use askama::Template;
use axum::extract::{RawPathParams, State};
use domain::comment::{CommentedKind, Mention};
use domain::{CommentId, Fault, Timestamp};
use service::App;
use service::mentions::{self, Place};

use super::spans::comments::author;
use super::traces::segment;
use super::{Answer, render, see_other};
use crate::extract::{InProject, Posted, Reader};
use crate::i18n::Lang;
use crate::layout::{Frame, Section, Shell};
use crate::urls;

/// The page.
#[derive(Template)]
#[template(path = "mentions/list.html")]
pub(crate) struct MentionsPage {
    pub(crate) shell: Shell,
    pub(crate) frame: Frame,
    pub(crate) rows: Vec<MentionRow>,
    /// Whether there is any that was not followed.
    pub(crate) any_unread: bool,
    /// Where all are called read.
    pub(crate) read_url: String,
}

/// One of them.
pub(crate) struct MentionRow {
    pub(crate) author: String,
    pub(crate) when: String,
    pub(crate) exact: String,
    /// What it is on.
    pub(crate) kind: &'static str,
    pub(crate) content: String,
    pub(crate) is_read: bool,
    pub(crate) url: String,
}

impl MentionsPage {
    /// Prepares everything for the template.
    pub(crate) fn new(reader: &Reader, all: &[Mention], now: Timestamp) -> Self {
        let row = |mention: &Mention| {
            let comment = &mention.remark.comment;
            MentionRow {
                author: author(&mention.remark, reader.lang().t("a program")),
                when: reader.zone().row_time(comment.created_at, now),
                exact: reader.zone().exact(comment.created_at),
                kind: kind(comment.draft.kind, reader.lang()),
                content: comment.draft.content.clone(),
                is_read: mention.is_read,
                url: urls::mention(reader.id(), comment.id),
            }
        };
        MentionsPage {
            shell: Frame::shell(reader),
            frame: Frame::new(reader, Section::Account),
            rows: all.iter().map(row).collect(),
            any_unread: all.iter().any(|mention| !mention.is_read),
            read_url: urls::mentions(reader.id()),
        }
    }
}

fn kind(kind: CommentedKind, lang: Lang) -> &'static str {
    match kind {
        CommentedKind::Trace => lang.t("Trace"),
        CommentedKind::Observation => lang.t("Span"),
        CommentedKind::Session => lang.t("Session"),
        CommentedKind::Prompt => lang.t("Prompt"),
    }
}

/// Lists them.
pub(crate) async fn list_mentions(State(app): State<App>, entered: InProject) -> Answer {
    let all = mentions::list(&app, &entered.scope).await?;
    let page = MentionsPage::new(&entered.reader, &all, app.clock().now());
    Ok(render(&page))
}

/// Calls all of them read.
pub(crate) async fn read_mentions(State(app): State<App>, entered: InProject, _: Posted) -> Answer {
    mentions::read_all(&app, &entered.scope).await?;
    Ok(see_other(&urls::mentions(entered.id())))
}

/// Leads to the comment, and calls it read.
pub(crate) async fn follow_mention(
    State(app): State<App>,
    entered: InProject,
    params: RawPathParams,
) -> Answer {
    let missing = || Fault::not_found("there is no such comment");
    let id = segment(&params, "comment").and_then(|text| text.parse::<CommentId>().ok());
    let place = mentions::follow(&app, &entered.scope, id.ok_or_else(missing)?).await?;
    let project = entered.id();
    Ok(see_other(&match place {
        Place::Trace(trace) => urls::trace_tab(project, &trace, "comments"),
        Place::Span(trace, span) => urls::trace_span_tab(project, &trace, &span, "comments"),
        Place::Session(session) => urls::session(project, &session),
        Place::Prompt(name, version) => {
            let pairs = [("tab", "comments"), ("version", &*version.to_string())];
            urls::prompt_with(project, &name, &pairs)
        }
    }))
}
