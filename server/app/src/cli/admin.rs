//! `admin`: work on a running server's organisations and projects.

use std::path::PathBuf;

use anyhow::Context;
use clap::{Args, Subcommand};
use serde_json::json;

use crate::cli::out;
use crate::run_file::RunFile;

/// Settings of `admin`.
#[derive(Args)]
pub(crate) struct AdminSettings {
    #[command(subcommand)]
    command: AdminCommand,
}

#[derive(Subcommand)]
enum AdminCommand {
    /// Make a project with a pair of keys, and its organisation if there is none of that name.
    CreateProject(CreateProject),
}

/// Settings of `admin create-project`.
#[derive(Args)]
struct CreateProject {
    /// Name of the organisation.
    #[arg(long)]
    organisation: String,
    /// Name of the project.
    #[arg(long)]
    name: String,
    /// E-mail of a person who becomes owner of a new organisation.
    #[arg(long)]
    owner: Option<String>,
    /// Data directory of the running server.
    #[arg(long, env = "TRIAXIS_DATA_DIR", default_value = "./data")]
    data_dir: PathBuf,
}

/// Runs an administration command; results are JSON on standard output.
pub(crate) fn run(settings: AdminSettings) -> anyhow::Result<()> {
    let AdminCommand::CreateProject(wanted) = settings.command;
    let running = RunFile::read(&wanted.data_dir)?;
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    runtime.block_on(async {
        let postgres = store_postgres::Postgres::connect(&running.database_url)
            .await
            .context("cannot reach the metadata of the running server")?;
        let made = service::bootstrap::create_project(
            &postgres,
            &wanted.organisation,
            &wanted.name,
            wanted.owner.as_deref(),
        )
        .await?;
        out::say(
            &json!({
                "project_id": made.project_id,
                "public_key": made.public_key,
                "secret_key": made.secret_key,
            })
            .to_string(),
        );
        Ok(())
    })
}
