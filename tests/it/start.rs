//! What a start and a stop say.

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
