//! What the server keeps is for nobody else on the machine.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use tests::Server;
use tests::builders::{SpanBuilder, export};

/// Bits of others, and of a group.
const READ: u32 = 0o044;
const ENTER: u32 = 0o011;

/// Files that others can reach and read, below a folder that they can enter.
fn open_to_others(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        // Temporary files go while one looks.
        let Ok(about) = fs::symlink_metadata(&path) else {
            continue;
        };
        let mode = about.permissions().mode();
        if about.is_dir() {
            if mode & READ != 0 {
                found.push(path.clone());
            }
            if mode & ENTER != 0 {
                open_to_others(&path, found);
            }
        } else if about.is_file() && mode & READ != 0 {
            found.push(path);
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn nobody_else_on_the_machine_reads_what_is_kept() {
    let server = Server::start().await;
    let client = server.client();
    let root = SpanBuilder::root("kept").attribute("input.value", "for few eyes");
    client.accept_traces(&export([&root])).await;
    client.trace_with_spans(root.trace_id(), 1).await;
    let folder = server.data_dir();
    let kept: Vec<String> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    for part in ["spool", "clickhouse", "postgres"] {
        assert!(kept.iter().any(|name| name == part), "{part}: {kept:?}");
    }
    let mut found = Vec::new();
    open_to_others(folder, &mut found);
    assert!(found.is_empty(), "{found:#?}");

    // Folders of before are closed at the next start.
    let spool = folder.join("spool");
    fs::set_permissions(&spool, fs::Permissions::from_mode(0o755)).unwrap();
    server.stop();
    server.start_again().await;
    let mode = fs::metadata(spool);
    assert_eq!(mode.unwrap().permissions().mode() & 0o777, 0o700);
}
