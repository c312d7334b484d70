//! Engines start, live and die with their server.

use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use engines::{Config, Engines, Limits, State};
use tests::{Server, Settings, binary, eventually_within, signal};

const ENGINES: [&str; 2] = ["clickhouse", "postgres"];

#[tokio::test(flavor = "multi_thread")]
async fn a_killed_engine_is_started_again_at_the_same_address() {
    let server = Server::start().await;
    let addresses = addresses(&server);
    for engine in ENGINES {
        let killed = server.engine_pid(engine).unwrap();
        signal(killed, "KILL");
        eventually_within(Duration::from_secs(30), engine, async || {
            match server.engine_pid(engine) {
                Some(pid) if pid != killed && is_alive(pid) => Ok(pid),
                other => Err(other),
            }
        })
        .await;
    }
    eventually_within(Duration::from_secs(30), "ClickHouse answers", async || {
        ask_clickhouse(&addresses.0).await
    })
    .await;
    assert_eq!(self::addresses(&server), addresses);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_engine_that_hangs_is_started_again_at_the_same_address() {
    let folder = tempfile::Builder::new()
        .prefix("triaxis-")
        .tempdir()
        .unwrap();
    open(folder.path());
    let data_dir = folder.path().join("data");
    let config = Config {
        data_dir: data_dir.clone(),
        engines_dir: super::engines_dir(),
        program: binary(),
        // Shorter than the product's, and still not so short that a busy machine looks dead.
        limits: Limits {
            every: Duration::from_millis(200),
            within: Duration::from_secs(1),
            misses: 3,
        },
        clickhouse_url: None,
        database_url: None,
    };
    let engines = Engines::start(config).await.unwrap();
    let address = engines.clickhouse_url().to_owned();
    for engine in ENGINES {
        let pid_file = data_dir.join(format!("{engine}.pid"));
        let pid = || {
            let text = std::fs::read_to_string(&pid_file).map_err(|error| error.to_string())?;
            text.trim()
                .parse::<u32>()
                .map_err(|error| error.to_string())
        };
        let hanging = pid().unwrap();
        signal(hanging, "STOP");
        let state = || {
            let mut all = engines.status().into_iter();
            all.find(|status| status.engine == engine).unwrap().state
        };
        eventually_within(Duration::from_secs(60), engine, async || match pid() {
            Ok(pid) if pid != hanging && state() == State::Ready => Ok(()),
            other => Err(format!("{other:?}, {:?}", state())),
        })
        .await;
        assert!(!is_alive(hanging), "{engine}");
    }
    ask_clickhouse(&address).await.unwrap();
    engines.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn no_engine_outlives_a_killed_server_and_the_next_one_starts() {
    let server = Server::start().await;
    for _ in 0..3 {
        let engines = ENGINES.map(|engine| server.engine_pid(engine).unwrap());
        server.kill();
        // At once: the next server has to cope with what is left of the last.
        server.start_again().await;
        for pid in engines {
            assert!(!is_alive(pid), "engine {pid} is an orphan");
        }
    }
    let engines = ENGINES.map(|engine| server.engine_pid(engine).unwrap());
    server.kill();
    eventually_within(Duration::from_secs(30), "all engines end", async || {
        let orphans: Vec<u32> = engines.into_iter().filter(|pid| is_alive(*pid)).collect();
        if orphans.is_empty() {
            Ok(())
        } else {
            Err(orphans)
        }
    })
    .await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stopped_server_stops_its_engines_first() {
    let server = Server::start().await;
    let engines = ENGINES.map(|engine| server.engine_pid(engine).unwrap());
    assert_eq!(server.stop(), Some(0));
    for pid in engines {
        assert!(!is_alive(pid), "engine {pid} is left");
    }
    for engine in ENGINES {
        assert_eq!(
            server.engine_pid(engine),
            None,
            "the pid file of {engine} is left"
        );
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_second_server_on_the_same_data_is_refused() {
    let server = Server::start().await;
    let second = Command::new(binary())
        .args(["serve", "--listen", "127.0.0.1:0"])
        .env("TRIAXIS_DATA_DIR", server.data_dir())
        .env("TRIAXIS_OTLP_GRPC_LISTEN", "127.0.0.1:0")
        .env("TRIAXIS_OTLP_HTTP_LISTEN", "127.0.0.1:0")
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&second.stderr);
    assert!(!second.status.success());
    assert!(said.contains("is in use by another process"), "{said}");
    assert!(said.contains(&server.pid().to_string()), "{said}");
    ask_clickhouse(&addresses(&server).0).await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn the_engines_let_nobody_else_in() {
    let server = Server::start().await;
    let (clickhouse, _) = addresses(&server);
    let (_, host) = clickhouse.rsplit_once('@').unwrap();
    for stranger in [
        format!("http://{host}"),
        format!("http://triaxis:wrong@{host}"),
    ] {
        let refused = ask_clickhouse(&stranger).await.unwrap_err();
        assert!(refused.starts_with("403"), "{refused}");
    }
    use std::os::unix::fs::PermissionsExt;
    for folder in ["postgres", "sockets"] {
        let path = server.data_dir().join(folder);
        // A data directory with a long path has its sockets elsewhere.
        if let Ok(found) = std::fs::metadata(&path) {
            assert_eq!(found.permissions().mode() & 0o077, 0, "{folder}");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_data_directory_with_a_long_path_works() {
    let folder = tempfile::Builder::new()
        .prefix("triaxis-")
        .tempdir()
        .unwrap();
    open(folder.path());
    let long = folder.path().join("x".repeat(120));
    std::fs::create_dir(&long).unwrap();
    open(&long);
    let settings = Settings {
        data_dir: Some(long.join("data")),
        ..Settings::default()
    };
    let server = Server::start_with(settings).await;
    assert_eq!(server.stop(), Some(0));
}

#[tokio::test(flavor = "multi_thread")]
async fn starts_are_fast() {
    let begun = Instant::now();
    let server = Server::start().await;
    let first = begun.elapsed();
    server.stop();
    let begun = Instant::now();
    server.start_again().await;
    let later = begun.elapsed();
    // Ten and two seconds are promised of a release build on a free machine.
    assert!(first < Duration::from_secs(60), "first start: {first:?}");
    assert!(later < Duration::from_secs(40), "later start: {later:?}");
}

/// Addresses of ClickHouse and Postgres.
fn addresses(server: &Server) -> (String, String) {
    let text = std::fs::read(server.data_dir().join("run/server.json")).unwrap();
    let run: serde_json::Value = serde_json::from_slice(&text).unwrap();
    let text = |key: &str| run[key].as_str().unwrap().to_owned();
    (text("clickhouse_url"), text("database_url"))
}

async fn ask_clickhouse(url: &str) -> Result<(), String> {
    let url = url.trim_end_matches("/default");
    let answer = reqwest::Client::new()
        .post(url)
        .body("SELECT 1")
        .send()
        .await;
    let answer = answer.map_err(|error| error.to_string())?;
    let status = answer.status();
    let text = answer.text().await.map_err(|error| error.to_string())?;
    if text == "1\n" {
        Ok(())
    } else {
        Err(format!("{status}: {text}"))
    }
}

/// Whether a process runs; one that ended and was not waited for does not.
fn is_alive(pid: u32) -> bool {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    stat.rsplit_once(") ")
        .is_some_and(|(_, rest)| !rest.starts_with('Z'))
}

fn open(folder: &Path) {
    use std::os::unix::fs::PermissionsExt;
    std::fs::set_permissions(folder, std::fs::Permissions::from_mode(0o755)).unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn logs_of_engines_are_read_by_their_owner_only_and_hold_no_rows() {
    use std::os::unix::fs::PermissionsExt;
    let server = Server::start().await;
    let log = |engine: &str| server.data_dir().join(format!("{engine}.log"));
    let mode = |engine: &str| std::fs::metadata(log(engine)).unwrap().permissions().mode() & 0o777;
    let organisation = server.new_organisation();
    let create = async |path: &str, body: &serde_json::Value| {
        let path = format!("/api/public{path}");
        let request = organisation.client.request(reqwest::Method::POST, &path);
        request.json(body).send().await.unwrap().status().as_u16()
    };
    let project = organisation.project.project_id.clone().unwrap();
    let pair = serde_json::json!({
        "publicKey": "pk-lf-0123456789", "secretKey": "sk-lf-0123456789",
    });
    let keys = format!("/projects/{project}/apiKeys");
    let named = serde_json::json!({ "name": "a name for the log", "retention": 0 });
    for (path, body) in [(keys.as_str(), &pair), ("/projects", &named)] {
        assert_eq!(create(path, body).await, 201, "{path}");
        assert_eq!(create(path, body).await, 409, "{path}");
    }
    let said = std::fs::read_to_string(log("postgres")).unwrap();
    assert!(said.contains("projects_organisation_id_name_key"), "{said}");
    for kept_out in ["a name for the log", "Key (", "STATEMENT", "api_keys"] {
        assert!(!said.contains(kept_out), "{kept_out}: {said}");
    }
    assert_eq!(ENGINES.map(mode), [0o600; 2]);
    // As an older version left them.
    assert_eq!(server.stop(), Some(0));
    for engine in ENGINES {
        let readable = std::fs::Permissions::from_mode(0o644);
        std::fs::set_permissions(log(engine), readable).unwrap();
    }
    server.start_again().await;
    assert_eq!(ENGINES.map(mode), [0o600; 2]);
}
