//! An exporter of this machine: answers as it is told, and keeps what it was asked.

use std::io::Write;
use std::path::Path;
use std::sync::{Arc, Mutex};

use flate2::Compression;
use flate2::write::GzEncoder;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

/// How it answers.
#[derive(Clone)]
pub(crate) enum Answer {
    /// A head without its first line's protocol and its end, and a body.
    Whole(String, Vec<u8>),
    /// A body that goes on for ever.
    Endless,
    /// A body of which a byte comes now and then, for ever.
    Dripping,
    /// Nothing: the connection ends.
    Nothing,
}

impl Answer {
    pub(super) fn text(body: &str) -> Self {
        Answer::of("text/plain; version=0.0.4; charset=utf-8", body)
    }

    pub(crate) fn of(content_type: &str, body: &str) -> Self {
        let head = format!("200 OK\r\ncontent-type: {content_type}");
        Answer::Whole(head, body.as_bytes().to_vec())
    }

    pub(super) fn packed(body: &[u8]) -> Self {
        let mut packed = GzEncoder::new(Vec::new(), Compression::fast());
        packed.write_all(body).unwrap();
        let head = "200 OK\r\ncontent-type: text/plain\r\ncontent-encoding: gzip".to_owned();
        Answer::Whole(head, packed.finish().unwrap())
    }
}

/// What a real exporter answered.
pub(super) fn captured(file: &str) -> String {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/metrics");
    std::fs::read_to_string(folder.join(file)).unwrap()
}

/// The exporter.
#[derive(Clone)]
pub(crate) struct Exporter {
    pub(crate) url: String,
    /// `host:port`.
    pub(super) instance: String,
    answer: Arc<Mutex<Answer>>,
    heads: Arc<Mutex<Vec<String>>>,
}

impl Exporter {
    pub(crate) async fn start(answer: Answer) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let instance = listener.local_addr().unwrap().to_string();
        let exporter = Exporter {
            url: format!("http://{instance}/metrics"),
            instance,
            answer: Arc::new(Mutex::new(answer)),
            heads: Arc::default(),
        };
        let served = exporter.clone();
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let exporter = served.clone();
                // A client that has waited enough ends its connection.
                tokio::spawn(async move { exporter.serve(stream).await.ok() });
            }
        });
        exporter
    }

    /// What it answers from now on.
    pub(crate) fn answers(&self, answer: Answer) {
        *self.answer.lock().unwrap() = answer;
    }

    /// Heads of all requests so far, in lower case.
    pub(super) fn heads(&self) -> Vec<String> {
        self.heads.lock().unwrap().clone()
    }

    async fn serve(&self, mut stream: TcpStream) -> std::io::Result<()> {
        let mut head = Vec::new();
        while !head.ends_with(b"\r\n\r\n") {
            if stream.read_buf(&mut head).await? == 0 {
                return Ok(());
            }
        }
        let head = String::from_utf8_lossy(&head).to_lowercase();
        self.heads.lock().unwrap().push(head);
        let answer = self.answer.lock().unwrap().clone();
        let open = b"HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\n\r\n";
        match answer {
            Answer::Nothing => Ok(()),
            Answer::Whole(head, body) => {
                let length = body.len();
                let head = format!("HTTP/1.1 {head}\r\ncontent-length: {length}\r\n\r\n");
                stream.write_all(head.as_bytes()).await?;
                stream.write_all(&body).await
            }
            Answer::Endless => {
                stream.write_all(open).await?;
                let line = "a 1\n".repeat(16 * 1024);
                loop {
                    stream.write_all(line.as_bytes()).await?;
                }
            }
            Answer::Dripping => {
                stream.write_all(open).await?;
                let mut pace = tokio::time::interval(std::time::Duration::from_millis(50));
                loop {
                    pace.tick().await;
                    stream.write_all(b"#").await?;
                }
            }
        }
    }
}
