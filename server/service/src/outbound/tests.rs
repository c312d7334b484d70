//! Real connections to a listener of this machine.

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpListener;

use super::*;

const LIMITS: Limits = Limits {
    time: Duration::from_secs(5),
    answer_bytes: 16,
};

fn outbound(allowed: &str) -> Outbound {
    Outbound::new(allowed.parse().unwrap())
}

fn get(url: &str) -> Outgoing {
    Outgoing {
        method: Method::GET,
        url: url.parse().unwrap(),
        headers: HeaderMap::new(),
        content: Content::Memory(Bytes::from_static(b"body")),
    }
}

async fn sent(allowed: &str, url: &str, limits: Limits) -> Result<Answer, OutboundError> {
    outbound(allowed).send(get(url), limits).await
}

/// Answers one request, and gives what it was.
async fn answering(answer: &'static str) -> (u16, tokio::task::JoinHandle<String>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    let task = tokio::spawn(async move {
        let (mut stream, _) = listener.accept().await.unwrap();
        let mut request = Vec::new();
        while !request.ends_with(b"body") {
            stream.read_buf(&mut request).await.unwrap();
        }
        stream.write_all(answer.as_bytes()).await.unwrap();
        String::from_utf8(request).unwrap()
    });
    (port, task)
}

#[tokio::test]
async fn an_answer_is_given_whatever_its_status_and_no_redirect_is_followed() {
    let answer =
        "HTTP/1.1 302 Found\r\nlocation: http://127.0.0.1:1/\r\ncontent-length: 2\r\n\r\nhi";
    let (port, task) = answering(answer).await;
    let url = format!("http://127.0.0.1:{port}/a?b=c");
    let answer = sent("127.0.0.0/8", &url, LIMITS).await.unwrap();
    assert_eq!((answer.status.as_u16(), &*answer.body), (302, &b"hi"[..]));
    let request = task.await.unwrap();
    assert!(request.starts_with("GET /a?b=c HTTP/1.1\r\n"), "{request}");
    assert!(
        request.contains(&format!("host: 127.0.0.1:{port}\r\n")),
        "{request}"
    );
    assert!(request.contains("content-length: 4\r\n"), "{request}");
}

#[tokio::test]
async fn an_answer_that_is_too_long_is_none() {
    let answer = "HTTP/1.1 200 OK\r\ncontent-length: 17\r\n\r\n01234567890123456";
    let (port, _task) = answering(answer).await;
    let sent = sent("all", &format!("http://127.0.0.1:{port}/"), LIMITS).await;
    assert!(matches!(sent, Err(OutboundError::TooLong)));
}

#[tokio::test]
async fn over_tls_nobody_is_spoken_to_who_cannot_show_a_certificate() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    let task = tokio::spawn(async move {
        let (mut stream, _) = listener.accept().await.unwrap();
        let mut hello = [0; 3];
        stream.read_exact(&mut hello).await.unwrap();
        stream.write_all(b"HTTP/1.1 200 OK\r\n\r\n").await.unwrap();
        hello
    });
    let sent = sent("all", &format!("https://localhost:{port}/"), LIMITS).await;
    assert!(matches!(sent, Err(OutboundError::Insecure(_))));
    // A handshake of TLS, in a record of version 1.0 as every version begins.
    assert_eq!(task.await.unwrap(), [22, 3, 1]);
}

#[tokio::test]
async fn whatever_leads_to_this_machine_is_refused_before_a_connection() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    for host in [
        "127.0.0.1",
        "2130706433",
        "0x7f.1",
        "0177.0.0.1",
        "127.1",
        "0",
        "0.0.0.0",
        "[::1]",
        "[::ffff:127.0.0.1]",
        "[::ffff:7f00:1]",
        // A name that resolves to a private address.
        "localhost",
    ] {
        let sent = sent("", &format!("http://{host}:{port}/"), LIMITS).await;
        assert!(matches!(sent, Err(OutboundError::Private)), "{host}");
    }
    let accepted = tokio::time::timeout(Duration::ZERO, listener.accept()).await;
    assert!(accepted.is_err(), "somebody connected");
}

#[tokio::test]
async fn what_is_known_without_asking_for_a_name_is_told_at_once() {
    let check = |allowed: &str, url: &str| outbound(allowed).check(&url.parse().unwrap());
    assert!(check("", "https://s3.eu-west-1.amazonaws.com").is_ok());
    assert!(check("", "http://169.254.169.254/latest").is_err());
    assert!(check("169.254.0.0/16", "http://169.254.169.254/latest").is_ok());
    assert!(check("all", "ftp://example.com").is_err());
    assert!(check("all", "data:text/plain,x").is_err());
}

#[tokio::test]
async fn time_is_bounded_and_errors_name_nobody() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    let limits = Limits {
        time: Duration::from_millis(50),
        ..LIMITS
    };
    let url = format!("http://127.0.0.1:{port}/secret");
    let error = sent("all", &url, limits).await.err().unwrap();
    assert!(matches!(error, OutboundError::Timeout));
    drop(listener);
    let error = sent("all", &url, LIMITS).await.err().unwrap().to_string();
    assert_eq!(error, "no connection to the host");
}
