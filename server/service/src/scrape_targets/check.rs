//! What is checked of a target before it is kept.

use domain::Fault;
use domain::scrape::{INTERVAL_S, TargetDraft};
use url::Url;

use super::Credential;
use crate::app::App;
use crate::names;

/// Most bytes of an address.
const MAX_ADDRESS: usize = 2_000;
/// Most labels of a target.
const MAX_LABELS: usize = 30;
/// Most bytes of a label's name, and of its value.
const MAX_LABEL: usize = 1_000;
/// Most bytes of a token or a password.
const MAX_SECRET: usize = 16 * 1024;

/// The draft as it is kept: a name without blanks around it, an address with a path.
pub(super) fn checked(app: &App, mut draft: TargetDraft) -> Result<TargetDraft, Fault> {
    draft.name = names::name("name", &draft.name)?;
    let url = address(&draft.url)?;
    let reached = app.outbound().check(&url);
    reached.map_err(|error| wrong("url", &error.to_string()))?;
    draft.url = url.to_string();
    if !INTERVAL_S.contains(&draft.interval_s) {
        return Err(wrong("interval_s", "give 1 to 3600 seconds"));
    }
    let is_label = |(name, value): (&String, &String)| {
        let fits = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_';
        let is_name = name.bytes().all(fits) && !name.starts_with(|c: char| c.is_ascii_digit());
        let is_value = value.len() <= MAX_LABEL && !value.chars().any(char::is_control);
        is_name && (1..=MAX_LABEL).contains(&name.len()) && !name.starts_with("__") && is_value
    };
    if draft.labels.len() > MAX_LABELS || !draft.labels.iter().all(is_label) {
        let message = "give at most 30 labels; names have letters, digits and _, and do not begin \
                       with a digit or __";
        return Err(wrong("labels", message));
    }
    Ok(draft)
}

/// An address; without a path it is that of metrics.
fn address(text: &str) -> Result<Url, Fault> {
    let is_odd = |text: &str| text.len() > MAX_ADDRESS || text.chars().any(char::is_control);
    let url: Option<Url> = (!is_odd(text)).then(|| text.trim().parse().ok()).flatten();
    let url = url.filter(|url| ["http", "https"].contains(&url.scheme()) && url.has_host());
    let message = "give an address such as http://10.0.0.7:8000/metrics";
    let mut url = url.ok_or_else(|| wrong("url", message))?;
    if !url.username().is_empty() || url.password().is_some() {
        let message = "must not hold a credential: give it as auth, so that it is kept sealed";
        return Err(wrong("url", message));
    }
    url.set_fragment(None);
    if url.path() == "/" && url.query().is_none() {
        url.set_path("/metrics");
    }
    Ok(url)
}

/// Whether two addresses are of one host and port, reached the same way.
pub(super) fn is_same_origin(one: &str, other: &str) -> bool {
    match (Url::parse(one), Url::parse(other)) {
        (Ok(one), Ok(other)) => one.origin() == other.origin(),
        _ => false,
    }
}

/// Checks a credential.
pub(super) fn credential(credential: &Credential) -> Result<(), Fault> {
    let is_odd = |text: &str| text.chars().any(char::is_control);
    let (user, secret) = match credential {
        Credential::Bearer(token) => (None, token),
        Credential::Basic(user, password) => (Some(user), password),
    };
    if user.is_some_and(|user| user.contains(':') || user.len() > MAX_LABEL || is_odd(user)) {
        let message = "a user must have no colon, no control characters and at most 1000 bytes";
        return Err(wrong("auth", message));
    }
    if !(1..=MAX_SECRET).contains(&secret.len()) || is_odd(secret) {
        let message = "give a token or password of 1 to 16384 bytes without control characters";
        return Err(wrong("auth", message));
    }
    Ok(())
}

fn wrong(field: &str, why: &str) -> Fault {
    Fault::invalid(format!("{field}: {why}")).on_field(field)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_without_a_path_is_that_of_metrics() {
        let kept = |text| address(text).map(String::from).ok();
        assert_eq!(
            kept(" http://a:8000 ").as_deref(),
            Some("http://a:8000/metrics")
        );
        let with_path = "https://a/v1/metrics?model=b";
        assert_eq!(kept(with_path).as_deref(), Some(with_path));
        assert_eq!(kept("http://a/?b").as_deref(), Some("http://a/?b"));
        for wrong in [
            "",
            "a:8000",
            "ftp://a/",
            "http://u:p@a/",
            "http://u@a/",
            "http://\0/",
        ] {
            let fault = address(wrong).unwrap_err();
            assert_eq!(fault.field.as_deref(), Some("url"), "{wrong}");
        }
    }

    #[test]
    fn a_credential_stays_with_its_host() {
        assert!(is_same_origin("http://a:80/metrics", "http://a/other"));
        for elsewhere in ["http://b/", "http://a:81/", "https://a/"] {
            assert!(!is_same_origin("http://a/", elsewhere), "{elsewhere}");
        }
    }
}
