//! What widgets show: their answers as charts, numbers and rows.

use domain::dashboard::{Chart, OnlyOperator, Pieces, Widget};
use domain::filter::Operator;
use domain::{DashboardId, Fault, ProjectId, Timestamp};
use serde_json::json;
use service::dashboards::{Answer, GroupName, Window};

use super::words;
use crate::chart::clock::Tick;
use crate::chart::plot::{Form, Plot, Series, draw};
use crate::chart::{histogram, lane, number};
use crate::extract::Reader;
use crate::format;
use crate::i18n::Lang;
use crate::measure::{Unit, written};
use crate::pages::traces::query::ListQuery;
use crate::pieces::{self, Piece};
use crate::urls;
use crate::zone::Zone;

/// Pieces of a range that is cut as fits.
const FIT: u64 = 60;
/// Round values at the side.
const TICKS: usize = 4;
/// Times below.
const TIMES: usize = 6;

/// Classes of the series of a chart.
const SERIES: [&str; 20] = [
    "ln s-0",
    "ln s-1",
    "ln s-2",
    "ln s-3",
    "ln s-4",
    "ln s-5",
    "ln s-6",
    "ln s-7",
    "ln s-0 dash-1",
    "ln s-1 dash-1",
    "ln s-2 dash-1",
    "ln s-3 dash-1",
    "ln s-4 dash-1",
    "ln s-5 dash-1",
    "ln s-6 dash-1",
    "ln s-7 dash-1",
    "ln s-0 dash-2",
    "ln s-1 dash-2",
    "ln s-2 dash-2",
    "ln s-3 dash-2",
];
const AREAS: [&str; 8] = [
    "ar s-0", "ar s-1", "ar s-2", "ar s-3", "ar s-4", "ar s-5", "ar s-6", "ar s-7",
];

/// A widget as it is shown.
pub(crate) struct WidgetView {
    pub(crate) id: String,
    pub(crate) title: String,
    /// What it asks, in a line.
    pub(crate) asked: String,
    /// Where it stands, as classes of the grid.
    pub(crate) place: String,
    /// Column, row, width and height.
    pub(crate) at: [u16; 4],
    pub(crate) body: Body,
    /// Said of groups that are not shown.
    pub(crate) more: String,
    pub(crate) links: Links,
}

/// Where the parts of a widget lead.
#[derive(Default)]
pub(crate) struct Links {
    pub(crate) edit: String,
    pub(crate) full: String,
    pub(crate) csv: String,
    pub(crate) copy: String,
    pub(crate) delete: String,
}

/// What a widget shows.
pub(crate) enum Body {
    /// Values over time.
    OverTime(OverTime),
    /// A bar a group.
    Bars(Vec<GroupRow>),
    /// A row a group.
    Table(Vec<GroupRow>),
    /// One number.
    Number(String),
    /// How many values lie where.
    Histogram(HistogramView),
    /// Nothing in the range.
    Nothing(&'static str),
    /// It cannot be told.
    Failed(String),
}

/// Values over time.
pub(crate) struct OverTime {
    pub(crate) plot: Plot,
    pub(crate) ticks: Vec<Tick>,
    /// Where pieces begin and the last ends, as JSON.
    pub(crate) edges: String,
    /// What each is called, as JSON.
    pub(crate) times: String,
    pub(crate) range: (String, String),
    pub(crate) traces_url: String,
}

/// A group with its number.
pub(crate) struct GroupRow {
    pub(crate) name: String,
    /// Of the greatest, in percent.
    pub(crate) share: String,
    pub(crate) amount: String,
    /// Its traces; empty where the list cannot tell them apart.
    pub(crate) url: String,
}

/// How many values lie where.
pub(crate) struct HistogramView {
    pub(crate) chart: histogram::HistogramChart,
    /// What each bar says, with its place.
    pub(crate) bars: Vec<(String, String, String)>,
    pub(crate) about: String,
}

/// How time is cut for a widget.
pub(super) struct Cutting {
    piece: Piece,
    end: Timestamp,
    pub(super) window: Window,
}

impl Cutting {
    /// Of a range, in a zone.
    pub(super) fn new(zone: &Zone, widget: &Widget, range: (Timestamp, Timestamp)) -> Self {
        let piece = match widget.question.pieces {
            Pieces::Auto => Piece::fit(range, FIT),
            Pieces::Minute => Piece::Seconds(60),
            Pieces::Hour => Piece::Seconds(3_600),
            Pieces::Day => Piece::Day,
            Pieces::Week => Piece::Week,
            Pieces::Month => Piece::Month,
        };
        // What is too fine for the range is taken as fits: nobody could tell so many apart.
        let is_fine = (range.1 - range.0).0 / 1_000_000_000 / piece.seconds() > 500;
        let piece = if is_fine {
            Piece::fit(range, FIT * 4)
        } else {
            piece
        };
        let (edges, end) = piece.edges(range, zone);
        Cutting {
            piece,
            end,
            // The first piece may have begun before the range: what is of before is not in it.
            window: Window {
                from: range.0,
                to: range.1,
                edges,
            },
        }
    }
}

/// Who looks at widgets, and how.
#[derive(Clone, Copy)]
pub(super) struct Onlooker<'a> {
    pub(super) lang: Lang,
    pub(super) zone: &'a Zone,
    /// Whose traces they may open; of whoever has but the link of a dashboard none.
    pub(super) project: Option<ProjectId>,
}

impl<'a> From<&'a Reader> for Onlooker<'a> {
    fn from(reader: &'a Reader) -> Self {
        Onlooker {
            lang: reader.lang(),
            zone: reader.zone(),
            project: Some(reader.id()),
        }
    }
}

/// What is needed to show any widget of a dashboard.
pub(super) struct Drawer<'a> {
    pub(super) onlooker: Onlooker<'a>,
    pub(super) query: &'a ListQuery,
    /// The dashboard; none while a widget is only tried.
    pub(super) dashboard: Option<DashboardId>,
}

impl Drawer<'_> {
    /// Prepares one for the template.
    pub(super) fn view(
        &self,
        widget: &Widget,
        cutting: &Cutting,
        answer: Result<Answer, Fault>,
    ) -> WidgetView {
        let lang = self.onlooker.lang;
        let place = widget.place;
        let mut more = String::new();
        let body = match answer {
            Err(fault) => Body::Failed(fault.message),
            Ok(answer) => {
                if matches!(answer, Answer::Groups(_, true) | Answer::OverTime(_, true)) {
                    let top = widget.question.top.to_string();
                    more = lang.fill("the {} greatest of more", &[&top]);
                }
                self.body(widget, cutting, answer)
            }
        };
        WidgetView {
            id: widget.id.to_string(),
            title: widget.title.clone(),
            asked: words::question(&widget.question, widget.chart, lang),
            place: format!(
                "gx-{} gy-{} gw-{} gh-{}",
                place.x, place.y, place.w, place.h
            ),
            at: [place.x.into(), place.y, place.w.into(), place.h.into()],
            body,
            more,
            links: self.links(widget),
        }
    }

    fn links(&self, widget: &Widget) -> Links {
        let Some((project, dashboard)) = self.onlooker.project.zip(self.dashboard) else {
            return Links::default();
        };
        let at = (project, dashboard, widget.id);
        Links {
            edit: urls::widget(at),
            full: urls::dashboard_full(at, self.query),
            csv: urls::widget_csv(at, self.query),
            copy: urls::widget_copy(at),
            delete: urls::widget_delete(at),
        }
    }

    fn body(&self, widget: &Widget, cutting: &Cutting, answer: Answer) -> Body {
        let lang = self.onlooker.lang;
        let nothing = Body::Nothing(lang.t("nothing in this range"));
        let unit = words::unit(&widget.question);
        match answer {
            Answer::Number(value) => Body::Number(
                value.map_or_else(|| format::NOTHING.to_owned(), |it| written(unit, it)),
            ),
            Answer::Groups(groups, _) if groups.is_empty() => nothing,
            Answer::Groups(groups, _) => {
                let rows = self.rows(widget, groups, unit);
                match widget.chart {
                    Chart::Table => Body::Table(rows),
                    _ => Body::Bars(rows),
                }
            }
            Answer::OverTime(groups, _) => {
                let plot = draw(form(widget), &self.series(widget, groups), unit, TICKS);
                plot.map_or(nothing, |plot| {
                    Body::OverTime(self.over_time(widget, cutting, plot))
                })
            }
            Answer::Bars(bars) if bars.is_empty() => nothing,
            Answer::Bars(bars) => {
                let unit = words::unit_of(&widget.question);
                let chart = histogram::draw(&bars, unit);
                let told = bars.iter().zip(&chart.places).map(|(bar, (left, width))| {
                    let words = format!(
                        "{} – {}: {}",
                        written(unit, bar.lower),
                        written(unit, bar.upper),
                        format::trimmed(bar.height, 1)
                    );
                    (number(*left), number(*width), words)
                });
                Body::Histogram(HistogramView {
                    bars: told.collect(),
                    about: widget.title.clone(),
                    chart,
                })
            }
        }
    }

    fn series(&self, widget: &Widget, groups: Vec<(GroupName, Vec<Option<f64>>)>) -> Vec<Series> {
        let lang = self.onlooker.lang;
        let is_area = form(widget) != Form::Lines;
        let class = |at: usize| match is_area {
            true => AREAS[at % AREAS.len()],
            false => SERIES[at % SERIES.len()],
        };
        let has_groups = widget.question.by.is_some();
        let named = |name: GroupName| match name {
            Some(name) => name,
            None if has_groups => lang.t("none").to_owned(),
            None => lang.t(words::measure(widget.question.measure)).to_owned(),
        };
        let lines = groups.into_iter().enumerate();
        lines
            .map(|(at, (name, values))| Series {
                label: named(name),
                class: class(at),
                values,
            })
            .collect()
    }

    fn over_time(&self, widget: &Widget, cutting: &Cutting, plot: Plot) -> OverTime {
        let zone = self.onlooker.zone;
        let begins = &cutting.window.edges;
        let edges: Vec<Timestamp> = begins.iter().copied().chain([cutting.end]).collect();
        let times = edges
            .windows(2)
            .map(|pair| pieces::words(cutting.piece, (pair[0], pair[1]), zone));
        let every = begins.len().div_ceil(TIMES).max(1);
        let ticks = (0..begins.len()).skip(every / 2).step_by(every);
        let instants: Vec<String> = edges.iter().map(ToString::to_string).collect();
        OverTime {
            ticks: ticks
                .map(|at| Tick {
                    x: number(lane::middle(at, begins.len())),
                    text: zone.tick(begins[at], cutting.piece.is_of_days()),
                })
                .collect(),
            times: json!(times.collect::<Vec<_>>()).to_string(),
            range: (
                instants.first().cloned().unwrap_or_default(),
                instants.last().cloned().unwrap_or_default(),
            ),
            edges: json!(instants).to_string(),
            traces_url: self.traces_url(&self.traces(widget)),
            plot,
        }
    }

    fn rows(
        &self,
        widget: &Widget,
        groups: Vec<(GroupName, Option<f64>)>,
        unit: Unit,
    ) -> Vec<GroupRow> {
        let most = groups
            .iter()
            .filter_map(|(_, value)| *value)
            .fold(0.0, f64::max);
        let column = widget.question.by.as_ref();
        let column = column.and_then(|by| words::column(widget.question.view, by));
        let rows = groups.into_iter().map(|(name, value)| {
            let narrowed = column.clone().zip(name.clone());
            GroupRow {
                share: match value {
                    Some(value) if most > 0.0 => number((value / most * 100.0).clamp(0.0, 100.0)),
                    _ => "0".to_owned(),
                },
                amount: value.map_or_else(|| format::NOTHING.to_owned(), |it| written(unit, it)),
                url: narrowed.map_or_else(String::new, |(column, value)| {
                    let query = self.traces(widget).changed(|query| {
                        query.conditions.push((column, Operator::AnyOf, value));
                    });
                    self.traces_url(&query)
                }),
                name: name.unwrap_or_else(|| self.onlooker.lang.t("none").to_owned()),
            }
        });
        rows.collect()
    }

    /// Where traces are; empty for whoever may open none.
    fn traces_url(&self, query: &ListQuery) -> String {
        let project = self.onlooker.project;
        project.map_or_else(String::new, |project| urls::traces(project, query))
    }

    /// The list of traces of the range, narrowed as the widget is, as far as the list can.
    fn traces(&self, widget: &Widget) -> ListQuery {
        self.query.changed(|query| {
            for only in &widget.question.only {
                let operator = match only.operator {
                    OnlyOperator::Is => Operator::AnyOf,
                    OnlyOperator::IsNot => Operator::NoneOf,
                    OnlyOperator::Contains => Operator::Contains,
                    _ => continue,
                };
                if let Some(column) = words::column(widget.question.view, &only.by) {
                    let values = only.values.iter();
                    let conditions = values.map(|it| (column.clone(), operator, it.clone()));
                    query.conditions.extend(conditions);
                }
            }
        })
    }
}

fn form(widget: &Widget) -> Form {
    match widget.chart {
        Chart::Stacked | Chart::Bar => Form::Columns,
        Chart::Heatmap => Form::Heat,
        _ => Form::Lines,
    }
}
