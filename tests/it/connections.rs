//! Connections on which nothing, or only half of something, comes.

use std::time::Duration;

use tests::{eventually_within, shared};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;

/// What a client sends before it falls silent.
const HALVES: [&[u8]; 5] = [
    b"",
    b"POST /v1/traces HTTP/1.1\r\nHost: x\r\nX-Half: ",
    b"PRI * HTTP/2.0\r\n\r\nSM",
    b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0",
];

async fn connect(url: &str, sent: &[u8]) -> TcpStream {
    let address = url.trim_start_matches("http://");
    let mut stream = TcpStream::connect(address).await.unwrap();
    stream.write_all(sent).await.unwrap();
    stream
}

/// Takes what has come; `Ok` when the other side has closed.
fn closed(stream: &TcpStream) -> Result<(), &'static str> {
    let mut place = [0; 1024];
    loop {
        match stream.try_read(&mut place) {
            Ok(0) => return Ok(()),
            Ok(_) => {}
            Err(error) if error.kind() == std::io::ErrorKind::WouldBlock => return Err("open"),
            Err(_) => return Ok(()),
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn whoever_does_not_finish_a_first_request_is_gone_and_whoever_did_stays() {
    let server = shared().await;
    let mut kept = connect(server.http_url(), b"").await;
    let mut silent = Vec::new();
    for url in [server.http_url(), server.otlp_http_url(), server.grpc_url()] {
        for half in HALVES {
            silent.push((url, half, connect(url, half).await));
        }
    }
    let request = b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n";
    kept.write_all(request).await.unwrap();
    let mut answer = [0; 12];
    kept.read_exact(&mut answer).await.unwrap();
    assert_eq!(&answer, b"HTTP/1.1 200");
    eventually_within(Duration::from_secs(15), "all are closed", async || {
        let open = silent
            .iter()
            .filter(|(_, _, stream)| closed(stream).is_err());
        let open: Vec<_> = open.map(|(url, half, _)| (*url, *half)).collect();
        open.is_empty().then_some(()).ok_or(open)
    })
    .await;
    assert_eq!(closed(&kept), Err("open"));
    kept.write_all(request).await.unwrap();
    kept.read_exact(&mut answer).await.unwrap();
    assert_eq!(&answer, b"HTTP/1.1 200");
}
