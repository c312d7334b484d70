//! Attributions of incidents: asked for in the transaction that opens an incident, made by whatever server takes them up.
//!
//! A first answer is made at once, of what there is. It is made again after half a minute, after one and two, and
//! when the window has closed, because the incident is over or five minutes have gone: the first one often has seconds of
//! the trouble and no more. A later one replaces it where it says more. Broken off anywhere, it is taken up again.

use std::time::Duration;

use domain::alert::Severity;
use domain::alert::cause::Cause;
use domain::alert::incident::{Happening, Incident, Moment};
use domain::alert::notice::{self, Occasion};
use domain::alert::symptom::Symptom;
use domain::attribution::request::Moments;
use domain::rollback::{SaysMore, Suspect};
use domain::{Code, Fault, Nanos, ProjectId, Timestamp};
use futures_util::future::join_all;
use serde_json::Value;
use store_postgres::Transaction;
use store_postgres::alerts::attributions::{self, Standing, Taken};
use store_postgres::alerts::{incidents, notifications};
use tokio_util::sync::CancellationToken;

use super::{Given, Question, answer, shape};
use crate::alerts::{BOOST, url};
use crate::app::App;
use crate::turns::Turns;
use crate::{auth, rollback};

/// Attributions of a server at once.
const WORKERS: usize = 2;
/// Between two looks whether one is due.
const LOOK_EVERY: Duration = Duration::from_secs(1);
/// How long one is held: longer than it takes, waiting for its turn included.
const HOLD: Nanos = Nanos::from_seconds(60);
/// Wait while there are too few requests yet.
const UNTIL_MORE: Nanos = Nanos::from_seconds(5);
/// Wait after a store was away; after each time more it is twice as long.
const REST: Nanos = Nanos::from_seconds(1);
/// And at most that.
const MAX_REST: Nanos = Nanos::from_seconds(60);
/// Tries while stores are away, over more than an hour.
const TRIES: u32 = 100;
/// When an answer is looked at again after an incident was told, while its window is open.
const LOOKS: [Nanos; 3] = [
    Nanos::from_seconds(30),
    Nanos::from_seconds(60),
    Nanos::from_seconds(120),
];
/// How long the last requests of a window may take to be stored.
const SETTLE: Nanos = Nanos::from_seconds(15);
/// Longest window: a rule may look at a whole day.
const LONGEST: Nanos = Nanos::from_seconds(6 * 3_600);

/// Asks for the attribution of an incident that was opened.
pub(crate) async fn ask(
    tx: &mut Transaction,
    project: ProjectId,
    incident: &Incident,
    symptom: Option<&Symptom>,
) -> Result<(), Fault> {
    let is_told = incident.severity == Severity::P1 && incident.suppressed_by.is_none();
    if let Some(symptom) = symptom.filter(|_| is_told) {
        let asked = (incident.id, symptom);
        attributions::ask(tx, project, asked, incident.fired_at).await?;
    }
    Ok(())
}

/// Makes what is due, until `stop`.
pub(crate) async fn run(app: &App, stop: &CancellationToken) {
    join_all((0..WORKERS).map(|_| work(app, stop))).await;
}

async fn work(app: &App, stop: &CancellationToken) {
    let turns = Turns {
        what: "attributions to make",
        every: LOOK_EVERY,
        wake: Some(app.wake_attributions()),
        stop,
    };
    let take = || {
        let now = app.clock().now();
        attributions::take(app.postgres(), now, now.plus(HOLD))
    };
    while let Some(taken) = turns.next(take).await {
        tokio::select! {
            done = attach(app, &taken) => if let Err(fault) = done {
                not_noted(&fault);
            },
            () = stop.cancelled() => {}
        }
    }
}

/// It is taken up again when it is held by nobody.
fn not_noted(fault: &Fault) {
    let cause = std::error::Error::source(fault);
    tracing::debug!(cause, "an attribution could not be attached: {fault}");
}

/// Makes one, and notes what came of it.
async fn attach(app: &App, taken: &Taken) -> Result<(), Fault> {
    let incident = incidents::show(app.postgres(), taken.project, taken.incident).await?;
    let Some(incident) = incident else {
        return Ok(());
    };
    let now = app.clock().now();
    let closes = closes(&incident);
    let is_closed = closes <= now;
    let made = make(app, taken, &incident, closes.min(now)).await;
    let id = (taken.project, taken.incident);
    let mut tx = app.postgres().begin().await?;
    match made {
        Ok(answer) => {
            let standing = match is_closed {
                true => Standing::Final,
                false => Standing::Provisional(next(&incident, now)),
            };
            keep(app, &mut tx, (taken, &incident), (standing, &answer)).await?;
        }
        Err(fault) => {
            let standing = after(&fault, taken, (now, is_closed));
            attributions::note(&mut tx, id, standing, None).await?;
        }
    }
    tx.commit().await?;
    Ok(())
}

/// When the window of an incident closes: what comes after it is over, or long after it began, tells no more of why.
fn closes(incident: &Incident) -> Timestamp {
    let latest = incident.fired_at.plus(BOOST);
    incident.resolved_at.map_or(latest, |at| at.min(latest))
}

/// When an incident is looked at again.
fn next(incident: &Incident, now: Timestamp) -> Timestamp {
    let looks = LOOKS.map(|after| incident.fired_at.plus(after));
    let mut later = looks.into_iter().filter(|at| *at > now);
    let last = closes(incident).plus(SETTLE);
    later.next().map_or(last, |at| at.min(last))
}

async fn make(
    app: &App,
    taken: &Taken,
    incident: &Incident,
    to: Timestamp,
) -> Result<Value, Fault> {
    let symptom = &taken.symptom;
    let mut question = Question::new(Given {
        from: Some(symptom.since.max(to.minus(LONGEST))),
        to: Some(to),
        series: Some(symptom.series.clone()),
        direction: Some(symptom.direction.to_string()),
        filter: symptom.filter.clone(),
        ..Given::default()
    })?;
    question.moments = Moments {
        alerted: Some(incident.fired_at),
        recovered: incident.resolved_at,
    };
    let scope = auth::enter_to_export(taken.project);
    Ok(shape(&answer(app, &scope, question).await?))
}

/// Where one stands that came to nothing this time.
fn after<'f>(fault: &'f Fault, taken: &Taken, (now, is_closed): (Timestamp, bool)) -> Standing<'f> {
    let is_for_good = matches!(fault.code, Code::Unprocessable | Code::Invalid);
    let is_over = match is_for_good {
        true => is_closed,
        false => taken.tries >= TRIES,
    };
    let again = match is_for_good {
        true => now.plus(UNTIL_MORE),
        false => now.plus(rest(taken.tries)),
    };
    match (is_over, taken.answer.is_some()) {
        (true, true) => Standing::Final,
        (true, false) => Standing::Failed(&fault.message),
        (false, true) => Standing::Provisional(again),
        (false, false) => Standing::Waiting(again, &fault.message),
    }
}

fn rest(tries: u32) -> Nanos {
    let doubled = REST.0.checked_shl(tries.saturating_sub(1).min(20));
    Nanos(doubled.unwrap_or(MAX_REST.0)).min(MAX_REST)
}

/// Keeps an answer where it says more than the one before, tells it in the time line, and in messages that nobody has
/// tried to send yet.
async fn keep(
    app: &App,
    tx: &mut Transaction,
    (taken, incident): (&Taken, &Incident),
    (standing, answer): (Standing<'_>, &Value),
) -> Result<(), Fault> {
    let now = app.clock().now();
    let id = (taken.project, taken.incident);
    let before = taken.answer.as_ref().and_then(Cause::of_answer);
    let cause = Cause::of_answer(answer);
    let says_more = match (&cause, &before) {
        (Some(cause), Some(before)) => cause.says_more_than(before),
        (Some(_), None) => true,
        (None, _) => false,
    };
    let new = says_more.then_some((answer, now));
    attributions::note(tx, id, standing, new).await?;
    let more = match says_more {
        true => SaysMore::Yes,
        false => SaysMore::No,
    };
    let goes_back = Suspect::to_act_on(answer, taken.answer.as_ref(), more);
    if let Some(suspect) = &goes_back {
        rollback::queue(tx, taken.project, (taken.incident, suspect), now).await?;
    }
    let Some(cause) = cause.filter(|_| says_more) else {
        return Ok(());
    };
    let mut detail = cause.sentence().replace('\0', "\u{fffd}");
    if before.is_some() {
        detail.push_str("; of more requests, and says more than what was found before");
    }
    if goes_back.is_none() && Suspect::of_answer(answer).is_some() {
        detail.push_str(
            "; another axis shows a cause, too, so that a second look decides what goes back",
        );
    }
    let moment = Moment {
        at: now,
        what: Happening::Attributed,
        detail,
    };
    incidents::note(tx, taken.project, taken.incident, &moment).await?;
    for (message, kind) in notifications::untried(tx, id, Occasion::Fired).await? {
        let url = url(app, taken.project, taken.incident);
        let told = (incident, Some(&cause));
        let body = notice::body(kind, Occasion::Fired, told, &url).to_string();
        notifications::rewrite(tx, taken.project, message, &body).await?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use domain::IncidentId;
    use domain::alert::incident::{IncidentState, Subject};
    use domain::alert::kind::Direction;
    use domain::alert::state::{Group, Reading};
    use domain::filter::Filter;
    use uuid::Uuid;

    use super::*;

    fn at(seconds: u64) -> Timestamp {
        Timestamp::EPOCH.plus(Nanos::from_seconds(seconds))
    }

    fn incident(resolved_at: Option<u64>) -> Incident {
        Incident {
            id: IncidentId(Uuid::nil()),
            rule_id: None,
            subject: Subject {
                rule_name: String::new(),
                kind: String::new(),
                series: None,
                axis: None,
                group: Group::default(),
                reading: Reading::default(),
            },
            severity: Severity::P1,
            state: IncidentState::Open,
            suppressed_by: None,
            onset: at(1_000),
            fired_at: at(1_000),
            acknowledged_at: None,
            resolved_at: resolved_at.map(at),
            resolution: None,
        }
    }

    #[test]
    fn a_window_closes_with_its_incident_or_after_five_minutes() {
        assert_eq!(closes(&incident(None)), at(1_300));
        assert_eq!(closes(&incident(Some(1_100))), at(1_100));
        assert_eq!(closes(&incident(Some(2_000))), at(1_300));
        let looks = [1_001, 1_030, 1_060, 1_120, 1_400];
        let looks = looks.map(|now| next(&incident(None), at(now)));
        assert_eq!(looks, [1_030, 1_060, 1_120, 1_315, 1_315].map(at));
    }

    #[test]
    fn too_few_requests_are_waited_for_and_stores_that_are_away_longer() {
        let taken = |tries, answer| Taken {
            project: domain::ProjectId(Uuid::nil()),
            incident: IncidentId(Uuid::nil()),
            symptom: Symptom {
                series: "token.ttft_ms".to_owned(),
                direction: Direction::Up,
                since: at(900),
                filter: Filter::default(),
            },
            tries,
            answer,
        };
        let few = Fault::new(Code::Unprocessable, "few");
        let away = Fault::unavailable("away");
        let none = || taken(3, None);
        let now = at(1_000);
        let stands = |fault, taken: &Taken, is_closed| {
            format!("{:?}", after(fault, taken, (now, is_closed)))
        };
        let waiting = |seconds, why| format!("{:?}", Standing::Waiting(at(seconds), why));
        assert_eq!(stands(&few, &none(), false), waiting(1_005, "few"));
        assert_eq!(
            stands(&few, &none(), true),
            format!("{:?}", Standing::Failed("few"))
        );
        assert_eq!(stands(&away, &none(), true), waiting(1_004, "away"));
        let last = taken(TRIES, None);
        assert_eq!(
            stands(&away, &last, false),
            format!("{:?}", Standing::Failed("away"))
        );
        let answered = taken(TRIES, Some(Value::Null));
        assert_eq!(
            stands(&away, &answered, true),
            format!("{:?}", Standing::Final)
        );
    }
}
