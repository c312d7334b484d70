//! A fleet second by second, with what it told before it is watched.

use std::time::Duration;

use domain::Timestamp;
use fleet::{Call, Fleet, Scenario};
use reqwest::Method;
use serde_json::{Value, json};
use tests::builders::{SpanBuilder, export, now_nanos};
use tests::{ProjectClient, eventually_within};
use tokio::time::{Interval, MissedTickBehavior};

use super::exporters::Exporters;
use super::series::span;
use super::{PATIENCE, done};
use crate::attributions::support;

/// Seconds of the fleet that are over when it is watched.
const PAST_S: f64 = 600.0;
/// Seconds of it that exporters remember: a time that lies further back is not believed of a scrape.
const REMEMBERED_S: f64 = 270.0;
/// Seconds that may go by while something is due: the product looks each second for what is.
const GRACE: u32 = 2;
/// How far behind rules may be looked at: a step, and the second after which it is looked for.
const BEHIND_MS: i64 = 8_000;

/// The usual version of the prompt `support`, and the one after it.
pub(super) const USUAL: u32 = 4;
pub(super) const NEW: u32 = 5;

/// A fleet under way.
pub(super) struct Live {
    pub(super) client: ProjectClient,
    fleet: Fleet,
    exporters: Exporters,
    pace: Interval,
    /// Seconds at the beginning of which something was due.
    overdue: u32,
    /// All calls so far.
    calls: Vec<Call>,
}

impl Live {
    /// A fleet that has been serving for a while: its calls of that time are sent, its exporters are scraped. The label
    /// `production` of the prompt `support` went from the usual version to `label` before that, with a policy to go back by
    /// itself.
    pub(super) async fn start(client: ProjectClient, scenario: Scenario, label: u32) -> Self {
        support(&client).await;
        move_label(&client, USUAL).await;
        move_label(&client, label).await;
        let policy = "/api/v1/prompts/support/rollback-policy";
        done(&client, Method::PUT, policy, json!({"mode": "auto"})).await;
        // What is told here is there a moment later.
        let settings = json!({"delay_s": 0});
        done(&client, Method::PUT, "/api/v1/alert-settings", settings).await;
        let mut pace = tokio::time::interval(Duration::from_secs(1));
        pace.set_missed_tick_behavior(MissedTickBehavior::Delay);
        let mut live = Live {
            exporters: Exporters::start(scenario.instances).await,
            fleet: Fleet::new(scenario),
            client,
            pace,
            overdue: 0,
            calls: Vec::new(),
        };
        live.past().await;
        live.is_joined().await;
        live
    }

    /// Seconds of the fleet so far.
    pub(super) fn now(&self) -> f64 {
        self.fleet.now()
    }

    /// A second of the fleet: clients ask which version they get, instances answer, exporters and clients tell of it.
    pub(super) async fn second(&mut self) {
        self.pace.tick().await;
        self.stand_still_while_overdue().await;
        self.roll_out().await;
        let calls = self.fleet.advance();
        self.tell(&calls).await;
        self.calls.extend(calls);
        self.exporters.tell(self.fleet.readings());
    }

    /// So many seconds of which nothing is told.
    pub(super) async fn quiet(&mut self, seconds: u32) {
        for _ in 0..seconds {
            self.second().await;
        }
        let found = self.client.get_json("/api/v1/incidents").await;
        assert_eq!(found["data"], json!([]));
    }

    /// What a share of the calls so far lie below.
    pub(super) fn quantile(&self, share: f64, value: impl Fn(&Call) -> f64) -> f64 {
        let mut values: Vec<f64> = self.calls.iter().map(value).collect();
        values.sort_by(f64::total_cmp);
        values[(values.len() as f64 * share) as usize]
    }

    /// Watches a series by a rule of the first severity.
    pub(super) async fn watch(&self, series: &str, params: Value, channel: &str) {
        let rule = json!({"name": series, "kind": "threshold", "series": series,
            "params": params, "severity": "P1", "channels": [channel]});
        done(&self.client, Method::POST, "/api/v1/alert-rules", rule).await;
    }

    /// The newest incident with all that belongs to it.
    pub(super) async fn incident(&self) -> Option<Value> {
        let found = self.client.get_json("/api/v1/incidents").await;
        let id = found["data"][0]["id"].as_str()?;
        let path = format!("/api/v1/incidents/{id}");
        Some(self.client.get_json(&path).await)
    }

    /// What has been. Its calls come as they would come late; its readings as exporters give them that know their time.
    async fn past(&mut self) {
        self.roll_out().await;
        let began = now_nanos() as f64 / 1e9 - PAST_S;
        while self.fleet.now() < PAST_S {
            self.calls.extend(self.fleet.advance());
            let now = self.fleet.now();
            if now > PAST_S - REMEMBERED_S {
                self.exporters.remember(began + now, self.fleet.readings());
            }
        }
        for some in self.calls.chunks(500) {
            self.tell(some).await;
        }
        self.exporters.have_scraped(&self.client).await;
        self.exporters.tell(self.fleet.readings());
    }

    /// Waits until the newest calls are found with their instances and GPUs.
    async fn is_joined(&self) {
        eventually_within(PATIENCE, "calls have instances and GPUs", async || {
            let found = self.client.get_json("/api/v1/requests?limit=20").await;
            let rows = found["data"].as_array().unwrap();
            let is_whole = |row: &Value| {
                row["axes"]["gpu"]["power_w"].is_number() && row["instance"].is_string()
            };
            if rows.len() == 20 && rows.iter().all(is_whole) {
                Ok(())
            } else {
                Err(found)
            }
        })
        .await;
    }

    /// Clients get the version that the label stands on.
    async fn roll_out(&mut self) {
        let is_new = version(&self.client).await == NEW;
        self.fleet.roll_out(f64::from(u8::from(is_new)));
    }

    /// Tells of calls; the second that the fleet has reached is now.
    async fn tell(&self, calls: &[Call]) {
        let began_ms = now_nanos() as f64 / 1e6 - 1e3 * self.fleet.now();
        let millis = |seconds: f64| (began_ms + 1e3 * seconds) as u64;
        let spans: Vec<SpanBuilder> = calls.iter().map(|call| span(call, millis)).collect();
        if !spans.is_empty() {
            self.client.accept_traces(&export(&spans)).await;
        }
    }

    async fn stand_still_while_overdue(&mut self) {
        match self.overdue().await {
            Some(_) => self.overdue += 1,
            None => self.overdue = 0,
        }
        if self.overdue > GRACE {
            eventually_within(PATIENCE, "what is due is done", async || {
                self.overdue().await.map_or(Ok(()), Err)
            })
            .await;
            self.overdue = 0;
        }
    }

    /// What the product should have done by now.
    async fn overdue(&self) -> Option<Value> {
        let rules = self.client.get_json("/api/v1/alert-rules").await;
        if let Some(until) = rules["evaluated_until"].as_str() {
            let until = Timestamp::parse(until).unwrap().unix_millis();
            let now = (now_nanos() / 1_000_000) as i64;
            if now - until > BEHIND_MS {
                return Some(rules);
            }
        }
        let incident = self.incident().await?;
        let of = |name: &str| incident[name].as_array().unwrap().clone();
        let is_waiting = |thing: &Value| thing["state"] == "waiting";
        let status = &incident["attribution_status"];
        let is_overdue = is_waiting(status) && status["last_error"].is_null()
            || of("rollbacks").iter().any(is_waiting)
            || of("notifications").iter().any(is_waiting);
        is_overdue.then_some(incident)
    }
}

/// The version that clients get.
pub(super) async fn version(client: &ProjectClient) -> u32 {
    let path = "/api/public/v2/prompts/support?label=production";
    let prompt = client.get_json(path).await;
    prompt["version"].as_u64().unwrap() as u32
}

/// The label that clients ask for goes to a version.
pub(super) async fn move_label(client: &ProjectClient, version: u32) {
    let path = format!("/api/public/v2/prompts/support/versions/{version}");
    let labels = json!({"newLabels": ["production"]});
    done(client, Method::PATCH, &path, labels).await;
}
