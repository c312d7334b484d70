//! The stock OpenTelemetry SDKs, pointed here by nothing but the standard variables.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Mutex, PoisonError};

use base64::Engine;
use serde_json::Value;
use tests::{ProjectClient, Server, eventually, shared};

#[tokio::test(flavor = "multi_thread")]
async fn python_exporters_over_grpc_and_http_with_each_compression() {
    let server = shared().await;
    let requirements = folder("python").join("requirements.txt");
    let python = python(&requirements, "sdk-python");
    for (protocol, compressions) in [
        ("grpc", ["none", "gzip"].as_slice()),
        ("http/protobuf", &["none", "gzip", "deflate"]),
    ] {
        for compression in compressions {
            let project = server.new_project();
            let mut command = Command::new(&python);
            command.arg(folder("python").join("send_trace.py"));
            let trace_id = send(&mut command, server, &project, protocol, compression);
            let trace = project.trace_with_spans(&trace_id, 3).await;
            assert_python_trace(&trace, &format!("{protocol}, {compression}"));
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn javascript_exporters_over_grpc_and_http_as_protobuf_and_json() {
    let server = shared().await;
    installed_javascript("js");
    for protocol in ["grpc", "http/protobuf", "http/json"] {
        for compression in ["none", "gzip"] {
            let project = server.new_project();
            let mut command = Command::new("node");
            command.arg(folder("js").join("send_trace.mjs"));
            let trace_id = send(&mut command, server, &project, protocol, compression);
            let trace = project.trace_with_spans(&trace_id, 2).await;
            assert_eq!(
                trace["spans"][0]["name"], "js.turn",
                "{protocol}, {compression}"
            );
            assert_eq!(trace["spans"][0]["children"][0]["kind"], "generation");
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn python_metrics_of_every_kind_over_grpc_and_http() {
    let server = shared().await;
    let python = python(&folder("python").join("requirements.txt"), "sdk-python");
    for protocol in ["grpc", "http/protobuf"] {
        let project = server.new_project();
        let mut command = Command::new(&python);
        command.arg(folder("python").join("send_metrics.py"));
        send(&mut command, server, &project, protocol, "gzip");
        let expected = [
            ("gpu.temperature_c", "last", 54.0),
            ("sessions", "last", -2.0),
            ("gen_ai.server.time_to_first_token_count", "last", 4.0),
            // What was recorded since the start; its buckets grow evenly by factors.
            ("token.ttft_ms", "quantile", 300.0),
        ];
        for (metric, aggregation, value) in expected {
            let path = format!(
                "/api/v1/metrics/range?metric={metric}&aggregation={aggregation}&quantile=0.5&step=3600&group_by=none"
            );
            eventually(&format!("{protocol}: {metric}"), async || {
                let answer = project.get_json(&path).await;
                let values = answer["series"][0]["values"].as_array();
                let found = values.into_iter().flatten().find_map(Value::as_f64);
                let near = found.is_some_and(|found| (found - value).abs() < 1e-9);
                if near { Ok(()) } else { Err(answer) }
            })
            .await;
        }
        let spread = project
            .get_json("/api/v1/metrics/series?metric=spread_bucket")
            .await;
        assert!(spread["data"][0]["labels"]["gt"].is_string(), "{spread}");
    }
}

fn assert_python_trace(trace: &Value, way: &str) {
    let root = &trace["spans"][0];
    assert_eq!(root["name"], "python.turn", "{way}");
    assert_eq!(root["service"], "python-sdk", "{way}");
    assert_eq!(root["input"], "Can my daughter fly alone?", "{way}");
    let answer = &root["children"][0];
    assert_eq!(answer["usage"]["input_tokens"], 412, "{way}");
    let lookup = &answer["children"][0];
    assert_eq!(lookup["status"], "error", "{way}");
    assert_eq!(lookup["error"]["message"], "no such booking", "{way}");
    assert_eq!(lookup["events"][0]["name"], "exception", "{way}");
}

/// Runs a sender with the standard variables; the trace id that it prints.
fn send(
    command: &mut Command,
    server: &Server,
    project: &ProjectClient,
    protocol: &str,
    compression: &str,
) -> String {
    let keys = format!("{}:{}", project.public_key, project.secret_key);
    let basic = base64::engine::general_purpose::STANDARD.encode(keys);
    let endpoint = if protocol == "grpc" {
        server.grpc_url()
    } else {
        server.otlp_http_url()
    };
    if compression != "none" {
        // "none" by name is not known to every exporter; unset means the same.
        command.env("OTEL_EXPORTER_OTLP_COMPRESSION", compression);
    }
    let output = command
        .env("OTEL_EXPORTER_OTLP_ENDPOINT", endpoint)
        .env("OTEL_EXPORTER_OTLP_PROTOCOL", protocol)
        .env(
            "OTEL_EXPORTER_OTLP_HEADERS",
            format!("authorization=Basic%20{basic}"),
        )
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{protocol}, {compression}: {said}");
    assert!(
        !said.contains("Failed to export"),
        "{protocol}, {compression}: {said}"
    );
    String::from_utf8(output.stdout).unwrap().trim().to_owned()
}

/// Where what is needed for an SDK is kept.
pub(crate) fn folder(language: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("sdk")
        .join(language)
}

/// The interpreter of a virtual environment of that name with the pinned packages, made once.
pub(crate) fn python(requirements: &Path, name: &str) -> PathBuf {
    static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());
    let _guard = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
    let home = tests::binary().ancestors().nth(2).unwrap().join(name);
    let python = home.join("bin/python");
    let mark = home.join("installed.txt");
    let wanted = std::fs::read_to_string(requirements).unwrap();
    if std::fs::read_to_string(&mark).is_ok_and(|installed| installed == wanted) {
        return python;
    }
    must(
        Command::new("python3")
            .args(["-m", "venv", "--clear"])
            .arg(&home),
    );
    must(
        Command::new(&python)
            .args(["-m", "pip", "install", "-q", "--retries", "10", "-r"])
            .arg(requirements),
    );
    std::fs::write(mark, wanted).unwrap();
    python
}

/// The folder of a JavaScript program, its pinned packages in it, installed once.
pub(crate) fn installed_javascript(name: &str) -> PathBuf {
    static ONE_AT_A_TIME: Mutex<()> = Mutex::new(());
    let _guard = ONE_AT_A_TIME.lock().unwrap_or_else(PoisonError::into_inner);
    let folder = folder(name);
    let installed = folder.join("node_modules/.package-lock.json");
    let lock = folder.join("package-lock.json");
    let newer = |file: &Path| {
        std::fs::metadata(file)
            .and_then(|meta| meta.modified())
            .ok()
    };
    if newer(&installed) < newer(&lock) || newer(&installed).is_none() {
        must(
            Command::new("npm")
                .args(["ci", "--silent"])
                .current_dir(&folder),
        );
    }
    folder
}

/// Runs a command that must succeed.
pub(crate) fn must(command: &mut Command) {
    let output = command
        .output()
        .unwrap_or_else(|error| panic!("{command:?}: {error}"));
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?}: {said}");
}
