//! The key that credentials of others are sealed with: given, or made at the first start.

use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

use anyhow::Context;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use secrecy::ExposeSecret;
use service::vault::{KEY_BYTES, Vault};

use super::{Secrets, Unusable};

/// Where it is kept, in the data directory, for its owner alone.
const FILE: &str = "encryption.key";
/// Fewest characters of the operator's key: it opens everything, and may be tried from anywhere.
const LEAST_ADMIN_KEY: usize = 16;

impl Secrets {
    /// Checks what is given.
    ///
    /// # Errors
    /// When a key is no key, or could be guessed.
    pub(crate) fn check(&self) -> Result<(), Unusable> {
        let admin = self.admin_key();
        if admin.is_some_and(|key| key.expose_secret().len() < LEAST_ADMIN_KEY) {
            let message = format!(
                "TRIAXIS_ADMIN_API_KEY: give at least {LEAST_ADMIN_KEY} characters that nobody can guess"
            );
            return Err(Unusable(message));
        }
        self.given().map(|_| ())
    }

    /// What seals with the key; where none is given, with that of the data directory.
    ///
    /// # Errors
    /// When the key is none, or its file cannot be made or read.
    pub(crate) fn vault(&self, data_dir: &Path) -> anyhow::Result<Vault> {
        if let Some(key) = self.given()? {
            return Ok(Vault::new(&key));
        }
        let path = data_dir.join(FILE);
        let shown = path.display();
        let text = match fs::read_to_string(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                make(&path).with_context(|| format!("cannot make {shown}"))?;
                fs::read_to_string(&path)
            }
            read => read,
        };
        let text = text.with_context(|| format!("cannot read {shown}"))?;
        let key = parse(&text).with_context(|| format!("{shown} holds no key"))?;
        Ok(Vault::new(&key))
    }

    /// As [`Secrets::vault`], for whoever only reads: no key is made.
    ///
    /// # Errors
    /// When there is no key, or it cannot be read.
    pub(crate) fn vault_that_is(&self, data_dir: &Path) -> anyhow::Result<Vault> {
        let path = data_dir.join(FILE);
        if self.given()?.is_none() && !path.exists() {
            anyhow::bail!("{} is not there: give --public-key", path.display());
        }
        self.vault(data_dir)
    }

    fn given(&self) -> Result<Option<[u8; KEY_BYTES]>, Unusable> {
        let given = self
            .encryption_key
            .as_ref()
            .map(ExposeSecret::expose_secret);
        let Some(text) = given.filter(|text| !text.trim().is_empty()) else {
            return Ok(None);
        };
        let message = "TRIAXIS_ENCRYPTION_KEY: give 32 bytes, as 64 hexadecimal digits or base64";
        let wrong = || Unusable(message.to_owned());
        parse(text).map(Some).ok_or_else(wrong)
    }
}

fn parse(text: &str) -> Option<[u8; KEY_BYTES]> {
    let text = text.trim();
    let bytes = hex::decode(text).or_else(|_| STANDARD.decode(text)).ok()?;
    bytes.try_into().ok()
}

/// The file appears whole, or not at all.
fn make(path: &Path) -> io::Result<()> {
    let key: [u8; KEY_BYTES] = rand::random();
    let unfinished = path.with_extension("key.new");
    let mut file = OpenOptions::new()
        .write(true)
        .create(true)
        .truncate(true)
        .mode(0o600)
        .open(&unfinished)?;
    file.write_all(hex::encode(key).as_bytes())?;
    file.sync_all()?;
    fs::rename(&unfinished, path)
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    fn with(key: Option<&str>) -> Secrets {
        Secrets {
            admin_api_key: None,
            encryption_key: key.map(Into::into),
        }
    }

    #[test]
    fn a_key_is_made_once_for_its_owner_alone() {
        let folder = std::env::temp_dir().join(format!("triaxis-key-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let sealed = with(None)
            .vault(&folder)
            .unwrap()
            .seal("x", "text")
            .unwrap();
        let mode = fs::metadata(folder.join(FILE))
            .unwrap()
            .permissions()
            .mode();
        assert_eq!(mode & 0o777, 0o600);
        let again = with(None).vault(&folder).unwrap();
        assert_eq!(again.open("x", &sealed).unwrap(), "text");
        fs::write(folder.join(FILE), "no key").unwrap();
        assert!(with(None).vault(&folder).is_err(), "it is never replaced");
        fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn whoever_only_reads_makes_no_key() {
        let folder = std::env::temp_dir().join(format!("triaxis-no-key-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        assert!(with(None).vault_that_is(&folder).is_err());
        assert!(!folder.join(FILE).exists());
        assert!(with(Some(&"a1".repeat(32))).vault_that_is(&folder).is_ok());
        with(None).vault(&folder).unwrap();
        assert!(with(None).vault_that_is(&folder).is_ok());
        fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn a_key_is_32_bytes_in_either_form() {
        for right in [&"a1".repeat(32), &STANDARD.encode([7; 32])] {
            assert!(with(Some(right)).check().is_ok(), "{right}");
        }
        for wrong in ["short", &"a1".repeat(31), &STANDARD.encode([7; 16])] {
            assert!(with(Some(wrong)).check().is_err(), "{wrong}");
        }
        assert!(
            with(Some(" ")).check().is_ok(),
            "an empty variable is unset"
        );
    }
}
