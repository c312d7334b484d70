//! A file on its way to the store: one signed request.

use std::time::Duration;

use domain::Fault;
use domain::blob_storage::{ExportSettings, StorageKind};
use http::header::CONTENT_TYPE;
use http::{HeaderMap, HeaderValue, Method};
use rusty_s3::actions::PutObject;
use rusty_s3::{Bucket, Credentials, S3Action, UrlStyle};
use url::Url;

use super::azure;
use super::write::Finished;
use crate::app::App;
use crate::outbound::{Content, Limits, Outgoing};

/// How long a file may take, and how long its signature holds.
const TIME: Duration = Duration::from_secs(1_800);
/// Of what the store says only the status is looked at.
const LIMITS: Limits = Limits {
    time: TIME,
    answer_bytes: 64 * 1024,
};

/// Writes a file to a key; what was there before is overwritten.
///
/// # Errors
/// `unavailable` when the store cannot be reached or refuses, in words that have no secrets.
pub(super) async fn put(
    app: &App,
    (settings, secret): (&ExportSettings, &str),
    key: &str,
    finished: Finished,
) -> Result<(), Fault> {
    let media_type = if settings.is_gzipped() {
        "application/gzip"
    } else {
        settings.file_type.media_type()
    };
    let (url, headers) = match settings.kind {
        StorageKind::Azure => {
            let content = (media_type, finished.bytes);
            azure::put((settings, secret), key, content, app.clock().now())?
        }
        StorageKind::S3 | StorageKind::Compatible => {
            let bucket = bucket(settings)?;
            let credentials = Credentials::new(settings.access_key_id.as_str(), secret);
            let mut action = PutObject::new(&bucket, Some(&credentials), key);
            action.headers_mut().insert("content-type", media_type);
            let mut headers = HeaderMap::new();
            headers.insert(CONTENT_TYPE, HeaderValue::from_static(media_type));
            (action.sign(TIME), headers)
        }
    };
    let outgoing = Outgoing {
        method: Method::PUT,
        url,
        headers,
        content: Content::File(finished.file, finished.bytes),
    };
    let answer = app.outbound().send(outgoing, LIMITS).await;
    let answer = answer.map_err(|error| Fault::unavailable(error.to_string()).because(error))?;
    if answer.status.is_success() {
        Ok(())
    } else {
        let status = answer.status.as_u16();
        Err(Fault::unavailable(format!(
            "the object store refused a file with status {status}"
        )))
    }
}

/// Where files go.
///
/// # Errors
/// `invalid` on the endpoint when no address can be made of it.
pub(super) fn place(settings: &ExportSettings) -> Result<Url, Fault> {
    match settings.kind {
        StorageKind::Azure => azure::container(settings),
        StorageKind::S3 | StorageKind::Compatible => Ok(bucket(settings)?.base_url().clone()),
    }
}

/// The bucket.
///
/// # Errors
/// `invalid` on the endpoint when no address can be made of it.
fn bucket(settings: &ExportSettings) -> Result<Bucket, Fault> {
    let wrong = || Fault::invalid("is no address of a store").on_field("endpoint");
    let endpoint = match (&settings.endpoint, settings.kind) {
        (Some(endpoint), _) => endpoint.clone(),
        (None, _) => {
            format!("https://s3.{}.amazonaws.com", settings.region)
        }
    };
    let style = if settings.is_path_style {
        UrlStyle::Path
    } else {
        UrlStyle::VirtualHost
    };
    let endpoint = endpoint.parse().map_err(|_| wrong())?;
    let (name, region) = (settings.bucket.clone(), settings.region.clone());
    Bucket::new(endpoint, style, name, region).map_err(|_| wrong())
}
