//! What caches save: prefix caches of one's own engines, prompt caches of providers, semantic caches.

use askama::Template;
use axum::extract::State;
use domain::axes::AxisLine;
use domain::axes::query::Steps;
use domain::{Code, Nanos, Timestamp, Usd};
use service::App;
use service::caches::{self, CachedAnswers, CachedModel, ProviderCaches};

use crate::chart::stack::{self, Series, Stack};
use crate::extract::{InProject, Pairs, Reader};
use crate::format::{self, Figure};
use crate::layout::{Frame, RangeControl, Section, Shell};
use crate::measure::Unit;
use crate::pages::traces::query::ListQuery;
use crate::pages::{Answer, render, see_other};
use crate::urls;

/// The page.
#[derive(Template)]
#[template(path = "costs/cache.html")]
pub(crate) struct CachePage {
    pub(crate) shell: Shell,
    pub(crate) frame: Frame,
    pub(crate) costs_url: String,
    pub(crate) prices_url: String,
    pub(crate) targets_url: String,
    /// Tokens read from caches of providers.
    pub(crate) read: Figure,
    /// Of all input tokens of models that use one.
    pub(crate) share: String,
    /// What is left of what reads save.
    pub(crate) saved: Figure,
    /// Tokens whose saving is unknown for want of a price; empty when there are none.
    pub(crate) unpriced: String,
    pub(crate) models: Vec<ModelRow>,
    pub(crate) provider_chart: Stack,
    /// Mean share of prompt tokens that engines did not compute again; empty without any.
    pub(crate) hit_rate: String,
    pub(crate) instances: Vec<InstanceRow>,
    pub(crate) engine_chart: Stack,
    /// Calls that a cache of answers answered; empty figure without any.
    pub(crate) answered: String,
    /// Of the calls that say whether one did.
    pub(crate) answered_share: String,
    /// What they would have cost.
    pub(crate) answers_saved: Figure,
    pub(crate) answers: Vec<AnswerRow>,
}

/// A model in whose place a cache answered.
pub(crate) struct AnswerRow {
    pub(crate) model: String,
    pub(crate) provider: String,
    pub(crate) calls: String,
    pub(crate) share: String,
    pub(crate) saved: Figure,
}

/// A model with a cache at its provider.
pub(crate) struct ModelRow {
    pub(crate) model: String,
    pub(crate) provider: String,
    pub(crate) read: Figure,
    pub(crate) share: String,
    pub(crate) written: Figure,
    pub(crate) reads_save: Figure,
    pub(crate) writes_cost: Figure,
    pub(crate) net: Figure,
}

/// An engine with a prefix cache.
pub(crate) struct InstanceRow {
    pub(crate) name: String,
    pub(crate) hit_rate: String,
    pub(crate) lowest: String,
}

/// What engines tell: a line for each instance, and where its steps begin.
#[derive(Default)]
pub(crate) struct EngineCaches {
    pub(crate) lines: Vec<AxisLine>,
    pub(crate) starts: Vec<Timestamp>,
}

impl EngineCaches {
    /// Of lines over the same steps.
    fn new(lines: Vec<AxisLine>, steps: &Steps) -> Self {
        let start = |step: u64| {
            let after = Nanos(steps.step.0.saturating_mul(step));
            steps.from.plus(after)
        };
        EngineCaches {
            starts: (0..steps.count()).map(start).collect(),
            lines,
        }
    }
}

impl CachePage {
    /// Prepares everything for the template.
    pub(crate) fn new(
        reader: &Reader,
        query: &ListQuery,
        (providers, engines, answers): (&ProviderCaches, &EngineCaches, &[CachedAnswers]),
        now: Timestamp,
    ) -> Self {
        let (id, lang) = (reader.id(), reader.lang());
        let shell = Frame::shell(reader);
        let mut frame = Frame::new(reader, Section::Costs);
        let address = |query: &ListQuery| urls::cache(id, query);
        let look = (&shell, &reader.visitor.choices);
        frame.range = Some(RangeControl::new(&address, query, look, now));
        let bounds = query.bounds(now);
        let models = &providers.models;
        let sum = |part: fn(&CachedModel) -> u64| models.iter().map(part).sum::<u64>();
        let read = sum(|model| model.tokens.read);
        let without_price: u64 = models
            .iter()
            .filter(|model| model.saving.is_none())
            .map(|model| model.tokens.read)
            .sum();
        let saved = models
            .iter()
            .filter_map(|model| model.saving)
            .map(|saving| saving.net())
            .reduce(|a, b| a + b);
        let series = [
            series(lang.t("read from the cache"), &providers.read),
            series(lang.t("put into the cache"), &providers.written),
        ];
        let draw = |series: &[Series], starts: &[Timestamp], unit| {
            stack::draw(series, starts, bounds, (unit, reader.zone()))
        };
        let mean_line = mean_line(engines);
        let answered: u64 = answers.iter().map(|answer| answer.calls).sum();
        let asked: u64 = answers.iter().map(|answer| answer.asked).sum();
        CachePage {
            costs_url: urls::costs_home(id),
            prices_url: urls::prices(id),
            targets_url: urls::scrape_targets(id),
            read: match models.is_empty() {
                true => format::tokens(None),
                false => format::tokens(Some(read)),
            },
            share: format::percent(read, sum(|model| model.input_tokens)),
            saved: money(saved),
            unpriced: match without_price {
                0 => String::new(),
                tokens => lang.fill(
                    "{} tokens of models without a price are not in it",
                    &[&format::tokens(Some(tokens)).text],
                ),
            },
            models: models.iter().map(ModelRow::from).collect(),
            provider_chart: draw(&series, &providers.pieces, Unit::Count),
            hit_rate: mean(mean_line.iter().copied()).map_or_else(String::new, percent),
            instances: engines
                .lines
                .iter()
                .map(|line| InstanceRow::new(line, lang.t("(unknown)")))
                .collect(),
            engine_chart: draw(&[series_of(mean_line)], &engines.starts, Unit::Share),
            answered: match answered {
                0 => String::new(),
                calls => format::count(calls),
            },
            answered_share: format::percent(answered, asked),
            answers_saved: money(
                answers
                    .iter()
                    .filter_map(|answer| answer.saving)
                    .reduce(|a, b| a + b),
            ),
            answers: answers.iter().map(AnswerRow::from).collect(),
            shell,
            frame,
        }
    }
}

fn series(name: &str, values: &[f64]) -> Series {
    Series {
        name: name.to_owned(),
        values: values.to_vec(),
    }
}

fn series_of(values: Vec<f64>) -> Series {
    Series {
        name: String::new(),
        values,
    }
}

/// The mean over instances, a value a step; not a number where none tells.
fn mean_line(engines: &EngineCaches) -> Vec<f64> {
    let at = |step: usize| {
        let values = engines.lines.iter();
        let told = values.filter_map(|line| line.values.get(step).copied().flatten());
        mean(told).unwrap_or(f64::NAN)
    };
    (0..engines.starts.len()).map(at).collect()
}

fn mean(values: impl Iterator<Item = f64>) -> Option<f64> {
    let told: Vec<f64> = values.filter(|value| value.is_finite()).collect();
    (!told.is_empty()).then(|| told.iter().sum::<f64>() / told.len() as f64)
}

fn percent(share: f64) -> String {
    format!("{:.1} %", share * 100.0)
}

impl InstanceRow {
    fn new(line: &AxisLine, unknown: &str) -> Self {
        let told = || line.values.iter().flatten().copied();
        let name = line.group.first().and_then(|(_, name)| name.as_deref());
        let lowest = told().fold(f64::INFINITY, f64::min);
        InstanceRow {
            name: name.unwrap_or(unknown).to_owned(),
            hit_rate: mean(told()).map_or_else(|| format::NOTHING.to_owned(), percent),
            lowest: match lowest.is_finite() {
                true => percent(lowest),
                false => format::NOTHING.to_owned(),
            },
        }
    }
}

impl From<&CachedModel> for ModelRow {
    fn from(model: &CachedModel) -> Self {
        let tokens = model.tokens;
        ModelRow {
            model: model.model.clone(),
            provider: model.provider.clone(),
            read: format::tokens(Some(tokens.read)),
            share: format::percent(tokens.read, model.input_tokens),
            written: format::tokens(Some(tokens.written)),
            reads_save: money(model.saving.map(|saving| saving.reads)),
            writes_cost: money(model.saving.map(|saving| saving.writes)),
            net: money(model.saving.map(|saving| saving.net())),
        }
    }
}

impl From<&CachedAnswers> for AnswerRow {
    fn from(answers: &CachedAnswers) -> Self {
        AnswerRow {
            model: answers.model.clone(),
            provider: answers.provider.clone(),
            calls: format::count(answers.calls),
            share: format::percent(answers.calls, answers.asked),
            saved: money(answers.saving),
        }
    }
}

/// Dollars that may be below zero.
fn money(amount: Option<Usd>) -> Figure {
    match amount {
        Some(usd) if usd.0.is_sign_negative() && !usd.0.is_zero() => {
            let mut figure = format::dollars(Some(Usd(-usd.0)));
            figure.text = format!("−{}", figure.text);
            figure.exact = format!("−{}", figure.exact);
            figure
        }
        other => format::dollars(other),
    }
}

/// Shows it.
pub(crate) async fn show_cache(State(app): State<App>, entered: InProject, pairs: Pairs) -> Answer {
    let reader = &entered.reader;
    let read = ListQuery::read(&pairs, reader.zone())?;
    let query = ListQuery {
        range: read.query.range,
        zone: read.query.zone,
        ..ListQuery::default()
    };
    if read.from_form {
        return Ok(see_other(&urls::cache(entered.id(), &query)));
    }
    let now = app.clock().now();
    let range = query.bounds(now);
    let (providers, engines, answers) = tokio::join!(
        caches::providers(&app, &entered.scope, range),
        caches::engines(&app, &entered.scope, range),
        caches::answers(&app, &entered.scope, range),
    );
    let (providers, answers) = (providers?, answers?);
    let engines = match engines {
        Ok((lines, steps)) => EngineCaches::new(lines, &steps),
        // Over a range with too many samples providers are told all the same.
        Err(fault) if fault.code == Code::Invalid => EngineCaches::default(),
        Err(fault) => return Err(fault.into()),
    };
    let told = (&providers, &engines, answers.as_slice());
    Ok(render(&CachePage::new(reader, &query, told, now)))
}
