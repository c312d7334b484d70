//! Requests with a project's keys, as programs make them.

use std::sync::Arc;

use reqwest::{Method, RequestBuilder, Response, StatusCode};
use serde_json::Value;

use crate::rules::Rules;
use crate::wait::eventually;

/// Speaks to a server with the keys of one project.
#[derive(Clone, Debug)]
pub struct ProjectClient {
    http: reqwest::Client,
    url: String,
    /// Public key.
    pub public_key: String,
    /// Secret key.
    pub secret_key: String,
    /// The project's id, where the test knows it.
    pub project_id: Option<String>,
    /// None in a project that tests share: another one may still need them.
    rules: Option<Arc<Rules>>,
}

impl ProjectClient {
    /// With a pair of keys.
    pub fn new(url: &str, public_key: &str, secret_key: &str) -> Self {
        ProjectClient {
            // The server ends a connection that waits too long for its next request; where a machine is busy one
            // is taken out of the pool at that very moment.
            http: reqwest::Client::builder()
                .pool_idle_timeout(std::time::Duration::from_secs(5))
                .build()
                .unwrap(),
            url: url.to_owned(),
            public_key: public_key.to_owned(),
            secret_key: secret_key.to_owned(),
            project_id: None,
            rules: None,
        }
    }

    /// The client of a project that one test has for itself.
    pub(crate) fn with_project_of_its_own(mut self, id: String) -> Self {
        let rules = Rules::new(&self.url, &self.public_key, &self.secret_key);
        self.rules = Some(Arc::new(rules));
        self.project_id = Some(id);
        self
    }

    /// A request with the keys.
    pub fn request(&self, method: Method, path: &str) -> RequestBuilder {
        if method == Method::POST
            && path == Rules::PATH
            && let Some(rules) = &self.rules
        {
            rules.made();
        }
        let request = self.http.request(method, format!("{}{path}", self.url));
        request.basic_auth(&self.public_key, Some(&self.secret_key))
    }

    /// GET.
    pub async fn get(&self, path: &str) -> Response {
        self.request(Method::GET, path).send().await.unwrap()
    }

    /// GET that must succeed; its JSON.
    pub async fn get_json(&self, path: &str) -> Value {
        let answer = self.get(path).await;
        let status = answer.status();
        let text = answer.text().await.unwrap();
        assert!(status.is_success(), "GET {path}: {status}: {text}");
        serde_json::from_str(&text).unwrap()
    }

    /// Sends one OTLP/JSON request.
    pub async fn send_traces(&self, body: &Value) -> Response {
        let body = serde_json::to_vec(body).unwrap();
        self.send_traces_body(body, "application/json").await
    }

    /// Sends the bytes of one OTLP request.
    pub async fn send_traces_body(&self, body: Vec<u8>, content_type: &str) -> Response {
        self.send_body("/v1/traces", body, content_type).await
    }

    /// Sends the bytes of one request of any signal.
    pub async fn send_body(&self, path: &str, body: Vec<u8>, content_type: &str) -> Response {
        let request = self.request(Method::POST, path);
        request
            .header("content-type", content_type)
            .body(body)
            .send()
            .await
            .unwrap()
    }

    /// Sends one OTLP/JSON request that must be accepted whole.
    pub async fn accept_traces(&self, body: &Value) {
        let answer = self.send_traces(body).await;
        let status = answer.status();
        let text = answer.text().await.unwrap();
        assert_eq!(status, StatusCode::OK, "{text}");
        let rejected = text.contains("rejectedSpans") && !text.contains("\"rejectedSpans\":0");
        assert!(!rejected, "{text}");
    }

    /// Sends log records as OTLP/JSON that must be accepted whole.
    pub async fn accept_logs(&self, body: &Value) {
        let bytes = serde_json::to_vec(body).unwrap();
        let answer = self.send_body("/v1/logs", bytes, "application/json").await;
        let status = answer.status();
        let text = answer.text().await.unwrap();
        assert_eq!((status, text.as_str()), (StatusCode::OK, "{}"));
    }

    /// The trace, as soon as it can be read with that many spans.
    pub async fn trace_with_spans(&self, trace_id: &str, spans: usize) -> Value {
        eventually(&format!("trace {trace_id} has {spans} spans"), async || {
            let answer = self.get(&format!("/api/v1/traces/{trace_id}")).await;
            let status = answer.status();
            let text = answer.text().await.map_err(|error| error.to_string())?;
            if !status.is_success() {
                return Err(format!("{status}: {text}"));
            }
            let trace: Value = serde_json::from_str(&text).map_err(|error| error.to_string())?;
            if trace["span_count"] == spans {
                Ok(trace)
            } else {
                Err(trace["span_count"].to_string())
            }
        })
        .await
    }
}
