//! Traces in which several users have a part.

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use tests::builders::{SpanBuilder, export};
use tests::shared;

use super::{ask, project, send, verified};

fn trace() -> [SpanBuilder; 3] {
    let root = SpanBuilder::root("conversation");
    let one = root.child("turn of u").attribute("user.id", "u");
    let other = root.child("turn of v").attribute("user.id", "v");
    [root, one, other]
}

/// Names of the spans that a tree holds, at any depth, in order.
fn names(trace: &Value) -> Vec<String> {
    fn collect(value: &Value, names: &mut Vec<String>) {
        match value {
            Value::Array(all) => all.iter().for_each(|one| collect(one, names)),
            Value::Object(fields) => {
                if fields.contains_key("span_id")
                    && let Some(name) = fields["name"].as_str()
                {
                    names.push(name.to_owned());
                }
                fields.values().for_each(|one| collect(one, names));
            }
            _ => {}
        }
    }
    let mut found = Vec::new();
    collect(trace, &mut found);
    found.sort_unstable();
    found
}

#[tokio::test(flavor = "multi_thread")]
async fn a_shared_trace_goes_as_a_whole_or_without_the_users_own_spans_as_the_project_says() {
    let server = shared().await;
    let (member, admin) = project(server);
    let spans = trace();
    member.accept_traces(&export(&spans)).await;
    member.trace_with_spans(spans[0].trace_id(), 3).await;
    let own = json!({"shared_traces": "own_spans"});
    let (status, _) = send(&admin, Method::PUT, "/api/v1/deletion-settings", &own).await;
    assert_eq!(status, StatusCode::OK);
    let done = verified(&admin, &ask(&admin, "u").await).await;
    assert_eq!(
        (&done["counts"]["spans"], &done["counts"]["shared_traces"]),
        (&json!(1), &json!(1))
    );
    let left = member.trace_with_spans(spans[0].trace_id(), 2).await;
    assert_eq!(names(&left), ["conversation", "turn of v"]);
    // Late spans of others in such a trace stay, those of the user do not.
    let late = [
        spans[0].child("later of v").attribute("user.id", "v"),
        spans[0].child("later of u").attribute("user.id", "u"),
    ];
    member.accept_traces(&export(&late)).await;
    let left = member.trace_with_spans(spans[0].trace_id(), 3).await;
    assert_eq!(names(&left), ["conversation", "later of v", "turn of v"]);

    let (member, admin) = project(server);
    let spans = trace();
    member.accept_traces(&export(&spans)).await;
    member.trace_with_spans(spans[0].trace_id(), 3).await;
    let done = verified(&admin, &ask(&admin, "u").await).await;
    assert_eq!(done["counts"]["spans"], 3, "{done}");
    let gone = format!("/api/v1/traces/{}", spans[0].trace_id());
    assert_eq!(member.get(&gone).await.status(), StatusCode::NOT_FOUND);
}
