//! Answers and faults in each protocol's words.
//!
//! The messages are small and fixed, so they are written by hand: `ExportTraceServiceResponse`
//! with `partial_success`, `google.rpc.Status`, `google.rpc.RetryInfo`.

use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD_NO_PAD;
use domain::{Code, Fault};
use serde_json::json;

use crate::decode::{Encoding, Rejected, Signal};

/// What the records of a request are called in its answer: the field of `partial_success`.
pub fn rejected_field(signal: Signal) -> &'static str {
    match signal {
        Signal::Traces => "rejectedSpans",
        Signal::Logs => "rejectedLogRecords",
        Signal::Metrics => "rejectedDataPoints",
    }
}

/// The answer to a request that was taken, at least in part: an `Export…ServiceResponse`.
pub fn export_response(encoding: Encoding, rejected: &Rejected, field: &str) -> Vec<u8> {
    let reason = rejected.reason.as_deref().unwrap_or_default();
    match encoding {
        Encoding::Protobuf if rejected.count == 0 => Vec::new(),
        Encoding::Protobuf => {
            let mut partial = Message::default();
            partial.varint(1, rejected.count);
            partial.bytes(2, reason.as_bytes());
            let mut response = Message::default();
            response.bytes(1, &partial.0);
            response.0
        }
        Encoding::Json if rejected.count == 0 => b"{}".to_vec(),
        Encoding::Json => {
            // Protobuf's JSON mapping writes 64-bit numbers as text.
            let partial = json!({ field: rejected.count.to_string(), "errorMessage": reason });
            json!({ "partialSuccess": partial })
                .to_string()
                .into_bytes()
        }
    }
}

/// A fault over HTTP: a `google.rpc.Status` in the request's encoding.
pub fn http_fault(encoding: Encoding, fault: &Fault) -> Response {
    log(fault);
    let body = match encoding {
        Encoding::Protobuf => rpc_status(fault),
        Encoding::Json => json!({ "code": grpc_code(fault.code), "message": fault.message })
            .to_string()
            .into_bytes(),
    };
    let mut headers = HeaderMap::new();
    headers.insert(header::CONTENT_TYPE, content_type(encoding));
    headers.extend(retry_after(fault));
    if fault.code == Code::Unauthenticated {
        let basic = HeaderValue::from_static("Basic realm=\"triaxis\"");
        headers.insert(header::WWW_AUTHENTICATE, basic);
    }
    (http_status(fault.code), headers, body).into_response()
}

/// When to come again, if it says so.
pub(super) fn retry_after(fault: &Fault) -> HeaderMap {
    let seconds = fault.retry_after.map(|wait| wait.0.div_ceil(1_000_000_000));
    let header = |seconds| (header::RETRY_AFTER, HeaderValue::from(seconds));
    seconds.map(header).into_iter().collect()
}

/// A fault over gRPC, as the headers of an answer without a message. Clients come again only when
/// there is a `RetryInfo`, or when the code is `UNAVAILABLE`.
pub fn grpc_fault(fault: &Fault) -> HeaderMap {
    log(fault);
    let mut headers = HeaderMap::new();
    headers.insert(GRPC_STATUS, HeaderValue::from(grpc_code(fault.code)));
    if let Ok(message) = HeaderValue::from_str(&percent_encoded(&fault.message)) {
        headers.insert(HeaderName::from_static("grpc-message"), message);
    }
    let details = STANDARD_NO_PAD.encode(rpc_status(fault));
    if let Ok(details) = HeaderValue::from_str(&details) {
        headers.insert(HeaderName::from_static("grpc-status-details-bin"), details);
    }
    headers
}

/// The header or trailer that says how a gRPC call ended; `0` is well.
pub const GRPC_STATUS: HeaderName = HeaderName::from_static("grpc-status");

/// The media type of an encoding.
pub fn content_type(encoding: Encoding) -> HeaderValue {
    HeaderValue::from_static(match encoding {
        Encoding::Protobuf => "application/x-protobuf",
        Encoding::Json => "application/json",
    })
}

pub(super) fn http_status(code: Code) -> StatusCode {
    StatusCode::from_u16(code.http_status()).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR)
}

/// The numbers of `google.rpc.Code`.
fn grpc_code(code: Code) -> u16 {
    match code {
        Code::Invalid => 3,
        Code::Timeout => 4,
        Code::NotFound => 5,
        Code::Forbidden => 7,
        Code::TooLarge | Code::TooMany => 8,
        Code::Unprocessable => 9,
        Code::Conflict => 10,
        Code::Unsupported => 12,
        Code::Internal => 13,
        Code::Unavailable => 14,
        Code::Unauthenticated => 16,
    }
}

fn rpc_status(fault: &Fault) -> Vec<u8> {
    let mut status = Message::default();
    status.varint(1, u64::from(grpc_code(fault.code)));
    status.bytes(2, fault.message.as_bytes());
    if let Some(wait) = fault.retry_after {
        let mut delay = Message::default();
        delay.varint(1, wait.0 / 1_000_000_000);
        delay.varint(2, wait.0 % 1_000_000_000);
        let mut retry_info = Message::default();
        retry_info.bytes(1, &delay.0);
        let mut any = Message::default();
        any.bytes(1, b"type.googleapis.com/google.rpc.RetryInfo");
        any.bytes(2, &retry_info.0);
        status.bytes(3, &any.0);
    }
    status.0
}

pub(super) fn log(fault: &Fault) {
    use std::error::Error as _;
    match (fault.code, fault.source()) {
        (Code::Internal | Code::Unavailable, Some(source)) => {
            tracing::error!(error = source, "request failed: {fault}");
        }
        (Code::Internal | Code::Unavailable, None) => tracing::warn!("request failed: {fault}"),
        _ => tracing::debug!("request refused: {fault}"),
    }
}

fn percent_encoded(message: &str) -> String {
    let mut text = String::with_capacity(message.len());
    for byte in message.bytes() {
        match byte {
            b' '..=b'~' if byte != b'%' => text.push(char::from(byte)),
            _ => text.push_str(&format!("%{byte:02X}")),
        }
    }
    text
}

/// A protobuf message under construction.
#[derive(Default)]
struct Message(Vec<u8>);

impl Message {
    fn varint(&mut self, number: u8, value: u64) {
        if value > 0 {
            self.0.push(number << 3);
            self.raw_varint(value);
        }
    }

    fn bytes(&mut self, number: u8, bytes: &[u8]) {
        self.0.push((number << 3) | 2);
        self.raw_varint(bytes.len() as u64);
        self.0.extend_from_slice(bytes);
    }

    fn raw_varint(&mut self, mut value: u64) {
        while value >= 0x80 {
            self.0.push((value & 0x7f) as u8 | 0x80);
            value >>= 7;
        }
        self.0.push(value as u8);
    }
}

#[cfg(test)]
mod tests {
    use domain::Nanos;
    use opentelemetry_proto::tonic::collector::trace::v1::ExportTraceServiceResponse;
    use prost::Message as _;

    use super::*;

    #[test]
    fn a_partial_success_is_what_the_official_types_read() {
        let rejected = Rejected {
            count: 300,
            reason: Some("spanId: é".to_owned()),
        };
        let bytes = export_response(
            Encoding::Protobuf,
            &rejected,
            rejected_field(Signal::Traces),
        );
        let response = ExportTraceServiceResponse::decode(&*bytes).unwrap();
        let partial = response.partial_success.unwrap();
        assert_eq!(
            (partial.rejected_spans, &*partial.error_message),
            (300, "spanId: é")
        );
        let json = export_response(Encoding::Json, &rejected, rejected_field(Signal::Traces));
        let expected = r#"{"partialSuccess":{"rejectedSpans":"300","errorMessage":"spanId: é"}}"#;
        assert_eq!(String::from_utf8(json).unwrap(), expected);
    }

    #[test]
    fn nothing_rejected_says_nothing() {
        let none = Rejected::default();
        assert_eq!(
            export_response(Encoding::Protobuf, &none, "rejectedSpans"),
            b""
        );
        assert_eq!(
            export_response(Encoding::Json, &none, "rejectedSpans"),
            b"{}"
        );
    }

    #[test]
    fn a_fault_tells_when_to_come_again() {
        let fault = Fault::new(Code::TooMany, "100 % full").retry_after(Nanos::from_millis(1_500));
        let response = http_fault(Encoding::Json, &fault);
        assert_eq!(response.status(), StatusCode::TOO_MANY_REQUESTS);
        assert_eq!(response.headers()[header::RETRY_AFTER], "2");
        let headers = grpc_fault(&fault);
        assert_eq!(headers[GRPC_STATUS], "8");
        assert_eq!(headers["grpc-message"], "100 %25 full");
        assert!(headers.contains_key("grpc-status-details-bin"));
    }
}
