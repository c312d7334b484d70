//! What a start and a stop say.

use reqwest::{Method, StatusCode};
use serde_json::{Value, json};
use tests::{Server, Settings};

#[tokio::test(flavor = "multi_thread")]
async fn the_log_is_plain_and_a_later_start_says_where_everything_is() {
    let server = Server::start().await;
    assert_eq!(server.stop(), Some(0));
    let later = Settings {
        data_dir: Some(server.data_dir().to_owned()),
        ..Settings::default()
    };
    let later = later.with("TRIAXIS_INIT_PASSWORD", "another password");
    let later = Server::start_with(later).await;
    let addresses = [later.http_url(), later.otlp_http_url(), later.grpc_url()];
    let addresses = addresses.map(str::to_owned);
    assert_eq!(later.stop(), Some(0));

    let log = std::fs::read_to_string(server.data_dir().with_extension("log")).unwrap();
    assert!(
        !log.contains('\u{1b}'),
        "no colours outside a terminal: {log}"
    );
    assert!(!log.contains("already exists"), "{log}");
    assert_eq!(log.matches(" stopped\n").count(), 2, "{log}");
    for address in &addresses {
        assert!(log.contains(address), "{address} in {log}");
    }
    let ignored: Vec<&str> = log
        .lines()
        .filter(|line| line.contains("TRIAXIS_INIT_PASSWORD is ignored"))
        .collect();
    assert_eq!(ignored.len(), 1, "{log}");
    let command = format!("triaxis admin reset-password {}", server.email());
    assert!(ignored[0].contains(&command), "{}", ignored[0]);
}

/// Where the server's log is.
fn log_of(server: &Server) -> String {
    std::fs::read_to_string(server.data_dir().with_extension("log")).unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_secret_that_was_given_is_never_printed_and_one_that_was_made_up_at_the_first_start_only()
{
    let given = Server::start().await;
    let made_up = Settings::default()
        .with("TRIAXIS_INIT_PUBLIC_KEY", "")
        .with("TRIAXIS_INIT_SECRET_KEY", "");
    let made_up = Server::start_with(made_up).await;
    let mut said = Vec::new();
    for _ in 0..2 {
        let log = log_of(&given);
        assert!(log.contains(given.public_key()), "{log}");
        assert!(!log.contains(given.secret_key()), "{log}");
        assert!(!log.contains(given.password()), "{log}");
        said.push(log_of(&made_up).matches("sk-tx-").count());
        for server in [&given, &made_up] {
            assert_eq!(server.stop(), Some(0));
            server.start_again().await;
        }
    }
    said.push(log_of(&made_up).matches("sk-tx-").count());
    assert!(said[0] > 0, "{}", log_of(&made_up));
    assert!(said.iter().all(|count| *count == said[0]), "{said:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_first_key_that_was_revoked_is_not_shown_and_stays_so_when_its_project_is_made_again() {
    const PROJECT: &str = "/api/public/projects/my-project";
    let settings = Settings::default().with("TRIAXIS_INIT_PROJECT_ID", "my-project");
    let server = Server::start_with(settings).await;
    let key = server.client();
    let shown = key.get_json("/api/public/projects").await;
    let organisation = shown["data"][0]["organization"]["id"].as_str().unwrap();
    let owner = server.new_organisation_key(organisation, "owner");
    let again = async || {
        let before = log_of(&server).len();
        assert_eq!(server.stop(), Some(0));
        server.start_again().await;
        log_of(&server)[before..].to_owned()
    };
    // A key that is live is made again with its project.
    let delete = async |path: &str| {
        let answer = owner.request(Method::DELETE, path).send().await.unwrap();
        assert!(answer.status().is_success(), "{path}: {}", answer.status());
    };
    delete(PROJECT).await;
    assert!(again().await.contains(server.public_key()));
    key.get_json("/api/public/projects").await;

    let keys = owner.get_json(&format!("{PROJECT}/apiKeys")).await;
    delete(&format!(
        "{PROJECT}/apiKeys/{}",
        keys["apiKeys"][0]["id"].as_str().unwrap()
    ))
    .await;
    let said = again().await;
    assert!(!said.contains(server.public_key()), "{said}");
    assert!(said.contains("they were revoked"), "{said}");
    let status = async || key.get("/api/public/projects").await.status();
    assert_eq!(status().await, StatusCode::UNAUTHORIZED);

    delete(PROJECT).await;
    for _ in 0..2 {
        let said = again().await;
        assert!(!said.contains(server.public_key()), "{said}");
        assert_eq!(status().await, StatusCode::UNAUTHORIZED);
    }
    // The project is there again, and takes another key, but not that one.
    let keys = format!("{PROJECT}/apiKeys");
    let create = async |body: Value| {
        let request = owner.request(Method::POST, &keys).json(&body);
        request.send().await.unwrap().status()
    };
    let same = json!({ "publicKey": "pk-tx-test-another", "secretKey": server.secret_key() });
    assert_eq!(create(same).await, StatusCode::CONFLICT);
    assert_eq!(create(json!({})).await, StatusCode::CREATED);
}
