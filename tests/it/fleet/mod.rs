//! A simulated fleet under way beside the product: its exporters are served and scraped, its calls come as spans, and its
//! prompts are asked for here. What goes wrong is told, explained and, where that helps, taken back.
//!
//! **Simulated time** is the fleet's. A second of it lasts a second at least, so that whatever the product waits for by its
//! design (steps, windows, delays, turns) takes as long as anywhere. It stands still while the product has not done what was
//! due: what is counted is how long things take, not how busy the machine is that the test runs on.

mod exporters;
mod live;
mod rollout;
pub(crate) mod series;
mod throttle;

use std::time::Duration;

use reqwest::Method;
use serde_json::Value;
use tests::{ProjectClient, Server};

/// Whatever is waited for takes a moment, on a busy machine longer.
const PATIENCE: Duration = Duration::from_secs(120);

/// Sends a body to what must take it; JSON of the answer.
async fn done(client: &ProjectClient, method: Method, path: &str, body: Value) -> Value {
    let request = client.request(method, path).body(body.to_string());
    let answer = request.send().await.unwrap();
    let status = answer.status();
    let text = answer.text().await.unwrap();
    assert!(status.is_success(), "{path}: {status}: {text}");
    serde_json::from_str(&text).unwrap()
}

/// A server that may reach exporters and receivers of this machine.
async fn server() -> Server {
    crate::alerts::server().await
}
