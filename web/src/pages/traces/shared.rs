//! A public trace, for anybody who has its address: to be read, and with nothing else in reach. Members are
//! led to the page that they have of it, which is also where clients of Langfuse look for it.

use askama::Template;
use axum::extract::{FromRequestParts, RawPathParams, Request, State};
use axum::response::{IntoResponse, Redirect, Response};
use domain::media::MediaId;
use domain::{Code, Fault, SpanId};
use http::header::{HeaderName, HeaderValue};
use service::public_links::{self, OpenTrace};
use service::{App, external_ids};

use super::drawing::Drawing;
use super::rows::{RowsPage, block};
use super::show::{PanelPage, ShowView, chosen};
use super::wanted::Wanted;
use super::{Sight, segment, trace_id};
use crate::choices::Choices;
use crate::content::attachments::{Attachments, named};
use crate::extract::{InProject, Pairs};
use crate::layout::Shell;
use crate::pages::spans::diff::Other;
use crate::pages::spans::panel::{Panel, Subject};
use crate::pages::{Answer, fragment_target, render, see_other};
use crate::urls::{self, Door};

/// A public trace.
#[derive(Template)]
#[template(path = "traces/shared.html")]
pub(crate) struct SharedPage {
    pub(crate) shell: Shell,
    pub(crate) sign_in_url: String,
    pub(crate) view: ShowView,
    /// The chosen span.
    pub(crate) panel: Option<Panel>,
}

/// No page for anybody who has its address is for search engines.
const ROBOTS: (HeaderName, HeaderValue) = (
    HeaderName::from_static("x-robots-tag"),
    HeaderValue::from_static("noindex, nofollow"),
);

/// Whoever comes to the address of a trace.
enum Guest {
    /// One who may see all of the project.
    Member(Box<InProject>),
    /// Anybody, of a trace that is public.
    Anybody(Box<Seen>),
}

/// What anybody sees, and how.
struct Seen {
    trace: OpenTrace,
    choices: Choices,
    here: String,
}

impl Guest {
    async fn of(app: &App, request: Request) -> Result<Self, Fault> {
        let (mut parts, _) = request.into_parts();
        let missing = || Fault::not_found("there is no trace here that anybody may see");
        let params = RawPathParams::from_request_parts(&mut parts, app).await;
        let params = params.map_err(|_| missing())?;
        if let Ok(entered) = InProject::from_request_parts(&mut parts, app).await {
            return Ok(Guest::Member(Box::new(entered)));
        }
        let project = segment(&params, "project").map(external_ids::project_id);
        let trace = trace_id(&params)?;
        Ok(Guest::Anybody(Box::new(Seen {
            trace: public_links::enter(app, project.ok_or_else(missing)?, trace).await?,
            choices: Choices::read(&parts.headers, parts.uri.query().unwrap_or_default()),
            here: parts
                .uri
                .path_and_query()
                .map_or_else(String::new, ToString::to_string),
        })))
    }
}

impl Seen {
    fn sight(&self) -> Sight<'_> {
        Sight {
            choices: &self.choices,
            door: Door::open(self.trace.project_id()),
        }
    }

    fn shell(&self) -> Shell {
        Shell::new(&self.choices, "", &self.here)
    }
}

/// Shows it.
pub(crate) async fn show_shared(
    State(app): State<App>,
    params: RawPathParams,
    pairs: Pairs,
    request: Request,
) -> Answer {
    let fragment = fragment_target(request.headers()) == Some("panel");
    let seen = match Guest::of(&app, request).await? {
        Guest::Member(entered) => {
            return Ok(see_other(&urls::trace(entered.id(), &trace_id(&params)?)));
        }
        Guest::Anybody(seen) => seen,
    };
    if fragment && pairs.filled("span").is_some() {
        return show_panel(&app, &seen, &pairs).await.map(unlisted);
    }
    let trace = seen.trace.open(&app).await?;
    let wanted = chosen(&trace, &pairs)?;
    let (span, judgements) =
        tokio::join!(seen.trace.span(&app, &wanted), seen.trace.judgements(&app));
    let (span, judgements) = (span?, judgements?);
    let now = app.clock().now();
    let selected = span.as_ref().map(|span| span.span_id.to_string());
    let panel = match &span {
        Some(span) => {
            let subject = Subject {
                span,
                judgements: &judgements,
                attachments: &attachments(&app, &seen.trace, span).await?,
                remarks: None,
                other: &Other::NotChosen,
            };
            Some(Panel::new(
                seen.sight(),
                &subject,
                &pairs,
                (now, app.catalogue()),
            ))
        }
        None => None,
    };
    let told = (&*trace, &judgements, (None, None));
    let page = SharedPage {
        view: ShowView::new(seen.sight(), told, (selected, &pairs), now)?,
        sign_in_url: urls::sign_in(&seen.here),
        shell: seen.shell(),
        panel,
    };
    Ok(unlisted(render(&page)))
}

async fn show_panel(app: &App, seen: &Seen, pairs: &Pairs) -> Answer {
    let missing = || Fault::not_found("there is no span of this id in this trace");
    let text = pairs.filled("span").unwrap_or_default();
    let id = SpanId::from_text(text).map_err(|_| missing())?;
    let ids = std::slice::from_ref(&id);
    let (span, judgements) = tokio::join!(seen.trace.span(app, ids), seen.trace.judgements(app));
    let span = span?.ok_or_else(missing)?;
    let subject = Subject {
        span: &span,
        judgements: &judgements?,
        attachments: &attachments(app, &seen.trace, &span).await?,
        remarks: None,
        other: &Other::NotChosen,
    };
    let at = (app.clock().now(), app.catalogue());
    Ok(render(&PanelPage {
        shell: seen.shell(),
        panel: Some(Panel::new(seen.sight(), &subject, pairs, at)),
    }))
}

async fn attachments(
    app: &App,
    trace: &OpenTrace,
    span: &domain::Span,
) -> Result<Attachments, Fault> {
    let ids = named(span);
    let ids: Vec<&MediaId> = ids.iter().collect();
    let here = trace.media(app, &ids).await?;
    Ok(Attachments::new(trace.project_id(), here).of_public(trace.trace_id()))
}

/// Gives a block of rows.
pub(crate) async fn list_shared_rows(
    State(app): State<App>,
    params: RawPathParams,
    pairs: Pairs,
    request: Request,
) -> Answer {
    let seen = match Guest::of(&app, request).await? {
        Guest::Member(entered) => {
            let rows = urls::trace_rows_home(entered.id(), &trace_id(&params)?);
            return Ok(see_other(&rows));
        }
        Guest::Anybody(seen) => seen,
    };
    let trace = seen.trace.open(&app).await?;
    let wanted = Wanted::read(&pairs)?;
    let drawing = Drawing::new(&trace, &wanted);
    let sight = (seen.sight().door, seen.choices.lang);
    let block = block(sight, &drawing, &wanted, &pairs);
    let shell = seen.shell();
    Ok(unlisted(render(&RowsPage { shell, block })))
}

/// Leads to the bytes of an attachment that it names.
pub(crate) async fn show_shared_media(
    State(app): State<App>,
    params: RawPathParams,
    request: Request,
) -> Answer {
    let missing = || Fault::new(Code::NotFound, "this trace names no such attachment");
    let id = segment(&params, "media").and_then(MediaId::from_text);
    let id = id.ok_or_else(missing)?;
    match Guest::of(&app, request).await? {
        Guest::Member(entered) => Ok(see_other(&urls::media(entered.id(), &id))),
        Guest::Anybody(seen) => {
            let found = seen.trace.attachment(&app, &id).await?;
            let to = urls::media_bytes(&found.token);
            Ok(unlisted(Redirect::to(&to).into_response()))
        }
    }
}

/// Keeps search engines away.
pub(crate) fn unlisted(mut response: Response) -> Response {
    let (name, value) = ROBOTS;
    response.headers_mut().insert(name, value);
    response
}
