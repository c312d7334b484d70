//! `Authorization` headers, taken apart.

use std::borrow::Cow;

use base64::Engine;
use base64::engine::general_purpose::{STANDARD, STANDARD_NO_PAD};
use sha2::{Digest, Sha256};

/// Longest header that is looked at.
const MAX_BYTES: usize = 4096;

/// What a program shows to be let in.
pub(crate) enum Presented<'a> {
    /// Both keys.
    Pair {
        /// Public key.
        public_key: String,
        /// Secret key.
        secret: String,
    },
    /// The secret key alone.
    Secret(Cow<'a, str>),
}

/// A hash of all that was shown, to find it again.
pub(crate) type Fingerprint = [u8; 32];

impl Presented<'_> {
    /// The secret.
    pub(crate) fn secret(&self) -> &str {
        match self {
            Presented::Pair { secret, .. } => secret,
            Presented::Secret(secret) => secret,
        }
    }

    /// A hash of all that was shown.
    pub(crate) fn fingerprint(&self) -> Fingerprint {
        let mut hasher = Sha256::new();
        if let Presented::Pair { public_key, .. } = self {
            // The length keeps `a:bc` and `ab:c` apart.
            hasher.update(public_key.len().to_be_bytes());
            hasher.update(public_key);
        }
        hasher.update(self.secret());
        hasher.finalize().into()
    }
}

/// The only one of a request's `Authorization` headers; `None` when there is none, more than one, or
/// one that is not visible ASCII: of two it would be anybody's guess which one counts.
pub fn the_only<'h>(values: impl IntoIterator<Item = &'h [u8]>) -> Option<&'h str> {
    let mut values = values.into_iter();
    let only = values.next()?;
    if values.next().is_some() {
        return None;
    }
    let visible = |byte: &u8| matches!(byte, b'\t' | b' '..=b'~');
    let text = only.iter().all(visible).then_some(only)?;
    std::str::from_utf8(text).ok()
}

/// `None` for anything that is not a well-formed `Basic` or `Bearer` header.
pub(crate) fn parse(header: Option<&str>) -> Option<Presented<'_>> {
    let header = header.filter(|header| header.len() <= MAX_BYTES)?.trim();
    let (scheme, rest) = header.split_once(' ')?;
    let rest = rest.trim();
    if scheme.eq_ignore_ascii_case("bearer") {
        return (!rest.is_empty()).then_some(Presented::Secret(Cow::Borrowed(rest)));
    }
    if !scheme.eq_ignore_ascii_case("basic") {
        return None;
    }
    let bytes = STANDARD
        .decode(rest)
        .or_else(|_| STANDARD_NO_PAD.decode(rest))
        .ok()?;
    let text = String::from_utf8(bytes).ok()?;
    // Whatever follows another colon is passed over, as Langfuse does.
    let mut pieces = text.split(':');
    let (public_key, secret) = (pieces.next()?, pieces.next()?);
    (!public_key.is_empty() && !secret.is_empty()).then(|| Presented::Pair {
        public_key: public_key.to_owned(),
        secret: secret.to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_headers_are_none_and_so_is_one_that_is_no_text() {
        assert_eq!(the_only([]), None);
        assert_eq!(the_only([b"Bearer a".as_slice()]), Some("Bearer a"));
        assert_eq!(the_only([b"Bearer a".as_slice(), b"Bearer a"]), None);
        assert_eq!(the_only([b"Bearer \xff".as_slice()]), None);
    }

    #[test]
    fn both_schemes_are_understood_in_any_case() {
        let Some(Presented::Pair { public_key, secret }) = parse(Some("basic cGs6c2s6eA==")) else {
            panic!("not understood");
        };
        assert_eq!((public_key.as_str(), secret.as_str()), ("pk", "sk"));
        assert!(
            matches!(parse(Some("Bearer  sk-tx-1 ")), Some(Presented::Secret(s)) if s == "sk-tx-1")
        );
    }

    #[test]
    fn malformed_headers_are_nobody() {
        let long = format!("Basic {}", "QUFB".repeat(2600));
        for header in [
            "",
            " ",
            "Basic",
            "Basic ",
            "Basic !!!",
            "Basic cGtzaw==",
            "Basic /w==",
            "Basic Og==",
            "Basic cGs6",
            "Bearer",
            "Bearer  ",
            "Digest x",
            "cGs6c2s=",
            &long,
        ] {
            assert!(parse(Some(header)).is_none(), "{header}");
        }
        assert!(parse(None).is_none());
    }

    #[test]
    fn a_colon_elsewhere_is_another_fingerprint() {
        let pair = |public_key: &str, secret: &str| {
            Presented::Pair {
                public_key: public_key.into(),
                secret: secret.into(),
            }
            .fingerprint()
        };
        assert_ne!(pair("a", "bc"), pair("ab", "c"));
    }
}
