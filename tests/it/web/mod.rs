//! Pages in a real browser: what a person does, what they see, and what never runs.

use std::time::Duration;

use fantoccini::elements::Element;
use fantoccini::key::Key;
use fantoccini::wd::WebDriverCompatibleCommand;
use fantoccini::{Client, ClientBuilder, Locator};
use hyper_util::client::legacy::connect::HttpConnector;
use reqwest::{Method, Url};
use serde_json::{Value, json};
use tests::browser::{self, Driver};
use tests::{ProjectClient, Server, eventually, shared};

mod accessible;
mod account;
mod agents;
mod alerts;
mod changes;
mod comments;
mod correlation;
mod dashboards;
mod dataset_compare;
mod dataset_files;
mod dataset_items;
mod dataset_kinds;
mod datasets;
mod deletions;
mod forward;
pub(crate) mod headers;
mod hostile;
mod impact;
mod jobs;
mod large_trace;
mod lists;
mod names;
mod overview;
mod playground;
mod prompts;
mod queues;
mod refused;
mod scores;
mod scrape_targets;
mod screenshots;
mod serving;
mod sessions;
mod settings;
mod shared;
mod sign_in;
mod tenancy;
mod trace;
mod traces;
mod tree;
mod usage;
mod usual_hour;
mod victims;
mod walk;
mod watch;

/// A browser that counts what the content policy had to stop.
pub(crate) struct Browser {
    client: Client,
    base: String,
    _driver: Driver,
}

impl Browser {
    /// A fresh one, signed in as nobody.
    pub(crate) async fn open() -> Self {
        let (server, driver) = (shared().await, Driver::start().await);
        let capabilities = json!({
            "goog:chromeOptions": browser::options(),
            "goog:loggingPrefs": { "browser": "ALL" },
        });
        let Value::Object(capabilities) = capabilities else {
            unreachable!("an object is written above")
        };
        let client = ClientBuilder::new(HttpConnector::new())
            .capabilities(capabilities)
            .connect(driver.url())
            .await
            .unwrap();
        Browser {
            client,
            base: server.http_url().to_owned(),
            _driver: driver,
        }
    }

    /// One that is signed in as the first owner, in a project of its own, with that project's keys.
    pub(crate) async fn in_new_project(name: &str) -> (Self, ProjectClient) {
        let browser = Browser::open().await;
        browser.sign_in(shared().await).await;
        let home = browser.path().await;
        let settings = home.replace("/traces", "/settings");
        browser.go(&settings).await;
        browser
            .fill("#new-name", &format!("{name} {}", std::process::id()))
            .await;
        browser.submit("#new-name").await;
        browser.path_contains("/settings/keys").await;
        browser.fill("#note", "browser test").await;
        browser.submit("#note").await;
        let public = browser.text("#made-public").await;
        let secret = browser.text("#made-secret").await;
        let keys = ProjectClient::new(&browser.base, &public, &secret);
        (browser, keys)
    }

    /// The same, turned to another server.
    pub(crate) fn at(mut self, base: &str) -> Self {
        self.base = base.to_owned();
        self
    }

    /// Signs in as the first owner.
    pub(crate) async fn sign_in(&self, server: &Server) {
        self.go("/").await;
        self.fill("#email", server.email()).await;
        self.fill("#password", server.password()).await;
        self.submit("#password").await;
        self.path_contains("/overview").await;
        self.go_to_traces("").await;
    }

    /// Opens a path.
    pub(crate) async fn go(&self, path: &str) {
        self.client
            .goto(&format!("{}{path}", self.base))
            .await
            .unwrap();
    }

    /// Opens the list of traces of the project whose page is open.
    pub(crate) async fn go_to_traces(&self, query: &str) {
        let path = self.path().await;
        let project: Vec<&str> = path.split('/').take(3).collect();
        self.go(&format!("{}/traces{query}", project.join("/")))
            .await;
    }

    /// Path and query of the page.
    pub(crate) async fn path(&self) -> String {
        let url = self.client.current_url().await.unwrap();
        match url.query() {
            Some(query) => format!("{}?{query}", url.path()),
            None => url.path().to_owned(),
        }
    }

    /// Waits until the address holds a text.
    pub(crate) async fn path_contains(&self, part: &str) {
        eventually(&format!("the address holds {part}"), async || {
            let path = self.path().await;
            if path.contains(part) {
                Ok(())
            } else {
                Err(path)
            }
        })
        .await;
    }

    /// The first element that matches, waited for.
    pub(crate) async fn find(&self, css: &str) -> Element {
        let wait = self.client.wait().at_most(Duration::from_secs(30));
        wait.for_element(Locator::Css(css))
            .await
            .unwrap_or_else(|error| panic!("{css}: {error}"))
    }

    /// What an element says.
    pub(crate) async fn text(&self, css: &str) -> String {
        self.find(css).await.text().await.unwrap()
    }

    /// Waits until an element says a text.
    pub(crate) async fn says(&self, css: &str, text: &str) {
        eventually(&format!("{css} says {text}"), async || {
            let script = "return document.querySelector(arguments[0])?.textContent ?? ''";
            let said = self.run(script, vec![json!(css)]).await;
            let said = said.as_str().unwrap_or_default().to_owned();
            if said.contains(text) {
                Ok(())
            } else {
                Err(said)
            }
        })
        .await;
    }

    /// Puts a text into a field.
    pub(crate) async fn fill(&self, css: &str, text: &str) {
        let field = self.find(css).await;
        field.clear().await.unwrap();
        field.send_keys(text).await.unwrap();
    }

    /// Sends the form of a field.
    pub(crate) async fn submit(&self, css: &str) {
        self.find(css)
            .await
            .send_keys(&char::from(Key::Enter).to_string())
            .await
            .unwrap();
    }

    /// Clicks on an element.
    pub(crate) async fn click(&self, css: &str) {
        self.find(css).await.click().await.unwrap();
    }

    /// Presses keys with nothing chosen in particular.
    pub(crate) async fn press(&self, keys: &str) {
        self.find("body").await.send_keys(keys).await.unwrap();
    }

    /// Runs a script.
    pub(crate) async fn run(&self, script: &str, arguments: Vec<Value>) -> Value {
        self.client.execute(script, arguments).await.unwrap()
    }

    /// How many elements match and are not hidden.
    pub(crate) async fn count(&self, css: &str) -> u64 {
        let script = "return [...document.querySelectorAll(arguments[0])].filter(e => !e.closest('[hidden]')).length";
        self.run(script, vec![json!(css)]).await.as_u64().unwrap()
    }

    /// Waits until so many elements match and are not hidden.
    pub(crate) async fn shows(&self, css: &str, number: u64) {
        eventually(&format!("{number} of {css} are shown"), async || {
            let count = self.count(css).await;
            if count == number { Ok(()) } else { Err(count) }
        })
        .await;
    }

    /// Takes what the console says so far, which must be one complaint that holds a text.
    pub(crate) async fn expect_complaint(&self, part: &str) {
        let complaints = self.complaints().await;
        assert_eq!(complaints.len(), 1, "{complaints:#?}");
        assert!(complaints[0].contains(part), "{complaints:#?}");
    }

    /// Takes what the console says so far, each of which must hold a text.
    pub(crate) async fn expect_complaints(&self, part: &str) {
        let complaints = self.complaints().await;
        let are_expected = complaints.iter().all(|complaint| complaint.contains(part));
        assert!(are_expected, "{complaints:#?}");
    }

    async fn complaints(&self) -> Vec<String> {
        let log = self.client.issue_cmd(ConsoleLog).await.unwrap();
        let entries = log.as_array().unwrap().iter();
        let severe = entries.filter(|entry| entry["level"] == "SEVERE");
        severe
            .map(|entry| entry["message"].as_str().unwrap_or_default().to_owned())
            .collect()
    }

    /// Ends it, when the console is clean: what the content policy stops, what is not found and
    /// what a script fails at stands there.
    pub(crate) async fn close(self) {
        let complaints = self.complaints().await;
        assert!(complaints.is_empty(), "the console says {complaints:#?}");
        self.client.close().await.unwrap();
    }
}

/// A command of the browser's own protocol.
#[derive(Debug)]
struct DevTools(Value);

impl WebDriverCompatibleCommand for DevTools {
    fn endpoint(
        &self,
        base: &Url,
        session: Option<&str>,
    ) -> Result<Url, <Url as std::str::FromStr>::Err> {
        base.join(&format!(
            "session/{}/goog/cdp/execute",
            session.unwrap_or_default()
        ))
    }

    fn method_and_body(&self, _: &Url) -> (Method, Option<String>) {
        (Method::POST, Some(self.0.to_string()))
    }
}

/// Asks for what the console says; a command of `chromedriver` alone.
#[derive(Debug)]
struct ConsoleLog;

impl WebDriverCompatibleCommand for ConsoleLog {
    fn endpoint(
        &self,
        base: &Url,
        session: Option<&str>,
    ) -> Result<Url, <Url as std::str::FromStr>::Err> {
        base.join(&format!("session/{}/se/log", session.unwrap_or_default()))
    }

    fn method_and_body(&self, _: &Url) -> (Method, Option<String>) {
        (Method::POST, Some(json!({ "type": "browser" }).to_string()))
    }
}
