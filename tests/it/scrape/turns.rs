//! One server scrapes a target; it goes on while Postgres is away, and another one takes over.

use serde_json::json;
use tests::{Server, eventually_within};

use super::exporter::Answer;
use super::{Exporter, PATIENCE, becomes, reaching, set};

#[tokio::test(flavor = "multi_thread")]
async fn scraping_goes_on_while_postgres_is_away_and_after_a_kill() {
    let server = Server::start_with(reaching()).await;
    let client = server.new_project();
    let exporter = Exporter::start(Answer::text("m 1\n")).await;
    set(&client, &exporter, json!({})).await;
    becomes(&client, "m", Some(1.0)).await;
    let asked_again = async |what: &str| {
        let before = exporter.heads().len();
        eventually_within(PATIENCE, what, async || {
            let now = exporter.heads().len();
            if now > before + 3 { Ok(()) } else { Err(now) }
        })
        .await;
    };
    server.freeze("postgres");
    asked_again("scrapes without Postgres").await;
    exporter.answers(Answer::text("m 2\n"));
    asked_again("scrapes of the new value").await;
    server.thaw("postgres");
    becomes(&client, "m", Some(2.0)).await;
    // What is killed lets go of nothing: its hold runs out.
    server.kill();
    server.start_again().await;
    exporter.answers(Answer::text("m 3\n"));
    becomes(&client, "m", Some(3.0)).await;
}
