//! Attributions of simulated fleets, asked for and attached to incidents; what prompts differ in.

mod asked;
mod incidents;
mod prompts;
mod told;

use reqwest::{Method, StatusCode};
use serde_json::Value;
use tests::ProjectClient;

/// A POST; status and JSON of the answer.
async fn post(client: &ProjectClient, path: &str, body: &Value) -> (StatusCode, Value) {
    let request = client.request(Method::POST, path).body(body.to_string());
    let answer = request.send().await.unwrap();
    let status = answer.status();
    let text = answer.text().await.unwrap();
    (status, serde_json::from_str(&text).unwrap_or(Value::Null))
}

/// Versions of the prompt `support`, as many as the fleet knows: the fifth begins with something that changes.
pub(crate) async fn support(client: &ProjectClient) {
    let rules =
        "You are the support desk of a shop. Be polite, be short, and never promise a date. "
            .repeat(8);
    for version in 1..=5 {
        let system = match version {
            5 => format!("It is {{{{now}}}}. {rules}"),
            _ => format!("{rules}Version {version}."),
        };
        let prompt = serde_json::json!({
            "name": "support",
            "type": "chat",
            "prompt": [
                {"role": "system", "content": system},
                {"role": "user", "content": "{{question}}"},
            ],
            "config": {"temperature": if version == 5 { 0.7 } else { 0.2 }},
        });
        let (status, made) = post(client, "/api/public/v2/prompts", &prompt).await;
        assert!(status.is_success(), "{made}");
        assert_eq!(made["version"], version);
    }
}
