//! Attributions: what a window's symptom comes from.
//!
//! Requests of both windows are read as columns ([`crate::axes`]), each window by itself, so that of many the same ones
//! are taken whatever the other window holds; [`domain::attribution`] decides. A project has one at a time.

/// Incidents that get theirs.
mod attach;
/// What was asked.
mod question;
/// Requests of both windows as rows.
mod rows;
/// An answer for programs.
mod shape;
/// The prompt under suspicion, as the registry knows it.
mod suspect;
/// One at a time.
mod turns;

use std::time::Duration;

use domain::attribution::request::{Request, Unanswerable};
use domain::attribution::{Attribution, attribute};
use domain::filter::Filter;
use domain::prompt::Prefix;
use domain::{Code, Fault};
use tokio::time::{Instant, timeout};

pub(crate) use attach::{ask, run};
pub use question::{Given, Question};
pub use shape::shape;
pub(crate) use turns::Turns;

use crate::app::App;
use crate::axes::{self, Joined};
use crate::scope::ProjectScope;

/// How long an attribution may take, reading included.
const DEADLINE: Duration = Duration::from_secs(10);

/// A question with its answer.
#[derive(Clone, Debug)]
pub struct Answered {
    /// What was asked.
    pub question: Question,
    /// What came of it. The token from which the prompt diverges is filled in where the registry knows both versions.
    pub attribution: Attribution,
    /// How the suspect's text follows that of the version before, where the registry knows both.
    pub prefix: Option<Prefix>,
    /// Whether a window has more requests than were read: of these, those with the smallest hash of the trace id.
    pub is_sample: bool,
    /// How long it took.
    pub took: Duration,
}

/// What a window's symptom comes from. The same requests have the same answer.
///
/// # Errors
/// `unprocessable` where a window has fewer than 30 requests with a value of the symptom; `invalid` where a window has
/// too many samples; `unavailable` or `timeout` when a store is away, another attribution of the project takes its
/// time, or this one takes longer than ten seconds.
pub async fn answer(
    app: &App,
    scope: &ProjectScope,
    question: Question,
) -> Result<Answered, Fault> {
    let turn = app.attributions().turn(scope.project_id()).await?;
    let begun = Instant::now();
    let work = async {
        let (before, alert) = read(app, scope, &question).await?;
        let is_sample = before.requests.is_sample || alert.requests.is_sample;
        let asked = question.clone();
        let decided = tokio::task::spawn_blocking(move || {
            // Given back when the work is over, and not when nobody waits for it any more.
            let _turn = turn;
            let rows = rows::rows(&before.requests, &alert.requests);
            let request = Request {
                windows: asked.windows,
                symptom: asked.symptom(),
                rows,
                requests_considered: None,
                moments: asked.moments,
            };
            let attribution = attribute(&request)?;
            let model = suspect::model(&request.rows, &attribution);
            Ok::<_, Unanswerable>((attribution, model))
        });
        let decided = decided.await.map_err(Fault::internal)?;
        let (mut attribution, model) = decided.map_err(unanswerable)?;
        let prefix = match &mut attribution.prompt {
            Some(suspect) => suspect::diverge(app, scope, suspect, model.as_deref()).await,
            None => None,
        };
        Ok((attribution, prefix, is_sample))
    };
    let done = timeout(DEADLINE, work).await;
    let (attribution, prefix, is_sample) = done.unwrap_or_else(|_| Err(too_slow()))?;
    Ok(Answered {
        question,
        attribution,
        prefix,
        is_sample,
        took: begun.elapsed(),
    })
}

/// Requests of both windows; those of the baseline with what lies between it and the alert where they touch.
async fn read(
    app: &App,
    scope: &ProjectScope,
    question: &Question,
) -> Result<(Joined, Joined), Fault> {
    let (baseline, alert) = (question.windows.baseline, question.windows.alert);
    let within = |from, to| Filter {
        from: Some(from),
        to: Some(to),
        ..question.filter.clone()
    };
    let before = within(baseline.from, baseline.to);
    let now = within(alert.from, alert.to);
    let before = async {
        let joined = axes::requests(app, scope, &before).await;
        joined.map_err(|fault| match fault.field.as_deref() {
            Some("from") => fault.on_field("baseline_from"),
            _ => fault,
        })
    };
    tokio::try_join!(before, axes::requests(app, scope, &now))
}

fn unanswerable(why: Unanswerable) -> Fault {
    match why {
        Unanswerable::TooFew { .. } => Fault::new(Code::Unprocessable, why.to_string()),
        Unanswerable::Uneven(_) => Fault::internal(why),
    }
}

fn too_slow() -> Fault {
    let message =
        "the attribution took longer than 10 s; give shorter windows or a narrower filter";
    Fault::new(Code::Timeout, message)
}
