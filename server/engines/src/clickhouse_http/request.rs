//! A request of ClickHouse's HTTP interface, taken apart.

use axum::body::{Body, BodyDataStream};
use base64::Engine as _;
use bytes::{Bytes, BytesMut};
use futures_util::StreamExt as _;
use http::HeaderMap;
use http::request::Parts;
use subtle::ConstantTimeEq as _;

use super::exception::{AUTHENTICATION_FAILED, CANNOT_DECOMPRESS, Exception, TOO_LARGE};
use super::framing::{BlockDecoder, Encoder};
use super::multipart;
use super::pool::Wanted;

/// Statements and form fields that must be held whole may be this large.
pub(super) const LARGEST_HELD_BYTES: usize = 64 << 20;

/// URL parameters that speak to the interface, or that have no meaning for one private client.
const NOT_SETTINGS: &[&str] = &[
    "buffer_size",
    "client_protocol_version",
    "close_session",
    "database",
    "decompress",
    "compress",
    "default_format",
    "enable_http_compression",
    "http_zlib_compression_level",
    "log_comment",
    "password",
    "query",
    "query_id",
    "quota_key",
    "role",
    "send_progress_in_http_headers",
    "session_check",
    "session_id",
    "session_timeout",
    "stacktrace",
    "user",
    "wait_end_of_query",
];

/// Everything but the body.
#[derive(Debug, Default)]
pub(super) struct Request {
    pub(super) query: Option<String>,
    pub(super) parameters: Vec<(String, String)>,
    pub(super) wanted: Wanted,
    pub(super) default_format: Option<String>,
    compress: bool,
    decompress: bool,
    accepts_lz4: bool,
}

impl Request {
    /// Reads URL and headers.
    pub(super) fn from_parts(parts: &Parts, secret: Option<&str>) -> Result<Self, Exception> {
        let url = parts.uri.query().unwrap_or_default();
        let pairs: Vec<(String, String)> = form_urlencoded::parse(url.as_bytes())
            .into_owned()
            .collect();
        authenticate(&parts.headers, &pairs, secret)?;
        let mut request = Request {
            accepts_lz4: header_has(&parts.headers, "accept-encoding", "lz4"),
            ..Request::default()
        };
        request.default_format = header(&parts.headers, "x-clickhouse-format").map(str::to_owned);
        request.wanted.database =
            header(&parts.headers, "x-clickhouse-database").map(str::to_owned);
        request.wanted.read_only = parts.method == http::Method::GET;
        for (name, value) in pairs {
            request.take(name, value);
        }
        Ok(request)
    }

    /// How the result is to be sent, with its `Content-Encoding`.
    pub(super) fn encoder(&self) -> (Encoder, Option<&'static str>) {
        if self.compress {
            (Encoder::Blocks, None)
        } else if self.accepts_lz4 {
            (Encoder::frame(), Some("lz4"))
        } else {
            (Encoder::Plain, None)
        }
    }

    /// The body, decoded; a form's fields are taken out of it first.
    pub(super) async fn body(&mut self, parts: &Parts, body: Body) -> Result<Input, Exception> {
        let mut input = Input::new(body, &parts.headers, self.decompress)?;
        let content_type = header(&parts.headers, "content-type").unwrap_or_default();
        if let Some(boundary) = multipart::boundary(content_type) {
            let form = input.read_whole().await?;
            for (name, value) in multipart::fields(&form, boundary)? {
                self.take(name, value);
            }
            return Ok(Input::empty());
        }
        Ok(input)
    }

    fn take(&mut self, name: String, value: String) {
        let on = value != "0";
        match name.as_str() {
            "query" => self.query = Some(value),
            "database" => self.wanted.database = Some(value).filter(|name| !name.is_empty()),
            "default_format" => self.default_format = Some(value),
            "compress" => self.compress = on,
            "decompress" => self.decompress = on,
            other if NOT_SETTINGS.contains(&other) => {}
            other => match other.strip_prefix("param_") {
                Some(parameter) => self.parameters.push((parameter.to_owned(), value)),
                None => drop(self.wanted.settings.insert(name, value)),
            },
        }
    }
}

/// The secret may come as ClickHouse's header, as a URL parameter or as a Basic password.
fn authenticate(
    headers: &HeaderMap,
    pairs: &[(String, String)],
    secret: Option<&str>,
) -> Result<(), Exception> {
    let Some(secret) = secret else { return Ok(()) };
    let in_url = pairs
        .iter()
        .find(|(name, _)| name == "password")
        .map(|(_, value)| value.clone());
    let given = header(headers, "x-clickhouse-key").map(str::to_owned);
    let given = given
        .or(in_url)
        .or_else(|| basic_password(headers))
        .unwrap_or_default();
    if bool::from(given.as_bytes().ct_eq(secret.as_bytes())) {
        return Ok(());
    }
    let message =
        "Authentication failed: password is incorrect, or there is no user with such name";
    Err(Exception::new(
        AUTHENTICATION_FAILED,
        "AUTHENTICATION_FAILED",
        message,
    ))
}

fn basic_password(headers: &HeaderMap) -> Option<String> {
    let encoded = header(headers, "authorization")?.strip_prefix("Basic ")?;
    let decoded = base64::engine::general_purpose::STANDARD
        .decode(encoded.trim())
        .ok()?;
    let text = String::from_utf8(decoded).ok()?;
    text.split_once(':')
        .map(|(_, password)| password.to_owned())
}

fn header<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    headers.get(name).and_then(|value| value.to_str().ok())
}

fn header_has(headers: &HeaderMap, name: &str, token: &str) -> bool {
    let listed = header(headers, name).unwrap_or_default();
    listed.split(',').any(|part| {
        part.split(';')
            .next()
            .is_some_and(|part| part.trim() == token)
    })
}

/// A request's body as it arrives, decoded.
pub(super) struct Input {
    stream: Option<BodyDataStream>,
    blocks: Option<BlockDecoder>,
}

impl Input {
    fn new(body: Body, headers: &HeaderMap, decompress: bool) -> Result<Self, Exception> {
        let body = match header(headers, "content-encoding") {
            None | Some("" | "identity") => body,
            Some("gzip") => gunzip(body),
            Some(other) => {
                let message = format!("Unknown Content-Encoding: {other}");
                return Err(Exception::new(48, "NOT_IMPLEMENTED", &message));
            }
        };
        let blocks = decompress.then(BlockDecoder::default);
        Ok(Input {
            stream: Some(body.into_data_stream()),
            blocks,
        })
    }

    fn empty() -> Self {
        Input {
            stream: None,
            blocks: None,
        }
    }

    /// The next piece; `None` at the true end, an error when the client went away before it.
    pub(super) async fn next(&mut self) -> Result<Option<Bytes>, Exception> {
        loop {
            if let Some(blocks) = &mut self.blocks
                && let Some(block) = blocks.next().map_err(|reason| broken(&reason))?
            {
                return Ok(Some(block));
            }
            let Some(stream) = &mut self.stream else {
                return Ok(None);
            };
            match stream.next().await {
                None => {
                    self.stream = None;
                    if self
                        .blocks
                        .as_ref()
                        .is_some_and(|blocks| !blocks.is_complete())
                    {
                        return Err(broken("the last compressed block is cut off"));
                    }
                    return Ok(None);
                }
                Some(Err(error)) => {
                    let message = format!("Cannot read the request's body: {error}");
                    return Err(Exception::new(210, "NETWORK_ERROR", &message));
                }
                Some(Ok(piece)) => match &mut self.blocks {
                    Some(blocks) => blocks.push(&piece),
                    None if piece.is_empty() => {}
                    None => return Ok(Some(piece)),
                },
            }
        }
    }

    /// Adds to `held` until it has `enough` bytes; false when the body ended.
    pub(super) async fn fill(
        &mut self,
        held: &mut BytesMut,
        enough: usize,
    ) -> Result<bool, Exception> {
        while held.len() < enough {
            match self.next().await? {
                Some(piece) => held.extend_from_slice(&piece),
                None => return Ok(false),
            }
        }
        Ok(true)
    }

    async fn read_whole(&mut self) -> Result<Bytes, Exception> {
        let mut held = BytesMut::new();
        if self.fill(&mut held, LARGEST_HELD_BYTES).await? {
            return Err(too_large());
        }
        Ok(held.freeze())
    }
}

/// The statement or form does not fit what is held.
pub(super) fn too_large() -> Exception {
    Exception::new(TOO_LARGE, "QUERY_IS_TOO_LARGE", "Query is too large")
}

fn broken(reason: &str) -> Exception {
    Exception::new(
        CANNOT_DECOMPRESS,
        "CANNOT_DECOMPRESS",
        &format!("Cannot decompress: {reason}"),
    )
}

fn gunzip(body: Body) -> Body {
    let stream = body
        .into_data_stream()
        .map(|piece| piece.map_err(std::io::Error::other));
    let reader = tokio_util::io::StreamReader::new(stream);
    let mut decoder = async_compression::tokio::bufread::GzipDecoder::new(reader);
    decoder.multiple_members(true);
    Body::from_stream(tokio_util::io::ReaderStream::with_capacity(
        decoder,
        64 << 10,
    ))
}
