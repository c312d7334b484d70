//! How everything is put together, and taken apart again.
//!
//! Start: listeners are bound, and tell that they are not ready → engines → stores are opened and migrated → spool →
//! writer → listeners answer. Stop is the other way round: no new requests, the spool is drained into
//! ClickHouse, engines end.

use std::fs::Permissions;
use std::io::ErrorKind;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::sync::Arc;

use anyhow::Context;
use engines::{EngineError, LockError};
use secrecy::ExposeSecret;
use service::bootstrap::{self, Bootstrapped, Init};
use service::media::{Limits, Storage};
use service::{App, Parts, Settings};
use spool::Spool;
use store_clickhouse::ClickHouse;
use store_postgres::Postgres;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use crate::cli::ServeSettings;
use crate::config::{Stores, Unusable};
use crate::connections::{self, Connections};
use crate::http::{Addresses, Listeners};
use crate::run_file::RunFile;

/// A running server.
pub(crate) struct Started {
    /// Handles to everything.
    pub(crate) app: App,
    /// Where it listens.
    pub(crate) addresses: Addresses,
    /// What the first start made.
    pub(crate) bootstrapped: Bootstrapped,
    stores: OpenStores,
    edges: Background,
    writer: Background,
    settings: Stores,
}

/// Tasks that end together.
struct Background {
    tasks: TaskTracker,
    stop: CancellationToken,
}

/// Both stores with the engines behind them.
pub(crate) struct OpenStores {
    engines: engines::Engines,
    clickhouse: ClickHouse,
    postgres: Postgres,
}

/// Starts everything; returns when it answers.
pub(crate) async fn start(settings: &ServeSettings) -> anyhow::Result<Started> {
    connections::raise_file_limit();
    if let Some(folder) = &settings.stores.media_dir {
        // Told before anything is started.
        std::fs::create_dir_all(folder)
            .map_err(|error| Unusable(format!("TRIAXIS_MEDIA_DIR: {error}")))?;
    }
    let listeners = Listeners::bind(&settings.listen).await?;
    let addresses = listeners.addresses()?;
    let edges = Background::new();
    let connections = Connections::new(settings.listen.proxies()?, &edges.tasks, &edges.stop);
    let early = listeners.serve_early(&connections);
    let stores = open_stores(&settings.stores).await?;
    close_folders(&settings.stores.data_dir)?;
    early.is_migrating();
    migrate(&stores).await?;
    let spool = Arc::new(Spool::open(spool::Config {
        dir: settings.stores.data_dir.join("spool"),
        max_bytes: settings.stores.spool_max_bytes,
    })?);
    let media = Storage::open(
        &stores.postgres,
        settings.stores.media_dir(),
        Limits {
            attachment_bytes: settings.stores.media_max_bytes,
            project_bytes: settings.stores.media_project_max_bytes,
        },
    )
    .await?;
    let (live, _) = tokio::sync::broadcast::channel(256);
    let app = App::new(Parts {
        postgres: stores.postgres.clone(),
        clickhouse: stores.clickhouse.clone(),
        spool: spool.clone(),
        media,
        live,
        catalogue: ingest::normalise::catalogue(),
        settle: ingest::langfuse::settle,
        complete_call: ingest::normalise::complete,
        records: api::EXPORTED_RECORDS,
        read_exposition: ingest::pipeline::scraped_tracks_of,
        settings: Settings {
            public_url: public_url(settings, &addresses),
            max_body_bytes: settings.listen.max_body_bytes as u64,
            scratch_dir: scratch_dir(&settings.stores)?,
            admin_key: settings.secrets.admin_key(),
            vault: settings.secrets.vault(&settings.stores.data_dir)?,
            allowed_addresses: settings.listen.allowed_addresses()?,
            oidc: settings.sign_in.oidc()?,
            otlp_grpc_port: addresses.otlp_grpc.map(|grpc| grpc.port()),
            program: std::env::current_exe()
                .map_or("triaxis".to_owned(), |path| path.display().to_string()),
        },
    });
    let bootstrapped = bootstrap::ensure(&app, init(settings)?).await?;
    service::llm_connections::check_key(&app).await?;
    let writer = in_background(&app);
    edges
        .tasks
        .spawn(service::auth::sweep_sessions(app.clone()));
    listeners.serve(&app, &connections, &early);
    let started = Started {
        app,
        addresses,
        bootstrapped,
        stores,
        edges,
        writer,
        settings: settings.stores.clone(),
    };
    started.run_file().write(&settings.stores.data_dir)?;
    Ok(started)
}

/// What works on without being asked: the writer, and what is due now and then.
fn in_background(app: &App) -> Background {
    let writer = Background::new();
    writer.tasks.spawn(service::ingestion::write_spooled(
        app.clone(),
        writer.stop.clone(),
    ));
    writer
        .tasks
        .spawn(service::reprice::run(app.clone(), writer.stop.clone()));
    writer
        .tasks
        .spawn(service::prompts::listen(app.clone(), writer.stop.clone()));
    let removals = service::projects::run_removals(app.clone(), writer.stop.clone());
    writer.tasks.spawn(removals);
    let exports = service::blob_storage::run(app.clone(), writer.stop.clone());
    writer.tasks.spawn(exports);
    let jobs = service::bulk::run(app.clone(), writer.stop.clone());
    writer.tasks.spawn(jobs);
    let deletions = service::deletions::run(app.clone(), writer.stop.clone());
    writer.tasks.spawn(deletions);
    let retention = service::retention::run(app.clone(), writer.stop.clone());
    writer.tasks.spawn(retention);
    let masked = service::masking::run(app.clone(), writer.stop.clone());
    writer.tasks.spawn(masked);
    let alerts = service::alerts::run(app.clone(), writer.stop.clone());
    writer.tasks.spawn(alerts);
    let scrapes = service::scrape_targets::run(app.clone(), writer.stop.clone());
    writer.tasks.spawn(scrapes);
    let fills = service::fills::run(app.clone(), writer.stop.clone());
    writer.tasks.spawn(fills);
    let evaluators = service::evaluators::run(app.clone(), writer.stop.clone());
    writer.tasks.spawn(evaluators);
    let audit = service::audit::run(app.clone(), writer.stop.clone());
    writer.tasks.spawn(audit);
    writer
}

/// Stops everything in order; what is spooled but not yet stored stays on disk.
pub(crate) async fn stop(started: Started) -> anyhow::Result<()> {
    RunFile::remove(&started.settings.data_dir);
    started.app.end_streams();
    started.edges.end().await;
    started.writer.end().await;
    started.stores.close().await;
    Ok(())
}

/// Starts the engines where none are given, and opens both stores.
pub(crate) async fn open_stores(settings: &Stores) -> anyhow::Result<OpenStores> {
    let engines = engines::Engines::start(engines::Config {
        data_dir: settings.data_dir.clone(),
        engines_dir: settings.engines_dir(),
        program: std::env::current_exe().context("cannot find this program's own file")?,
        limits: engines::Limits::default(),
        clickhouse_url: settings
            .clickhouse_url
            .as_ref()
            .map(|url| url.expose_secret().to_owned()),
        database_url: settings
            .database_url
            .as_ref()
            .map(|url| url.expose_secret().to_owned()),
    })
    .await
    .map_err(told)?;
    let clickhouse = ClickHouse::connect(engines.clickhouse_url())?;
    let postgres = Postgres::connect(engines.database_url()).await?;
    Ok(OpenStores {
        engines,
        clickhouse,
        postgres,
    })
}

/// A setting that cannot be used is told as such.
fn told(error: EngineError) -> anyhow::Error {
    match error {
        EngineError::Address(error) => Unusable(error.to_string()).into(),
        EngineError::DataDir { .. } | EngineError::Lock(LockError::System { .. }) => {
            Unusable(format!("TRIAXIS_DATA_DIR: {error}")).into()
        }
        error => error.into(),
    }
}

/// Brings both stores to this version.
pub(crate) async fn migrate(stores: &OpenStores) -> anyhow::Result<()> {
    let (postgres, clickhouse) =
        tokio::join!(stores.postgres.migrate(), stores.clickhouse.migrate());
    postgres.context("migrating Postgres")?;
    clickhouse.context("migrating ClickHouse")?;
    Ok(())
}

impl OpenStores {
    /// Closes connections and ends the engines.
    pub(crate) async fn close(self) {
        self.postgres.close().await;
        self.engines.stop().await;
    }
}

impl Started {
    fn run_file(&self) -> RunFile {
        RunFile {
            pid: std::process::id(),
            http: self.addresses.http,
            otlp_grpc: self.addresses.otlp_grpc,
            otlp_http: self.addresses.otlp_http,
            clickhouse_url: self.stores.engines.clickhouse_url().to_owned(),
            database_url: self.stores.engines.database_url().to_owned(),
        }
    }
}

impl Background {
    fn new() -> Self {
        Background {
            tasks: TaskTracker::new(),
            stop: CancellationToken::new(),
        }
    }

    /// Asks the tasks to end and waits; connections that stay open do not hold it up for ever.
    async fn end(self) {
        const PATIENCE: std::time::Duration = std::time::Duration::from_secs(10);
        self.stop.cancel();
        self.tasks.close();
        if tokio::time::timeout(PATIENCE, self.tasks.wait())
            .await
            .is_err()
        {
            tracing::warn!("some requests did not end in time");
        }
    }
}

/// Closes what earlier versions left open to others on the machine: what is made now is closed by itself.
fn close_folders(data_dir: &Path) -> anyhow::Result<()> {
    for name in ["spool", "clickhouse", "media", "scratch"] {
        let path = data_dir.join(name);
        match std::fs::set_permissions(&path, Permissions::from_mode(0o700)) {
            Err(error) if error.kind() != ErrorKind::NotFound => {
                let what = || format!("cannot close the folder {}", path.display());
                return Err(error).with_context(what);
            }
            _ => {}
        }
    }
    Ok(())
}

/// Made when it is absent. Files in it have no name and vanish with the process.
fn scratch_dir(stores: &Stores) -> anyhow::Result<std::path::PathBuf> {
    let path = stores.data_dir.join("scratch");
    std::fs::create_dir_all(&path)
        .with_context(|| format!("cannot make the folder {}", path.display()))?;
    Ok(path)
}

fn public_url(settings: &ServeSettings, addresses: &Addresses) -> String {
    match &settings.listen.public_url {
        Some(url) => url.trim_end_matches('/').to_owned(),
        None if addresses.http.ip().is_unspecified() => {
            format!("http://127.0.0.1:{}", addresses.http.port())
        }
        None => format!("http://{}", addresses.http),
    }
}

/// What the first start creates, as the operator wants it.
pub(crate) fn init(settings: &ServeSettings) -> Result<Init, Unusable> {
    let given = settings.init.clone().or_langfuse()?;
    Ok(Init {
        org: given.init_org,
        org_id: given.init_org_id,
        project: given.init_project,
        project_id: given.init_project_id,
        retention_days: given.init_project_retention.unwrap_or(0),
        public_key: given.init_public_key,
        secret_key: given
            .init_secret_key
            .map(|secret| secret.expose_secret().to_owned()),
        email: given.init_email,
        person: given.init_name,
        password: given
            .init_password
            .map(|secret| secret.expose_secret().to_owned()),
    })
}
