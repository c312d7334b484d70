//! What is checked of an export before it is kept.

use domain::Fault;
use domain::blob_storage::{ExportMode, ExportSettings, StorageKind};
use url::Url;

use super::{azure, send};
use crate::app::App;

/// Most bytes of a secret.
const MAX_SECRET: usize = 1_024;
/// Most bytes of an address.
const MAX_ADDRESS: usize = 2_000;
/// Most bytes of a prefix: a key has 1024 in all.
const MAX_PREFIX: usize = 800;

/// Checks where to, and what.
pub(super) fn settings(app: &App, settings: &ExportSettings) -> Result<(), Fault> {
    let wrong = |field: &str, message: &str| Err(Fault::invalid(message).on_field(field));
    let is_name = |text: &str, most: usize| {
        let fits = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte);
        (1..=most).contains(&text.len()) && text.bytes().all(fits) && !text.contains("..")
    };
    if !is_name(&settings.bucket, 255) {
        return wrong("bucketName", "must be the name of a bucket");
    }
    if !is_name(&settings.region, 100) {
        return wrong(
            "region",
            "must be the name of a region, auto where there is none",
        );
    }
    let id = &settings.access_key_id;
    if !(1..=256).contains(&id.len()) || !id.bytes().all(|byte| byte.is_ascii_graphic()) {
        return wrong("accessKeyId", "must have 1 to 256 visible ASCII characters");
    }
    let prefix = &settings.prefix;
    let is_odd = prefix.len() > MAX_PREFIX || prefix.chars().any(char::is_control);
    if is_odd || prefix.starts_with('/') || !(prefix.is_empty() || prefix.ends_with('/')) {
        return wrong(
            "prefix",
            "must be empty, or end with a slash and not begin with one",
        );
    }
    if settings.mode == ExportMode::FromCustomDate && settings.start.is_none() {
        return wrong("exportStartDate", "is needed with FROM_CUSTOM_DATE");
    }
    if settings.kind == StorageKind::Compatible && settings.endpoint.is_none() {
        return wrong("endpoint", "is needed with S3_COMPATIBLE");
    }
    if settings
        .endpoint
        .as_ref()
        .is_some_and(|text| !is_plain(text))
    {
        return wrong(
            "endpoint",
            "must be an address like https://minio.example.com:9000",
        );
    }
    let is_letter = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit();
    let is_account = (3..=24).contains(&id.len()) && id.bytes().all(is_letter);
    if settings.kind == StorageKind::Azure && !is_account {
        return wrong("accessKeyId", "must be the name of an account");
    }
    let checked = app.outbound().check(&send::place(settings)?);
    checked.map_err(|error| Fault::invalid(error.to_string()).on_field("endpoint"))
}

/// Checks the secret part of a credential.
pub(super) fn secret(text: &str, kind: StorageKind) -> Result<(), Fault> {
    let wrong = |message: &str| Err(Fault::invalid(message).on_field("secretAccessKey"));
    if !(1..=MAX_SECRET).contains(&text.len()) || text.contains('\0') {
        return wrong("must have 1 to 1024 bytes, none of them NUL");
    }
    if kind == StorageKind::Azure && !azure::is_key(text) {
        return wrong("must be the key of an account, in Base64");
    }
    Ok(())
}

/// An address of HTTP that holds nothing but a host, a port and a path.
fn is_plain(text: &str) -> bool {
    let Ok(url) = Url::parse(text) else {
        return false;
    };
    let is_bare = url.query().is_none() && url.fragment().is_none();
    let is_nobodys = url.username().is_empty() && url.password().is_none();
    let is_web = ["http", "https"].contains(&url.scheme()) && url.host().is_some();
    text.len() <= MAX_ADDRESS && is_web && is_bare && is_nobodys
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_endpoint_is_a_plain_address() {
        for right in [
            "https://s3.example.com",
            "http://10.0.0.1:9000/",
            "https://x/below",
        ] {
            assert!(is_plain(right), "{right}");
        }
        for wrong in [
            "s3.example.com",
            "ftp://x",
            "https://",
            "https://user:pass@x",
            "https://x?y",
            "https://x#y",
            "file:///etc/passwd",
        ] {
            assert!(!is_plain(wrong), "{wrong}");
        }
        let of = |text, kind| secret(text, kind).is_ok();
        assert!(
            of("s", StorageKind::S3) && !of("", StorageKind::S3) && !of("a\0b", StorageKind::S3)
        );
        assert!(of("a2V5", StorageKind::Azure) && !of("s", StorageKind::Azure));
    }
}
