//! The beginning of an audit log goes when its time is over, and the rest still holds.

use serde_json::json;
use sqlx::Executor as _;
use tests::{Server, binary};

use super::set;
use crate::deletions::everywhere::stores;
use crate::deletions::project;

/// Has the first three entries be of a hundred days ago, and makes the hashes anew.
const AGE: [&str; 3] = [
    "SET session_replication_role = replica",
    "CREATE FUNCTION part(b BYTEA) RETURNS BYTEA LANGUAGE sql AS $$ SELECT int8send(octet_length(b)::BIGINT) || b $$",
    "DO $$
     DECLARE it RECORD; previous BYTEA := decode(repeat('00', 32), 'hex'); chain UUID;
     BEGIN
         FOR it IN SELECT * FROM audit_log WHERE project_id IS NOT NULL
             AND project_id IN (SELECT project_id FROM retention_settings) ORDER BY entry LOOP
             IF it.entry <= 3 THEN it.at := it.at - INTERVAL '100 days'; END IF;
             previous := sha256(part('triaxis.audit.1'::BYTEA) || part(previous)
                 || part(convert_to(it.project_id::TEXT, 'UTF8')) || part(convert_to(it.entry::TEXT, 'UTF8'))
                 || part(convert_to((extract(EPOCH FROM it.at) * 1000000)::BIGINT::TEXT, 'UTF8'))
                 || part(convert_to(it.actor, 'UTF8')) || part(convert_to(it.action, 'UTF8')) || part(it.digest));
             UPDATE audit_log SET at = it.at, hash = previous WHERE id = it.id;
             chain := it.project_id;
         END LOOP;
         UPDATE audit_chains SET hash = previous WHERE id = chain;
     END $$",
];

#[tokio::test(flavor = "multi_thread")]
async fn the_beginning_goes_and_what_is_left_is_verified() {
    let server = Server::start().await;
    let (_, admin) = project(&server);
    for preset in ["development", "everything", "eu_high_risk_logs"] {
        let (status, said) =
            super::send(&admin, reqwest::Method::PUT, &json!({"preset": preset})).await;
        assert!(status.is_success(), "{said}");
    }
    let export = |text: &str| {
        let file = server.data_dir().join("export.jsonl");
        std::fs::write(&file, text).unwrap();
        let mut command = std::process::Command::new(binary());
        let out = command.args(["admin", "verify-audit-log"]).arg(&file);
        out.output().unwrap()
    };
    let log = async || {
        let answer = admin.get("/api/v1/audit-log?format=jsonl").await;
        answer.text().await.unwrap()
    };
    let whole = log().await;
    let first = whole.lines().count();
    assert!(first >= 4, "{whole}");

    // Entries of now become entries of long ago, as time would have it; their hashes are made anew.
    let (mut postgres, _) = stores(&server).await;
    for statement in AGE {
        postgres.execute(statement).await.unwrap();
    }
    let verdict = admin.get_json("/api/v1/audit-log/verify").await;
    assert_eq!(
        (&verdict["is_valid"], &verdict["cut"]),
        (&json!(true), &json!(0)),
        "{verdict}"
    );

    let asked = json!({"audit_days": 60, "dry_run": true});
    let (_, said) = super::send(&admin, reqwest::Method::PUT, &asked).await;
    assert_eq!(said["would_remove"]["audit_entries"], 3, "{said}");
    let verification = set(&admin, &json!({"audit_days": 60})).await;
    assert_eq!(verification["rows_past_their_time"], 0, "{verification}");
    let verdict = admin.get_json("/api/v1/audit-log/verify").await;
    assert_eq!(
        (&verdict["is_valid"], &verdict["cut"]),
        (&json!(true), &json!(3)),
        "{verdict}"
    );
    let rest = log().await;
    assert!(
        rest.lines().next().unwrap().contains("\"entry\":4"),
        "{rest}"
    );
    assert!(rest.contains("audit_log.cut"));
    let out = export(&rest);
    assert!(
        out.status.success(),
        "{}",
        String::from_utf8_lossy(&out.stdout)
    );
    // More than that went: somebody took it.
    let less: Vec<&str> = rest.lines().skip(1).collect();
    assert!(!export(&(less.join("\n") + "\n")).status.success());
    let delete = "DELETE FROM audit_log WHERE entry = 5 AND project_id IS NOT NULL";
    postgres
        .execute("SET session_replication_role = origin")
        .await
        .unwrap();
    assert!(
        postgres.execute(delete).await.is_err(),
        "the database still refuses"
    );
}
