//! A provider of models of this machine: answers as the name of the model says, and keeps what it was asked.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

/// The credential that it is given.
pub(super) const SECRET: &str = "sk-of-the-provider-93fa";
/// What no page may show.
pub(super) const CANARY: &str = "inner-page-of-another-server";

/// The provider.
#[derive(Clone)]
pub(super) struct Provider {
    /// Where it is.
    pub(super) url: String,
    asked: Arc<Mutex<Vec<(String, Value)>>>,
    /// Clients that left while it was still answering.
    left: Arc<AtomicUsize>,
}

impl Provider {
    pub(super) async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let provider = Provider {
            url: format!("http://{}/v1", listener.local_addr().unwrap()),
            asked: Arc::default(),
            left: Arc::default(),
        };
        let served = provider.clone();
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let provider = served.clone();
                tokio::spawn(async move {
                    if provider.serve(stream).await.is_err() {
                        provider.left.fetch_add(1, Ordering::Relaxed);
                    }
                });
            }
        });
        provider
    }

    /// Heads in lower case and bodies of all requests so far for a model.
    pub(super) fn asked(&self, model: &str) -> Vec<(String, Value)> {
        let asked = self.asked.lock().unwrap();
        let of_model = asked.iter().filter(|(_, body)| body["model"] == model);
        of_model.cloned().collect()
    }

    pub(super) fn left(&self) -> usize {
        self.left.load(Ordering::Relaxed)
    }

    async fn serve(&self, mut stream: TcpStream) -> std::io::Result<()> {
        let (head, body) = read(&mut stream).await?;
        let body: Value = serde_json::from_slice(&body).unwrap_or_default();
        let model = body["model"].as_str().unwrap_or_default().to_owned();
        self.asked
            .lock()
            .unwrap()
            .push((head.clone(), body.clone()));
        if head.starts_with("post /v1/messages") {
            return events(&mut stream, &anthropic(&model)).await;
        }
        match model.as_str() {
            "slow" => slow(&mut stream).await,
            "broken" => {
                let open = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ncontent-length: 9999\r\n\r\n";
                stream.write_all(open.as_bytes()).await?;
                stream.write_all(said("Half of an ans").as_bytes()).await
            }
            "huge" => huge(&mut stream).await,
            "refusing" => {
                let words =
                    format!("Incorrect API key provided: {SECRET}. <script>window.__x=1</script>");
                let body = json!({"error": {"message": words, "type": "invalid_request_error"}});
                whole(
                    &mut stream,
                    "401 Unauthorized",
                    ("application/json", &body.to_string()),
                )
                .await
            }
            "page" => {
                let page = format!("<html>{CANARY}</html>");
                whole(
                    &mut stream,
                    "500 Internal Server Error",
                    ("text/html", &page),
                )
                .await
            }
            "moved" => {
                let head = "302 Found\r\nlocation: http://169.254.169.254/latest";
                whole(&mut stream, head, ("text/html", CANARY)).await
            }
            "odd" => whole(&mut stream, "200 OK", ("text/html", CANARY)).await,
            "whole" => {
                let answer = json!({"model": "whole", "usage": usage(), "choices": [
                    {"finish_reason": "stop", "message": {"role": "assistant", "content": "All at once."}}]});
                whole(
                    &mut stream,
                    "200 OK",
                    ("application/json", &answer.to_string()),
                )
                .await
            }
            "calling" => events(&mut stream, &calling()).await,
            "hostile" => {
                let words = "<script>window.__x=1</script><img src=x onerror=window.__x=1>\u{202e}\u{1b}[31m";
                events(&mut stream, &[said(words), end()]).await
            }
            _ => {
                let last = body["messages"].as_array().and_then(|all| all.last());
                let last = last.map(|last| last["content"].as_str().unwrap_or_default());
                let words = format!("{model} says: {}", last.unwrap_or_default());
                let (first, second) = words.split_at(words.len() / 2);
                events(&mut stream, &[said(first), said(second), end()]).await
            }
        }
    }
}

async fn read(stream: &mut TcpStream) -> std::io::Result<(String, Vec<u8>)> {
    let mut read = Vec::new();
    let end = loop {
        if let Some(at) = read.windows(4).position(|four| four == b"\r\n\r\n") {
            break at + 4;
        }
        if stream.read_buf(&mut read).await? == 0 {
            return Ok((String::new(), Vec::new()));
        }
    };
    let head = String::from_utf8_lossy(&read[..end]).to_lowercase();
    let length = head
        .lines()
        .find_map(|line| line.strip_prefix("content-length: "));
    let length: usize = length.and_then(|text| text.parse().ok()).unwrap_or(0);
    let mut body = read.split_off(end);
    while body.len() < length {
        if stream.read_buf(&mut body).await? == 0 {
            break;
        }
    }
    Ok((head, body))
}

fn usage() -> Value {
    json!({"prompt_tokens": 10, "completion_tokens": 5})
}

fn event(json: &Value) -> String {
    format!("data: {json}\n\n")
}

fn said(words: &str) -> String {
    event(&json!({"model": "m", "choices": [{"delta": {"content": words}}]}))
}

fn end() -> String {
    let stop = event(&json!({"choices": [{"delta": {}, "finish_reason": "stop"}]}));
    let counted = event(&json!({"choices": [], "usage": usage()}));
    format!("{stop}{counted}data: [DONE]\n\n")
}

fn calling() -> Vec<String> {
    let call = |function: Value| {
        event(&json!({"choices": [{"delta": {"tool_calls": [
            {"index": 0, "id": function.get("name").map(|_| "c1"), "function": function}]}}]}))
    };
    vec![
        call(json!({"name": "find_order", "arguments": ""})),
        call(json!({"arguments": "{\"order\":"})),
        call(json!({"arguments": " 7}"})),
        end(),
    ]
}

fn anthropic(model: &str) -> Vec<String> {
    [
        json!({"type": "message_start", "message": {"model": model, "usage": {"input_tokens": 10, "output_tokens": 1}}}),
        json!({"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}}),
        json!({"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "Said by Anthropic's interface."}}),
        json!({"type": "message_delta", "delta": {"stop_reason": "end_turn"}, "usage": {"output_tokens": 5}}),
        json!({"type": "message_stop"}),
    ]
    .iter()
    .map(event)
    .collect()
}

async fn whole(
    stream: &mut TcpStream,
    status: &str,
    (kind, body): (&str, &str),
) -> std::io::Result<()> {
    let length = body.len();
    let head =
        format!("HTTP/1.1 {status}\r\ncontent-type: {kind}\r\ncontent-length: {length}\r\n\r\n");
    stream.write_all(head.as_bytes()).await?;
    stream.write_all(body.as_bytes()).await
}

async fn open(stream: &mut TcpStream) -> std::io::Result<()> {
    let head = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n";
    stream.write_all(head.as_bytes()).await
}

async fn events(stream: &mut TcpStream, events: &[String]) -> std::io::Result<()> {
    open(stream).await?;
    for event in events {
        stream.write_all(event.as_bytes()).await?;
        stream.flush().await?;
    }
    stream.shutdown().await
}

/// Says a word now and then, for ever.
async fn slow(stream: &mut TcpStream) -> std::io::Result<()> {
    open(stream).await?;
    let mut pace = tokio::time::interval(Duration::from_millis(50));
    loop {
        pace.tick().await;
        stream.write_all(said("word ").as_bytes()).await?;
    }
}

/// Says more than anybody takes.
async fn huge(stream: &mut TcpStream) -> std::io::Result<()> {
    open(stream).await?;
    let words = said(&"x".repeat(256 * 1024));
    loop {
        stream.write_all(words.as_bytes()).await?;
    }
}
