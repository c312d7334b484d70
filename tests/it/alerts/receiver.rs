//! A receiver of messages on this machine: answers as it is told to, and keeps whatever came.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest, Sha256};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

/// What it says to one request.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Reply {
    /// A status.
    Status(u16),
    /// Nothing, though it has read everything.
    Nothing,
}

/// What came.
#[derive(Clone, Debug)]
pub(crate) struct Message {
    pub(crate) path: String,
    pub(crate) headers: BTreeMap<String, String>,
    pub(crate) body: String,
}

/// The receiver.
#[derive(Clone)]
pub(crate) struct Receiver {
    pub(crate) url: String,
    replies: Arc<Mutex<Vec<Reply>>>,
    messages: Arc<Mutex<Vec<Message>>>,
}

impl Receiver {
    /// It gives these replies in turn, and 200 from then on.
    pub(crate) async fn start(replies: &[Reply]) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let mut replies = replies.to_vec();
        replies.reverse();
        let receiver = Receiver {
            url: format!("http://{}/hook", listener.local_addr().unwrap()),
            replies: Arc::new(Mutex::new(replies)),
            messages: Arc::default(),
        };
        let served = receiver.clone();
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                let receiver = served.clone();
                tokio::spawn(async move { receiver.serve(stream).await.ok() });
            }
        });
        receiver
    }

    /// What came, in order, repetitions included.
    pub(crate) fn messages(&self) -> Vec<Message> {
        self.messages.lock().unwrap().clone()
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
        let head = String::from_utf8_lossy(&bytes[..end]).into_owned();
        let mut lines = head.lines();
        let path = lines.next().unwrap().split(' ').nth(1).unwrap().to_owned();
        let header = |line: &str| {
            let (name, value) = line.split_once(": ")?;
            Some((name.to_lowercase(), value.to_owned()))
        };
        let headers: BTreeMap<String, String> = lines.filter_map(header).collect();
        let length: usize = headers["content-length"].parse().unwrap();
        let mut body = bytes.split_off(end);
        while body.len() < length {
            if stream.read_buf(&mut body).await? == 0 {
                return Ok(());
            }
        }
        let message = Message {
            path,
            headers,
            body: String::from_utf8(body).unwrap(),
        };
        self.messages.lock().unwrap().push(message);
        let reply = self.replies.lock().unwrap().pop();
        match reply.unwrap_or(Reply::Status(200)) {
            Reply::Status(status) => {
                let said = "what the receiver says to nobody";
                let length = said.len();
                let answer =
                    format!("HTTP/1.1 {status} x\r\ncontent-length: {length}\r\n\r\n{said}");
                stream.write_all(answer.as_bytes()).await
            }
            Reply::Nothing => {
                // Until the other side has had enough.
                let mut rest = Vec::new();
                stream.read_to_end(&mut rest).await.map(|_| ())
            }
        }
    }
}

impl Message {
    /// Whether it is signed with a secret, as Standard Webhooks say; worked out by hand (RFC 2104).
    pub(crate) fn is_signed_with(&self, secret: &str) -> bool {
        let (id, time) = (
            &self.headers["webhook-id"],
            &self.headers["webhook-timestamp"],
        );
        let signed = format!("{id}.{time}.{}", self.body);
        let mut key = secret.as_bytes().to_vec();
        assert!(key.len() <= 64, "a longer key would be hashed first");
        key.resize(64, 0);
        let with = |pad: u8| key.iter().map(|byte| byte ^ pad).collect::<Vec<u8>>();
        let inner = Sha256::digest([with(0x36), signed.into_bytes()].concat());
        let code = Sha256::digest([with(0x5c), inner.to_vec()].concat());
        self.headers["webhook-signature"] == format!("v1,{}", STANDARD.encode(code))
    }
}
