//! What an address may hold: escapes that are some, and parameters that are known. A name with a typing
//! mistake would otherwise filter nothing and look like an answer.

use axum::http::Uri;
use domain::Fault;

use super::params::wrong;

/// Checks an address against the names of a route's parameters.
///
/// # Errors
/// `invalid`, on the parameter where there is one to blame.
pub(crate) fn check(uri: &Uri, known: &[&str]) -> Result<(), Fault> {
    let query = uri.query().unwrap_or_default();
    if !is_well_escaped(uri.path()) || !is_well_escaped(query) {
        let message = "a % in an address begins two hexadecimal digits of a byte of UTF-8; write a \
            plain % as %25";
        return Err(Fault::invalid(message));
    }
    for (name, _) in form_urlencoded::parse(query.as_bytes()) {
        if !known.contains(&name.as_ref()) {
            return Err(if known.is_empty() {
                wrong(&name, "this route takes no parameters")
            } else {
                wrong(&name, "there is no such parameter; see /docs/api")
            });
        }
    }
    Ok(())
}

/// Whether each `%` begins an escape and the bytes make a text.
fn is_well_escaped(text: &str) -> bool {
    let mut decoded = Vec::with_capacity(text.len());
    let mut bytes = text.bytes();
    while let Some(byte) = bytes.next() {
        if byte != b'%' {
            decoded.push(byte);
            continue;
        }
        let mut digit = || char::from(bytes.next()?).to_digit(16);
        let (Some(high), Some(low)) = (digit(), digit()) else {
            return false;
        };
        decoded.push((high * 16 + low) as u8);
    }
    std::str::from_utf8(&decoded).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn field(address: &str) -> Result<(), Option<String>> {
        let checked = check(&address.parse().unwrap(), &["q", "limit"]);
        checked.map_err(|fault| fault.field)
    }

    #[test]
    fn unknown_names_are_blamed_and_known_ones_pass() {
        assert_eq!(field("/api/v1/traces?q=50%25&limit=1&q="), Ok(()));
        assert_eq!(field("/api/v1/traces"), Ok(()));
        let unknown = field("/api/v1/traces?limit=1&sesion_id=a");
        assert_eq!(unknown, Err(Some("sesion_id".to_owned())));
    }

    #[test]
    fn an_escape_is_two_digits_of_a_text() {
        for wrong in ["?q=50%", "?q=%zz", "?q=%ff", "/%ff"] {
            assert_eq!(field(&format!("/api{wrong}")), Err(None), "{wrong}");
        }
        assert_eq!(field("/api/%C3%A9?q=%E4%B8%AD"), Ok(()));
    }
}
