//! People of an organisation, for what names them.

use serde_json::Value;
use sqlx::{Connection, PgConnection};
use tests::shared;

/// The id of the owner of the first organisation, which no other project of the tests belongs to.
pub(super) async fn owner() -> String {
    let server = shared().await;
    let run = std::fs::read(server.data_dir().join("run/server.json")).unwrap();
    let run: Value = serde_json::from_slice(&run).unwrap();
    let url = run["database_url"].as_str().unwrap();
    let mut database = PgConnection::connect(url).await.unwrap();
    sqlx::query_scalar("SELECT id::TEXT FROM people WHERE email = $1")
        .bind(server.email())
        .fetch_one(&mut database)
        .await
        .unwrap()
}
