//! What is usual: worked out once a day, and kept.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use domain::alert::baseline::{self, Baselines, MINUTE_S, Pool, Pools};
use domain::alert::kind::Direction;
use domain::alert::{AlertSeries, AlertSettings, Group, Rule};
use domain::axes::query::Steps;
use domain::axes::{AxisSeries, AxisValue};
use domain::filter::Filter;
use domain::{AlertRuleId, Fault, Nanos, ProjectId, Timestamp};
use serde_json::json;
use sha2::{Digest, Sha256};
use store_postgres::alerts::{baselines, settings};

use super::gather::{self, Wish};
use crate::app::App;
use crate::scope::ProjectScope;

/// Baselines in the memory of a server.
const MOST: usize = 10_000;

/// What is usual, by rule.
#[derive(Default)]
pub(super) struct Usual {
    by_rule: BTreeMap<AlertRuleId, Baselines>,
    nothing: Baselines,
}

impl Usual {
    /// Of one rule.
    pub(super) fn of(&self, rule: AlertRuleId) -> &Baselines {
        self.by_rule.get(&rule).unwrap_or(&self.nothing)
    }
}

type Groups = Arc<BTreeMap<Group, Pools>>;

/// What was read or worked out, so that it is not read in every step.
#[derive(Default)]
pub(super) struct Known {
    kept: HashMap<(ProjectId, String, Timestamp, Timestamp), Groups>,
}

/// What is usual for the rules of a project in the steps after an instant up to another: as it was worked out for each
/// of the days.
///
/// # Errors
/// `unavailable` or `timeout` when a store is away or takes too long; `invalid` where it is too much.
pub(super) async fn of_rules(
    app: &App,
    (project, settings): (ProjectId, &AlertSettings),
    rules: &[Rule],
    (after, until): (Timestamp, Timestamp),
    known: &mut Known,
) -> Result<Usual, Fault> {
    // What was worked out before a rule was changed does not count any more.
    let changed_at = rules.iter().map(|rule| rule.updated_at).max();
    let changed_at = changed_at.unwrap_or(Timestamp::EPOCH);
    if known.kept.len() > MOST {
        known.kept.clear();
    }
    let mut usual = Usual::default();
    for rule in rules.iter().filter(|rule| rule.draft.kind.needs_baseline()) {
        let Some(series) = &rule.draft.series else {
            continue;
        };
        let subject = Subject {
            series,
            filter: &rule.draft.filter.filter,
            group_by: &rule.draft.kind.group_by,
        };
        let what = subject.hash(settings);
        let mut of_rule = Baselines::default();
        for as_of in refreshes(settings, (after, until)) {
            let key = (project, what.clone(), as_of, changed_at);
            let groups = match known.kept.get(&key) {
                Some(groups) => Arc::clone(groups),
                None => {
                    let about = (project, settings);
                    let groups = match read(app, about, (&subject, &what), as_of).await {
                        Ok(groups) => Arc::new(groups),
                        // It stays unknown until the rule is changed, or for a day.
                        Err(fault) if gather::is_of_wish(fault.code) => Arc::default(),
                        Err(fault) => return Err(fault),
                    };
                    known.kept.insert(key, Arc::clone(&groups));
                    groups
                }
            };
            of_rule.0.insert(as_of, groups.as_ref().clone());
        }
        usual.by_rule.insert(rule.id, of_rule);
    }
    Ok(usual)
}

/// The same for the past, worked out from one read a rule, and not kept.
pub(super) async fn of_past(
    app: &App,
    (project, settings): (ProjectId, &AlertSettings),
    rules: &[Rule],
    window: (Timestamp, Timestamp),
) -> Result<Usual, Fault> {
    let mut usual = Usual::default();
    for rule in rules.iter().filter(|rule| rule.draft.kind.needs_baseline()) {
        let Some(series) = &rule.draft.series else {
            continue;
        };
        let subject = Subject {
            series,
            filter: &rule.draft.filter.filter,
            group_by: &rule.draft.kind.group_by,
        };
        let days = refreshes(settings, window);
        let of_rule = work_out(app, (project, settings), &subject, &days).await?;
        usual.by_rule.insert(rule.id, of_rule);
    }
    Ok(usual)
}

/// What is usual of a series at an hour.
pub struct Hour {
    /// Whose.
    pub group: Group,
    /// The hour of the day, 0 to 23, in the project's zone.
    pub hour: u8,
    /// Median, MAD, how many minutes.
    pub pool: Pool,
    /// Median + MADs.
    pub baseline: f64,
    /// What adaptive rules fire above by the project's factor.
    pub threshold: f64,
}

/// What is usual, as it was last worked out.
pub struct Answer {
    /// When.
    pub as_of: Timestamp,
    /// The settings that it follows.
    pub settings: AlertSettings,
    /// By group and hour; hours of which too little is known are left out.
    pub hours: Vec<Hour>,
}

/// What is usual of a series at each hour, or at one.
///
/// # Errors
/// `unavailable` or `timeout` when a store is away or takes too long; `invalid` where it is too much.
pub async fn show(
    app: &App,
    scope: &ProjectScope,
    (series, filter, group_by): (&AlertSeries, &Filter, &[String]),
    hour: Option<u8>,
) -> Result<Answer, Fault> {
    let project = scope.project_id();
    let settings = settings::show(app.postgres(), project).await?;
    let as_of = settings.refreshed_before(app.clock().now());
    let subject = Subject {
        series,
        filter,
        group_by,
    };
    let what = subject.hash(&settings);
    let groups = read(app, (project, &settings), (&subject, &what), as_of).await?;
    let of = |group: &Group, hour: u8, pool: Pool| {
        let baseline = pool.baseline(settings.baseline_mads, Direction::Up);
        Hour {
            group: group.clone(),
            hour,
            pool,
            baseline,
            threshold: baseline * settings.adaptive_factor,
        }
    };
    let mut hours = Vec::new();
    for (group, pools) in &groups {
        let wanted = pools
            .0
            .iter()
            .filter(|(known, _)| hour.is_none_or(|hour| hour == **known));
        hours.extend(wanted.map(|(hour, pool)| of(group, *hour, *pool)));
    }
    Ok(Answer {
        as_of,
        settings,
        hours,
    })
}

/// What is usual of a series of all requests at each hour, where it was worked out for a rule already: nothing is worked
/// out for whoever only looks.
///
/// # Errors
/// `unavailable` without Postgres.
pub async fn kept(
    app: &App,
    scope: &ProjectScope,
    series: &[AlertSeries],
) -> Result<(AlertSettings, Vec<Option<Pools>>), Fault> {
    let (db, project) = (app.postgres(), scope.project_id());
    let settings = settings::show(db, project).await?;
    let as_of = settings.refreshed_before(app.clock().now());
    let filter = Filter::default();
    let mut found = Vec::new();
    for series in series {
        let subject = Subject {
            series,
            filter: &filter,
            group_by: &[],
        };
        let what = subject.hash(&settings);
        let groups = baselines::show(db, project, (&what, as_of)).await?;
        found.push(groups.and_then(|mut groups| groups.remove(&Group::default())));
    }
    Ok((settings, found))
}

/// Lower and upper edge of what is usual; `None` where too little is known.
pub type Edge = Option<(f64, f64)>;

/// What is usual of series of all requests in each step: median ± MADs of the hour that it begins in, where rules had it
/// worked out; empty of the others. An hour says nothing of steps that are longer.
///
/// # Errors
/// `unavailable` without Postgres.
pub async fn edges(
    app: &App,
    scope: &ProjectScope,
    series: &[AxisSeries],
    steps: &Steps,
) -> Result<Vec<Vec<Edge>>, Fault> {
    if steps.step > Nanos::from_seconds(3_600) {
        return Ok(vec![Vec::new(); series.len()]);
    }
    let known = series.iter();
    let known: Vec<Option<AlertSeries>> = known
        .map(|series| AlertSeries::parse(&named_by_rules(series)).ok())
        .collect();
    let asked: Vec<AlertSeries> = known.iter().flatten().cloned().collect();
    let (settings, found) = kept(app, scope, &asked).await?;
    let mut found = found.into_iter();
    let edges = known.iter().map(|series| {
        let pools = series.as_ref().and_then(|_| found.next().flatten());
        let Some(pools) = pools else {
            return Vec::new();
        };
        let edge = |step: u64| {
            let at = steps.from.plus(Nanos(steps.step.0 * step));
            let pool = pools.0.get(&settings.hour_of(at))?;
            let side = |direction| pool.baseline(settings.baseline_mads, direction);
            Some((side(Direction::Down), side(Direction::Up)))
        };
        (0..steps.count()).map(edge).collect()
    });
    Ok(edges.collect())
}

/// What rules call a series of the axes.
fn named_by_rules(series: &AxisSeries) -> String {
    match series.value {
        AxisValue::Errors => format!("request.{series}"),
        _ => series.to_string(),
    }
}

/// What something is usual of.
struct Subject<'s> {
    series: &'s AlertSeries,
    filter: &'s Filter,
    group_by: &'s [String],
}

impl Subject<'_> {
    /// Its name in the store.
    fn hash(&self, settings: &AlertSettings) -> String {
        let series = self.series.to_string();
        let numbers = (settings.baseline_days, settings.min_samples);
        let all = json!([series, self.filter, self.group_by, settings.zone, numbers]);
        hex::encode(Sha256::digest(all.to_string()))
    }
}

/// As it was worked out before; else worked out now and kept.
async fn read(
    app: &App,
    (project, settings): (ProjectId, &AlertSettings),
    (subject, what): (&Subject<'_>, &str),
    as_of: Timestamp,
) -> Result<BTreeMap<Group, Pools>, Fault> {
    let db = app.postgres();
    if let Some(groups) = baselines::show(db, project, (what, as_of)).await? {
        return Ok(groups);
    }
    let days = BTreeSet::from([as_of]);
    let mut worked_out = work_out(app, (project, settings), subject, &days).await?;
    let groups = worked_out.0.remove(&as_of).unwrap_or_default();
    baselines::keep(db, project, (what, as_of), &groups).await?;
    Ok(groups)
}

async fn work_out(
    app: &App,
    (project, settings): (ProjectId, &AlertSettings),
    subject: &Subject<'_>,
    days: &BTreeSet<Timestamp>,
) -> Result<Baselines, Fault> {
    let mut found = Baselines::default();
    let (Some(first), Some(last)) = (days.first(), days.last()) else {
        return Ok(found);
    };
    let wish = Wish {
        series: subject.series,
        filter: subject.filter,
        group_by: subject.group_by,
        step_s: MINUTE_S,
        window: (baseline::begin(settings, *first), *last),
    };
    let mut answers = gather::cells(app, project, &[((), wish)]).await?;
    if let Some(fault) = answers.failed.remove(&()) {
        return Err(fault);
    }
    let cells = answers.cells.remove(&()).unwrap_or_default();
    for as_of in days {
        found.add(settings, &cells, subject.series.aggregate, *as_of);
    }
    Ok(found)
}

/// The instants at which was worked out what holds for the steps after an instant up to another.
fn refreshes(
    settings: &AlertSettings,
    (after, until): (Timestamp, Timestamp),
) -> BTreeSet<Timestamp> {
    let first = settings.refreshed_before(after);
    let mut found = BTreeSet::from([first]);
    let mut at = settings.refreshed_before(until);
    while at > first && found.insert(at) {
        at = settings.refreshed_before(at.minus(Nanos(1)));
    }
    found
}
