//! What the provider says of itself, and requests to it. Its answers are never shown.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use bytes::Bytes;
use domain::Fault;
use http::header::{ACCEPT, AUTHORIZATION, CONTENT_TYPE};
use http::{HeaderMap, HeaderValue, Method, StatusCode};
use jsonwebtoken::jwk::Jwk;
use secrecy::ExposeSecret;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};
use tokio::time::Instant;
use url::{Url, form_urlencoded};

use super::{Oidc, Refusal, redirect_uri};
use crate::app::App;
use crate::outbound::{Content, Limits, Outgoing};

/// How long what the provider says of itself is believed.
const BELIEVED_FOR: Duration = Duration::from_secs(3600);
/// What one request may cost.
const LIMITS: Limits = Limits {
    time: Duration::from_secs(10),
    answer_bytes: 1 << 20,
};

/// What the provider said of itself.
#[derive(Default)]
pub(crate) struct Cache {
    metadata: Remembered<Metadata>,
    keys: Remembered<Vec<Jwk>>,
}

/// Something that is believed for a while.
type Remembered<T> = Mutex<Option<(Arc<T>, Instant)>>;

/// Where its doors are.
#[derive(Clone, Debug)]
pub(super) struct Metadata {
    pub(super) issuer: String,
    pub(super) authorization_endpoint: Url,
    token_endpoint: Url,
    jwks_uri: Url,
    userinfo_endpoint: Option<Url>,
    /// Whether a client may show its secret in the header.
    takes_basic: bool,
}

#[derive(Deserialize)]
struct Discovered {
    issuer: String,
    authorization_endpoint: String,
    token_endpoint: String,
    jwks_uri: String,
    userinfo_endpoint: Option<String>,
    token_endpoint_auth_methods_supported: Option<Vec<String>>,
}

/// What a code was worth.
#[derive(Deserialize)]
pub(super) struct Given {
    pub(super) id_token: String,
    pub(super) access_token: Option<String>,
}

/// Where the provider's doors are.
pub(super) async fn metadata(app: &App, oidc: &Oidc) -> Result<Arc<Metadata>, Fault> {
    let cache = &app.gate().provider.metadata;
    if let Some(known) = believed(cache) {
        return Ok(known);
    }
    let issuer = oidc.issuer.as_str().trim_end_matches('/');
    let url = format!("{issuer}/.well-known/openid-configuration");
    let url = Url::parse(&url).map_err(Fault::internal)?;
    let found: Discovered = read(app, request(Method::GET, url)).await?;
    // A slash at the end is the one difference: addresses are written with and without it.
    if found.issuer.trim_end_matches('/') != issuer {
        return Err(unusable("it names another issuer"));
    }
    let address = |text: &str| {
        let url = Url::parse(text).map_err(|_| unusable("it names no addresses"))?;
        // Whoever is reached by TLS does not lead away from it.
        match url.scheme() {
            "https" => Ok(url),
            "http" if oidc.issuer.scheme() == "http" => Ok(url),
            _ => Err(unusable("it leads away from https")),
        }
    };
    let methods = found.token_endpoint_auth_methods_supported;
    let metadata = Metadata {
        authorization_endpoint: address(&found.authorization_endpoint)?,
        token_endpoint: address(&found.token_endpoint)?,
        jwks_uri: address(&found.jwks_uri)?,
        userinfo_endpoint: found
            .userinfo_endpoint
            .as_deref()
            .map(address)
            .transpose()?,
        takes_basic: methods.is_none_or(|methods| {
            let has = |name: &str| methods.iter().any(|method| method == name);
            has("client_secret_basic") || !has("client_secret_post")
        }),
        issuer: found.issuer,
    };
    Ok(remember(cache, metadata))
}

/// The keys that it signs with.
pub(super) async fn keys(app: &App, metadata: &Metadata) -> Result<Arc<Vec<Jwk>>, Fault> {
    match believed(&app.gate().provider.keys) {
        Some(known) => Ok(known),
        None => renewed_keys(app, metadata).await,
    }
}

/// The keys that it signs with by now.
pub(super) async fn renewed_keys(app: &App, metadata: &Metadata) -> Result<Arc<Vec<Jwk>>, Fault> {
    #[derive(Deserialize)]
    struct Keys {
        keys: Vec<Value>,
    }
    let found: Keys = read(app, request(Method::GET, metadata.jwks_uri.clone())).await?;
    // Keys of a kind that is not known here do not keep the others from counting.
    let keys = found.keys.into_iter();
    let keys = keys.filter_map(|key| serde_json::from_value(key).ok());
    Ok(remember(&app.gate().provider.keys, keys.collect()))
}

/// What a code is worth.
pub(super) async fn redeem(
    app: &App,
    (oidc, metadata): (&Oidc, &Metadata),
    (code, verifier): (&str, &str),
) -> Result<Given, Refusal> {
    let outgoing = redemption(app, (oidc, metadata), (code, verifier))?;
    let answer = app.outbound().send(outgoing, LIMITS).await;
    let answer = answer.map_err(away)?;
    if answer.status.is_client_error() {
        return Err(Refusal::Failed("the provider does not know the code"));
    }
    if answer.status != StatusCode::OK {
        return Err(unusable("it gave no token").into());
    }
    let given = serde_json::from_slice(&answer.body);
    given.map_err(|_| Refusal::Failed("the provider gave no token"))
}

fn redemption(
    app: &App,
    (oidc, metadata): (&Oidc, &Metadata),
    (code, verifier): (&str, &str),
) -> Result<Outgoing, Fault> {
    let mut form = form_urlencoded::Serializer::new(String::new());
    form.append_pair("grant_type", "authorization_code")
        .append_pair("code", code)
        .append_pair("redirect_uri", &redirect_uri(app))
        .append_pair("code_verifier", verifier);
    let mut outgoing = request(Method::POST, metadata.token_endpoint.clone());
    let form_type = HeaderValue::from_static("application/x-www-form-urlencoded");
    outgoing.headers.insert(CONTENT_TYPE, form_type);
    match &oidc.client_secret {
        Some(secret) if metadata.takes_basic => {
            let encoded = |text: &str| -> String {
                form_urlencoded::byte_serialize(text.as_bytes()).collect()
            };
            let (id, secret) = (encoded(&oidc.client_id), encoded(secret.expose_secret()));
            let basic = format!("Basic {}", STANDARD.encode(format!("{id}:{secret}")));
            outgoing.headers.insert(AUTHORIZATION, sensitive(&basic)?);
        }
        Some(secret) => {
            form.append_pair("client_id", &oidc.client_id)
                .append_pair("client_secret", secret.expose_secret());
        }
        None => {
            form.append_pair("client_id", &oidc.client_id);
        }
    }
    outgoing.content = Content::Memory(Bytes::from(form.finish()));
    Ok(outgoing)
}

/// What it tells of a person apart from the token; `None` where it has no such door.
pub(super) async fn user_info(
    app: &App,
    metadata: &Metadata,
    access_token: Option<String>,
) -> Result<Option<Map<String, Value>>, Fault> {
    let Some((url, token)) = metadata.userinfo_endpoint.clone().zip(access_token) else {
        return Ok(None);
    };
    let mut outgoing = request(Method::GET, url);
    let bearer = sensitive(&format!("Bearer {token}"))?;
    outgoing.headers.insert(AUTHORIZATION, bearer);
    read(app, outgoing).await.map(Some)
}

fn request(method: Method, url: Url) -> Outgoing {
    let mut headers = HeaderMap::new();
    headers.insert(ACCEPT, HeaderValue::from_static("application/json"));
    Outgoing {
        method,
        url,
        headers,
        content: Content::Memory(Bytes::new()),
    }
}

async fn read<T: DeserializeOwned>(app: &App, outgoing: Outgoing) -> Result<T, Fault> {
    let answer = app.outbound().send(outgoing, LIMITS).await.map_err(away)?;
    if answer.status != StatusCode::OK {
        return Err(unusable("it refuses what is asked of it"));
    }
    serde_json::from_slice(&answer.body).map_err(|_| unusable("it answers in another form"))
}

fn sensitive(text: &str) -> Result<HeaderValue, Fault> {
    let value = HeaderValue::from_str(text);
    let mut value = value.map_err(|_| unusable("what it gave cannot be sent"))?;
    value.set_sensitive(true);
    Ok(value)
}

fn away(error: crate::outbound::OutboundError) -> Fault {
    Fault::unavailable("the provider of sign-ins does not answer at the moment").because(error)
}

/// The operator reads why; whoever signs in learns that it does not work.
fn unusable(why: &'static str) -> Fault {
    tracing::error!(why, "the provider of sign-ins cannot be used");
    Fault::unavailable("the provider of sign-ins cannot be used at the moment")
}

fn believed<T>(cache: &Remembered<T>) -> Option<Arc<T>> {
    let cache = cache.lock().unwrap_or_else(PoisonError::into_inner);
    let (known, since) = cache.as_ref()?;
    (since.elapsed() < BELIEVED_FOR).then(|| Arc::clone(known))
}

fn remember<T>(cache: &Remembered<T>, value: T) -> Arc<T> {
    let value = Arc::new(value);
    let mut cache = cache.lock().unwrap_or_else(PoisonError::into_inner);
    *cache = Some((Arc::clone(&value), Instant::now()));
    value
}
