//! A headless browser under the control of a test: Debian's or any other Chromium with its driver.

use std::path::PathBuf;
use std::process::{Child, Command, Stdio};

use serde_json::{Value, json};

/// A running `chromedriver`; it ends with this value.
pub struct Driver {
    process: Child,
    url: String,
}

impl Driver {
    /// Starts it on a free port and waits until it answers.
    pub async fn start() -> Self {
        let driver = find("chromedriver").expect(
            "chromedriver is missing: install Chromium and its driver (Debian: chromium-driver)",
        );
        let port = free_port();
        let process = Command::new(driver)
            .arg(format!("--port={port}"))
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let url = format!("http://127.0.0.1:{port}");
        crate::wait::eventually("chromedriver answers", async || {
            reqwest::get(format!("{url}/status")).await.map(|_| ())
        })
        .await;
        Driver { process, url }
    }

    /// Its address, for a `WebDriver` client.
    pub fn url(&self) -> &str {
        &self.url
    }
}

impl Drop for Driver {
    fn drop(&mut self) {
        let _killed = self.process.kill();
        let _ended = self.process.wait();
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
