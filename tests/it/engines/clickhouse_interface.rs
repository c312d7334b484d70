//! What the official client needs of ClickHouse's HTTP interface, asked of the embedded engine.

use std::collections::HashMap;

use clickhouse::Row;
use reqwest::StatusCode;
use serde::{Deserialize, Serialize};
use tests::eventually;

use super::Engine;

#[derive(Clone, Debug, PartialEq, Row, Serialize, Deserialize)]
struct Everything {
    id: u64,
    small: u8,
    signed: i64,
    fraction: f64,
    flag: bool,
    text: String,
    word: String,
    maybe: Option<String>,
    list: Vec<String>,
    pairs: Vec<(String, u32)>,
    map: HashMap<String, String>,
    fixed: [u8; 4],
    at: i64,
    kind: i8,
    money: i128,
    nested: Vec<Vec<i32>>,
}

const EVERYTHING: &str = "CREATE TABLE everything (
    id UInt64, small UInt8, signed Int64, fraction Float64, flag Bool, text String,
    word LowCardinality(String), maybe Nullable(String), list Array(String),
    pairs Array(Tuple(String, UInt32)), map Map(String, String), fixed FixedString(4),
    at DateTime64(9), kind Enum8('llm' = 1, 'tool' = 2), money Decimal(38, 12),
    nested Array(Array(Int32))
) ENGINE = MergeTree ORDER BY id";

fn everything(id: u64) -> Everything {
    Everything {
        id,
        small: u8::MAX,
        signed: i64::MIN,
        fraction: 0.1,
        flag: id.is_multiple_of(2),
        text: format!("tab\there, line\nend, quote ' \" ` \\ zero \0 雪 {id}"),
        word: format!("word {}", id % 3),
        maybe: (id % 2 == 1).then(|| "there".to_owned()),
        list: vec![String::new(), "two".to_owned()],
        pairs: vec![("a".to_owned(), 1), ("b".to_owned(), u32::MAX)],
        map: HashMap::from([("key".to_owned(), "value".to_owned())]),
        fixed: *b"\x00ab\xff",
        at: 1_764_400_000_123_456_789,
        kind: 2,
        money: -123_456_789_000_000_000_001,
        nested: vec![vec![], vec![-1, 2]],
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn every_type_comes_back_as_it_was_inserted() {
    let engine = Engine::start().await;
    for client in engine.clients() {
        engine.run("DROP TABLE IF EXISTS everything").await;
        engine.run(EVERYTHING).await;
        let rows: Vec<Everything> = (0..50_000).map(everything).collect();
        let mut insert = client.insert::<Everything>("everything").await.unwrap();
        for row in &rows {
            insert.write(row).await.unwrap();
        }
        insert.end().await.unwrap();
        let query = client.query("SELECT ?fields FROM everything ORDER BY id");
        let read = query.fetch_all::<Everything>().await.unwrap();
        assert!(
            read == rows,
            "{} rows came back, the first is {:?}",
            read.len(),
            read.first()
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn parameters_reach_the_query_unchanged() {
    let engine = Engine::start().await;
    let odd = "a'b\"c\\d\te\nf`g 雪 {x:String} ? \\N";
    for client in engine.clients() {
        let echoed: String = client
            .query_raw("SELECT {text:String}")
            .param("text", odd)
            .fetch_one()
            .await
            .unwrap();
        assert_eq!(echoed, odd);
        let joined: Vec<String> = client
            .query_raw("SELECT arrayJoin({list:Array(String)})")
            .param("list", vec![odd, ""])
            .fetch_all()
            .await
            .unwrap();
        assert_eq!(joined, [odd, ""]);
        let none: Option<String> = client
            .query_raw("SELECT {none:Nullable(String)}")
            .param("none", None::<String>)
            .fetch_one()
            .await
            .unwrap();
        assert_eq!(none, None);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn empty_results_and_formats_are_as_the_server_gives_them() {
    let engine = Engine::start().await;
    let none = engine
        .client()
        .query("SELECT number FROM numbers(0)")
        .fetch_all::<u64>()
        .await;
    assert_eq!(none.unwrap(), [0_u64; 0]);
    let http = reqwest::Client::new();
    for (query, expected) in [
        (
            "SELECT 1 AS a, 'x' AS b FORMAT TSVWithNamesAndTypes",
            "a\tb\nUInt8\tString\n1\tx\n",
        ),
        (
            "SELECT number AS n FROM numbers(2) FORMAT JSONEachRow",
            "{\"n\":0}\n{\"n\":1}\n",
        ),
        ("SELECT 'FORMAT JSON' FORMAT TSV;", "FORMAT JSON\n"),
        ("/* a */ WITH 5 AS five SELECT five", "5\n"),
        ("(SELECT 1)", "1\n"),
        ("SHOW DATABASES LIKE 'default'", "default\n"),
        ("EXISTS TABLE nothing", "0\n"),
    ] {
        let answer = http.post(&engine.url).body(query).send().await.unwrap();
        assert_eq!(answer.status(), StatusCode::OK, "{query}");
        assert_eq!(answer.text().await.unwrap(), expected, "{query}");
    }
    // The header of a format comes once, however many chunks the result has.
    let lines = "SELECT number FROM numbers(200000) FORMAT CSVWithNames";
    let text = http
        .post(&engine.url)
        .body(lines)
        .send()
        .await
        .unwrap()
        .text()
        .await
        .unwrap();
    assert_eq!(
        (text.lines().count(), text.matches("number").count()),
        (200_001, 1)
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn refusals_have_the_status_and_code_of_clickhouse() {
    let engine = Engine::start().await;
    let http = reqwest::Client::new();
    engine
        .run("CREATE TABLE t (a UInt64) ENGINE = MergeTree ORDER BY a")
        .await;
    for (query, status, code) in [
        ("SELECT * FROM nothing", StatusCode::NOT_FOUND, "60"),
        ("SELECT * FROM nowhere.t", StatusCode::NOT_FOUND, "81"),
        ("SELECT FROM WHERE", StatusCode::BAD_REQUEST, "62"),
        ("SELECT no_such_function(1)", StatusCode::NOT_FOUND, "46"),
        ("SELECT toUInt8('x')", StatusCode::BAD_REQUEST, "6"),
        ("SELECT {a:String}", StatusCode::BAD_REQUEST, "456"),
        (
            "INSERT INTO t FORMAT TSV\nx\n",
            StatusCode::BAD_REQUEST,
            "27",
        ),
        (
            "INSERT INTO nothing FORMAT TSV\nx\n",
            StatusCode::NOT_FOUND,
            "60",
        ),
        (
            "SELECT throwIf(1)",
            StatusCode::INTERNAL_SERVER_ERROR,
            "395",
        ),
        ("", StatusCode::BAD_REQUEST, "62"),
    ] {
        let answer = http.post(&engine.url).body(query).send().await.unwrap();
        assert_eq!(answer.status(), status, "{query}");
        assert_eq!(
            answer.headers()["x-clickhouse-exception-code"],
            code,
            "{query}"
        );
        let text = answer.text().await.unwrap();
        assert!(
            text.starts_with(&format!("Code: {code}. DB::Exception: ")),
            "{text}"
        );
    }
    let unknown = http
        .post(format!("{}/?no_such_setting=1", engine.url))
        .body("SELECT 1");
    assert_eq!(
        unknown.send().await.unwrap().status(),
        StatusCode::NOT_FOUND
    );
    // A GET only reads, as there.
    let write = http
        .get(format!("{}/?query=DROP+TABLE+t", engine.url))
        .send()
        .await
        .unwrap();
    assert_eq!(write.headers()["x-clickhouse-exception-code"], "164");
    for client in engine.clients() {
        let error = client
            .query("SELECT * FROM nothing")
            .fetch_all::<u8>()
            .await
            .unwrap_err();
        assert!(
            error.to_string().contains("Code: 60. DB::Exception"),
            "{error}"
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn an_error_in_the_middle_of_a_result_reaches_the_client() {
    let engine = Engine::start().await;
    for client in engine.clients() {
        let query = "SELECT number + throwIf(number = 1000000) AS n FROM numbers(2000000)";
        let mut cursor = client.query(query).fetch::<u64>().unwrap();
        let mut rows = 0;
        let error = loop {
            match cursor.next().await {
                Ok(Some(_)) => rows += 1,
                Ok(None) => panic!("the result ended as if it were whole, after {rows} rows"),
                Err(error) => break error,
            }
        };
        assert!(rows > 0, "rows come before the error");
        assert!(error.to_string().contains("Code: 395"), "{error}");
    }
    // One who does not know the tag still sees that the body is broken off.
    let query = "SELECT throwIf(number = 1000000) FROM numbers(2000000)";
    let answer = reqwest::Client::new()
        .post(&engine.url)
        .body(query)
        .send()
        .await
        .unwrap();
    assert_eq!(answer.status(), StatusCode::OK);
    assert!(answer.bytes().await.is_err());
}

#[tokio::test(flavor = "multi_thread")]
async fn settings_and_database_count_for_one_request() {
    let engine = Engine::start().await;
    let client = engine.client();
    engine.run("CREATE DATABASE other").await;
    engine
        .run("CREATE TABLE other.t (a UInt8) ENGINE = MergeTree ORDER BY a")
        .await;
    let block = || client.query("SELECT toUInt64(getSetting('max_block_size'))");
    let before: u64 = block().fetch_one().await.unwrap();
    let set: u64 = block()
        .with_setting("max_block_size", "77")
        .fetch_one()
        .await
        .unwrap();
    assert_eq!(set, 77);
    engine.run("SET max_block_size = 99").await;
    let inside = client.clone().with_database("other");
    inside
        .query("INSERT INTO t VALUES (1), (2)")
        .execute()
        .await
        .unwrap();
    let count: u64 = inside
        .query("SELECT count() FROM t")
        .fetch_one()
        .await
        .unwrap();
    assert_eq!(count, 2);
    for _ in 0..10 {
        let after: u64 = block().fetch_one().await.unwrap();
        assert_eq!(after, before);
        let outside = client
            .query("SELECT count() FROM t")
            .fetch_one::<u64>()
            .await;
        assert!(
            outside.is_err(),
            "the database of another request is still set"
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_summary_counts_what_was_written_and_read() {
    let engine = Engine::start().await;
    engine
        .run("CREATE TABLE t (a UInt64) ENGINE = MergeTree ORDER BY a")
        .await;
    let http = reqwest::Client::new();
    let summary = async |request: reqwest::RequestBuilder| {
        let answer = request.send().await.unwrap();
        let text = answer.headers()["x-clickhouse-summary"]
            .to_str()
            .unwrap()
            .to_owned();
        serde_json::from_str::<HashMap<String, String>>(&text).unwrap()
    };
    let url = format!("{}/?query=INSERT+INTO+t+FORMAT+TSV", engine.url);
    let written = summary(http.post(url).body("1\n2\n3\n")).await;
    assert_eq!(written["written_rows"], "3");
    // The head of a result does not wait long for the end: a busy machine may be too late at times.
    eventually("a summary counts what was read", async || {
        let read = summary(http.post(&engine.url).body("SELECT a FROM t")).await;
        match (&*read["read_rows"], &*read["result_rows"]) {
            ("3", "3") => Ok(()),
            _ => Err(read),
        }
    })
    .await;
}
