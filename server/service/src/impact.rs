//! What semantic events and incidents do to the business: both are read for a range, [`domain::impact`] links them.
//! A project has one analysis at a time.

use std::time::Duration;

use domain::impact::timeline::{Timeline, timeline};
use domain::impact::{Evidence, Link, Method, Stretch, UnitKind, links};
use domain::{Fault, Nanos, Timestamp};
use store_clickhouse::semantic;
use store_postgres::alerts::incidents;
use store_postgres::business_events;
use tokio::time::timeout;

use crate::app::App;
use crate::scope::ProjectScope;
use crate::semantic_events;

/// How long it may take, reading included.
const DEADLINE: Duration = Duration::from_secs(20);
/// Traces that are read: of more, those of the users with the smallest hash.
const MOST_TRACES: u32 = 100_000;
/// First events that are read: the earliest.
const MOST_FIRSTS: u32 = 200_000;
/// Business events that are read: the newest.
const MOST_EVENTS: u32 = 100_000;
/// Incidents that are looked through, the newest.
const MOST_INCIDENTS: u32 = 200;
/// Incidents that are linked: the newest of the range.
const LINKED_INCIDENTS: usize = 10;
/// The longest range.
pub const LONGEST: Nanos = Nanos::from_seconds(92 * 24 * 3600);
/// How long after its cause an event counts unless told otherwise.
pub const USUAL_WITHIN: Nanos = Nanos::from_seconds(24 * 3600);
/// The least and the most of it.
pub const WITHIN: (Nanos, Nanos) = (Nanos::from_seconds(60), Nanos::from_seconds(30 * 24 * 3600));

/// What was asked.
#[derive(Clone, Copy, Debug, Default)]
pub struct Question {
    /// From this time on; a week unless told otherwise.
    pub from: Option<Timestamp>,
    /// Before this time.
    pub to: Option<Timestamp>,
    /// How long after its cause an event counts.
    pub within: Option<Nanos>,
    /// Whom things happen to.
    pub unit: Option<UnitKind>,
}

/// What was found.
#[derive(Clone, Debug)]
pub struct Impact {
    /// From this time on.
    pub from: Timestamp,
    /// Before this time.
    pub to: Timestamp,
    /// How it was looked at.
    pub method: Method,
    /// Traces that were looked at.
    pub traces: usize,
    /// Business events that were looked at.
    pub events: usize,
    /// Whether there was more than could be looked at.
    pub is_sample: bool,
    /// Pairs, the strongest first.
    pub links: Vec<Link>,
    /// What was when.
    pub timeline: Timeline,
    /// Incidents of the range.
    pub incidents: Vec<Stretch>,
}

/// Links what went wrong with what happened in the business.
///
/// # Errors
/// `invalid` on a parameter that makes no sense; `unavailable` or `timeout` when a store is away, another analysis of
/// the project takes its time, or this one takes too long.
pub async fn show(app: &App, scope: &ProjectScope, question: Question) -> Result<Impact, Fault> {
    let (range, method) = checked(app, question)?;
    let turn = app.impacts().turn(scope.project_id()).await?;
    let work = async {
        let (evidence, is_sample) = read(app, scope, range, method.within).await?;
        let judged = tokio::task::spawn_blocking(move || {
            // Given back when the work is over, and not when nobody waits for it any more.
            let _turn = turn;
            let links = links(&evidence, method);
            let timeline = timeline(&evidence, range);
            (evidence, links, timeline)
        });
        let (evidence, links, timeline) = judged.await.map_err(Fault::internal)?;
        Ok(Impact {
            from: range.0,
            to: range.1,
            method,
            traces: evidence.traces.len(),
            events: evidence.events.len(),
            is_sample,
            links,
            timeline,
            incidents: evidence.incidents,
        })
    };
    let done = timeout(DEADLINE, work).await;
    done.unwrap_or_else(|_| {
        let message = "it took longer than 20 s; ask for a shorter range";
        Err(Fault::new(domain::Code::Timeout, message))
    })
}

fn checked(app: &App, question: Question) -> Result<((Timestamp, Timestamp), Method), Fault> {
    let (from, to) = semantic_events::range(app, (question.from, question.to))?;
    if to - from > LONGEST {
        let message = "from: a range is at most 92 days long";
        return Err(Fault::invalid(message).on_field("from"));
    }
    let within = question.within.unwrap_or(USUAL_WITHIN);
    if within < WITHIN.0 || within > WITHIN.1 {
        let message = "within_s: give 60 to 2592000 seconds";
        return Err(Fault::invalid(message).on_field("within_s"));
    }
    let method = Method {
        within,
        unit: question.unit,
    };
    Ok(((from, to), method))
}

/// All that is looked at, and whether there was more.
async fn read(
    app: &App,
    scope: &ProjectScope,
    (from, to): (Timestamp, Timestamp),
    within: Nanos,
) -> Result<(Evidence, bool), Fault> {
    let (clickhouse, db, project) = (app.clickhouse(), app.postgres(), scope.project_id());
    // What happened before a cause is looked at as well.
    let around = (from.minus(within), to.plus(within));
    let newest = incidents::Wanted {
        suppressed: Some(false),
        ..incidents::Wanted::default()
    };
    let (traces, firsts, events, told) = tokio::join!(
        semantic::traces(clickhouse, project, (from, to), MOST_TRACES),
        semantic::firsts(clickhouse, project, (from, to), MOST_FIRSTS),
        business_events::outlines(db, project, around, MOST_EVENTS),
        incidents::list(db, project, &newest, MOST_INCIDENTS),
    );
    let (traces, firsts, events) = (traces?, firsts?, events?);
    let is_full = |read: usize, most: u32| u32::try_from(read).is_ok_and(|read| read >= most);
    let is_sample = is_full(traces.len(), MOST_TRACES)
        || is_full(firsts.len(), MOST_FIRSTS)
        || is_full(events.len(), MOST_EVENTS);
    let stretch = |incident: domain::alert::incident::Incident| Stretch {
        id: incident.id,
        name: incident.subject.rule_name,
        from: incident.onset,
        to: incident.resolved_at.unwrap_or(to),
    };
    let incidents = told?.into_iter().map(stretch);
    let incidents = incidents.filter(|one| one.from < to && one.to > from);
    let evidence = Evidence {
        traces,
        firsts,
        incidents: incidents.take(LINKED_INCIDENTS).collect(),
        events,
    };
    Ok((evidence, is_sample))
}
