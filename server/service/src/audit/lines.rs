//! The log as lines of JSON, which are verified without the server.

use std::io::BufRead;

use domain::audit::{Details, Entry as Read, Head, Verdict, Verifier};
use domain::tenancy::Tenant;
use domain::{Fault, Timestamp};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;
use store_postgres::audit::{self, Entry};

use super::{AT_ONCE, Log};
use crate::app::App;
use crate::rollback::actor_name;

/// An entry as a line. The texts of `before` and `after` are those that were hashed.
#[derive(Serialize, Deserialize)]
struct Line {
    chain: String,
    entry: u64,
    at: String,
    actor: String,
    action: String,
    object: String,
    before: Box<RawValue>,
    after: Box<RawValue>,
    salt: Option<String>,
    digest: String,
    hash: String,
}

/// A log that is read to its end, piece by piece.
pub struct Export {
    app: App,
    tenant: Tenant,
    after: u64,
}

/// Begins to export a whole log, which is written down in it.
///
/// # Errors
/// `unavailable` without Postgres.
pub async fn export(app: &App, log: &Log) -> Result<Export, Fault> {
    let entry = Entry {
        actor: actor_name(log.actor),
        action: "audit_log.exported".into(),
        object: "audit_log".to_owned(),
        before: Value::Null,
        after: Value::Null,
    };
    let mut tx = app.postgres().begin().await?;
    audit::append_to(&mut tx, log.tenant, &entry, app.clock().now()).await?;
    tx.commit().await?;
    Ok(Export {
        app: app.clone(),
        tenant: log.tenant,
        after: 0,
    })
}

impl Export {
    /// The next lines; `None` after the last.
    ///
    /// # Errors
    /// `unavailable` without Postgres.
    pub async fn next(&mut self) -> Result<Option<String>, Fault> {
        let mut tx = self.app.postgres().begin_reading().await?;
        let entries = audit::read_on(&mut tx, self.tenant, self.after, AT_ONCE).await?;
        let Some(last) = entries.last() else {
            return Ok(None);
        };
        self.after = last.number;
        let chain = audit::chain_of(self.tenant);
        let mut lines = String::new();
        for entry in entries {
            let line = Line::new(&chain, entry).map_err(Fault::internal)?;
            lines.push_str(&serde_json::to_string(&line).map_err(Fault::internal)?);
            lines.push('\n');
        }
        Ok(Some(lines))
    }
}

impl Line {
    fn new(chain: &str, entry: Read) -> Result<Self, serde_json::Error> {
        Ok(Line {
            chain: chain.to_owned(),
            entry: entry.number,
            at: entry.at.to_string(),
            actor: entry.actor,
            action: entry.action,
            object: entry.details.object,
            before: RawValue::from_string(entry.details.before)?,
            after: RawValue::from_string(entry.details.after)?,
            salt: entry.salt.map(hex::encode),
            digest: hex::encode(entry.digest),
            hash: hex::encode(entry.hash),
        })
    }

    fn entry(self) -> Option<Read> {
        Some(Read {
            number: self.entry,
            at: Timestamp::parse(&self.at).ok()?,
            actor: self.actor,
            action: self.action,
            details: Details {
                object: self.object,
                before: self.before.get().to_owned(),
                after: self.after.get().to_owned(),
            },
            salt: match self.salt {
                Some(salt) => Some(hex::decode(salt).ok()?),
                None => None,
            },
            digest: hex::decode(self.digest).ok()?,
            hash: hex::decode(self.hash).ok()?,
        })
    }
}

/// Whether an export holds from its first line to its last.
///
/// # Errors
/// `invalid` for what is no export, naming the line.
pub fn verify_lines(lines: impl BufRead, known: Option<Head>) -> Result<Verdict, Fault> {
    let mut verifier: Option<Verifier> = None;
    for (at, line) in lines.lines().enumerate() {
        let no_entry = || Fault::invalid(format!("line {} is no entry of an audit log", at + 1));
        let line = line.map_err(|error| no_entry().because(error))?;
        let line: Line = serde_json::from_str(&line).map_err(|error| no_entry().because(error))?;
        let chain = line.chain.clone();
        let entry = line.entry().ok_or_else(no_entry)?;
        verifier
            .get_or_insert_with(|| Verifier::new(chain, known))
            .read(&entry);
    }
    let verifier = verifier.unwrap_or_else(|| Verifier::new(String::new(), known));
    Ok(verifier.finish(None))
}
