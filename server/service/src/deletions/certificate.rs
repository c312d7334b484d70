//! Certificates: what is said of a deletion, signed so that anybody can check it with the server's public key.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use domain::Fault;
use domain::deletion::canonical;
use ring::signature::{ED25519, Ed25519KeyPair, KeyPair, UnparsedPublicKey};
use serde_json::{Value, json};

use crate::vault::Vault;

/// What the key is for; with another purpose it is another key.
const PURPOSE: &str = "deletion certificates";

/// Signs certificates.
pub(super) struct Signer(Ed25519KeyPair);

impl Signer {
    /// With the key of a server.
    pub(super) fn new(vault: &Vault) -> Result<Self, Fault> {
        let pair = Ed25519KeyPair::from_seed_unchecked(&vault.derive(PURPOSE));
        let unusable = |_| Fault::internal("the key of certificates cannot be used");
        pair.map(Signer).map_err(unusable)
    }

    /// The public key, base64.
    pub(super) fn public_key(&self) -> String {
        STANDARD.encode(self.0.public_key().as_ref())
    }

    /// The certificate of a statement.
    pub(super) fn sign(&self, statement: &Value) -> Value {
        let signature = self.0.sign(canonical(statement).as_bytes());
        json!({
            "statement": statement,
            "signature": {
                "algorithm": "Ed25519",
                "over": "the statement as JSON without blanks, names in the order of their bytes",
                "public_key": self.public_key(),
                "value": STANDARD.encode(signature.as_ref()),
            },
        })
    }
}

/// The public key of a server's certificates, base64.
///
/// # Errors
/// `internal` when there is none.
pub fn public_key_of(vault: &Vault) -> Result<String, Fault> {
    Ok(Signer::new(vault)?.public_key())
}

/// Checks a certificate against a public key; what it states.
///
/// # Errors
/// `invalid` when it is none, was signed with another key, or was changed.
pub fn verify(certificate: &Value, public_key: &str) -> Result<Value, Fault> {
    let decode = |text: Option<&str>| text.and_then(|text| STANDARD.decode(text.trim()).ok());
    let none = || Fault::invalid("this is no certificate of a deletion");
    let statement = certificate.get("statement").ok_or_else(none)?;
    let value = certificate.pointer("/signature/value");
    let signature = decode(value.and_then(Value::as_str)).ok_or_else(none)?;
    let key = decode(Some(public_key));
    let key = key.ok_or_else(|| Fault::invalid("the public key is no base64"))?;
    let signed = canonical(statement);
    UnparsedPublicKey::new(&ED25519, key)
        .verify(signed.as_bytes(), &signature)
        .map_err(|_| Fault::invalid("it was changed, or signed with another key"))?;
    Ok(statement.clone())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::vault::KEY_BYTES;

    #[test]
    fn a_certificate_holds_with_its_key_as_it_was_and_no_otherwise() {
        let vault = Vault::new(&[7; KEY_BYTES]);
        let signer = Signer::new(&vault).unwrap();
        let made = signer.sign(&json!({"b": 1, "a": ["x"]}));
        let key = public_key_of(&vault).unwrap();
        let read: Value =
            serde_json::from_str(&serde_json::to_string_pretty(&made).unwrap()).unwrap();
        assert_eq!(verify(&read, &key).unwrap()["b"], 1);
        let mut changed = read.clone();
        changed["statement"]["b"] = json!(2);
        assert!(verify(&changed, &key).is_err());
        let other = public_key_of(&Vault::new(&[8; KEY_BYTES])).unwrap();
        assert!(verify(&read, &other).is_err());
        assert!(verify(&json!({}), &key).is_err());
    }
}
