//! Entries that somebody with the database's password changed, took out, swapped or cut off are told.

use std::process::Command;

use serde_json::{Value, json};
use sqlx::{Connection as _, Executor as _};
use tests::{ProjectClient, shared};

use super::{database, exported, set_something, verdict};
use crate::deletions::project;

/// A project whose log has some entries.
async fn with_entries() -> ProjectClient {
    let (_, admin) = project(shared().await);
    for n in 0..5 {
        set_something(&admin, &format!("m{n}")).await;
    }
    assert_eq!(verdict(&admin).await["is_valid"], true);
    admin
}

/// Runs statements past what guards the table, on the log of a project.
async fn tamper(admin: &ProjectClient, statements: &[&str]) {
    let project = tenant(admin).await;
    let mut postgres = database(shared().await).await;
    postgres
        .execute("SET session_replication_role = replica")
        .await
        .unwrap();
    for statement in statements {
        let statement = statement.replace("$P", &format!("project_id = '{project}'"));
        postgres.execute(statement.as_str()).await.unwrap();
    }
    postgres.close().await.unwrap();
}

/// The project, as its log names it.
async fn tenant(admin: &ProjectClient) -> String {
    let lines = exported(admin).await;
    lines[0]["chain"].as_str().unwrap().to_owned()
}

async fn broken(admin: &ProjectClient) -> Value {
    let verdict = verdict(admin).await;
    assert_eq!(verdict["is_valid"], false, "{verdict}");
    verdict["first_broken"].clone()
}

#[tokio::test(flavor = "multi_thread")]
async fn what_was_done_to_entries_is_told_with_the_first_that_does_not_hold() {
    for (statements, entry, reason) in [
        (
            vec!["UPDATE audit_log SET object = 'other' WHERE $P AND entry = 2"],
            2,
            "changed",
        ),
        (
            vec!["UPDATE audit_log SET actor = 'operator' WHERE $P AND entry = 3"],
            3,
            "unlinked",
        ),
        (
            vec!["DELETE FROM audit_log WHERE $P AND entry = 3"],
            3,
            "missing",
        ),
        (
            vec![
                "UPDATE audit_log SET entry = 1000 WHERE $P AND entry = 2",
                "UPDATE audit_log SET entry = 2 WHERE $P AND entry = 3",
                "UPDATE audit_log SET entry = 3 WHERE $P AND entry = 1000",
            ],
            2,
            "unlinked",
        ),
        (
            vec!["DELETE FROM audit_log WHERE $P AND entry >= 4"],
            4,
            "cut",
        ),
        (
            vec![
                "UPDATE audit_log SET object = '', before = 'null', after = 'null', salt = NULL
                 WHERE $P AND entry = 2",
            ],
            2,
            "blanked_unsaid",
        ),
    ] {
        let admin = with_entries().await;
        tamper(&admin, &statements).await;
        let told = json!({"entry": entry, "reason": reason});
        assert_eq!(broken(&admin).await, told, "{statements:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn nobody_changes_or_deletes_entries_by_accident() {
    let admin = with_entries().await;
    let project = tenant(&admin).await;
    let mut postgres = database(shared().await).await;
    for statement in [
        format!("UPDATE audit_log SET actor = 'x' WHERE project_id = '{project}'"),
        format!("DELETE FROM audit_log WHERE project_id = '{project}'"),
        "TRUNCATE audit_log".to_owned(),
    ] {
        let refused = postgres.execute(statement.as_str()).await.unwrap_err();
        assert!(
            refused.to_string().contains("neither changed nor deleted"),
            "{refused}"
        );
    }
    assert_eq!(verdict(&admin).await["is_valid"], true);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_export_is_verified_without_the_server_and_a_log_that_was_cut_by_what_was_known_of_it() {
    let admin = with_entries().await;
    let lines = exported(&admin).await;
    let last = lines.last().unwrap().clone();
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("log.jsonl");
    let write = |lines: &[Value]| {
        let text: String = lines.iter().map(|line| format!("{line}\n")).collect();
        std::fs::write(&file, text).unwrap();
    };
    let verify = |arguments: &[&str]| -> (bool, Value) {
        let output = Command::new(tests::binary())
            .args(["admin", "verify-audit-log", file.to_str().unwrap()])
            .args(arguments)
            .output()
            .unwrap();
        let told = serde_json::from_slice(&output.stdout).unwrap_or_default();
        (output.status.success(), told)
    };
    write(&lines);
    let (holds, told) = verify(&[]);
    assert!(holds, "{told}");
    assert_eq!(
        (&told["entries"], &told["hash"]),
        (&last["entry"], &last["hash"])
    );
    let mut changed = lines.clone();
    changed[1]["after"] = json!({"ttft_ms": 1});
    write(&changed);
    let (holds, told) = verify(&[]);
    let expected = json!({"entry": 2, "reason": "changed"});
    assert_eq!((holds, &told["first_broken"]), (false, &expected));
    // The end that is missing is seen by whoever knows the end, and by nobody else.
    write(&lines[..3]);
    assert!(verify(&[]).0);
    let (entry, hash) = (last["entry"].to_string(), last["hash"].as_str().unwrap());
    let (holds, told) = verify(&["--entry", &entry, "--hash", hash]);
    let expected = json!({"entry": 4, "reason": "cut"});
    assert_eq!((holds, &told["first_broken"]), (false, &expected));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_log_without_its_end_and_its_head_is_found_by_whoever_knew_the_head() {
    let admin = with_entries().await;
    let known = verdict(&admin).await;
    let head = "UPDATE audit_chains SET entries = 3,
         hash = (SELECT hash FROM audit_log WHERE $P AND entry = 3) WHERE $P";
    tamper(
        &admin,
        &["DELETE FROM audit_log WHERE $P AND entry > 3", head],
    )
    .await;
    assert_eq!(
        verdict(&admin).await["is_valid"],
        true,
        "nothing is left that tells it"
    );
    let (entry, hash) = (&known["entries"], known["hash"].as_str().unwrap());
    let path = format!("/api/v1/audit-log/verify?entry={entry}&hash={hash}");
    let told = admin.get_json(&path).await;
    assert_eq!(told["first_broken"]["reason"], "cut", "{told}");
}
