//! Reading prompts as applications do: at a steady rate, whether the server keeps up or not.

use std::time::{Duration, Instant};

use anyhow::ensure;
use serde_json::json;
use tokio::task::JoinSet;

use crate::ingest::{Quantiles, quantiles};
use crate::server::{PUBLIC_KEY, SECRET_KEY, Server};

/// Prompts that are read in turn.
const PROMPTS: u32 = 100;
/// Characters of each, about.
const CHARS: usize = 2_000;
/// Requests in a second.
pub(crate) const RATE: u32 = 500;
/// How long.
const SECONDS: u32 = 20;
/// How long before, for connections and memory to be there.
const WARM_UP: u32 = 2;

/// What reading took, from the moment at which a request was due.
pub(crate) struct Prompts {
    /// While nothing changes, in ms.
    pub(crate) quiet: Quantiles,
    /// While a label moves each second, in ms.
    pub(crate) changing: Quantiles,
}

/// Makes prompts and reads them.
pub(crate) async fn measure(server: &Server) -> anyhow::Result<Prompts> {
    let client = reqwest::Client::new();
    for number in 0..PROMPTS {
        create(&client, server, number).await?;
    }
    read(&client, server, WARM_UP).await?;
    let quiet = quantiles(read(&client, server, SECONDS).await?);
    let mover = tokio::spawn(move_labels(client.clone(), server.url.clone()));
    let changing = read(&client, server, SECONDS).await;
    mover.abort();
    Ok(Prompts {
        quiet,
        changing: quantiles(changing?),
    })
}

async fn create(client: &reqwest::Client, server: &Server, number: u32) -> anyhow::Result<()> {
    let sentence = "Answer {{name}} in the words of the harbour. ";
    let text = sentence.repeat(CHARS / sentence.len());
    // Every tenth stands in the one before.
    let text = match number % 10 {
        9 => format!(
            "@@@langfusePrompt:name=bench/{}|label=production@@@",
            number - 1
        ),
        _ => text,
    };
    let body = json!({ "name": name(number), "prompt": text, "labels": ["production"] });
    let request = client.post(format!("{}/api/public/v2/prompts", server.url));
    let request = request.basic_auth(PUBLIC_KEY, Some(SECRET_KEY)).json(&body);
    let status = request.send().await?.status();
    ensure!(status.as_u16() == 201, "a prompt was answered {status}");
    Ok(())
}

fn name(number: u32) -> String {
    format!("bench/{number}")
}

/// Milliseconds of each request.
async fn read(client: &reqwest::Client, server: &Server, seconds: u32) -> anyhow::Result<Vec<f64>> {
    let mut requests = JoinSet::new();
    let begun = Instant::now();
    for at in 0..RATE * seconds {
        let due = begun + Duration::from_secs(1) / RATE * at;
        tokio::time::sleep_until(due.into()).await;
        let path = name(at % PROMPTS).replace('/', "%2F");
        let url = format!("{}/api/public/v2/prompts/{path}", server.url);
        let request = client
            .get(url)
            .basic_auth(PUBLIC_KEY, Some(SECRET_KEY))
            .header("accept-encoding", "gzip, deflate, br, zstd");
        requests.spawn(async move {
            let answer = request.send().await?;
            let status = answer.status();
            answer.bytes().await?;
            ensure!(status.is_success(), "a prompt was answered {status}");
            Ok(due.elapsed().as_secs_f64() * 1000.0)
        });
    }
    requests.join_all().await.into_iter().collect()
}

async fn move_labels(client: reqwest::Client, url: String) {
    let url = format!("{url}/api/public/v2/prompts/bench%2F0/versions/1");
    for number in 0_u32.. {
        // A version that has the label already would not change.
        let body = json!({ "newLabels": [format!("moved-{number}")] });
        let request = client.patch(&url).basic_auth(PUBLIC_KEY, Some(SECRET_KEY));
        let _answer = request.json(&body).send().await;
        tokio::time::sleep(Duration::from_secs(1)).await;
    }
}
