//! The released SDKs of Langfuse, each version in an environment of its own.

use std::path::{Path, PathBuf};
use std::process::Command;

use tests::{ProjectClient, Server, shared};

use crate::sdk::{folder, installed_javascript, must, python};

fn configure<'c>(
    command: &'c mut Command,
    server: &Server,
    project: &ProjectClient,
) -> &'c mut Command {
    command
        .env("LANGFUSE_HOST", server.http_url())
        .env("LANGFUSE_BASE_URL", server.http_url())
        .env("LANGFUSE_BASEURL", server.http_url())
        // A busy machine answers late; five seconds is what some versions wait.
        .env("LANGFUSE_TIMEOUT", "60")
        .env("LANGFUSE_PUBLIC_KEY", &project.public_key)
        .env("LANGFUSE_SECRET_KEY", &project.secret_key)
}

/// Clients may try again for ever.
fn bounded(program: &Path) -> Command {
    let mut command = Command::new("timeout");
    command.arg("240").arg(program);
    command
}

async fn python_version(major: u32) {
    let server = shared().await;
    let folder = folder("langfuse-python");
    let requirements = folder.join(format!("v{major}.txt"));
    let python: PathBuf = python(&requirements, &format!("sdk-langfuse-{major}"));
    let mut programs = vec![
        "prompts.py",
        "telemetry.py",
        "scores.py",
        "metrics.py",
        "datasets.py",
    ];
    if major >= 3 {
        programs.extend(["media.py", "annotation.py"]);
    }
    for program in programs {
        let mut command = bounded(&python);
        command.arg(folder.join(program)).arg(major.to_string());
        must(configure(&mut command, server, &server.new_project()));
    }
}

/// With a key of an organisation.
async fn python_organisations(major: u32) {
    let server = shared().await;
    let folder = folder("langfuse-python");
    let requirements = folder.join(format!("v{major}.txt"));
    let python: PathBuf = python(&requirements, &format!("sdk-langfuse-{major}"));
    let mut command = bounded(&python);
    command.arg(folder.join("organisations.py"));
    must(configure(
        &mut command,
        server,
        &server.new_organisation().client,
    ));
}

/// A framework that tells of its calls through callbacks, and the program that uses them.
async fn callbacks(framework: &str, program: &[&str]) {
    let server = shared().await;
    let folder = folder("langfuse-callbacks");
    let requirements = folder.join(format!("{framework}.txt"));
    let python: PathBuf = python(&requirements, &format!("sdk-langfuse-{framework}"));
    let mut command = bounded(&python);
    command.arg(folder.join(program[0])).args(&program[1..]);
    command.env("LANGFUSE_OTEL_HOST", server.http_url());
    must(configure(&mut command, server, &server.new_project()));
}

async fn javascript_version(major: u32) {
    let server = shared().await;
    let folder: &Path = &installed_javascript("langfuse-js");
    let mut programs = vec!["prompts.mjs", "telemetry.mjs", "datasets.mjs", "scores.mjs"];
    // Version 3 has no calls of its own for the rest.
    if major >= 4 {
        programs.extend(["metrics.mjs", "media.mjs"]);
    }
    for program in programs {
        let mut command = bounded(Path::new("node"));
        command.arg(folder.join(program)).arg(major.to_string());
        must(configure(&mut command, server, &server.new_project()));
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn python_2() {
    python_version(2).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn python_3() {
    python_version(3).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn python_4() {
    python_version(4).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn python_5() {
    python_version(5).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn javascript_3() {
    javascript_version(3).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn javascript_4() {
    javascript_version(4).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn javascript_5() {
    javascript_version(5).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn organisations_from_python_4() {
    python_organisations(4).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn organisations_from_python_5() {
    python_organisations(5).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn callbacks_of_langchain() {
    callbacks("langchain", &["chain.py"]).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn callbacks_of_litellm() {
    for callback in ["langfuse", "langfuse_otel"] {
        callbacks("litellm", &["proxy.py", callback]).await;
    }
}
