//! Panels out of what was read.

use domain::metrics::{Group, Row, Value};
use domain::{Timestamp, Usd};
use rust_decimal::Decimal;
use rust_decimal::prelude::FromPrimitive;

use super::read::Told;
use super::sums::Sums;
use crate::chart::plot::{Form, Plot, Series, draw, draw_over};
use crate::format;
use crate::i18n::Lang;
use crate::measure::{Unit, written};

/// Round values at the side of a panel.
const TICKS: usize = 3;

/// A panel: a chart, or a list of names.
pub(crate) struct Panel {
    pub(crate) title: &'static str,
    /// The number beside the title, and what it is of.
    pub(crate) now: (String, String),
    pub(crate) plot: Option<Plot>,
    /// Names with an amount each.
    pub(crate) names: Vec<NameRow>,
    /// Said where there is neither.
    pub(crate) missing: &'static str,
}

/// A name with its amount.
pub(crate) struct NameRow {
    pub(crate) name: String,
    /// Of the greatest, in percent.
    pub(crate) share: String,
    pub(crate) amount: String,
    /// Its traces.
    pub(crate) url: String,
}

/// A row of panels.
pub(crate) struct PanelRow {
    pub(crate) title: &'static str,
    /// Two short lines about it.
    pub(crate) words: [String; 2],
    pub(crate) panels: Vec<Panel>,
}

/// The address of the traces whose columns have these values.
pub(super) type Narrowed<'a> = dyn Fn(&[(&str, &str)]) -> String + 'a;

/// What panels are made of.
pub(super) struct Desk<'a> {
    pub(super) told: &'a Told,
    pub(super) lang: Lang,
    pub(super) now: Timestamp,
    /// Where the traces of a tenant, or of a prompt and its version are.
    pub(super) traces_of: &'a Narrowed<'a>,
}

impl Desk<'_> {
    /// All four rows.
    pub(super) fn rows(&self) -> [PanelRow; 4] {
        let (all, by_model) = self.sums();
        [
            self.traffic(&all, &by_model),
            self.latency(),
            self.resources(),
            self.cost(&all, &by_model),
        ]
    }

    fn traffic(&self, all: &Sums, by_model: &[(String, Sums)]) -> PanelRow {
        let lang = self.lang;
        let requests = self.requests(all);
        let total: f64 = requests.iter().sum();
        let errors = self.told.line("errors:rate");
        let models = match by_model.is_empty() {
            // Requests without a call of a model.
            true => vec![(lang.t("all").to_owned(), requests.clone())],
            false => self.most(by_model, |sums| &sums.calls),
        };
        let tokens = [
            (lang.t("in"), "ln", &all.input),
            (lang.t("out"), "ln ln-2", &all.output),
        ];
        let tokens: Vec<Series> = tokens
            .into_iter()
            .map(|(label, class, sums)| line(label, class, self.per_second(sums)))
            .collect();
        let waiting = self.told.line("token.waiting_requests:sum");
        let errors_now = mean(&weighted(&errors, &requests));
        PanelRow {
            title: lang.t("Traffic"),
            words: [
                lang.fill("{} requests", &[&format::count(whole(total))]),
                lang.fill("in {}", &[&self.length()]),
            ],
            panels: vec![
                self.stacked(lang.t("Requests"), models, Unit::Count),
                Panel {
                    now: self.rate(mean_rate(&tokens)),
                    plot: draw(Form::Lines, &tokens, Unit::Count, TICKS).filter(|_| total > 0.0),
                    ..self.panel(lang.t("Tokens in, out"))
                },
                self.lines(
                    lang.t("Waiting requests"),
                    &[line(lang.t("all instances"), "ln", waiting)],
                    (Unit::Count, lang.t("now"), "token.waiting_requests:sum"),
                ),
                Panel {
                    now: shown(errors_now, Unit::Flag, ""),
                    ..self.lines(
                        lang.t("Failed requests"),
                        &[line(lang.t("of all requests"), "ln error", errors)],
                        (Unit::Flag, "", "errors:rate"),
                    )
                },
            ],
        }
    }

    fn latency(&self) -> PanelRow {
        let lang = self.lang;
        let quantiles = |title, value: &str| {
            let lines = [("p99", "ln"), ("p95", "ln ln-2"), ("p50", "ln ln-3")];
            let lines = lines
                .map(|(name, class)| line(name, class, self.told.line(&format!("{value}:{name}"))));
            self.lines(title, &lines, (Unit::Ms, "p99", &format!("{value}:p99")))
        };
        let valid = self.told.line("quality.format_valid:rate");
        PanelRow {
            title: lang.t("Latency"),
            words: [
                lang.t("of the requests").to_owned(),
                lang.t("that tell of it").to_owned(),
            ],
            panels: vec![
                quantiles(lang.t("Time to first token"), "token.ttft_ms"),
                quantiles(lang.t("Time per output token"), "token.tpot_ms"),
                quantiles(lang.t("End to end"), "token.e2e_ms"),
                self.lines(
                    lang.t("Format valid"),
                    &[line(lang.t("of what is judged"), "ln quality", valid)],
                    (Unit::Flag, "", "quality.format_valid:rate"),
                ),
            ],
        }
    }

    fn resources(&self) -> PanelRow {
        let lang = self.lang;
        let one = |title, label, class, series: &str, name| {
            let line = line(label, class, self.told.line(series));
            self.lines(title, &[line], (Unit::Share, name, series))
        };
        let all = lang.t("all GPUs");
        let memory = vec![
            line(
                lang.t("used"),
                "ln gpu",
                self.told.line("gpu.memory_used_ratio:avg"),
            ),
            line(
                lang.t("fragmented"),
                "ln ln-3",
                self.told.line("gpu.memory_fragmentation_ratio:max"),
            ),
        ];
        let (has_instances, has_gpus) = self.told.picture.fleet;
        let words = match (has_instances, has_gpus) {
            (true, true) => [lang.t("GPUs and engines"), lang.t("tell of themselves")],
            (true, false) => [lang.t("engines are here,"), lang.t("their GPUs are not")],
            (false, true) => [lang.t("GPUs are here,"), lang.t("engines are not")],
            (false, false) => [lang.t("no exporter"), lang.t("sends anything yet")],
        };
        let instances = lang.t("avg of instances");
        PanelRow {
            title: lang.t("Resources"),
            words: words.map(str::to_owned),
            panels: vec![
                one(
                    lang.t("SM active"),
                    all,
                    "ln gpu",
                    "gpu.sm_active:avg",
                    lang.t("avg"),
                ),
                self.lines(
                    lang.t("GPU memory"),
                    &memory,
                    (Unit::Share, lang.t("used"), "gpu.memory_used_ratio:avg"),
                ),
                one(
                    lang.t("KV cache use"),
                    instances,
                    "ln token",
                    "token.kv_cache_usage:avg",
                    lang.t("avg"),
                ),
                one(
                    lang.t("Prefix hit"),
                    lang.t("tokens from cache"),
                    "ln token",
                    "token.prefix_cache_hit_rate:avg",
                    lang.t("avg"),
                ),
            ],
        }
    }

    fn cost(&self, all: &Sums, by_model: &[(String, Sums)]) -> PanelRow {
        let lang = self.lang;
        let total: f64 = all.cost.iter().sum();
        let tokens: f64 = all.input.iter().chain(&all.output).sum();
        let per_thousand = all.cost.iter().zip(all.input.iter().zip(&all.output));
        let per_thousand = per_thousand.map(|(cost, (input, output))| {
            (input + output > 0.0).then(|| cost / (input + output) * 1e3)
        });
        let per_thousand = line(lang.t("all models"), "ln", per_thousand.collect());
        let models = match total > 0.0 {
            true => self.most(by_model, |sums| &sums.cost),
            false => Vec::new(),
        };
        let of_all = (tokens > 0.0 && total > 0.0).then(|| total / tokens * 1e3);
        let names = |title, rows: &[Row], columns: &[&str]| Panel {
            names: self.names(rows, columns),
            now: (dollars(total), String::new()),
            ..self.panel(title)
        };
        PanelRow {
            title: lang.t("Cost"),
            words: [dollars(total), lang.fill("in {}", &[&self.length()])],
            panels: vec![
                Panel {
                    now: (dollars(total), String::new()),
                    ..self.stacked(lang.t("By model"), models, Unit::Usd)
                },
                names(lang.t("By tenant"), &self.told.by_tenant, &["tenant"]),
                Panel {
                    plot: draw(Form::Lines, &[per_thousand], Unit::Usd, TICKS)
                        .filter(|_| total > 0.0),
                    now: (
                        of_all.map_or_else(|| format::NOTHING.to_owned(), dollars),
                        String::new(),
                    ),
                    ..self.panel(lang.t("Per 1k tokens"))
                },
                names(
                    lang.t("By prompt"),
                    &self.told.by_prompt,
                    &["prompt", "prompt_version"],
                ),
            ],
        }
    }

    fn panel(&self, title: &'static str) -> Panel {
        Panel {
            title,
            now: (String::new(), String::new()),
            plot: None,
            names: Vec::new(),
            missing: self.lang.t("nothing in this range"),
        }
    }

    /// Lines over what is usual of the first of them, which is the series `of`; the number beside the title is its last value.
    fn lines(
        &self,
        title: &'static str,
        lines: &[Series],
        (unit, name, of): (Unit, &str, &str),
    ) -> Panel {
        let last = lines
            .first()
            .and_then(|line| line.values.iter().rev().find_map(|it| *it));
        let plot = draw_over(self.told.usual(of), lines, unit, TICKS);
        Panel {
            now: shown(last, unit, name),
            missing: match unit {
                Unit::Share => self.lang.t("no exporter tells of it"),
                _ => self.lang.t("nothing in this range"),
            },
            plot,
            ..self.panel(title)
        }
    }

    /// Areas of the models; amounts are per minute, hour or day, whichever can be read.
    fn stacked(&self, title: &'static str, models: Vec<(String, Vec<f64>)>, unit: Unit) -> Panel {
        let classes = ["ar-1", "ar-2", "ar-3"];
        let total: f64 = models.iter().flat_map(|(_, sums)| sums).sum();
        let (factor, per) = per(total / self.covered());
        let series: Vec<Series> = models
            .into_iter()
            .zip(classes)
            .map(|((label, sums), class)| {
                let values = self.per_second(&sums);
                let values = values.into_iter().map(|it| it.map(|it| it * factor));
                line(&label, class, values.collect())
            })
            .collect();
        let rate = total / self.covered() * factor;
        Panel {
            now: (written(unit, rate), format!("/ {per}")),
            plot: draw(Form::Areas, &series, unit, TICKS).filter(|_| total > 0.0),
            ..self.panel(title)
        }
    }

    fn rate(&self, per_second: f64) -> (String, String) {
        let (factor, per) = per(per_second);
        (short(per_second * factor), format!("/ {per}"))
    }

    /// Requests a step: as the axes count them, each once; of a sample as calls are counted.
    fn requests(&self, all: &Sums) -> Vec<f64> {
        match self.told.picture.is_sample {
            true => all.calls.clone(),
            false => {
                let counts = self.told.line("requests:count");
                counts
                    .into_iter()
                    .map(|count| count.unwrap_or(0.0))
                    .collect()
            }
        }
    }

    /// Of sums how many a second; nothing for steps that have not begun. The first and the last are as long as what there
    /// is of them.
    fn per_second(&self, sums: &[f64]) -> Vec<Option<f64>> {
        let (steps, (first, last)) = (&self.told.steps, self.told.range);
        let seconds = |at: usize| {
            let from = steps.from.plus(domain::Nanos(steps.step.0 * at as u64));
            let to = from.plus(steps.step).min(last).min(self.now);
            let from = from.max(first);
            (to > from).then(|| (to - from).0 as f64 / 1e9)
        };
        let cells = sums.iter().enumerate();
        cells
            .map(|(at, sum)| seconds(at).map(|seconds| sum / seconds.max(1.0)))
            .collect()
    }

    fn length(&self) -> String {
        format::range_length(domain::Nanos::from_seconds(whole(self.covered())))
    }

    /// Seconds of the range up to now.
    fn covered(&self) -> f64 {
        let (from, to) = self.told.range;
        let to = to.min(self.now).max(from);
        ((to - from).0 as f64 / 1e9).max(1.0)
    }

    fn names(&self, rows: &[Row], columns: &[&str]) -> Vec<NameRow> {
        let amount = |row: &Row| match row.values.first() {
            Some(Value::Number(Some(number))) => *number,
            _ => 0.0,
        };
        let most = rows.iter().map(amount).fold(0.0, f64::max);
        let named = rows.iter().filter(|row| amount(row) > 0.0);
        named
            .map(|row| {
                let texts: Vec<&str> = row
                    .groups
                    .iter()
                    .filter_map(|group| match group {
                        Group::Text(Some(text)) => Some(text.as_str()),
                        _ => None,
                    })
                    .collect();
                let pairs: Vec<(&str, &str)> =
                    columns.iter().copied().zip(texts.iter().copied()).collect();
                NameRow {
                    name: match texts.is_empty() {
                        true => self.lang.t("none named").to_owned(),
                        false => texts.join(" "),
                    },
                    share: crate::chart::number(amount(row) / most * 100.0),
                    amount: dollars(amount(row)),
                    url: (self.traces_of)(&pairs),
                }
            })
            .collect()
    }
}

fn line(label: &str, class: &'static str, values: Vec<Option<f64>>) -> Series {
    Series {
        label: label.to_owned(),
        class,
        values,
    }
}

/// Shares weighted by how many they are of: `(share, weight)`.
fn weighted(shares: &[Option<f64>], weights: &[f64]) -> Vec<(f64, f64)> {
    let both = shares.iter().zip(weights);
    both.filter_map(|(share, weight)| Some(((*share)?, *weight)))
        .collect()
}

fn mean(shares: &[(f64, f64)]) -> Option<f64> {
    let weight: f64 = shares.iter().map(|(_, weight)| weight).sum();
    let sum: f64 = shares.iter().map(|(share, weight)| share * weight).sum();
    (weight > 0.0).then(|| sum / weight)
}

fn mean_rate(lines: &[Series]) -> f64 {
    let of = |line: &Series| {
        let known: Vec<f64> = line.values.iter().copied().flatten().collect();
        known.iter().sum::<f64>() / known.len().max(1) as f64
    };
    lines.iter().map(of).sum()
}

/// By what a rate a second is multiplied so that it can be read, and what it is then a rate of.
fn per(per_second: f64) -> (f64, &'static str) {
    match per_second {
        rate if rate >= 0.5 || rate <= 0.0 => (1.0, "s"),
        rate if rate * 60.0 >= 0.5 => (60.0, "min"),
        rate if rate * 3_600.0 >= 0.5 => (3_600.0, "h"),
        _ => (86_400.0, "d"),
    }
}

fn shown(value: Option<f64>, unit: Unit, name: &str) -> (String, String) {
    match value {
        None => (format::NOTHING.to_owned(), String::new()),
        Some(value) => (written(unit, value), name.to_owned()),
    }
}

fn short(number: f64) -> String {
    match number {
        number if number >= 1e6 => format!("{}M", format::trimmed(number / 1e6, 1)),
        number if number >= 1e4 => format!("{}k", format::trimmed(number / 1e3, 1)),
        number => written(Unit::Count, number),
    }
}

fn dollars(amount: f64) -> String {
    format::dollars(Decimal::from_f64(amount).map(|it| Usd(it.round_dp(6)))).text
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a number of requests"
)]
fn whole(number: f64) -> u64 {
    number.max(0.0).round() as u64
}
