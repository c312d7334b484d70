//! For every page: a person who is no member finds nothing and changes nothing; nobody is asked who they
//! are. The pages come from the table that the router is made from, so that none can be forgotten.

use std::collections::BTreeMap;
use std::net::Ipv4Addr;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use reqwest::{Method, Response, StatusCode};
use serde_json::{Value, json};
use tests::builders::{SpanBuilder, export};
use tests::{ProjectClient, eventually_within, shared};
use web::routes::{self, Page};

use super::datasets::run_over_a_dataset;
use super::headers::Visitor;
use super::prompts;
use super::queues;
use super::victims::{dashboard, deletion, job, legal_hold, link_of, llm_connection, saved_view};
use crate::langfuse::media::{File, announced, sent};

pub(super) const MARK: &str = "a-secret-of-the-project";

/// A project with one thing of each kind.
pub(super) struct Victim {
    pub(super) client: ProjectClient,
    pub(super) owner: Visitor,
    pub(super) project: String,
    pub(super) trace_id: String,
    pub(super) span_id: String,
    file: File,
    /// What is set in the project's settings, by the segment of its paths: its id.
    settings: BTreeMap<&'static str, String>,
    dataset_id: String,
    run_id: String,
    upload_id: String,
    dashboard_id: String,
    link: String,
    queue_id: String,
    item_id: String,
    config_id: String,
    prompt: String,
    rule_id: String,
    channel_id: String,
    incident_id: String,
    key_id: String,
    view_id: String,
    job_id: String,
    deletion_id: String,
    hold_id: String,
    member_id: String,
    comment_id: String,
    before: Vec<String>,
}

/// What stands in `page` between two texts, after `from`.
pub(super) fn between(page: &str, from: &str, (before, after): (&str, &str)) -> String {
    let (_, page) = page.split_once(from).unwrap();
    let (_, page) = page.split_once(before).unwrap();
    page.split_once(after).unwrap().0.to_owned()
}

/// Adds a viewer to the project; e-mail and password.
pub(super) async fn add_member(
    owner: &mut Visitor,
    project: &str,
    name: &str,
) -> (String, &'static str) {
    let path = format!("{project}/settings/members");
    owner.read(&path).await;
    static NEXT: AtomicU32 = AtomicU32::new(0);
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    let email = format!("{name}-{number}-{}@example.com", std::process::id());
    let password = "walks through all pages 7";
    let form = [
        ("_csrf", owner.csrf.as_str()),
        ("email", &email),
        ("role", "viewer"),
        ("password", password),
    ];
    let answer = owner.post(&path, &form).await;
    assert!(!answer.status().is_client_error(), "{}", answer.status());
    (email, password)
}

/// Whoever has a new key of the project.
pub(super) async fn new_key(owner: &mut Visitor, project: &str) -> ProjectClient {
    let path = format!("{project}/settings/keys");
    owner.read(&path).await;
    let form = [("_csrf", owner.csrf.as_str()), ("note", "walk")];
    owner.post(&path, &form).await;
    let made = owner.read(&path).await;
    let of = |id: &str| between(&made, id, (">", "<")).trim().to_owned();
    let (public, secret) = (of("id=\"made-public\""), of("id=\"made-secret\""));
    ProjectClient::new(shared().await.http_url(), &public, &secret)
}

#[expect(clippy::too_many_lines, reason = "one thing of each kind, in a row")]
pub(super) async fn victim() -> Victim {
    let server = shared().await;
    let mut owner = Visitor::signed_in_as(server.email(), server.password()).await;
    let project = owner.project().await;
    let client = new_key(&mut owner, &project).await;
    let span = SpanBuilder::root(MARK)
        .attribute("input.value", MARK)
        .attribute("session.id", "a-session")
        .attribute("user.id", "a-user");
    client.accept_traces(&export([&span])).await;
    client.trace_with_spans(span.trace_id(), 1).await;
    let file = File::new("text/plain", MARK);
    if announced(&client, &file, span.trace_id()).await.is_some() {
        sent(&client, &file, span.trace_id()).await;
    }
    let (dataset_id, run_id) = run_over_a_dataset(&client, MARK, span.trace_id()).await;
    // Its id is no secret: it stands in addresses.
    let item = json!({"datasetName": MARK, "id": span.trace_id(), "input": MARK});
    let request = client.request(Method::POST, "/api/public/dataset-items");
    let made = request.json(&item).send().await.unwrap();
    assert!(made.status().is_success(), "{}", made.status());
    let import = format!("{project}/datasets/{dataset_id}/import");
    owner.read(&import).await;
    let answer = owner.bring(&import, ("items.csv", b"input\n1\n")).await;
    let waiting = answer.headers()["location"].to_str().unwrap().to_owned();
    let prompt = format!("guarded/{}", span.trace_id());
    prompts::made(
        &client,
        json!({"name": prompt, "prompt": MARK, "labels": ["production"]}),
    )
    .await;
    let mut settings = BTreeMap::new();
    for (kind, body) in [
        ("prices", json!({"model": MARK, "prices": {"input": 1}})),
        (
            "gpu-prices",
            json!({"model": MARK, "usd_per_gpu_hour": "2.50", "gpus": 8}),
        ),
        ("objectives", json!({"model": MARK, "ttft_ms": 500})),
        (
            "quality-rules",
            json!({"name": MARK, "model": MARK, "format": "json"}),
        ),
        (
            "scrape-targets",
            json!({"name": format!("{MARK} {}", span.trace_id()), "url": "http://metrics.invalid/", "enabled": false}),
        ),
        (
            "evaluators",
            json!({"name": format!("{MARK} {}", span.trace_id()), "rule": {"check": "is_json"}}),
        ),
    ] {
        let request = client.request(Method::POST, &format!("/api/v1/{kind}"));
        let made = request.body(body.to_string()).send().await.unwrap();
        let made: Value = made.json().await.unwrap();
        settings.insert(kind, made["id"].as_str().unwrap().to_owned());
    }
    settings.insert(
        "llm-connections",
        llm_connection(&client, span.trace_id()).await,
    );
    let dashboard_id = dashboard(&mut owner, &project).await;
    let link = link_of(&mut owner, &project, &dashboard_id).await;
    let (rule_id, channel_id, incident_id) = fired(&client, span.trace_id()).await;
    let config_id = queues::config(&client, json!({"name": "marked", "dataType": "BOOLEAN"})).await;
    let queue_name = format!("{MARK} {}", span.trace_id());
    let queue_id = queues::queue(&client, &queue_name, &[&config_id]).await;
    let item_id = queues::item(&client, &queue_id, span.trace_id()).await;
    let (member, _) = add_member(&mut owner, &project, "bystander").await;
    let members = owner.read(&format!("{project}/settings/members")).await;
    let keys = owner.read(&format!("{project}/settings/keys")).await;
    let trace = format!("{project}/traces/{}", span.trace_id());
    let form = [
        ("_csrf", owner.csrf.as_str()),
        ("content", MARK),
        ("on", "trace"),
    ];
    owner.post(&format!("{trace}/comments"), &form).await;
    let comments = owner.read(&format!("{trace}?tab=comments")).await;
    let mut victim = Victim {
        trace_id: span.trace_id().to_owned(),
        span_id: span.span_id().to_owned(),
        file,
        settings,
        dataset_id,
        run_id,
        upload_id: waiting.rsplit('/').next().unwrap().to_owned(),
        dashboard_id,
        link,
        queue_id,
        item_id,
        config_id,
        prompt,
        rule_id,
        channel_id,
        incident_id,
        key_id: between(&keys, &client.public_key, ("/keys/", "/revoke")),
        view_id: saved_view(&owner, &project).await,
        job_id: job(&owner, &project).await,
        deletion_id: deletion(&owner, &project).await,
        hold_id: legal_hold(&owner, &project).await,
        member_id: between(&members, &member, ("/members/", "/")),
        comment_id: between(&comments, "<article", ("comments/", "/delete")),
        client,
        owner,
        project,
        before: Vec::new(),
    };
    victim.before = victim.state().await;
    victim
}

/// A rule that has fired, a channel, and the incident.
async fn fired(client: &ProjectClient, mark: &str) -> (String, String, String) {
    let told = |method, path: &str, body: Value| {
        let request = client.request(method, path).body(body.to_string());
        async move {
            let answer = request.send().await.unwrap();
            answer.json::<Value>().await.unwrap()
        }
    };
    told(Method::PUT, "/api/v1/alert-settings", json!({"delay_s": 0})).await;
    let channel = json!({
        "name": format!("{MARK} {mark}"), "kind": "slack", "url": "https://example.com/hook",
        "enabled": false,
    });
    let channel = told(Method::POST, "/api/v1/channels", channel).await;
    let rule = json!({
        "name": format!("{MARK} {mark}"), "kind": "no_data", "series": "never.sent:avg",
        "params": {"window_s": 5},
    });
    let rule = told(Method::POST, "/api/v1/alert-rules", rule).await;
    let id = |made: &Value| made["id"].as_str().unwrap().to_owned();
    let incident = eventually_within(Duration::from_secs(120), "the incident", async || {
        let all = client.get_json("/api/v1/incidents").await;
        let mut all = all["data"].as_array().unwrap().iter();
        match all.find(|one| one["rule"]["id"] == rule["id"]) {
            Some(incident) => Ok(id(incident)),
            None => Err("nothing has fired"),
        }
    });
    let incident = incident.await;
    (id(&rule), id(&channel), incident)
}

impl Victim {
    pub(super) fn path(&self, path: &str) -> String {
        let of_langfuse = self.project.replacen("/p/", "/project/", 1);
        let path = path
            .replace("/project/{project}", &of_langfuse)
            .replace("/p/{project}", &self.project)
            .replace("{trace}", &self.trace_id)
            .replace("{session}", "a-session")
            .replace("{user}", "a-user")
            .replace("{span}", &self.span_id)
            .replace("{which}", "input")
            .replace("{media}", &self.file.id())
            .replace("{dashboard}", &self.dashboard_id)
            .replace("{link}", &self.link)
            .replace("{widget}", "1")
            .replace("{dataset}", &self.dataset_id)
            .replace("{run}", &self.run_id)
            .replace("{form}", "csv")
            .replace("{upload}", &self.upload_id)
            .replace(
                "{queue}/items/{item}",
                &format!("{{queue}}/items/{}", self.item_id),
            )
            .replace("{item}", &self.trace_id)
            .replace("{queue}", &self.queue_id)
            .replace("{config}", &self.config_id)
            .replace("{incident}", &self.incident_id)
            .replace("{channel}", &self.channel_id)
            .replace(
                "/alerts/rules/{rule}",
                &format!("/alerts/rules/{}", self.rule_id),
            )
            .replace("{column}", "environment")
            .replace("{view}", &self.view_id)
            .replace("{job}", &self.job_id)
            .replace("{deletion}", &self.deletion_id)
            .replace("{hold}", &self.hold_id)
            .replace("{comment}", &self.comment_id)
            .replace("{*prompt}", &self.prompt)
            .replace("{key}", &self.key_id)
            .replace("{person}", &self.member_id);
        let mut segments = path.split('/');
        let kind = segments.find(|segment| self.settings.contains_key(segment));
        let path = match kind {
            Some(kind) => [
                "{price}",
                "{objective}",
                "{rule}",
                "{target}",
                "{connection}",
                "{evaluator}",
            ]
            .iter()
            .fold(path.clone(), |path, name| {
                path.replace(name, &self.settings[kind])
            }),
            None => path,
        };
        assert!(
            !path.contains('{'),
            "say here what stands for the parameters of {path}"
        );
        path
    }

    /// What could be changed: names, keys, prices, members. Other tests add to it: only what is of
    /// here is compared.
    async fn state(&mut self) -> Vec<String> {
        let trace = self.client.trace_with_spans(&self.trace_id, 1).await;
        let mut set = String::new();
        for (kind, id) in &self.settings {
            let path = match *kind {
                "llm-connections" => "/api/public/llm-connections?limit=100".to_owned(),
                kind => format!("/api/v1/{kind}"),
            };
            let all = self.client.get_json(&path).await;
            let mut all = all["data"].as_array().unwrap().iter();
            set += &all.find(|one| one["id"] == *id).unwrap().to_string();
        }
        for (kind, id, fields) in [
            ("alert-rules", &self.rule_id, ["name", "enabled"]),
            ("channels", &self.channel_id, ["name", "enabled"]),
            ("incidents", &self.incident_id, ["state", "resolution"]),
        ] {
            let all = self.client.get_json(&format!("/api/v1/{kind}")).await;
            let mut all = all["data"].as_array().unwrap().iter();
            let one = all.find(|one| one["id"] == *id).unwrap();
            set += &format!("{} {}", one[fields[0]], one[fields[1]]);
        }
        let prompt = self.prompt.replace('/', "%2F");
        let path = format!("/api/public/v2/prompts/{prompt}");
        set += &self.client.get_json(&path).await.to_string();
        let project = self.project.clone();
        let list = self.owner.read(&format!("{project}/traces")).await;
        let view = between(&list, &format!("view={}", self.view_id), (">", "<"));
        set += &view;
        let members = self
            .owner
            .read(&format!("{project}/settings/members"))
            .await;
        let member = between(
            &members,
            &format!("/members/{}/", self.member_id),
            ("\"", "</tr>"),
        );
        let export = format!("{project}/dashboards/{}/export", self.dashboard_id);
        let dashboard = self.owner.read(&export).await;
        let path = format!("/api/public/annotation-queues/{}", self.queue_id);
        set += &self.client.get_json(&path).await.to_string();
        let path = format!("{path}/items/{}", self.item_id);
        set += &self.client.get_json(&path).await.to_string();
        let path = format!("/api/public/score-configs/{}", self.config_id);
        set += &self.client.get_json(&path).await.to_string();
        let settings = self.owner.read(&format!("{project}/settings")).await;
        let name = between(&settings, "name=\"name\"", ("value=\"", "\""));
        let path = format!("{project}/traces/{}?tab=comments", self.trace_id);
        let comments = self.owner.read(&path).await;
        vec![
            trace.to_string(),
            comments
                .matches("<article class=\"comment\"")
                .count()
                .to_string(),
            set,
            dashboard,
            member.replace(&self.owner.csrf, ""),
            name,
        ]
    }
}

/// What a form says beside its token: whatever any of them wants.
fn said(csrf: &str) -> Vec<(&'static str, String)> {
    let mut form = vec![("_csrf", csrf.to_owned())];
    let fields = [
        ("name", "taken"),
        ("note", "taken"),
        ("email", "taken@example.com"),
        ("role", "owner"),
        ("password", "taken over by nobody 7"),
        ("old", "walks through all pages 7"),
        ("model", "taken"),
        ("url", "http://taken.invalid/"),
        ("input", "1"),
        ("content", "taken"),
        ("on", "trace"),
        ("widget", "1"),
        ("x", "6"),
        ("y", "0"),
        ("w", "6"),
        ("h", "4"),
        ("label", "production"),
        ("to", "1"),
        ("tags", "taken"),
        ("kind", "text"),
        ("text", "taken"),
    ];
    form.extend(fields.map(|(name, value)| (name, value.to_owned())));
    form
}

async fn ask(visitor: &Visitor, page: &Page, path: &str) -> Response {
    if page.method == "GET" {
        return visitor.get(path).await;
    }
    let form = said(&visitor.csrf);
    let form: Vec<(&str, &str)> = form
        .iter()
        .map(|(name, value)| (*name, value.as_str()))
        .collect();
    visitor.post(path, &form).await
}

/// The body as far as it comes within a moment: some answers have no end.
async fn body(mut answer: Response) -> String {
    let mut read = Vec::new();
    let _over = tokio::time::timeout(Duration::from_millis(500), async {
        while let Ok(Some(piece)) = answer.chunk().await {
            read.extend_from_slice(&piece);
        }
    })
    .await;
    String::from_utf8_lossy(&read).into_owned()
}

pub(super) fn of_a_project() -> impl Iterator<Item = &'static Page> {
    routes::all().filter(|page| page.path.contains("{project}"))
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_is_no_member_finds_nothing_and_changes_nothing_on_any_page() {
    let mut victim = victim().await;
    let project = victim.project.clone();
    let (email, password) = add_member(&mut victim.owner, &project, "stranger").await;
    let mut stranger = Visitor::signed_in_as(&email, password).await;
    stranger.read(&format!("{project}/account")).await;
    let members = victim
        .owner
        .read(&format!("{project}/settings/members"))
        .await;
    let id = between(&members, &email, ("/members/", "/"));
    let form = [("_csrf", victim.owner.csrf.as_str())];
    let remove = format!("{project}/settings/members/{id}/remove");
    victim.owner.post(&remove, &form).await;

    for page in of_a_project() {
        let path = victim.path(page.path);
        let answer = ask(&stranger, page, &path).await;
        assert_eq!(
            answer.status(),
            StatusCode::NOT_FOUND,
            "{} {path}",
            page.method
        );
        let text = body(answer).await;
        assert!(
            !text.contains(MARK),
            "{} {path} shows the project",
            page.method
        );
        if page.method == "GET" {
            // The same path is right for those who may.
            let mine = victim.owner.get(&path).await.status();
            assert!(mine.is_success() || mine.is_redirection(), "{path}: {mine}");
        }
    }
    let before = std::mem::take(&mut victim.before);
    assert_eq!(victim.state().await, before);
}

#[tokio::test(flavor = "multi_thread")]
async fn nobody_is_sent_to_sign_in_from_every_page_of_a_project() {
    let mut victim = victim().await;
    let nobody = Visitor::at(Ipv4Addr::LOCALHOST).await;
    assert!(of_a_project().count() >= 20);
    for page in of_a_project() {
        let path = victim.path(page.path);
        let answer = ask(&nobody, page, &path).await;
        let status = answer.status();
        let refused = status == StatusCode::SEE_OTHER || status.is_client_error();
        assert!(refused, "{} {path}: {status}", page.method);
        if let Some(to) = answer.headers().get("location") {
            let to = to.to_str().unwrap();
            assert!(to.starts_with("/sign-in"), "{} {path}: {to}", page.method);
        }
        assert!(!body(answer).await.contains(MARK), "{path}");
    }
    let before = std::mem::take(&mut victim.before);
    assert_eq!(victim.state().await, before);
}
