//! A version that is ready to be sent, and sending it.

use std::io::Write as _;

use axum::body::Bytes;
use axum::http::header::{ACCEPT_ENCODING, CONTENT_ENCODING, CONTENT_TYPE, VARY};
use axum::http::{HeaderMap, HeaderValue};
use axum::response::{IntoResponse, Response};
use domain::Fault;
use flate2::Compression;
use flate2::write::GzEncoder;
use service::prompts::{Shown, Written};

use super::shape::PromptShape;
use crate::routes::MIN_COMPRESSED;

/// Writes a version once for all its readers.
pub(super) fn write(shown: &Shown) -> Result<Written, Fault> {
    let plain = serde_json::to_vec(&PromptShape::shown(shown)).map_err(Fault::internal)?;
    let gzip = (plain.len() >= usize::from(MIN_COMPRESSED)).then(|| compress(&plain));
    Ok(Written {
        gzip: gzip.transpose().map_err(Fault::internal)?.map(Bytes::from),
        plain: plain.into(),
    })
}

/// The answer to a reader: compressed where the reader takes that.
pub(super) fn answer(written: &Written, asked: &HeaderMap) -> Response {
    let gzip = written.gzip.as_ref();
    let mut response = match gzip.filter(|_| takes_gzip(asked)) {
        Some(gzip) => ([(CONTENT_ENCODING, "gzip")], gzip.clone()).into_response(),
        None => written.plain.clone().into_response(),
    };
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    if gzip.is_some() {
        headers.append(VARY, HeaderValue::from_static("accept-encoding"));
    }
    response
}

fn compress(plain: &[u8]) -> std::io::Result<Vec<u8>> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(plain)?;
    encoder.finish()
}

/// Whether gzip is among what the reader takes, and not as something that it refuses.
fn takes_gzip(asked: &HeaderMap) -> bool {
    let values = asked.get_all(ACCEPT_ENCODING).iter();
    let texts = values.filter_map(|value| value.to_str().ok());
    texts.flat_map(|text| text.split(',')).any(|coding| {
        let mut parts = coding.split(';').map(str::trim);
        let is_gzip = parts
            .next()
            .is_some_and(|name| name.eq_ignore_ascii_case("gzip"));
        let weight = parts.find_map(|part| part.strip_prefix("q=")?.parse::<f32>().ok());
        is_gzip && weight.is_none_or(|weight| weight > 0.0)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gzip_is_sent_to_who_takes_it() {
        for (accepted, expected) in [
            ("gzip, deflate, br, zstd", true),
            ("br;q=1.0, GZIP;q=0.5", true),
            ("gzip;q=0, deflate", false),
            ("gzip;q=0.0", false),
            ("br, zstd", false),
            ("identity", false),
            ("", false),
        ] {
            let mut asked = HeaderMap::new();
            asked.insert(ACCEPT_ENCODING, HeaderValue::from_static(accepted));
            assert_eq!(takes_gzip(&asked), expected, "{accepted}");
        }
        assert!(!takes_gzip(&HeaderMap::new()));
    }
}
