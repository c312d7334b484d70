//! What a call cost, where the sender did not say.

use domain::Span;
use domain::cost::Pricer;

/// Gives calls without a cost one from the project's prices.
pub fn cost(spans: &mut [Span], prices: &Pricer) {
    prices.complete(spans);
}

#[cfg(test)]
mod tests {
    use domain::cost::PriceBook;
    use domain::span::{Cost, CostSource, SpanKind, Usage};
    use domain::{SpanId, Timestamp, TraceId, Usd};

    use super::*;

    #[test]
    fn a_cost_that_was_sent_stays() {
        let trace = TraceId::from_text("t").unwrap();
        let span = SpanId::from_text("s").unwrap();
        let mut silent = Span::bare(trace, span, Timestamp::EPOCH);
        silent.kind = SpanKind::Generation;
        silent.response_model = Some("gpt-4o".to_owned());
        silent.usage = Some(Usage {
            details: [("input".to_owned(), 1_000)].into(),
            ..Usage::default()
        });
        let mut free = silent.clone();
        free.cost = Some(Cost {
            total: Some(Usd::default()),
            details: Default::default(),
            source: CostSource::Client,
            terms: None,
        });
        let mut spans = [silent, free.clone()];
        cost(&mut spans, &Pricer::new(PriceBook::built_in()));
        let computed = spans[0].cost.as_ref().unwrap();
        assert_eq!(computed.source, CostSource::PriceTable);
        assert_eq!(computed.total.unwrap().to_string(), "0.0025");
        assert_eq!(spans[1], free);
    }
}
