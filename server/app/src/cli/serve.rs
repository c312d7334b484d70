//! `serve`: runs everything until it is told to stop.

use crate::cli::{ServeSettings, out};
use crate::run_file::FirstKeys;
use crate::wiring::{self, Started};
use crate::{config, logging};

/// Starts, prints what a newcomer needs, and waits for SIGTERM or SIGINT.
pub(crate) fn run(settings: &ServeSettings) -> anyhow::Result<()> {
    check(settings)?;
    logging::start(&settings.logging)?;
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()?;
    let ended = runtime.block_on(async {
        let stop = stop_signal()?;
        let started = wiring::start(settings).await?;
        announce(&started, settings)?;
        stop.await;
        tracing::info!("stopping: finishing what is in flight");
        wiring::stop(started).await?;
        tracing::info!("stopped");
        Ok(())
    });
    // A request that hangs must not hold up the end: what was acknowledged is on disk.
    runtime.shutdown_timeout(std::time::Duration::from_secs(2));
    ended
}

/// What can be known to be unusable before anything is started.
fn check(settings: &ServeSettings) -> Result<(), config::Unusable> {
    settings.listen.check()?;
    settings.stores.check()?;
    settings.secrets.check()?;
    settings.sign_in.oidc()?;
    let init = wiring::init(settings)?.check();
    init.map_err(|fault| config::Unusable(fault.to_string()))
}

/// Done when the process is asked to end.
fn stop_signal() -> Result<impl Future<Output = ()>, config::Unusable> {
    use tokio::signal::unix::{SignalKind, signal};
    let unusable = |error: std::io::Error| config::Unusable(format!("signals: {error}"));
    let mut terminate = signal(SignalKind::terminate()).map_err(unusable)?;
    let mut interrupt = signal(SignalKind::interrupt()).map_err(unusable)?;
    Ok(async move {
        tokio::select! {
            _ = terminate.recv() => {}
            _ = interrupt.recv() => {}
        }
    })
}

/// Prints the one block: addresses, sign-in, keys, snippet. Secrets only where this start made them.
fn announce(started: &Started, settings: &ServeSettings) -> anyhow::Result<()> {
    let first = &started.bootstrapped;
    let url = started.app.settings().public_url.clone();
    let otlp = started
        .addresses
        .otlp_http
        .unwrap_or(started.addresses.http);
    let mut lines = vec![
        String::new(),
        format!("  Triaxis {} is ready at  {url}", env!("CARGO_PKG_VERSION")),
        String::new(),
        format!("  Sign in     {}", first.email),
    ];
    lines.push(match &first.password {
        Some(password) => format!("  Password    {password}"),
        None => format!(
            "  Password    as set before; a new one: triaxis admin reset-password {}",
            first.email
        ),
    });
    let secret_key = first.secret_key.as_ref();
    match &first.public_key {
        Some(public_key) => lines.push(format!("  Public key  {public_key}")),
        None => lines.push("  Public key  revoked; new keys: Settings, API keys".to_owned()),
    }
    match (secret_key, &first.public_key) {
        (Some(secret_key), _) => lines.push(format!("  Secret key  {secret_key}")),
        (None, Some(_)) => lines.push(
            "  Secret key  as given, or printed at the first start; new keys: Settings, API keys"
                .to_owned(),
        ),
        (None, None) => {}
    }
    lines.push(format!("  OTLP/HTTP   http://{otlp}"));
    if let Some(grpc) = started.addresses.otlp_grpc {
        lines.push(format!("  OTLP/gRPC   http://{grpc}"));
    }
    let for_snippet = secret_key.map_or("SECRET_KEY", |key| key.as_str());
    lines.extend([
        String::new(),
        "  Send traces with any OpenTelemetry SDK:".to_owned(),
        String::new(),
        format!("    export OTEL_EXPORTER_OTLP_ENDPOINT={url}"),
        "    export OTEL_EXPORTER_OTLP_PROTOCOL=http/protobuf".to_owned(),
        format!("    export OTEL_EXPORTER_OTLP_HEADERS=\"Authorization=Bearer%20{for_snippet}\""),
    ]);
    lines.push(String::new());
    out::say(&lines.join("\n"));
    keep_first_keys(started, settings)
}

/// Keeps made-up keys beside the data, so that `triaxis demo` needs none.
fn keep_first_keys(started: &Started, settings: &ServeSettings) -> anyhow::Result<()> {
    let first = &started.bootstrapped;
    let (Some(public_key), Some(secret_key), Some(password)) =
        (&first.public_key, &first.secret_key, &first.password)
    else {
        return Ok(());
    };
    FirstKeys {
        public_key: public_key.clone(),
        secret_key: secret_key.clone(),
        email: first.email.clone(),
        password: password.clone(),
    }
    .write(&settings.stores.data_dir)
}
