//! A file on its way to Azure: the request that writes one blob, signed with the key of the account ("Authorize
//! with Shared Key", version 2015-02-21 and later).

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use domain::blob_storage::ExportSettings;
use domain::{Fault, Timestamp};
use hmac::{Hmac, Mac};
use http::header::{AUTHORIZATION, CONTENT_TYPE};
use http::{HeaderMap, HeaderName, HeaderValue};
use sha2::Sha256;
use url::Url;

/// From this version on one request may write up to 5000 MiB.
const VERSION: &str = "2021-12-02";
const TYPE: HeaderName = HeaderName::from_static("x-ms-blob-type");
const DATE: HeaderName = HeaderName::from_static("x-ms-date");
const SERVICE_VERSION: HeaderName = HeaderName::from_static("x-ms-version");

/// Where the blobs of a container are.
///
/// # Errors
/// `invalid` on the endpoint when no address can be made of it.
pub(super) fn container(settings: &ExportSettings) -> Result<Url, Fault> {
    let wrong = || Fault::invalid("is no address of a store").on_field("endpoint");
    let account = &settings.access_key_id;
    let usual = format!("https://{account}.blob.core.windows.net");
    let endpoint = settings.endpoint.as_ref().unwrap_or(&usual);
    let mut url: Url = endpoint.parse().map_err(|_| wrong())?;
    let mut path = url.path_segments_mut().map_err(|()| wrong())?;
    path.pop_if_empty().push(&settings.bucket);
    drop(path);
    Ok(url)
}

/// Whether a text is the key of an account.
pub(super) fn is_key(secret: &str) -> bool {
    STANDARD.decode(secret).is_ok_and(|key| !key.is_empty())
}

/// Address and headers of the request that writes a blob of so many bytes.
///
/// # Errors
/// `invalid` on the endpoint or the key of the account.
pub(super) fn put(
    (settings, secret): (&ExportSettings, &str),
    key: &str,
    (media_type, bytes): (&'static str, u64),
    now: Timestamp,
) -> Result<(Url, HeaderMap), Fault> {
    let mut url = container(settings)?;
    if let Ok(mut path) = url.path_segments_mut() {
        path.extend(key.split('/'));
    }
    let date = http_date(now);
    let length = match bytes {
        0 => String::new(),
        some => some.to_string(),
    };
    let account = &settings.access_key_id;
    // Verb, encoding, language, length, MD5, type, date, four conditions, range; then headers and resource.
    let text = format!(
        "PUT\n\n\n{length}\n\n{media_type}\n\n\n\n\n\n\n\
         x-ms-blob-type:BlockBlob\nx-ms-date:{date}\nx-ms-version:{VERSION}\n/{account}{}",
        url.path()
    );
    let wrong =
        || Fault::invalid("must be the key of an account, in Base64").on_field("secretAccessKey");
    let secret = STANDARD.decode(secret).map_err(|_| wrong())?;
    let mut mac = Hmac::<Sha256>::new_from_slice(&secret).map_err(|_| wrong())?;
    mac.update(text.as_bytes());
    let signature = STANDARD.encode(mac.finalize().into_bytes());
    let value = |text: &str| HeaderValue::from_str(text).map_err(Fault::internal);
    let mut authorization = value(&format!("SharedKey {account}:{signature}"))?;
    authorization.set_sensitive(true);
    let headers = HeaderMap::from_iter([
        (CONTENT_TYPE, HeaderValue::from_static(media_type)),
        (TYPE, HeaderValue::from_static("BlockBlob")),
        (DATE, value(&date)?),
        (SERVICE_VERSION, HeaderValue::from_static(VERSION)),
        (AUTHORIZATION, authorization),
    ]);
    Ok((url, headers))
}

/// `Fri, 26 Jun 2015 23:39:12 GMT`.
fn http_date(now: Timestamp) -> String {
    let utc = now.to_utc();
    let short = |name: String| name.chars().take(3).collect::<String>();
    format!(
        "{}, {:02} {} {:04} {:02}:{:02}:{:02} GMT",
        short(utc.weekday().to_string()),
        utc.day(),
        short(utc.month().to_string()),
        utc.year(),
        utc.hour(),
        utc.minute(),
        utc.second()
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_date_is_as_http_writes_it() {
        let at = Timestamp::parse("2015-06-26T23:39:12Z").unwrap();
        assert_eq!(http_date(at), "Fri, 26 Jun 2015 23:39:12 GMT");
    }

    #[test]
    fn keys_of_accounts_are_base64() {
        assert!(is_key("a2V5"));
        assert!(!is_key("") && !is_key("no key!"));
    }
}
