//! Exporters of a fleet: one of vLLM beside each instance, and the DCGM exporter of all GPUs.

use std::fmt::Write;

use fleet::Reading;
use fleet::scenario::{gpu_name, instance_name};
use reqwest::Method;
use serde_json::json;
use tests::{ProjectClient, eventually_within};

use super::series::{COUNTED, ENGINE, GPU, MODEL, Read, pod};
use super::{PATIENCE, done};
use crate::scrape::exporter::{Answer, Exporter};

const TARGETS: &str = "/api/v1/scrape-targets";
/// Seconds between two scrapes.
const INTERVAL_S: u32 = 2;
/// Seconds between two of the readings that are remembered.
const REMEMBERED_S: usize = 5;

/// What was read of all instances at one instant.
#[derive(Clone)]
struct Moment {
    /// Seconds since 1970; `None`: when it is asked for.
    at: Option<f64>,
    readings: Vec<Reading>,
    /// Counters of each instance.
    counted: Vec<[f64; COUNTED.len()]>,
}

/// The exporters.
pub(super) struct Exporters {
    engines: Vec<Exporter>,
    gpus: Exporter,
    counted: Vec<[f64; COUNTED.len()]>,
    /// What was before they were asked first, with its times.
    past: Vec<Moment>,
}

impl Exporters {
    /// Exporters of so many instances that have nothing to tell yet.
    pub(super) async fn start(instances: usize) -> Self {
        let mut engines = Vec::new();
        for _ in 0..instances {
            engines.push(Exporter::start(answer("")).await);
        }
        Exporters {
            engines,
            gpus: Exporter::start(answer("")).await,
            counted: vec![[0.0; COUNTED.len()]; instances],
            past: Vec::new(),
        }
    }

    /// A second went by; its reading is told with its time, once it is asked for.
    pub(super) fn remember(&mut self, at: f64, readings: Vec<Reading>) {
        let moment = self.moment(Some(at), readings);
        self.past.push(moment);
    }

    /// A second went by; its reading is told from now on.
    pub(super) fn tell(&mut self, readings: Vec<Reading>) {
        let moment = self.moment(None, readings);
        self.answers(&[moment]);
    }

    /// Has the product scrape all of them, and waits until it has what they remember.
    pub(super) async fn have_scraped(&mut self, client: &ProjectClient) {
        let past = std::mem::take(&mut self.past);
        let past: Vec<Moment> = past.into_iter().step_by(REMEMBERED_S).collect();
        self.answers(&past);
        let mut targets = Vec::new();
        for (index, exporter) in self.engines.iter().enumerate() {
            let labels = json!({"instance": instance_name(index), "pod": pod(index)});
            let name = format!("vllm-{index}");
            let lines = past.len() * (ENGINE.len() + COUNTED.len());
            targets.push((name, "vllm", exporter, labels, lines));
        }
        let lines = past.len() * GPU.len() * self.engines.len();
        targets.push(("dcgm".to_owned(), "dcgm", &self.gpus, json!({}), lines));
        for (name, kind, exporter, labels, lines) in targets {
            let target = json!({"name": name, "kind": kind, "url": exporter.url,
                "interval_s": INTERVAL_S, "labels": labels});
            let made = done(client, Method::POST, TARGETS, target).await;
            let path = format!("{TARGETS}/{}", made["id"].as_str().unwrap());
            eventually_within(PATIENCE, "all that it remembers is scraped", async || {
                let target = client.get_json(&path).await;
                let is_whole = target["samples"] == lines
                    && target["exporters"] == json!([kind])
                    && target["error"].is_null();
                if is_whole { Ok(()) } else { Err(target) }
            })
            .await;
        }
    }

    fn moment(&mut self, at: Option<f64>, readings: Vec<Reading>) -> Moment {
        for (sums, reading) in self.counted.iter_mut().zip(&readings) {
            for (sum, (_, grows)) in sums.iter_mut().zip(COUNTED) {
                *sum += grows(reading);
            }
        }
        Moment {
            at,
            readings,
            counted: self.counted.clone(),
        }
    }

    fn answers(&self, moments: &[Moment]) {
        for (index, exporter) in self.engines.iter().enumerate() {
            exporter.answers(answer(&engine(index, moments)));
        }
        self.gpus
            .answers(answer(&gpus(self.engines.len(), moments)));
    }
}

/// An exposition of `OpenMetrics`, in which samples may have times of their own.
fn answer(lines: &str) -> Answer {
    let content_type = "application/openmetrics-text; version=1.0.0; charset=utf-8";
    Answer::of(content_type, &format!("{lines}# EOF\n"))
}

fn engine(index: usize, moments: &[Moment]) -> String {
    let mut text = String::new();
    let labels = format!("model_name=\"{MODEL}\"");
    for (name, read) in ENGINE {
        gauge(&mut text, name, moments, &[(index, labels.clone())], read);
    }
    for (at, (name, _)) in COUNTED.iter().enumerate() {
        writeln!(text, "# TYPE {name} counter").unwrap();
        for moment in moments {
            let value = moment.counted[index][at];
            let series = format!("{name}_total{{{labels}}}");
            line(&mut text, &series, value, moment.at);
        }
    }
    text
}

fn gpus(instances: usize, moments: &[Moment]) -> String {
    let mut text = String::new();
    let labels = |index| {
        let (uuid, pod) = (gpu_name(index), pod(index));
        format!("gpu=\"{index}\",UUID=\"{uuid}\",pod=\"{pod}\"")
    };
    let all: Vec<(usize, String)> = (0..instances).map(|index| (index, labels(index))).collect();
    for (name, read) in GPU {
        gauge(&mut text, name, moments, &all, read);
    }
    text
}

/// A family of gauges: each series with its samples in order.
fn gauge(text: &mut String, name: &str, moments: &[Moment], all: &[(usize, String)], read: Read) {
    writeln!(text, "# TYPE {name} gauge").unwrap();
    for (index, labels) in all {
        for moment in moments {
            let value = read(&moment.readings[*index]);
            line(text, &format!("{name}{{{labels}}}"), value, moment.at);
        }
    }
}

fn line(text: &mut String, series: &str, value: f64, at: Option<f64>) {
    match at {
        Some(at) => writeln!(text, "{series} {value} {at:.3}").unwrap(),
        None => writeln!(text, "{series} {value}").unwrap(),
    }
}
