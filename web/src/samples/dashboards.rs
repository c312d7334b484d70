//! The overview, dashboards, and the page on which a widget is made.

use std::sync::Arc;

use domain::axes::AxisLine;
use domain::dashboard::{Dashboard, DashboardSummary, Document};
use domain::metrics::{Bar, Group, Row, Value};
use domain::{DashboardId, Fault, Timestamp};
use service::axes::Picture;
use service::dashboards::Answer;
use uuid::Uuid;

use super::{HOSTILE, Load, Sample, data, sample};
use crate::extract::{Pairs, Reader};
use crate::pages::dashboards::samples::{builder, drawn, starter};
use crate::pages::dashboards::{DashboardPage, DashboardsPage};
use crate::pages::overview::samples::{ASKED, told};
use crate::pages::overview::{OverviewPage, Told};
use crate::pages::traces::query::ListQuery;

/// All of them.
pub(super) fn all(reader: &Reader) -> Vec<Sample> {
    vec![
        sample("overview", &overview(reader, Load::Typical)),
        sample("overview-none", &overview(reader, Load::Empty)),
        sample("overview-overfull", &overview(reader, Load::Overfull)),
        sample("dashboards", &list(reader, Load::Typical)),
        sample("dashboards-none", &list(reader, Load::Empty)),
        sample("dashboards-overfull", &list(reader, Load::Overfull)),
        sample("dashboard", &show(reader, Load::Typical)),
        sample("dashboard-none", &show(reader, Load::Empty)),
        sample("dashboard-overfull", &show(reader, Load::Overfull)),
        sample(
            "widget",
            &builder(reader, &dashboard(Load::Typical), answer(Load::Typical, 1)),
        ),
        sample(
            "widget-overfull",
            &builder(
                reader,
                &dashboard(Load::Overfull),
                answer(Load::Overfull, 1),
            ),
        ),
    ]
}

fn query(reader: &Reader, load: Load) -> ListQuery {
    let hostile: String = form_urlencoded::byte_serialize(HOSTILE.as_bytes()).collect();
    let address = match load {
        Load::Overfull => format!("range=24h&f=model:is:{hostile}"),
        _ => "range=6h".to_owned(),
    };
    let read = ListQuery::read(&Pairs::parse(address.as_bytes()), reader.zone());
    read.map(|read| read.query).unwrap_or_default()
}

/// Something between 0 and 1.
fn wave(at: usize) -> f64 {
    0.5 + 0.5 * (at as f64 / 9.0).sin() * (at as f64 / 4.1).cos()
}

fn overview(reader: &Reader, load: Load) -> OverviewPage {
    let (query, now) = (query(reader, load), data::now());
    let (is_empty, is_overfull) = (load == Load::Empty, load == Load::Overfull);
    let mut told: Told = told(query.bounds(now), reader.zone());
    let count = usize::try_from(told.steps.count()).unwrap_or(0);
    let scale = |series: &str| match series {
        it if it.contains("_ms") => 2_400.0,
        it if it.contains(":count") || it.contains("waiting") => 40.0,
        _ => 1.0,
    };
    let line = |(at, series): (usize, &&str)| {
        let value = |step| (!is_empty).then(|| scale(series) * (0.2 + 0.8 * wave(step + 31 * at)));
        vec![AxisLine {
            group: Vec::new(),
            values: (0..count).map(value).collect(),
            counts: vec![1; count],
        }]
    };
    told.picture = Picture {
        answers: ASKED.iter().enumerate().map(line).collect(),
        requests: if is_empty { 0 } else { 38_220 },
        is_sample: is_overfull,
        fleet: (!is_empty, !is_empty),
        values: vec![(
            domain::axes::Dimension::Model,
            vec![(
                Arc::from(if is_overfull { HOSTILE } else { "qwen3-32b" }),
                3,
            )],
        )],
        ..Picture::default()
    };
    if !is_empty {
        let models = if is_overfull { 40 } else { 3 };
        told.by_model = (0..models)
            .flat_map(|model| (0..count).map(move |step| (model, step)))
            .map(|(model, step)| Row {
                groups: vec![text(&name(model, load)), text("generation")],
                time: Some(
                    told.steps
                        .from
                        .plus(domain::Nanos(told.steps.step.0 * step as u64)),
                ),
                values: [30.0, 9_000.0, 900.0, 0.02]
                    .map(|most| Value::Number(Some(most * wave(step + 7 * model))))
                    .to_vec(),
            })
            .collect();
        let names = |groups: usize| {
            let rows = (0..5).map(|at| Row {
                groups: (0..groups).map(|_| text(&name(at, load))).collect(),
                time: None,
                values: vec![Value::Number(Some(16.9 / (at + 1) as f64))],
            });
            rows.collect()
        };
        (told.by_tenant, told.by_prompt) = (names(1), names(2));
    }
    OverviewPage::new(reader, (&query, &told), now)
}

fn text(text: &str) -> Group {
    Group::Text(Some(text.to_owned()))
}

fn name(at: usize, load: Load) -> String {
    let names = [
        "qwen3-32b",
        "qwen3-8b",
        "bge-m3",
        "gpt-5-mini",
        "llama-4-70b",
    ];
    match load {
        Load::Overfull => format!("{at} {HOSTILE}"),
        _ => names[at % names.len()].to_owned(),
    }
}

fn id(at: u128) -> DashboardId {
    DashboardId(Uuid::from_u128(at))
}

fn list(reader: &Reader, load: Load) -> DashboardsPage {
    let summary = |at: u32| DashboardSummary {
        id: id(at.into()),
        name: match load {
            Load::Overfull => HOSTILE.to_owned(),
            _ => ["Latency of the copilot", "Cost by tenant", "Judges"][at as usize % 3].to_owned(),
        },
        description: match load {
            Load::Overfull => HOSTILE.repeat(2),
            _ => "What the team looks at every morning.".to_owned(),
        },
        widgets: 4 + at,
        updated_at: data::now(),
    };
    let count = match load {
        Load::Empty => 0,
        Load::Overfull => 120,
        _ => 3,
    };
    let all: Vec<DashboardSummary> = (0..count).map(summary).collect();
    DashboardsPage::new(reader, &all, data::now())
}

fn dashboard(load: Load) -> Dashboard {
    let mut document = match load {
        Load::Empty => Document {
            name: "Empty".to_owned(),
            ..Document::default()
        },
        _ => starter(),
    };
    if load == Load::Overfull {
        (document.name, document.description) = (HOSTILE.to_owned(), HOSTILE.to_owned());
        for widget in &mut document.widgets {
            widget.title = HOSTILE.to_owned();
        }
    }
    Dashboard {
        id: id(1),
        document,
        revision: 1,
        created_at: Timestamp::EPOCH,
        updated_at: data::now(),
    }
}

/// What a widget might come to; `at` makes them differ.
fn answer(
    load: Load,
    at: usize,
) -> impl Fn(&domain::dashboard::Widget, usize) -> Result<Answer, Fault> {
    use domain::dashboard::Chart;
    move |widget, pieces| {
        let groups = if load == Load::Overfull { 20 } else { 4 };
        let named = |group: usize| Some(name(group, load));
        Ok(match widget.chart {
            Chart::Number => Answer::Number(Some(14_204.0 * wave(at + 3))),
            Chart::Table | Chart::Bar => {
                let rows = (0..groups).map(|group| (named(group), Some(90.0 / (group + 1) as f64)));
                Answer::Groups(rows.collect(), load == Load::Overfull)
            }
            Chart::Histogram => {
                let bar = |at: u32| Bar {
                    lower: 100.0 * f64::from(at),
                    upper: 100.0 * f64::from(at + 1),
                    height: 80.0 * wave(at as usize),
                };
                Answer::Bars((0..24).map(bar).collect())
            }
            _ if load == Load::Overfull && at.is_multiple_of(3) => {
                return Err(Fault::unavailable(HOSTILE));
            }
            _ => {
                let line = |group: usize| {
                    let values = (0..pieces).map(|step| Some(900.0 * wave(step + 13 * group)));
                    (named(group), values.collect())
                };
                Answer::OverTime((0..groups).map(line).collect(), load == Load::Overfull)
            }
        })
    }
}

fn show(reader: &Reader, load: Load) -> DashboardPage {
    let dashboard = dashboard(load);
    let query = ListQuery::default();
    let views = drawn(reader, (&dashboard, &query), data::now(), &answer(load, 1));
    DashboardPage::new(reader, (&dashboard, views), (&query, data::now()))
}
