//! One user over a range: charts over time, sessions, traces.

use askama::Template;
use axum::extract::{RawPathParams, State};
use domain::comparison::Test;
use domain::filter::{Column, Condition, Filter, Operator};
use domain::metrics::{
    Aggregation, Condition as MetricCondition, Cut, Dimension, Draft, Field, Granularity, Measure,
    Metric, Row, Value, View,
};
use domain::page::Limit;
use domain::rollup::{Rollup, RollupBy, RollupQuery};
use domain::tenancy::Permission;
use domain::trace::TraceSummary;
use domain::{Fault, Timestamp};
use service::{App, metrics, rollups, traces};

use super::list::mean;
use crate::chart::stack::{self, Series, Stack};
use crate::content;
use crate::extract::{InProject, Pairs, Reader};
use crate::format::{self, Figure};
use crate::layout::{Frame, RangeControl, Section, Shell};
use crate::measure::Unit;
use crate::pages::sessions::{SessionRow, row_tokens, session_row};
use crate::pages::traces::query::ListQuery;
use crate::pages::traces::segment;
use crate::pages::{Answer, render, see_other};
use crate::urls;

/// Sessions and traces that are listed.
const ROWS: u32 = 12;

/// The page.
#[derive(Template)]
#[template(path = "users/show.html")]
pub(crate) struct UserPage {
    pub(crate) shell: Shell,
    pub(crate) frame: Frame,
    pub(crate) id: String,
    pub(crate) list_url: String,
    pub(crate) facts: Vec<(&'static str, Figure)>,
    pub(crate) panels: Vec<PanelView>,
    pub(crate) sessions: Vec<SessionRow>,
    pub(crate) traces: Vec<TraceRow>,
    /// All sessions, all traces.
    pub(crate) sessions_url: String,
    pub(crate) traces_url: String,
    /// Where the user can be forgotten; empty for who may not.
    pub(crate) forget_url: String,
}

/// A chart over time.
pub(crate) struct PanelView {
    pub(crate) title: &'static str,
    pub(crate) now: String,
    pub(crate) chart: Stack,
}

/// A trace.
pub(crate) struct TraceRow {
    pub(crate) url: String,
    pub(crate) time: String,
    pub(crate) exact: String,
    pub(crate) name: String,
    pub(crate) said: String,
    pub(crate) failed: bool,
    pub(crate) latency: Figure,
    pub(crate) cost: Figure,
}

/// All that was read of a user.
pub(crate) struct ToldOfUser {
    pub(crate) id: String,
    /// What the range comes to; `None` where nothing is in it.
    pub(crate) rollup: Option<Rollup>,
    /// First and last instant, ever.
    pub(crate) seen: (Timestamp, Timestamp),
    /// Traces, cost and tokens over time.
    pub(crate) over_time: Vec<Row>,
    pub(crate) sessions: Vec<Rollup>,
    pub(crate) traces: Vec<TraceSummary>,
}

impl UserPage {
    /// Prepares everything for the template.
    pub(crate) fn new(
        reader: &Reader,
        query: &ListQuery,
        told: &ToldOfUser,
        now: Timestamp,
    ) -> Self {
        let project = reader.id();
        let shell = Frame::shell(reader);
        let mut frame = Frame::new(reader, Section::Users);
        let address = |query: &ListQuery| urls::user(project, &told.id, query);
        let look = (&shell, &reader.visitor.choices);
        frame.range = Some(RangeControl::new(&address, query, look, now));
        let all = query.changed(|query| {
            let of_user = (Column::UserId, Operator::AnyOf, told.id.clone());
            query.conditions = vec![of_user];
        });
        let state = crate::pages::sessions::query::RollupState {
            list: all.clone(),
            ..Default::default()
        };
        UserPage {
            facts: facts(reader, told, now),
            panels: panels(reader, told, query.bounds(now)),
            sessions: told
                .sessions
                .iter()
                .map(|row| session_row(reader, row, now))
                .collect(),
            traces: told
                .traces
                .iter()
                .map(|trace| trace_row(reader, trace, now))
                .collect(),
            sessions_url: urls::sessions(project, &state),
            traces_url: urls::traces(project, &all),
            list_url: urls::users_home(project),
            forget_url: match reader.may(Permission::ManageProject) {
                true => urls::deletion_preview(project, &told.id),
                false => String::new(),
            },
            id: told.id.clone(),
            shell,
            frame,
        }
    }
}

fn facts(reader: &Reader, told: &ToldOfUser, now: Timestamp) -> Vec<(&'static str, Figure)> {
    let (lang, zone) = (reader.lang(), reader.zone());
    let words = |text: String, exact: String| Figure {
        text,
        exact,
        none: false,
    };
    let at = |at: Timestamp| words(zone.date_time(at, now), zone.exact(at));
    let mut facts = vec![
        (lang.t("First seen"), at(told.seen.0)),
        (lang.t("Last seen"), at(told.seen.1)),
    ];
    let Some(row) = &told.rollup else {
        return facts;
    };
    let count = |number| format::count_or_nothing(Some(number));
    let plain = |text: String| words(text, String::new());
    facts.extend([
        (lang.t("Traces"), count(row.traces)),
        (lang.t("Sessions"), count(row.sessions)),
        (lang.t("Cost"), format::dollars(row.cost)),
        (lang.t("Tokens"), format::tokens(row_tokens(row))),
        (
            lang.t("Traces with errors"),
            plain(format::percent(row.failed_traces, row.traces)),
        ),
        (
            lang.t("Mean score"),
            plain(format!("{} (n {})", mean(row), row.scores)),
        ),
        (lang.t("Failed checks"), count(row.failed_checks)),
    ]);
    if row.unpriced_calls > 0 {
        facts.push((lang.t("Calls without a price"), count(row.unpriced_calls)));
    }
    facts
}

fn panels(reader: &Reader, told: &ToldOfUser, range: (Timestamp, Timestamp)) -> Vec<PanelView> {
    let lang = reader.lang();
    let starts: Vec<Timestamp> = told.over_time.iter().filter_map(|row| row.time).collect();
    let values = |at: usize| -> Vec<f64> {
        let number = |row: &Row| match row.values.get(at) {
            Some(Value::Number(Some(number))) => *number,
            _ => 0.0,
        };
        told.over_time.iter().map(number).collect()
    };
    [
        (lang.t("Traces"), 0, Unit::Count),
        (lang.t("Cost"), 1, Unit::Usd),
        (lang.t("Tokens"), 2, Unit::Count),
    ]
    .into_iter()
    .map(|(title, at, unit)| {
        let values = values(at);
        let sum: f64 = values.iter().sum();
        let series = [Series {
            name: String::new(),
            values,
        }];
        PanelView {
            title,
            now: crate::measure::written(unit, sum),
            chart: stack::draw(&series, &starts, range, (unit, reader.zone())),
        }
    })
    .collect()
}

fn trace_row(reader: &Reader, trace: &TraceSummary, now: Timestamp) -> TraceRow {
    let said = trace.first_error.clone().unwrap_or_else(|| {
        let input = trace.input_preview.as_deref();
        input.map(content::preview).unwrap_or_default()
    });
    TraceRow {
        url: urls::trace(reader.id(), &trace.trace_id),
        time: reader.zone().row_time(trace.start, now),
        exact: reader.zone().exact(trace.start),
        name: trace.name.clone(),
        said,
        failed: trace.error_count > 0,
        latency: format::nanos(trace.latency()),
        cost: format::dollars(trace.cost),
    }
}

/// Shows it.
pub(crate) async fn show_user(
    State(app): State<App>,
    entered: InProject,
    (params, pairs): (RawPathParams, Pairs),
) -> Answer {
    let missing = || Fault::not_found("there is no user of this id");
    let id = segment(&params, "user").filter(|id| !id.is_empty() && !id.contains('\0'));
    let id = id.ok_or_else(missing)?;
    let (reader, scope) = (&entered.reader, &entered.scope);
    let read = ListQuery::read(&pairs, reader.zone())?;
    if read.from_form {
        return Ok(see_other(&urls::user(entered.id(), id, &read.query)));
    }
    let now = app.clock().now();
    let seen = rollups::seen(&app, scope, &[id]).await?;
    let seen = seen.get(id).copied().ok_or_else(missing)?;
    let range = read.query.bounds(now);
    let own = RollupQuery {
        ids: vec![id.to_owned()],
        ..RollupQuery::new(RollupBy::User, range, 1)
    };
    let of_user = RollupQuery {
        users: vec![id.to_owned()],
        ..RollupQuery::new(RollupBy::Session, range, ROWS)
    };
    let filter = Filter {
        from: Some(range.0),
        to: Some(range.1),
        conditions: vec![Condition {
            column: Column::UserId,
            operator: Operator::AnyOf,
            values: vec![id.to_owned()],
        }],
        ..Filter::default()
    };
    let question = over_time(id, range)
        .check()
        .map_err(|error| Fault::invalid(error.to_string()))?;
    let (rollup, sessions, found, over_time) = tokio::try_join!(
        rollups::list(&app, scope, &own),
        rollups::list(&app, scope, &of_user),
        traces::list(&app, scope, &filter, Limit::new(ROWS)?, None),
        metrics::rows(&app, scope, &question),
    )?;
    let told = ToldOfUser {
        id: id.to_owned(),
        rollup: rollup.rows.into_iter().next(),
        seen,
        over_time,
        sessions: sessions.rows,
        traces: found.data,
    };
    Ok(render(&UserPage::new(reader, &read.query, &told, now)))
}

/// Traces, cost and tokens over time.
fn over_time(user: &str, (from, to): (Timestamp, Timestamp)) -> Draft {
    let metric = |measure, aggregation| Metric {
        measure,
        aggregation,
    };
    Draft {
        view: View::Traces,
        dimensions: Vec::new(),
        by_metadata: Vec::new(),
        metrics: vec![
            metric(Measure::Count, Aggregation::Count),
            metric(Measure::TotalCost, Aggregation::Sum),
            metric(Measure::TotalTokens, Aggregation::Sum),
        ],
        conditions: vec![MetricCondition {
            field: Field::Dimension(Dimension::User),
            test: Test::AnyOf(vec![user.to_owned()]),
        }],
        cut: Some(Cut::By(Granularity::fit(from, to))),
        from,
        to,
        order: Vec::new(),
        limit: None,
        bins: 10,
    }
}
