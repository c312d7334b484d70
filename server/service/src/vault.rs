//! Credentials of others, sealed before they are stored.
//!
//! XChaCha20-Poly1305 with one key of the server: nonces of 24 random bytes may be drawn for ever
//! without ever meeting. What a text was sealed for (project, row, field) is authenticated with it, so
//! that a sealed text copied into another row does not open there.

use std::fmt;

use chacha20poly1305::aead::{Aead, Payload};
use chacha20poly1305::{KeyInit, XChaCha20Poly1305, XNonce};
use domain::Fault;
use hmac::{Hmac, Mac};
use sha2::Sha256;

/// Bytes of a key.
pub const KEY_BYTES: usize = 32;
const NONCE_BYTES: usize = 24;

/// Seals and opens with the server's key, which it never shows.
#[derive(Clone)]
pub struct Vault {
    cipher: XChaCha20Poly1305,
    derivation: Hmac<Sha256>,
}

impl Vault {
    /// With a key of 32 random bytes.
    pub fn new(key: &[u8; KEY_BYTES]) -> Self {
        Vault {
            cipher: XChaCha20Poly1305::new(key.into()),
            derivation: keyed(key),
        }
    }

    /// A key for another purpose, the same each time; it tells nothing of the server's key or of other purposes' keys.
    pub(crate) fn derive(&self, purpose: &str) -> [u8; KEY_BYTES] {
        let mut mac = self.derivation.clone();
        mac.update(b"triaxis derives a key for: ");
        mac.update(purpose.as_bytes());
        mac.finalize().into_bytes().into()
    }

    /// Seals a text for a place: nonce, then ciphertext and tag.
    ///
    /// # Errors
    /// `internal` for a text beyond 256 GB.
    pub fn seal(&self, place: &str, text: &str) -> Result<Vec<u8>, Fault> {
        let nonce: [u8; NONCE_BYTES] = rand::random();
        let payload = Payload {
            msg: text.as_bytes(),
            aad: place.as_bytes(),
        };
        let sealed = self.cipher.encrypt(XNonce::from_slice(&nonce), payload);
        let sealed = sealed.map_err(|_| Fault::internal("a text could not be sealed"))?;
        Ok([nonce.as_slice(), &sealed].concat())
    }

    /// Opens what [`Vault::seal`] made for the same place.
    ///
    /// # Errors
    /// `internal` with another key, for another place, or when a bit was changed.
    pub fn open(&self, place: &str, sealed: &[u8]) -> Result<String, Fault> {
        let closed = || Fault::internal("a sealed text does not open with this server's key");
        let (nonce, sealed) = sealed.split_at_checked(NONCE_BYTES).ok_or_else(closed)?;
        let payload = Payload {
            msg: sealed,
            aad: place.as_bytes(),
        };
        let text = self.cipher.decrypt(XNonce::from_slice(nonce), payload);
        String::from_utf8(text.map_err(|_| closed())?).map_err(|_| closed())
    }
}

/// HMAC with a key, which is filled up to a block as HMAC itself does it.
pub(crate) fn keyed(key: &[u8; KEY_BYTES]) -> Hmac<Sha256> {
    let mut block = [0; 64];
    block[..KEY_BYTES].copy_from_slice(key);
    <Hmac<Sha256> as KeyInit>::new(&block.into())
}

impl fmt::Debug for Vault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Vault")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_sealed_opens_at_its_place_with_its_key_and_nowhere_else() {
        let vault = Vault::new(&[7; KEY_BYTES]);
        let sealed = vault.seal("here", "sk-secret").unwrap();
        assert_eq!(vault.open("here", &sealed).unwrap(), "sk-secret");
        assert!(vault.open("there", &sealed).is_err());
        assert!(Vault::new(&[8; KEY_BYTES]).open("here", &sealed).is_err());
        let mut changed = sealed.clone();
        changed[30] ^= 1;
        assert!(vault.open("here", &changed).is_err());
        assert!(vault.open("here", b"short").is_err());
        assert!(!sealed.windows(6).any(|bytes| bytes == b"secret"));
        assert_ne!(
            vault.seal("here", "sk-secret").unwrap(),
            sealed,
            "nonces differ"
        );
        assert_eq!(format!("{vault:?}"), "Vault");
        assert_eq!(vault.derive("a"), Vault::new(&[7; KEY_BYTES]).derive("a"));
        assert_ne!(vault.derive("a"), vault.derive("b"));
        assert_ne!(vault.derive("a"), [7; KEY_BYTES]);
    }
}
