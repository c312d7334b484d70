//! What makes no sense is refused and said: nothing is passed over as if it had been done.

use reqwest::StatusCode;
use serde_json::json;
use tests::builders::{SpanBuilder, export};
use tests::shared;

use super::headers::Visitor;
use super::queues::{config, queue};
use super::tenancy::new_key;
use super::victims::dashboard;

/// The first owner, and the path of the first project.
async fn owner() -> (Visitor, String) {
    let server = shared().await;
    let mut owner = Visitor::signed_in_as(server.email(), server.password()).await;
    let project = owner.project().await;
    owner.read(&format!("{project}/traces")).await;
    (owner, project)
}

#[tokio::test(flavor = "multi_thread")]
async fn forms_without_what_they_are_about_are_refused() {
    let (mut owner, project) = owner().await;
    let client = new_key(&mut owner, &project).await;
    let helpful = config(&client, json!({ "name": "decided", "dataType": "BOOLEAN" })).await;
    let queue = queue(&client, "refusing", &[&helpful]).await;
    let queue = format!("{project}/queues/{queue}");
    let csrf = owner.csrf.clone();
    let people = format!("{queue}/people");
    for (path, form) in [
        (&people, vec![("person", "x"), ("on", "1")]),
        (&people, vec![("person", "x"), ("on", "0")]),
        (&people, vec![("on", "0")]),
        (&format!("{project}/delete"), vec![]),
        (&format!("{project}/delete"), vec![("id", "")]),
    ] {
        let form: Vec<(&str, &str)> = [("_csrf", csrf.as_str())].into_iter().chain(form).collect();
        let answer = owner.post(path, &form).await;
        assert_eq!(answer.status(), StatusCode::BAD_REQUEST, "{path} {form:?}");
    }
    // A decision without an answer decides nothing.
    let root = SpanBuilder::root("judged");
    client.accept_traces(&export([&root])).await;
    client.trace_with_spans(root.trace_id(), 1).await;
    let id = queue.rsplit('/').next().unwrap();
    let item = super::queues::item(&client, id, root.trace_id()).await;
    for answer in ["", "+"] {
        let form = [
            ("_csrf", csrf.as_str()),
            ("question", helpful.as_str()),
            ("answer", answer),
        ];
        let path = format!("{queue}/items/{item}/decide");
        let answered = owner.post(&path, &form).await;
        assert_eq!(answered.status(), StatusCode::BAD_REQUEST, "{answer:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn filters_that_would_be_dropped_are_named() {
    let (mut owner, project) = owner().await;
    let board = format!(
        "{project}/dashboards/{}",
        dashboard(&mut owner, &project).await
    );
    for path in [
        format!("{project}/export?min_ms=fast"),
        format!("{project}/export?error=maybe"),
        format!("{project}/export?range=2h"),
        format!("{project}/export?fc=min_ms&fo=is&fv=slow"),
        format!("{project}/export?from=2026-03-12T02:14:00Z"),
        format!("{project}/traces?cursor=spans~1849a2b3.t"),
        format!("{project}/sessions?sort=cost&after=session-traces~1.a"),
        format!("{project}/users?after=session-activity~1.a"),
        format!("{project}/incidents?after=traces~1849a2b3.t"),
        format!("{project}/datasets?after=traces~1849a2b3.t"),
        format!("{board}?f=model:is:a"),
        format!("{board}?q=refund"),
        format!("{board}?range=2h"),
        format!("{board}/widgets/1/csv?error=yes"),
    ] {
        let answer = owner.get(&path).await;
        assert_eq!(answer.status(), StatusCode::BAD_REQUEST, "{path}");
    }
    for path in [
        format!("{project}/export?min_ms=0"),
        format!("{board}?range=1h"),
        format!("{board}/widgets/1/csv?range=1h"),
    ] {
        assert_eq!(owner.get(&path).await.status(), StatusCode::OK, "{path}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_comment_is_on_a_span_of_its_trace() {
    let (mut owner, project) = owner().await;
    let client = new_key(&mut owner, &project).await;
    let (one, other) = (SpanBuilder::root("one"), SpanBuilder::root("other"));
    client.accept_traces(&export([&one, &other])).await;
    client.trace_with_spans(one.trace_id(), 1).await;
    client.trace_with_spans(other.trace_id(), 1).await;
    let path = format!("{project}/traces/{}/comments", one.trace_id());
    for (span, expected) in [
        (other.span_id(), StatusCode::NOT_FOUND),
        ("no such span", StatusCode::NOT_FOUND),
        (one.span_id(), StatusCode::SEE_OTHER),
    ] {
        let form = [
            ("_csrf", owner.csrf.as_str()),
            ("content", "here"),
            ("on", span),
        ];
        let answer = owner.post(&path, &form).await;
        assert_eq!(answer.status(), expected, "{span}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn two_kinds_of_score_in_use_have_no_name_in_common() {
    let (mut owner, project) = owner().await;
    let path = format!("{project}/settings/scores");
    owner.read(&path).await;
    let csrf = owner.csrf.clone();
    let name = format!("only once {}", std::process::id());
    let form = |kind: &'static str, more: &[(&'static str, &'static str)]| {
        let mut form = vec![
            ("_csrf", csrf.clone()),
            ("name", name.clone()),
            ("kind", kind.to_owned()),
        ];
        form.extend(
            more.iter()
                .map(|(name, value)| (*name, (*value).to_owned())),
        );
        form
    };
    let post = async |owner: &Visitor, form: Vec<(&str, String)>| {
        let form: Vec<(&str, &str)> = form.iter().map(|(k, v)| (*k, v.as_str())).collect();
        owner.post(&path, &form).await
    };
    let upside_down = form("NUMERIC", &[("min", "2"), ("max", "1")]);
    let answer = post(&owner, upside_down).await;
    assert_eq!(answer.status(), StatusCode::UNPROCESSABLE_ENTITY);
    let page = answer.text().await.unwrap();
    assert!(!page.contains("must be greater than minValue"), "API words");
    let made = post(&owner, form("BOOLEAN", &[])).await;
    assert_eq!(made.status(), StatusCode::SEE_OTHER);
    let again = post(&owner, form("BOOLEAN", &[])).await;
    assert_eq!(again.status(), StatusCode::UNPROCESSABLE_ENTITY);
    assert!(
        again
            .text()
            .await
            .unwrap()
            .contains("there is one of this name already")
    );
}
