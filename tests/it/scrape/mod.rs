//! Targets that metrics are fetched from: set, asked, kept, ended.

pub(crate) mod exporter;
mod failing;
mod kept;
mod targets;
mod turns;

use std::sync::OnceLock;
use std::time::Duration;

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use tests::{ProjectClient, Server, Settings, eventually_within};

use exporter::Exporter;

const TARGETS: &str = "/api/v1/scrape-targets";
/// Scrapes and what is noted of them take their turns.
const PATIENCE: Duration = Duration::from_secs(60);

/// A server that may reach exporters of this machine; its tests share it.
async fn server() -> &'static Server {
    static SERVER: OnceLock<Server> = OnceLock::new();
    tokio::task::spawn_blocking(|| {
        SERVER.get_or_init(|| {
            let runtime = tokio::runtime::Runtime::new().unwrap();
            runtime.block_on(Server::start_with(reaching()))
        })
    })
    .await
    .unwrap()
}

fn reaching() -> Settings {
    Settings::default().with("TRIAXIS_ALLOW_PRIVATE_ADDRESSES", "127.0.0.0/8, ::1")
}

/// Sends a body; status and JSON.
async fn ask(
    client: &ProjectClient,
    method: Method,
    path: &str,
    body: &Value,
) -> (StatusCode, Value) {
    let request = client.request(method, path).body(body.to_string());
    let answer = request.send().await.unwrap();
    let status = answer.status();
    let text = answer.text().await.unwrap();
    (status, serde_json::from_str(&text).unwrap_or(Value::Null))
}

/// Sets a target of an exporter that must be accepted; its id.
async fn set(client: &ProjectClient, exporter: &Exporter, more: Value) -> String {
    let mut body = json!({"name": "engines", "url": exporter.url, "interval_s": 1});
    let more = more.as_object().unwrap().clone();
    body.as_object_mut().unwrap().extend(more);
    let (status, made) = ask(client, Method::POST, TARGETS, &body).await;
    assert_eq!(status, StatusCode::CREATED, "{made}");
    made["id"].as_str().unwrap().to_owned()
}

/// The target, as soon as it is as `is` says.
async fn target(
    client: &ProjectClient,
    (id, what): (&str, &str),
    is: impl Fn(&Value) -> bool,
) -> Value {
    eventually_within(PATIENCE, what, async || {
        let target = client.get_json(&format!("{TARGETS}/{id}")).await;
        if is(&target) { Ok(target) } else { Err(target) }
    })
    .await
}

/// The newest value of a metric within the last hours, of all its series together; `None` where it ended.
async fn newest(client: &ProjectClient, metric: &str) -> Option<f64> {
    let path =
        format!("/api/v1/metrics/range?metric={metric}&step=7200&aggregation=last&group_by=none");
    let answer = client.get_json(&path).await;
    answer["series"][0]["values"][0].as_f64()
}

/// Waits until the newest value is that.
async fn becomes(client: &ProjectClient, metric: &str, value: Option<f64>) {
    let what = format!("{metric} is {value:?}");
    eventually_within(PATIENCE, &what, async || {
        let found = newest(client, metric).await;
        if found == value { Ok(()) } else { Err(found) }
    })
    .await;
}
