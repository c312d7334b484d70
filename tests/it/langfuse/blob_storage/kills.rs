//! A server that is killed in the middle of an export: nothing is lost, and nothing lies there twice.

use std::collections::BTreeMap;
use std::time::Duration;

use tests::eventually_within;

use super::{Store, becomes_status, described, judged_trace, lines, server, set};

#[tokio::test(flavor = "multi_thread")]
async fn an_export_goes_on_after_a_kill_and_has_everything_once() {
    let server = server().await;
    let organisation = server.new_organisation();
    for hour in 10..13 {
        let time = format!("2025-06-02T{hour}:15:00.000Z");
        judged_trace(&organisation.project, &format!("t{hour}"), &time).await;
    }
    let store = Store::start().await;
    store.is_open(false);
    set(&organisation, &described(&organisation.project, &store.url)).await;
    let arrives = async |count: usize| {
        let limit = Duration::from_secs(60);
        eventually_within(limit, "a file is on its way", async || {
            let arrived = store.arrived();
            if arrived >= count {
                Ok(())
            } else {
                Err(arrived)
            }
        })
        .await;
    };
    arrives(1).await;
    becomes_status(&organisation, "running").await;
    server.kill();
    server.start_again().await;
    // Once more after some files of a window were taken.
    let before = store.arrived();
    store.is_open(true);
    arrives(before + 2).await;
    server.kill();
    server.start_again().await;
    becomes_status(&organisation, "up_to_date").await;

    let mut found: BTreeMap<String, usize> = BTreeMap::new();
    for (path, bytes) in store.objects() {
        for row in lines(&bytes) {
            let table = path.split('/').nth_back(1).unwrap();
            let id = row["id"].as_str().unwrap();
            *found.entry(format!("{table} {id}")).or_default() += 1;
        }
    }
    let mut expected = BTreeMap::new();
    for hour in 10..13 {
        for (table, end) in [
            ("traces", ""),
            ("observations", "-span"),
            ("scores", "-score"),
        ] {
            expected.insert(format!("{table} t{hour}{end}"), 1);
        }
    }
    assert_eq!(found, expected);
}
