//! argon2id: making and checking hashes, and what a password must be.

use std::sync::{Arc, LazyLock};
use std::time::Duration;

use argon2::password_hash::{Encoding, PasswordHash, SaltString};
use argon2::{Argon2, PasswordHasher, PasswordVerifier};
use domain::{Code, Fault, Nanos};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::app::App;

/// Fewest characters of a password.
pub(crate) const MIN_CHARS: usize = 8;
/// Most bytes that are hashed.
const MAX_BYTES: usize = 512;
/// Hashes at the same time: each takes 19 MiB and a core for tens of milliseconds.
const AT_ONCE: usize = 2;
/// Longest wait for one's turn to hash.
const PATIENCE: Duration = Duration::from_secs(5);

/// Those that lists of leaked passwords begin with, and of at least [`MIN_CHARS`] characters.
const TOO_COMMON: [&str; 12] = [
    "password",
    "password1",
    "password123",
    "12345678",
    "123456789",
    "1234567890",
    "qwertyuiop",
    "qwerty123",
    "iloveyou",
    "11111111",
    "00000000",
    "triaxis1",
];

/// Limits how many hashes are made at once.
pub(crate) struct Hashing {
    turns: Arc<Semaphore>,
}

impl Default for Hashing {
    fn default() -> Self {
        Hashing {
            turns: Arc::new(Semaphore::new(AT_ONCE)),
        }
    }
}

impl Hashing {
    async fn turn(&self) -> Result<OwnedSemaphorePermit, Fault> {
        let busy = || {
            Fault::new(
                Code::TooMany,
                "many people are signing in; try again in a moment",
            )
            .retry_after(Nanos::from_seconds(2))
        };
        let turn = tokio::time::timeout(PATIENCE, self.turns.clone().acquire_owned()).await;
        turn.map_err(|_| busy())?.map_err(Fault::internal)
    }
}

/// Checks what a person chose as their password.
///
/// # Errors
/// `invalid` on the field `password`.
pub(crate) fn check_choice(password: &str, email: &str) -> Result<(), Fault> {
    let wrong = |message: String| Err(Fault::invalid(message).on_field("password"));
    if password.chars().count() < MIN_CHARS {
        return wrong(format!("a password has at least {MIN_CHARS} characters"));
    }
    if password.len() > MAX_BYTES {
        return wrong(format!("a password has at most {MAX_BYTES} bytes"));
    }
    let lower = password.to_lowercase();
    if TOO_COMMON.contains(&lower.as_str()) || lower == email {
        return wrong("that password is among the first to be guessed; choose another".to_owned());
    }
    Ok(())
}

/// Hashes a password, on a thread where it does not stop others.
///
/// # Errors
/// `too_many` when too many hashes are being made.
pub(crate) async fn hash(hashing: &Hashing, password: String) -> Result<String, Fault> {
    let _turn = hashing.turn().await?;
    tokio::task::spawn_blocking(move || hash_now(&password))
        .await
        .map_err(Fault::internal)?
}

/// Whether the password has that hash; without a hash it takes as long and is wrong.
///
/// # Errors
/// `too_many` when too many hashes are being made.
pub(crate) async fn verify(
    app: &App,
    password: String,
    hash: Option<String>,
) -> Result<bool, Fault> {
    let _turn = app.gate().hashing().turn().await?;
    tokio::task::spawn_blocking(move || verify_now(&password, hash.as_deref()))
        .await
        .map_err(Fault::internal)
}

fn hash_now(password: &str) -> Result<String, Fault> {
    let salt: [u8; 16] = rand::random();
    let salt = SaltString::encode_b64(&salt).map_err(internal)?;
    let hash = Argon2::default()
        .hash_password(password.as_bytes(), &salt)
        .map_err(internal)?;
    Ok(hash.to_string())
}

fn verify_now(password: &str, hash: Option<&str>) -> bool {
    /// Hash of nothing that anybody could type, for accounts that do not exist.
    static NOBODY: LazyLock<String> = LazyLock::new(|| hash_now("\u{0}nobody").unwrap_or_default());
    if password.len() > MAX_BYTES {
        return false;
    }
    // Made at the first try of all, so that no unknown account ever takes longer than a known one.
    let nobody: &str = &NOBODY;
    let exists = hash.is_some();
    let Ok(hash) = PasswordHash::parse(hash.unwrap_or(nobody), Encoding::B64) else {
        return false;
    };
    let fits = Argon2::default()
        .verify_password(password.as_bytes(), &hash)
        .is_ok();
    fits && exists
}

fn internal(error: argon2::password_hash::Error) -> Fault {
    Fault::internal(error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_password_fits_its_own_hash_only() {
        let hash = hash_now("correct horse").unwrap();
        assert!(hash.starts_with("$argon2id$"));
        assert!(verify_now("correct horse", Some(&hash)));
        assert!(!verify_now("correct horsf", Some(&hash)));
        assert!(!verify_now("correct horse", None));
        assert!(!verify_now("\u{0}nobody", None));
        assert!(!verify_now("correct horse", Some("not a hash")));
    }

    #[test]
    fn short_endless_and_common_passwords_are_refused() {
        for wrong in ["short", "Password123", "ada@example.com", &"x".repeat(513)] {
            let fault = check_choice(wrong, "ada@example.com").unwrap_err();
            assert_eq!(fault.field.as_deref(), Some("password"), "{wrong}");
        }
        assert!(check_choice("æøåæøåæø", "ada@example.com").is_ok());
    }
}
