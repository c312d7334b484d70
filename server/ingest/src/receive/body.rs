//! Reading bodies within limits.
//!
//! **Invariant:** no more than [`Settings::max_body_bytes`](service::app::Settings) bytes of one
//! body are ever in memory, counted after decompression, and no more than a fixed number of bytes
//! of all bodies together, and of one project's. Whoever comes when that is used up is told to come
//! again.

use std::io;
use std::pin::Pin;
use std::time::Duration;

use async_compression::tokio::bufread::{DeflateDecoder, GzipDecoder, ZlibDecoder, ZstdDecoder};
use async_compression::zstd::DParameter;
use axum::body::Body;
use domain::{Code, Fault, ProjectId};
use futures_util::TryStreamExt;
use service::{ProjectScope, ScoreWriter};
use tokio::io::{AsyncBufRead, AsyncBufReadExt, AsyncRead, AsyncReadExt};
use tokio_util::io::StreamReader;

use super::in_flight::{Held, InFlight};
use super::linger::Lingering;
use super::pace::Paced;
use crate::decode::Encoding;

/// Bodies are read and counted in steps of this many bytes.
const STEP_BYTES: usize = 64 * 1024;
/// A body that has grown to that gets room for the largest at once: room that is not used takes no
/// memory, and growing by steps would hold the old and the new place at the same time.
const BIG_BYTES: usize = 4 * 1024 * 1024;
/// Whoever sends slower than this does not get to the end.
const READ_TIMEOUT: Duration = Duration::from_secs(60);
/// Largest window of zstd: 32 MiB. Its levels up to 19 need 8 MiB.
const ZSTD_WINDOW_LOG_MAX: u32 = 25;

/// A request that has been let in.
pub struct Received {
    /// The project that it goes to.
    pub scope: ProjectScope,
    /// How the body is written.
    pub encoding: Encoding,
    /// The body, decompressed.
    pub body: Vec<u8>,
    /// The body's share of the bytes in flight; to be kept as long as the body's spans.
    pub held: Held,
}

/// Scores, or a batch of an older Langfuse client, that have been let in; always JSON.
pub struct ReceivedScores {
    /// Whoever sends them.
    pub writer: ScoreWriter,
    /// The body, decompressed.
    pub body: Vec<u8>,
    /// The body's share of the bytes in flight; to be kept as long as what it holds.
    pub held: Held,
}

/// How a body is compressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Compression {
    /// Not at all.
    Identity,
    /// gzip.
    Gzip,
    /// Zstandard.
    Zstd,
    /// What HTTP calls deflate: zlib by the book, raw deflate from some.
    Deflate,
}

impl Compression {
    /// From a `Content-Encoding` or `grpc-encoding` header.
    ///
    /// # Errors
    /// `unsupported` for any other name, and for several at once.
    pub fn from_header(name: &str) -> Result<Self, Fault> {
        match name.trim().to_ascii_lowercase().as_str() {
            "" | "identity" => Ok(Compression::Identity),
            "gzip" | "x-gzip" => Ok(Compression::Gzip),
            "zstd" => Ok(Compression::Zstd),
            "deflate" => Ok(Compression::Deflate),
            _ => Err(Fault::new(
                Code::Unsupported,
                "content encoding is not known: use gzip, zstd, deflate or none",
            )),
        }
    }
}

/// A body, or what is left of it.
pub type Source = Pin<Box<dyn AsyncBufRead + Send>>;

/// A body as a source of bytes.
pub fn source(body: Body) -> Source {
    Box::pin(StreamReader::new(Paced::new(
        body.into_data_stream().map_err(io::Error::other),
    )))
}

/// As [`source`], for HTTP/1: what is not read before a refusal is read and forgotten afterwards.
pub fn lingering_source(body: Body) -> Source {
    Box::pin(StreamReader::new(Paced::new(
        Lingering::new(body).map_err(io::Error::other),
    )))
}

/// Reads a source to its end.
///
/// # Errors
/// `too_large` over the limit, `too_many` when the project's or all bodies leave no room, `invalid`
/// when it is not compressed as it says or breaks off, `timeout` when it takes too long.
pub async fn read(
    source: Source,
    compression: Compression,
    limit: u64,
    project: ProjectId,
) -> Result<(Vec<u8>, Held), Fault> {
    let reading = read_within(source, compression, limit, project);
    tokio::time::timeout(READ_TIMEOUT, reading)
        .await
        .map_err(|_| Fault::new(Code::Timeout, "the body did not arrive within 60 seconds"))?
}

/// The fault of a body over the limit.
pub fn too_large(limit: u64) -> Fault {
    let message = format!("the body is larger than {limit} bytes after decompression");
    Fault::new(Code::TooLarge, message)
}

/// The fault of a body that ends before its end.
pub(super) fn broken(message: &'static str, error: io::Error) -> Fault {
    if error.kind() == io::ErrorKind::TimedOut {
        return Fault::new(Code::Timeout, "the body comes slower than 1 KiB a second");
    }
    Fault::invalid(message).because(error)
}

async fn read_within(
    source: Source,
    compression: Compression,
    limit: u64,
    project: ProjectId,
) -> Result<(Vec<u8>, Held), Fault> {
    let mut reader = decompressed(source, compression)
        .await
        .map_err(|error| broken("the body broke off", error))?
        .take(limit.saturating_add(1));
    // The last step holds the byte over the limit, and there is always one to read into.
    let largest = limit.saturating_add(2 * STEP_BYTES as u64);
    let mut held = Held::nothing(InFlight::of_process(largest), project);
    let mut body = Vec::new();
    let mut held_bytes = 0_usize;
    loop {
        while held_bytes.saturating_sub(body.len()) < STEP_BYTES {
            // By half, so that a big body does not ask over and over.
            let left = usize::try_from(largest).unwrap_or(usize::MAX) - held_bytes;
            let more = (held_bytes / 2).clamp(STEP_BYTES.min(left), left);
            held.add(more as u64)?;
            held_bytes += more;
        }
        if body.capacity() - body.len() < STEP_BYTES {
            let room = if body.len() < BIG_BYTES {
                held_bytes
            } else {
                usize::try_from(limit)
                    .unwrap_or(usize::MAX)
                    .saturating_add(STEP_BYTES)
            };
            body.reserve_exact(room.saturating_sub(body.len()).max(STEP_BYTES));
        }
        let read = reader.read_buf(&mut body).await.map_err(|error| {
            broken(
                "the body broke off or is not compressed as its header says",
                error,
            )
        })?;
        if body.len() as u64 > limit {
            return Err(too_large(limit));
        }
        if read == 0 {
            return Ok((body, held));
        }
    }
}

async fn decompressed(
    mut source: Source,
    compression: Compression,
) -> io::Result<Pin<Box<dyn AsyncRead + Send>>> {
    Ok(match compression {
        Compression::Identity => Box::pin(source),
        Compression::Gzip => {
            let mut decoder = GzipDecoder::new(source);
            decoder.multiple_members(true);
            Box::pin(decoder)
        }
        Compression::Zstd => {
            let window = DParameter::window_log_max(ZSTD_WINDOW_LOG_MAX);
            let mut decoder = ZstdDecoder::with_params(source, &[window]);
            decoder.multiple_members(true);
            Box::pin(decoder)
        }
        Compression::Deflate if begins_like_zlib(source.fill_buf().await?) => {
            Box::pin(ZlibDecoder::new(source))
        }
        Compression::Deflate => Box::pin(DeflateDecoder::new(source)),
    })
}

fn begins_like_zlib(bytes: &[u8]) -> bool {
    match bytes {
        [first, second, ..] => {
            first & 15 == 8 && u16::from_be_bytes([*first, *second]).is_multiple_of(31)
        }
        [first] => *first == 0x78,
        [] => true,
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;

    use super::*;

    const LIMIT: u64 = 1024 * 1024;

    async fn read_bytes(bytes: Vec<u8>, compression: Compression) -> Result<Vec<u8>, Fault> {
        let project = ProjectId(uuid::Uuid::nil());
        read(source(Body::from(bytes)), compression, LIMIT, project)
            .await
            .map(|(body, _)| body)
    }

    fn gzip(bytes: &[u8]) -> Vec<u8> {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        encoder.write_all(bytes).unwrap();
        encoder.finish().unwrap()
    }

    fn zlib(bytes: &[u8]) -> Vec<u8> {
        let mut encoder = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::fast());
        encoder.write_all(bytes).unwrap();
        encoder.finish().unwrap()
    }

    fn deflate(bytes: &[u8]) -> Vec<u8> {
        let mut encoder =
            flate2::write::DeflateEncoder::new(Vec::new(), flate2::Compression::fast());
        encoder.write_all(bytes).unwrap();
        encoder.finish().unwrap()
    }

    fn packed(bytes: &[u8]) -> [(Vec<u8>, Compression); 5] {
        [
            (bytes.to_vec(), Compression::Identity),
            (gzip(bytes), Compression::Gzip),
            (zstd::encode_all(bytes, 3).unwrap(), Compression::Zstd),
            (zlib(bytes), Compression::Deflate),
            (deflate(bytes), Compression::Deflate),
        ]
    }

    #[tokio::test]
    async fn every_compression_gives_the_body_back_up_to_the_limit() {
        for length in [0, 1, 100_000, LIMIT as usize] {
            let body: Vec<u8> = (0..length).map(|index| (index * 7 % 251) as u8).collect();
            for (packed, compression) in packed(&body) {
                let read = read_bytes(packed, compression).await.unwrap();
                assert!(read == body, "{compression:?} of {length}");
            }
        }
    }

    #[tokio::test]
    async fn one_byte_over_the_limit_is_too_large() {
        for (packed, compression) in packed(&vec![b' '; LIMIT as usize + 1]) {
            let fault = read_bytes(packed, compression).await.unwrap_err();
            assert_eq!(fault.code, Code::TooLarge, "{compression:?}");
        }
    }

    #[tokio::test]
    async fn a_body_that_is_not_what_its_header_says_is_invalid() {
        for compression in [Compression::Gzip, Compression::Zstd, Compression::Deflate] {
            let fault = read_bytes(b"certainly plain text".to_vec(), compression)
                .await
                .unwrap_err();
            assert_eq!(fault.code, Code::Invalid, "{compression:?}");
            let mut half = packed(&vec![7; 100_000])
                .into_iter()
                .find(|(_, other)| *other == compression)
                .unwrap()
                .0;
            half.truncate(half.len() / 2);
            let fault = read_bytes(half, compression).await.unwrap_err();
            assert_eq!(fault.code, Code::Invalid, "half of {compression:?}");
        }
    }
}
