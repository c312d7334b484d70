//! What rules saw over a stretch of time, and what they see now. Nothing is kept, and nobody is told.

use std::collections::{BTreeMap, BTreeSet};

use domain::alert::cell::Cell;
use domain::alert::evaluate::{MAX_GROUPS, Watched, floor, reading_of, readings};
use domain::alert::kind::{Condition, Direction};
use domain::alert::measure::{Aggregate, Source};
use domain::alert::state::Reading;
use domain::alert::{AlertSettings, Group, Rule};
use domain::{AlertRuleId, Fault, Nanos, Timestamp};
use store_postgres::alerts::settings;

use super::gather::Gathered;
use super::rules::Listed;
use super::usual::{self, Known};
use crate::app::App;
use crate::scope::ProjectScope;

/// Longest stretch that is looked at: what is behind it is left out.
pub const LONGEST: Nanos = Nanos::from_seconds(86_400);
/// Seconds after which what rules over hours saw last is still what they see.
const LOOK_BACK: Nanos = Nanos::from_seconds(60);

/// What a rule saw within a piece of a stretch: where there is a value, the one that lies furthest on its bad side.
#[derive(Clone, Debug, PartialEq)]
pub struct Point {
    /// The end of the piece.
    pub at: Timestamp,
    /// What it saw.
    pub reading: Reading,
    /// What is usual then: median − MADs to median + MADs.
    pub band: Option<(f64, f64)>,
}

/// How many requests a stretch has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Hit {
    /// Beyond the bound; `None`: that cannot be told of a single one.
    pub beyond: Option<u64>,
    /// All that have a value, of the group.
    pub of_group: u64,
    /// The same of all groups.
    pub of_all: u64,
}

/// A rule over a stretch.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Course {
    /// Pieces in order; none where the rule is about other rules.
    pub points: Vec<Point>,
    /// Requests of the stretch; `None` where the rule is not about requests.
    pub hit: Option<Hit>,
}

/// The course of a group of a rule, in `count` pieces; with the requests between two instants. Of all groups: whichever
/// lies furthest on the bad side.
///
/// # Errors
/// `unavailable` or `timeout` when a store is away or takes too long; `invalid` where it is too much.
pub async fn of_rule(
    app: &App,
    scope: &ProjectScope,
    (rule, group): (&Rule, Option<&Group>),
    (range, count): ((Timestamp, Timestamp), u32),
    bad: (Timestamp, Timestamp),
) -> Result<Course, Fault> {
    let project = scope.project_id();
    if rule.draft.series.is_none() {
        return Ok(Course::default());
    }
    let (from, to) = (floor(range.0), range.1.min(range.0.plus(LONGEST)));
    let settings = settings::show(app.postgres(), project).await?;
    let rules = std::slice::from_ref(rule);
    let gathered = Gathered::new(app, project, rules, (from, to)).await?;
    let about = (project, &settings);
    let usual = usual::of_rules(app, about, rules, (from, to), &mut Known::default()).await?;
    let gathered = gathered.with_usual(usual);
    let watched = gathered.watched(rules);
    let Some(own) = watched.first() else {
        return Ok(Course::default());
    };
    let points = points(&settings, own, group, (from, to), count);
    let hit = hit(own, group, &points, (bad.0.max(from), bad.1.min(to)));
    Ok(Course { points, hit })
}

/// What the rules of a project see at the last step that was looked at, by group.
///
/// # Errors
/// `unavailable` or `timeout` when a store is away or takes too long; `invalid` where it is too much.
pub async fn now(
    app: &App,
    scope: &ProjectScope,
    listed: &Listed,
) -> Result<BTreeMap<AlertRuleId, Vec<(Group, Reading)>>, Fault> {
    let project = scope.project_id();
    let Some(at) = listed.standing.evaluated_until else {
        return Ok(BTreeMap::new());
    };
    let is_looked_at = |rule: &&Rule| rule.draft.enabled && rule.draft.series.is_some();
    let rules: Vec<Rule> = listed.rules.iter().filter(is_looked_at).cloned().collect();
    let settings = settings::show(app.postgres(), project).await?;
    let range = (at.minus(LOOK_BACK), at);
    let gathered = Gathered::new(app, project, &rules, range).await?;
    let about = (project, &settings);
    let usual = usual::of_rules(app, about, &rules, range, &mut Known::default()).await?;
    let gathered = gathered.with_usual(usual);
    let seen = gathered.watched(&rules).into_iter().map(|watched| {
        let step_s = watched.rule.draft.kind.step_s();
        let at = aligned(at, step_s);
        (watched.rule.id, readings(&settings, &watched, at))
    });
    Ok(seen.collect())
}

/// What a rule saw in each of `count` pieces.
pub(super) fn points(
    settings: &AlertSettings,
    watched: &Watched<'_>,
    group: Option<&Group>,
    (from, to): (Timestamp, Timestamp),
    count: u32,
) -> Vec<Point> {
    let kind = &watched.rule.draft.kind;
    if watched.rule.draft.series.is_none() || to <= from {
        return Vec::new();
    }
    let groups: BTreeSet<Group> = match group {
        Some(group) => BTreeSet::from([group.clone()]),
        None if kind.group_by.is_empty() => BTreeSet::from([Group::default()]),
        None => watched.cells.groups().take(MAX_GROUPS).cloned().collect(),
    };
    let piece = Nanos((to - from).0 / u64::from(count.max(1)));
    // As often as nothing can be missed between two looks, and not more often than it changes.
    let every = kind.window_s.max(kind.step_s());
    let every = every - every % kind.step_s();
    let every = Nanos::from_seconds(every);
    let mut points = Vec::new();
    let mut end = from;
    for _ in 0..count {
        let begin = end;
        end = end.plus(piece);
        let mut found: Option<(Timestamp, &Group, Reading)> = None;
        let mut at = aligned(end, kind.step_s());
        loop {
            for group in &groups {
                let reading = reading_of(settings, watched, group, at).unwrap_or_default();
                let known = found.as_ref().map(|(.., known)| known);
                if is_worse(&reading, known, kind.side()) {
                    found = Some((at, group, reading));
                }
            }
            at = at.minus(every);
            if at <= begin {
                break;
            }
        }
        let band = found.as_ref().and_then(|(at, group, _)| {
            let pool = watched.baselines.at(settings, group, *at)?;
            let mads = settings.baseline_mads;
            let low = pool.baseline(mads, Direction::Down);
            Some((low, pool.baseline(mads, Direction::Up)))
        });
        points.push(Point {
            at: end,
            reading: found.map(|(.., reading)| reading).unwrap_or_default(),
            band,
        });
    }
    points
}

/// Whether a reading lies further on the bad side than another.
fn is_worse(reading: &Reading, known: Option<&Reading>, side: Direction) -> bool {
    match (reading.value, known.map(|known| known.value)) {
        (_, None) => true,
        (Some(value), Some(Some(known))) => match side {
            Direction::Up => value > known,
            Direction::Down => value < known,
        },
        (Some(_), Some(None)) => true,
        (None, Some(_)) => false,
    }
}

fn hit(
    watched: &Watched<'_>,
    group: Option<&Group>,
    points: &[Point],
    (from, to): (Timestamp, Timestamp),
) -> Option<Hit> {
    let draft = &watched.rule.draft;
    let series = draft.series.as_ref()?;
    if !matches!(series.source, Source::Requests(_)) {
        return None;
    }
    let step_s = i64::try_from(draft.kind.step_s()).unwrap_or(1);
    let window = Nanos::from_seconds(draft.kind.window_s);
    let step = |at: Timestamp| at.unix_seconds().div_euclid(step_s);
    let steps = (step(from.minus(window)), step(to));
    let (mut own, mut all) = (Cell::default(), Cell::default());
    for known in watched.cells.groups() {
        let cell = watched.cells.window(known, steps);
        if group.is_none_or(|group| group == known) {
            own.add(&cell);
        }
        all.add(&cell);
    }
    let is_of_one = !matches!(series.aggregate, Aggregate::Sum | Aggregate::Count);
    let bound = match &draft.kind.condition {
        Condition::Threshold { direction, value } => Some((*value, *direction)),
        Condition::SloBurn { direction, .. } => Some((0.5, *direction)),
        Condition::Adaptive { .. } | Condition::P99Shift { .. } => {
            let bounds = points.iter().filter(|point| from <= point.at);
            let bound = bounds.filter_map(|point| point.reading.bound).next_back();
            bound.map(|bound| (bound, draft.kind.side()))
        }
        _ => None,
    };
    Some(Hit {
        beyond: bound
            .filter(|_| is_of_one)
            .map(|(bound, side)| own.beyond(bound, side)),
        of_group: own.known,
        of_all: all.known,
    })
}

fn aligned(at: Timestamp, step_s: u64) -> Timestamp {
    let step = step_s.saturating_mul(1_000_000_000).max(1);
    at.minus(Nanos(u64::try_from(at.unix_nanos()).unwrap_or(0) % step))
}
