//! An object store of this machine: takes what is put, and keeps everything that was asked.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU16, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;

/// A request to write an object.
#[derive(Clone, Debug)]
pub(super) struct Put {
    /// Path without the question.
    pub(super) path: String,
    /// What is asked with it.
    pub(super) query: BTreeMap<String, String>,
    pub(super) headers: BTreeMap<String, String>,
    pub(super) body: Vec<u8>,
}

/// The store.
#[derive(Clone)]
pub(super) struct Store {
    pub(super) url: String,
    puts: Arc<Mutex<Vec<Put>>>,
    status: Arc<AtomicU16>,
    arrived: Arc<AtomicUsize>,
    is_open: watch::Sender<bool>,
}

/// What a failure says: nobody may see it.
pub(super) const ANSWER: &str = "<Error>an answer that nobody may see</Error>";

impl Store {
    pub(super) async fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let store = Store {
            url: format!("http://{}", listener.local_addr().unwrap()),
            puts: Arc::default(),
            status: Arc::new(AtomicU16::new(200)),
            arrived: Arc::default(),
            is_open: watch::channel(true).0,
        };
        let served = store.clone();
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let store = served.clone();
                // A client that is killed ends its connection in the middle.
                tokio::spawn(async move { store.serve(stream).await.ok() });
            }
        });
        store
    }

    /// What it answers from now on.
    pub(super) fn answers(&self, status: u16) {
        self.status.store(status, Ordering::SeqCst);
    }

    /// Whether it answers at all.
    pub(super) fn is_open(&self, is_open: bool) {
        self.is_open.send_replace(is_open);
    }

    /// How many requests came, answered or not.
    pub(super) fn arrived(&self) -> usize {
        self.arrived.load(Ordering::SeqCst)
    }

    /// What was taken, in order.
    pub(super) fn puts(&self) -> Vec<Put> {
        self.puts.lock().unwrap().clone()
    }

    /// What lies there: the last that was put under each path.
    pub(super) fn objects(&self) -> BTreeMap<String, Vec<u8>> {
        let puts = self.puts().into_iter();
        puts.map(|put| (put.path, put.body)).collect()
    }

    async fn serve(&self, mut stream: TcpStream) -> std::io::Result<()> {
        let mut bytes = Vec::new();
        let end = loop {
            if let Some(end) = bytes.windows(4).position(|four| four == b"\r\n\r\n") {
                break end + 4;
            }
            if stream.read_buf(&mut bytes).await? == 0 {
                return Ok(());
            }
        };
        let mut put = read_head(&String::from_utf8_lossy(&bytes[..end]));
        put.body = bytes.split_off(end);
        let length: usize = put.headers["content-length"].parse().unwrap();
        while put.body.len() < length {
            if stream.read_buf(&mut put.body).await? == 0 {
                return Ok(());
            }
        }
        self.arrived.fetch_add(1, Ordering::SeqCst);
        let mut is_open = self.is_open.subscribe();
        is_open.wait_for(|is_open| *is_open).await.unwrap();
        let status = self.status.load(Ordering::SeqCst);
        if status == 200 {
            self.puts.lock().unwrap().push(put);
        }
        let length = ANSWER.len();
        let answer = format!("HTTP/1.1 {status} x\r\ncontent-length: {length}\r\n\r\n{ANSWER}");
        stream.write_all(answer.as_bytes()).await
    }
}

fn read_head(head: &str) -> Put {
    let mut lines = head.lines();
    let target = lines.next().unwrap().strip_prefix("PUT ").unwrap();
    let target = target.strip_suffix(" HTTP/1.1").unwrap();
    let (path, query) = target.split_once('?').unwrap_or((target, ""));
    let pair = |text: &str, between: &str| {
        let (name, value) = text.split_once(between).unwrap();
        (name.to_lowercase(), value.to_owned())
    };
    let parameters = query.split('&').filter(|part| !part.is_empty());
    Put {
        path: path.to_owned(),
        query: parameters.map(|part| pair(part, "=")).collect(),
        headers: lines
            .filter(|line| !line.is_empty())
            .map(|line| pair(line, ": "))
            .collect(),
        body: Vec::new(),
    }
}
