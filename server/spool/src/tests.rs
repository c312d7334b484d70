//! The queue as its users see it, on a real disk.

use std::time::Duration;

use bytes::Bytes;
use domain::Timestamp;

use super::*;

fn at(seconds: u64) -> Timestamp {
    Timestamp::from_unix_nanos(seconds * 1_000_000_000).unwrap()
}

fn entry(text: &str) -> Entry {
    Entry {
        rows: 2,
        weight: 10,
        received: at(100),
        data: Bytes::copy_from_slice(text.as_bytes()),
    }
}

fn open(dir: &std::path::Path) -> Spool {
    Spool::open(Config {
        dir: dir.to_owned(),
        max_bytes: 1 << 20,
    })
    .unwrap()
}

const SOON: BatchLimits = BatchLimits {
    max_rows: 4,
    max_weight: 1 << 20,
    few_rows: 2,
    short_wait: Duration::from_millis(5),
    long_wait: Duration::from_millis(10),
};

fn texts(batch: &Batch) -> Vec<String> {
    batch
        .entries
        .iter()
        .map(|entry| String::from_utf8(entry.data.to_vec()).unwrap())
        .collect()
}

#[tokio::test]
async fn entries_come_out_in_order_and_are_gone_once_acknowledged() {
    let dir = tempfile::tempdir().unwrap();
    let spool = open(dir.path());
    for text in ["a", "b", "c"] {
        spool.append(entry(text)).await.unwrap();
    }
    let first = spool.read_batch(SOON).await.unwrap().unwrap();
    let second = spool.read_batch(SOON).await.unwrap().unwrap();
    assert_eq!(
        (texts(&first), texts(&second)),
        (vec!["a".into(), "b".into()], vec!["c".into()])
    );
    assert_eq!(
        spool.stats(at(103)).oldest_age,
        Some(domain::Nanos::from_seconds(3))
    );
    spool.acknowledge(&first).await;
    spool.acknowledge(&second).await;
    assert_eq!(
        spool.stats(at(103)),
        Stats {
            max_bytes: 1 << 20,
            ..Stats::default()
        }
    );
    drop(spool);
    let again = open(dir.path());
    assert_eq!(again.stats(at(103)).entries, 0);
}

#[tokio::test]
async fn a_batch_that_was_out_comes_back_as_it_was_with_its_token() {
    let dir = tempfile::tempdir().unwrap();
    let spool = open(dir.path());
    for text in ["a", "b", "c"] {
        spool.append(entry(text)).await.unwrap();
    }
    let before = spool.read_batch(SOON).await.unwrap().unwrap();
    drop(spool);
    let spool = open(dir.path());
    spool.append(entry("d")).await.unwrap();
    let after = spool.read_batch(SOON).await.unwrap().unwrap();
    assert_eq!(
        (texts(&before), &before.token),
        (texts(&after), &after.token)
    );
    spool.acknowledge(&after).await;
    let rest = spool.read_batch(SOON).await.unwrap().unwrap();
    assert_eq!(texts(&rest), vec!["c", "d"]);
    assert_ne!(rest.token, after.token);
}

#[tokio::test]
async fn over_its_limit_it_refuses_until_something_leaves() {
    let dir = tempfile::tempdir().unwrap();
    let spool = Spool::open(Config {
        dir: dir.path().to_owned(),
        max_bytes: 10,
    })
    .unwrap();
    spool.append(entry("12345678")).await.unwrap();
    assert!(matches!(
        spool.append(entry("123")).await,
        Err(SpoolError::Full { bytes: 8, .. })
    ));
    let batch = spool.read_batch(SOON).await.unwrap().unwrap();
    spool.acknowledge(&batch).await;
    spool.append(entry("123")).await.unwrap();
}

#[tokio::test]
async fn what_is_set_aside_is_kept_and_does_not_come_back() {
    let dir = tempfile::tempdir().unwrap();
    let spool = open(dir.path());
    let bad = spool.append(entry("bad")).await.unwrap();
    spool.append(entry("good")).await.unwrap();
    let batch = spool.read_batch(SOON).await.unwrap().unwrap();
    spool.set_aside(&batch, bad, "refused").await;
    spool.acknowledge(&batch).await;
    drop(spool);
    let spool = open(dir.path());
    let stats = spool.stats(at(100));
    assert_eq!((stats.entries, stats.set_aside, stats.bytes), (0, 1, 3));
    let listed = spool.list_set_aside(10).await.unwrap();
    assert_eq!(
        (listed[0].reason.as_str(), listed[0].rows, listed[0].bytes),
        ("refused", 2, 3)
    );
}

#[tokio::test]
async fn closing_hands_out_the_rest_at_once_and_then_nothing() {
    let dir = tempfile::tempdir().unwrap();
    let spool = open(dir.path());
    spool.append(entry("a")).await.unwrap();
    spool.close();
    let patient = BatchLimits {
        short_wait: Duration::from_secs(3600),
        long_wait: Duration::from_secs(3600),
        ..SOON
    };
    let rest = spool.read_batch(patient).await.unwrap().unwrap();
    assert_eq!(texts(&rest), vec!["a"]);
    assert!(spool.read_batch(patient).await.unwrap().is_none());
    assert!(matches!(
        spool.append(entry("b")).await,
        Err(SpoolError::Closed)
    ));
}

#[tokio::test]
async fn appends_from_many_tasks_are_each_kept_once() {
    let dir = tempfile::tempdir().unwrap();
    let spool = std::sync::Arc::new(open(dir.path()));
    let mut tasks = tokio::task::JoinSet::new();
    for number in 0..100 {
        let spool = std::sync::Arc::clone(&spool);
        tasks.spawn(async move { spool.append(entry(&format!("{number:03}"))).await.unwrap() });
    }
    tasks.join_all().await;
    let mut all = Vec::new();
    while all.len() < 100 {
        let batch = spool.read_batch(SOON).await.unwrap().unwrap();
        all.extend(texts(&batch));
        spool.acknowledge(&batch).await;
    }
    all.sort();
    let expected: Vec<String> = (0..100).map(|number| format!("{number:03}")).collect();
    assert_eq!(all, expected);
}

/// The process is killed while it appends and reads: every append that had returned is there after
/// reopening, batches that were out come back with the same token and entries.
#[test]
fn a_killed_process_loses_nothing_that_it_was_told_is_kept() {
    if let Some(dir) =
        std::env::args().find_map(|arg| arg.strip_prefix("spool-crash=").map(str::to_owned))
    {
        append_until_killed(&dir);
    }
    for round in 0u64..4 {
        let dir = tempfile::tempdir().unwrap();
        let mut child = std::process::Command::new(std::env::current_exe().unwrap())
            .args([
                "--exact",
                "tests::a_killed_process_loses_nothing_that_it_was_told_is_kept",
            ])
            .args([
                "--nocapture",
                "--skip",
                &format!("spool-crash={}", dir.path().display()),
            ])
            .stdout(std::process::Stdio::piped())
            .stderr(std::process::Stdio::null())
            .spawn()
            .unwrap();
        std::thread::sleep(Duration::from_millis(400 + 130 * round));
        child.kill().unwrap();
        let output = child.wait_with_output().unwrap();
        let said = String::from_utf8_lossy(&output.stdout).into_owned();
        check_after_kill(dir.path(), &said);
    }
}

fn append_until_killed(dir: &str) -> ! {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    runtime.block_on(async {
        let spool = open(std::path::Path::new(dir));
        for number in 0u64.. {
            spool.append(entry(&number.to_string())).await.unwrap();
            println!("\nkept {number}");
            if number % 7 == 0 {
                let batch = spool.read_batch(SOON).await.unwrap().unwrap();
                println!("\nbatch {} {}", batch.token, texts(&batch).join(","));
                if number % 3 == 0 {
                    println!("\nforgets {}", texts(&batch).join(","));
                    spool.acknowledge(&batch).await;
                }
            }
        }
    });
    unreachable!("the loop above ends by being killed")
}

fn check_after_kill(dir: &std::path::Path, said: &str) {
    let complete = said.rsplit_once('\n').map_or("", |(complete, _)| complete);
    let lines = |word: &str| -> Vec<String> {
        complete
            .lines()
            .filter_map(|line| line.strip_prefix(word).map(str::to_owned))
            .collect()
    };
    let kept = lines("kept ");
    assert!(kept.len() > 5, "the child did hardly anything: {said}");
    let forgotten: Vec<String> = lines("forgets ")
        .iter()
        .flat_map(|line| line.split(',').map(str::to_owned).collect::<Vec<_>>())
        .collect();
    let mut batches = std::collections::HashMap::new();
    let mut found = Vec::new();
    let runtime = tokio::runtime::Runtime::new().unwrap();
    runtime.block_on(async {
        let spool = open(dir);
        spool.close();
        while let Some(batch) = spool.read_batch(SOON).await.unwrap() {
            batches.insert(batch.token.clone(), texts(&batch).join(","));
            found.extend(texts(&batch));
        }
    });
    for number in kept.iter().filter(|number| !forgotten.contains(number)) {
        let times = found.iter().filter(|found| *found == number).count();
        assert_eq!(times, 1, "{number} was kept");
    }
    for line in lines("batch ") {
        let (token, entries) = line.split_once(' ').unwrap();
        if let Some(again) = batches.get(token) {
            assert_eq!(again, entries, "the same token has the same entries");
        }
    }
}

#[tokio::test]
async fn a_file_written_anew_holds_what_is_kept_and_nothing_of_what_has_left() {
    let dir = tempfile::tempdir().unwrap();
    let spool = open(dir.path());
    for text in ["a marker that has left", "set aside", "kept"] {
        spool.append(entry(text)).await.unwrap();
    }
    let batch = spool.read_batch(SOON).await.unwrap().unwrap();
    let aside = batch.entries[1].sequence;
    spool.set_aside(&batch, aside, "no good").await;
    spool.acknowledge(&batch).await;
    spool.renew().await.unwrap();
    let file = std::fs::read(dir.path().join("spool.redb")).unwrap();
    let has = |text: &str| file.windows(text.len()).any(|part| part == text.as_bytes());
    assert!(!has("a marker that has left") && has("kept") && has("set aside"));
    // It goes on where it was, and so does one that is opened again.
    let later = spool.append(entry("later")).await.unwrap();
    assert!(later.0 > aside.0);
    drop(spool);
    let again = open(dir.path());
    assert_eq!(again.list_set_aside(9).await.unwrap()[0].reason, "no good");
    let rest = again.read_batch(SOON).await.unwrap().unwrap();
    assert_eq!(texts(&rest), ["kept", "later"]);
    assert_ne!(rest.token, batch.token);
}
