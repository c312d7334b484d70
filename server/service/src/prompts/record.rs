//! What changed is written into the audit log and told to channels, in the transaction of the change.

use domain::alert::notice::Occasion;
use domain::prompt::PromptName;
use domain::prompt::notice::{Happened, Notice, body};
use domain::{Fault, ProjectId, Timestamp};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use store_postgres::Transaction;
use store_postgres::alerts::channels;
use store_postgres::alerts::notifications::{self, Notification};
use store_postgres::audit::{self, Entry};
use uuid::Uuid;

use crate::app::App;
use crate::rollback::actor;
use crate::scope::ProjectScope;

/// What of a name is written as it is in its address.
const KEPT: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'_')
    .remove(b'.')
    .remove(b'~')
    .remove(b'/');

/// Writes it down, and tells channels of it.
pub(super) async fn record(
    app: &App,
    scope: &ProjectScope,
    tx: &mut Transaction,
    (name, happened): (&PromptName, &Happened),
    at: Timestamp,
) -> Result<(), Fault> {
    let (project, actor) = (scope.project_id(), actor(scope));
    let entry = Entry {
        actor,
        action: happened.action().into(),
        object: format!("prompt:{name}"),
        before: happened.before(),
        after: happened.after(),
    };
    audit::append(tx, project, &entry, at).await?;
    tell(app, tx, project, (name, happened, &entry.actor), at).await
}

/// Tells channels of it alone: who moves a label back writes the audit log in other words.
pub(crate) async fn tell(
    app: &App,
    tx: &mut Transaction,
    project: ProjectId,
    (name, happened, actor): (&PromptName, &Happened, &str),
    at: Timestamp,
) -> Result<(), Fault> {
    let url = format!(
        "{}/p/{project}/prompts/{}",
        app.settings().public_url,
        utf8_percent_encode(name.as_str(), KEPT)
    );
    let notice = Notice {
        name,
        happened,
        actor,
        at,
        url: &url,
    };
    for (channel, kind) in channels::of_prompts(tx, project).await? {
        let Some(body) = body(kind, &notice).map(|body| body.to_string()) else {
            continue;
        };
        let notification = Notification {
            id: Uuid::now_v7(),
            incident: None,
            channel,
            occasion: Occasion::PromptChanged,
            body: &body,
        };
        notifications::push(tx, project, &notification, at).await?;
    }
    Ok(())
}
