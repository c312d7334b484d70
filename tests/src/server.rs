//! A server process with its data directory.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::mpsc;
use std::time::Duration;

use serde_json::Value;

use crate::client::ProjectClient;
use crate::wait::eventually_within;

/// How to start a server.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// More environment variables.
    pub environment: Vec<(String, String)>,
    /// Keep the data here; unset: a fresh folder.
    pub data_dir: Option<PathBuf>,
}

impl Settings {
    /// With one more environment variable.
    #[must_use]
    pub fn with(mut self, name: &str, value: impl Into<String>) -> Self {
        self.environment.push((name.to_owned(), value.into()));
        self
    }
}

/// A running server: `triaxis serve` on embedded engines. It is killed, engines and all, when this
/// is dropped or the test process ends.
pub struct Server {
    process: Mutex<Child>,
    settings: Settings,
    data_dir: PathBuf,
    _own_folder: Option<tempfile::TempDir>,
    addresses: Addresses,
}

#[derive(Clone, Debug)]
struct Addresses {
    http: String,
    otlp_grpc: String,
    otlp_http: String,
}

const PUBLIC_KEY: &str = "pk-tx-test";
const SECRET_KEY: &str = "sk-tx-test-0123456789";
const EMAIL: &str = "ada@example.com";
const PASSWORD: &str = "correct horse battery";
const ADMIN_KEY: &str = "the key of whoever operates it";

/// An organisation with one project.
pub struct Organisation {
    /// Its id.
    pub id: String,
    /// Requests with an owner's key of the organisation.
    pub client: ProjectClient,
    /// Requests with a key of its project.
    pub project: ProjectClient,
}

impl Server {
    /// Starts a server of its own for one test.
    pub async fn start() -> Self {
        Self::start_with(Settings::default()).await
    }

    /// Starts a server with settings and waits until it is ready.
    pub async fn start_with(settings: Settings) -> Self {
        let own_folder = match &settings.data_dir {
            Some(_) => None,
            None => Some(
                tempfile::Builder::new()
                    .prefix("triaxis-")
                    .tempdir()
                    .unwrap(),
            ),
        };
        let data_dir = match (&settings.data_dir, &own_folder) {
            (Some(given), _) => given.clone(),
            (None, Some(own)) => {
                allow_entry(own.path());
                own.path().join("data")
            }
            (None, None) => unreachable!("one of both is set above"),
        };
        let any_port = ["127.0.0.1:0"; 3].map(str::to_owned);
        let process = spawn(&settings, &data_dir, &any_port);
        let addresses = await_ready(&data_dir, process.id()).await;
        Server {
            process: Mutex::new(process),
            settings,
            data_dir,
            _own_folder: own_folder,
            addresses,
        }
    }

    /// `http://…` of pages, REST and OTLP/HTTP.
    pub fn http_url(&self) -> &str {
        &self.addresses.http
    }

    /// `http://…` of OTLP/gRPC.
    pub fn grpc_url(&self) -> &str {
        &self.addresses.otlp_grpc
    }

    /// `http://…` of the port that serves OTLP/HTTP only.
    pub fn otlp_http_url(&self) -> &str {
        &self.addresses.otlp_http
    }

    /// Public key of the first project.
    pub fn public_key(&self) -> &str {
        PUBLIC_KEY
    }

    /// Secret key of the first project.
    pub fn secret_key(&self) -> &str {
        SECRET_KEY
    }

    /// E-mail of the first owner.
    pub fn email(&self) -> &str {
        EMAIL
    }

    /// Password of the first owner.
    pub fn password(&self) -> &str {
        PASSWORD
    }

    /// The data directory.
    pub fn data_dir(&self) -> &Path {
        &self.data_dir
    }

    /// Process id of the server.
    pub fn pid(&self) -> u32 {
        self.process.lock().unwrap().id()
    }

    /// Process id of an embedded engine: `clickhouse` or `postgres`.
    pub fn engine_pid(&self, engine: &str) -> Option<u32> {
        let text = std::fs::read_to_string(self.data_dir.join(format!("{engine}.pid"))).ok()?;
        text.trim().parse().ok()
    }

    /// Stops an engine and all its processes without ending them, as a machine that hangs would.
    pub fn freeze(&self, engine: &str) {
        self.signal_tree(engine, "STOP");
    }

    /// Lets a frozen engine go on.
    pub fn thaw(&self, engine: &str) {
        self.signal_tree(engine, "CONT");
    }

    fn signal_tree(&self, engine: &str, name: &str) {
        let pid = self.engine_pid(engine).unwrap();
        signal(pid, name);
        let children = Command::new("ps")
            .args(["-o", "pid=", "--ppid", &pid.to_string()])
            .output();
        for child in String::from_utf8_lossy(&children.unwrap().stdout).split_whitespace() {
            signal(child.parse().unwrap(), name);
        }
    }

    /// Requests with the keys of the first project.
    pub fn client(&self) -> ProjectClient {
        ProjectClient::new(self.http_url(), PUBLIC_KEY, SECRET_KEY)
    }

    /// The operator's key.
    pub fn admin_key(&self) -> &str {
        ADMIN_KEY
    }

    /// Requests with the keys of a new project.
    pub fn new_project(&self) -> ProjectClient {
        let organisation = format!("org {}", std::process::id());
        self.new_project_of(&organisation).0
    }

    /// A new organisation with one project: requests with an owner's key of the organisation, and with a
    /// key of the project.
    pub fn new_organisation(&self) -> Organisation {
        let name = format!("organisation {}-{}", std::process::id(), next());
        let (project, id) = self.new_project_of(&name);
        let client = self.new_organisation_key(&id, "owner");
        Organisation {
            id,
            client,
            project,
        }
    }

    /// Requests with a new key of an organisation, of a role.
    pub fn new_organisation_key(&self, id: &str, role: &str) -> ProjectClient {
        let made = self.admin(&["create-key", "--organisation", id, "--role", role]);
        let text = |key: &str| made[key].as_str().unwrap().to_owned();
        ProjectClient::new(self.http_url(), &text("public_key"), &text("secret_key"))
    }

    /// A project of the organisation of that name, and the organisation's id.
    fn new_project_of(&self, organisation: &str) -> (ProjectClient, String) {
        // Names are unique within an organisation.
        let name = format!("test {}", next());
        let made = self.admin(&[
            "create-project",
            "--organisation",
            organisation,
            "--name",
            &name,
        ]);
        let text = |key: &str| made[key].as_str().unwrap().to_owned();
        let client = ProjectClient::new(self.http_url(), &text("public_key"), &text("secret_key"));
        (
            client.with_project_of_its_own(text("project_id")),
            text("organisation_id"),
        )
    }

    /// What `triaxis admin` answers.
    pub fn admin(&self, arguments: &[&str]) -> Value {
        let output = Command::new(binary())
            .arg("admin")
            .args(arguments)
            .arg("--data-dir")
            .arg(&self.data_dir)
            .output()
            .unwrap();
        let complaint = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{arguments:?}: {complaint}");
        serde_json::from_slice(&output.stdout).unwrap()
    }

    /// Kills the server at once, as a crash would (`kill -9`).
    pub fn kill(&self) {
        let mut process = self.process.lock().unwrap();
        process.kill().unwrap();
        process.wait().unwrap();
    }

    /// Asks the server to stop and waits; its exit code.
    pub fn stop(&self) -> Option<i32> {
        let mut process = self.process.lock().unwrap();
        signal(process.id(), "TERM");
        process.wait().unwrap().code()
    }

    /// Starts the server again on the same addresses after [`Server::kill`] or [`Server::stop`].
    pub async fn start_again(&self) {
        let strip = |url: &String| url.trim_start_matches("http://").to_owned();
        let addresses = [
            strip(&self.addresses.http),
            strip(&self.addresses.otlp_grpc),
            strip(&self.addresses.otlp_http),
        ];
        let process = spawn(&self.settings, &self.data_dir, &addresses);
        let pid = process.id();
        *self.process.lock().unwrap() = process;
        await_ready(&self.data_dir, pid).await;
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!(
                "the server's last words:\n{}",
                tail_of_log(&self.data_dir, 80)
            );
        }
        if let Ok(process) = self.process.get_mut() {
            signal(process.id(), "TERM");
            let _ended = process.wait();
        }
    }
}

/// A number that no other call gives.
fn next() -> u32 {
    static MADE: AtomicU32 = AtomicU32::new(0);
    MADE.fetch_add(1, Ordering::Relaxed)
}

/// Sends a signal by name to a process that a test started.
pub fn signal(pid: u32, name: &str) {
    let _sent = Command::new("kill")
        .args([&format!("-{name}"), &pid.to_string()])
        .status();
}

/// The binary that `make test` built beside this test.
pub fn binary() -> PathBuf {
    let test = std::env::current_exe().unwrap();
    let profile = test.ancestors().nth(2).unwrap();
    let binary = profile.join("triaxis");
    assert!(
        binary.exists(),
        "{} is missing: run `make test`, which builds it",
        binary.display()
    );
    binary
}

/// Postgres runs as another user when the tests run as root: it must get to its own folder.
fn allow_entry(folder: &Path) {
    use std::os::unix::fs::PermissionsExt;
    std::fs::set_permissions(folder, std::fs::Permissions::from_mode(0o755)).unwrap();
}

/// Starts the process from a thread that never ends, because on Linux the "parent died" signal that
/// takes the server along with the test process is tied to the thread that started it.
fn spawn(settings: &Settings, data_dir: &Path, addresses: &[String; 3]) -> Child {
    let log = data_dir.with_extension("log");
    std::fs::create_dir_all(data_dir).unwrap();
    allow_entry(data_dir);
    let log = std::fs::OpenOptions::new()
        .create(true)
        .append(true)
        .open(log)
        .unwrap();
    let mut command = Command::new("setpriv");
    command
        .args(["--pdeathsig", "TERM"])
        .arg(binary())
        .arg("serve")
        .env("TRIAXIS_DATA_DIR", data_dir)
        .env("TRIAXIS_LISTEN", &addresses[0])
        .env("TRIAXIS_OTLP_GRPC_LISTEN", &addresses[1])
        .env("TRIAXIS_OTLP_HTTP_LISTEN", &addresses[2])
        .env("TRIAXIS_INIT_ORG", "Harbor")
        .env("TRIAXIS_INIT_PROJECT", "support-copilot")
        .env("TRIAXIS_INIT_PUBLIC_KEY", PUBLIC_KEY)
        .env("TRIAXIS_INIT_SECRET_KEY", SECRET_KEY)
        .env("TRIAXIS_INIT_EMAIL", EMAIL)
        .env("TRIAXIS_INIT_PASSWORD", PASSWORD)
        .env("TRIAXIS_ADMIN_API_KEY", ADMIN_KEY)
        .envs(settings.environment.iter().cloned())
        .stdin(Stdio::null())
        .stdout(log.try_clone().unwrap())
        .stderr(log);
    let (sender, receiver) = mpsc::channel();
    std::thread::spawn(move || {
        sender.send(command.spawn()).unwrap();
        loop {
            std::thread::park();
        }
    });
    receiver
        .recv()
        .unwrap()
        .expect("setpriv (util-linux) starts the server")
}

async fn await_ready(data_dir: &Path, pid: u32) -> Addresses {
    let started = eventually_within(Duration::from_secs(90), "server is ready", async || {
        let text = std::fs::read(data_dir.join("run/server.json")).map_err(|e| e.to_string())?;
        let run: Value = serde_json::from_slice(&text).map_err(|e| e.to_string())?;
        if run["pid"] != pid {
            return Err(tail_of_log(data_dir, 12));
        }
        let url = |key: &str| format!("http://{}", run[key].as_str().unwrap_or_default());
        let addresses = Addresses {
            http: url("http"),
            otlp_grpc: url("otlp_grpc"),
            otlp_http: url("otlp_http"),
        };
        let ready = reqwest::get(format!("{}/readyz", addresses.http)).await;
        match ready {
            Ok(answer) if answer.status().is_success() => Ok(addresses),
            Ok(answer) => Err(answer.text().await.unwrap_or_default()),
            Err(error) => Err(error.to_string()),
        }
    });
    started.await
}

fn tail_of_log(data_dir: &Path, count: usize) -> String {
    let log = std::fs::read_to_string(data_dir.with_extension("log")).unwrap_or_default();
    let lines: Vec<&str> = log.lines().collect();
    lines[lines.len().saturating_sub(count)..].join("\n")
}
