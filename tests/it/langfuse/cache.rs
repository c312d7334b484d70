//! Prompts come from memory, and are right nevertheless: on each of two servers with one database.

use std::time::Duration;

use reqwest::StatusCode;
use serde_json::Value;
use tests::{ProjectClient, Server, Settings, eventually_within, shared, signal};

use super::Prompts;

/// Another server on the stores of the first.
pub(super) async fn beside(first: &Server) -> Server {
    let text = std::fs::read(first.data_dir().join("run/server.json")).unwrap();
    let run: Value = serde_json::from_slice(&text).unwrap();
    let url = |key: &str| run[key].as_str().unwrap().to_owned();
    let settings = Settings::default()
        .with("TRIAXIS_DATABASE_URL", url("database_url"))
        .with("TRIAXIS_CLICKHOUSE_URL", url("clickhouse_url"));
    Server::start_with(settings).await
}

async fn sees(project: &ProjectClient, path: &str, version: u32) {
    let within = Duration::from_secs(20);
    let what = format!("{path} is version {version}");
    eventually_within(within, &what, async || {
        let found = Prompts(project).get(path).await;
        match found.body["version"] == version {
            true => Ok(()),
            false => Err(found.body.to_string()),
        }
    })
    .await;
}

#[tokio::test]
async fn a_change_on_one_server_is_seen_at_once_there_and_soon_on_the_other() {
    let one = Server::start().await;
    let two = beside(&one).await;
    let here = one.new_project();
    let there = ProjectClient::new(two.http_url(), &here.public_key, &here.secret_key);
    let prompts = Prompts(&here);
    prompts.text("p", "1", &["production"]).await;
    prompts.text("p", "2", &[]).await;
    let tag = "@@@langfusePrompt:name=p|label=production@@@";
    prompts.text("outer", tag, &["production"]).await;
    for round in 0..25 {
        let version = round % 2 + 1;
        let moved = prompts.label("p", version, &["production"]).await;
        assert_eq!(moved.status, StatusCode::OK);
        // Through memory, at once.
        assert_eq!(prompts.found("/p").await["version"], version);
        sees(&there, "/p", version).await;
        let outer = Prompts(&there).found("/outer").await;
        assert_eq!(outer["prompt"], version.to_string());
    }
    // The other way round, and a name that was not there before.
    assert_eq!(prompts.get("/late").await.status, StatusCode::NOT_FOUND);
    Prompts(&there).text("late", "x", &["production"]).await;
    sees(&here, "/late", 1).await;
    assert_eq!(
        Prompts(&there).delete("/late").await.status,
        StatusCode::NO_CONTENT
    );
    eventually_within(
        Duration::from_secs(20),
        "late is gone",
        async || match prompts.get("/late").await.status {
            StatusCode::NOT_FOUND => Ok(()),
            status => Err(status),
        },
    )
    .await;
}

#[tokio::test]
async fn a_prompt_that_cannot_be_checked_is_not_shown_for_ever() {
    let server = Server::start().await;
    let project = server.client();
    let prompts = Prompts(&project);
    prompts.text("p", "1", &["production"]).await;
    prompts.found("/p").await;
    let postgres = server.engine_pid("postgres").unwrap();
    server.freeze("postgres");
    eventually_within(Duration::from_secs(60), "it is 503", async || match prompts
        .get("/p")
        .await
        .status
    {
        StatusCode::SERVICE_UNAVAILABLE => Ok(()),
        status => Err(status),
    })
    .await;
    let health = async |query: &str| {
        let url = format!("{}/api/public/health{query}", server.http_url());
        reqwest::get(url).await.unwrap().status()
    };
    assert_eq!(health("").await, StatusCode::OK);
    let without = health("?failIfDatabaseUnavailable=true").await;
    assert_eq!(without, StatusCode::SERVICE_UNAVAILABLE);
    server.thaw("postgres");
    sees(&project, "/p", 1).await;
    // The line on which changes are told breaks, and is laid anew.
    for pid in listeners(postgres) {
        signal(pid, "TERM");
    }
    prompts.text("p", "2", &["production"]).await;
    sees(&project, "/p", 2).await;
}

/// The connections of the server to Postgres.
fn listeners(postgres: u32) -> Vec<u32> {
    let children = std::process::Command::new("ps")
        .args(["-o", "pid=,args=", "--ppid", &postgres.to_string()])
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&children.stdout).into_owned();
    let lines = text.lines().filter(|line| line.contains("idle"));
    lines
        .filter_map(|line| line.split_whitespace().next()?.parse().ok())
        .collect()
}

#[tokio::test]
async fn a_long_prompt_is_the_same_for_readers_of_every_compression() {
    let project = shared().await.new_project();
    let prompts = Prompts(&project);
    let text = "Answer {{name}} in the words of the harbour. ".repeat(100);
    for (name, text) in [("long", &*text), ("short", "Answer.")] {
        prompts.text(name, text, &["production"]).await;
        let expected = prompts.found(&format!("/{name}")).await;
        for (accepted, coding) in [
            ("gzip, deflate, br, zstd", Some("gzip")),
            ("gzip;q=0, zstd", Some("zstd")),
            ("identity", None),
        ] {
            // The first read of a kind, and one from memory.
            for _ in 0..2 {
                let path = format!("{}/{name}", super::PROMPTS);
                let request = project.request(reqwest::Method::GET, &path);
                let answer = request.header("accept-encoding", accepted).send().await;
                let answer = answer.unwrap();
                assert_eq!(answer.headers()["content-type"], "application/json");
                let sent = answer.headers().get("content-encoding");
                let sent = sent.map(|coding| coding.to_str().unwrap().to_owned());
                let coding = coding.filter(|_| name == "long");
                assert_eq!(sent.as_deref(), coding, "{name}: {accepted}");
                if name == "long" {
                    assert_eq!(answer.headers()["vary"], "accept-encoding");
                }
                let mut bytes = answer.bytes().await.unwrap().to_vec();
                if let Some(coding) = coding {
                    bytes = decompressed(coding, &bytes);
                }
                let read: Value = serde_json::from_slice(&bytes).unwrap();
                assert_eq!(read, expected, "{name}: {accepted}");
            }
        }
    }
}

fn decompressed(coding: &str, bytes: &[u8]) -> Vec<u8> {
    let mut plain = Vec::new();
    match coding {
        "gzip" => {
            let mut reader = flate2::read::GzDecoder::new(bytes);
            std::io::Read::read_to_end(&mut reader, &mut plain).unwrap();
        }
        _ => plain = zstd::decode_all(bytes).unwrap(),
    }
    plain
}
