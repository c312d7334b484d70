//! Which address a request goes to and with which headers; what an answer that is none says.

use bytes::Bytes;
use domain::Fault;
use domain::llm_connection::{Adapter, LlmConnection};
use http::header::{ACCEPT, AUTHORIZATION, CONTENT_TYPE};
use http::{HeaderMap, HeaderName, HeaderValue, Method};
use serde_json::Value as Json;
use url::Url;

use super::ask::{Ask, MAX_BYTES};
use super::{anthropic, openai};
use crate::llm_connections::Credentials;
use crate::outbound::{Content, Outgoing};

/// Version of Anthropic's interface.
const ANTHROPIC_VERSION: &str = "2023-06-01";
/// Version of Azure's interface, where the address names none.
const AZURE_VERSION: &str = "2024-10-21";
/// Most characters of what another server says.
const MAX_WORDS: usize = 500;
/// Stands in the place of a credential that another server repeats.
const HIDDEN: &str = "[hidden]";

/// The request.
///
/// # Errors
/// `invalid` for an adapter that is not served, an address or a credential that cannot be used, or too much
/// content.
pub(super) fn outgoing(
    (connection, credentials): (&LlmConnection, &Credentials),
    ask: &Ask,
) -> Result<Outgoing, Fault> {
    let url = address(connection, &ask.model)?;
    let body = match connection.adapter {
        Adapter::Anthropic => anthropic::body(ask),
        Adapter::OpenAi => openai::body(ask, connection.base_url.is_none()),
        _ => openai::body(ask, false),
    };
    let body = body.to_string();
    if body.len() > MAX_BYTES {
        return Err(Fault::invalid("the request is larger than 4 MB").on_field("messages"));
    }
    Ok(Outgoing {
        method: Method::POST,
        url,
        headers: headers(connection.adapter, credentials)?,
        content: Content::Memory(Bytes::from(body)),
    })
}

fn address(connection: &LlmConnection, model: &str) -> Result<Url, Fault> {
    let unusable = |message: String| Fault::invalid(message).on_field("connection");
    let usual = match connection.adapter {
        Adapter::OpenAi => Some("https://api.openai.com/v1"),
        Adapter::Anthropic => Some("https://api.anthropic.com"),
        Adapter::AiStudio => Some("https://generativelanguage.googleapis.com"),
        Adapter::Azure => None,
        adapter @ (Adapter::Bedrock | Adapter::VertexAi) => {
            let message = format!(
                "connections of the kind {adapter} are kept for other programs, and not served here"
            );
            return Err(unusable(message));
        }
    };
    let base = connection.base_url.as_deref().or(usual);
    let base =
        base.ok_or_else(|| unusable("a connection to Azure needs its address".to_owned()))?;
    let wrong = || unusable("the address of the connection cannot be read".to_owned());
    let mut url = Url::parse(base).map_err(|_| wrong())?;
    let ends = url.path().trim_end_matches('/').to_owned();
    let segments: Vec<&str> = match connection.adapter {
        Adapter::Anthropic if ends.ends_with("/v1") => vec!["messages"],
        Adapter::Anthropic => vec!["v1", "messages"],
        Adapter::Azure => vec![model, "chat", "completions"],
        Adapter::AiStudio if !ends.ends_with("/openai") => {
            vec!["v1beta", "openai", "chat", "completions"]
        }
        _ => vec!["chat", "completions"],
    };
    let mut path = url.path_segments_mut().map_err(|()| wrong())?;
    path.pop_if_empty().extend(segments);
    drop(path);
    let has_version = url.query_pairs().any(|(name, _)| name == "api-version");
    if connection.adapter == Adapter::Azure && !has_version {
        url.query_pairs_mut()
            .append_pair("api-version", AZURE_VERSION);
    }
    Ok(url)
}

fn headers(adapter: Adapter, credentials: &Credentials) -> Result<HeaderMap, Fault> {
    let mut headers = HeaderMap::new();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    headers.insert(
        ACCEPT,
        HeaderValue::from_static("text/event-stream, application/json"),
    );
    let secret = &credentials.secret;
    let (name, value) = match adapter {
        Adapter::Anthropic => (HeaderName::from_static("x-api-key"), secret.clone()),
        Adapter::Azure => (HeaderName::from_static("api-key"), secret.clone()),
        _ => (AUTHORIZATION, format!("Bearer {secret}")),
    };
    if adapter == Adapter::Anthropic {
        let version = HeaderValue::from_static(ANTHROPIC_VERSION);
        headers.insert("anthropic-version", version);
    }
    headers.insert(name, hidden(&value)?);
    for (name, value) in &credentials.extra_headers {
        let name = HeaderName::from_bytes(name.as_bytes());
        let unusable = |_| Fault::invalid("a header of the connection cannot be sent");
        headers.insert(name.map_err(unusable)?, hidden(value)?);
    }
    Ok(headers)
}

fn hidden(value: &str) -> Result<HeaderValue, Fault> {
    let value = HeaderValue::from_str(value.trim());
    let mut value = value.map_err(|_| {
        let message = "the credential of the connection cannot be sent: set it again";
        Fault::invalid(message).on_field("connection")
    })?;
    value.set_sensitive(true);
    Ok(value)
}

/// What an error of an interface says of itself.
pub(super) fn words_of(error: &Json) -> String {
    let field = |name: &str| error.get(name).and_then(Json::as_str);
    let words = error
        .as_str()
        .or_else(|| field("message"))
        .or_else(|| field("type"));
    words.unwrap_or("it says no more").to_owned()
}

/// What is told of an answer with a status that is none of success: its error's own words, if it has any,
/// and nothing else of it.
pub(super) fn refusal(status: http::StatusCode, body: &[u8]) -> String {
    let json: Option<Json> = serde_json::from_slice(body).ok();
    // Some imitations put the error into a list.
    let json = json.map(|json| match json {
        Json::Array(mut list) if !list.is_empty() => list.swap_remove(0),
        other => other,
    });
    let error = json.as_ref().and_then(|json| {
        let inner = ["error", "detail", "message"]
            .iter()
            .find_map(|field| json.get(*field));
        inner.filter(|inner| inner.is_string() || inner.get("message").is_some())
    });
    match error {
        Some(error) => format!("{}: {}", status.as_u16(), words_of(error)),
        None if status.is_redirection() => format!(
            "{}: the address leads on to another one, which is not followed",
            status.as_u16()
        ),
        None => format!("the provider answered with status {}", status.as_u16()),
    }
}

/// Words of another server as they may be shown: cut, in one line, without the credentials.
pub(super) fn shown(words: &str, credentials: &Credentials) -> String {
    let mut words = words.to_owned();
    let secrets = credentials.extra_headers.values();
    for secret in secrets.chain([&credentials.secret]) {
        if secret.len() >= 4 {
            words = words.replace(secret.as_str(), HIDDEN);
        }
    }
    let plain = words.chars().map(|char| match char {
        char if char.is_control() => ' ',
        char => char,
    });
    let mut shown: String = plain.clone().take(MAX_WORDS).collect();
    if plain.count() > MAX_WORDS {
        shown.push('…');
    }
    shown
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use domain::{LlmConnectionId, Timestamp};
    use http::StatusCode;

    use super::*;

    fn connection(adapter: Adapter, base_url: Option<&str>) -> LlmConnection {
        LlmConnection {
            id: LlmConnectionId(uuid::Uuid::nil()),
            provider: "p".to_owned(),
            adapter,
            secret_hint: String::new(),
            base_url: base_url.map(str::to_owned),
            custom_models: Vec::new(),
            with_default_models: true,
            extra_header_names: Vec::new(),
            config: None,
            created_at: Timestamp::EPOCH,
            updated_at: Timestamp::EPOCH,
        }
    }

    #[test]
    fn each_interface_has_its_address() {
        let of = |adapter, base| address(&connection(adapter, base), "a/b").map(String::from);
        for (adapter, base, expected) in [
            (
                Adapter::OpenAi,
                None,
                "https://api.openai.com/v1/chat/completions",
            ),
            (
                Adapter::OpenAi,
                Some("http://x:1/v1/"),
                "http://x:1/v1/chat/completions",
            ),
            (
                Adapter::Anthropic,
                None,
                "https://api.anthropic.com/v1/messages",
            ),
            (
                Adapter::Anthropic,
                Some("http://x/v1"),
                "http://x/v1/messages",
            ),
            (
                Adapter::Azure,
                Some("https://r.openai.azure.com/openai/deployments"),
                "https://r.openai.azure.com/openai/deployments/a%2Fb/chat/completions?api-version=2024-10-21",
            ),
            (
                Adapter::AiStudio,
                None,
                "https://generativelanguage.googleapis.com/v1beta/openai/chat/completions",
            ),
        ] {
            assert_eq!(of(adapter, base).unwrap(), expected);
        }
        assert!(of(Adapter::Azure, None).is_err());
        for adapter in [Adapter::Bedrock, Adapter::VertexAi] {
            let fault = of(adapter, None).unwrap_err();
            assert!(fault.message.contains("not served"), "{}", fault.message);
        }
    }

    #[test]
    fn of_a_refusal_its_own_words_are_told_and_nothing_else() {
        let told = |body: &str| refusal(StatusCode::UNAUTHORIZED, body.as_bytes());
        assert_eq!(told(r#"{"error":{"message":"bad key"}}"#), "401: bad key");
        assert_eq!(told(r#"[{"error":{"message":"bad key"}}]"#), "401: bad key");
        assert_eq!(told(r#"{"detail":"no"}"#), "401: no");
        let none = "the provider answered with status 401";
        for body in [
            "<html>secret</html>",
            "{}",
            r#"{"role":"admin"}"#,
            r#"{"error":{"a":1}}"#,
        ] {
            assert_eq!(told(body), none);
        }
    }

    #[test]
    fn words_are_cut_and_hold_no_credential() {
        let credentials = Credentials {
            secret: "sk-secret".to_owned(),
            extra_headers: BTreeMap::from([("x".to_owned(), "token-7".to_owned())]),
        };
        let words = format!("key sk-secret, token-7\u{1b}[31m\n{}", "x".repeat(900));
        let shown = shown(&words, &credentials);
        assert!(shown.starts_with("key [hidden], [hidden] [31m "), "{shown}");
        assert_eq!(shown.chars().count(), MAX_WORDS + 1);
    }
}
