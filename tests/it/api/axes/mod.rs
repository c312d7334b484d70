//! Requests with the state of their GPUs and engines, on a small fleet: spans over OTLP, series over remote write.

mod over_time;
mod requests;
mod topology;

use serde_json::{Value, json};
use tests::builders::{SpanBuilder, now_nanos};
use tests::remote_write::{SentSeries, accept};
use tests::{ProjectClient, eventually, shared};

/// Two instances of vLLM under Prometheus, with the GPUs of DCGM beside them.
struct Fleet {
    client: ProjectClient,
    /// Milliseconds since 1970 around which everything happens: two minutes ago.
    at: u64,
}

/// Instances by their address and pod.
const ONE: (&str, &str) = ("10.0.0.1:8000", "vllm-0");
const TWO: (&str, &str) = ("10.0.0.2:8000", "vllm-1");
/// The model of both.
const MODEL: &str = "meta-llama/Llama-3.1-8B-Instruct";

impl Fleet {
    async fn new() -> Self {
        let at = now_nanos() / 1_000_000 - 120_000;
        let fleet = Fleet {
            client: shared().await.new_project(),
            at,
        };
        accept(&fleet.client, &fleet.series()).await;
        fleet
    }

    /// Values every fifteen seconds, a second before it, from a minute and a half before to as long after.
    fn every_scrape(&self, series: SentSeries, value: impl Fn(i64) -> f64) -> SentSeries {
        (-6..=6).fold(series, |series, scrape: i64| {
            let at = self.at.saturating_add_signed(scrape * 15_000 - 1_000);
            series.at(at, value(scrape))
        })
    }

    fn series(&self) -> Vec<SentSeries> {
        let mut all = Vec::new();
        for (number, (address, pod)) in [ONE, TWO].into_iter().enumerate() {
            let labels = [
                ("instance", address),
                ("pod", pod),
                ("namespace", "llm"),
                ("model_name", MODEL),
            ];
            let engine = |name: &str| SentSeries::new(name, &labels);
            let number = number as f64;
            all.extend([
                self.every_scrape(engine("vllm:num_requests_running"), |_| 3.0 + number),
                self.every_scrape(engine("vllm:kv_cache_usage_perc"), |_| 0.5),
                self.every_scrape(engine("vllm:prefix_cache_queries_total"), |scrape| {
                    1_000.0 + 100.0 * scrape as f64
                }),
                self.every_scrape(engine("vllm:prefix_cache_hits_total"), |scrape| {
                    500.0 + 75.0 * scrape as f64
                }),
            ]);
        }
        for (id, pod, watts) in [
            ("GPU-a", ONE.1, 300.0),
            ("GPU-b", ONE.1, 200.0),
            ("GPU-c", TWO.1, 100.0),
        ] {
            let labels = [
                ("UUID", id),
                ("instance", "10.0.0.9:9400"),
                ("pod", "dcgm-exporter-x"),
                ("exported_pod", pod),
                ("exported_namespace", "llm"),
            ];
            let gpu = |name: &str| SentSeries::new(name, &labels);
            all.extend([
                self.every_scrape(gpu("DCGM_FI_DEV_POWER_USAGE"), |_| watts),
                self.every_scrape(gpu("DCGM_FI_DEV_GPU_TEMP"), |_| watts / 5.0),
                self.every_scrape(gpu("DCGM_FI_PROF_SM_ACTIVE"), |_| watts / 400.0),
                self.every_scrape(gpu("DCGM_FI_DEV_FB_USED"), |_| 60_000.0),
                self.every_scrape(gpu("DCGM_FI_DEV_FB_FREE"), |_| 20_000.0),
            ]);
        }
        all
    }

    /// A call that began so many milliseconds after the middle and took a second.
    fn call(&self, millis: i64) -> SpanBuilder {
        let start = self.at.saturating_add_signed(millis);
        SpanBuilder::root("chat")
            .field("kind", 3)
            .field("startTimeUnixNano", format!("{start}000000"))
            .field("endTimeUnixNano", format!("{}000000", start + 1_000))
            .attribute("gen_ai.operation.name", "chat")
            .attribute("gen_ai.request.model", MODEL)
            .attribute("gen_ai.usage.input_tokens", 100)
            .attribute("gen_ai.usage.output_tokens", 11)
    }

    /// The requests of the time around the middle, once there are so many and the GPUs of each are known.
    async fn requests(&self, query: &str, count: usize) -> Vec<Value> {
        let path = format!("/api/v1/requests?{}&{query}", self.range());
        eventually(&path, async || {
            let page = self.client.get_json(&path).await;
            let rows = page["data"].as_array().unwrap().clone();
            if rows.len() == count {
                Ok(rows)
            } else {
                Err(page)
            }
        })
        .await
    }

    /// From two minutes before the middle to now.
    fn range(&self) -> String {
        format!(
            "from={}&to={}",
            time(self.at - 120_000),
            time(self.at + 120_000)
        )
    }

    /// Waits until all series can be read.
    async fn is_readable(&self) {
        eventually("all series of the fleet", async || {
            let path = "/api/v1/metrics/series?limit=100";
            let found = self.client.get_json(path).await["data"]
                .as_array()
                .unwrap()
                .len();
            let sums =
                "/api/v1/metrics/range?metric=gpu.sm_active&aggregation=avg&group_by=UUID&step=600";
            let sums = self
                .client
                .get_json(&format!("{sums}&{}", self.range()))
                .await;
            let lines = sums["series"].as_array().unwrap().len();
            if found == 23 && lines == 3 {
                Ok(())
            } else {
                Err((found, sums))
            }
        })
        .await;
    }
}

/// RFC 3339 of milliseconds since 1970.
fn time(millis: u64) -> String {
    let time = domain::Timestamp::from_unix_millis(millis as i64);
    time.unwrap().to_string()
}

/// One export request of spans of a process with these attributes.
fn export_of(resource: &[(&str, &str)], spans: &[&SpanBuilder]) -> Value {
    let attribute =
        |(key, value): &(&str, &str)| json!({"key": key, "value": {"stringValue": value}});
    let attributes: Vec<Value> = resource.iter().map(attribute).collect();
    let spans: Vec<&Value> = spans.iter().map(|span| span.json()).collect();
    json!({"resourceSpans": [{
        "resource": {"attributes": attributes},
        "scopeSpans": [{"scope": {"name": "tests"}, "spans": spans}],
    }]})
}
