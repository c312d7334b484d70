//! Names and addresses as people type them.

use domain::Fault;

/// Most characters of a name.
const MAX_CHARS: usize = 100;

/// A name without blanks around it: 1 to 100 characters, none of them a control character (so no
/// NUL either, which Postgres cannot store).
///
/// # Errors
/// `invalid` on that field.
pub(crate) fn name(field: &str, text: &str) -> Result<String, Fault> {
    let text = text.trim();
    if text.is_empty() {
        return Err(Fault::invalid(format!("{field} must not be empty")).on_field(field));
    }
    note(field, text)
}

/// As [`name`], but it may be empty.
///
/// # Errors
/// `invalid` on that field.
pub(crate) fn note(field: &str, text: &str) -> Result<String, Fault> {
    let text = text.trim();
    if text.chars().count() > MAX_CHARS {
        let message = format!("{field} must have at most {MAX_CHARS} characters");
        return Err(Fault::invalid(message).on_field(field));
    }
    if text.chars().any(char::is_control) {
        let message = format!("{field} must not hold control characters");
        return Err(Fault::invalid(message).on_field(field));
    }
    Ok(text.to_owned())
}

/// An e-mail address in lower case. Only what could never be delivered to is refused.
///
/// # Errors
/// `invalid` on the field `email`.
pub(crate) fn email(text: &str) -> Result<String, Fault> {
    let text = text.trim().to_lowercase();
    let plausible = text
        .rsplit_once('@')
        .is_some_and(|(user, host)| !user.is_empty() && !host.is_empty() && text.len() <= 254);
    if plausible && !text.chars().any(|c| c.is_control() || c.is_whitespace()) {
        Ok(text)
    } else {
        Err(Fault::invalid("give an e-mail address such as ada@example.com").on_field("email"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_stored_or_shown_is_refused_by_field() {
        assert_eq!(name("name", "  Grün 🚀 ").unwrap(), "Grün 🚀");
        for wrong in ["", "  ", "a\u{0}b", "a\nb", &"x".repeat(101)] {
            assert_eq!(
                name("name", wrong).unwrap_err().field.as_deref(),
                Some("name")
            );
        }
        assert_eq!(note("note", "").unwrap(), "");
    }

    #[test]
    fn addresses_are_lower_case_and_have_both_halves() {
        assert_eq!(email(" Ada@Example.COM ").unwrap(), "ada@example.com");
        for wrong in ["ada", "@b.c", "a@", "a b@c.d", "a@b\u{0}.c"] {
            assert_eq!(
                email(wrong).unwrap_err().field.as_deref(),
                Some("email"),
                "{wrong}"
            );
        }
    }
}
