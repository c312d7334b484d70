//! For every route: another project's key finds nothing and changes nothing; nobody is 401 (cases
//! C014, C075). The routes come from the served document, which is made from the router's own table,
//! so that a new route cannot be forgotten.

use std::time::Duration;

use reqwest::{Method, Response, StatusCode};
use serde_json::{Value, json};
use tests::builders::{SpanBuilder, export, now_nanos};
use tests::{ProjectClient, Server, eventually, eventually_within, shared};

use crate::deletions;

/// Every operation of the API: method, path with `{parameters}`, whether it needs a key.
async fn operations(server: &Server) -> Vec<(Method, String, bool)> {
    let url = format!("{}/api/openapi.json", server.http_url());
    let document: Value = reqwest::get(url).await.unwrap().json().await.unwrap();
    let mut operations = Vec::new();
    for (path, methods) in document["paths"].as_object().unwrap() {
        for (method, operation) in methods.as_object().unwrap() {
            let needs_key = !operation["security"].as_array().unwrap().is_empty();
            let method = Method::from_bytes(method.to_uppercase().as_bytes()).unwrap();
            operations.push((method, path.clone(), needs_key));
        }
    }
    operations
}

/// The body as far as it comes within a moment: some answers have no end.
async fn body(mut answer: Response) -> String {
    let mut read = Vec::new();
    let _over = tokio::time::timeout(Duration::from_millis(700), async {
        while let Ok(Some(piece)) = answer.chunk().await {
            read.extend_from_slice(&piece);
        }
    })
    .await;
    String::from_utf8_lossy(&read).into_owned()
}

/// What a request must say.
fn said(method: &Method, path: &str) -> Option<Value> {
    let body = match (method, path) {
        (&Method::POST, "/api/v1/prices") => json!({"model": "m", "prices": {"input": 1}}),
        (&Method::PATCH, "/api/v1/prices/{price_id}") => json!({"model": "taken"}),
        (&Method::POST, "/api/v1/gpu-prices") => json!({"model": "m", "usd_per_gpu_hour": 2}),
        (&Method::POST, "/api/v1/objectives") => json!({"model": "m", "ttft_ms": 500}),
        (&Method::POST, "/api/v1/dashboards") => json!({"name": "d"}),
        (&Method::PUT, "/api/v1/dashboards/{dashboard_id}") => json!({"name": "taken"}),
        (&Method::POST, "/api/v1/evaluators") => {
            json!({"name": "e", "rule": {"check": "is_json"}})
        }
        (&Method::PATCH, "/api/v1/evaluators/{evaluator_id}") => json!({"name": "taken"}),
        (&Method::POST, "/api/v1/evaluators/{evaluator_id}/backfill") => {
            json!({"from": "2026-01-01T00:00:00Z", "to": "2026-01-02T00:00:00Z"})
        }
        (&Method::POST, "/api/v1/quality-rules") => json!({"name": "r", "format": "json"}),
        (&Method::POST, "/api/v1/scrape-targets") => {
            json!({"name": "t", "url": "http://metrics.invalid/", "enabled": false})
        }
        (&Method::PATCH, "/api/v1/scrape-targets/{scrape_target_id}") => json!({"name": "taken"}),
        (&Method::POST, "/api/v1/reprice") => {
            json!({"from": "2026-01-01T00:00:00Z", "to": "2026-01-02T00:00:00Z"})
        }
        (&Method::PUT, "/api/v1/topology") => json!({"instances": [], "gpus": []}),
        (&Method::POST, "/api/v1/alert-rules" | "/api/v1/alert-rules/preview") => {
            json!({"name": "r", "kind": "no_data", "series": "request.count"})
        }
        (&Method::PATCH, "/api/v1/alert-rules/{alert_rule_id}") => json!({"name": "taken"}),
        (&Method::PATCH, "/api/v1/channels/{channel_id}") => json!({"name": "taken"}),
        (&Method::POST, "/api/v1/channels") => {
            json!({"name": "c", "kind": "slack", "url": "https://example.com/hook"})
        }
        (&Method::PUT, "/api/v1/alert-settings") => json!({"delay_s": 30}),
        (&Method::PUT, "/api/v1/prompts/{prompt_name}/rollback-policy") => json!({"mode": "auto"}),
        (&Method::POST, "/api/v1/prompts/{prompt_name}/rollback") => {
            json!({"to_version": 1, "force": true})
        }
        (&Method::POST, "/api/v1/prompts/{prompt_name}/rollback/undo") => json!({}),
        (&Method::PUT, "/api/v1/protected-labels") => json!({"labels": ["production"]}),
        (&Method::PUT, "/api/v1/prompts/{prompt_name}/labels/{label}/test") => {
            json!({"variants": [{"version": 1, "percent": 90}, {"version": 2, "percent": 10}]})
        }
        (&Method::POST, "/api/v1/deletions") => json!({"user_ids": [MARK]}),
        (&Method::PUT, "/api/v1/deletion-settings") => json!({"tombstone_days": 1}),
        (&Method::PUT, "/api/v1/masking") => json!({"preset": "personal_data"}),
        (&Method::PUT, "/api/v1/content-sampling") => json!({"ratio": 0.5}),
        (&Method::PUT, "/api/v1/retention") => json!({"structure_days": 1}),
        (&Method::POST, "/api/v1/masking/dry-run") => json!({"text": MARK}),
        (&Method::POST, "/api/v1/legal-holds") => json!({"user_id": MARK, "reason": "r"}),
        (&Method::POST, "/api/v1/datasets") => json!({"name": "d", "kind": "golden"}),
        (&Method::POST, "/api/v1/business-events") => {
            json!([{"id": "an-event", "type": "ticket", "at": just_now()}])
        }
        (&Method::POST, "/api/v1/attributions") => json!({
            "from": "2026-01-01T00:00:00Z", "to": "2026-01-01T00:05:00Z",
            "symptom": {"series": "token.ttft_ms"},
        }),
        _ => return None,
    };
    Some(body)
}

/// Routes that refuse a member before they look for anything.
fn takes_an_admin(method: &Method, path: &str) -> bool {
    let set = *method != Method::GET;
    match path {
        "/api/v1/protected-labels"
        | "/api/v1/deletion-settings"
        | "/api/v1/masking"
        | "/api/v1/content-sampling"
        | "/api/v1/retention" => *method == Method::PUT,
        "/api/v1/users/{user}" | "/api/v1/deletions" | "/api/v1/masking/dry-run" => set,
        "/api/v1/users/{user}/deletion-preview" => true,
        _ => path.starts_with("/api/v1/legal-holds") || path.starts_with("/api/v1/audit-log"),
    }
}

fn just_now() -> String {
    let now = domain::Timestamp::from_unix_nanos(now_nanos()).unwrap();
    now.to_string()
}

struct Victim {
    client: ProjectClient,
    trace_id: String,
    span_id: String,
    price_id: String,
    reprice_id: String,
    gpu_price_id: String,
    objective_id: String,
    dashboard_id: String,
    evaluator_id: String,
    quality_rule_id: String,
    alert_rule_id: String,
    channel_id: String,
    incident_id: String,
    scrape_target_id: String,
    deletion_id: String,
    legal_hold_id: String,
    before: Value,
}

const MARK: &str = "a-secret-of-the-other-project";

async fn victim(server: &Server) -> Victim {
    let (client, admin) = deletions::project(server);
    let span = SpanBuilder::root(MARK)
        .attribute("user.id", MARK)
        .attribute("session.id", MARK)
        .attribute("input.value", MARK);
    client.accept_traces(&export([&span])).await;
    let before = client.trace_with_spans(span.trace_id(), 1).await;
    let power = json!({"name": "DCGM_FI_DEV_POWER_USAGE", "gauge": {"dataPoints": [
        {"timeUnixNano": now_nanos(), "asInt": 300, "attributes": [{"key": "pod", "value": {"stringValue": MARK}}]}]}});
    let power = json!({"resourceMetrics": [{"scopeMetrics": [{"metrics": [power]}]}]});
    let body = power.to_string().into_bytes();
    let sent = client
        .send_body("/v1/metrics", body, "application/json")
        .await;
    assert_eq!(sent.status(), StatusCode::OK);
    eventually("the metric of the victim", async || {
        let found = client.get_json("/api/v1/metrics/series").await;
        found.to_string().contains(MARK).then_some(()).ok_or(found)
    })
    .await;
    let price = json!({"model": MARK, "prices": {"input": 1}});
    let reprice = json!({"from": "2026-01-01T00:00:00Z", "to": "2026-01-02T00:00:00Z"});
    let gpu_price = json!({"model": MARK, "usd_per_gpu_hour": "2.50", "gpus": 8});
    let objective = json!({"model": MARK, "ttft_ms": 500});
    let rule = json!({"name": MARK, "model": MARK, "format": "json"});
    let evaluator = json!({"name": MARK, "rule": {"check": "contains", "value": MARK}});
    let target = json!({"name": MARK, "url": "http://metrics.invalid/", "enabled": false});
    let prompt = json!({"name": "prompt", "prompt": MARK, "labels": ["production"]});
    id_of(&client, "/api/public/v2/prompts", prompt).await;
    let event = json!([{"id": MARK, "type": "custom", "name": MARK, "at": just_now(), "user_id": MARK,
        "session_id": MARK, "trace_id": span.trace_id(), "attributes": {"note": MARK}}]);
    let taken = client.request(Method::POST, "/api/v1/business-events");
    let taken = taken.body(event.to_string()).send().await.unwrap();
    assert_eq!(taken.status(), StatusCode::OK);
    let channel =
        json!({"name": MARK, "kind": "slack", "url": format!("https://{MARK}.example.com/")});
    let alert = json!({"name": MARK, "kind": "no_data", "series": "request.count"});
    let alert_rule_id = id_of(&client, "/api/v1/alert-rules", alert).await;
    let incident_id = eventually_within(
        Duration::from_secs(60),
        "an incident of the victim",
        async || {
            let found = client.get_json("/api/v1/incidents").await;
            let id = found["data"][0]["id"].as_str().map(str::to_owned);
            id.ok_or(found)
        },
    )
    .await;
    Victim {
        trace_id: span.trace_id().to_owned(),
        span_id: span.span_id().to_owned(),
        price_id: id_of(&client, "/api/v1/prices", price).await,
        reprice_id: id_of(&client, "/api/v1/reprice", reprice).await,
        gpu_price_id: id_of(&client, "/api/v1/gpu-prices", gpu_price).await,
        objective_id: id_of(&client, "/api/v1/objectives", objective).await,
        dashboard_id: id_of(&client, "/api/v1/dashboards", json!({"name": MARK})).await,
        evaluator_id: id_of(&client, "/api/v1/evaluators", evaluator).await,
        quality_rule_id: id_of(&client, "/api/v1/quality-rules", rule).await,
        channel_id: id_of(&client, "/api/v1/channels", channel).await,
        alert_rule_id,
        incident_id,
        deletion_id: deletions::ask(&admin, "somebody-else").await,
        legal_hold_id: id_of(
            &admin,
            "/api/v1/legal-holds",
            json!({"user_id": "held", "reason": MARK}),
        )
        .await,
        scrape_target_id: id_of(&client, "/api/v1/scrape-targets", target).await,
        client,
        before,
    }
}

/// Makes a thing; its id.
async fn id_of(client: &ProjectClient, path: &str, body: Value) -> String {
    let request = client.request(Method::POST, path).body(body.to_string());
    let made: Value = request.send().await.unwrap().json().await.unwrap();
    made["id"].as_str().unwrap().to_owned()
}

impl Victim {
    /// A path with the victim's things for its parameters.
    fn path(&self, path: &str) -> String {
        path.replace("{trace_id}", &self.trace_id)
            .replace("{span_id}", &self.span_id)
            .replace("{session}", MARK)
            .replace("{user}", MARK)
            .replace("{price_id}", &self.price_id)
            .replace("{reprice_id}", &self.reprice_id)
            .replace("{gpu_price_id}", &self.gpu_price_id)
            .replace("{objective_id}", &self.objective_id)
            .replace("{quality_rule_id}", &self.quality_rule_id)
            .replace("{dashboard_id}", &self.dashboard_id)
            .replace("{evaluator_id}", &self.evaluator_id)
            .replace("{business_event_id}", MARK)
            .replace("{deletion_id}", &self.deletion_id)
            .replace("{legal_hold_id}", &self.legal_hold_id)
            .replace("{alert_rule_id}", &self.alert_rule_id)
            .replace("{channel_id}", &self.channel_id)
            .replace("{incident_id}", &self.incident_id)
            .replace("/diff", "/diff?from=1&to=1")
            .replace("/baselines", "/baselines?series=request.count")
            .replace("{scrape_target_id}", &self.scrape_target_id)
            .replace("{prompt_name}", "prompt")
            .replace("{label}", "production")
            .replace("/metrics/range", "/metrics/range?metric=gpu.power_w")
            .replace(
                "/axes/series",
                "/axes/series?series=gpu.power_w&group_by=gpu",
            )
            .replace("/axes/joint", "/axes/joint?x=gpu.power_w&y=token.e2e_ms")
    }

    async fn is_as_before(&self) {
        let after = self.client.trace_with_spans(&self.trace_id, 1).await;
        assert_eq!(after, self.before);
        for settings in ["prices", "gpu-prices", "objectives", "quality-rules"] {
            let set = self.client.get_json(&format!("/api/v1/{settings}")).await;
            assert_eq!(set["data"].as_array().unwrap().len(), 1, "{settings}");
            assert_eq!(set["data"][0]["model"], MARK);
        }
        let events = self.client.get_json("/api/v1/business-events").await;
        assert_eq!(events["data"].as_array().unwrap().len(), 1);
        assert_eq!(events["data"][0]["id"], MARK);
        let topology = self.client.get_json("/api/v1/topology").await;
        assert_eq!(topology["is_default"], true);
        for settings in ["alert-rules", "channels", "dashboards", "evaluators"] {
            let set = self.client.get_json(&format!("/api/v1/{settings}")).await;
            assert_eq!(set["data"].as_array().unwrap().len(), 1, "{settings}");
            assert_eq!(set["data"][0]["name"], MARK);
        }
        let incident = format!("/api/v1/incidents/{}", self.incident_id);
        assert_eq!(self.client.get_json(&incident).await["state"], "open");
        assert_eq!(
            self.client.get_json("/api/v1/masking").await["preset"],
            "off"
        );
        assert_eq!(
            self.client.get_json("/api/v1/retention").await["preset"],
            "everything"
        );
        let sampling = self.client.get_json("/api/v1/content-sampling").await;
        assert_eq!(sampling["ratio"], 1.0);
        let settings = self.client.get_json("/api/v1/alert-settings").await;
        assert_eq!(settings["delay_s"], 10);
        let targets = self.client.get_json("/api/v1/scrape-targets").await;
        assert_eq!(targets["data"].as_array().unwrap().len(), 1);
        assert_eq!(targets["data"][0]["name"], MARK);
        let prompt = self.client.get_json("/api/public/v2/prompts/prompt").await;
        assert_eq!(prompt["prompt"], MARK);
        let policy = "/api/v1/prompts/prompt/rollback-policy";
        assert_eq!(self.client.get_json(policy).await["mode"], "off");
        let history = "/api/v1/prompts/prompt/rollbacks";
        assert_eq!(self.client.get_json(history).await["data"], json!([]));
    }
}

#[tokio::test]
async fn another_projects_key_finds_nothing_and_changes_nothing() {
    let server = shared().await;
    let victim = victim(server).await;
    let stranger = server.new_project();
    let operations = operations(server).await;
    assert!(operations.len() >= 10, "{operations:?}");
    for (method, path, needs_key) in operations {
        let names_a_thing = path.contains('{');
        let at = victim.path(&path);
        assert!(
            !at.contains('{'),
            "say here what stands for the parameters of {path}"
        );
        let mut request = stranger.request(method.clone(), &at);
        if let Some(body) = said(&method, &path) {
            request = request.body(body.to_string());
        }
        let answer = request.send().await.unwrap();
        let status = answer.status();
        if takes_an_admin(&method, &path) {
            assert_eq!(
                status,
                StatusCode::FORBIDDEN,
                "it takes an admin: {method} {at}"
            );
        } else if method == Method::POST && path == "/api/v1/attributions" {
            let why = "of no requests nothing can be said";
            assert_eq!(status, StatusCode::UNPROCESSABLE_ENTITY, "{why}");
        } else if names_a_thing && needs_key {
            assert_eq!(status, StatusCode::NOT_FOUND, "{method} {at}");
        } else {
            assert!(status.is_success(), "{method} {at}: {status}");
        }
        let text = body(answer).await;
        assert!(
            !text.contains(MARK),
            "{method} {at} shows another project: {text}"
        );
    }
    victim.is_as_before().await;
}

#[tokio::test]
async fn nobody_is_refused_wherever_a_project_is_concerned() {
    let server = shared().await;
    let victim = victim(server).await;
    let client = reqwest::Client::new();
    for (method, path, needs_key) in operations(server).await {
        let at = victim.path(&path);
        let url = format!("{}{at}", server.http_url());
        let answer = client.request(method.clone(), url).send().await.unwrap();
        if needs_key {
            assert_eq!(answer.status(), StatusCode::UNAUTHORIZED, "{method} {at}");
            assert_eq!(answer.headers()["content-type"], "application/problem+json");
        }
        assert!(!body(answer).await.contains(MARK), "{method} {at}");
    }
    for path in [
        "/v1/traces",
        "/v1/logs",
        "/v1/metrics",
        "/api/v1/metrics/write",
        "/api/public/otel/v1/traces",
        "/api/public/otel/v1/logs",
    ] {
        let request = client.post(format!("{}{path}", server.http_url()));
        let answer = request
            .header("content-type", "application/json")
            .body("{}")
            .send();
        assert_eq!(
            answer.await.unwrap().status(),
            StatusCode::UNAUTHORIZED,
            "{path}"
        );
    }
    victim.is_as_before().await;
}

#[tokio::test]
async fn the_same_ids_in_two_projects_are_two_things() {
    let server = shared().await;
    let (one, two) = (server.new_project(), server.new_project());
    let span = SpanBuilder::root("of one");
    one.accept_traces(&export([&span])).await;
    two.accept_traces(&export([&span.clone().field("name", "of two")]))
        .await;
    let name = async |client: &ProjectClient| {
        client.trace_with_spans(span.trace_id(), 1).await["name"].clone()
    };
    assert_eq!(
        (name(&one).await, name(&two).await),
        ("of one".into(), "of two".into())
    );
    let path = format!("/api/v1/traces/{}", span.trace_id());
    let deleted = one.request(Method::DELETE, &path).send().await.unwrap();
    assert_eq!(deleted.status(), StatusCode::NO_CONTENT);
    assert_eq!(name(&two).await, "of two");
}
