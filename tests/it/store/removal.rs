//! Nothing of a project stays when it goes.

use std::collections::BTreeSet;

use serde_json::Value;
use sqlx::{Connection, PgConnection, Row};
use store_clickhouse::remove::TABLES;
use tests::shared;

#[tokio::test(flavor = "multi_thread")]
async fn every_row_that_points_at_a_project_goes_with_it() {
    let server = shared().await;
    let run = std::fs::read(server.data_dir().join("run/server.json")).unwrap();
    let run: Value = serde_json::from_slice(&run).unwrap();
    let mut postgres = PgConnection::connect(run["database_url"].as_str().unwrap())
        .await
        .unwrap();
    let rows = sqlx::query(
        "SELECT conname::TEXT AS name, confdeltype = 'c' AS cascades FROM pg_constraint
         WHERE contype = 'f' AND confrelid = 'projects'::regclass",
    )
    .fetch_all(&mut postgres)
    .await
    .unwrap();
    assert!(rows.len() >= 10, "{}", rows.len());
    for row in rows {
        let name: String = row.get("name");
        assert!(row.get::<bool, _>("cascades"), "{name}: ON DELETE CASCADE");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn telemetry_is_removed_from_every_table_that_has_some() {
    let server = shared().await;
    let run = std::fs::read(server.data_dir().join("run/server.json")).unwrap();
    let run: Value = serde_json::from_slice(&run).unwrap();
    let url = reqwest::Url::parse(run["clickhouse_url"].as_str().unwrap()).unwrap();
    let database = url.path().trim_start_matches('/').to_owned();
    let mut address = url;
    address.set_path("/");
    let sql = "SELECT c.table FROM system.columns c JOIN system.tables t
               ON t.database = c.database AND t.name = c.table
               WHERE c.database = currentDatabase() AND c.name = 'project_id'
               AND t.engine LIKE '%MergeTree' FORMAT TSV";
    let request = reqwest::Client::new().post(address);
    let request = request.query(&[("database", &database)]).body(sql);
    let text = request.send().await.unwrap().text().await.unwrap();
    let found: BTreeSet<&str> = text.lines().collect();
    assert_eq!(found, TABLES.into_iter().collect(), "see remove.rs");
}
