//! Sign-in with a provider of OpenID Connect: the authorization code flow with PKCE.
//!
//! **Invariants:** what comes back must belong to a flow that the same session began a moment ago, and is taken once; a
//! token counts only with a signature of the provider's key, for this client and this flow; an address that the provider has
//! not verified is nobody's.

/// Whose an identity is, and what their groups make of them.
mod people;
/// What the provider says of itself, and requests to it.
mod provider;
/// Tokens, checked.
mod token;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use domain::tenancy::{Role, SignInMethod};
use domain::{Code, Fault, OrganisationId};
use secrecy::SecretString;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq;
use tokio::time::Instant;
use url::Url;

use super::{Browser, Proven};
use crate::app::App;
use crate::audit;

pub(crate) use provider::Cache;

/// Where the provider sends people back to.
pub const CALLBACK: &str = "/sign-in/oidc/callback";
/// How long somebody may take at the provider. Seconds.
const PATIENCE_S: i64 = 600;

/// What the operator chose of sign-in with a provider.
#[derive(Clone, Debug)]
pub struct Oidc {
    /// The provider, as it names itself.
    pub issuer: Url,
    /// As what this server is known there.
    pub client_id: String,
    /// Its secret; `None`: it has none, and goes by PKCE alone.
    pub client_secret: Option<SecretString>,
    /// What is asked for, with blanks between.
    pub scopes: String,
    /// What the button calls the provider.
    pub name: String,
    /// Claim with the groups of a person.
    pub group_claim: String,
    /// Whether a verified address links to the account that has it.
    pub links_by_email: bool,
    /// Whether a person who has no account gets one.
    pub creates_people: bool,
    /// What groups make of people.
    pub roles: Vec<GroupRole>,
    /// Whether there is no other way in.
    pub is_only: bool,
}

/// What a group makes of people in an organisation.
#[derive(Clone, Debug)]
pub struct GroupRole {
    /// The organisation.
    pub organisation: OrganisationId,
    /// The group, as the claim names it.
    pub group: String,
    /// What they are there.
    pub role: Role,
}

/// A flow that has begun; kept in the session until its answer comes.
#[derive(Clone, Serialize, Deserialize)]
pub struct Flow {
    state: String,
    nonce: String,
    verifier: String,
    begun_at: i64,
    /// Where the person was going.
    pub next: String,
}

/// What the provider sent a browser back with.
#[derive(Clone, Debug, Default)]
pub struct Returned {
    /// The code, where it agreed.
    pub code: Option<String>,
    /// The state that it was given.
    pub state: String,
    /// Who says so, where it says.
    pub issuer: Option<String>,
    /// Its error, where it did not agree.
    pub error: Option<String>,
}

/// Why nobody is signed in.
#[derive(Debug)]
pub enum Refusal {
    /// The flow is not this session's, is over, or what the provider said does not hold.
    Failed(&'static str),
    /// The provider did not agree.
    Declined,
    /// The provider has not verified the address.
    Unverified,
    /// There is an account of the address, which is not linked.
    NotLinked,
    /// There is no account, and none is made.
    NoAccount,
    /// Anything else.
    Fault(Fault),
}

impl From<Fault> for Refusal {
    fn from(fault: Fault) -> Self {
        Refusal::Fault(fault)
    }
}

impl From<store_postgres::StoreError> for Refusal {
    fn from(error: store_postgres::StoreError) -> Self {
        Refusal::Fault(error.into())
    }
}

impl Refusal {
    fn reason(&self) -> &'static str {
        match self {
            Refusal::Failed(why) => why,
            Refusal::Declined => "the provider declined",
            Refusal::Unverified => "the address is not verified",
            Refusal::NotLinked => "the address is that of an account that is not linked",
            Refusal::NoAccount => "there is no account",
            Refusal::Fault(_) => "it could not be checked",
        }
    }
}

/// The provider, where there is one.
pub fn settings(app: &App) -> Option<&Oidc> {
    app.settings().oidc.as_ref()
}

/// Whether passwords open nothing here.
pub fn is_only_way(app: &App) -> bool {
    settings(app).is_some_and(|oidc| oidc.is_only)
}

/// Begins a flow: where to send the browser, and what to keep.
///
/// # Errors
/// `not_found` without a provider, `unavailable` when it does not answer.
pub async fn begin(app: &App, next: &str) -> Result<(String, Flow), Fault> {
    let oidc = settings(app).ok_or_else(no_provider)?;
    let metadata = provider::metadata(app, oidc).await?;
    let flow = Flow {
        state: random(),
        nonce: random(),
        verifier: random(),
        begun_at: app.clock().now().unix_seconds(),
        next: next.to_owned(),
    };
    let mut url = metadata.authorization_endpoint.clone();
    let challenge = URL_SAFE_NO_PAD.encode(Sha256::digest(&flow.verifier));
    url.query_pairs_mut()
        .append_pair("response_type", "code")
        .append_pair("client_id", &oidc.client_id)
        .append_pair("redirect_uri", &redirect_uri(app))
        .append_pair("scope", &oidc.scopes)
        .append_pair("state", &flow.state)
        .append_pair("nonce", &flow.nonce)
        .append_pair("code_challenge", &challenge)
        .append_pair("code_challenge_method", "S256");
    Ok((url.into(), flow))
}

/// Ends a flow with what the provider said. The flow must be out of the session by now, so that it serves once.
///
/// # Errors
/// Why nobody is signed in.
pub async fn finish(
    app: &App,
    (flow, returned): (Option<Flow>, &Returned),
    browser: &Browser,
) -> Result<Proven, Refusal> {
    let oidc = settings(app).ok_or_else(no_provider)?;
    // The state is another each time: only what is allowed to a network counts.
    let tries = app
        .gate()
        .sign_in
        .take(browser.address, &returned.state, Instant::now())?;
    let person = match identified(app, oidc, (flow, returned)).await {
        Ok(claims) => people::enter(app, oidc, (&claims, browser)).await,
        Err(refusal) => Err(refusal),
    };
    match person {
        Ok(person) => {
            app.gate().sign_in.give_back(&tries);
            let method = SignInMethod::Oidc;
            audit::signed_in(app, person.id, (browser.address, method)).await;
            Ok(Proven { person, method })
        }
        Err(refusal) => {
            let reason = refusal.reason();
            tracing::warn!(reason, "nobody was signed in by the provider");
            Err(refusal)
        }
    }
}

async fn identified(
    app: &App,
    oidc: &Oidc,
    (flow, returned): (Option<Flow>, &Returned),
) -> Result<token::Claims, Refusal> {
    let flow = flow.ok_or(Refusal::Failed("no flow was begun in this session"))?;
    if !bool::from(flow.state.as_bytes().ct_eq(returned.state.as_bytes())) {
        return Err(Refusal::Failed("the state is another"));
    }
    if app.clock().now().unix_seconds() - flow.begun_at > PATIENCE_S {
        return Err(Refusal::Failed("the flow took too long"));
    }
    let metadata = provider::metadata(app, oidc).await?;
    let issuer = returned.issuer.as_deref();
    if issuer.is_some_and(|issuer| issuer != metadata.issuer) {
        return Err(Refusal::Failed("the answer is of another provider"));
    }
    if returned.error.is_some() {
        return Err(Refusal::Declined);
    }
    let code = returned.code.as_deref();
    let code = code.ok_or(Refusal::Failed("the provider sent no code"))?;
    let given = provider::redeem(app, (oidc, &metadata), (code, &flow.verifier)).await?;
    let expected = token::Expected {
        issuer: &metadata.issuer,
        client_id: &oidc.client_id,
        nonce: &flow.nonce,
    };
    let keys = provider::keys(app, &metadata).await?;
    let mut checked = token::check(&given.id_token, &keys, &expected);
    if matches!(checked, Err(token::Wrong::UnknownKey)) {
        // The provider signs with a new key: its keys are read once more, for this token once.
        let keys = provider::renewed_keys(app, &metadata).await?;
        checked = token::check(&given.id_token, &keys, &expected);
    }
    let mut claims = checked.map_err(|wrong| match wrong {
        token::Wrong::UnknownKey => Refusal::Failed("the key of the token is not the provider's"),
        token::Wrong::Refused(why) => Refusal::Failed(why),
    })?;
    if !claims.has("email") || (!oidc.roles.is_empty() && !claims.has(&oidc.group_claim)) {
        // Some providers tell the rest apart from the token.
        if let Some(told) = provider::user_info(app, &metadata, given.access_token).await? {
            claims.complete(told)?;
        }
    }
    Ok(claims)
}

/// The address that the provider must know.
fn redirect_uri(app: &App) -> String {
    format!("{}{CALLBACK}", app.settings().public_url)
}

fn random() -> String {
    let bytes: [u8; 32] = rand::random();
    URL_SAFE_NO_PAD.encode(bytes)
}

fn no_provider() -> Fault {
    Fault::new(Code::NotFound, "this server has no provider of sign-ins")
}
