//! What a server tells while it starts.

use reqwest::StatusCode;
use serde_json::Value;
use sqlx::{Connection, Executor, PgConnection};
use tests::{Server, Settings, eventually};

fn free_port() -> u16 {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    listener.local_addr().unwrap().port()
}

#[tokio::test(flavor = "multi_thread")]
async fn c085_a_server_lives_and_says_that_it_migrates_while_it_does() {
    let first = Server::start().await;
    let text = std::fs::read(first.data_dir().join("run/server.json")).unwrap();
    let run: Value = serde_json::from_slice(&text).unwrap();
    let url = |key: &str| run[key].as_str().unwrap().to_owned();
    // As a migration that takes long: nobody gets at the list of what is done.
    let mut postgres = PgConnection::connect(&url("database_url")).await.unwrap();
    let mut held = postgres.begin().await.unwrap();
    held.execute("LOCK TABLE _sqlx_migrations IN ACCESS EXCLUSIVE MODE")
        .await
        .unwrap();

    let address = format!("127.0.0.1:{}", free_port());
    let settings = Settings::default()
        .with("TRIAXIS_LISTEN", &address)
        .with("TRIAXIS_DATABASE_URL", url("database_url"))
        .with("TRIAXIS_CLICKHOUSE_URL", url("clickhouse_url"));
    let starting = tokio::spawn(Server::start_with(settings));
    let ask = async |path: &str| {
        let answer = reqwest::get(format!("http://{address}{path}")).await;
        let answer = answer.map_err(|error| error.to_string())?;
        let status = answer.status();
        let body = answer.json::<Value>().await.map_err(|it| it.to_string())?;
        Ok::<_, String>((status, body))
    };
    eventually("it says that it migrates", async || {
        let (status, body) = ask("/readyz").await?;
        match (status, body["status"].as_str()) {
            (StatusCode::SERVICE_UNAVAILABLE, Some("migrating")) => Ok(()),
            _ => Err(format!("{status} {body}")),
        }
    })
    .await;
    let (status, body) = ask("/healthz").await.unwrap();
    assert_eq!(
        (status, body["status"].as_str()),
        (StatusCode::OK, Some("ok"))
    );

    // Whoever comes meanwhile waits, and is answered.
    let waiting = tokio::spawn(reqwest::get(format!("http://{address}/api/public/health")));
    held.rollback().await.unwrap();
    let second = starting.await.unwrap();
    let answer = waiting.await.unwrap().unwrap();
    assert_eq!(answer.status(), StatusCode::OK);
    let (status, body) = ask("/readyz").await.unwrap();
    assert_eq!(
        (status, body["status"].as_str()),
        (StatusCode::OK, Some("ready"))
    );
    drop(second);
}
