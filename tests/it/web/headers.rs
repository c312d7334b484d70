//! What every page carries, and what is asked of every form: without a browser.

use std::net::{IpAddr, Ipv4Addr};

use reqwest::{Client, Response, StatusCode, redirect};
use tests::{Server, shared};

/// A client that keeps cookies itself and follows nothing.
pub(crate) struct Visitor {
    http: Client,
    base: String,
    cookie: String,
    pub(crate) csrf: String,
}

impl Visitor {
    async fn signed_in() -> Self {
        let server = shared().await;
        Self::signed_in_as(server.email(), server.password()).await
    }

    pub(crate) async fn signed_in_as(email: &str, password: &str) -> Self {
        let visitor = Self::at(Ipv4Addr::LOCALHOST).await;
        visitor.who_signs_in(email, password).await
    }

    /// The first owner of a server that a test has for itself.
    pub(crate) async fn owner_of(server: &Server) -> Self {
        let visitor = Self::before(server, Ipv4Addr::LOCALHOST).await;
        visitor
            .who_signs_in(server.email(), server.password())
            .await
    }

    pub(crate) async fn who_signs_in(mut self, email: &str, password: &str) -> Self {
        let before = self.cookie.clone();
        let answer = self.try_to_sign_in(email, password).await;
        assert_eq!(answer.status(), StatusCode::SEE_OTHER);
        self.keep_cookie(&answer);
        assert_ne!(self.cookie, before, "the session gets a new id at sign-in");
        self
    }

    /// Somebody before the form for signing in, who comes from an address of this machine.
    pub(crate) async fn at(address: Ipv4Addr) -> Self {
        Self::before(shared().await, address).await
    }

    pub(crate) async fn before(server: &Server, address: Ipv4Addr) -> Self {
        let http = Client::builder()
            .redirect(redirect::Policy::none())
            .local_address(IpAddr::V4(address))
            .build()
            .unwrap();
        let mut visitor = Visitor {
            http,
            base: server.http_url().to_owned(),
            cookie: String::new(),
            csrf: String::new(),
        };
        visitor.read("/sign-in").await;
        visitor
    }

    pub(crate) async fn try_to_sign_in(&self, email: &str, password: &str) -> Response {
        let form = [
            ("_csrf", self.csrf.as_str()),
            ("email", email),
            ("password", password),
        ];
        self.post("/sign-in", &form).await
    }

    /// Reads a page, keeping cookie and token.
    pub(crate) async fn read(&mut self, path: &str) -> String {
        let answer = self.get(path).await;
        self.keep_cookie(&answer);
        let page = answer.text().await.unwrap();
        if let Some((_, rest)) = page.split_once("name=\"csrf\" content=\"") {
            self.csrf = rest.split('"').next().unwrap().to_owned();
        }
        page
    }

    pub(crate) async fn get(&self, path: &str) -> Response {
        let request = self.http.get(format!("{}{path}", self.base));
        request.header("cookie", &self.cookie).send().await.unwrap()
    }

    pub(crate) async fn post(&self, path: &str, form: &[(&str, &str)]) -> Response {
        let body: Vec<String> = form
            .iter()
            .map(|(name, value)| {
                format!("{name}={}", value.replace('%', "%25").replace('&', "%26"))
            })
            .collect();
        let request = self.http.post(format!("{}{path}", self.base));
        let request = request.header("content-type", "application/x-www-form-urlencoded");
        request
            .header("cookie", &self.cookie)
            .body(body.join("&"))
            .send()
            .await
            .unwrap()
    }

    /// Brings a file with the form of a page.
    pub(crate) async fn bring(&self, path: &str, (name, content): (&str, &[u8])) -> Response {
        const BOUNDARY: &str = "a-boundary-that-no-file-holds";
        let token = &self.csrf;
        let mut body = format!(
            "--{BOUNDARY}\r\nContent-Disposition: form-data; name=\"_csrf\"\r\n\r\n{token}\r\n\
             --{BOUNDARY}\r\nContent-Disposition: form-data; name=\"file\"; filename=\"{name}\"\r\n\
             Content-Type: application/octet-stream\r\n\r\n"
        )
        .into_bytes();
        body.extend_from_slice(content);
        body.extend_from_slice(format!("\r\n--{BOUNDARY}--\r\n").as_bytes());
        let request = self.http.post(format!("{}{path}", self.base));
        let of_parts = format!("multipart/form-data; boundary={BOUNDARY}");
        let request = request.header("content-type", of_parts);
        let request = request.header("cookie", &self.cookie).body(body);
        request.send().await.unwrap()
    }

    pub(crate) fn cookie(&self) -> &str {
        &self.cookie
    }

    pub(crate) fn keep_cookie(&mut self, answer: &Response) {
        let cookie = answer
            .headers()
            .get_all("set-cookie")
            .iter()
            .filter_map(|cookie| cookie.to_str().unwrap().split(';').next())
            .find(|cookie| cookie.starts_with("triaxis_session="));
        if let Some(cookie) = cookie {
            self.cookie = cookie.to_owned();
        }
    }

    pub(crate) async fn project(&self) -> String {
        let answer = self.get("/").await;
        let path = answer.headers()["location"].to_str().unwrap();
        path.trim_end_matches("/overview").to_owned()
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn every_answer_carries_the_policy_and_cookies_are_out_of_reach_of_scripts() {
    let server = shared().await;
    for path in [
        "/sign-in",
        "/",
        "/p/nonsense/traces",
        "/assets/x/js/main.js",
        "/nowhere",
    ] {
        let http = Client::builder()
            .redirect(redirect::Policy::none())
            .build()
            .unwrap();
        let answer = http
            .get(format!("{}{path}", server.http_url()))
            .send()
            .await
            .unwrap();
        let header = |name: &str| answer.headers()[name].to_str().unwrap().to_owned();
        let policy = header("content-security-policy");
        assert!(
            policy.contains("script-src 'self';") && !policy.contains("unsafe"),
            "{policy}"
        );
        assert!(policy.contains("frame-ancestors 'none'"), "{policy}");
        assert_eq!(header("x-content-type-options"), "nosniff");
        for cookie in answer.headers().get_all("set-cookie") {
            let cookie = cookie.to_str().unwrap();
            assert!(
                cookie.contains("HttpOnly") && cookie.contains("SameSite=Lax"),
                "{cookie}"
            );
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_form_without_the_sessions_token_changes_nothing() {
    let mut visitor = Visitor::signed_in().await;
    let project = visitor.project().await;
    let keys = format!("{project}/settings/keys");
    for token in ["", "guessed"] {
        let answer = visitor
            .post(&keys, &[("_csrf", token), ("note", "forged")])
            .await;
        assert_eq!(answer.status(), StatusCode::FORBIDDEN);
    }
    assert!(!visitor.read(&keys).await.contains("forged"));
    let form = [("_csrf", visitor.csrf.as_str()), ("note", "wanted")];
    let answer = visitor.post(&keys, &form).await;
    assert_eq!(answer.status(), StatusCode::SEE_OTHER);
    assert!(visitor.read(&keys).await.contains("wanted"));
}

#[tokio::test(flavor = "multi_thread")]
async fn projects_of_others_are_not_there() {
    let visitor = Visitor::signed_in().await;
    let stranger = shared().await.new_project().project_id.unwrap();
    for page in [
        "traces",
        "traces/0af7651916cd43dd8448eb211c80319c",
        "settings",
        "settings/keys",
        "settings/members",
        "live",
        "search?q=a",
    ] {
        let answer = visitor.get(&format!("/p/{stranger}/{page}")).await;
        assert_eq!(answer.status(), StatusCode::NOT_FOUND, "{page}");
        assert!(
            answer.text().await.unwrap().contains("Your projects"),
            "{page} offers a way on"
        );
    }
    let form = [("_csrf", visitor.csrf.as_str()), ("name", "taken over")];
    let answer = visitor
        .post(&format!("/p/{stranger}/settings/name"), &form)
        .await;
    assert_eq!(answer.status(), StatusCode::NOT_FOUND);
}

#[tokio::test(flavor = "multi_thread")]
async fn nobody_is_led_to_sign_in_and_never_to_another_host() {
    let server = shared().await;
    let http = Client::builder()
        .redirect(redirect::Policy::none())
        .build()
        .unwrap();
    let url = format!(
        "{}/p/0197f2c8-0000-7000-8000-000000000001/traces?q=a",
        server.http_url()
    );
    let answer = http.get(url).send().await.unwrap();
    assert_eq!(answer.status(), StatusCode::SEE_OTHER);
    let location = answer.headers()["location"].to_str().unwrap().to_owned();
    assert!(
        location.starts_with("/sign-in?next=%2Fp%2F0197f2c8"),
        "{location}"
    );
    let url = format!(
        "{}/preferences?lang=zh&back=//evil.invalid",
        server.http_url()
    );
    let answer = http.get(url).send().await.unwrap();
    assert_eq!(answer.headers()["location"], "/");
    // Nothing that a header cannot hold becomes one.
    for odd in ["%0b", "%00", "%7f", "%C2%85", "%0d%0aset-cookie:a=b"] {
        let url = format!("{}/preferences?lang=zh&back=/a{odd}", server.http_url());
        let answer = http.get(url).send().await.unwrap();
        assert_eq!(answer.status(), StatusCode::SEE_OTHER, "{odd}");
        assert_eq!(answer.headers()["location"], "/", "{odd}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn answers_to_programs_are_kept_by_nobody_and_are_what_they_say() {
    let server = shared().await;
    let client = server.new_project();
    let answers = [
        client.get("/api/v1/traces").await,
        client.get("/api/public/traces").await,
        client.get("/api/v1/no-such-thing").await,
        client.get("/healthz").await,
    ];
    for answer in answers {
        let path = answer.url().path().to_owned();
        let header = |name: &str| answer.headers().get(name).map(|it| it.to_str().unwrap());
        assert_eq!(header("x-content-type-options"), Some("nosniff"), "{path}");
        assert_eq!(header("cache-control"), Some("no-store"), "{path}");
        let tls = header("strict-transport-security");
        assert_eq!(tls, None, "{path}: it is not reached by TLS");
    }
}
