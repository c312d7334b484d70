//! A deletion goes on where a kill of the server broke it off.

use std::time::Duration;

use serde_json::Value;
use tests::builders::{SpanBuilder, export};
use tests::{Server, eventually_within};

use super::{ask, of_user, project, verified};

#[tokio::test(flavor = "multi_thread")]
async fn a_deletion_goes_on_after_kills_at_each_of_its_states() {
    let server = Server::start().await;
    let (member, admin) = project(&server);
    let traces: Vec<SpanBuilder> = (0..30).map(|_| of_user("chat", "u")).collect();
    let other = of_user("stays", "v");
    member.accept_traces(&export(&traces)).await;
    member.accept_traces(&export([&other])).await;
    for trace in &traces {
        member.trace_with_spans(trace.trace_id(), 1).await;
    }
    let before = member.trace_with_spans(other.trace_id(), 1).await;
    let id = ask(&admin, "u").await;
    let path = format!("/api/v1/deletions/{id}");
    for state in ["queued", "deleting", "purging"] {
        let reached = async || {
            let answer = admin.get(&path).await;
            let now: Value = answer.json().await.map_err(|error| error.to_string())?;
            let now = now["state"].as_str().unwrap_or_default().to_owned();
            // It may be quicker than the look.
            let order = ["queued", "deleting", "purging", "verified"];
            let place = |name: &str| order.iter().position(|it| *it == name);
            if place(&now) >= place(state) {
                Ok(now)
            } else {
                Err(now)
            }
        };
        let at = eventually_within(Duration::from_secs(60), state, reached).await;
        println!("killed while it is {at}");
        server.kill();
        server.start_again().await;
    }
    let done = verified(&admin, &id).await;
    assert_eq!(done["counts"]["spans"], 30, "{done}");
    assert_eq!(done["counts"]["traces"], 30, "{done}");
    assert_eq!(member.trace_with_spans(other.trace_id(), 1).await, before);
    let listed = member.get_json("/api/v1/traces").await;
    assert_eq!(listed["data"].as_array().unwrap().len(), 1);
}
