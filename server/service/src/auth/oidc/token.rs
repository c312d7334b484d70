//! Tokens, checked: signature, issuer, audience, time, nonce.

use jsonwebtoken::jwk::{AlgorithmParameters, Jwk, PublicKeyUse};
use jsonwebtoken::{Algorithm, DecodingKey, Validation, decode, decode_header};
use serde_json::{Map, Value};

use super::Refusal;

/// What a token may be signed with: pairs of keys only, for with a shared key whoever checks could sign.
const ALGORITHMS: [Algorithm; 9] = [
    Algorithm::RS256,
    Algorithm::RS384,
    Algorithm::RS512,
    Algorithm::PS256,
    Algorithm::PS384,
    Algorithm::PS512,
    Algorithm::ES256,
    Algorithm::ES384,
    Algorithm::EdDSA,
];
/// How far clocks may differ. Seconds.
const LEEWAY: u64 = 60;

/// What a token must say.
pub(super) struct Expected<'a> {
    pub(super) issuer: &'a str,
    pub(super) client_id: &'a str,
    pub(super) nonce: &'a str,
}

/// Why a token does not count.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Wrong {
    /// It may be signed with a key that is not known yet.
    UnknownKey,
    /// Anything else.
    Refused(&'static str),
}

/// What a token that counts says.
#[derive(Debug)]
pub(super) struct Claims(Map<String, Value>);

impl Claims {
    /// Who it is of, as the provider names them.
    pub(super) fn subject(&self) -> &str {
        self.text("sub").unwrap_or_default()
    }

    /// A text.
    pub(super) fn text(&self, name: &str) -> Option<&str> {
        self.0.get(name)?.as_str()
    }

    /// The address, where the provider has verified it.
    pub(super) fn verified_email(&self) -> Option<&str> {
        // Some providers write it as a text.
        let verified = match self.0.get("email_verified")? {
            Value::Bool(verified) => *verified,
            Value::String(text) => text == "true",
            _ => false,
        };
        self.text("email").filter(|_| verified)
    }

    /// The texts of a list, or of one text.
    pub(super) fn list(&self, name: &str) -> Vec<&str> {
        match self.0.get(name) {
            Some(Value::Array(items)) => items.iter().filter_map(Value::as_str).collect(),
            Some(Value::String(text)) => vec![text],
            _ => Vec::new(),
        }
    }

    /// Whether it says anything of that.
    pub(super) fn has(&self, name: &str) -> bool {
        self.0.contains_key(name)
    }

    /// Adds what the provider told apart from the token; the token's own words stay.
    pub(super) fn complete(&mut self, told: Map<String, Value>) -> Result<(), Refusal> {
        if told.get("sub").and_then(Value::as_str) != Some(self.subject()) {
            return Err(Refusal::Failed("the provider told of another person"));
        }
        // An address and whether it is verified belong together.
        let had_email = self.has("email");
        for (name, value) in told {
            if !(had_email && name == "email_verified") {
                self.0.entry(name).or_insert(value);
            }
        }
        Ok(())
    }
}

/// Whether a key is one for signatures of that kind.
fn may_sign(key: &Jwk, algorithm: Algorithm) -> bool {
    use Algorithm::{ES256, ES384, EdDSA, PS256, PS384, PS512, RS256, RS384, RS512};
    let is_of_kind = match &key.algorithm {
        AlgorithmParameters::RSA(_) => {
            [RS256, RS384, RS512, PS256, PS384, PS512].contains(&algorithm)
        }
        AlgorithmParameters::EllipticCurve(_) => [ES256, ES384].contains(&algorithm),
        AlgorithmParameters::OctetKeyPair(_) => algorithm == EdDSA,
        AlgorithmParameters::OctetKey(_) => false,
    };
    let common = &key.common;
    let signs = common.public_key_use.as_ref();
    // Both are called as the standard calls them.
    let named = common.key_algorithm.map(|named| format!("{named:?}"));
    is_of_kind
        && signs.is_none_or(|signs| *signs == PublicKeyUse::Signature)
        && named.is_none_or(|named| named == format!("{algorithm:?}"))
}

/// What a token says, if it counts.
pub(super) fn check(token: &str, keys: &[Jwk], expected: &Expected<'_>) -> Result<Claims, Wrong> {
    let header =
        decode_header(token).map_err(|_| Wrong::Refused("the token is none, or is not signed"))?;
    if !ALGORITHMS.contains(&header.alg) {
        return Err(Wrong::Refused("the token is signed by a shared key"));
    }
    let mut candidates = keys.iter().filter(|key| {
        let is_named = header.kid.is_none() || key.common.key_id == header.kid;
        is_named && may_sign(key, header.alg)
    });
    let key = candidates.next().ok_or(Wrong::UnknownKey)?;
    if candidates.next().is_some() {
        return Err(Wrong::Refused(
            "the token does not say which key it is signed with",
        ));
    }
    let key = DecodingKey::from_jwk(key).map_err(|_| Wrong::Refused("the key cannot be read"))?;
    let mut validation = Validation::new(header.alg);
    validation.leeway = LEEWAY;
    validation.validate_nbf = true;
    validation.set_issuer(&[expected.issuer]);
    validation.set_audience(&[expected.client_id]);
    validation.set_required_spec_claims(&["exp", "iss", "aud", "sub"]);
    let checked = decode::<Map<String, Value>>(token, &key, &validation);
    let claims = checked.map_err(|error| {
        use jsonwebtoken::errors::ErrorKind;
        Wrong::Refused(match error.kind() {
            ErrorKind::InvalidSignature => "the signature of the token does not hold",
            ErrorKind::ExpiredSignature => "the token has expired",
            ErrorKind::ImmatureSignature => "the token does not count yet",
            ErrorKind::InvalidIssuer => "the token is of another provider",
            ErrorKind::InvalidAudience => "the token is for somebody else",
            _ => "the token does not hold",
        })
    })?;
    let claims = Claims(claims.claims);
    // A list of issuers is none.
    if claims.text("iss") != Some(expected.issuer) {
        return Err(Wrong::Refused("the token is of another provider"));
    }
    if claims.subject().is_empty() {
        return Err(Wrong::Refused("the token names nobody"));
    }
    // A time that is no number would count as none.
    let times = ["exp", "nbf"].map(|name| claims.0.get(name));
    if times.into_iter().flatten().any(|time| !time.is_number()) {
        return Err(Wrong::Refused("the token does not hold"));
    }
    let is_of_many = claims.list("aud").len() > 1;
    let party = claims.text("azp");
    if party.map_or(is_of_many, |party| party != expected.client_id) {
        return Err(Wrong::Refused("the token is for somebody else"));
    }
    if claims.text("nonce") != Some(expected.nonce) {
        return Err(Wrong::Refused("the token is of another flow"));
    }
    Ok(claims)
}
