//! A provider of OpenID Connect: discovery, keys, tokens, what it tells of people.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::{SystemTime, UNIX_EPOCH};

use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use reqwest::Url;
use ring::hmac;
use ring::rand::SystemRandom;
use ring::signature::{ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, KeyPair as _};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

pub(super) const CLIENT: &str = "triaxis & co";
pub(super) const SECRET: &str = "the client's secret: 100 %";

/// How a token is signed.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Signed {
    /// With the key that the provider tells of.
    Well,
    /// Not at all, and says so.
    None,
    /// With the client's secret, which is no key of the provider.
    Shared,
    /// With a key that nobody is told of.
    Unknown,
    /// With that key, under the name of the one that is told of.
    Forged,
}

/// The provider.
#[derive(Clone)]
pub(super) struct Provider {
    pub(super) url: String,
    state: Arc<Mutex<State>>,
}

struct State {
    /// The last one signs.
    keys: Vec<Key>,
    codes: HashMap<String, Code>,
    told: HashMap<String, Value>,
}

struct Key {
    id: String,
    pair: EcdsaKeyPair,
}

struct Code {
    challenge: String,
    redirect: String,
    token: String,
    access: String,
}

impl Key {
    fn new() -> Self {
        let (algorithm, random) = (&ECDSA_P256_SHA256_FIXED_SIGNING, SystemRandom::new());
        let made = EcdsaKeyPair::generate_pkcs8(algorithm, &random).unwrap();
        Key {
            id: format!("key-{}", rand::random::<u32>()),
            pair: EcdsaKeyPair::from_pkcs8(algorithm, made.as_ref(), &random).unwrap(),
        }
    }

    fn sign(&self, header: &Value, claims: &Value) -> String {
        let text = signing_input(header, claims);
        let signature = self.pair.sign(&SystemRandom::new(), text.as_bytes());
        format!("{text}.{}", URL_SAFE_NO_PAD.encode(signature.unwrap()))
    }

    fn jwk(&self) -> Value {
        let point = self.pair.public_key().as_ref();
        json!({
            "kty": "EC", "crv": "P-256", "alg": "ES256", "use": "sig", "kid": self.id,
            "x": URL_SAFE_NO_PAD.encode(&point[1..33]),
            "y": URL_SAFE_NO_PAD.encode(&point[33..65]),
        })
    }
}

fn signing_input(header: &Value, claims: &Value) -> String {
    let part = |value: &Value| URL_SAFE_NO_PAD.encode(value.to_string());
    format!("{}.{}", part(header), part(claims))
}

pub(super) fn now() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.unwrap().as_secs()
}

impl Provider {
    /// Starts it on a thread of its own: tests that share it come and go.
    pub(super) fn start() -> Self {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        listener.set_nonblocking(true).unwrap();
        let provider = Provider {
            url: format!("http://{}", listener.local_addr().unwrap()),
            state: Arc::new(Mutex::new(State {
                keys: vec![Key::new()],
                codes: HashMap::new(),
                told: HashMap::new(),
            })),
        };
        let served = provider.clone();
        std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread()
                .enable_all()
                .build()
                .unwrap();
            runtime.block_on(async move {
                let listener = TcpListener::from_std(listener).unwrap();
                while let Ok((stream, _)) = listener.accept().await {
                    let provider = served.clone();
                    tokio::spawn(async move { provider.serve(stream).await });
                }
            });
        });
        provider
    }

    /// From now on it signs with another key; what was signed before stays good.
    pub(super) fn rotate(&self) {
        self.state.lock().unwrap().keys.push(Key::new());
    }

    /// Somebody has proved to the provider who they are: the code for a request that came to it. What a claim is set to goes
    /// before what would stand there; null takes it away.
    pub(super) fn agree(&self, request: &Url, (claims, signed): (&Value, Signed)) -> String {
        let asked: HashMap<String, String> = request.query_pairs().into_owned().collect();
        assert_eq!(asked["client_id"], CLIENT);
        assert_eq!(asked["response_type"], "code");
        assert_eq!(asked["code_challenge_method"], "S256");
        let mut whole = json!({
            "iss": self.url, "aud": CLIENT, "nonce": asked["nonce"], "iat": now(), "exp": now() + 300,
        });
        let all = whole.as_object_mut().unwrap();
        for (name, value) in claims.as_object().unwrap() {
            match value {
                Value::Null => all.remove(name),
                _ => all.insert(name.clone(), value.clone()),
            };
        }
        let mut state = self.state.lock().unwrap();
        let key = state.keys.last().unwrap();
        let header = |algorithm: &str| json!({"typ": "JWT", "alg": algorithm, "kid": key.id});
        let token = match signed {
            Signed::Well => key.sign(&header("ES256"), &whole),
            Signed::Forged => Key::new().sign(&header("ES256"), &whole),
            Signed::Unknown => {
                let key = Key::new();
                key.sign(&json!({"alg": "ES256", "kid": key.id}), &whole)
            }
            Signed::None => format!("{}.", signing_input(&header("none"), &whole)),
            Signed::Shared => {
                let text = signing_input(&header("HS256"), &whole);
                let key = hmac::Key::new(hmac::HMAC_SHA256, SECRET.as_bytes());
                let tag = hmac::sign(&key, text.as_bytes());
                format!("{text}.{}", URL_SAFE_NO_PAD.encode(tag))
            }
        };
        let code = format!("code-{}", rand::random::<u64>());
        let access = format!("access-{}", rand::random::<u64>());
        let made = Code {
            challenge: asked["code_challenge"].clone(),
            redirect: asked["redirect_uri"].clone(),
            token,
            access: access.clone(),
        };
        state.codes.insert(code.clone(), made);
        let apart = json!({"sub": whole["sub"], "groups": ["told-apart"]});
        state.told.insert(access, apart);
        code
    }

    async fn serve(&self, mut stream: TcpStream) -> std::io::Result<()> {
        let (head, body) = read(&mut stream).await?;
        let (status, answer) = self.answer(&head, &body);
        let answer = answer.to_string();
        let text = format!(
            "HTTP/1.1 {status}\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\
             Connection: close\r\n\r\n{answer}",
            answer.len()
        );
        stream.write_all(text.as_bytes()).await
    }

    fn answer(&self, head: &str, body: &str) -> (&'static str, Value) {
        let header = |name: &str| {
            let mut lines = head.lines().filter_map(|line| line.split_once(": "));
            let found = lines.find(|(key, _)| key.eq_ignore_ascii_case(name));
            found.map(|(_, value)| value.to_owned())
        };
        let mut state = self.state.lock().unwrap();
        match head.split(' ').nth(1).unwrap_or_default() {
            "/.well-known/openid-configuration" => (
                "200 OK",
                json!({
                    "issuer": self.url,
                    "authorization_endpoint": format!("{}/authorize?kept=1", self.url),
                    "token_endpoint": format!("{}/token", self.url),
                    "jwks_uri": format!("{}/keys", self.url),
                    "userinfo_endpoint": format!("{}/userinfo", self.url),
                }),
            ),
            "/keys" => {
                let other = json!({"kty": "of a kind that nobody knows", "kid": "other"});
                let keys = state.keys.iter().map(Key::jwk);
                let keys: Vec<Value> = std::iter::once(other).chain(keys).collect();
                ("200 OK", json!({ "keys": keys }))
            }
            "/token" => {
                let form = Url::parse(&format!("http://form/?{body}")).unwrap();
                let form: HashMap<String, String> = form.query_pairs().into_owned().collect();
                let code = form.get("code").and_then(|code| state.codes.remove(code));
                let challenge = URL_SAFE_NO_PAD.encode(Sha256::digest(&form["code_verifier"]));
                let basic = "triaxis+%26+co:the+client%27s+secret%3A+100+%25";
                let basic = format!("Basic {}", STANDARD.encode(basic));
                match code {
                    Some(code)
                        if code.challenge == challenge
                            && code.redirect == form["redirect_uri"]
                            && header("authorization") == Some(basic) =>
                    {
                        let answer = json!({
                            "token_type": "Bearer", "id_token": code.token, "access_token": code.access,
                        });
                        ("200 OK", answer)
                    }
                    _ => ("400 Bad Request", json!({"error": "invalid_grant"})),
                }
            }
            "/userinfo" => {
                let token = header("authorization").unwrap_or_default();
                let told = state.told.get(token.trim_start_matches("Bearer "));
                match told {
                    Some(told) => ("200 OK", told.clone()),
                    None => ("401 Unauthorized", json!({})),
                }
            }
            _ => ("404 Not Found", json!({})),
        }
    }
}

async fn read(stream: &mut TcpStream) -> std::io::Result<(String, String)> {
    let mut read = Vec::new();
    loop {
        let mut piece = [0; 4096];
        let many = stream.read(&mut piece).await?;
        read.extend_from_slice(&piece[..many]);
        let text = String::from_utf8_lossy(&read).into_owned();
        if let Some((head, body)) = text.split_once("\r\n\r\n") {
            let lower = head.to_ascii_lowercase();
            let length = lower
                .lines()
                .find_map(|line| line.strip_prefix("content-length: "));
            if body.len() >= length.map_or(0, |length| length.parse().unwrap()) {
                return Ok((head.to_owned(), body.to_owned()));
            }
        }
        if many == 0 {
            return Ok((text, String::new()));
        }
    }
}
