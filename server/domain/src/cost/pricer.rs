//! A project's book with what was looked up lately: prices spans.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, PoisonError, RwLock};

use rust_decimal::Decimal;

use super::book::{Call, PriceBook};
use super::bucket::Bucket;
use super::compute::{Consumption, Unpriced};
use super::price::Price;
use crate::money::Usd;
use crate::span::{CallRole, Cost, CostSource, Span, SpanKind};
use crate::time::Timestamp;

/// Models that are remembered: telemetry may name any number of them.
const MAX_REMEMBERED: usize = 10_000;
/// Longer names are no names of models, and searching them for patterns would take its time.
const MAX_NAME_BYTES: usize = 256;

/// Prices spans. What a model costs is looked up once, then remembered with all its validity dates.
#[derive(Debug, Default)]
pub struct Pricer {
    book: PriceBook,
    remembered: RwLock<Remembered>,
}

/// Prices of a model, the one that goes before first.
type Prices = Arc<[Arc<Price>]>;

#[derive(Debug, Default)]
struct Remembered {
    by_provider: HashMap<Box<str>, HashMap<Box<str>, Prices>>,
    models: usize,
}

impl Pricer {
    /// With the prices of a project.
    pub fn new(book: PriceBook) -> Self {
        Pricer {
            book,
            remembered: RwLock::default(),
        }
    }

    /// The book that it prices by.
    pub fn book(&self) -> &PriceBook {
        &self.book
    }

    /// Gives calls without a cost one. What has no price keeps none, which is not a cost of zero.
    pub fn complete(&self, spans: &mut [Span]) {
        for span in spans.iter_mut().filter(|span| span.cost.is_none()) {
            span.cost = self.cost_of(span).and_then(Result::ok);
        }
    }

    /// What a span costs by its usage, model and service tier, whatever cost it has; `None` where
    /// there is nothing to price: it is no call of a model, repeats one, or counted nothing. An answer
    /// from a cache costs nothing: the tokens that it tells were paid for before.
    pub fn cost_of(&self, span: &Span) -> Option<Result<Cost, Unpriced>> {
        let tokens = &span.usage.as_ref().filter(|_| is_a_call(span))?.details;
        if span.from_cache == Some(true) {
            return Some(Ok(Cost {
                total: Some(Usd(Decimal::ZERO)),
                details: BTreeMap::new(),
                source: CostSource::ResponseCache,
                terms: None,
            }));
        }
        let units = things(tokens);
        let call = Call {
            provider: name(span.provider.as_deref()),
            response_model: name(span.response_model.as_deref()),
            request_model: name(span.request_model.as_deref()),
            start: span.start,
            used: Consumption {
                tokens,
                units: &units,
                service_tier: parameter(span, "service_tier"),
                geography: parameter(span, "inference_geo"),
                speed: parameter(span, "speed"),
                parameters: &span.parameters,
                metadata: &span.metadata,
            },
        };
        let priced = call.priced_by(|model| self.find(call.provider, model, call.start));
        Some(priced.map(super::Priced::into_cost))
    }

    /// As [`PriceBook::find`].
    fn find(&self, provider: Option<&str>, model: &str, at: Timestamp) -> Option<Arc<Price>> {
        let provider = provider.unwrap_or_default();
        let first_that_holds = |prices: &Prices| {
            let mut prices = prices.iter();
            prices.find(|price| price.holds_at(at)).map(Arc::clone)
        };
        if let Some(prices) = self.read().get(provider, model) {
            return first_that_holds(prices);
        }
        let provider_or_none = Some(provider).filter(|provider| !provider.is_empty());
        let found = self.book.prices_of(provider_or_none, model);
        let prices: Prices = found.cloned().map(Arc::new).collect();
        let price = first_that_holds(&prices);
        self.write().insert(provider, model, prices);
        price
    }

    fn read(&self) -> std::sync::RwLockReadGuard<'_, Remembered> {
        let guard = self.remembered.read();
        guard.unwrap_or_else(PoisonError::into_inner)
    }

    fn write(&self) -> std::sync::RwLockWriteGuard<'_, Remembered> {
        let guard = self.remembered.write();
        guard.unwrap_or_else(PoisonError::into_inner)
    }
}

impl Remembered {
    fn get(&self, provider: &str, model: &str) -> Option<&Prices> {
        self.by_provider.get(provider)?.get(model)
    }

    fn insert(&mut self, provider: &str, model: &str, prices: Prices) {
        if self.models >= MAX_REMEMBERED {
            *self = Remembered::default();
        }
        let of_provider = self.by_provider.entry(provider.into()).or_default();
        let is_new = of_provider.insert(model.into(), prices).is_none();
        self.models += usize::from(is_new);
    }
}

/// Agents, chains and tools repeat what is below them.
fn is_a_call(span: &Span) -> bool {
    let kinds = [
        SpanKind::Generation,
        SpanKind::Embedding,
        SpanKind::Reranker,
    ];
    kinds.contains(&span.kind) && span.call_role == CallRole::Own
}

/// Counts of things other than tokens; a call seldom has any.
fn things(counts: &BTreeMap<String, u64>) -> BTreeMap<String, Decimal> {
    let others = counts
        .iter()
        .filter(|(name, _)| Bucket::from_usage(name).is_none());
    let others = others.map(|(name, &count)| (name.clone(), Decimal::from(count)));
    others.collect()
}

fn name(text: Option<&str>) -> Option<&str> {
    text.filter(|text| text.len() <= MAX_NAME_BYTES)
}

/// A parameter of the call; each is JSON text.
fn parameter<'s>(span: &'s Span, name: &str) -> Option<&'s str> {
    let text = span.parameters.get(name)?.trim_matches('"');
    (!text.is_empty()).then_some(text)
}
