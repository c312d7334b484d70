//! The instances that serve the self-hosted model, and their GPUs: what their exporters would tell of the day.

use domain::{Nanos, Timestamp};
use serde_json::{Value, json};

use super::story;
use super::traffic::{Day, busy};

/// Time between two scrapes.
const SCRAPE: Nanos = Nanos::from_seconds(30);
/// GPUs of an instance.
const GPUS: usize = 2;
/// Memory of a GPU in MiB.
const MEMORY: f64 = 81_559.0;
/// Scrapes in one export request.
const SCRAPES_PER_REQUEST: u64 = 120;

/// What an instance and its GPUs do at an instant.
#[derive(Clone, Copy, Debug)]
pub(crate) struct State {
    /// Requests under way.
    pub(crate) running: f64,
    /// Requests that wait.
    pub(crate) waiting: f64,
    /// Share of the KV cache in use.
    pub(crate) kv_usage: f64,
    /// Share of input tokens found in the prefix cache.
    pub(crate) prefix_hit: f64,
    /// Share of time that the SMs were active.
    pub(crate) sm_active: f64,
}

/// The state of an instance, by its place among all. The incident runs forward: the new version of the prompt leaves the shared
/// prefix, so that the hits fall at once; what is computed again fills the cache; requests wait; last the SMs are busy.
pub(crate) fn state(day: &Day, instance: usize, at: Timestamp) -> State {
    let seed = instance as f64 * 17.0;
    let load =
        busy(at) * (1.0 + 0.12 * wave(at, 1_700.0, seed)) + 0.06 * wave(at, 240.0, seed + 3.0);
    let storm = |delay: f64, rise: f64| storm(day, at, (delay, rise));
    let jitter = |period: f64, offset: f64| wave(at, period, seed + offset);
    State {
        running: (6.0 + 16.0 * load + 1.5 * jitter(110.0, 1.0) + 17.0 * storm(40.0, 150.0))
            .max(0.0)
            .round(),
        waiting: (0.4 * jitter(90.0, 5.0) + 14.0 * storm(75.0, 180.0))
            .max(0.0)
            .round(),
        kv_usage: (0.36 + 0.24 * load + 0.03 * jitter(150.0, 2.0) + 0.46 * storm(20.0, 150.0))
            .clamp(0.02, 0.99),
        prefix_hit: (0.81 + 0.02 * jitter(300.0, 4.0) - 0.74 * storm(0.0, 50.0)).clamp(0.0, 1.0),
        sm_active: (0.28 + 0.34 * load + 0.05 * jitter(130.0, 6.0) + 0.34 * storm(100.0, 200.0))
            .clamp(0.02, 0.98),
    }
}

/// 0 before the incident and after it, 1 in the middle of it: it begins after a delay and takes a while to rise, in seconds.
fn storm(day: &Day, at: Timestamp, (delay, rise): (f64, f64)) -> f64 {
    let (from, to) = day.incident();
    let since = |begin: Timestamp| (at - begin).0 as f64 / 1e9;
    if at < from {
        return 0.0;
    }
    let up = ((since(from) - delay) / rise).clamp(0.0, 1.0);
    let down = if at < to {
        0.0
    } else {
        ((since(to) - delay) / (1.5 * rise)).clamp(0.0, 1.0)
    };
    up - down
}

/// Something between −1 and 1 that never repeats, of that period in seconds.
fn wave(at: Timestamp, period: f64, offset: f64) -> f64 {
    let turn = at.unix_seconds() as f64 / period * std::f64::consts::TAU;
    0.5 * (turn + offset).sin() + 0.3 * (2.7 * turn + 2.0 * offset).sin() + 0.2 * (6.1 * turn).cos()
}

/// Export requests with the metrics of the day, in OTLP/JSON.
pub(crate) fn export_requests(day: &Day) -> impl Iterator<Item = Value> + use<'_> {
    let scrapes = 86_400_000_000_000 / SCRAPE.0;
    let begin = day.begin();
    (0..story::INSTANCES.len()).flat_map(move |instance| {
        // What counters reached by the beginning of a request is what the scrapes before it add up to.
        let mut counted = (0.0, 0.0);
        (0..scrapes.div_ceil(SCRAPES_PER_REQUEST)).map(move |part| {
            let first = part * SCRAPES_PER_REQUEST;
            let last = (first + SCRAPES_PER_REQUEST).min(scrapes);
            let times = (first..last).map(|scrape| begin.plus(Nanos(SCRAPE.0 * scrape)));
            let points: Vec<(Timestamp, State)> =
                times.map(|at| (at, state(day, instance, at))).collect();
            export_request(instance, &points, &mut counted)
        })
    })
}

fn export_request(
    instance: usize,
    points: &[(Timestamp, State)],
    (queries, hits): &mut (f64, f64),
) -> Value {
    let counters: Vec<(Timestamp, f64, f64)> = points
        .iter()
        .map(|(at, state)| {
            let tokens = 2_400.0 * (1.0 + state.running);
            *queries += tokens;
            *hits += tokens * state.prefix_hit;
            (*at, queries.round(), hits.round())
        })
        .collect();
    let of = |value: fn(&State) -> f64| points.iter().map(move |(at, state)| (*at, value(state)));
    let model = [("model_name", story::SELF_HOSTED.name)];
    let metrics = [
        gauge(
            "vllm:num_requests_running",
            &model,
            of(|state| state.running),
        ),
        gauge(
            "vllm:num_requests_waiting",
            &model,
            of(|state| state.waiting),
        ),
        gauge(
            "vllm:kv_cache_usage_perc",
            &model,
            of(|state| state.kv_usage),
        ),
        counter(
            "vllm:prefix_cache_queries",
            &model,
            counters.iter().map(|(at, all, _)| (*at, *all)),
        ),
        counter(
            "vllm:prefix_cache_hits",
            &model,
            counters.iter().map(|(at, _, hits)| (*at, *hits)),
        ),
    ];
    let name = story::INSTANCES[instance];
    let engine = json!([
        attribute("service.name", "vllm"),
        attribute("service.instance.id", &format!("{name}:8000")),
        attribute("host.name", name)
    ]);
    let gpus = (0..GPUS).flat_map(|gpu| of_gpu(name, gpu, points));
    let exporter = json!([
        attribute("service.name", "dcgm-exporter"),
        attribute("service.instance.id", &format!("{name}:9400"))
    ]);
    json!({"resourceMetrics": [
        {"resource": {"attributes": engine}, "scopeMetrics": [{"scope": {"name": "triaxis.demo"}, "metrics": metrics}]},
        {"resource": {"attributes": exporter}, "scopeMetrics": [{"scope": {"name": "triaxis.demo"}, "metrics": gpus.collect::<Vec<_>>()}]},
    ]})
}

/// What the DCGM exporter tells of one GPU.
fn of_gpu(host: &str, gpu: usize, points: &[(Timestamp, State)]) -> Vec<Value> {
    let (id, index) = (format!("GPU-{host}-{gpu}"), gpu.to_string());
    let labels = [
        ("UUID", id.as_str()),
        ("gpu", &index),
        ("Hostname", host),
        ("modelName", "NVIDIA H100 80GB HBM3"),
    ];
    let seed = gpu as f64 * 5.0;
    let of = |value: &dyn Fn(Timestamp, &State) -> f64| -> Vec<(Timestamp, f64)> {
        points
            .iter()
            .map(|(at, state)| (*at, value(*at, state)))
            .collect()
    };
    let active = |at: Timestamp, state: &State| {
        (state.sm_active + 0.02 * wave(at, 70.0, seed)).clamp(0.0, 1.0)
    };
    let used = |state: &State| (0.86 + 0.1 * state.kv_usage) * MEMORY;
    [
        ("DCGM_FI_PROF_SM_ACTIVE", of(&active)),
        (
            "DCGM_FI_PROF_PIPE_TENSOR_ACTIVE",
            of(&|at, state| 0.62 * active(at, state)),
        ),
        (
            "DCGM_FI_PROF_DRAM_ACTIVE",
            of(&|at, state| 0.22 + 0.34 * active(at, state)),
        ),
        (
            "DCGM_FI_DEV_POWER_USAGE",
            of(&|at, state| (190.0 + 490.0 * active(at, state)).round()),
        ),
        (
            "DCGM_FI_DEV_GPU_TEMP",
            of(&|at, state| (38.0 + 36.0 * active(at, state)).round()),
        ),
        ("DCGM_FI_DEV_FB_USED", of(&|_, state| used(state).round())),
        (
            "DCGM_FI_DEV_FB_FREE",
            of(&|_, state| (MEMORY - used(state)).round()),
        ),
    ]
    .into_iter()
    .map(|(name, values)| gauge(name, &labels, values.into_iter()))
    .collect()
}

fn gauge(
    name: &str,
    labels: &[(&str, &str)],
    values: impl Iterator<Item = (Timestamp, f64)>,
) -> Value {
    json!({"name": name, "gauge": {"dataPoints": points(labels, values)}})
}

fn counter(
    name: &str,
    labels: &[(&str, &str)],
    values: impl Iterator<Item = (Timestamp, f64)>,
) -> Value {
    json!({"name": name, "sum": {
        "aggregationTemporality": 2,
        "isMonotonic": true,
        "dataPoints": points(labels, values),
    }})
}

fn points(labels: &[(&str, &str)], values: impl Iterator<Item = (Timestamp, f64)>) -> Vec<Value> {
    let attributes: Vec<Value> = labels
        .iter()
        .map(|(key, value)| attribute(key, value))
        .collect();
    values
        .map(|(at, value)| {
            // Three digits are what exporters tell.
            let value = (value * 1e3).round() / 1e3;
            json!({"timeUnixNano": at.unix_nanos().to_string(), "asDouble": value, "attributes": attributes})
        })
        .collect()
}

fn attribute(key: &str, value: &str) -> Value {
    json!({"key": key, "value": {"stringValue": value}})
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_incident_runs_forward_and_all_is_well_before_and_after() {
        let end = Timestamp::parse("2026-03-12T06:00:00Z").unwrap();
        let day = Day::ending(end);
        let (from, _) = day.incident();
        let at = |seconds: i64| {
            let length = Nanos::from_seconds(seconds.unsigned_abs());
            state(
                &day,
                0,
                if seconds < 0 {
                    from.minus(length)
                } else {
                    from.plus(length)
                },
            )
        };
        let (before, first, middle, after) = (at(-60), at(55), at(1_200), at(7_200));
        assert!(before.prefix_hit > 0.75 && after.prefix_hit > 0.75);
        assert!(
            first.prefix_hit < 0.2 && first.waiting < 1.0,
            "hits fall before anything waits: {first:?}"
        );
        assert!(
            middle.waiting > 10.0
                && middle.kv_usage > 0.8
                && middle.sm_active > before.sm_active + 0.2
        );
        for seconds in (-7_200..10_000).step_by(37) {
            let state = at(seconds);
            assert!(
                (0.0..=1.0).contains(&state.kv_usage) && (0.0..=1.0).contains(&state.sm_active)
            );
        }
    }
}
