//! The list of traces with its chart.

use std::sync::Arc;

use askama::Template;
use axum::extract::State;
use axum::response::IntoResponse;
use domain::filter::{Column, Operator};
use domain::page::{Limit, Page};
use domain::saved_view::default_for;
use domain::tenancy::Permission;
use domain::trace::{Density, TraceSummary};
use domain::{Fault, Nanos, ProjectId, Timestamp};
use http::{HeaderMap, StatusCode};
use service::{App, datasets, live, saved_views, traces};

use super::columns::{COLUMNS, OPERATORS, column_name};
use super::facets::{self, FacetHead};
use super::first;
use super::query::{ListQuery, Range};
use super::search_words;
use super::table::{ListColumn, Table};
use super::views::SaveForm;
use crate::chart::density::{self, DensityChart};
use crate::extract::{InProject, Pairs, Reader};
use crate::form::Field;
use crate::format;
use crate::i18n::{Lang, text};
use crate::layout::{Choice, Frame, Live, RangeControl, Section, Shell};
use crate::pages::{Answer, fragment_target, html, render, see_other};
use crate::urls;

/// Datasets that are offered to add traces to.
const MOST_DATASETS: u32 = 200;
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
    /// The search field.
    pub(crate) search: Field,
    /// Words in it that look like fields and are none.
    pub(crate) unknown_fields: String,
    /// Fields that can be searched by.
    pub(crate) fields: Vec<&'static str>,
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
    /// Rows and columns.
    pub(crate) table: Table,
    /// Columns to choose from.
    pub(crate) choices: Vec<ColumnChoice>,
    /// The list with the columns that it shows by itself; empty where it does.
    pub(crate) usual_columns_url: String,
    /// What the form for columns keeps.
    pub(crate) keep_columns: Vec<(&'static str, String)>,
    /// The panel of facets, where it is open.
    pub(crate) facets: Vec<FacetHead>,
    /// Opens the panel, or closes it.
    pub(crate) facets_url: String,
    /// Saving the state as a view.
    pub(crate) save: SaveForm,
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
    /// Files of all that matches: their formats and addresses.
    pub(crate) export_urls: [(&'static str, String); 2],
    /// Gives the chosen traces as a file.
    pub(crate) export_chosen_url: String,
    /// Where what is done to many at once is asked for.
    pub(crate) jobs_url: String,
    /// Names of datasets that traces can be added to.
    pub(crate) datasets: Vec<String>,
    /// Whether the reader may add to them.
    pub(crate) may_add: bool,
    /// How many match.
    pub(crate) matching: String,
    /// Target of bulk deletion.
    pub(crate) delete_url: String,
    /// Whether the reader may delete.
    pub(crate) may_delete: bool,
    /// Traces in the range without any filter, when filters leave none.
    pub(crate) without_filters_url: String,
}

/// The fields of the filter menu as they were sent, where they make no condition.
#[derive(Default)]
pub(crate) struct FilterForm {
    pub(crate) column: String,
    pub(crate) operator: String,
    pub(crate) value: Field,
}

/// A column that may be shown.
pub(crate) struct ColumnChoice {
    /// In addresses.
    pub(crate) name: &'static str,
    /// In words.
    pub(crate) label: &'static str,
    /// Whether it is.
    pub(crate) is_on: bool,
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

/// Shows the list, or how to begin where there is nothing at all.
pub(crate) async fn list_traces(
    State(app): State<App>,
    entered: InProject,
    headers: HeaderMap,
    pairs: Pairs,
) -> Answer {
    let read = ListQuery::read(&pairs, &entered.reader.visitor.choices.zone)?;
    let (query, id) = (read.query, entered.id());
    let target = fragment_target(&headers);
    let views = match target {
        Some(_) => Vec::new(),
        None => saved_views::list(&app, &entered.scope).await?,
    };
    let default = default_for(&views, entered.reader.visitor.person.id);
    if let (true, Some(view)) = (pairs.0.is_empty(), default) {
        return Ok(see_other(&urls::saved_view(id, view)));
    }
    let form = read.refused.map(|fault| FilterForm {
        column: pairs.get("fc").unwrap_or_default().to_owned(),
        operator: pairs.get("fo").unwrap_or_default().to_owned(),
        value: Field::holding(pairs.get("fv").unwrap_or_default()).with_fault("fv", &fault),
    });
    if read.from_form && form.is_none() {
        return Ok(see_other(&urls::traces(id, &query)));
    }
    let now = app.clock().now();
    let (page, density) = match read.search_error {
        None => read_list(&app, &entered, &query, now).await?,
        Some(_) => nothing(),
    };
    let is_refused = read.search_error.is_some() || form.is_some();
    if !is_refused
        && page.data.is_empty()
        && target.is_none()
        && first::is_empty(&app, &entered).await?
    {
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
    let mut view = ListView::new(&entered.reader, &query, (page, &density), now);
    view.form = form.unwrap_or_default();
    if target.is_none() && view.may_add {
        let (known, _) = datasets::list(&app, &entered.scope, (0, MOST_DATASETS)).await?;
        view.datasets = known
            .into_iter()
            .map(|known| known.name.to_string())
            .collect();
    }
    view.show_views(&entered.reader, &query, &views);
    view.unknown_fields = read.unknown_fields.join(", ");
    if let Some(error) = &read.search_error {
        view.search.error = search_words::error(entered.reader.lang(), error);
    }
    let page = ListPage { shell, frame, view };
    Ok(match target {
        Some("results") => html(page.as_results().render()),
        _ if is_refused => (StatusCode::UNPROCESSABLE_ENTITY, render(&page)).into_response(),
        _ => render(&page),
    })
}

/// In place of the list where it is not known what is looked for.
fn nothing() -> (Page<TraceSummary>, Arc<Density>) {
    let page = Page {
        data: Vec::new(),
        next_cursor: None,
    };
    let density = Density {
        step: Nanos(1),
        buckets: Vec::new(),
        traces: 0,
        errors: 0,
        p95_ms: None,
    };
    (page, Arc::new(density))
}

/// The list with its chart.
async fn read_list(
    app: &App,
    entered: &InProject,
    query: &ListQuery,
    now: Timestamp,
) -> Result<(Page<TraceSummary>, Arc<Density>), Fault> {
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
        (page, density): (Page<TraceSummary>, &Density),
        now: Timestamp,
    ) -> Self {
        let (id, lang) = (reader.id(), reader.lang());
        let zone = reader.zone();
        let table = Table::new(reader, &page.data, query.columns.as_deref(), now);
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
            summary: summary(density, length, lang),
            search: Field::holding(query.text.as_deref().unwrap_or_default()),
            unknown_fields: String::new(),
            fields: search_words::fields(),
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
            views: usual_views(id, query, lang),
            figures: figures(density, length),
            any_errors: density.errors > 0,
            chart: density::draw(density, zone),
            chart_range: (from.to_string(), to.to_string()),
            choices: column_choices(query, &table, lang),
            usual_columns_url: match query.columns {
                Some(_) => urls::traces(id, &query.changed(|query| query.columns = None)),
                None => String::new(),
            },
            keep_columns: query.changed(|query| query.columns = None).to_pairs(),
            table,
            facets: facets::heads(id, query, lang),
            facets_url: urls::traces(
                id,
                &query.changed(|query| {
                    query.facets = match query.facets {
                        Some(_) => None,
                        None => Some(Vec::new()),
                    };
                }),
            ),
            save: SaveForm::new(reader, query),
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
            export_urls: [("CSV", "csv"), ("JSONL", "jsonl")]
                .map(|(label, format)| (label, urls::export(id, &query.changed(|_| {}), format))),
            export_chosen_url: urls::export_chosen(id),
            jobs_url: urls::jobs(id),
            datasets: Vec::new(),
            may_add: reader.may(Permission::ChangeDatasets),
            matching: format::count(density.traces),
            delete_url: urls::traces_delete(id),
            may_delete: reader.may(Permission::ChangeTelemetry),
            without_filters_url: without_filters(id, query),
        }
    }
}

fn summary(density: &Density, length: Nanos, lang: Lang) -> String {
    let traces = format::count(density.traces);
    lang.fill("{} in {}", &[&traces, &format::range_length(length)])
}

/// Rate, share of errors, latency.
fn figures(density: &Density, length: Nanos) -> [String; 3] {
    [
        format::rate(density.traces, length),
        format::percent(density.errors, density.traces),
        density
            .p95_ms
            .map_or(format::NOTHING.to_owned(), format::latency),
    ]
}

/// The whole range; empty where nothing narrows it.
fn without_filters(id: ProjectId, query: &ListQuery) -> String {
    if !query.is_narrowed() {
        return String::new();
    }
    let wider = ListQuery {
        range: query.range,
        ..ListQuery::default()
    };
    urls::traces(id, &wider)
}

fn column_choices(query: &ListQuery, table: &Table, lang: Lang) -> Vec<ColumnChoice> {
    let is_on = |column: ListColumn, label: &str| match &query.columns {
        Some(chosen) => chosen.contains(&column),
        None => table.heads.iter().any(|head| head.label == label),
    };
    ListColumn::all(lang)
        .map(|(column, label)| ColumnChoice {
            name: column.name(),
            label,
            is_on: is_on(column, label),
        })
        .collect()
}

/// All traces of the range, and only those with an error.
pub(super) fn usual_views(id: domain::ProjectId, query: &ListQuery, lang: Lang) -> Vec<Choice> {
    let all = query.changed(|query| {
        *query = ListQuery {
            range: query.range,
            live: query.live,
            zone: query.zone.take(),
            ..ListQuery::default()
        };
    });
    let errors = query.changed(|query| {
        query.has_error = Some(true);
        query.view = None;
    });
    vec![
        Choice {
            label: lang.t("All").to_owned(),
            url: urls::traces(id, &all),
            current: !query.is_narrowed() && !query.is_of_view(),
        },
        Choice {
            label: lang.t("Errors").to_owned(),
            url: urls::traces(id, &errors),
            current: query.has_error == Some(true) && !query.is_of_view(),
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

pub(super) fn column_label(column: &Column, lang: Lang) -> String {
    let name = column_name(column);
    let known = COLUMNS.into_iter().find(|(known, _)| *known == name);
    known.map_or(name, |(_, label)| lang.t(label).to_lowercase())
}
