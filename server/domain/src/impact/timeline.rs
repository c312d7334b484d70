//! What was when: how many traces had their first event of each type, and how many business events there were, in
//! pieces of time.

use std::collections::BTreeMap;

use super::Evidence;
use crate::metrics::Granularity;
use crate::semantic::EventType;
use crate::time::Timestamp;

/// Counts over time.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Timeline {
    /// When each piece begins.
    pub starts: Vec<Timestamp>,
    /// Traces and sessions with a first event of a type.
    pub semantic: Vec<(EventType, Vec<u32>)>,
    /// Business events, by what they are called.
    pub business: Vec<(String, Vec<u32>)>,
}

/// Counts of a range; what lies outside of it is left out.
pub fn timeline(evidence: &Evidence, (from, to): (Timestamp, Timestamp)) -> Timeline {
    let granularity = Granularity::fit(from, to);
    let starts: Vec<Timestamp> = granularity.pieces(from, to).collect();
    let place = |at: Timestamp| {
        let after = starts.partition_point(|start| *start <= at);
        let is_within = from <= at && at < to;
        is_within.then(|| after.saturating_sub(1))
    };
    let mut semantic = BTreeMap::new();
    for first in &evidence.firsts {
        count(
            &mut semantic,
            first.event_type,
            place(first.at),
            starts.len(),
        );
    }
    let mut business = BTreeMap::new();
    for event in &evidence.events {
        count(&mut business, event.series(), place(event.at), starts.len());
    }
    Timeline {
        starts,
        semantic: semantic.into_iter().collect(),
        business: business.into_iter().collect(),
    }
}

fn count<K: Ord>(all: &mut BTreeMap<K, Vec<u32>>, key: K, place: Option<usize>, pieces: usize) {
    let Some(place) = place else { return };
    let counts = all.entry(key).or_insert_with(|| vec![0; pieces]);
    if let Some(count) = counts.get_mut(place) {
        *count = count.saturating_add(1);
    }
}

#[cfg(test)]
mod tests {
    use super::super::First;
    use super::*;
    use crate::business_event::{BusinessEvent, BusinessKind};
    use crate::time::Nanos;

    #[test]
    fn everything_within_the_range_is_counted_once() {
        let at = |seconds| Timestamp::EPOCH.plus(Nanos::from_seconds(seconds));
        let first = |seconds| First {
            trace_id: "t".to_owned(),
            session_id: String::new(),
            event_type: EventType::Refusal,
            at: at(seconds),
        };
        let event = |seconds| BusinessEvent::bare(BusinessKind::Custom, at(seconds));
        let evidence = Evidence {
            firsts: [3_599, 3_600, 7_199, 10_000, 10_800].map(first).into(),
            events: [3_600, 10_799, 20_000].map(event).into(),
            ..Evidence::default()
        };
        let drawn = timeline(&evidence, (at(3_600), at(10_800)));
        let sum = |counts: &[u32]| counts.iter().sum::<u32>();
        assert_eq!(sum(&drawn.semantic[0].1), 3);
        assert_eq!(
            (drawn.business[0].0.as_str(), sum(&drawn.business[0].1)),
            ("custom", 2)
        );
        assert_eq!(drawn.starts.len(), drawn.semantic[0].1.len());
    }
}
