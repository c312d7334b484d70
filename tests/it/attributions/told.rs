//! A simulated fleet, told through the doors that real ones use: calls over OTLP, series of engines and GPUs over remote
//! write. Everything happened a moment ago, so that nothing need be waited for.

use fleet::scenario::{gpu_name, instance_name};
use fleet::{Call, Cause, History, Scenario};
use serde_json::{Value, json};
use tests::builders::{SpanBuilder, export, now_nanos};
use tests::remote_write::{SentSeries, accept};
use tests::{ProjectClient, shared};

use crate::fleet::series::{COUNTED, ENGINE, GPU, MODEL, pod, span};

/// Seconds of a fleet before its alert window; the trouble begins [`LEAD_S`] earlier.
const BASELINE_S: f64 = 1_260.0;
const LEAD_S: f64 = 30.0;
const ALERT_S: f64 = 300.0;
/// Seconds between scrapes.
const SCRAPE_S: usize = 15;

/// A history with the place in time that it is told to have happened at.
pub(super) struct Told {
    pub(super) client: ProjectClient,
    history: History,
    /// Milliseconds since 1970 at which the simulation began: it has just ended.
    began_ms: f64,
}

/// A fleet of three instances that something goes wrong with.
pub(super) fn scenario(cause: Cause, symptom: (&'static str, bool), seed: u64) -> Scenario {
    Scenario {
        seed,
        instances: 3,
        requests_per_s: 1.5,
        cause,
        begins_at: BASELINE_S - LEAD_S,
        alert_at: BASELINE_S,
        alert_s: ALERT_S,
        harmless_rollout: None,
        missing_scrapes: 0.0,
        symptom,
    }
}

impl Told {
    /// Lets a scenario happen, and tells a new project of it.
    pub(super) async fn of(scenario: Scenario) -> Self {
        Told::to(shared().await.new_project(), scenario).await
    }

    /// The same to a project.
    pub(super) async fn to(client: ProjectClient, scenario: Scenario) -> Self {
        let history = History::of(scenario);
        let now_ms = now_nanos() as f64 / 1e6;
        let told = Told {
            client,
            began_ms: now_ms - 1e3 * (history.readings.len() as f64 + 1.0),
            history,
        };
        accept(&told.client, &told.series()).await;
        let spans: Vec<SpanBuilder> = told
            .history
            .calls
            .iter()
            .map(|call| span(call, |seconds| told.millis(seconds)))
            .collect();
        for some in spans.chunks(500) {
            told.client.accept_traces(&export(some)).await;
        }
        told
    }

    /// What an alert would ask.
    pub(super) fn question(&self) -> Value {
        let scenario = &self.history.scenario;
        let (series, is_rise) = scenario.symptom;
        json!({
            "from": self.time(scenario.alert_at),
            "to": self.time(scenario.ends_at()),
            "symptom": {"series": series, "direction": if is_rise { "up" } else { "down" }},
        })
    }

    /// How many calls began within both windows of [`Told::question`], without the guard between them.
    pub(super) fn considered(&self) -> usize {
        let scenario = &self.history.scenario;
        let (alert, end) = (
            self.millis(scenario.alert_at),
            self.millis(scenario.ends_at()),
        );
        let starts = self.history.calls.iter().map(|call| self.millis(call.at));
        let within = starts.filter(|at| *at < end && !(alert - 60_000..alert).contains(at));
        within.count()
    }

    /// The value of the symptom's series that a share of the calls is below, before the trouble and in the alert window.
    pub(super) fn quantiles(&self, share: f64, value: impl Fn(&Call) -> f64) -> (f64, f64) {
        let scenario = &self.history.scenario;
        let within = |from: f64, to: f64| {
            let calls = self.history.calls.iter();
            let of = calls.filter(|call| (from..to).contains(&call.at));
            let mut values: Vec<f64> = of.map(&value).collect();
            values.sort_by(f64::total_cmp);
            values[(values.len() as f64 * share) as usize]
        };
        (
            within(0.0, scenario.begins_at),
            within(scenario.alert_at, scenario.ends_at()),
        )
    }

    fn millis(&self, seconds: f64) -> u64 {
        (self.began_ms + 1e3 * seconds) as u64
    }

    fn time(&self, seconds: f64) -> String {
        let at = domain::Timestamp::from_unix_millis(self.millis(seconds) as i64);
        at.unwrap().to_string()
    }

    /// Every scrape of every exporter: vLLM beside the DCGM exporter, as Prometheus labels them.
    fn series(&self) -> Vec<SentSeries> {
        let instances = 0..self.history.scenario.instances;
        instances
            .flat_map(|index| self.engine(index).into_iter().chain(self.device(index)))
            .collect()
    }

    fn engine(&self, index: usize) -> Vec<SentSeries> {
        let (instance, pod) = (instance_name(index), pod(index));
        let labels = [
            ("instance", &*instance),
            ("pod", &*pod),
            ("model_name", MODEL),
        ];
        let gauges =
            ENGINE.map(|(name, read)| self.scraped(index, SentSeries::new(name, &labels), read));
        let counters = COUNTED.map(|(name, grows)| {
            let mut sum = 0.0;
            let series = SentSeries::new(&format!("{name}_total"), &labels);
            self.scraped(index, series, |reading| {
                sum += grows(reading);
                sum
            })
        });
        gauges.into_iter().chain(counters).collect()
    }

    fn device(&self, index: usize) -> Vec<SentSeries> {
        let (uuid, pod) = (gpu_name(index), pod(index));
        let labels = [
            ("UUID", &*uuid),
            ("instance", "dcgm:9400"),
            ("exported_pod", &*pod),
        ];
        let gauges =
            GPU.map(|(name, read)| self.scraped(index, SentSeries::new(name, &labels), read));
        gauges.into()
    }

    /// A value each scrape; those of an instance are scraped a little after those of the one before.
    fn scraped(
        &self,
        index: usize,
        series: SentSeries,
        mut value: impl FnMut(&fleet::Reading) -> f64,
    ) -> SentSeries {
        let seconds = (4 * index..self.history.readings.len()).step_by(SCRAPE_S);
        seconds.fold(series, |series, second| {
            let value = value(&self.history.readings[second][index]);
            series.at(self.millis(second as f64 + 1.0), value)
        })
    }
}
