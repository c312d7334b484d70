//! Alert rules of tests that are over.

use std::sync::LazyLock;
use std::sync::atomic::{AtomicBool, Ordering};

use reqwest::{Client, Method, RequestBuilder};
use serde_json::Value;
use tokio::runtime::Runtime;

/// Outlives the runtimes of the tests.
static AFTERWARDS: LazyLock<Option<Runtime>> = LazyLock::new(|| {
    let mut runtime = tokio::runtime::Builder::new_multi_thread();
    runtime.worker_threads(1).enable_all().build().ok()
});

/// The rules of a project, which go with the last client that may have made some: the server looks at rules every few
/// seconds, and the tests that come later would have to wait for it.
#[derive(Debug)]
pub(crate) struct Rules {
    url: String,
    public_key: String,
    secret_key: String,
    are_any: AtomicBool,
}

impl Rules {
    /// Where they are made.
    pub(crate) const PATH: &str = "/api/v1/alert-rules";

    /// Those of a project.
    pub(crate) fn new(url: &str, public_key: &str, secret_key: &str) -> Self {
        Rules {
            url: url.to_owned(),
            public_key: public_key.to_owned(),
            secret_key: secret_key.to_owned(),
            are_any: AtomicBool::new(false),
        }
    }

    /// Notes that there may be some.
    pub(crate) fn made(&self) {
        self.are_any.store(true, Ordering::Relaxed);
    }
}

impl Drop for Rules {
    fn drop(&mut self) {
        let Some(runtime) = AFTERWARDS.as_ref() else {
            return;
        };
        if !self.are_any.load(Ordering::Relaxed) {
            return;
        }
        let keys = (
            std::mem::take(&mut self.public_key),
            std::mem::take(&mut self.secret_key),
        );
        let base = format!("{}{}", self.url, Rules::PATH);
        runtime.spawn(async move {
            let http = Client::new();
            let ask = |method: Method, url: String| -> RequestBuilder {
                let request = http.request(method, url);
                request.basic_auth(&keys.0, Some(&keys.1))
            };
            // A server that is gone looks at nothing.
            let Ok(found) = ask(Method::GET, base.clone()).send().await else {
                return;
            };
            let found: Value = found.json().await.unwrap_or_default();
            let ids = found["data"].as_array().into_iter().flatten();
            for id in ids.filter_map(|rule| rule["id"].as_str()) {
                let _gone = ask(Method::DELETE, format!("{base}/{id}")).send().await;
            }
        });
    }
}
