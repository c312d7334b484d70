//! Random keys, hashes of secrets.

use rand::Rng;
use sha2::{Digest, Sha256};
use store_postgres::api_keys::SecretHash;

/// Random characters of a key or password that we make: 190 bits for keys.
const KEY_CHARS: usize = 32;
const PASSWORD_CHARS: usize = 20;
/// Secrets shorter than this have no hint, because it would give too much away.
const MIN_CHARS_FOR_HINT: usize = 16;

/// A new public key.
pub(crate) fn new_public_key() -> String {
    format!("pk-tx-{}", random_text(KEY_CHARS))
}

/// A new secret key.
pub(crate) fn new_secret_key() -> String {
    format!("sk-tx-{}", random_text(KEY_CHARS))
}

/// What stands in a link that opens something to whoever has it.
pub(crate) fn new_link() -> String {
    random_text(KEY_CHARS)
}

/// A new password.
pub(crate) fn new_password() -> String {
    random_text(PASSWORD_CHARS)
}

/// What is stored of a secret; why it need not be slow stands beside the column.
pub(crate) fn hash(secret: &str) -> SecretHash {
    Sha256::digest(secret).into()
}

/// Last four characters of a secret, to tell keys apart.
pub(crate) fn hint(secret: &str) -> String {
    let chars = secret.chars().count();
    if chars < MIN_CHARS_FOR_HINT {
        return String::new();
    }
    secret.chars().skip(chars - 4).collect()
}

/// Letters and digits only: safe in URLs, headers and shells, selected by a double click.
fn random_text(chars: usize) -> String {
    rand::rng()
        .sample_iter(rand::distr::Alphanumeric)
        .take(chars)
        .map(char::from)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_long_and_never_the_same() {
        let (one, two) = (new_secret_key(), new_secret_key());
        assert_eq!(one.len(), 38);
        assert_ne!(one, two);
        assert_eq!(hint(&one), one[34..]);
        assert_eq!(hint("geheim"), "");
    }
}
