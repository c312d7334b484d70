//! A headless browser under the control of a test: Debian's or any other Chromium with its driver.

use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use rustix::process::{Pid, Signal, kill_process_group};
use serde_json::{Value, json};
use tempfile::TempDir;

/// A running `chromedriver`; it ends with this value, and so do its browsers and what they have written, however the
/// test went.
pub struct Driver {
    process: Child,
    url: String,
    profile: TempDir,
}

impl Driver {
    /// Starts it on a free port and waits until it answers.
    pub async fn start() -> Self {
        let driver = find("chromedriver").expect(
            "chromedriver is missing: install Chromium and its driver (Debian: chromium-driver)",
        );
        let port = free_port();
        let profile = tempfile::tempdir().unwrap();
        let process = Command::new(driver)
            .arg(format!("--port={port}"))
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .env("TMPDIR", profile.path())
            .process_group(0)
            .spawn()
            .unwrap();
        let url = format!("http://127.0.0.1:{port}");
        crate::wait::eventually("chromedriver answers", async || {
            reqwest::get(format!("{url}/status")).await.map(|_| ())
        })
        .await;
        Driver {
            process,
            url,
            profile,
        }
    }

    /// Its address, for a `WebDriver` client.
    pub fn url(&self) -> &str {
        &self.url
    }

    /// Where its browser keeps what it writes.
    pub fn profile(&self) -> &Path {
        self.profile.path()
    }
}

/// Chrome's options for a browser without window, as root and in containers too. The build that has no window at
/// all is taken where there is one: it is there in a third of the time and for a quarter of the work.
pub fn options() -> Value {
    let mut arguments = vec![
        "--no-sandbox",
        "--disable-gpu",
        "--disable-dev-shm-usage",
        "--hide-scrollbars",
        "--window-size=1440,900",
    ];
    match find("chromium-headless-shell") {
        Some(shell) => {
            arguments.push("--headless");
            json!({ "binary": shell, "args": arguments })
        }
        None => {
            arguments.push("--headless=new");
            json!({ "args": arguments })
        }
    }
}

impl Drop for Driver {
    /// The driver alone would leave its browser behind where that was started by a script, which stays in between.
    fn drop(&mut self) {
        let group = i32::try_from(self.process.id())
            .ok()
            .and_then(Pid::from_raw);
        let _killed = group.map(|group| kill_process_group(group, Signal::KILL));
        let _ended = self.process.wait();
    }
}

fn find(program: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path)
        .map(|folder| folder.join(program))
        .find(|file| file.exists())
}

fn free_port() -> u16 {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    listener.local_addr().unwrap().port()
}
