//! What is done to many traces at once: asked for in the list, followed on a page of its own.

use askama::Template;
use axum::extract::{RawPathParams, State};
use domain::bulk::{BulkAction, BulkJob, BulkState};
use domain::filter::{Column, Condition, Filter, Operator};
use domain::{BulkJobId, Fault};
use http::HeaderMap;
use service::{App, bulk};

use crate::extract::{InProject, Pairs, Posted, Reader};
use crate::format;
use crate::i18n::{Lang, text};
use crate::layout::{Frame, Section, Shell};
use crate::pages::traces::query::ListQuery;
use crate::pages::traces::segment;
use crate::pages::{Answer, fragment_target, html, no_such_page, render, see_other};
use crate::urls;

/// Most traces that are chosen one by one; a page holds fewer.
const MOST_CHOSEN: usize = 1000;

/// Jobs of the project.
#[derive(Template)]
#[template(path = "jobs/list.html")]
pub(crate) struct JobsPage {
    pub(crate) shell: Shell,
    pub(crate) frame: Frame,
    pub(crate) jobs: Vec<JobRow>,
}

/// How far a job is.
#[derive(Template)]
#[template(path = "jobs/show.html", blocks = ["job"])]
pub(crate) struct JobPage {
    pub(crate) shell: Shell,
    pub(crate) frame: Frame,
    pub(crate) job: JobRow,
    /// All of the project.
    pub(crate) jobs_url: String,
}

/// A job in words.
pub(crate) struct JobRow {
    /// What is done.
    pub(crate) title: String,
    /// `12,400 of 19,310 traces`.
    pub(crate) counts: String,
    /// What could not be done; empty where there is nothing.
    pub(crate) skipped: String,
    /// Hundredths of the way.
    pub(crate) width: String,
    /// How it stands.
    pub(crate) state: &'static str,
    pub(crate) is_running: bool,
    pub(crate) has_failed: bool,
    /// Why it was given up; empty where it was not.
    pub(crate) fault: String,
    pub(crate) started: String,
    pub(crate) url: String,
    pub(crate) cancel_url: String,
}

impl JobRow {
    pub(crate) fn new(reader: &Reader, job: &BulkJob) -> Self {
        let (lang, id) = (reader.lang(), reader.id());
        let total = job.total.unwrap_or(0).max(job.done);
        let share = match job.state {
            BulkState::Done => 100.0,
            _ => job.done as f64 / total.max(1) as f64 * 100.0,
        };
        let counts = [format::count(job.done), format::count(total)];
        JobRow {
            title: title(lang, &job.action),
            counts: match job.total {
                None => lang.t("counting").to_owned(),
                Some(_) => lang.fill("{} of {} traces", &[&counts[0], &counts[1]]),
            },
            skipped: match job.skipped {
                0 => String::new(),
                many => lang.fill("{} left out", &[&format::count(many)]),
            },
            width: format::trimmed(share, 1),
            state: lang.t(state(job.state)),
            is_running: job.state == BulkState::Running,
            has_failed: job.state == BulkState::Failed,
            fault: job.fault.clone().unwrap_or_default(),
            started: reader.zone().exact(job.created_at),
            url: urls::job(id, job.id),
            cancel_url: urls::job_cancel(id, job.id),
        }
    }
}

fn title(lang: Lang, action: &BulkAction) -> String {
    match action {
        BulkAction::Delete => lang.t("Delete traces").to_owned(),
        BulkAction::AddToDataset(name) => lang.fill("Add traces to {}", &[name]),
    }
}

fn state(state: BulkState) -> &'static str {
    match state {
        BulkState::Running => text!("under way"),
        BulkState::Done => text!("done"),
        BulkState::Cancelled => text!("cancelled"),
        BulkState::Failed => text!("given up"),
    }
}

/// Lists them.
pub(crate) async fn list_jobs(State(app): State<App>, entered: InProject) -> Answer {
    let jobs = bulk::list(&app, &entered.scope).await?;
    let reader = &entered.reader;
    Ok(render(&JobsPage {
        shell: Frame::shell(reader),
        frame: Frame::new(reader, Section::Traces),
        jobs: jobs.iter().map(|job| JobRow::new(reader, job)).collect(),
    }))
}

/// Shows one; what is asked for again and again while it runs is its part alone.
pub(crate) async fn show_job(
    State(app): State<App>,
    entered: InProject,
    headers: HeaderMap,
    params: RawPathParams,
) -> Answer {
    let job = bulk::show(&app, &entered.scope, job_id(&params)?).await?;
    let reader = &entered.reader;
    let page = JobPage {
        shell: Frame::shell(reader),
        frame: Frame::new(reader, Section::Traces),
        job: JobRow::new(reader, &job),
        jobs_url: urls::jobs(entered.id()),
    };
    Ok(match fragment_target(&headers) {
        Some(_) => html(page.as_job().render()),
        None => render(&page),
    })
}

/// Asks for one, and shows it.
pub(crate) async fn create_job(
    State(app): State<App>,
    entered: InProject,
    Posted(pairs): Posted,
) -> Answer {
    let action = match pairs.get("action") {
        Some("delete") => BulkAction::Delete,
        Some("dataset") => {
            BulkAction::AddToDataset(pairs.get("dataset").unwrap_or_default().to_owned())
        }
        _ => return Err(no_such_page().into()),
    };
    let filter = match pairs.get("query") {
        Some(query) => of_list(&app, &entered, query)?,
        None => of_chosen(&pairs)?,
    };
    let job = bulk::create(&app, &entered.scope, action, filter).await?;
    Ok(see_other(&urls::job(entered.id(), job.id)))
}

fn of_list(app: &App, entered: &InProject, query: &str) -> Result<Filter, Fault> {
    let pairs = Pairs::parse(query.as_bytes());
    let read = ListQuery::read(&pairs, entered.reader.zone())?;
    match read.search_error {
        Some(error) => Err(Fault::invalid(error.to_string()).on_field("q")),
        None => Ok(read.query.filter(app.clock().now())),
    }
}

fn of_chosen(pairs: &Pairs) -> Result<Filter, Fault> {
    let ids: Vec<String> = pairs.all("id").map(str::to_owned).collect();
    if ids.is_empty() || ids.len() > MOST_CHOSEN {
        let message = format!("choose 1 to {MOST_CHOSEN} traces");
        return Err(Fault::invalid(message));
    }
    Ok(Filter {
        conditions: vec![Condition {
            column: Column::TraceId,
            operator: Operator::AnyOf,
            values: ids,
        }],
        ..Filter::default()
    })
}

/// Stops one, and shows it.
pub(crate) async fn cancel_job(
    State(app): State<App>,
    entered: InProject,
    params: RawPathParams,
    _: Posted,
) -> Answer {
    let id = job_id(&params)?;
    bulk::cancel(&app, &entered.scope, id).await?;
    Ok(see_other(&urls::job(entered.id(), id)))
}

fn job_id(params: &RawPathParams) -> Result<BulkJobId, Fault> {
    let id = segment(params, "job").and_then(|id| id.parse().ok());
    id.ok_or_else(no_such_page)
}
