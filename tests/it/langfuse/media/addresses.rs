//! Signed addresses: what they let in, and what they do not.

use std::io::{Read, Write};
use std::net::TcpStream;

use reqwest::{Body, Client, Response, StatusCode};
use tests::shared;

use super::{File, address, announced, put, sent, shown};

/// Sends without saying how much, in pieces.
async fn put_chunked(url: &str, bytes: Vec<u8>) -> StatusCode {
    let pieces: Vec<Result<Vec<u8>, std::io::Error>> = bytes
        .chunks(1_000)
        .map(|piece| Ok(piece.to_vec()))
        .collect();
    let body = Body::wrap_stream(tokio_stream::iter(pieces));
    let answer: Response = Client::new().put(url).body(body).send().await.unwrap();
    answer.status()
}

#[tokio::test]
async fn other_bytes_than_those_that_were_announced_are_refused() {
    let project = shared().await.new_project();
    let file = File::new("image/png", vec![5; 5_000]);
    let url = announced(&project, &file, "t").await.unwrap();
    let send = |name: &'static str, value: String| {
        let request = Client::new().put(&url).header(name, value);
        request.body(file.bytes.clone()).send()
    };
    for (name, value, status) in [
        ("content-type", "text/html", StatusCode::BAD_REQUEST),
        ("content-type", "image/jpeg", StatusCode::BAD_REQUEST),
        ("x-amz-checksum-sha256", "abc", StatusCode::BAD_REQUEST),
        (
            "content-encoding",
            "gzip",
            StatusCode::UNSUPPORTED_MEDIA_TYPE,
        ),
    ] {
        let answer = send(name, value.to_owned()).await.unwrap();
        assert_eq!(answer.status(), status, "{name}: {value}");
    }
    let other = vec![6; 5_000];
    for wrong in [
        Vec::new(),
        file.bytes[..4_999].to_vec(),
        [file.bytes.clone(), vec![5]].concat(),
        vec![5; 3 << 20],
        other.clone(),
    ] {
        assert_eq!(
            put_chunked(&url, wrong.clone()).await,
            StatusCode::BAD_REQUEST,
            "{}",
            wrong.len()
        );
        let answer = Client::new().put(&url).body(wrong).send().await;
        // A body that is far too long may be cut off while it is sent.
        if let Ok(answer) = answer {
            assert_eq!(answer.status(), StatusCode::BAD_REQUEST);
        }
    }
    assert_eq!(
        shown(&project, &file.id()).await.status,
        StatusCode::NOT_FOUND
    );
    // After all that the right ones are taken, said or not how many they are, once or twice.
    assert_eq!(put_chunked(&url, file.bytes.clone()).await, StatusCode::OK);
    assert_eq!(put(&url, &file).await.status(), StatusCode::OK);
    assert_eq!(put_chunked(&url, other).await, StatusCode::BAD_REQUEST);
    let fetched = reqwest::get(address(&project, &file).await).await.unwrap();
    assert_eq!(fetched.bytes().await.unwrap(), file.bytes);
}

#[tokio::test]
async fn an_address_that_is_altered_or_for_something_else_is_refused() {
    let project = shared().await.new_project();
    let file = File::new("image/png", "bytes");
    let url = announced(&project, &file, "t").await.unwrap();
    let (base, token) = url.rsplit_once('/').unwrap();
    let (facts, signature) = token.split_once('.').unwrap();
    let mut other = facts.as_bytes().to_vec();
    // Within the project, the checksum and the length.
    for at in [0, 8, 15, 30, 60, 80, 90] {
        other[at] = if other[at] == b'A' { b'B' } else { b'A' };
        let altered = format!("{base}/{}.{signature}", String::from_utf8_lossy(&other));
        assert_eq!(
            put(&altered, &file).await.status(),
            StatusCode::FORBIDDEN,
            "{at}"
        );
    }
    for token in [
        "x",
        "..%2f..%2fsecret",
        &format!("{facts}."),
        &format!(".{signature}"),
        &"A".repeat(5_000),
    ] {
        let answer = put(&format!("{base}/{token}"), &file).await;
        assert_eq!(answer.status(), StatusCode::FORBIDDEN, "{token}");
        assert!(!answer.text().await.unwrap().contains("secret"));
    }
    // One for sending fetches nothing, and the other way round.
    assert_eq!(
        reqwest::get(&url).await.unwrap().status(),
        StatusCode::FORBIDDEN
    );
    sent(&project, &file, "t").await;
    let fetch = address(&project, &file).await;
    assert_eq!(put(&fetch, &file).await.status(), StatusCode::FORBIDDEN);
    let deleted = Client::new().delete(&fetch).send().await.unwrap();
    assert_eq!(deleted.status(), StatusCode::METHOD_NOT_ALLOWED);
}

#[tokio::test]
async fn an_upload_that_breaks_off_leaves_nothing() {
    let server = shared().await;
    let project = server.new_project();
    let file = File::new("image/png", vec![9; 1 << 20]);
    let url = announced(&project, &file, "t").await.unwrap();
    let host = server.http_url().trim_start_matches("http://");
    let path = url.strip_prefix(server.http_url()).unwrap();
    let mut connection = TcpStream::connect(host).unwrap();
    write!(
        connection,
        "PUT {path} HTTP/1.1\r\nhost: {host}\r\ncontent-length: {}\r\n\r\n",
        1 << 20
    )
    .unwrap();
    connection.write_all(&file.bytes[..1 << 19]).unwrap();
    connection.shutdown(std::net::Shutdown::Write).unwrap();
    let mut said = Vec::new();
    let _closed = connection.read_to_end(&mut said);
    drop(connection);
    assert_eq!(
        shown(&project, &file.id()).await.status,
        StatusCode::NOT_FOUND
    );
    let there = file.path(server.data_dir(), project.project_id.as_deref().unwrap());
    assert!(!there.exists());
    sent(&project, &file, "t").await;
    assert!(there.exists());
}
