//! A real browser, and what a person does in it.
//!
//! A page that is being left, or that is still being read, answers questions in a wrong way or not at all. So whoever waits for
//! something takes such an answer as "not yet", and what is done to an element that has just gone is done to the one in its place.

use fantoccini::elements::Element;
use fantoccini::error::CmdError;
use fantoccini::key::Key;
use fantoccini::wd::WebDriverCompatibleCommand;
use fantoccini::{Client, ClientBuilder, Locator};
use hyper_util::client::legacy::connect::HttpConnector;
use reqwest::{Method, Url};
use serde_json::{Value, json};
use tests::browser::{self, Driver};
use tests::{ProjectClient, Server, eventually, shared};

/// A browser that counts what the content policy had to stop.
pub(crate) struct Browser {
    pub(super) client: Client,
    base: String,
    driver: Driver,
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
            driver,
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
        let find = async || match self.client.find(Locator::Css(css)).await {
            Ok(element) => Ok(element),
            Err(error) => Err((error.to_string(), self.glance().await)),
        };
        eventually(&format!("{css} is there"), find).await
    }

    /// Where it is and how the page begins, for whoever waits in vain.
    async fn glance(&self) -> String {
        let script = "return location.pathname + location.search + ': ' + \
             (document.querySelector('main') ?? document.body).innerText.slice(0, 500)";
        self.seen(script, Vec::new())
            .await
            .map_or_else(|why| why, |seen| seen.to_string())
    }

    /// What an element says.
    pub(crate) async fn text(&self, css: &str) -> String {
        self.with(css, async |element| element.text().await).await
    }

    /// Waits until an element says a text.
    pub(crate) async fn says(&self, css: &str, text: &str) {
        eventually(&format!("{css} says {text}"), async || {
            let script = "return document.querySelector(arguments[0])?.textContent ?? ''";
            let said = self.seen(script, vec![json!(css)]).await?;
            let said = said.as_str().unwrap_or_default().to_owned();
            if said.contains(text) {
                Ok(())
            } else {
                Err(format!("{said:?} in {}", self.glance().await))
            }
        })
        .await;
    }

    /// Puts a text into a field.
    pub(crate) async fn fill(&self, css: &str, text: &str) {
        let put = async |field: Element| {
            field.clear().await?;
            field.send_keys(text).await
        };
        self.with(css, put).await;
    }

    /// Sends the form of a field.
    pub(crate) async fn submit(&self, css: &str) {
        let enter = char::from(Key::Enter).to_string();
        let sent = async |field: Element| field.send_keys(&enter).await;
        self.with(css, sent).await;
    }

    /// Clicks on an element.
    pub(crate) async fn click(&self, css: &str) {
        self.with(css, async |element| element.click().await).await;
    }

    /// Presses keys with nothing chosen in particular.
    pub(crate) async fn press(&self, keys: &str) {
        let pressed = async |body: Element| body.send_keys(keys).await;
        self.with("body", pressed).await;
    }

    /// Does something with the first element that matches, waited for. One that has gone in between had nothing done to it.
    async fn with<T>(&self, css: &str, act: impl AsyncFn(Element) -> Result<T, CmdError>) -> T {
        let done = async || match act(self.find(css).await).await {
            Err(error) if error.is_stale_element_reference() => Err(error),
            done => Ok(done),
        };
        let done = eventually(&format!("{css} stays"), done).await;
        done.unwrap_or_else(|error| panic!("{css}: {error}"))
    }

    /// Runs a script. One that a page took with it as it went is run on the page that came.
    pub(crate) async fn run(&self, script: &str, arguments: Vec<Value>) -> Value {
        let done = async || match self.client.execute(script, arguments.clone()).await {
            Err(error) if error.to_string().contains("aborted by navigation") => Err(error),
            done => Ok(done),
        };
        eventually("a page stays", done).await.unwrap()
    }

    /// Goes back by the browser's own way: a script might be run on the page that came as well.
    pub(crate) async fn back(&self) {
        self.client.back().await.unwrap();
    }

    /// What a script that only looks sees of a page that is there as a whole; otherwise why it could not look.
    async fn seen(&self, script: &str, arguments: Vec<Value>) -> Result<Value, String> {
        let script = format!(
            "if (document.readyState === 'loading') return null; return (function () {{ {script} }})(...arguments)"
        );
        let seen = self.client.execute(&script, arguments).await;
        match seen {
            Ok(Value::Null) => Err("the page is being read".to_owned()),
            Ok(seen) => Ok(seen),
            Err(error) => Err(error.to_string()),
        }
    }

    /// How many elements match and are not hidden.
    pub(crate) async fn count(&self, css: &str) -> u64 {
        let counted = async || self.counted(css).await;
        eventually(&format!("{css} are counted"), counted).await
    }

    async fn counted(&self, css: &str) -> Result<u64, String> {
        let script = "return [...document.querySelectorAll(arguments[0])].filter(e => !e.closest('[hidden]')).length";
        let count = self.seen(script, vec![json!(css)]).await?;
        count.as_u64().ok_or_else(|| count.to_string())
    }

    /// Waits until so many elements match and are not hidden.
    pub(crate) async fn shows(&self, css: &str, number: u64) {
        eventually(
            &format!("{number} of {css} are shown"),
            async || match self.counted(css).await? {
                count if count == number => Ok(()),
                count => Err(format!("{count} in {}", self.glance().await)),
            },
        )
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

    pub(super) async fn complaints(&self) -> Vec<String> {
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
pub(super) struct DevTools(pub(super) Value);

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

#[cfg(target_os = "linux")]
#[tokio::test(flavor = "multi_thread")]
async fn no_process_of_a_browser_outlives_its_test() {
    let browser = Browser::open().await;
    browser.go("/").await;
    let profile = browser.driver.profile().to_owned();
    let running = || {
        let profile = profile.to_str().unwrap();
        let processes = std::fs::read_dir("/proc").unwrap().flatten();
        processes
            .filter_map(|process| std::fs::read(process.path().join("cmdline")).ok())
            .filter(|line| String::from_utf8_lossy(line).contains(profile))
            .count()
    };
    assert!(running() > 0);
    // As a test does that fails.
    drop(browser);
    eventually("its browser has ended", async || match running() {
        0 => Ok(()),
        some => Err(some),
    })
    .await;
    assert!(!profile.exists());
}
