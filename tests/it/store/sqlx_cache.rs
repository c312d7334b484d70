//! `.sqlx` is what the Postgres of the current migrations says of the queries that there are: builds
//! check the queries against it and against nothing else.

use std::path::Path;

use serde_json::{Value, json};
use sqlx::postgres::PgTypeInfo;
use sqlx::{Connection, Either, Executor, PgConnection, TypeInfo};
use tests::shared;

const ADVICE: &str = "run `make sqlx` and commit `.sqlx`";

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap()
}

/// The files of the cache: name and content.
fn cached() -> Vec<(String, Value)> {
    let files = std::fs::read_dir(root().join(".sqlx")).unwrap();
    let read = |file: std::io::Result<std::fs::DirEntry>| {
        let file = file.unwrap();
        let text = std::fs::read_to_string(file.path()).unwrap();
        let name = file.file_name().to_string_lossy().into_owned();
        (name, serde_json::from_str(&text).unwrap())
    };
    files.map(read).collect()
}

/// All Rust of the store, in one text.
fn sources(folder: &Path) -> String {
    let mut all = String::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            all.push_str(&sources(&path));
        } else {
            all.push_str(&std::fs::read_to_string(path).unwrap());
        }
    }
    all
}

/// What queries begin with that macros put together out of two literals.
fn heads(sources: &str) -> Vec<&str> {
    let mut parts: Vec<&str> = sources.split("\"# + $rest").collect();
    parts.pop();
    let head = |part: &&'_ str| part.rfind("r#\"").map(|at| at + 3);
    parts
        .iter()
        .map(|part| &part[head(part).unwrap()..])
        .collect()
}

fn has_literal(sources: &str, sql: &str) -> bool {
    let escaped = sql.replace('\\', "\\\\").replace('"', "\\\"");
    [sql, &escaped]
        .iter()
        .any(|text| sources.contains(&format!("\"{text}\"")))
}

/// A type as the cache writes it, `UuidArray`, as Postgres writes it, `uuid[]`.
fn as_postgres(cached: &Value) -> String {
    let name = cached.as_str().unwrap().to_lowercase();
    match name.strip_suffix("array") {
        Some(item) => format!("{item}[]"),
        None => name,
    }
}

fn names(types: &[PgTypeInfo]) -> Vec<String> {
    types.iter().map(|of| of.name().to_lowercase()).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn the_cache_of_queries_is_fresh() {
    let server = shared().await;
    let run = std::fs::read(server.data_dir().join("run/server.json")).unwrap();
    let run: Value = serde_json::from_slice(&run).unwrap();
    let url = run["database_url"].as_str().unwrap();
    let mut postgres = PgConnection::connect(url).await.unwrap();
    let sources = sources(&root().join("server/store-postgres/src"));
    let heads = heads(&sources);
    let cached = cached();
    assert!(!cached.is_empty() && !heads.is_empty());
    for (file, query) in cached {
        let sql = query["query"].as_str().unwrap();
        let mut rests = heads.iter().filter_map(|head| sql.strip_prefix(head));
        let is_used = has_literal(&sources, sql) || rests.any(|rest| has_literal(&sources, rest));
        assert!(
            is_used,
            "{file} is of a query that is gone; {ADVICE}: {sql}"
        );
        let found = (&mut postgres).describe(sql).await;
        let found = found.unwrap_or_else(|error| panic!("{file}: {error}; {ADVICE}: {sql}"));
        let cached = &query["describe"];
        let columns: Vec<(String, String)> = cached["columns"]
            .as_array()
            .unwrap()
            .iter()
            .map(|column| {
                let name = column["name"].as_str().unwrap().to_owned();
                (name, as_postgres(&column["type_info"]))
            })
            .collect();
        let live: Vec<(String, String)> = found
            .columns()
            .iter()
            .map(|column| {
                use sqlx::Column as _;
                let of = column.type_info().name().to_lowercase();
                (column.name().to_owned(), of)
            })
            .collect();
        assert_eq!(columns, live, "{file}: columns; {ADVICE}: {sql}");
        let parameters = cached["parameters"]["Left"].as_array().unwrap().iter();
        let parameters: Vec<String> = parameters.map(as_postgres).collect();
        let live = match found.parameters() {
            Some(Either::Left(types)) => names(types),
            _ => Vec::new(),
        };
        assert_eq!(parameters, live, "{file}: parameters; {ADVICE}: {sql}");
        let nullable: Vec<Option<bool>> = (0..found.columns().len())
            .map(|at| found.nullable(at))
            .collect();
        assert_eq!(
            cached["nullable"],
            json!(nullable),
            "{file}: nulls; {ADVICE}: {sql}"
        );
    }
}
