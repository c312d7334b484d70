//! The page.

use askama::Template;
use axum::extract::State;
use domain::alert::incident::Incident;
use domain::axes::Dimension;
use domain::filter::{Column, Operator};
use domain::{Fault, Timestamp};
use serde_json::json;
use service::App;

use super::panels::{Desk, PanelRow};
use super::read::{OPEN, Told, chosen, edges, tell};
use crate::chart::clock::{self, Tick};
use crate::extract::{InProject, Pairs, Reader};
use crate::layout::{Choice, Frame, RangeControl, Section, Shell};
use crate::pages::incidents::words as said;
use crate::pages::traces::query::{ListQuery, Range};
use crate::pages::traces::{is_empty, show_first};
use crate::pages::{Answer, render, see_other};
use crate::urls;

/// Values of a menu.
const MOST_CHOICES: usize = 20;

/// The page.
#[derive(Template)]
#[template(path = "overview/show.html")]
pub(crate) struct OverviewPage {
    pub(crate) shell: Shell,
    pub(crate) frame: Frame,
    pub(crate) rows: [PanelRow; 4],
    /// What goes on, the worst first.
    pub(crate) alerts: Vec<AlertLine>,
    /// All that goes on, where not all of it is shown.
    pub(crate) more_alerts_url: String,
    /// What the page can be narrowed to.
    pub(crate) menus: Vec<Menu>,
    /// Traces of the range.
    pub(crate) traces_url: String,
    /// Times below the charts.
    pub(crate) ticks: Vec<Tick>,
    /// Where incidents began, in percent.
    pub(crate) marks: Vec<Mark>,
    /// First and last instant of the charts.
    pub(crate) range: (String, String),
    /// Where steps begin and the last ends, as JSON.
    pub(crate) edges: String,
    /// What each step is called, as JSON.
    pub(crate) times: String,
    /// The zone of all times.
    pub(crate) zone: String,
    /// Whether there were more requests than were read.
    pub(crate) is_sample: bool,
    /// Whether what is usual lies behind any line.
    pub(crate) has_band: bool,
}

/// Something that goes on.
pub(crate) struct AlertLine {
    pub(crate) rule: String,
    pub(crate) what: String,
    pub(crate) state: &'static str,
    pub(crate) url: String,
}

/// Values to narrow the page to.
pub(crate) struct Menu {
    pub(crate) name: &'static str,
    /// What it is narrowed to, or that it is not.
    pub(crate) label: String,
    pub(crate) choices: Vec<Choice>,
}

/// Where an incident began.
pub(crate) struct Mark {
    pub(crate) x: String,
    pub(crate) words: String,
}

/// Shows it, or how to begin where there is nothing at all.
pub(crate) async fn show_overview(
    State(app): State<App>,
    entered: InProject,
    pairs: Pairs,
) -> Answer {
    let reader = &entered.reader;
    let read = ListQuery::read(&pairs, reader.zone())?;
    let query = narrowed(read.query)?;
    if read.from_form {
        return Ok(see_other(&urls::overview(entered.id(), &query)));
    }
    let now = app.clock().now();
    let told = tell(&app, &entered.scope, (&query, reader.zone()), now).await?;
    let has_nothing = told.picture.requests == 0 && told.picture.fleet == (false, false);
    if has_nothing && is_empty(&app, &entered).await? {
        return show_first(&app, &entered, (Section::Overview, pairs.get("how"))).await;
    }
    Ok(render(&OverviewPage::new(reader, (&query, &told), now)))
}

/// The parts of a query that the page has: range, zone, models, tenants.
fn narrowed(query: ListQuery) -> Result<ListQuery, Fault> {
    let is_known = |(column, operator, _): &(Column, Operator, String)| {
        matches!(column, Column::Model | Column::Tenant) && *operator == Operator::AnyOf
    };
    if !query.conditions.iter().all(is_known) {
        return Err(Fault::invalid(
            "the overview is narrowed to models and tenants only",
        ));
    }
    Ok(ListQuery {
        range: query.range,
        conditions: query.conditions,
        zone: query.zone,
        ..ListQuery::default()
    })
}

impl OverviewPage {
    /// Prepares everything for the template.
    pub(crate) fn new(reader: &Reader, (query, told): (&ListQuery, &Told), now: Timestamp) -> Self {
        let (id, lang, zone) = (reader.id(), reader.lang(), reader.zone());
        let shell = Frame::shell(reader);
        let mut frame = Frame::new(reader, Section::Overview);
        let look = (&shell, &reader.visitor.choices);
        frame.range = Some(RangeControl::new(
            &|query| urls::overview(id, query),
            query,
            look,
            now,
        ));
        let edges = edges(&told.steps);
        let first = told.steps.from;
        let last = edges.last().copied().unwrap_or(told.steps.to);
        let (from, to) = told.range;
        let of_range = query.changed(|query| query.range = Range::Between(from, to));
        let traces_of = |pairs: &[(&str, &str)]| {
            let narrowed = of_range.changed(|query| {
                for (name, value) in pairs {
                    let column = match *name {
                        "tenant" => Column::Tenant,
                        "prompt_version" => Column::PromptVersion,
                        _ => Column::Prompt,
                    };
                    let condition = (column, Operator::AnyOf, (*value).to_owned());
                    query.conditions.push(condition);
                }
            });
            urls::traces(id, &narrowed)
        };
        let desk = Desk {
            told,
            lang,
            now,
            traces_of: &traces_of,
        };
        let times = edges.windows(2).map(|pair| zone.span(pair[0], pair[1]));
        let instants: Vec<String> = edges.iter().map(ToString::to_string).collect();
        let rows = desk.rows();
        let panels = rows.iter().flat_map(|row| &row.panels);
        let mut plots = panels.filter_map(|panel| panel.plot.as_ref());
        OverviewPage {
            has_band: plots.any(|plot| plot.has_band),
            rows,
            alerts: alerts(reader, &told.open),
            more_alerts_url: match told.open.len() > OPEN as usize {
                true => urls::incidents(id),
                false => String::new(),
            },
            menus: menus(reader, query, told),
            traces_url: urls::traces(id, &of_range),
            ticks: thinned(clock::ticks((first, last), zone)),
            marks: marks(reader, told, (first, last)),
            range: (first.to_string(), last.to_string()),
            edges: json!(instants).to_string(),
            times: json!(times.collect::<Vec<_>>()).to_string(),
            zone: zone.offset(last),
            is_sample: told.picture.is_sample,
            shell,
            frame,
        }
    }
}

/// Panels are narrow: every other time, where there are many.
fn thinned(ticks: Vec<Tick>) -> Vec<Tick> {
    let every = ticks.len().div_ceil(4).max(1);
    ticks.into_iter().skip(every / 2).step_by(every).collect()
}

fn alerts(reader: &Reader, open: &[Incident]) -> Vec<AlertLine> {
    let lang = reader.lang();
    let lines = open.iter().take(OPEN as usize);
    lines
        .map(|incident| AlertLine {
            rule: incident.subject.rule_name.clone(),
            what: said::what(&incident.subject, None, lang),
            state: crate::pages::alerts::words::state(incident.state, lang),
            url: urls::incident(reader.id(), incident.id),
        })
        .collect()
}

fn marks(reader: &Reader, told: &Told, range: (Timestamp, Timestamp)) -> Vec<Mark> {
    let within = told
        .incidents
        .iter()
        .filter(|incident| range.0 <= incident.onset && incident.onset < range.1);
    within
        .map(|incident| Mark {
            x: crate::chart::number(clock::place(incident.onset, range)),
            words: format!(
                "{} {}",
                reader.zone().tick(incident.onset, false),
                incident.subject.rule_name
            ),
        })
        .collect()
}

/// Models and tenants of the range, each with the page that is narrowed to it.
fn menus(reader: &Reader, query: &ListQuery, told: &Told) -> Vec<Menu> {
    let (id, lang) = (reader.id(), reader.lang());
    let menu = |name: &'static str, all: &'static str, (dimension, column): (Dimension, Column)| {
        let chosen = chosen(query, &column);
        let with = |value: Option<&str>| {
            let changed = query.changed(|query| {
                query.conditions.retain(|(known, ..)| *known != column);
                let condition = value.map(|it| (column.clone(), Operator::AnyOf, it.to_owned()));
                query.conditions.extend(condition);
            });
            urls::overview(id, &changed)
        };
        let mut choices = vec![Choice {
            label: all.to_owned(),
            url: with(None),
            current: chosen.is_empty(),
        }];
        let values = told
            .picture
            .values
            .iter()
            .find(|(known, _)| *known == dimension);
        let values = values.into_iter().flat_map(|(_, values)| values);
        choices.extend(values.take(MOST_CHOICES).map(|(value, _)| Choice {
            label: value.to_string(),
            url: with(Some(value.as_ref())),
            current: chosen.iter().any(|it| **it == **value),
        }));
        Menu {
            name,
            label: match chosen.as_slice() {
                [] => all.to_owned(),
                some => some.join(", "),
            },
            choices,
        }
    };
    let all = [
        menu(
            lang.t("Model"),
            lang.t("All models"),
            (Dimension::Model, Column::Model),
        ),
        menu(
            lang.t("Tenant"),
            lang.t("All tenants"),
            (Dimension::Tenant, Column::Tenant),
        ),
    ];
    // A menu with nothing to choose says nothing.
    let offers = |menu: &Menu| menu.choices.len() > 1 || !menu.choices[0].current;
    all.into_iter().filter(offers).collect()
}
