//! Signed addresses: whoever has one may send or fetch the bytes of one attachment for an hour, without a
//! key.
//!
//! A token is `base64url(facts) . base64url(HMAC-SHA256(facts))`. The facts name all that is allowed, so
//! that nothing has to be looked up and nothing can be changed.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use domain::media::{Checksum, MediaType};
use domain::{Nanos, ProjectId, Timestamp, TraceId};
use hmac::{Hmac, Mac};
use sha2::Sha256;
use uuid::Uuid;

/// How long an address holds.
pub(super) const LIFETIME: Nanos = Nanos::from_seconds(3_600);
/// How long one holds that was given to somebody unknown.
pub(super) const BRIEF_LIFETIME: Nanos = Nanos::from_seconds(300);
/// Bytes of the facts before the media type.
const FIXED_BYTES: usize = 1 + 8 + 16 + 32 + 8;
/// What parts the media type from the trace after it.
const BEFORE_TRACE: u8 = b'\n';
/// Longest token that is looked at.
const MAX_CHARS: usize = 1_024;

/// What an address is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// Sending.
    Send,
    /// Fetching.
    Fetch,
}

/// What an address allows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Grant {
    /// For what.
    pub purpose: Purpose,
    /// The project that the attachment is of.
    pub project: ProjectId,
    /// SHA-256 of its bytes, and so its id.
    pub checksum: Checksum,
    /// What it is.
    pub media_type: MediaType,
    /// How many bytes it has.
    pub bytes: u64,
    /// Until when, to the second.
    pub until: Timestamp,
    /// The public trace that names it, where the address was given to somebody unknown: it ends with what made the trace
    /// public.
    pub public_trace: Option<TraceId>,
}

/// Signs addresses.
pub(super) struct Signer(Hmac<Sha256>);

impl Signer {
    /// With a secret.
    pub(super) fn new(secret: &[u8; 32]) -> Option<Self> {
        Hmac::new_from_slice(secret).ok().map(Signer)
    }

    /// The token of what is allowed.
    pub(super) fn sign(&self, grant: &Grant) -> String {
        let facts = grant.to_bytes();
        let mut mac = self.0.clone();
        mac.update(&facts);
        let signature = mac.finalize().into_bytes();
        let encode = |bytes: &[u8]| URL_SAFE_NO_PAD.encode(bytes);
        format!("{}.{}", encode(&facts), encode(&signature))
    }

    /// What a token allows; `None` when it was not signed here, or has ended.
    pub(super) fn read(&self, token: &str, now: Timestamp) -> Option<Grant> {
        let token = Some(token).filter(|token| token.len() <= MAX_CHARS)?;
        let (facts, signature) = token.split_once('.')?;
        let facts = URL_SAFE_NO_PAD.decode(facts).ok()?;
        let signature = URL_SAFE_NO_PAD.decode(signature).ok()?;
        let mut mac = self.0.clone();
        mac.update(&facts);
        // In constant time.
        mac.verify_slice(&signature).ok()?;
        Grant::from_bytes(&facts).filter(|grant| now < grant.until)
    }
}

impl Grant {
    fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(FIXED_BYTES + self.media_type.as_str().len());
        bytes.push(match self.purpose {
            Purpose::Send => b's',
            Purpose::Fetch => b'f',
        });
        bytes.extend_from_slice(&self.until.unix_seconds().to_be_bytes());
        bytes.extend_from_slice(self.project.as_uuid().as_bytes());
        bytes.extend_from_slice(self.checksum.as_bytes());
        bytes.extend_from_slice(&self.bytes.to_be_bytes());
        bytes.extend_from_slice(self.media_type.as_str().as_bytes());
        if let Some(trace_id) = &self.public_trace {
            bytes.push(BEFORE_TRACE);
            bytes.extend_from_slice(trace_id.as_str().as_bytes());
        }
        bytes
    }

    fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let (purpose, rest) = bytes.split_first_chunk::<1>()?;
        let (until, rest) = rest.split_first_chunk::<8>()?;
        let (project, rest) = rest.split_first_chunk::<16>()?;
        let (checksum, rest) = rest.split_first_chunk::<32>()?;
        let (length, rest) = rest.split_first_chunk::<8>()?;
        let mut names = rest.splitn(2, |byte| *byte == BEFORE_TRACE);
        let media_type = names.next()?;
        let public_trace = match names.next() {
            None => None,
            Some(trace) => Some(TraceId::from_text(std::str::from_utf8(trace).ok()?).ok()?),
        };
        Some(Grant {
            purpose: match purpose {
                b"s" => Purpose::Send,
                b"f" => Purpose::Fetch,
                _ => return None,
            },
            project: ProjectId(Uuid::from_bytes(*project)),
            checksum: Checksum::new(*checksum),
            media_type: MediaType::from_name(std::str::from_utf8(media_type).ok()?)?,
            bytes: u64::from_be_bytes(*length),
            until: Timestamp::EPOCH.plus(Nanos::from_seconds(u64::from_be_bytes(*until))),
            public_trace,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(seconds: u64) -> Timestamp {
        Timestamp::EPOCH.plus(Nanos::from_seconds(seconds))
    }

    fn grant() -> Grant {
        Grant {
            purpose: Purpose::Send,
            project: ProjectId(Uuid::from_u128(7)),
            checksum: Checksum::new([3; 32]),
            media_type: MediaType::from_name("image/png").unwrap(),
            bytes: 1_000,
            until: at(100),
            public_trace: None,
        }
    }

    #[test]
    fn what_was_signed_is_read_until_it_ends() {
        let signer = Signer::new(&[1; 32]).unwrap();
        let token = signer.sign(&grant());
        assert_eq!(signer.read(&token, at(99)), Some(grant()));
        assert_eq!(signer.read(&token, at(100)), None);
        let guest = Grant {
            public_trace: TraceId::from_text(&"é/".repeat(80)).ok(),
            ..grant()
        };
        assert_eq!(signer.read(&signer.sign(&guest), at(99)), Some(guest));
        let stranger = Signer::new(&[2; 32]).unwrap();
        assert_eq!(stranger.read(&token, at(0)), None);
    }

    #[test]
    fn whatever_is_changed_is_refused() {
        let signer = Signer::new(&[1; 32]).unwrap();
        let token = signer.sign(&grant());
        for at_char in 0..token.len() {
            let mut changed = token.clone().into_bytes();
            changed[at_char] = if changed[at_char] == b'A' { b'B' } else { b'A' };
            let changed = String::from_utf8(changed).unwrap();
            let same = signer.read(&changed, at(0)) == Some(grant());
            // The last character of base64 may hold bits that mean nothing.
            assert!(!same || at_char + 1 == token.len(), "{at_char}");
        }
        for none in ["", ".", "a.b", &token[..token.len() - 1], &"x".repeat(600)] {
            assert_eq!(signer.read(none, at(0)), None);
        }
    }
}
