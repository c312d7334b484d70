//! History as the rows of an attribution: what scrapes saw, joined to requests by time and instance.

use domain::attribution::request::{Direction, Moments, Symptom, Window, Windows};
use domain::attribution::{Column, Dimension, Request, Rows};
use domain::{Nanos, Timestamp, TraceId};

use crate::engine::Reading;
use crate::fleet::Call;
use crate::history::History;
use crate::random::Random;
use crate::scenario::{gpu_name, instance_name};

/// Seconds between scrapes.
const SCRAPE_S: usize = 15;
/// How far a reading may be from a request.
const NEAR_S: f64 = 15.0;
/// Instant at which simulations begin: 2026-01-05T01:00:00Z.
const BEGAN_MS: i64 = 1_767_574_800_000;

type Read = fn(&Reading) -> f64;
type Measured = fn(&Call) -> f64;
type Checked = fn(&Call) -> bool;

const READINGS: [(&str, Read); 16] = [
    ("gpu.sm_active", |r| r.sm_active),
    ("gpu.dram_active", |r| r.dram_active),
    ("gpu.power_w", |r| r.power_w),
    ("gpu.temperature_c", |r| r.temperature_c),
    ("gpu.nvlink_rx_bytes", |r| r.nvlink_bytes),
    ("gpu.nvlink_tx_bytes", |r| r.nvlink_bytes * 0.97),
    ("gpu.pcie_rx_bytes", |r| r.pcie_bytes),
    ("gpu.memory_used_ratio", |r| r.memory_used_ratio),
    ("gpu.memory_fragmentation_ratio", |r| r.fragmentation),
    ("gpu.largest_free_block_gb", |r| r.largest_free_block_gb),
    ("token.running_requests", |r| r.running),
    ("token.waiting_requests", |r| r.waiting),
    ("token.kv_cache_usage", |r| r.kv_usage),
    ("token.kv_evicted_blocks", |r| r.evicted_blocks),
    ("token.speculative_acceptance_rate", |r| r.acceptance),
    ("token.prefix_cache_hit_rate", |r| r.prefix_hit_rate),
];

const MEASURED: [(&str, Measured); 11] = [
    ("token.input_tokens", |c| c.input_tokens),
    ("token.output_tokens", |c| c.output_tokens),
    ("token.cached_tokens", |c| c.cached_tokens),
    ("token.kv_cache_hit_rate", |c| {
        c.cached_tokens / c.input_tokens
    }),
    ("token.queue_ms", |c| 1e3 * (c.began - c.at)),
    ("token.prefill_ms", |c| 1e3 * (c.first_token - c.began)),
    ("token.ttft_ms", |c| 1e3 * (c.first_token - c.at)),
    ("token.tpot_ms", |c| {
        1e3 * (c.ended - c.first_token) / (c.output_tokens - 1.0).max(1.0)
    }),
    ("token.decode_tokens_per_s", |c| {
        c.output_tokens / (c.ended - c.first_token).max(1e-3)
    }),
    ("token.e2e_ms", |c| 1e3 * (c.ended - c.at)),
    ("quality.repeated_ngram_ratio", |c| c.repeated),
];

const CHECKED: [(&str, Checked); 4] = [
    ("quality.format_valid", |c| c.format_valid),
    ("quality.refused", |c| c.refused),
    ("quality.truncated_json", |c| c.is_cut),
    ("quality.length_in_range", |c| c.output_tokens >= 20.0),
];

/// The question that an alert would ask.
pub fn request(history: &History) -> Request {
    let scenario = &history.scenario;
    let alert = Window {
        from: instant(scenario.alert_at),
        to: instant(scenario.ends_at()),
    };
    let (series, is_rise) = scenario.symptom;
    Request {
        windows: Windows {
            baseline: Window {
                from: instant(scenario.alert_at - 3600.0),
                to: alert.from,
            },
            alert,
        },
        symptom: Symptom {
            series: series.to_owned(),
            direction: if is_rise {
                Direction::Up
            } else {
                Direction::Down
            },
            threshold: None,
        },
        rows: rows(history),
        requests_considered: None,
        moments: Moments {
            alerted: Some(alert.from),
            recovered: None,
        },
    }
}

/// All calls of a history with what was seen of them.
pub fn rows(history: &History) -> Rows {
    let calls = &history.calls;
    let seen = joined(history);
    let text = |value: fn(&Call) -> String| calls.iter().map(value).collect::<Vec<String>>();
    let dimension = |name: &str, values: &[String]| {
        Dimension::new(name, values.iter().map(|value| Some(value.as_str())))
    };
    let mut columns = Vec::new();
    for (series, read) in READINGS {
        let values = seen.iter().map(|reading| reading.map(|r| read(&r) as f32));
        columns.push(Column::numbers(series, values));
    }
    for (series, measured) in MEASURED {
        let values = calls.iter().map(|call| Some(measured(call) as f32));
        columns.push(Column::numbers(series, values));
    }
    for (series, checked) in CHECKED {
        let values = calls.iter().map(|call| Some(checked(call)));
        columns.push(Column::booleans(series, values));
    }
    Rows {
        trace_ids: calls.iter().filter_map(trace_id).collect(),
        starts: calls.iter().map(|call| instant(call.at)).collect(),
        columns,
        dimensions: vec![
            dimension("instance", &text(|call| instance_name(call.instance))),
            dimension("gpu", &text(|call| gpu_name(call.instance))),
            dimension("model", &text(|_| "qwen3-32b".to_owned())),
            dimension("prompt", &text(|call| call.prompt.to_owned())),
            dimension(
                "prompt_version",
                &text(|call| format!("{}@{}", call.prompt, call.version)),
            ),
            dimension("tenant", &text(|call| call.tenant.to_owned())),
            dimension("route", &text(|call| format!("/v1/{}", call.prompt))),
            dimension("release", &text(|call| call.release.to_owned())),
        ],
    }
}

/// The reading that goes with each call: the last scrape of its instance that saw it, if one did.
fn joined(history: &History) -> Vec<Option<Reading>> {
    let mut random = Random::new(history.scenario.seed, 3);
    let instances = history.scenario.instances;
    let scrapes: Vec<Vec<(f64, usize)>> = (0..instances)
        .map(|_| {
            let phase = random.below(SCRAPE_S);
            let all = (phase..history.readings.len()).step_by(SCRAPE_S);
            let kept = all.filter(|_| !random.chance(history.scenario.missing_scrapes));
            kept.map(|second| (second as f64 + 1.0, second)).collect()
        })
        .collect();
    let of = |call: &Call| {
        let own = &scrapes[call.instance];
        let after = own.partition_point(|(at, _)| *at <= call.ended);
        let (at, second) = *own.get(after.checked_sub(1)?)?;
        (at >= call.at - NEAR_S).then(|| history.readings[second][call.instance])
    };
    history.calls.iter().map(of).collect()
}

/// The trace of a call.
pub fn trace_id(call: &Call) -> Option<TraceId> {
    TraceId::from_text(&format!("{:032x}", call.number)).ok()
}

/// An instant of the simulation.
pub fn instant(seconds: f64) -> Timestamp {
    let began = Timestamp::from_unix_millis(BEGAN_MS).unwrap_or(Timestamp::EPOCH);
    began.plus(Nanos((seconds.max(0.0) * 1e9) as u64))
}
