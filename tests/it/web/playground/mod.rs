//! The playground, repeated steps and connections to providers of models.

mod again;
mod guarded;
mod provider;
mod windows;

use std::sync::OnceLock;

use reqwest::Method;
use serde_json::{Value, json};
use tests::{ProjectClient, Server, Settings};

use super::Browser;
use provider::{Provider, SECRET};

/// A server that may reach providers of this machine; the tests of here share it.
async fn server() -> &'static Server {
    static SERVER: OnceLock<Server> = OnceLock::new();
    tokio::task::spawn_blocking(|| {
        SERVER.get_or_init(|| {
            let settings =
                Settings::default().with("TRIAXIS_ALLOW_PRIVATE_ADDRESSES", "127.0.0.0/8, ::1");
            let runtime = tokio::runtime::Runtime::new().unwrap();
            runtime.block_on(Server::start_with(settings))
        })
    })
    .await
    .unwrap()
}

/// A browser in the first project of that server, with its address and keys.
async fn browser() -> (Browser, String, ProjectClient) {
    let server = server().await;
    let browser = Browser::open().await.at(server.http_url());
    browser.sign_in(server).await;
    let path = browser.path().await;
    let project: Vec<&str> = path.split('/').take(3).collect();
    (browser, project.join("/"), server.client())
}

/// Sets a connection to a provider; its id.
async fn connected(client: &ProjectClient, name: &str, provider: &Provider) -> String {
    connected_as(client, (name, "openai"), provider).await
}

async fn connected_as(
    client: &ProjectClient,
    (name, adapter): (&str, &str),
    provider: &Provider,
) -> String {
    let body = json!({
        "provider": name, "adapter": adapter, "secretKey": SECRET, "baseURL": provider.url,
        "customModels": ["steady", "slow"], "withDefaultModels": false,
        "extraHeaders": {"x-of-the-gateway": "one"},
    });
    let path = "/api/public/llm-connections";
    let made = client.langfuse(Method::PUT, path, Some(&body)).await;
    assert!(made.status.is_success(), "{}", made.body);
    made.body["id"].as_str().unwrap().to_owned()
}

/// Puts a text into a field at once, as if it had been typed.
async fn set(browser: &Browser, css: &str, text: &str) {
    browser.find(css).await;
    let script = "const field = document.querySelector(arguments[0]); field.value = arguments[1];
        field.dispatchEvent(new Event('input', { bubbles: true }));
        field.dispatchEvent(new Event('change', { bubbles: true }));";
    browser.run(script, vec![json!(css), json!(text)]).await;
}

/// Chooses an option of a field by its words.
async fn choose(browser: &Browser, css: &str, words: &str) {
    browser.find(css).await;
    let script = "const field = document.querySelector(arguments[0]);
        field.value = [...field.options].find((option) => option.text === arguments[1]).value;
        field.dispatchEvent(new Event('input', { bubbles: true }));
        field.dispatchEvent(new Event('change', { bubbles: true }));";
    browser.run(script, vec![json!(css), json!(words)]).await;
}

/// The value of a field.
async fn value(browser: &Browser, css: &str) -> Value {
    browser.find(css).await;
    let script = "return document.querySelector(arguments[0]).value";
    browser.run(script, vec![json!(css)]).await
}
