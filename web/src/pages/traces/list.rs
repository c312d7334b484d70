//! The list of traces with its chart.

use askama::Template;
use axum::extract::State;
use axum::response::IntoResponse;
use domain::filter::{Column, Operator};
use domain::page::{Limit, Page};
use domain::tenancy::Permission;
use domain::trace::{Density, TraceSummary};
use domain::{Fault, Nanos, Timestamp};
use http::{HeaderMap, StatusCode};
use service::{App, live, traces};

use super::columns::{COLUMNS, OPERATORS, column_name};
use super::first;
use super::query::{ListQuery, Range};
use crate::chart::density::{self, DensityChart};
use crate::content;
use crate::extract::{InProject, Pairs, Reader};
use crate::form::Field;
use crate::format::{self, Figure};
use crate::i18n::{Lang, text};
use crate::layout::{Choice, Frame, Live, RangeControl, Section, Shell};
use crate::pages::{Answer, fragment_target, html, render, see_other};
use crate::urls;

/// Columns of the chart.
const CHART_COLUMNS: u32 = 120;

/// The list of traces.
#[derive(Template)]
#[template(path = "traces/list.html", blocks = ["results"])]
pub(crate) struct ListPage {
    pub(crate) shell: Shell,
    pub(crate) frame: Frame,
    pub(crate) view: ListView,
}

/// What the list shows.
pub(crate) struct ListView {
    /// Beside the title: how many in how long.
    pub(crate) summary: String,
    /// Free text of the search field.
    pub(crate) text: String,
    /// Filters in force.
    pub(crate) chips: Vec<Chip>,
    /// What the search and filter forms keep.
    pub(crate) keep: Vec<(&'static str, String)>,
    /// Target of both forms.
    pub(crate) action: String,
    /// Columns of the filter menu.
    pub(crate) columns: Vec<(&'static str, &'static str)>,
    /// Operators of the filter menu.
    pub(crate) operators: Vec<(&'static str, &'static str)>,
    /// What was wrong in the filter menu, if it was just sent.
    pub(crate) form: FilterForm,
    /// All, and only failed ones.
    pub(crate) views: Vec<Choice>,
    /// Requests, errors, p95 over the range.
    pub(crate) figures: [String; 3],
    /// Whether there are errors in the range.
    pub(crate) any_errors: bool,
    /// Columns over time.
    pub(crate) chart: DensityChart,
    /// First and last instant of the chart, for the brush.
    pub(crate) chart_range: (String, String),
    /// Rows.
    pub(crate) rows: Vec<Row>,
    /// Columns that have something to show: what no row has takes no room.
    pub(crate) shows: Shows,
    /// The next page; empty at the end.
    pub(crate) next_url: String,
    /// The newest page; empty there.
    pub(crate) newest_url: String,
    /// Position of this page.
    pub(crate) position: String,
    /// The live switch is on.
    pub(crate) live: bool,
    /// Tells when there are new traces.
    pub(crate) live_url: String,
    /// This very list.
    pub(crate) here: String,
    /// Target of bulk deletion.
    pub(crate) delete_url: String,
    /// Whether the reader may delete.
    pub(crate) may_delete: bool,
    /// Traces in the range without any filter, when filters leave none.
    pub(crate) without_filters_url: String,
}

/// Which of the columns that may be empty are not.
#[derive(Clone, Copy, Default)]
pub(crate) struct Shows {
    pub(crate) model: bool,
    pub(crate) prompt: bool,
    pub(crate) ttft: bool,
    pub(crate) tokens: bool,
    pub(crate) cost: bool,
    pub(crate) user: bool,
    pub(crate) place: bool,
}

impl Shows {
    fn of(rows: &[Row]) -> Self {
        let any = |has: fn(&Row) -> bool| rows.iter().any(has);
        Shows {
            model: any(|row| !row.model.is_empty()),
            prompt: any(|row| !row.prompt.is_empty()),
            ttft: any(|row| !row.ttft.none),
            tokens: any(|row| !row.input.none || !row.output.none),
            cost: any(|row| !row.cost.none),
            user: any(|row| !row.user.is_empty()),
            place: any(|row| !row.place.is_empty()),
        }
    }
}

/// The fields of the filter menu as they were sent, where they make no condition.
#[derive(Default)]
pub(crate) struct FilterForm {
    pub(crate) column: String,
    pub(crate) operator: String,
    pub(crate) value: Field,
}

/// A filter in force.
pub(crate) struct Chip {
    /// What is compared, and how where it is not `is`.
    pub(crate) key: String,
    /// With what.
    pub(crate) value: String,
    /// Whether it denies.
    pub(crate) denies: bool,
    /// The list without it.
    pub(crate) remove_url: String,
}

/// A trace.
pub(crate) struct Row {
    pub(crate) id: String,
    pub(crate) url: String,
    pub(crate) time: String,
    pub(crate) time_exact: String,
    pub(crate) name: String,
    pub(crate) said: String,
    pub(crate) failed: bool,
    /// The first of its models.
    pub(crate) model: String,
    /// `+2` where there are more.
    pub(crate) more_models: String,
    pub(crate) models: String,
    pub(crate) prompt: String,
    pub(crate) latency: Figure,
    pub(crate) ttft: Figure,
    pub(crate) input: Figure,
    pub(crate) output: Figure,
    pub(crate) cost: Figure,
    pub(crate) user: String,
    pub(crate) place: String,
}

/// Shows the list, or how to begin where there is nothing at all.
pub(crate) async fn list_traces(
    State(app): State<App>,
    entered: InProject,
    headers: HeaderMap,
    pairs: Pairs,
) -> Answer {
    let read = ListQuery::read(&pairs, &entered.reader.visitor.choices.zone)?;
    let (query, id) = (read.query, entered.id());
    let form = read.refused.map(|fault| FilterForm {
        column: pairs.get("fc").unwrap_or_default().to_owned(),
        operator: pairs.get("fo").unwrap_or_default().to_owned(),
        value: Field::holding(pairs.get("fv").unwrap_or_default()).with_fault("fv", &fault),
    });
    if read.from_form && form.is_none() {
        return Ok(see_other(&urls::traces(id, &query)));
    }
    let now = app.clock().now();
    let (page, density) = read_list(&app, &entered, &query, now).await?;
    let target = fragment_target(&headers);
    if page.data.is_empty() && target.is_none() && first::is_empty(&app, &entered).await? {
        return first::show_first(&app, &entered, (Section::Traces, pairs.get("how"))).await;
    }
    let shell = Frame::shell(&entered.reader);
    let mut frame = Frame::new(&entered.reader, Section::Traces);
    frame.live = Some(Live::new(id, &query));
    frame.range = Some(RangeControl::new(
        &|query| urls::traces(id, query),
        &query,
        (&shell, &entered.reader.visitor.choices),
        now,
    ));
    let mut view = ListView::new(&entered.reader, &query, (page, density), now);
    let refused = form.is_some();
    view.form = form.unwrap_or_default();
    let page = ListPage { shell, frame, view };
    Ok(match target {
        Some("results") => html(page.as_results().render()),
        _ if refused => (StatusCode::UNPROCESSABLE_ENTITY, render(&page)).into_response(),
        _ => render(&page),
    })
}

/// The list with its chart.
async fn read_list(
    app: &App,
    entered: &InProject,
    query: &ListQuery,
    now: Timestamp,
) -> Result<(Page<TraceSummary>, Density), Fault> {
    let (scope, limit) = (&entered.scope, Limit::default());
    if query.live && query.cursor.is_none() {
        // All that are told of news ask within the same second, and most of them the same.
        let filter = query.filter(now.whole_seconds());
        return live::newest(app, scope, &filter, (limit, CHART_COLUMNS)).await;
    }
    let filter = query.filter(now);
    let (page, density) = tokio::join!(
        traces::list(app, scope, &filter, limit, query.cursor.as_ref()),
        traces::density(app, scope, &filter, CHART_COLUMNS),
    );
    Ok((page?, density?))
}

impl ListView {
    /// Prepares everything for the template.
    pub(crate) fn new(
        reader: &Reader,
        query: &ListQuery,
        (page, density): (Page<TraceSummary>, Density),
        now: Timestamp,
    ) -> Self {
        let (id, lang) = (reader.id(), reader.lang());
        let zone = reader.zone();
        let rows: Vec<Row> = page
            .data
            .iter()
            .map(|trace| row(reader, trace, now))
            .collect();
        let (from, to) = query.bounds(now);
        let shown_to = to.min(now);
        let length = if from < shown_to {
            shown_to - from
        } else {
            Nanos(0)
        };
        let keep = query.changed(|query| query.text = None);
        let position = match query.cursor {
            None => format!("1–{}", page.data.len()),
            Some(_) => lang.fill("{} traces, older ones", &[&page.data.len().to_string()]),
        };
        ListView {
            summary: lang.fill(
                "{} in {}",
                &[
                    &format::count(density.traces),
                    &format::range_length(length),
                ],
            ),
            text: query.text.clone().unwrap_or_default(),
            chips: chips(id, query, lang),
            keep: keep.to_pairs(),
            action: urls::traces_home(id),
            columns: COLUMNS
                .into_iter()
                .map(|(name, label)| (name, lang.t(label)))
                .collect(),
            operators: OPERATORS
                .into_iter()
                .map(|(name, label, _)| (name, lang.t(label)))
                .collect(),
            form: FilterForm::default(),
            views: views(id, query, lang),
            figures: [
                format::rate(density.traces, length),
                format::percent(density.errors, density.traces),
                density
                    .p95_ms
                    .map_or(format::NOTHING.to_owned(), format::latency),
            ],
            any_errors: density.errors > 0,
            chart: density::draw(&density, zone),
            chart_range: (from.to_string(), to.to_string()),
            shows: Shows::of(&rows),
            rows,
            next_url: page.next_cursor.map_or(String::new(), |cursor| {
                urls::traces(id, &query.changed(|query| query.cursor = Some(cursor)))
            }),
            newest_url: match query.cursor {
                None => String::new(),
                Some(_) => urls::traces(id, &query.changed(|_| {})),
            },
            position,
            live: query.live && matches!(query.range, Range::Last(_)) && query.cursor.is_none(),
            live_url: urls::traces_live(id),
            here: urls::traces(id, query),
            delete_url: urls::traces_delete(id),
            may_delete: reader.may(Permission::ChangeTelemetry),
            without_filters_url: if query.is_narrowed() {
                let wider = ListQuery {
                    range: query.range,
                    ..ListQuery::default()
                };
                urls::traces(id, &wider)
            } else {
                String::new()
            },
        }
    }
}

/// All traces of the range, and only those with an error.
fn views(id: domain::ProjectId, query: &ListQuery, lang: Lang) -> Vec<Choice> {
    let all = query.changed(|query| {
        *query = ListQuery {
            range: query.range,
            live: query.live,
            zone: query.zone.take(),
            ..ListQuery::default()
        };
    });
    let errors = query.changed(|query| query.has_error = Some(true));
    vec![
        Choice {
            label: lang.t("All").to_owned(),
            url: urls::traces(id, &all),
            current: !query.is_narrowed(),
        },
        Choice {
            label: lang.t("Errors").to_owned(),
            url: urls::traces(id, &errors),
            current: query.has_error == Some(true),
        },
    ]
}

fn chips(id: domain::ProjectId, query: &ListQuery, lang: Lang) -> Vec<Chip> {
    let mut chips = Vec::new();
    for (at, (column, operator, value)) in query.conditions.iter().enumerate() {
        let words = OPERATORS.iter().find(|(.., known)| known == operator);
        let words = words.map_or("", |(_, words, _)| lang.t(words));
        let name = column_label(column, lang);
        chips.push(Chip {
            key: if *operator == Operator::AnyOf {
                name
            } else {
                format!("{name} {words}")
            },
            value: value.clone(),
            denies: matches!(operator, Operator::NoneOf | Operator::DoesNotContain),
            remove_url: urls::traces(id, &query.changed(|q| drop(q.conditions.remove(at)))),
        });
    }
    if let Some(has_error) = query.has_error {
        chips.push(Chip {
            key: lang.t("error").to_owned(),
            value: lang
                .t(if has_error { text!("yes") } else { text!("no") })
                .to_owned(),
            denies: false,
            remove_url: urls::traces(id, &query.changed(|q| q.has_error = None)),
        });
    }
    if let Some(ms) = query.min_ms {
        chips.push(Chip {
            key: lang.t("latency at least").to_owned(),
            value: format::latency(ms),
            denies: false,
            remove_url: urls::traces(id, &query.changed(|q| q.min_ms = None)),
        });
    }
    chips
}

fn column_label(column: &Column, lang: Lang) -> String {
    let name = column_name(column);
    let known = COLUMNS.into_iter().find(|(known, _)| *known == name);
    known.map_or(name, |(_, label)| lang.t(label).to_lowercase())
}

fn row(reader: &Reader, trace: &TraceSummary, now: Timestamp) -> Row {
    let zone = reader.zone();
    let failed = trace.error_count > 0;
    let said = match (&trace.first_error, &trace.input_preview) {
        (Some(error), _) => error.clone(),
        (None, Some(input)) => content::preview(input),
        (None, None) => String::new(),
    };
    let place = match &trace.tenant {
        Some(tenant) => tenant.clone(),
        None if trace.environment == domain::span::DEFAULT_ENVIRONMENT => String::new(),
        None => trace.environment.clone(),
    };
    Row {
        id: trace.trace_id.to_string(),
        url: urls::trace(reader.id(), &trace.trace_id),
        time: zone.row_time(trace.start, now),
        time_exact: zone.exact(trace.start),
        name: trace.name.clone(),
        said,
        failed,
        model: trace.models.first().cloned().unwrap_or_default(),
        more_models: match trace.models.len() {
            0 | 1 => String::new(),
            many => format!("+{}", many - 1),
        },
        models: trace.models.join(", "),
        prompt: trace
            .prompt
            .as_ref()
            .map_or(String::new(), |(name, version)| {
                // The last part of a dotted name tells prompts apart.
                format!("{} {version}", name.rsplit('.').next().unwrap_or(name))
            }),
        latency: format::nanos(trace.latency()),
        ttft: format::latency_or_nothing(trace.ttft_ms),
        input: format::tokens(trace.input_tokens),
        output: format::tokens(trace.output_tokens),
        cost: format::dollars(trace.cost),
        user: trace.user_id.clone().unwrap_or_default(),
        place,
    }
}
