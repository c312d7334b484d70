//! Values of the axes that come with a span: its own keys, and events of the engine's cache.
//!
//! What was not told is absent, never 0. Several evictions add up; of gauges the worst value counts:
//! the least free memory, the smallest largest block, the highest fragmentation.

use std::collections::BTreeMap;

use domain::attr::triaxis as attr;
use domain::span::SpanEvent;
use domain::value;

use super::lookup::{Key, Lookup, keys};
use super::read;

/// Series, and the keys that give them.
const KEYS: &[(&str, &[Key])] = &[
    (
        HIT_RATE,
        keys![attr::INFER_KV_CACHE_HIT_RATE, attr::KV_CACHE_HIT_RATIO],
    ),
    ("token.batch_size", keys![attr::INFER_BATCH_SIZE]),
    (
        "token.speculative_acceptance_rate",
        keys![attr::INFER_SPECULATIVE_ACCEPTANCE_RATE],
    ),
];
const HIT_RATE: &str = "token.kv_cache_hit_rate";

/// How values of several events become one.
#[derive(Clone, Copy)]
enum Fold {
    Sum,
    Least,
    Most,
}

/// Events, their attributes, and the series that they give.
const EVENTS: &[(&str, &str, &str, Fold)] = &[
    (
        attr::KV_CACHE_EVICTED,
        attr::EVICTED_BLOCKS,
        "token.kv_evicted_blocks",
        Fold::Sum,
    ),
    (
        attr::KV_CACHE_EVICTED,
        attr::EVICTED_TOKENS,
        "token.kv_evicted_tokens",
        Fold::Sum,
    ),
    (
        attr::KV_CACHE_EVICTED,
        attr::GPU_MEM_FREE_GB,
        "gpu.free_memory_gb",
        Fold::Least,
    ),
    (
        attr::KV_CACHE_FRAGMENTED,
        attr::GPU_MEM_FREE_GB,
        "gpu.free_memory_gb",
        Fold::Least,
    ),
    (
        attr::KV_CACHE_FRAGMENTED,
        attr::LARGEST_FREE_BLOCK_GB,
        "gpu.largest_free_block_gb",
        Fold::Least,
    ),
    (
        attr::KV_CACHE_FRAGMENTED,
        attr::FRAGMENTATION_RATIO,
        "gpu.memory_fragmentation_ratio",
        Fold::Most,
    ),
];

/// Every value that the span tells.
pub(super) fn axes(lookup: &Lookup<'_>, events: &[SpanEvent]) -> BTreeMap<String, f64> {
    let mut axes = BTreeMap::new();
    for (series, keys) in KEYS {
        let told = lookup
            .first(keys)
            .and_then(|(_, value)| read::number(value));
        if let Some(number) = told {
            // Some write percent where a share is meant.
            let is_percent = *series == HIT_RATE && number > 1.0;
            let number = if is_percent { number / 100.0 } else { number };
            axes.insert((*series).to_owned(), number);
        }
    }
    for event in events {
        add_event(&mut axes, event);
    }
    if !axes.contains_key(HIT_RATE)
        && let Some(rate) = hit_rate(events)
    {
        axes.insert(HIT_RATE.to_owned(), rate);
    }
    axes
}

fn add_event(axes: &mut BTreeMap<String, f64>, event: &SpanEvent) {
    for (_, key, series, fold) in EVENTS.iter().filter(|(name, ..)| *name == event.name) {
        let Some(number) = value::get(&event.attributes, key).and_then(read::number) else {
            continue;
        };
        let known = axes.entry((*series).to_owned()).or_insert(match fold {
            Fold::Sum => 0.0,
            Fold::Least | Fold::Most => number,
        });
        *known = match fold {
            Fold::Sum => *known + number,
            Fold::Least => known.min(number),
            Fold::Most => known.max(number),
        };
    }
}

/// Hits by hits and misses; `None` without events of the cache.
fn hit_rate(events: &[SpanEvent]) -> Option<f64> {
    let count = |names: &[&str]| {
        let matching = events.iter().filter(|event| names.contains(&&*event.name));
        matching.count() as f64
    };
    let hits = count(&[attr::KV_CACHE_HIT]);
    let all = hits + count(&[attr::KV_CACHE_MISS, attr::KV_CACHE_COLD_MISS]);
    (all > 0.0).then(|| hits / all)
}

#[cfg(test)]
mod tests {
    use domain::span::EventSource;
    use domain::{Timestamp, Value};

    use super::*;

    fn event(name: &str, attributes: &[(&str, f64)]) -> SpanEvent {
        SpanEvent {
            name: name.to_owned(),
            time: Timestamp::EPOCH,
            attributes: attributes
                .iter()
                .map(|(key, number)| ((*key).into(), Value::Double(*number)))
                .collect(),
            source: EventSource::Span,
        }
    }

    #[test]
    fn evictions_add_up_and_gauges_take_the_worst() {
        let events = [
            event("kv_cache.hit", &[]),
            event("kv_cache.cold_miss", &[]),
            event(
                "kv_cache.evicted",
                &[("evicted_blocks", 3.0), ("gpu_mem_free_gb", 2.0)],
            ),
            event(
                "kv_cache.evicted",
                &[("evicted_blocks", 4.0), ("gpu_mem_free_gb", 0.5)],
            ),
            event("kv_cache.fragmented", &[("fragmentation_ratio", 0.4)]),
        ];
        let axes = axes(&Lookup::new(&[]), &events);
        assert_eq!(axes["token.kv_evicted_blocks"], 7.0);
        assert_eq!(axes["gpu.free_memory_gb"], 0.5);
        assert_eq!(axes["gpu.memory_fragmentation_ratio"], 0.4);
        assert_eq!(axes["token.kv_cache_hit_rate"], 0.5);
        assert!(!axes.contains_key("token.kv_evicted_tokens"));
    }

    #[test]
    fn a_rate_that_is_told_wins_and_percent_is_a_share() {
        let told = [("llm.kv_cache.hit_ratio".into(), Value::Int(87))];
        let axes = axes(&Lookup::new(&told), &[event("kv_cache.miss", &[])]);
        assert_eq!(axes["token.kv_cache_hit_rate"], 0.87);
    }
}
