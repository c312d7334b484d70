//! Attachments: announced, sent, fetched, shown, deleted.

mod addresses;
mod announced;
mod deleted;
mod kills;
mod served;
mod shown;

use std::path::{Path, PathBuf};

use base64::Engine;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use reqwest::{Client, Method, Response, StatusCode};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use tests::ProjectClient;
use tests::langfuse::Answer;

pub(super) const MEDIA: &str = "/api/public/media";

/// An attachment that a test sends.
#[derive(Clone)]
pub(crate) struct File {
    pub(crate) bytes: Vec<u8>,
    pub(super) media_type: &'static str,
}

impl File {
    pub(crate) fn new(media_type: &'static str, bytes: impl Into<Vec<u8>>) -> Self {
        let bytes = bytes.into();
        File { bytes, media_type }
    }

    pub(super) fn hash(&self) -> String {
        STANDARD.encode(Sha256::digest(&self.bytes))
    }

    /// As clients compute it themselves.
    pub(crate) fn id(&self) -> String {
        URL_SAFE_NO_PAD.encode(Sha256::digest(&self.bytes))[..22].to_owned()
    }

    pub(crate) fn reference(&self) -> String {
        format!(
            "@@@langfuseMedia:type={}|id={}|source=bytes@@@",
            self.media_type,
            self.id()
        )
    }

    pub(crate) fn announcement(&self, trace: &str) -> Value {
        json!({
            "contentType": self.media_type, "contentLength": self.bytes.len(), "field": "input",
            "sha256Hash": self.hash(), "traceId": trace,
        })
    }

    /// Where it lies.
    pub(crate) fn path(&self, data_dir: &Path, project: &str) -> PathBuf {
        let name: String = Sha256::digest(&self.bytes)
            .iter()
            .map(|byte| format!("{byte:02x}"))
            .collect();
        data_dir
            .join("media")
            .join(project)
            .join(&name[..2])
            .join(name)
    }
}

async fn announce(client: &ProjectClient, body: &Value) -> Answer {
    client.langfuse(Method::POST, MEDIA, Some(body)).await
}

/// Where a file is to be sent; `None` where it is there.
pub(crate) async fn announced(client: &ProjectClient, file: &File, trace: &str) -> Option<String> {
    let answer = announce(client, &file.announcement(trace)).await;
    assert_eq!(answer.status, StatusCode::CREATED, "{}", answer.body);
    assert_eq!(answer.body["mediaId"], json!(file.id()));
    answer.body["uploadUrl"].as_str().map(str::to_owned)
}

/// Sends as a client does.
async fn put(url: &str, file: &File) -> Response {
    let request = Client::new()
        .put(url)
        .header("content-type", file.media_type);
    let request = request.header("x-amz-checksum-sha256", file.hash());
    request
        .header("x-ms-blob-type", "BlockBlob")
        .body(file.bytes.clone())
        .send()
        .await
        .unwrap()
}

/// A file that must get there.
pub(crate) async fn sent(client: &ProjectClient, file: &File, trace: &str) {
    sent_as(client, file, &file.announcement(trace)).await;
}

/// A file that must get there, announced so.
pub(super) async fn sent_as(client: &ProjectClient, file: &File, announcement: &Value) {
    let answer = announce(client, announcement).await;
    assert_eq!(answer.status, StatusCode::CREATED, "{}", answer.body);
    let url = answer.body["uploadUrl"].as_str().unwrap();
    let answer = put(url, file).await;
    let status = answer.status();
    assert_eq!(status, StatusCode::OK, "{}", answer.text().await.unwrap());
}

pub(super) async fn shown(client: &ProjectClient, id: &str) -> Answer {
    client
        .langfuse(Method::GET, &format!("{MEDIA}/{id}"), None)
        .await
}

/// The address of a file that is there.
pub(crate) async fn address(client: &ProjectClient, file: &File) -> String {
    let answer = shown(client, &file.id()).await;
    assert_eq!(answer.status, StatusCode::OK, "{}", answer.body);
    assert_eq!(answer.body["contentLength"], json!(file.bytes.len()));
    answer.body["url"].as_str().unwrap().to_owned()
}
