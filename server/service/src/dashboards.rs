//! Dashboards, and what their widgets come to.

use domain::dashboard::{Chart, Dashboard, DashboardSummary, Document, Widget};
use domain::metrics::{Bar, Group, Query, Row, Value};
use domain::tenancy::Permission;
use domain::{Code, DashboardId, Fault, Timestamp};
use store_postgres::dashboards;
use uuid::Uuid;

use crate::app::App;
use crate::metrics;
use crate::scope::ProjectScope;

/// Dashboards of one project.
const MOST: i64 = 200;

/// All of a project, by name.
///
/// # Errors
/// `unavailable` without Postgres.
pub async fn list(app: &App, scope: &ProjectScope) -> Result<Vec<DashboardSummary>, Fault> {
    Ok(dashboards::list(app.postgres(), scope.project_id()).await?)
}

/// One of a project.
///
/// # Errors
/// `not_found`, or `unavailable` without Postgres.
pub async fn show(app: &App, scope: &ProjectScope, id: DashboardId) -> Result<Dashboard, Fault> {
    let found = dashboards::show(app.postgres(), scope.project_id(), id).await?;
    found.ok_or_else(|| none(id))
}

/// Makes one; needs `ChangeDashboards`.
///
/// # Errors
/// `forbidden`, `invalid` on a field, `conflict` when there are too many, or `unavailable` without Postgres.
pub async fn create(
    app: &App,
    scope: &ProjectScope,
    document: Document,
) -> Result<Dashboard, Fault> {
    scope.require(Permission::ChangeDashboards)?;
    let now = app.clock().now();
    let dashboard = Dashboard {
        id: DashboardId(Uuid::now_v7()),
        document: document.checked()?,
        revision: 1,
        created_at: now,
        updated_at: now,
    };
    if dashboards::create(app.postgres(), scope.project_id(), &dashboard, MOST).await? {
        Ok(dashboard)
    } else {
        let message = format!("a project has at most {MOST} dashboards");
        Err(Fault::new(Code::Conflict, message))
    }
}

/// Changes one as it is now, unless somebody else does meanwhile; needs `ChangeDashboards`.
///
/// # Errors
/// `forbidden`, `not_found`, whatever `change` says, `invalid` on a field, `conflict` when it was changed meanwhile, or
/// `unavailable` without Postgres.
pub async fn change(
    app: &App,
    scope: &ProjectScope,
    id: DashboardId,
    change: impl FnOnce(&mut Document) -> Result<(), Fault>,
) -> Result<Dashboard, Fault> {
    scope.require(Permission::ChangeDashboards)?;
    let mut dashboard = show(app, scope, id).await?;
    change(&mut dashboard.document)?;
    dashboard.document = dashboard.document.checked()?;
    let now = app.clock().now();
    let at = (id, dashboard.revision);
    let (db, project) = (app.postgres(), scope.project_id());
    if dashboards::replace(db, project, at, &dashboard.document, now).await? {
        dashboard.revision += 1;
        dashboard.updated_at = now;
        Ok(dashboard)
    } else {
        let message =
            "somebody else changed the dashboard meanwhile: reload the page and try again";
        Err(Fault::new(Code::Conflict, message))
    }
}

/// Deletes one; needs `ChangeDashboards`.
///
/// # Errors
/// `forbidden`, `not_found`, or `unavailable` without Postgres.
pub async fn delete(app: &App, scope: &ProjectScope, id: DashboardId) -> Result<(), Fault> {
    scope.require(Permission::ChangeDashboards)?;
    match dashboards::delete(app.postgres(), scope.project_id(), id).await? {
        true => Ok(()),
        false => Err(none(id)),
    }
}

fn none(id: DashboardId) -> Fault {
    Fault::not_found(format!("no dashboard {id}"))
}

/// A group of an answer; `None`: rows without a value.
pub type GroupName = Option<String>;

/// What a widget comes to.
#[derive(Clone, Debug, PartialEq)]
pub enum Answer {
    /// One number.
    Number(Option<f64>),
    /// A number a group, the greatest first, and whether there are more groups.
    Groups(Vec<(GroupName, Option<f64>)>, bool),
    /// A number a piece of time for each group, and whether there are more groups. Without groups one that has no name.
    OverTime(Vec<(GroupName, Vec<Option<f64>>)>, bool),
    /// How many values lie where.
    Bars(Vec<Bar>),
}

/// A stretch of time, and where its pieces begin.
#[derive(Clone, Debug)]
pub struct Window {
    /// First instant.
    pub from: Timestamp,
    /// First instant after it.
    pub to: Timestamp,
    /// Where pieces begin, in order; the first not after `from`.
    pub edges: Vec<Timestamp>,
}

/// What a widget comes to within a stretch of time. Of many groups those are followed through time that have most.
///
/// # Errors
/// `invalid` for an empty range; `unavailable` or `timeout` when ClickHouse is away or takes too long.
pub async fn answer(
    app: &App,
    scope: &ProjectScope,
    widget: &Widget,
    window: &Window,
) -> Result<Answer, Fault> {
    let question = &widget.question;
    let range = (window.from, window.to);
    if widget.chart == Chart::Histogram {
        let rows = metrics::kept_rows(app, scope, &question.histogram(range)?).await?;
        return Ok(Answer::Bars(bars(rows)));
    }
    let has_groups = question.by.is_some();
    let is_over_time = widget.chart.is_over_time(has_groups);
    if !has_groups && is_over_time {
        let query = question.over_time(range, window.edges.clone(), &[])?;
        let rows = metrics::kept_rows(app, scope, &query).await?;
        let values = over_time(&query, &window.edges, rows.iter());
        return Ok(Answer::OverTime(vec![(None, values)], false));
    }
    let mut rows = metrics::kept_rows(app, scope, &question.overall(range)?).await?;
    if !has_groups {
        return Ok(Answer::Number(rows.first().and_then(number)));
    }
    let has_more = rows.len() > usize::from(question.top);
    rows.truncate(usize::from(question.top));
    if !is_over_time || rows.is_empty() {
        let groups = rows.iter().map(|row| (name(row), number(row)));
        return Ok(match is_over_time {
            true => Answer::OverTime(Vec::new(), false),
            false => Answer::Groups(groups.collect(), has_more),
        });
    }
    let greatest: Vec<Group> = rows
        .iter()
        .filter_map(|row| row.groups.first().cloned())
        .collect();
    let texts: Vec<String> = greatest.iter().map(as_text).collect();
    let query = question.over_time(range, window.edges.clone(), &texts)?;
    let rows = metrics::kept_rows(app, scope, &query).await?;
    let lines = greatest.iter().map(|group| {
        let of_group = rows.iter().filter(|row| row.groups.first() == Some(group));
        (named(group), over_time(&query, &window.edges, of_group))
    });
    Ok(Answer::OverTime(lines.collect(), has_more))
}

fn bars(rows: Vec<Row>) -> Vec<Bar> {
    let first = rows.into_iter().next();
    match first.and_then(|row| row.values.into_iter().next()) {
        Some(Value::Bars(bars)) => bars,
        _ => Vec::new(),
    }
}

fn number(row: &Row) -> Option<f64> {
    match row.values.first() {
        Some(Value::Number(number)) => number.filter(|number| number.is_finite()),
        _ => None,
    }
}

fn name(row: &Row) -> GroupName {
    row.groups.first().and_then(named)
}

fn named(group: &Group) -> GroupName {
    match group {
        Group::Text(text) => text.clone(),
        Group::Texts(texts) if texts.is_empty() => None,
        Group::Texts(texts) => Some(texts.join(", ")),
        Group::Flag(flag) => Some(flag.to_string()),
        Group::Gap => None,
    }
}

/// As conditions compare it.
fn as_text(group: &Group) -> String {
    match group {
        Group::Text(text) => text.clone().unwrap_or_default(),
        Group::Texts(texts) => texts.join(", "),
        Group::Flag(flag) => u8::from(*flag).to_string(),
        Group::Gap => String::new(),
    }
}

/// A value a piece. Counts and sums of nothing are 0.
fn over_time<'r>(
    query: &Query,
    edges: &[Timestamp],
    rows: impl Iterator<Item = &'r Row>,
) -> Vec<Option<f64>> {
    let metrics = &query.asked().metrics;
    let is_zero = metrics
        .iter()
        .all(|metric| metric.aggregation.is_zero_of_nothing());
    let mut values = vec![is_zero.then_some(0.0); edges.len()];
    for row in rows {
        let at = row.time.and_then(|time| edges.binary_search(&time).ok());
        if let Some(cell) = at.and_then(|at| values.get_mut(at)) {
            *cell = number(row);
        }
    }
    values
}

#[cfg(test)]
mod tests {
    use domain::dashboard::Question;
    use domain::metrics::{Aggregation, Measure};

    use super::*;

    fn at(seconds: i64) -> Timestamp {
        Timestamp::from_unix_millis(seconds * 1_000).unwrap()
    }

    fn row(time: i64, value: Option<f64>) -> Row {
        Row {
            groups: Vec::new(),
            time: Some(at(time)),
            values: vec![Value::Number(value)],
        }
    }

    #[test]
    fn each_value_stands_in_its_piece_and_nothing_counts_as_none() {
        let edges = vec![at(0), at(60), at(180)];
        let ask = |question: &Question| {
            question
                .over_time((at(10), at(200)), edges.clone(), &[])
                .unwrap()
        };
        let rows = [row(60, Some(4.0)), row(61, Some(9.0))];
        let counts = over_time(&ask(&Question::default()), &edges, rows.iter());
        assert_eq!(counts, [Some(0.0), Some(4.0), Some(0.0)]);
        let latency = Question {
            measure: Measure::LatencyMs,
            aggregation: Aggregation::P95,
            ..Question::default()
        };
        let times = over_time(&ask(&latency), &edges, rows.iter());
        assert_eq!(times, [None, Some(4.0), None]);
    }

    #[test]
    fn groups_are_compared_as_they_are_stored() {
        assert_eq!(as_text(&Group::Flag(true)), "1");
        assert_eq!(as_text(&Group::Text(None)), "");
        assert_eq!(named(&Group::Text(None)), None);
        assert_eq!(
            named(&Group::Texts(vec!["a".into(), "b".into()])),
            Some("a, b".to_owned())
        );
    }
}
