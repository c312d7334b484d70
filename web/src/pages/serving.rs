//! Serving: goodput of the models, and what the project's own GPUs yield for their money.

use askama::Template;
use axum::extract::State;
use domain::cost::GpuReport;
use domain::objective::Goodput;
use domain::{Timestamp, Usd};
use rust_decimal::Decimal;
use rust_decimal::prelude::ToPrimitive;
use service::{App, gpu_prices, objectives};

use crate::extract::{InProject, Pairs, Reader};
use crate::format::{self, Figure};
use crate::i18n::text;
use crate::layout::{Frame, RangeControl, Section, Shell};
use crate::pages::traces::query::ListQuery;
use crate::pages::{Answer, render, see_other};
use crate::urls;

/// The page.
#[derive(Template)]
#[template(path = "serving/show.html")]
pub(crate) struct ServingPage {
    pub(crate) shell: Shell,
    pub(crate) frame: Frame,
    pub(crate) models: Vec<GoodputRow>,
    pub(crate) sets: Vec<GpuSetRow>,
    pub(crate) objectives_url: String,
    pub(crate) prices_url: String,
}

/// Goodput of a model.
pub(crate) struct GoodputRow {
    pub(crate) model: String,
    pub(crate) objective: String,
    pub(crate) goodput: String,
    pub(crate) good: String,
    pub(crate) missed: String,
    pub(crate) unjudged: String,
}

/// What a set of GPUs yielded.
pub(crate) struct GpuSetRow {
    pub(crate) name: String,
    /// Models that it served, in one line.
    pub(crate) models: String,
    pub(crate) hours: String,
    pub(crate) total: Figure,
    pub(crate) idle: Figure,
    pub(crate) idle_share: String,
    pub(crate) input: Figure,
    pub(crate) output: Figure,
    pub(crate) throughput: String,
    pub(crate) concurrency: String,
    pub(crate) per_million: Figure,
    pub(crate) per_million_with_idle: Figure,
    /// What is missing in the numbers; empty when nothing is.
    pub(crate) missing: String,
}

impl ServingPage {
    /// Of the two reports.
    pub(crate) fn new(reader: &Reader, models: &[Goodput], sets: &[GpuReport]) -> Self {
        let id = reader.id();
        ServingPage {
            shell: Frame::shell(reader),
            frame: Frame::new(reader, Section::Serving),
            models: models.iter().map(GoodputRow::from).collect(),
            sets: sets.iter().map(|set| GpuSetRow::new(reader, set)).collect(),
            objectives_url: urls::expectations(id),
            prices_url: urls::prices(id),
        }
    }

    /// With the choice of a range.
    pub(crate) fn with_range(mut self, reader: &Reader, query: &ListQuery, now: Timestamp) -> Self {
        let id = reader.id();
        let address = |query: &ListQuery| urls::serving(id, query);
        let look = (&self.shell, &reader.visitor.choices);
        self.frame.range = Some(RangeControl::new(&address, query, look, now));
        self
    }
}

impl From<&Goodput> for GoodputRow {
    fn from(goodput: &Goodput) -> Self {
        let draft = &goodput.objective.draft;
        let limit =
            |name: &str, ms: Option<f64>| ms.map(|ms| format!("{name} ≤ {}", format::latency(ms)));
        let limits = [limit("TTFT", draft.ttft_ms), limit("TPOT", draft.tpot_ms)];
        let limits: Vec<String> = limits.into_iter().flatten().collect();
        let judged = goodput.good + goodput.missed;
        GoodputRow {
            model: goodput.model.clone(),
            objective: limits.join(", "),
            goodput: match goodput.share() {
                Some(_) => format::percent(goodput.good, judged),
                None => "–".to_owned(),
            },
            good: format::count(goodput.good),
            missed: format::count(goodput.missed),
            unjudged: format::count(goodput.unjudged),
        }
    }
}

impl GpuSetRow {
    fn new(reader: &Reader, set: &GpuReport) -> Self {
        let (lang, price) = (reader.lang(), &set.price.draft);
        let number = |number: Option<Decimal>| {
            let number = number.and_then(|number| number.to_f64());
            number.map_or_else(|| "–".to_owned(), |number| format::trimmed(number, 1))
        };
        let cost = set.cost();
        let missing = [
            (set.open_calls, text!("Calls that have not ended: {}")),
            (set.uncounted_calls, text!("Calls without tokens: {}")),
        ];
        let missing = missing.into_iter().filter(|(calls, _)| *calls > 0);
        let missing: Vec<String> = missing
            .map(|(calls, words)| lang.fill(words, &[&format::count(calls)]))
            .collect();
        let name = [
            Some(&price.model),
            price.provider.as_ref(),
            price.instance.as_ref(),
        ];
        let name: Vec<&str> = name
            .into_iter()
            .flatten()
            .map(|name| name.as_str())
            .collect();
        GpuSetRow {
            name: name.join(" · "),
            models: set.models.join(", "),
            hours: number(Some(set.gpu_hours())),
            total: format::dollars(Some(rounded(cost.busy + cost.idle))),
            idle: format::dollars(Some(rounded(cost.idle))),
            idle_share: format::percent(set.idle_time().0, set.window.0),
            input: format::tokens(set.input_tokens),
            output: format::tokens(set.output_tokens),
            throughput: number(set.per_second(set.tokens())),
            concurrency: number(set.concurrency()),
            per_million: format::dollars(set.usd_per_million_tokens().map(rounded)),
            per_million_with_idle: format::dollars(
                set.usd_per_million_tokens_with_idle().map(rounded),
            ),
            missing: missing.join(" · "),
        }
    }
}

fn rounded(usd: Usd) -> Usd {
    Usd(usd.0.round_dp(6))
}

/// Shows it.
pub(crate) async fn show_serving(
    State(app): State<App>,
    entered: InProject,
    pairs: Pairs,
) -> Answer {
    let reader = &entered.reader;
    let read = ListQuery::read(&pairs, reader.zone())?;
    if read.from_form {
        return Ok(see_other(&urls::serving(entered.id(), &read.query)));
    }
    let now = app.clock().now();
    let (from, to) = read.query.bounds(now);
    let range = (Some(from), Some(to));
    let (goodput, costs) = tokio::try_join!(
        objectives::goodput(&app, &entered.scope, range),
        gpu_prices::report(&app, &entered.scope, range),
    )?;
    let page = ServingPage::new(reader, &goodput.models, &costs.sets);
    Ok(render(&page.with_range(reader, &read.query, now)))
}
