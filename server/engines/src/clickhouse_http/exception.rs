//! The engine's refusals as ClickHouse's HTTP interface shows them.

use http::{HeaderName, HeaderValue, Response, StatusCode};

use axum::body::Body;

/// A refusal with its code.
#[derive(Clone, Debug)]
pub(super) struct Exception {
    pub(super) code: u32,
    pub(super) text: String,
}

/// Codes that are named here because we give them ourselves or treat them specially.
pub(super) const SYNTAX_ERROR: u32 = 62;
pub(super) const CANNOT_DECOMPRESS: u32 = 271;
pub(super) const TOO_LARGE: u32 = 313;
pub(super) const AUTHENTICATION_FAILED: u32 = 516;
const BAD_ARGUMENTS: u32 = 36;
const UNKNOWN: u32 = 1002;

impl Exception {
    /// From the engine's text.
    pub(super) fn from_engine(text: &str) -> Self {
        let text = text.trim_end();
        let digits = text
            .strip_prefix("Code: ")
            .and_then(|rest| rest.split('.').next());
        let code = digits
            .and_then(|digits| digits.parse().ok())
            .unwrap_or(UNKNOWN);
        let version = if text.contains("(version ") {
            ""
        } else {
            " (version 26.7 (embedded))"
        };
        Exception {
            code,
            text: format!("{text}{version}"),
        }
    }

    /// One of our own.
    pub(super) fn new(code: u32, name: &str, message: &str) -> Self {
        Self::from_engine(&format!("Code: {code}. DB::Exception: {message}. ({name})"))
    }

    /// The statement cannot be streamed, but may be run whole.
    pub(super) fn is_not_streamable(&self) -> bool {
        self.code == BAD_ARGUMENTS && self.text.contains("Streaming query is not supported")
    }

    /// As an answer, before anything of a result was sent.
    pub(super) fn into_response(self) -> Response<Body> {
        let mut response = Response::new(Body::from(format!("{}\n", self.text)));
        *response.status_mut() = status(self.code);
        let headers = response.headers_mut();
        headers.insert("x-clickhouse-exception-code", HeaderValue::from(self.code));
        headers.insert(
            HeaderName::from_static("content-type"),
            HeaderValue::from_static("text/plain; charset=UTF-8"),
        );
        response
    }

    /// As the end of a result of which a part was already sent: ClickHouse's tagged form.
    pub(super) fn tagged(&self, tag: &str) -> String {
        let message = format!("{}\n", self.text);
        let length = message.len();
        format!("\r\n__exception__\r\n{tag}\r\n{message}{length} {tag}\r\n__exception__\r\n")
    }
}

/// The status that ClickHouse gives a code.
fn status(code: u32) -> StatusCode {
    match code {
        // Cannot be parsed, syntax, types, unknown settings.
        6 | 25 | 26 | 27 | 33 | 38 | 41 | 53 | 62 | 69 | 70 | 72 | 117 | 130 | 131 | 166 | 167
        | 168 | 456 | 457 => StatusCode::BAD_REQUEST,
        // Unknown table, function, column, type, storage, database, setting, format.
        46 | 47 | 50 | 56 | 60 | 63 | 73 | 78 | 81 | 115 | 152 | 336 => StatusCode::NOT_FOUND,
        48 => StatusCode::NOT_IMPLEMENTED,
        159 | 160 => StatusCode::REQUEST_TIMEOUT,
        TOO_LARGE => StatusCode::PAYLOAD_TOO_LARGE,
        192 | 193 | AUTHENTICATION_FAILED | 497 => StatusCode::FORBIDDEN,
        194 => StatusCode::UNAUTHORIZED,
        202 | 209 | 439 => StatusCode::SERVICE_UNAVAILABLE,
        _ => StatusCode::INTERNAL_SERVER_ERROR,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_read_from_the_text() {
        let exception =
            Exception::from_engine("Code: 60. DB::Exception: no table. (UNKNOWN_TABLE)\n");
        assert_eq!(exception.code, 60);
        assert_eq!(status(exception.code), StatusCode::NOT_FOUND);
        assert_eq!(Exception::from_engine("boom").code, UNKNOWN);
    }
}
