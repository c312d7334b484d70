//! What GPUs of one's own yielded for their money in a window of time.
//!
//! A price tells of one *set* of GPUs: those that serve whatever its patterns mean. The set is paid for
//! the whole window, and shared by the calls that it served.

use rust_decimal::Decimal;

use super::gpu_hours::{GpuPrice, WindowCost};
use crate::ids::GpuPriceId;
use crate::money::Usd;
use crate::pattern::{NamePattern, matches_if_asked};
use crate::time::{Nanos, Timestamp};

const MILLION: Decimal = Decimal::from_parts(1_000_000, 0, 0, false, 0);
const NANOS_PER_HOUR: Decimal = Decimal::from_parts(817_405_952, 838, 0, false, 0);

/// What somebody sets as the price of a set of GPUs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GpuPriceDraft {
    /// Models that it serves.
    pub model: NamePattern,
    /// Providers as calls name them (`vllm`); `None`: any.
    pub provider: Option<NamePattern>,
    /// Serving instances; `None`: any.
    pub instance: Option<NamePattern>,
    /// What an hour costs, and how many GPUs work.
    pub price: GpuPrice,
}

/// A price of a set of GPUs that a project has set.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProjectGpuPrice {
    /// Its id.
    pub id: GpuPriceId,
    /// What was set.
    pub draft: GpuPriceDraft,
    /// When it was made.
    pub created_at: Timestamp,
}

/// Who served calls.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Serving {
    /// Model that answered, else the one asked for.
    pub model: String,
    /// Provider.
    pub provider: Option<String>,
    /// Instance.
    pub instance: Option<String>,
}

/// Calls that began in the window, each once, by who served them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ServedCalls {
    /// Who served them.
    pub serving: Serving,
    /// How many.
    pub calls: u64,
    /// Of these, calls that have not ended: how long they took is unknown.
    pub open_calls: u64,
    /// Of these, calls that counted neither input nor output tokens.
    pub uncounted_calls: u64,
    /// Input tokens; `None` when no call counted any.
    pub input_tokens: Option<u64>,
    /// Output tokens, likewise.
    pub output_tokens: Option<u64>,
}

/// How long a set was at work within the window.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BusyTime {
    /// Time in which at least one call was under way: calls at the same time count once.
    pub busy: Nanos,
    /// Time of all calls added up: calls at the same time count each.
    pub in_calls: Nanos,
}

/// One set of GPUs in a window.
#[derive(Clone, Debug, PartialEq)]
pub struct GpuReport {
    /// Its price.
    pub price: ProjectGpuPrice,
    /// Models that it served, sorted.
    pub models: Vec<String>,
    /// Calls that began in the window.
    pub calls: u64,
    /// Of these, calls that have not ended: they are missing in the busy time.
    pub open_calls: u64,
    /// Of these, calls without tokens: they are missing in the tokens.
    pub uncounted_calls: u64,
    /// Input tokens; `None` when no call counted any.
    pub input_tokens: Option<u64>,
    /// Output tokens, likewise.
    pub output_tokens: Option<u64>,
    /// Length of the window.
    pub window: Nanos,
    /// How long it was at work.
    pub time: BusyTime,
}

impl GpuPriceDraft {
    /// Whether a set of that price served such calls.
    pub fn serves(&self, serving: &Serving) -> bool {
        self.model.matches(&serving.model)
            && matches_if_asked(self.provider.as_ref(), serving.provider.as_deref())
            && matches_if_asked(self.instance.as_ref(), serving.instance.as_deref())
    }

    /// How exactly it says what it serves: instance, then provider, then model.
    fn precision(&self) -> [Option<(bool, usize)>; 3] {
        let of = |pattern: Option<&NamePattern>| pattern.map(NamePattern::precision);
        [
            of(self.instance.as_ref()),
            of(self.provider.as_ref()),
            Some(self.model.precision()),
        ]
    }
}

/// The place of the price whose GPUs served such calls; of several the one that says it most exactly,
/// then the oldest, so that no call is counted for two sets. `None` when no price tells of them.
pub fn price_of(prices: &[ProjectGpuPrice], serving: &Serving) -> Option<usize> {
    let rank = |at: usize| {
        let price = &prices[at];
        let age = std::cmp::Reverse((price.created_at, price.id));
        (price.draft.precision(), age)
    };
    (0..prices.len())
        .filter(|&at| prices[at].draft.serves(serving))
        .max_by_key(|&at| rank(at))
}

impl GpuReport {
    /// A set that did nothing in the window.
    pub fn idle(price: ProjectGpuPrice, window: Nanos) -> Self {
        GpuReport {
            price,
            models: Vec::new(),
            calls: 0,
            open_calls: 0,
            uncounted_calls: 0,
            input_tokens: None,
            output_tokens: None,
            window,
            time: BusyTime::default(),
        }
    }

    /// Adds calls that it served.
    pub fn add(&mut self, served: &ServedCalls) {
        let sum = |a: Option<u64>, b: Option<u64>| match (a, b) {
            (Some(a), Some(b)) => Some(a.saturating_add(b)),
            (a, b) => a.or(b),
        };
        let model = &served.serving.model;
        if let Err(at) = self.models.binary_search(model) {
            self.models.insert(at, model.clone());
        }
        self.calls += served.calls;
        self.open_calls += served.open_calls;
        self.uncounted_calls += served.uncounted_calls;
        self.input_tokens = sum(self.input_tokens, served.input_tokens);
        self.output_tokens = sum(self.output_tokens, served.output_tokens);
    }

    /// Time in which no call was under way: window − busy.
    pub fn idle_time(&self) -> Nanos {
        Nanos(self.window.0.saturating_sub(self.time.busy.0))
    }

    /// Share of the window in which no call was under way, 0 to 1: idle ÷ window. `None` for a window
    /// without length.
    pub fn idle_share(&self) -> Option<Decimal> {
        ratio(self.idle_time(), self.window)
    }

    /// Hours that are paid: window ÷ 3600 s × GPUs.
    pub fn gpu_hours(&self) -> Decimal {
        let hours = Decimal::from(self.window.0).checked_div(NANOS_PER_HOUR);
        hours
            .unwrap_or_default()
            .saturating_mul(self.price.draft.price.gpus.into())
    }

    /// What the window costs, busy and idle time apart; together it is hours × price.
    pub fn cost(&self) -> WindowCost {
        let price = self.price.draft.price;
        price.cost_of_window(self.window, self.time.busy)
    }

    /// Calls under way at the same time while there were any: time in calls ÷ busy. `None` when none
    /// was.
    pub fn concurrency(&self) -> Option<Decimal> {
        ratio(self.time.in_calls, self.time.busy)
    }

    /// Input and output tokens together; `None` when no call counted any.
    pub fn tokens(&self) -> Option<u64> {
        match (self.input_tokens, self.output_tokens) {
            (Some(input), Some(output)) => Some(input.saturating_add(output)),
            (input, output) => input.or(output),
        }
    }

    /// Throughput of the whole set while it worked: tokens ÷ busy seconds. `None` when either is
    /// unknown or none.
    pub fn per_second(&self, tokens: Option<u64>) -> Option<Decimal> {
        let busy = Decimal::from_i128_with_scale(i128::from(self.time.busy.0), 9);
        Decimal::from(tokens?).checked_div(busy)
    }

    /// USD per million tokens, input and output alike, while it worked: price per hour ÷ (throughput ×
    /// 3600) × 1 000 000. Idle time is not in it.
    pub fn usd_per_million_tokens(&self) -> Option<Usd> {
        let throughput = self.per_second(self.tokens())?;
        let token = self.price.draft.price.per_token(throughput)?;
        Some(Usd(token.0.checked_mul(MILLION)?).rounded())
    }

    /// USD per million tokens with what idle time cost: cost of the window ÷ tokens × 1 000 000.
    pub fn usd_per_million_tokens_with_idle(&self) -> Option<Usd> {
        let tokens = self.tokens().filter(|&tokens| tokens > 0)?;
        let cost = self.cost();
        let whole = (cost.busy + cost.idle).0;
        let per_million = whole.checked_mul(MILLION)?.checked_div(tokens.into())?;
        Some(Usd(per_million).rounded())
    }
}

fn ratio(part: Nanos, whole: Nanos) -> Option<Decimal> {
    Decimal::from(part.0).checked_div(whole.0.into())
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    fn price(id: u128, (model, provider, instance): (&str, &str, &str)) -> ProjectGpuPrice {
        let some = |text: &str| (!text.is_empty()).then(|| NamePattern::new(text));
        ProjectGpuPrice {
            id: GpuPriceId(Uuid::from_u128(id)),
            draft: GpuPriceDraft {
                model: NamePattern::new(model),
                provider: some(provider),
                instance: some(instance),
                price: GpuPrice {
                    usd_per_gpu_hour: "1.80".parse().unwrap(),
                    gpus: 2,
                },
            },
            created_at: Timestamp::EPOCH,
        }
    }

    fn serving(model: &str, provider: &str, instance: &str) -> Serving {
        let some = |text: &str| (!text.is_empty()).then(|| text.to_owned());
        Serving {
            model: model.to_owned(),
            provider: some(provider),
            instance: some(instance),
        }
    }

    #[test]
    fn a_call_is_of_the_set_that_says_most_exactly_what_it_serves() {
        let prices = [
            price(1, ("qwen/*", "", "")),
            price(2, ("*", "", "gpu-7")),
            price(3, ("qwen/qwen3-32b", "vllm", "")),
            price(4, ("qwen/*", "", "")),
        ];
        let of = |serving: &Serving| price_of(&prices, serving);
        assert_eq!(of(&serving("Qwen/Qwen3-8B", "", "")), Some(0), "the older");
        assert_eq!(of(&serving("Qwen/Qwen3-32B", "vllm", "")), Some(2));
        assert_eq!(of(&serving("Qwen/Qwen3-32B", "vllm", "gpu-7")), Some(1));
        assert_eq!(of(&serving("gpt-5", "openai", "")), None);
    }

    #[test]
    fn a_quarter_of_an_hour_of_work_is_told_in_tokens_and_money() {
        let hour = Nanos::from_seconds(3600);
        let mut report = GpuReport::idle(price(1, ("m", "", "")), hour);
        for (output_tokens, uncounted_calls) in [(Some(150_000), 0), (None, 1)] {
            report.add(&ServedCalls {
                serving: serving("m", "", ""),
                calls: 10,
                open_calls: 1,
                uncounted_calls,
                input_tokens: output_tokens.map(|tokens| tokens * 5),
                output_tokens,
            });
        }
        report.time = BusyTime {
            busy: Nanos::from_seconds(900),
            in_calls: Nanos::from_seconds(2700),
        };
        assert_eq!((report.calls, report.open_calls), (20, 2));
        assert_eq!((report.uncounted_calls, report.models.len()), (1, 1));
        assert_eq!(report.tokens(), Some(900_000));
        let text = |number: Option<Decimal>| number.map(|n| n.normalize().to_string());
        assert_eq!(text(report.per_second(report.tokens())).unwrap(), "1000");
        assert_eq!(text(report.concurrency()).unwrap(), "3");
        assert_eq!(text(report.idle_share()).unwrap(), "0.75");
        assert_eq!(report.gpu_hours().to_string(), "2");
        assert_eq!(report.cost().busy.to_string(), "0.9");
        assert_eq!(report.cost().idle.to_string(), "2.7");
        let usd = |usd: Option<Usd>| usd.unwrap().to_string();
        assert_eq!(usd(report.usd_per_million_tokens()), "1");
        assert_eq!(usd(report.usd_per_million_tokens_with_idle()), "4");
    }

    #[test]
    fn a_set_without_calls_costs_its_hours_and_has_no_price_per_token() {
        let report = GpuReport::idle(price(1, ("m", "", "")), Nanos::from_seconds(3600));
        assert_eq!(report.cost().idle.to_string(), "3.6");
        assert_eq!(report.idle_share(), Some(Decimal::ONE));
        assert_eq!(report.usd_per_million_tokens(), None);
        assert_eq!(report.usd_per_million_tokens_with_idle(), None);
        assert_eq!((report.concurrency(), report.tokens()), (None, None));
        let nothing = GpuReport::idle(price(1, ("m", "", "")), Nanos(0));
        assert_eq!(nothing.idle_share(), None);
    }
}
