//! A provider of models that judges as the name of the model says, and keeps what it was asked.

use std::sync::{Arc, Mutex};

use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

/// The credential that it is given.
pub(super) const SECRET: &str = "sk-of-the-judge-51c7";

/// The provider.
#[derive(Clone)]
pub(super) struct Provider {
    /// Where it is.
    pub(super) url: String,
    asked: Arc<Mutex<Vec<Value>>>,
}

impl Provider {
    pub(super) async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let provider = Provider {
            url: format!("http://{}/v1", listener.local_addr().unwrap()),
            asked: Arc::default(),
        };
        let served = provider.clone();
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let provider = served.clone();
                tokio::spawn(async move { provider.serve(stream).await });
            }
        });
        provider
    }

    /// What a model was told, message by message.
    pub(super) fn asked(&self, model: &str) -> Vec<String> {
        let asked = self.asked.lock().unwrap();
        let of_model = asked.iter().filter(|body| body["model"] == model);
        of_model
            .map(|body| {
                body["messages"][0]["content"]
                    .as_str()
                    .unwrap_or_default()
                    .to_owned()
            })
            .collect()
    }

    /// Whole requests for a model.
    pub(super) fn requests(&self, model: &str) -> Vec<Value> {
        let asked = self.asked.lock().unwrap();
        asked
            .iter()
            .filter(|body| body["model"] == model)
            .cloned()
            .collect()
    }

    async fn serve(&self, mut stream: TcpStream) -> std::io::Result<()> {
        let body = read(&mut stream).await?;
        let model = body["model"].as_str().unwrap_or_default().to_owned();
        self.asked.lock().unwrap().push(body);
        if model == "failing" {
            let words = format!("overloaded, key {SECRET}");
            let body = json!({"error": {"message": words}});
            return answer(&mut stream, "503 Service Unavailable", &body).await;
        }
        let said = match model.as_str() {
            "malformed" => "I would say it is quite good.".to_owned(),
            "labels" => json!({"score": "good", "reasoning": "It is polite."}).to_string(),
            "yes" => json!({"score": true, "reasoning": "It is."}).to_string(),
            _ => json!({"score": 0.75, "reasoning": "It answers most of it."}).to_string(),
        };
        let body = json!({
            "model": model,
            "usage": {"prompt_tokens": 1_000, "completion_tokens": 100, "total_tokens": 1_100},
            "choices": [{"finish_reason": "stop", "message": {"role": "assistant", "content": said}}],
        });
        answer(&mut stream, "200 OK", &body).await
    }
}

async fn read(stream: &mut TcpStream) -> std::io::Result<Value> {
    let mut read = Vec::new();
    let end = loop {
        if let Some(at) = read.windows(4).position(|four| four == b"\r\n\r\n") {
            break at + 4;
        }
        if stream.read_buf(&mut read).await? == 0 {
            return Ok(Value::Null);
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
    Ok(serde_json::from_slice(&body).unwrap_or_default())
}

async fn answer(stream: &mut TcpStream, status: &str, body: &Value) -> std::io::Result<()> {
    let body = body.to_string();
    let head = format!(
        "HTTP/1.1 {status}\r\ncontent-type: application/json\r\ncontent-length: {}\r\nconnection: close\r\n\r\n",
        body.len()
    );
    stream.write_all(head.as_bytes()).await?;
    stream.write_all(body.as_bytes()).await?;
    stream.shutdown().await
}
