//! Targets that fail, in every way there is: `up` is 0, their series end, and the rest goes on.

use reqwest::Method;
use serde_json::json;

use super::exporter::Answer;
use super::{Exporter, TARGETS, ask, becomes, server, set, target};

const SECRET: &str = "a-line-that-nobody-may-see";

#[tokio::test(flavor = "multi_thread")]
async fn whatever_goes_wrong_is_told_and_ends_the_series_of_the_target() {
    let server = server().await;
    let page = Answer::of("text/html; charset=utf-8", SECRET);
    let odd = Answer::text(&format!("<{SECRET}>\n"));
    let bomb = vec![b'#'; 20 << 20];
    let redirect = format!("302 Found\r\nlocation: http://127.0.0.1:1/{SECRET}");
    let broken = "200 OK\r\ncontent-encoding: gzip".to_owned();
    let many = "a 1\n".repeat(50_001);
    for (answer, error) in [
        (Answer::Nothing, "the connection broke off"),
        (Answer::Endless, "the answer is too long"),
        (Answer::Dripping, "did not answer in time"),
        (Answer::Whole(redirect, Vec::new()), "it redirects"),
        (
            Answer::Whole("503 Down".to_owned(), SECRET.into()),
            "status 503",
        ),
        (page, "a page or a document"),
        (odd, "no line of it is a sample"),
        (Answer::packed(&bomb), "the answer is too long"),
        (Answer::Whole(broken, SECRET.into()), "no gzip"),
        (Answer::text(&many), "more than 50000 samples"),
    ] {
        let client = server.new_project();
        let exporter = Exporter::start(Answer::text("vllm:num_requests_running 3\n")).await;
        let id = set(&client, &exporter, json!({})).await;
        becomes(&client, "token.running_requests", Some(3.0)).await;
        exporter.answers(answer);
        becomes(&client, "up", Some(0.0)).await;
        becomes(&client, "token.running_requests", None).await;
        let failed = target(&client, (&id, error), |target| {
            let told = target["error"].as_str().unwrap_or_default();
            told.contains(error)
        });
        let failed = failed.await;
        assert_eq!(failed["samples"], 0, "{failed}");
        assert!(!failed.to_string().contains(SECRET), "{failed}");
        let test = format!("{TARGETS}/{id}/test");
        let (_, tested) = ask(&client, Method::POST, &test, &json!({})).await;
        let told = tested["error"].as_str().unwrap();
        assert!(told.contains(error), "{tested}");
        exporter.answers(Answer::text("vllm:num_requests_running 4\n"));
        becomes(&client, "token.running_requests", Some(4.0)).await;
        becomes(&client, "up", Some(1.0)).await;
        let path = format!("{TARGETS}/{id}");
        ask(&client, Method::DELETE, &path, &json!({})).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_line_that_is_none_costs_itself_and_another_exporter_than_expected_is_told() {
    let client = server().await.new_project();
    let text = format!("DCGM_FI_DEV_POWER_USAGE 300\n{SECRET}\n");
    let exporter = Exporter::start(Answer::text(&text)).await;
    let id = set(&client, &exporter, json!({})).await;
    becomes(&client, "gpu.power_w", Some(300.0)).await;
    becomes(&client, "up", Some(1.0)).await;
    let seen = target(&client, (&id, "the line is told"), |target| {
        target["error"].is_string()
    });
    let seen = seen.await;
    let error = seen["error"].as_str().unwrap();
    assert_eq!(
        error,
        "1 samples cannot be used: line 2: its value is no number"
    );
    exporter.answers(Answer::text("DCGM_FI_DEV_POWER_USAGE 300\n"));
    let path = format!("{TARGETS}/{id}");
    ask(&client, Method::PATCH, &path, &json!({"kind": "vllm"})).await;
    let seen = target(&client, (&id, "the kind is told"), |target| {
        target["error"] == "it has no series that is known of vllm"
    });
    assert_eq!(seen.await["samples"], 1);
}
