//! Entries from before there was a chain are sealed where they stand, by the same rule.

use domain::Timestamp;
use domain::audit::{Details, Entry, Verifier};
use sqlx::{Connection as _, Executor as _, Row as _};
use tests::shared;

use super::database;

const MIGRATION: &str = include_str!("../../../migrations/postgres/0200_audit_chains.sql");
/// As it was before, in a place of its own.
const BEFORE: &str = "
    CREATE SCHEMA before_chains;
    SET search_path = before_chains;
    CREATE TABLE organisations (id UUID PRIMARY KEY);
    CREATE TABLE projects (id UUID PRIMARY KEY);
    CREATE TABLE audit_log (
        id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
        project_id UUID NOT NULL REFERENCES projects (id) ON DELETE CASCADE,
        at TIMESTAMPTZ NOT NULL,
        actor TEXT NOT NULL,
        action TEXT NOT NULL,
        object TEXT NOT NULL,
        before JSONB NOT NULL,
        after JSONB NOT NULL
    );
    INSERT INTO projects SELECT gen_random_uuid() FROM generate_series(1, 2);
    INSERT INTO audit_log (project_id, at, actor, action, object, before, after)
    SELECT p.id, '2026-01-02T03:04:05.678901Z'::TIMESTAMPTZ + n * INTERVAL '1 second', 'server', 'prompt.label',
        'prompt:天气 \\ \"' || n, 'null', jsonb_build_object('version', n, 'né', '好')
    FROM generate_series(1, 3) AS n, projects p;";

#[tokio::test(flavor = "multi_thread")]
async fn entries_from_before_hold_from_the_first_on() {
    let mut postgres = database(shared().await).await;
    postgres.execute(BEFORE).await.unwrap();
    postgres.execute(MIGRATION).await.unwrap();
    let projects = sqlx::query("SELECT project_id::TEXT FROM audit_chains WHERE entries = 3")
        .fetch_all(&mut postgres)
        .await
        .unwrap();
    assert_eq!(projects.len(), 2);
    for project in projects {
        let chain: String = project.get(0);
        let rows = sqlx::query(
            "SELECT entry, at, actor, action, object, before, after, salt, digest, hash
             FROM audit_log WHERE project_id::TEXT = $1 ORDER BY entry",
        )
        .bind(&chain)
        .fetch_all(&mut postgres)
        .await
        .unwrap();
        let mut verifier = Verifier::new(chain, None);
        for row in rows {
            let at: sqlx::types::time::OffsetDateTime = row.get("at");
            verifier.read(&Entry {
                number: row.get::<i64, _>("entry").unsigned_abs(),
                at: Timestamp::from(at),
                actor: row.get("actor"),
                action: row.get("action"),
                details: Details {
                    object: row.get("object"),
                    before: row.get("before"),
                    after: row.get("after"),
                },
                salt: row.get("salt"),
                digest: row.get("digest"),
                hash: row.get("hash"),
            });
        }
        let verdict = verifier.finish(None);
        assert_eq!((verdict.head.entries, verdict.broken), (3, None));
    }
    let dropped = postgres.execute("DROP SCHEMA before_chains CASCADE").await;
    dropped.unwrap();
    postgres.close().await.unwrap();
}
