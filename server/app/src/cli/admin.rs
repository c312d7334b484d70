//! `admin`: work on a running server's organisations, projects and people.

use std::fs::File;
use std::io::BufReader;
use std::path::{Path, PathBuf};

use anyhow::Context;
use clap::{Args, Subcommand};
use domain::audit::{Head, Verdict};
use domain::tenancy::{Role, Tenant};
use serde_json::{Value, json};
use service::api_keys::{KEY_ROLES, ORGANISATION_KEY_ROLES};
use service::audit;
use service::deletions::certificate;
use service::external_ids;
use store_postgres::Postgres;

use crate::cli::out;
use crate::config::Secrets;
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
    /// Make another pair of keys for a project, or for an organisation.
    CreateKey(CreateKey),
    /// Give a person who forgot their password another one; their sessions end.
    ResetPassword(ResetPassword),
    /// Check the certificate of a deletion: that it was signed with the server's key, and not changed since.
    VerifyCertificate(VerifyCertificate),
    /// Check audit logs: that nothing was changed, moved or taken out since it was written. Without a file all of a
    /// running server's.
    VerifyAuditLog(VerifyAuditLog),
}

/// Settings of `admin verify-audit-log`.
#[derive(Args)]
struct VerifyAuditLog {
    /// An export, as GET /api/v1/audit-log?format=jsonl or the page gave it.
    file: Option<PathBuf>,
    /// Number of an entry whose hash was written down before.
    #[arg(long, requires_all = ["hash", "file"])]
    entry: Option<u64>,
    /// Its hash.
    #[arg(long, requires = "entry")]
    hash: Option<String>,
    /// Data directory of the running server.
    #[arg(long, env = "TRIAXIS_DATA_DIR", default_value = "./data")]
    data_dir: PathBuf,
}

/// Settings of `admin verify-certificate`.
#[derive(Args)]
struct VerifyCertificate {
    /// The certificate, as the API or the page gave it.
    file: PathBuf,
    /// Public key, as GET /api/v1/deletions/public-key gives it; without it that of the data directory's server.
    #[arg(long)]
    public_key: Option<String>,
    /// Key of the server, where it is not in the data directory.
    #[command(flatten)]
    secrets: Secrets,
    /// Data directory of the server.
    #[arg(long, env = "TRIAXIS_DATA_DIR", default_value = "./data")]
    data_dir: PathBuf,
}

/// Settings of `admin reset-password`.
#[derive(Args)]
struct ResetPassword {
    /// E-mail of the person.
    email: String,
    /// Read the new password from standard input; otherwise one is made up.
    #[arg(long)]
    password_stdin: bool,
    /// Data directory of the running server.
    #[arg(long, env = "TRIAXIS_DATA_DIR", default_value = "./data")]
    data_dir: PathBuf,
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

/// Settings of `admin create-key`.
#[derive(Args)]
struct CreateKey {
    /// Id of the project: the key opens it.
    #[arg(long, required_unless_present = "organisation")]
    project: Option<String>,
    /// Id of the organisation: the key manages its projects, keys and members.
    #[arg(long, conflicts_with = "project")]
    organisation: Option<String>,
    /// What a program may do with it: `member` (usual) or `admin` for a project, `admin` (usual) or `owner`
    /// for an organisation.
    #[arg(long, value_parser = role)]
    role: Option<Role>,
    /// What it is for.
    #[arg(long, default_value = "made at the command line")]
    note: String,
    /// Data directory of the running server.
    #[arg(long, env = "TRIAXIS_DATA_DIR", default_value = "./data")]
    data_dir: PathBuf,
}

fn role(name: &str) -> Result<Role, String> {
    let is_possible =
        |role: &Role| KEY_ROLES.contains(role) || ORGANISATION_KEY_ROLES.contains(role);
    let role = Role::from_name(name).filter(is_possible);
    role.ok_or_else(|| "give member, admin or owner".to_owned())
}

/// Runs an administration command; results are JSON on standard output.
pub(crate) fn run(settings: AdminSettings) -> anyhow::Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    runtime.block_on(async {
        match settings.command {
            AdminCommand::CreateProject(wanted) => create_project(&wanted).await,
            AdminCommand::CreateKey(wanted) => create_key(&wanted).await,
            AdminCommand::ResetPassword(wanted) => reset_password(&wanted).await,
            AdminCommand::VerifyCertificate(wanted) => verify_certificate(&wanted),
            AdminCommand::VerifyAuditLog(wanted) => verify_audit_log(&wanted).await,
        }
    })
}

async fn create_project(wanted: &CreateProject) -> anyhow::Result<()> {
    let made = service::bootstrap::create_project(
        &metadata(&wanted.data_dir).await?,
        &wanted.organisation,
        &wanted.name,
        wanted.owner.as_deref(),
    )
    .await?;
    out::say(
        &json!({
            "organisation_id": made.organisation_id,
            "project_id": made.project_id,
            "public_key": made.public_key,
            "secret_key": made.secret_key,
        })
        .to_string(),
    );
    Ok(())
}

async fn create_key(wanted: &CreateKey) -> anyhow::Result<()> {
    let postgres = metadata(&wanted.data_dir).await?;
    let (tenant, usual) = match (&wanted.organisation, &wanted.project) {
        (Some(organisation), _) => {
            let id = external_ids::organisation_id(organisation);
            (Tenant::Organisation(id), Role::Admin)
        }
        (None, Some(project)) => {
            let id = external_ids::project_id(project);
            (Tenant::Project(id), Role::Member)
        }
        (None, None) => anyhow::bail!("give a project or an organisation"),
    };
    let role = wanted.role.unwrap_or(usual);
    let made = service::bootstrap::create_key(&postgres, tenant, role, &wanted.note).await?;
    out::say(
        &json!({
            "public_key": made.key.public_key,
            "secret_key": made.secret,
            "role": made.key.role,
        })
        .to_string(),
    );
    Ok(())
}

async fn reset_password(wanted: &ResetPassword) -> anyhow::Result<()> {
    let given = if wanted.password_stdin {
        let mut line = String::new();
        std::io::stdin()
            .read_line(&mut line)
            .context("cannot read the new password")?;
        Some(line.trim_end_matches(['\r', '\n']).to_owned())
    } else {
        None
    };
    let postgres = metadata(&wanted.data_dir).await?;
    let password = service::auth::reset_password(&postgres, &wanted.email, given).await?;
    out::say(&json!({ "email": wanted.email, "password": password }).to_string());
    Ok(())
}

fn verify_certificate(wanted: &VerifyCertificate) -> anyhow::Result<()> {
    let shown = wanted.file.display();
    let text =
        std::fs::read_to_string(&wanted.file).with_context(|| format!("cannot read {shown}"))?;
    let read: Value = serde_json::from_str(&text).with_context(|| format!("{shown} is no JSON"))?;
    // A deletion as the API shows it has its certificate within it.
    let certificate = read.get("certificate").unwrap_or(&read);
    let key = match &wanted.public_key {
        Some(key) => key.clone(),
        None => certificate::public_key_of(&wanted.secrets.vault_that_is(&wanted.data_dir)?)?,
    };
    let statement = certificate::verify(certificate, &key)?;
    out::say(&json!({ "valid": true, "statement": statement }).to_string());
    Ok(())
}

async fn verify_audit_log(wanted: &VerifyAuditLog) -> anyhow::Result<()> {
    let mut is_valid = true;
    let mut say = |chain: Option<Tenant>, verdict: &Verdict| {
        is_valid &= verdict.broken.is_none();
        out::say(&told_of(chain, verdict).to_string());
    };
    match &wanted.file {
        Some(file) => {
            let shown = file.display();
            let read = File::open(file).with_context(|| format!("cannot read {shown}"))?;
            let verdict = audit::verify_lines(BufReader::new(read), known(wanted)?)?;
            say(None, &verdict);
        }
        None => {
            for (tenant, verdict) in audit::verify_all(&metadata(&wanted.data_dir).await?).await? {
                say(Some(tenant), &verdict);
            }
        }
    }
    anyhow::ensure!(is_valid, "an audit log does not hold");
    Ok(())
}

/// Where a log ended when somebody wrote it down.
fn known(wanted: &VerifyAuditLog) -> anyhow::Result<Option<Head>> {
    let (Some(entries), Some(hash)) = (wanted.entry, &wanted.hash) else {
        return Ok(None);
    };
    let bytes = hex::decode(hash).context("--hash is no hexadecimal number")?;
    anyhow::ensure!(bytes.len() == 32, "--hash has 64 digits");
    let hash = domain::audit::hash(&bytes);
    Ok(Some(Head { entries, hash }))
}

fn told_of(chain: Option<Tenant>, verdict: &Verdict) -> Value {
    let broken = verdict
        .broken
        .map(|broken| json!({ "entry": broken.entry, "reason": broken.reason.as_str() }));
    let mut told = json!({
        "valid": broken.is_none(),
        "entries": verdict.head.entries,
        "hash": hex::encode(verdict.head.hash),
        "blanked": verdict.blanked,
        "cut": verdict.cut,
        "first_broken": broken,
    });
    if let Some(chain) = chain {
        told["log"] = json!(chain);
    }
    told
}

/// The metadata of the server that runs on a data directory.
async fn metadata(data_dir: &Path) -> anyhow::Result<Postgres> {
    let running = RunFile::read(data_dir)?;
    Postgres::connect(&running.database_url)
        .await
        .context("cannot reach the metadata of the running server")
}
