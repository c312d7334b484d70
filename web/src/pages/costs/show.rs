//! Costs and tokens over time and by what they are for; from each part to its traces.

use askama::Template;
use axum::extract::State;
use domain::cost::{CostBy, CostFilter};
use domain::filter::{Column, Operator};
use domain::{Timestamp, Usd};
use rust_decimal::Decimal;
use rust_decimal::prelude::FromPrimitive as _;
use service::App;
use service::costs::{self, CostReport, CostRow, OVER_TIME, Spent};

use super::query::{CostQuery, by_words};
use crate::chart::number;
use crate::chart::stack::{self, Series, Stack};
use crate::extract::{InProject, Pairs, Reader};
use crate::format::{self, Figure};
use crate::i18n::{Lang, text};
use crate::layout::{Choice, Frame, RangeControl, Section, Shell};
use crate::measure::Unit;
use crate::pages::traces::query::ListQuery;
use crate::pages::{Answer, render, see_other};
use crate::urls;

/// The page.
#[derive(Template)]
#[template(path = "costs/show.html")]
pub(crate) struct CostsPage {
    pub(crate) shell: Shell,
    pub(crate) frame: Frame,
    pub(crate) cache_url: String,
    pub(crate) prices_url: String,
    /// Ways to tell costs apart.
    pub(crate) ways: Vec<Choice>,
    /// The one in force.
    pub(crate) by: &'static str,
    /// What a value of it is read from, where that is not plain; empty otherwise.
    pub(crate) hint: &'static str,
    /// What alone is looked at, and what is left out.
    pub(crate) chips: Vec<Chip>,
    pub(crate) form: FilterForm,
    /// The page without filters; empty where there are none.
    pub(crate) wider_url: String,
    pub(crate) facts: Vec<(&'static str, Figure)>,
    pub(crate) any_unpriced: bool,
    pub(crate) costs: Stack,
    pub(crate) legend: Vec<(usize, String)>,
    pub(crate) tokens: Stack,
    pub(crate) rows: Vec<Row>,
    pub(crate) goes_on: bool,
}

/// A filter in force.
pub(crate) struct Chip {
    pub(crate) key: String,
    pub(crate) value: String,
    pub(crate) denies: bool,
    /// The page without it.
    pub(crate) remove_url: String,
}

/// Where a filter is typed.
pub(crate) struct FilterForm {
    pub(crate) action: String,
    /// What it keeps of the address.
    pub(crate) keep: Vec<(&'static str, String)>,
    /// Names and words of ways to tell costs apart.
    pub(crate) ways: Vec<(&'static str, &'static str)>,
}

/// A part of the costs.
pub(crate) struct Row {
    /// Empty where calls have no value.
    pub(crate) name: String,
    /// Its traces; empty where they cannot be listed.
    pub(crate) url: String,
    /// The page of this part alone; empty where that is so already.
    pub(crate) only_url: String,
    /// The page of all others; empty where it cannot be left out.
    pub(crate) without_url: String,
    /// Number of its shade in the chart; empty where it is among the others.
    pub(crate) shade: String,
    pub(crate) cost: Figure,
    pub(crate) share: String,
    /// The share in percent, for its bar.
    pub(crate) width: String,
    pub(crate) change: Figure,
    pub(crate) input: Figure,
    pub(crate) output: Figure,
    pub(crate) per_thousand: Figure,
    pub(crate) calls: String,
    pub(crate) unpriced: String,
    pub(crate) any_unpriced: bool,
}

impl CostsPage {
    /// Prepares everything for the template.
    pub(crate) fn new(
        reader: &Reader,
        query: &CostQuery,
        report: &CostReport,
        now: Timestamp,
    ) -> Self {
        let (id, lang) = (reader.id(), reader.lang());
        let shell = Frame::shell(reader);
        let mut frame = Frame::new(reader, Section::Costs);
        let with = |list: &ListQuery| CostQuery {
            list: list.clone(),
            ..query.clone()
        };
        let address = |list: &ListQuery| urls::costs(id, &with(list));
        let look = (&shell, &reader.visitor.choices);
        let mut range = RangeControl::new(&address, &query.list, look, now);
        range.action = urls::costs_home(id);
        range.keep.extend(query.kept_pairs());
        frame.range = Some(range);
        let bounds = query.list.bounds(now);
        let series = parts(report, lang);
        let tokens = [Series {
            name: String::new(),
            values: report.tokens.clone(),
        }];
        let draw = |series: &[Series], unit| {
            stack::draw(series, &report.pieces, bounds, (unit, reader.zone()))
        };
        CostsPage {
            cache_url: urls::cache(id, &query.list),
            prices_url: urls::prices(id),
            ways: ways(reader, query),
            chips: chips(reader, query),
            form: FilterForm::new(reader, query),
            wider_url: wider(reader, query),
            by: by_words(query.by, lang),
            hint: hint(query.by, lang),
            facts: facts(report, lang),
            any_unpriced: report.total.unpriced_calls > 0.0,
            costs: draw(&series, Unit::Usd),
            tokens: draw(&tokens, Unit::Count),
            legend: series
                .into_iter()
                .enumerate()
                .map(|(at, series)| (at, series.name))
                .collect(),
            rows: report
                .rows
                .iter()
                .enumerate()
                .map(|(at, part)| row(reader, query, (at, part), &report.total))
                .collect(),
            goes_on: report.goes_on,
            shell,
            frame,
        }
    }
}

fn ways(reader: &Reader, query: &CostQuery) -> Vec<Choice> {
    let choice = |by: &CostBy| {
        let told = CostQuery {
            by: *by,
            ..query.clone()
        };
        Choice {
            label: by_words(*by, reader.lang()).to_owned(),
            url: urls::costs(reader.id(), &told),
            current: *by == query.by,
        }
    };
    CostBy::ALL.iter().map(choice).collect()
}

fn chips(reader: &Reader, query: &CostQuery) -> Vec<Chip> {
    let lang = reader.lang();
    let chip = |(at, filter): (usize, &CostFilter)| {
        let way = by_words(filter.by, lang);
        Chip {
            key: match filter.leaves_out {
                false => way.to_owned(),
                true => lang.fill("not {}", &[way]),
            },
            value: name(&filter.key, lang),
            denies: filter.leaves_out,
            remove_url: urls::costs(reader.id(), &query.without(at)),
        }
    };
    query.filters.iter().enumerate().map(chip).collect()
}

fn wider(reader: &Reader, query: &CostQuery) -> String {
    if query.filters.is_empty() {
        return String::new();
    }
    let wider = CostQuery {
        filters: Vec::new(),
        ..query.clone()
    };
    urls::costs(reader.id(), &wider)
}

impl FilterForm {
    fn new(reader: &Reader, query: &CostQuery) -> Self {
        let lang = reader.lang();
        let range = query.list.to_pairs();
        FilterForm {
            action: urls::costs_home(reader.id()),
            keep: range.into_iter().chain(query.kept_pairs()).collect(),
            ways: CostBy::ALL
                .iter()
                .map(|by| (by.as_str(), by_words(*by, lang)))
                .collect(),
        }
    }
}

fn hint(by: CostBy, lang: Lang) -> &'static str {
    match by {
        CostBy::Feature => lang.t("read from the key feature of the trace's metadata"),
        CostBy::Region => lang.t("read from the key region of the trace's metadata"),
        CostBy::Variant => lang.t("read from the key variant of the trace's metadata"),
        CostBy::Model
        | CostBy::User
        | CostBy::Tenant
        | CostBy::Route
        | CostBy::PromptVersion
        | CostBy::Environment => "",
    }
}

/// The most expensive parts over time, and all others together.
fn parts(report: &CostReport, lang: Lang) -> Vec<Series> {
    let first = report.rows.iter().take(OVER_TIME);
    let mut series: Vec<Series> = first
        .clone()
        .map(|row| Series {
            name: name(&row.key, lang),
            values: row.over_time.clone(),
        })
        .collect();
    if report.rows.len() > OVER_TIME {
        let rest = report.costs.iter().enumerate().map(|(at, whole)| {
            let known: f64 = first.clone().filter_map(|row| row.over_time.get(at)).sum();
            (whole - known).max(0.0)
        });
        series.push(Series {
            name: lang.t("others").to_owned(),
            values: rest.collect(),
        });
    }
    series
}

fn name(key: &[String], lang: Lang) -> String {
    let words: Vec<&str> = key
        .iter()
        .map(String::as_str)
        .filter(|word| !word.is_empty())
        .collect();
    match words.is_empty() {
        true => lang.t("(none)").to_owned(),
        false => words.join(" "),
    }
}

fn facts(report: &CostReport, lang: Lang) -> Vec<(&'static str, Figure)> {
    let total = &report.total;
    vec![
        (lang.t("Cost"), money(total.cost)),
        (
            lang.t("Against the stretch before"),
            change(total.cost, report.before.cost, lang),
        ),
        (lang.t("Input"), tokens(total.input_tokens)),
        (lang.t("Output"), tokens(total.output_tokens)),
        (lang.t("$ per 1k tokens"), money(total.per_thousand())),
        (lang.t("Calls"), tokens(Some(total.calls))),
    ]
}

fn row(reader: &Reader, query: &CostQuery, (at, part): (usize, &CostRow), total: &Spent) -> Row {
    let lang = reader.lang();
    let spent = &part.spent;
    let share = match (spent.cost, total.cost) {
        (Some(cost), Some(whole)) if whole > 0.0 => Some(cost / whole * 100.0),
        _ => None,
    };
    let narrowed = |leaves_out| CostFilter {
        by: query.by,
        key: part.key.clone(),
        leaves_out,
    };
    let (only, without) = (narrowed(false), narrowed(true));
    let address = |filter: CostFilter| urls::costs(reader.id(), &query.with(filter));
    Row {
        name: name(&part.key, lang),
        url: traces_of(reader, query, &part.key),
        without_url: match without.may_leave_out() && !query.filters.contains(&only) {
            true => address(without),
            false => String::new(),
        },
        only_url: match query.filters.contains(&only) {
            true => String::new(),
            false => address(only),
        },
        shade: match at < OVER_TIME {
            true => at.to_string(),
            false => String::new(),
        },
        cost: money(spent.cost),
        share: share.map_or_else(
            || format::NOTHING.to_owned(),
            |share| format!("{share:.1} %"),
        ),
        width: number(share.unwrap_or(0.0)),
        change: change(spent.cost, part.before, lang),
        input: tokens(spent.input_tokens),
        output: tokens(spent.output_tokens),
        per_thousand: money(spent.per_thousand()),
        calls: tokens(Some(spent.calls)).text,
        unpriced: tokens(Some(spent.unpriced_calls)).text,
        any_unpriced: spent.unpriced_calls > 0.0,
    }
}

/// The traces of a part; nothing where calls have no value, for no filter says that.
fn traces_of(reader: &Reader, query: &CostQuery, key: &[String]) -> String {
    let part = CostFilter {
        by: query.by,
        key: key.to_vec(),
        leaves_out: false,
    };
    let own = conditions(&part);
    if own.is_empty() {
        return String::new();
    }
    let others = query.filters.iter().filter(|filter| filter.by != query.by);
    let list = ListQuery {
        conditions: own.into_iter().chain(others.flat_map(conditions)).collect(),
        ..query.list.clone()
    };
    urls::traces(reader.id(), &list)
}

/// A filter of costs as one of traces.
fn conditions(filter: &CostFilter) -> Vec<(Column, Operator, String)> {
    let metadata = |name: &str| Column::Metadata(name.to_owned());
    let columns = match filter.by {
        CostBy::Model => vec![Column::Model],
        CostBy::User => vec![Column::UserId],
        CostBy::Tenant => vec![Column::Tenant],
        CostBy::Feature => vec![metadata("feature")],
        CostBy::Route => vec![Column::Route],
        CostBy::Region => vec![metadata("region")],
        CostBy::Variant => vec![metadata("variant")],
        CostBy::PromptVersion => vec![Column::Prompt, Column::PromptVersion],
        CostBy::Environment => vec![Column::Environment],
    };
    let operator = match filter.leaves_out {
        false => Operator::AnyOf,
        true => Operator::NoneOf,
    };
    let values = columns.into_iter().zip(&filter.key);
    let told = values.filter(|(_, value)| !value.is_empty());
    told.map(|(column, value)| (column, operator, value.clone()))
        .collect()
}

fn money(amount: Option<f64>) -> Figure {
    let usd = amount.and_then(Decimal::from_f64);
    format::dollars(usd.map(|usd| Usd(usd.round_dp(Usd::SCALE))))
}

fn tokens(number: Option<f64>) -> Figure {
    let whole = number.filter(|number| *number >= 0.0);
    format::tokens(whole.map(|number| number.round() as u64))
}

/// From so many times as much on, percent say less than the factor.
const MANY_TIMES: f64 = 10.0;

/// How much more or less than before, in percent.
fn change(now: Option<f64>, before: Option<f64>, lang: Lang) -> Figure {
    let exact = money(before).text;
    let words = match (now, before) {
        (Some(now), Some(before)) if before > 0.0 => {
            let times = now / before;
            let percent = (times - 1.0) * 100.0;
            let sign = if percent < 0.0 { "−" } else { "+" };
            Some(match times < MANY_TIMES {
                true => format!("{sign}{:.0} %", percent.abs()),
                false => format!("×{}", format::count(times.round() as u64)),
            })
        }
        (Some(now), _) if now > 0.0 => Some(lang.t(text!("new")).to_owned()),
        _ => None,
    };
    Figure {
        none: words.is_none(),
        text: words.unwrap_or_else(|| format::NOTHING.to_owned()),
        exact: match before {
            Some(_) => exact,
            None => String::new(),
        },
    }
}

/// Shows it.
pub(crate) async fn show_costs(State(app): State<App>, entered: InProject, pairs: Pairs) -> Answer {
    let reader = &entered.reader;
    let (query, from_form) = CostQuery::read(&pairs, reader.zone())?;
    if from_form {
        return Ok(see_other(&urls::costs(entered.id(), &query)));
    }
    let now = app.clock().now();
    let range = query.list.bounds(now);
    let report = costs::report(&app, &entered.scope, (query.by, &query.filters), range).await?;
    Ok(render(&CostsPage::new(reader, &query, &report, now)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_is_told_against_something() {
        let text = |now, before| change(now, before, Lang::En).text;
        assert_eq!(text(Some(1.5), Some(1.0)), "+50 %");
        assert_eq!(text(Some(0.5), Some(1.0)), "−50 %");
        assert_eq!(text(Some(9.9), Some(1.0)), "+890 %");
        assert_eq!(text(Some(122.78), Some(1.0)), "×123");
        assert_eq!(text(Some(0.5), None), "new");
        assert_eq!(text(None, Some(1.0)), format::NOTHING);
    }
}
