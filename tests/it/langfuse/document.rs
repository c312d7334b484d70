//! The document of the API against what is there: each of its operations is served, or stands in
//! `docs/langfuse.md` with the reason why it is not.

use std::collections::BTreeSet;
use std::path::Path;

use reqwest::{Method, StatusCode};
use tests::langfuse::{Operation, operations};
use tests::shared;

/// The rows `| methods | path | reason |` of the page.
fn missing() -> BTreeSet<Operation> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let page = std::fs::read_to_string(root.join("docs/langfuse.md")).unwrap();
    let mut missing = BTreeSet::new();
    for line in page.lines() {
        let cells: Vec<&str> = line.split('|').map(str::trim).collect();
        let [_, methods, path, reason, _] = cells.as_slice() else {
            continue;
        };
        let Some(path) = path
            .strip_prefix("`/api/")
            .and_then(|path| path.strip_suffix('`'))
        else {
            continue;
        };
        assert!(!reason.is_empty(), "no reason: {line}");
        for method in methods.split(", ") {
            let operation = Operation {
                method: method.to_owned(),
                path: format!("/api/{path}"),
            };
            assert!(missing.insert(operation), "twice: {method} {path}");
        }
    }
    missing
}

#[tokio::test]
async fn each_operation_is_served_or_its_absence_has_a_reason() {
    let server = shared().await;
    let missing = missing();
    let all = operations();
    assert!(all.len() > 100, "{}", all.len());
    for operation in &missing {
        assert!(all.contains(operation), "the document has no {operation:?}");
    }
    let client = reqwest::Client::new();
    for operation in all {
        let path = operation.path.replace(['{', '}'], "");
        let method = Method::from_bytes(operation.method.as_bytes()).unwrap();
        let request = client.request(method, format!("{}{path}", server.http_url()));
        let status = request.send().await.unwrap().status();
        let absent = [StatusCode::NOT_FOUND, StatusCode::METHOD_NOT_ALLOWED].contains(&status);
        if absent {
            let reason = missing.contains(&operation);
            assert!(
                reason,
                "{operation:?} is {status} and not in docs/langfuse.md"
            );
        } else {
            let known = [StatusCode::OK, StatusCode::UNAUTHORIZED].contains(&status);
            assert!(known, "{operation:?}: {status}");
            let stale = missing.contains(&operation);
            assert!(
                !stale,
                "{operation:?} is served; take it out of docs/langfuse.md"
            );
        }
    }
}
