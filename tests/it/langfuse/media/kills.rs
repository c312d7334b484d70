//! A server that is killed in the middle of an upload shows no half of it.

use std::io::Write;
use std::net::TcpStream;

use reqwest::StatusCode;
use tests::{Server, eventually};

use super::{File, address, announced, put, sent, shown};

#[tokio::test(flavor = "multi_thread")]
async fn a_kill_in_the_middle_leaves_no_half_file_and_addresses_hold_after_the_next_start() {
    let server = Server::start().await;
    let project = server.new_project();
    let kept = File::new("image/png", "was there before");
    sent(&project, &kept, "t").await;
    let fetch = address(&project, &kept).await;
    let file = File::new("video/mp4", vec![3; 8 << 20]);
    let url = announced(&project, &file, "t").await.unwrap();
    let host = server.http_url().trim_start_matches("http://");
    let path = url.strip_prefix(server.http_url()).unwrap();
    let mut connection = TcpStream::connect(host).unwrap();
    write!(
        connection,
        "PUT {path} HTTP/1.1\r\nhost: {host}\r\ncontent-length: {}\r\n\r\n",
        8 << 20
    )
    .unwrap();
    connection.write_all(&file.bytes[..4 << 20]).unwrap();
    let incoming = server.data_dir().join("media/incoming");
    eventually("half of it is on the disk", async || {
        let mut entries = std::fs::read_dir(&incoming).unwrap();
        let length = entries
            .next()
            .map_or(0, |entry| entry.unwrap().metadata().unwrap().len());
        if length > 1 << 20 {
            Ok(())
        } else {
            Err(length)
        }
    })
    .await;
    server.kill();
    server.start_again().await;
    let folder = project.project_id.clone().unwrap();
    assert!(!file.path(server.data_dir(), &folder).exists());
    assert_eq!(
        shown(&project, &file.id()).await.status,
        StatusCode::NOT_FOUND
    );
    // The secret is kept: what was signed before still holds.
    assert_eq!(put(&url, &file).await.status(), StatusCode::OK);
    let fetched = reqwest::get(&fetch).await.unwrap();
    assert_eq!(fetched.bytes().await.unwrap(), kept.bytes);
    let fetched = reqwest::get(address(&project, &file).await).await.unwrap();
    assert_eq!(fetched.bytes().await.unwrap().len(), 8 << 20);
}
