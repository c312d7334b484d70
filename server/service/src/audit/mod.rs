//! The audit log: who did what and who saw what, in a chain that tells what was changed in it.
//!
//! What is changed at an edge is written down before it is answered ([`record`]); what is seen goes through a bounded
//! queue ([`viewed`]), so that no page waits for it.

/// The log as lines, and lines verified.
mod lines;
/// What requests are told of, and how.
mod requests;
/// What was seen, on its way into the log.
mod views;

use domain::audit::{BLANKED, Entry as Read, Head, Verdict, Verifier};
use domain::tenancy::{Permission, SignInMethod, Tenant};
use domain::{Fault, OrganisationId, PersonId, ProjectId, Timestamp};
use serde_json::{Value, json};
use store_postgres::audit::{self, Entry};
use store_postgres::{Postgres, Transaction, members};
use tokio::sync::Mutex;

use crate::app::App;
use crate::counters::Counter;
use crate::rollback::{actor, actor_name};
use crate::scope::{Actor, OrganisationScope, ProjectScope};

pub use lines::{Export, export, verify_lines};
pub use requests::{Told, told};
pub use store_postgres::audit::Filter;
pub(crate) use views::Views;
pub use views::{run, viewed};

/// Entries that are read at once.
const AT_ONCE: u32 = 2_000;
/// One chain is read as a whole at a time.
static VERIFYING: Mutex<()> = Mutex::const_new(());
/// Entries that could not be written.
const LOST: &str = "triaxis_audit_entries_lost_total";

/// Proof that somebody may read one log, of a project or an organisation.
#[derive(Clone, Copy, Debug)]
pub struct Log {
    tenant: Tenant,
    actor: Actor,
}

impl Log {
    /// That of a project; needs `ReadAuditLog`.
    ///
    /// # Errors
    /// `forbidden`.
    pub fn of_project(scope: &ProjectScope) -> Result<Self, Fault> {
        scope.require(Permission::ReadAuditLog)?;
        Ok(Log {
            tenant: Tenant::Project(scope.project_id()),
            actor: scope.actor(),
        })
    }

    /// That of an organisation; needs `ReadAuditLog` there.
    ///
    /// # Errors
    /// `forbidden`.
    pub fn of_organisation(scope: &OrganisationScope) -> Result<Self, Fault> {
        scope.require(Permission::ReadAuditLog)?;
        Ok(Log {
            tenant: Tenant::Organisation(scope.organisation_id()),
            actor: scope.actor(),
        })
    }
}

/// Its entries, the newest first, at most `most`.
///
/// # Errors
/// `unavailable` without Postgres.
pub async fn list(
    app: &App,
    log: &Log,
    filter: &Filter<'_>,
    most: u32,
) -> Result<Vec<Read>, Fault> {
    Ok(audit::list(app.postgres(), log.tenant, filter, most).await?)
}

/// Whether it holds from its first entry to its last; `known` is where it ended once.
///
/// # Errors
/// `unavailable` without Postgres.
pub async fn verify(app: &App, log: &Log, known: Option<Head>) -> Result<Verdict, Fault> {
    let _turn = VERIFYING.lock().await;
    verify_chain(app.postgres(), log.tenant, known).await
}

/// Whether every log of a server holds, for its operator.
///
/// # Errors
/// `unavailable` without Postgres.
pub async fn verify_all(postgres: &Postgres) -> Result<Vec<(Tenant, Verdict)>, Fault> {
    let mut verdicts = Vec::new();
    for tenant in audit::chains(postgres).await? {
        verdicts.push((tenant, verify_chain(postgres, tenant, None).await?));
    }
    Ok(verdicts)
}

async fn verify_chain(
    postgres: &Postgres,
    tenant: Tenant,
    known: Option<Head>,
) -> Result<Verdict, Fault> {
    let mut tx = postgres.begin_reading().await?;
    let head = audit::head(&mut tx, tenant).await?;
    let mut verifier = Verifier::new(audit::chain_of(tenant), known);
    let mut after = 0;
    while verifier.holds() {
        let entries = audit::read_on(&mut tx, tenant, after, AT_ONCE).await?;
        let Some(last) = entries.last() else { break };
        after = last.number;
        entries.iter().for_each(|entry| verifier.read(entry));
    }
    Ok(verifier.finish(head))
}

/// Writes down what was done at an edge. What was done stays done where this fails: then it is logged and counted.
pub async fn record(app: &App, scope: &ProjectScope, action: &str, object: &str) {
    let entry = Entry {
        actor: actor(scope),
        action: action.to_owned().into(),
        object: object.to_owned(),
        before: Value::Null,
        after: Value::Null,
    };
    let tenant = Tenant::Project(scope.project_id());
    write_or_tell(app, tenant, &entry).await;
}

/// Writes down that an organisation has a project from now on, or no more.
pub(crate) async fn record_project(
    app: &App,
    (organisation, by): (OrganisationId, Actor),
    action: &'static str,
    project: ProjectId,
) {
    let entry = Entry {
        actor: actor_name(by),
        action: action.into(),
        object: format!("project:{project}"),
        before: Value::Null,
        after: Value::Null,
    };
    write_or_tell(app, Tenant::Organisation(organisation), &entry).await;
}

/// Writes down who signed in, and how.
pub(crate) async fn signed_in(
    app: &App,
    person: PersonId,
    (from, method): (std::net::IpAddr, SignInMethod),
) {
    let how = json!({ "address": from.to_string(), "method": method });
    note_of_person(app, of_person(person, "sign_in", how), person).await;
}

/// Writes down that somebody chose another password.
pub(crate) async fn changed_password(app: &App, person: PersonId) {
    note_of_person(
        app,
        of_person(person, "password.changed", Value::Null),
        person,
    )
    .await;
}

/// Writes down that somebody ended sign-ins of theirs, and how many.
pub(crate) async fn ended_sign_ins(app: &App, person: PersonId, many: u64) {
    let entry = of_person(person, "sign_in.ended", json!({ "sign_ins": many }));
    note_of_person(app, entry, person).await;
}

/// Writes down in all logs of a person.
async fn note_of_person(app: &App, entry: Entry, person: PersonId) {
    for tenant in logs_of(app, person).await {
        write_or_tell(app, tenant, &entry).await;
    }
}

/// Writes down that somebody gave a wrong password for an account. Nobody waits for it, so that an answer does not tell by
/// its time whether there is one.
pub(crate) fn failed_to_sign_in(app: &App, person: PersonId, from: std::net::IpAddr) {
    let app = app.clone();
    tokio::spawn(async move {
        let address = json!({ "address": from.to_string() });
        let entry = of_person(person, "sign_in.failed", address);
        for tenant in logs_of(&app, person).await {
            views::queue(&app, tenant, entry.clone());
        }
    });
}

/// Writes down who signed out.
pub async fn signed_out(app: &App, person: PersonId) {
    note_of_person(app, of_person(person, "sign_out", Value::Null), person).await;
}

/// Blanks what names a user who is forgotten, and writes down that it was.
pub(crate) async fn blank_user(
    tx: &mut Transaction,
    project: ProjectId,
    (user, sessions): (&str, &[String]),
    at: Timestamp,
) -> Result<(), Fault> {
    let mut objects = vec![format!("user:{user}")];
    objects.extend(sessions.iter().map(|session| format!("session:{session}")));
    let entries = audit::naming(tx, project, user, &objects).await?;
    if entries.is_empty() {
        return Ok(());
    }
    audit::blank(tx, project, &entries).await?;
    let entry = Entry {
        actor: "server".to_owned(),
        action: BLANKED.into(),
        object: "audit_log".to_owned(),
        before: Value::Null,
        after: json!({ "entries": entries }),
    };
    Ok(audit::append(tx, project, &entry, at).await?)
}

fn of_person(person: PersonId, action: &'static str, after: Value) -> Entry {
    Entry {
        actor: format!("person:{person}"),
        action: action.into(),
        object: format!("person:{person}"),
        before: Value::Null,
        after,
    }
}

/// The logs of the organisations of a person.
async fn logs_of(app: &App, person: PersonId) -> Vec<Tenant> {
    match members::organisations_of(app.postgres(), person).await {
        Ok(organisations) => organisations
            .into_iter()
            .map(Tenant::Organisation)
            .collect(),
        Err(error) => {
            lost(app, &error, 1);
            Vec::new()
        }
    }
}

async fn write_or_tell(app: &App, tenant: Tenant, entry: &Entry) {
    let written = async {
        let mut tx = app.postgres().begin().await?;
        audit::append_to(&mut tx, tenant, entry, app.clock().now()).await?;
        tx.commit().await
    };
    if let Err(error) = written.await {
        lost(app, &error, 1);
    }
}

fn lost(app: &App, error: &(dyn std::error::Error + 'static), many: u64) {
    tracing::error!(error, many, "the audit log could not be written");
    app.counters().add(Counter::new(LOST), many);
}
