//! A queue of answers that people are to judge, with what an evaluator says of them, by the public API.

use anyhow::Context;
use reqwest::Method;
use secrecy::ExposeSecret;
use serde_json::{Value, json};

use super::Target;
use super::otlp::DemoSpan;

/// The name of the queue; where there is one of that name already, it stays as it is.
const NAME: &str = "Refund answers";
/// Answers that are to be judged.
const ITEMS: usize = 24;

/// Makes the queue and fills it with turns of support.
///
/// # Errors
/// When the server cannot be reached or refuses.
pub(super) async fn send(
    client: &reqwest::Client,
    target: &Target,
    traces: &[Vec<DemoSpan>],
) -> anyhow::Result<()> {
    let ask = |method, path: String, body| ask(client, target, (method, path), body);
    let queues = "/annotation-queues".to_owned();
    let known = ask(Method::GET, format!("{queues}?limit=100"), None).await?;
    let mut all = known["data"].as_array().into_iter().flatten();
    if all.any(|queue| queue["name"] == NAME) {
        return Ok(());
    }
    let labels = [
        "Harmful or wrong",
        "Misses the question",
        "Partly",
        "Answers it",
        "Answers it, with the next step",
    ];
    let categories: Vec<Value> = labels
        .into_iter()
        .zip(1..)
        .map(|(label, value)| json!({"label": label, "value": value}))
        .collect();
    let mut ids = Vec::new();
    for config in [
        json!({"name": "helpful", "dataType": "CATEGORICAL", "categories": categories}),
        json!({"name": "grounded", "dataType": "BOOLEAN",
            "description": "No when any number has no source."}),
        json!({"name": "tone", "dataType": "NUMERIC", "minValue": 1, "maxValue": 3,
            "description": "1 is cold, 2 is right, 3 is too warm."}),
    ] {
        let made = ask(Method::POST, "/score-configs".to_owned(), Some(config)).await?;
        ids.push(made["id"].clone());
    }
    let queue = json!({
        "name": NAME, "scoreConfigIds": ids,
        "description": "Answers of the support copilot, judged by hand.",
    });
    let queue = ask(Method::POST, queues.clone(), Some(queue)).await?;
    let queue = queue["id"].as_str().context("the queue has no id")?;
    let turns = traces.iter().rev().filter_map(|spans| spans.first());
    let turns = turns.filter(|root| root.name == "support.turn").take(ITEMS);
    for (root, label) in turns.zip(labels.into_iter().cycle()) {
        let item = json!({"objectId": root.trace_id, "objectType": "TRACE"});
        ask(Method::POST, format!("{queues}/{queue}/items"), Some(item)).await?;
        let score = json!({
            "id": format!("demo-helpful-{}", root.trace_id), "traceId": root.trace_id,
            "name": "helpful", "value": label, "dataType": "CATEGORICAL",
            "comment": "judged by a model",
        });
        ask(Method::POST, "/scores".to_owned(), Some(score)).await?;
    }
    Ok(())
}

async fn ask(
    client: &reqwest::Client,
    target: &Target,
    (method, path): (Method, String),
    body: Option<Value>,
) -> anyhow::Result<Value> {
    let request = client
        .request(method, format!("{}/api/public{path}", target.url))
        .basic_auth(&target.public_key, Some(target.secret_key.expose_secret()));
    let request = match body {
        Some(body) => request
            .header("content-type", "application/json")
            .body(body.to_string()),
        None => request,
    };
    let answer = request.send().await?;
    let status = answer.status();
    let text = answer.text().await?;
    anyhow::ensure!(status.is_success(), "{path}: {status}: {text}");
    serde_json::from_str(&text).with_context(|| format!("{path}: no JSON"))
}
