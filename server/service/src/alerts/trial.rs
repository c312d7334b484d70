//! Rules that are tried without telling anybody: what one says at an instant, and when it would have fired.

use domain::alert::evaluate::{Event, advance, readings};
use domain::alert::kind::Condition;
use domain::alert::state::{Change, Phase, Reading, Resolution, States};
use domain::alert::{Group, Rule};
use domain::tenancy::Permission;
use domain::{AlertRuleId, Code, Fault, Nanos, ProjectId, Timestamp};
use store_postgres::alerts::{rules, settings};

use super::course::{self, Point};
use super::gather::Gathered;
use super::rules::{Given, draft, rule};
use super::usual;
use crate::app::App;
use crate::scope::ProjectScope;

/// How far a preview looks back.
const PREVIEW: Nanos = Nanos::from_seconds(7 * 86_400);
/// How much of it is read at once.
const PIECE: Nanos = Nanos::from_seconds(86_400);
/// How long before an instant a test begins, beyond what the rule itself needs.
const RUN_UP_S: u64 = 600;
/// What a look back holds in memory, in spans of a trace that is read.
const SIZE: u64 = 50_000;
/// How long one may take before the next day is begun.
const PATIENCE: Nanos = Nanos::from_seconds(60);
/// Points of each piece, to be drawn.
const POINTS: u32 = 48;
/// Incidents of a preview that are shown one by one.
const MOST_SHOWN: usize = 200;

/// What a rule says of a group.
pub struct Said {
    /// The group.
    pub group: Group,
    /// What it sees.
    pub reading: Reading,
    /// Where the group stands, as far as that follows from the minutes before.
    pub phase: Phase,
}

/// What a rule says at an instant.
pub struct Test {
    /// When: the end of a step.
    pub at: Timestamp,
    /// Of each group.
    pub groups: Vec<Said>,
}

/// What a rule says at an instant, now unless told otherwise.
///
/// # Errors
/// `not_found`; `unavailable` or `timeout` when a store is away or takes too long; `invalid` where it is too much.
pub async fn test(
    app: &App,
    scope: &ProjectScope,
    id: AlertRuleId,
    at: Option<Timestamp>,
) -> Result<Test, Fault> {
    let project = scope.project_id();
    let rule = super::rules::find(app, scope, id).await?;
    let settings = settings::show(app.postgres(), project).await?;
    let at = ceiling(
        at.unwrap_or_else(|| app.clock().now()),
        rule.draft.kind.step_s(),
    );
    let run_up = Nanos::from_seconds(rule.draft.for_s.saturating_add(RUN_UP_S));
    let range = (at.minus(run_up), at);
    let rules = with_watched(app, project, rule).await?;
    let _turn = app.reads().turn(project, SIZE).await?;
    let mut gathered = Gathered::new(app, project, &rules, range).await?;
    if let Some(fault) = gathered.failure() {
        return Err(fault);
    }
    let usual = usual::of_past(app, (project, &settings), &rules, range).await?;
    let gathered = gathered.with_usual(usual);
    let watched = gathered.watched(&rules);
    let mut states = States::new();
    let events = advance(&settings, &watched, &mut states, range);
    let phase = |group: &Group| {
        let state = states.get(&id).and_then(|groups| groups.get(group));
        state.map(|state| state.phase).unwrap_or_default()
    };
    let groups = match watched.iter().find(|watched| watched.rule.id == id) {
        Some(watched) if watched.rule.draft.series.is_some() => readings(&settings, watched, at),
        _ => vec![(Group::default(), last_reading(&states, id, &events))],
    };
    let said = |(group, reading): (Group, Reading)| Said {
        phase: phase(&group),
        group,
        reading,
    };
    Ok(Test {
        at,
        groups: groups.into_iter().map(said).collect(),
    })
}

/// What a rule about other rules saw last.
fn last_reading(states: &States, id: AlertRuleId, events: &[Event]) -> Reading {
    let state = states
        .get(&id)
        .and_then(|groups| groups.get(&Group::default()));
    let seen = events.iter().rev().find(|event| event.rule == id);
    Reading {
        verdict: state.map(|state| state.verdict).unwrap_or_default(),
        ..seen.map(|event| event.reading).unwrap_or_default()
    }
}

/// Something that a rule would have told.
pub struct Told {
    /// Of which group.
    pub group: Group,
    /// When the series became abnormal.
    pub onset: Timestamp,
    /// When it would have been told.
    pub fired_at: Timestamp,
    /// What was seen then.
    pub reading: Reading,
    /// When it would have been over; `None`: not yet.
    pub resolved: Option<(Timestamp, Resolution)>,
}

/// When a rule would have fired.
pub struct Preview {
    /// The rule as it would be kept.
    pub rule: Rule,
    /// From when.
    pub from: Timestamp,
    /// Until when.
    pub to: Timestamp,
    /// How often.
    pub fired: usize,
    /// The newest of it, in order.
    pub told: Vec<Told>,
    /// What it saw meanwhile; nothing where it is about other rules.
    pub points: Vec<Point>,
}

/// When a rule that is not kept would have fired within the last seven days: the same walk as of rules that are.
///
/// # Errors
/// `invalid` on a field; `unavailable` or `timeout` when a store is away or takes too long.
pub async fn preview(app: &App, scope: &ProjectScope, given: Given) -> Result<Preview, Fault> {
    scope.require(Permission::Read)?;
    let project = scope.project_id();
    let rule = rule(app, draft(None, given)?);
    let settings = settings::show(app.postgres(), project).await?;
    let to = app
        .clock()
        .now()
        .minus(Nanos::from_seconds(settings.delay_s));
    let from = to.minus(PREVIEW);
    let rules = with_watched(app, project, rule.clone()).await?;
    let (about, began) = ((project, &settings), app.clock().now());
    let _turn = app.reads().turn(project, SIZE).await?;
    let mut usual = usual::of_past(app, about, &rules, (from, to)).await?;
    let (mut states, mut events, mut after) = (States::new(), Vec::new(), from);
    let mut points = Vec::new();
    while after < to {
        let until = after.plus(PIECE).min(to);
        if app.clock().now() - began > PATIENCE {
            let message = "looking back takes too long; narrow the rule by filter or group_by";
            return Err(Fault::new(Code::Timeout, message));
        }
        let mut gathered = Gathered::new(app, project, &rules, (after, until)).await?;
        if let Some(fault) = gathered.failure() {
            return Err(fault);
        }
        let gathered = gathered.with_usual(usual);
        let watched = gathered.watched(&rules);
        // Hundreds of groups over a day take a while.
        let walk = || advance(&settings, &watched, &mut states, (after, until));
        events.extend(tokio::task::block_in_place(walk));
        if let Some(own) = watched.iter().find(|watched| watched.rule.id == rule.id) {
            points.extend(course::points(&settings, own, None, (after, until), POINTS));
        }
        usual = gathered.into_usual();
        after = until;
    }
    let mut told = told(&events, rule.id);
    let fired = told.len();
    told.drain(..fired.saturating_sub(MOST_SHOWN));
    Ok(Preview {
        rule,
        from,
        to,
        fired,
        told,
        points,
    })
}

/// Puts the end of what was told to its begin.
fn told(events: &[Event], id: AlertRuleId) -> Vec<Told> {
    let mut all: Vec<Told> = Vec::new();
    for event in events.iter().filter(|event| event.rule == id) {
        match event.change {
            Change::Fired { onset } => all.push(Told {
                group: event.group.clone(),
                onset,
                fired_at: event.at,
                reading: event.reading,
                resolved: None,
            }),
            Change::Resolved { fired_at, why } => {
                let mut open = all.iter_mut().rev();
                let one = open.find(|told| told.group == event.group && told.fired_at == fired_at);
                if let Some(told) = one {
                    told.resolved = Some((event.at, why));
                }
            }
        }
    }
    all
}

/// A rule with those that it watches.
async fn with_watched(app: &App, project: ProjectId, rule: Rule) -> Result<Vec<Rule>, Fault> {
    if !matches!(rule.draft.kind.condition, Condition::Composite { .. }) {
        return Ok(vec![rule]);
    }
    let all = rules::list(app.postgres(), project).await?;
    let is_watched = |other: &Rule| other.draft.enabled && rule.draft.watches(other);
    let mut rules: Vec<Rule> = all.into_iter().filter(is_watched).collect();
    rules.push(rule);
    Ok(rules)
}

/// The end of the step that an instant is in.
fn ceiling(at: Timestamp, step_s: u64) -> Timestamp {
    let step = step_s.saturating_mul(1_000_000_000).max(1);
    let nanos = u64::try_from(at.unix_nanos()).unwrap_or(0);
    Timestamp::from_unix_nanos(nanos.div_ceil(step).saturating_mul(step)).unwrap_or(Timestamp::MAX)
}
