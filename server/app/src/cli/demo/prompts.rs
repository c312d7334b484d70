//! The prompts of the story, with the versions that its requests name: 17 of `support.answer` is good, 18 begins with the
//! time of day, so that no cached prefix fits any more.

use anyhow::{Context, bail};
use secrecy::ExposeSecret;
use serde_json::{Value, json};

use super::{Target, story};

/// Why each version of `support.answer` was made.
const REASONS: [&str; 18] = [
    "First draft",
    "Never guess an order",
    "Answer in the language of the customer",
    "Short answers",
    "Refunds need a quote",
    "Two examples",
    "Revert 6",
    "Documents last",
    "Tone",
    "Split system and user",
    "Baggage limits",
    "Sources by their ids",
    "Revert 12",
    "Never promise a date",
    "Refund table moved up",
    "Name the policy",
    "Schema reply/2",
    "Longer answers, the time of day first",
];

/// What it is told, with the first and the last version that say so.
const RULES: [(u32, u32, &str); 12] = [
    (1, 99, "Use only the documents and tool results below."),
    (2, 99, "Never guess the number of an order: ask for it."),
    (3, 99, "Answer in the language of the customer."),
    (4, 17, "Be brief: at most 120 words."),
    (18, 99, "Be kind and complete: at most 220 words."),
    (5, 99, "Offer a refund only with a quote of refund_quote."),
    (
        11,
        99,
        "Cabin baggage is 8 kg; more is paid for at the gate.",
    ),
    (12, 12, "Give sources as ids only."),
    (14, 99, "Never promise a date that no tool returned."),
    (
        15,
        99,
        "Refunds: under 2 days late none, 2 to 7 days 40 %, later 100 %.",
    ),
    (16, 17, "Name the policy you rely on."),
    (18, 99, "Name the policy you rely on, with its section."),
];

/// A prompt with its versions, the oldest first.
struct Story {
    name: &'static str,
    versions: Vec<Value>,
}

/// Makes what is missing of them; versions that there are stay as they are.
pub(super) async fn create(client: &reqwest::Client, target: &Target) -> anyhow::Result<()> {
    for story in [tone(), answer(), triage(), summary(), plan()] {
        let made = latest(client, target, story.name).await?;
        for version in story.versions.iter().skip(made) {
            post(client, target, version).await?;
        }
    }
    Ok(())
}

fn version(name: &str, prompt: &Value, (config, labels): (Value, Value), why: &str) -> Value {
    json!({
        "name": name,
        "type": if prompt.is_array() { "chat" } else { "text" },
        "prompt": prompt,
        "config": config,
        "labels": labels,
        "tags": ["support"],
        "commitMessage": why,
    })
}

fn answer() -> Story {
    let name = "support.answer";
    let versions = (1_u32..).zip(REASONS).map(|(number, why)| {
        let rules = RULES
            .iter()
            .filter(|(from, to, _)| (*from..=*to).contains(&number));
        let rules: String = (1..)
            .zip(rules)
            .map(|(at, (_, _, rule))| format!("{at}. {rule}\n"))
            .collect();
        let begin = match number {
            18 => "Now: {{now}}. You are the support assistant of {{tenant}}.",
            _ => "You are the support assistant of {{tenant}}.",
        };
        let form = if number < 17 {
            "JSON"
        } else {
            "JSON of the schema reply/2"
        };
        let system = format!(
            "{begin}\n\nRules\n{rules}\n@@@langfusePrompt:name=support/tone|label=production@@@\n\n\
             Documents\n{{{{documents}}}}\n\nAnswer as {form} with reply, action and sources.\n"
        );
        let prompt = json!([
            { "role": "system", "content": system },
            { "type": "placeholder", "name": "history" },
            { "role": "user", "content": "{{question}}" },
        ]);
        let config = json!({
            "model": story::SELF_HOSTED.name,
            "temperature": if number == 18 { 0.3 } else { 0.2 },
            "max_tokens": 256,
        });
        let labels = match number {
            16 => json!(["staging"]),
            17 => json!(["production"]),
            _ => json!([]),
        };
        version(name, &prompt, (config, labels), why)
    });
    Story {
        name,
        versions: versions.collect(),
    }
}

fn tone() -> Story {
    let name = "support/tone";
    let words = "Write as one person to another. No exclamation marks, no apologies twice.";
    let labels = (json!({}), json!(["production"]));
    Story {
        name,
        versions: vec![version(name, &json!(words), labels, "One tone for all")],
    }
}

fn triage() -> Story {
    let name = "support.triage";
    let words =
        "Name the intent of the traveller's message as JSON with a confidence.\n\n{{message}}";
    texts(name, words, (4, story::SMALL.name))
}

fn summary() -> Story {
    let name = "support.summary";
    let words =
        "Sum up the conversation in three sentences for whoever takes over.\n\n{{conversation}}";
    texts(name, words, (6, story::SMALL.name))
}

fn plan() -> Story {
    let words = "Plan the bookkeeping of the day as a list of steps.\n\n{{entries}}";
    texts("ledger.plan", words, (3, story::SMALL.name))
}

/// Versions that add an example each.
fn texts(name: &'static str, words: &str, (count, model): (u32, &str)) -> Story {
    let versions = (1..=count).map(|number| {
        let examples: String = (2..=number)
            .map(|at| format!("\nExample {at}: …"))
            .collect();
        let labels = if number == count {
            json!(["production"])
        } else {
            json!([])
        };
        let why = if number == 1 {
            "First draft"
        } else {
            "One more example"
        };
        let config = json!({ "model": model });
        version(
            name,
            &json!(format!("{words}{examples}")),
            (config, labels),
            why,
        )
    });
    Story {
        name,
        versions: versions.collect(),
    }
}

/// The number of the version made last; 0 where there is none.
async fn latest(client: &reqwest::Client, target: &Target, name: &str) -> anyhow::Result<usize> {
    let name = name.replace('/', "%2F");
    let url = format!("{}/api/public/v2/prompts/{name}?label=latest", target.url);
    let answer = client
        .get(url)
        .basic_auth(&target.public_key, Some(target.secret_key.expose_secret()))
        .send()
        .await
        .with_context(|| format!("cannot reach {}", target.url))?;
    if answer.status() == reqwest::StatusCode::NOT_FOUND {
        return Ok(0);
    }
    let found: Value = answer.error_for_status()?.json().await?;
    let number = found["version"].as_u64().unwrap_or(0);
    Ok(usize::try_from(number).unwrap_or(usize::MAX))
}

async fn post(client: &reqwest::Client, target: &Target, body: &Value) -> anyhow::Result<()> {
    let answer = client
        .post(format!("{}/api/public/v2/prompts", target.url))
        .basic_auth(&target.public_key, Some(target.secret_key.expose_secret()))
        .header("content-type", "application/json")
        .body(body.to_string())
        .send()
        .await
        .with_context(|| format!("cannot reach {}", target.url))?;
    let status = answer.status();
    if !status.is_success() {
        bail!("{} answered {status}: {}", target.url, answer.text().await?);
    }
    Ok(())
}
