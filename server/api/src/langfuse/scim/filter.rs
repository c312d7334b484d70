//! The one filter that is understood: `userName eq "ada@example.com"`.

use crate::langfuse::error::{Issue, Result};

/// The e-mail address that a filter asks for, in lower case.
///
/// # Errors
/// When it is another filter.
pub(super) fn read(filter: &str) -> Result<String> {
    let wrong = || Issue::new("custom", "filter", "only userName eq \"…\" is supported");
    let mut words = filter.trim().splitn(3, char::is_whitespace);
    let (field, operator) = (words.next(), words.next());
    let fits = field.is_some_and(|field| field.eq_ignore_ascii_case("userName"))
        && operator.is_some_and(|operator| operator.eq_ignore_ascii_case("eq"));
    let value = words.next().filter(|_| fits).map(str::trim);
    let quoted = value.and_then(|value| value.strip_prefix('"')?.strip_suffix('"'));
    let email = quoted.filter(|email| !email.contains(['"', '\\']));
    Ok(email.ok_or_else(wrong)?.to_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_read_and_anything_else_refused() {
        for right in [
            r#"userName eq "Ada@x.org""#,
            r#" username EQ  "ada@x.org" "#,
        ] {
            assert_eq!(read(right).unwrap(), "ada@x.org", "{right}");
        }
        for wrong in [
            "",
            "userName",
            "userName eq",
            "userName eq ada",
            r#"userName co "ada""#,
            r#"emails eq "ada""#,
            r#"userName eq "a" or userName eq "b""#,
        ] {
            assert!(read(wrong).is_err(), "{wrong}");
        }
    }
}
