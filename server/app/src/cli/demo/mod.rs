//! `demo`: sends a generated day of traffic to a running server, as an application and its exporters would: over OTLP.

/// What comes of conversations.
mod business;
/// A dataset with two runs over it.
mod dataset;
/// What exporters tell of engines and GPUs.
mod fleet;
/// Spans as OTLP/JSON.
mod otlp;
/// The prompts of the story.
mod prompts;
/// A queue of answers that people are to judge.
mod queue;
/// Spans of one trace, laid out in time.
mod recorder;
/// The people, places and sentences of the story.
mod story;
/// From the story to spans: who asks what, when, and how it goes.
mod traffic;

use std::path::PathBuf;

use anyhow::{Context, bail};
use clap::Args;
use domain::{Nanos, Timestamp};
use rand::SeedableRng;
use rand::rngs::StdRng;
use secrecy::{ExposeSecret, SecretString};
use service::Clock;

use crate::cli::out;
use crate::run_file::{FirstKeys, RunFile};

/// Settings of `demo`. Without any it finds the server of `--data-dir` by itself.
#[derive(Args)]
pub(crate) struct DemoSettings {
    /// Address of the server; unset: the one that runs on the data directory.
    #[arg(long, env = "TRIAXIS_DEMO_URL")]
    url: Option<String>,
    /// Public key; unset: the one that the first start made.
    #[arg(long, env = "TRIAXIS_INIT_PUBLIC_KEY")]
    public_key: Option<String>,
    /// Secret key.
    #[arg(long, env = "TRIAXIS_INIT_SECRET_KEY", hide_env_values = true)]
    secret_key: Option<SecretString>,
    /// Data directory of the server.
    #[arg(long, env = "TRIAXIS_DATA_DIR", default_value = "./data")]
    data_dir: PathBuf,
    /// Traces to send, spread over the last 24 hours.
    #[arg(long, default_value_t = 2400)]
    traces: u32,
    /// The same seed makes the same day.
    #[arg(long, default_value_t = 47)]
    seed: u64,
}

/// Traces in one export request, about what a batching exporter sends.
const TRACES_PER_REQUEST: usize = 40;

/// Sends the day and says what was sent.
pub(crate) fn run(settings: &DemoSettings) -> anyhow::Result<()> {
    let target = Target::find(settings)?;
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    let sent = runtime.block_on(send_day(&target, settings, Clock.now()))?;
    out::say(&format!(
        "sent {} spans in {} traces: the last 24 hours, with an incident from {} to {}",
        sent.spans, settings.traces, sent.incident.0, sent.incident.1
    ));
    out::say(&format!("see them at {}", target.url));
    Ok(())
}

struct Target {
    url: String,
    public_key: String,
    secret_key: SecretString,
}

impl Target {
    fn find(settings: &DemoSettings) -> anyhow::Result<Self> {
        let url = match &settings.url {
            Some(url) => url.trim_end_matches('/').to_owned(),
            None => format!("http://{}", RunFile::read(&settings.data_dir)?.http),
        };
        if let (Some(public_key), Some(secret_key)) = (&settings.public_key, &settings.secret_key) {
            let (public_key, secret_key) = (public_key.clone(), secret_key.clone());
            return Ok(Target {
                url,
                public_key,
                secret_key,
            });
        }
        let keys = FirstKeys::read(&settings.data_dir).context(
            "give --public-key and --secret-key (Settings, API keys): none are kept from the first start",
        )?;
        Ok(Target {
            url,
            public_key: keys.public_key,
            secret_key: keys.secret_key.into(),
        })
    }
}

struct Sent {
    spans: usize,
    incident: (Timestamp, Timestamp),
}

async fn send_day(
    target: &Target,
    settings: &DemoSettings,
    now: Timestamp,
) -> anyhow::Result<Sent> {
    let client = reqwest::Client::builder()
        .timeout(std::time::Duration::from_secs(60))
        .build()?;
    let mut rng = StdRng::seed_from_u64(settings.seed);
    let day = traffic::Day::ending(now.minus(Nanos::from_seconds(2)));
    let mut traces = traffic::traces(&day, settings.traces, &mut rng);
    // Of a chance of its own, so that the traffic of a seed stays what it was.
    let mut chance = StdRng::seed_from_u64(settings.seed.wrapping_add(1));
    business::mark(&mut traces, &mut chance);
    // First, so that answers are held against what their prompts ask for.
    prompts::create(&client, target).await?;
    let mut spans = 0;
    for request in traces.chunks(TRACES_PER_REQUEST) {
        spans += request.iter().map(Vec::len).sum::<usize>();
        let body = otlp::export_request(request).to_string();
        post(&client, target, ("/v1/traces", body)).await?;
    }
    queue::send(&client, target, &traces).await?;
    let events = business::events(&traces, now, &mut chance);
    for some in events.chunks(business::AT_ONCE) {
        let body = serde_json::json!(some).to_string();
        post(&client, target, ("/api/v1/business-events", body)).await?;
    }
    for request in fleet::export_requests(&day) {
        post(&client, target, ("/v1/metrics", request.to_string())).await?;
    }
    spans += send_dataset(&client, target, now, &mut rng).await?;
    Ok(Sent {
        spans,
        incident: day.incident(),
    })
}

/// Sends a dataset with two runs over it; how many spans they have.
async fn send_dataset(
    client: &reqwest::Client,
    target: &Target,
    now: Timestamp,
    rng: &mut StdRng,
) -> anyhow::Result<usize> {
    let send = async |path: &str, body: &serde_json::Value| {
        post(client, target, (path, body.to_string())).await
    };
    send("/api/public/v2/datasets", &dataset::dataset()).await?;
    for item in dataset::items() {
        send("/api/public/dataset-items", &item).await?;
    }
    let tried = dataset::tried(now, rng);
    let spans = tried.iter().map(|one| one.spans.len()).sum();
    for one in tried {
        send("/v1/traces", &otlp::export_request(&[one.spans])).await?;
        send("/api/public/dataset-run-items", &one.link).await?;
        send("/api/public/scores", &one.score).await?;
    }
    Ok(spans)
}

async fn post(
    client: &reqwest::Client,
    target: &Target,
    (path, body): (&str, String),
) -> anyhow::Result<()> {
    let answer = client
        .post(format!("{}{path}", target.url))
        .basic_auth(&target.public_key, Some(target.secret_key.expose_secret()))
        .header("content-type", "application/json")
        .body(body)
        .send()
        .await
        .with_context(|| format!("cannot reach {}", target.url))?;
    let status = answer.status();
    let text = answer.text().await?;
    if !status.is_success() {
        bail!("{} answered {status}: {text}", target.url);
    }
    if text.contains("rejectedSpans") || text.contains("rejectedDataPoints") {
        bail!("{} rejected some of it: {text}", target.url);
    }
    Ok(())
}
