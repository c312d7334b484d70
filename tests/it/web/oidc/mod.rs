//! Sign-in with a provider of OpenID Connect, which runs here.

/// The provider.
mod provider;

use std::net::Ipv4Addr;
use std::sync::OnceLock;

use reqwest::{Response, StatusCode, Url};
use serde_json::{Value, json};
use tests::{Server, Settings};

use self::provider::{CLIENT, Provider, SECRET, Signed, now};
use super::headers::Visitor;

const ORGANISATION: &str = "harbour";

fn settings(provider: &Provider) -> Settings {
    Settings::default()
        .with("TRIAXIS_INIT_ORG_ID", ORGANISATION)
        .with("TRIAXIS_OIDC_ISSUER", &provider.url)
        .with("TRIAXIS_OIDC_CLIENT_ID", CLIENT)
        .with("TRIAXIS_OIDC_CLIENT_SECRET", SECRET)
        .with("TRIAXIS_OIDC_NAME", "Harbour ID")
        .with("TRIAXIS_ALLOW_PRIVATE_ADDRESSES", "127.0.0.1")
}

/// A server with a provider that links and makes people, for all tests here.
async fn open() -> &'static (Server, Provider) {
    static OPEN: OnceLock<(Server, Provider)> = OnceLock::new();
    tokio::task::spawn_blocking(|| {
        OPEN.get_or_init(|| {
            let provider = Provider::start();
            let roles = json!([
                {"organisation": ORGANISATION, "group": "watch", "role": "viewer"},
                {"organisation": ORGANISATION, "group": "cn=pilots,dc=harbour", "role": "admin"},
                {"organisation": ORGANISATION, "group": "told-apart", "role": "annotator"},
                {"organisation": "that is not there", "group": "watch", "role": "owner"},
            ]);
            let settings = settings(&provider)
                .with("TRIAXIS_OIDC_LINK_BY_EMAIL", "true")
                .with("TRIAXIS_OIDC_CREATE_PEOPLE", "true")
                .with("TRIAXIS_OIDC_ROLES", roles.to_string());
            let runtime = tokio::runtime::Runtime::new().unwrap();
            (runtime.block_on(Server::start_with(settings)), provider)
        })
    })
    .await
    .unwrap()
}

/// A person as the provider knows them.
fn person(name: &str, groups: &[&str]) -> Value {
    json!({
        "sub": format!("subject of {name}"), "email": format!("{name}@harbour.example"),
        "email_verified": true, "name": name, "groups": groups,
    })
}

fn with(mut claims: Value, name: &str, value: Value) -> Value {
    claims[name] = value;
    claims
}

/// Goes to the provider; where it was asked to lead back to is the server.
async fn leave(visitor: &mut Visitor, next: &str) -> Url {
    let answer = visitor.get(&format!("/sign-in/oidc?next={next}")).await;
    assert_eq!(answer.status(), StatusCode::SEE_OTHER);
    visitor.keep_cookie(&answer);
    let url = Url::parse(answer.headers()["location"].to_str().unwrap()).unwrap();
    assert!(url.path() == "/authorize" && url.query().unwrap().starts_with("kept=1&"));
    url
}

fn state_of(url: &Url) -> String {
    let mut pairs = url.query_pairs();
    pairs
        .find(|(name, _)| name == "state")
        .unwrap()
        .1
        .into_owned()
}

fn back(code: &str, state: &str) -> String {
    format!("/sign-in/oidc/callback?code={code}&state={state}")
}

/// Signs in with a browser of its own, from an address of its own, so that no test uses up another's tries.
async fn sign_in(
    (server, provider): &(Server, Provider),
    claims: &Value,
    signed: Signed,
) -> (Visitor, Response) {
    let address = Ipv4Addr::new(127, 1, rand::random(), rand::random::<u8>().max(1));
    let mut visitor = Visitor::before(server, address).await;
    let request = leave(&mut visitor, "/").await;
    let code = provider.agree(&request, (claims, signed));
    let answer = visitor.get(&back(&code, &state_of(&request))).await;
    visitor.keep_cookie(&answer);
    (visitor, answer)
}

async fn enters(open: &(Server, Provider), claims: &Value) -> Visitor {
    let (visitor, answer) = sign_in(open, claims, Signed::Well).await;
    assert_eq!(answer.status(), StatusCode::SEE_OTHER);
    visitor
}

async fn is_refused(open: &(Server, Provider), claims: &Value, signed: Signed) -> String {
    let (visitor, answer) = sign_in(open, claims, signed).await;
    assert_eq!(answer.status(), StatusCode::UNAUTHORIZED);
    let page = answer.text().await.unwrap();
    let home = visitor.get("/").await;
    let to = home.headers()["location"].to_str().unwrap().to_owned();
    assert!(to.starts_with("/sign-in"), "nobody is signed in: {to}");
    page
}

#[tokio::test(flavor = "multi_thread")]
async fn a_person_comes_back_from_the_provider_to_where_they_were_going() {
    let open = open().await;
    let (server, provider) = open;
    let mut visitor = Visitor::before(server, Ipv4Addr::LOCALHOST).await;
    let page = visitor.read("/sign-in?next=/?from=bookmark").await;
    assert!(page.contains("Harbour ID") && page.contains("id=\"password\""));
    let before = visitor.cookie().to_owned();
    let request = leave(&mut visitor, "/%3Ffrom=bookmark").await;
    let code = provider.agree(&request, (&person("ina", &["watch"]), Signed::Well));
    let state = state_of(&request);
    let answer = visitor.get(&back(&code, &state)).await;
    assert_eq!(answer.status(), StatusCode::SEE_OTHER);
    assert_eq!(answer.headers()["location"], "/?from=bookmark");
    let anonymous = visitor.cookie().to_owned();
    visitor.keep_cookie(&answer);
    assert!(before == anonymous && visitor.cookie() != before);
    let project = visitor.project().await;
    let account = visitor.read(&format!("{project}/account")).await;
    assert!(account.contains("ina@harbour.example") && account.contains("this one"));

    // An answer serves once, and no other host is ever led to.
    let again = visitor.get(&back(&code, &state)).await;
    assert_eq!(again.status(), StatusCode::UNAUTHORIZED);
    let request = leave(&mut visitor, "https://evil.example/").await;
    let code = provider.agree(&request, (&person("ina", &["watch"]), Signed::Well));
    let answer = visitor.get(&back(&code, &state_of(&request))).await;
    assert_eq!(answer.headers()["location"], "/");

    let mut owner = Visitor::owner_of(server).await;
    let project = owner.project().await;
    let log = format!("{project}/settings/audit-log?of=organisation");
    let log = owner.read(&log).await;
    assert!(
        log.contains("member.added") && log.contains("oidc"),
        "{log}"
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn what_does_not_hold_signs_nobody_in() {
    let open = open().await;
    let good = person("olaf", &["watch"]);
    for (claims, signed) in [
        (with(good.clone(), "nonce", json!("another")), Signed::Well),
        (with(good.clone(), "nonce", Value::Null), Signed::Well),
        (
            with(good.clone(), "aud", json!("another client")),
            Signed::Well,
        ),
        (
            with(good.clone(), "aud", json!([CLIENT, "another"])),
            Signed::Well,
        ),
        (with(good.clone(), "azp", json!("another")), Signed::Well),
        (
            with(good.clone(), "iss", json!("https://elsewhere.example")),
            Signed::Well,
        ),
        (with(good.clone(), "exp", json!(now() - 120)), Signed::Well),
        (with(good.clone(), "exp", Value::Null), Signed::Well),
        (with(good.clone(), "nbf", json!(now() + 600)), Signed::Well),
        (with(good.clone(), "sub", json!("")), Signed::Well),
        (good.clone(), Signed::None),
        (good.clone(), Signed::Shared),
        (good.clone(), Signed::Unknown),
        (good.clone(), Signed::Forged),
    ] {
        let page = is_refused(open, &claims, signed).await;
        assert!(page.contains("The sign-in did not work"), "{claims}");
    }
    enters(open, &good).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_counts_in_the_session_that_asked_and_for_the_state_it_was_given() {
    let open = open().await;
    let (server, provider) = open;
    let address = Ipv4Addr::new(127, 2, 0, 1);
    let mut one = Visitor::before(server, address).await;
    let mut other = Visitor::before(server, address).await;
    let request = leave(&mut one, "/").await;
    let code = provider.agree(&request, (&person("rut", &["watch"]), Signed::Well));
    // A link that somebody else was given signs nobody in as them.
    let answer = other.get(&back(&code, &state_of(&request))).await;
    assert_eq!(answer.status(), StatusCode::UNAUTHORIZED);
    leave(&mut other, "/").await;
    let answer = other.get(&back(&code, &state_of(&request))).await;
    assert_eq!(answer.status(), StatusCode::UNAUTHORIZED);
    // A wrong state ends the flow, too.
    let answer = one.get(&back(&code, "guessed")).await;
    assert_eq!(answer.status(), StatusCode::UNAUTHORIZED);
    let answer = one.get(&back(&code, &state_of(&request))).await;
    assert_eq!(answer.status(), StatusCode::UNAUTHORIZED);
    let request = leave(&mut one, "/").await;
    let declined = format!(
        "/sign-in/oidc/callback?error=access_denied&state={}",
        state_of(&request)
    );
    let page = one.get(&declined).await.text().await.unwrap();
    assert!(page.contains("The provider did not let you in."), "{page}");
}

#[tokio::test(flavor = "multi_thread")]
async fn groups_give_roles_at_each_sign_in_and_take_them_with_them() {
    let open = open().await;
    let members = async || {
        let mut owner = Visitor::owner_of(&open.0).await;
        let project = owner.project().await;
        let page = owner.read(&format!("{project}/settings/members")).await;
        let row = page.split("<tr>").find(|row| row.contains("mats@"));
        let row = row?.split_once("selected>").unwrap().1;
        Some(row.split('<').next().unwrap().to_owned())
    };
    let role_with = async |groups: &[&str]| {
        enters(open, &person("mats", groups)).await;
        members().await
    };
    assert_eq!(role_with(&["watch"]).await.as_deref(), Some("Viewer"));
    let both = ["watch", "cn=pilots,dc=harbour"];
    assert_eq!(role_with(&both).await.as_deref(), Some("Admin"));
    assert_eq!(role_with(&["watch"]).await.as_deref(), Some("Viewer"));
    assert_eq!(role_with(&["something else"]).await, None);
    // Where the token tells of no groups, the provider is asked apart from it.
    let silent = with(person("mats", &[]), "groups", Value::Null);
    enters(open, &silent).await;
    assert_eq!(members().await.as_deref(), Some("Annotator"));
}

#[tokio::test(flavor = "multi_thread")]
async fn verified_addresses_lead_to_their_account_and_no_others_do() {
    let open = open().await;
    let (server, provider) = open;
    let owner = with(person("ada", &[]), "email", json!(server.email()));
    for unverified in [json!(false), Value::Null] {
        let claims = with(owner.clone(), "email_verified", unverified);
        let page = is_refused(open, &claims, Signed::Well).await;
        assert!(page.contains("has not verified your e-mail address"));
        let new = with(
            person("nobody-yet", &["watch"]),
            "email_verified",
            json!(false),
        );
        is_refused(open, &new, Signed::Well).await;
    }
    let visitor = enters(open, &owner).await;
    // The last owner stays one without any group.
    let members = format!("{}/settings/members", visitor.project().await);
    assert_eq!(visitor.get(&members).await.status(), StatusCode::OK);
    // From now on it is the subject that counts, and the address leads nobody else there.
    let renamed = with(owner.clone(), "email", json!("ada.new@harbour.example"));
    let visitor = enters(open, &renamed).await;
    assert_eq!(visitor.get(&members).await.status(), StatusCode::OK);
    let other = with(owner, "sub", json!("somebody who has the address now"));
    let page = is_refused(open, &other, Signed::Well).await;
    assert!(page.contains("is not linked to the provider"), "{page}");
    // A key that is new is asked for.
    provider.rotate();
    enters(open, &renamed).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn where_the_provider_is_the_only_way_in_passwords_open_nothing() {
    let provider = Provider::start();
    let settings = settings(&provider).with("TRIAXIS_OIDC_ONLY", "true");
    let open = (Server::start_with(settings).await, provider);
    let (server, _) = &open;
    let mut visitor = Visitor::before(server, Ipv4Addr::LOCALHOST).await;
    let page = visitor.read("/sign-in").await;
    assert!(page.contains("Harbour ID") && !page.contains("id=\"password\""));
    let answer = visitor
        .try_to_sign_in(server.email(), server.password())
        .await;
    assert_eq!(answer.status(), StatusCode::FORBIDDEN);
    // Nor is anybody linked or made here.
    let owner = with(person("ada", &[]), "email", json!(server.email()));
    let page = is_refused(&open, &owner, Signed::Well).await;
    assert!(page.contains("is not linked to the provider"), "{page}");
    let page = is_refused(&open, &person("new", &[]), Signed::Well).await;
    assert!(page.contains("You have no account here."), "{page}");
}
