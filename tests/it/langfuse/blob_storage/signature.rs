//! The signature of a request, worked out from AWS's description of version 4 (query parameters), so that it
//! does not rest on the library that signs.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use sha2::{Digest, Sha256};

use super::store::Put;

/// HMAC of RFC 2104 over SHA-256.
fn hmac(key: &[u8], message: &str) -> Vec<u8> {
    const BLOCK: usize = 64;
    let mut block = match key.len() > BLOCK {
        true => Sha256::digest(key).to_vec(),
        false => key.to_vec(),
    };
    block.resize(BLOCK, 0);
    let with = |pad: u8| -> Vec<u8> { block.iter().map(|byte| byte ^ pad).collect() };
    let inner = Sha256::new().chain_update(with(0x36)).chain_update(message);
    let outer = Sha256::new()
        .chain_update(with(0x5c))
        .chain_update(inner.finalize());
    outer.finalize().to_vec()
}

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        write!(text, "{byte:02x}").unwrap();
        text
    })
}

/// What is signed: path and parameters as they are sent, encoded.
struct Request<'a> {
    method: &'a str,
    path: &'a str,
    /// By the names that they have in the address, without the signature.
    query: BTreeMap<&'a str, &'a str>,
    headers: &'a BTreeMap<String, String>,
}

impl Request<'_> {
    fn signature(&self, secret: &str) -> String {
        let query: Vec<String> = self
            .query
            .iter()
            .map(|(name, value)| format!("{name}={value}"))
            .collect();
        let signed = self.query["X-Amz-SignedHeaders"].replace("%3B", ";");
        let headers: String = signed
            .split(';')
            .map(|name| format!("{name}:{}\n", self.headers[name].trim()))
            .collect();
        let canonical = format!(
            "{}\n{}\n{}\n{headers}\n{signed}\nUNSIGNED-PAYLOAD",
            self.method,
            self.path,
            query.join("&"),
        );
        let credential = self.query["X-Amz-Credential"].replace("%2F", "/");
        let (_, scope) = credential.split_once('/').unwrap();
        let text = format!(
            "AWS4-HMAC-SHA256\n{}\n{scope}\n{}",
            self.query["X-Amz-Date"],
            hexadecimal(&Sha256::digest(canonical))
        );
        let first = format!("AWS4{secret}").into_bytes();
        let key = scope.split('/').fold(first, |key, part| hmac(&key, part));
        hexadecimal(&hmac(&key, &text))
    }
}

/// The signature that a request to write should have.
pub(super) fn expected(put: &Put, secret: &str) -> String {
    // The store notes names in lower case.
    const NAMES: [&str; 6] = [
        "X-Amz-Algorithm",
        "X-Amz-Credential",
        "X-Amz-Date",
        "X-Amz-Expires",
        "X-Amz-SignedHeaders",
        "X-Amz-Signature",
    ];
    let name = |lower: &str| NAMES.into_iter().find(|name| name.to_lowercase() == *lower);
    let query = put.query.iter();
    let query = query.map(|(lower, value)| (name(lower).unwrap(), value.as_str()));
    let request = Request {
        method: "PUT",
        path: &put.path,
        query: query
            .filter(|(name, _)| *name != "X-Amz-Signature")
            .collect(),
        headers: &put.headers,
    };
    request.signature(secret)
}

/// The signature that a request to write should have by Microsoft's description of "Shared Key".
pub(super) fn expected_of_azure(put: &Put, key: &str) -> String {
    let header = |name: &str| put.headers.get(name).map_or("", String::as_str);
    let standard = [
        "content-encoding",
        "content-language",
        "content-length",
        "content-md5",
        "content-type",
        "date",
        "if-modified-since",
        "if-match",
        "if-none-match",
        "if-unmodified-since",
        "range",
    ];
    let mut lines = vec!["PUT".to_owned()];
    lines.extend(standard.map(|name| header(name).to_owned()));
    // Sorted, for the headers of a request are kept so.
    let own = put
        .headers
        .iter()
        .filter(|(name, _)| name.starts_with("x-ms-"));
    lines.extend(own.map(|(name, value)| format!("{name}:{value}")));
    let account = header("authorization").trim_start_matches("SharedKey ");
    let account = account.split(':').next().unwrap();
    lines.push(format!("/{account}{}", put.path));
    let key = STANDARD.decode(key).unwrap();
    STANDARD.encode(hmac(&key, &lines.join("\n")))
}

/// The example of "Authenticating Requests: Using Query Parameters (AWS Signature Version 4)".
#[test]
fn the_published_example_has_the_published_signature() {
    let host = "examplebucket.s3.amazonaws.com".to_owned();
    let request = Request {
        method: "GET",
        path: "/test.txt",
        query: BTreeMap::from([
            ("X-Amz-Algorithm", "AWS4-HMAC-SHA256"),
            (
                "X-Amz-Credential",
                "AKIAIOSFODNN7EXAMPLE%2F20130524%2Fus-east-1%2Fs3%2Faws4_request",
            ),
            ("X-Amz-Date", "20130524T000000Z"),
            ("X-Amz-Expires", "86400"),
            ("X-Amz-SignedHeaders", "host"),
        ]),
        headers: &BTreeMap::from([("host".to_owned(), host)]),
    };
    assert_eq!(
        request.signature("wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY"),
        "aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404"
    );
}
