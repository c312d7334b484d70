//! Users of the application who are forgotten: ask, preview, list, show; what is dropped from then on; who must not be
//! forgotten. The work itself goes on in the background, after a restart too.

/// What is said of it, signed.
pub mod certificate;
/// What hangs on traces, sessions and users.
mod erase;
/// What there is of users.
mod find;
/// Users who must not be forgotten for the time being.
pub mod holds;
/// What arrives is dropped.
pub mod tombstones;
/// Whether something is left.
mod verify;
/// The work itself.
mod work;

use std::collections::BTreeSet;

use domain::deletion::{
    Counts, Deletion, DeletionSettings, DeletionState, MAX_TOMBSTONE_DAYS, MAX_USER_BYTES,
    MOST_USERS, SubjectHash,
};
use domain::tenancy::Permission;
use domain::{Code, DeletionId, Fault, Timestamp};
use store_postgres::audit::{self, Entry};
use store_postgres::deletions::tombstones::Of;
use store_postgres::deletions::{self, Asked, Wanted};
use uuid::Uuid;

use crate::app::App;
use crate::rollback::actor;
use crate::scope::ProjectScope;
use tombstones::Hasher;

pub(crate) use find::portions;
pub use work::run;

/// Forgets a user: what arrives of them is dropped within 5 s, what there is goes in the background. Needs
/// `ManageProject`. One that is under way already is the same.
///
/// # Errors
/// `forbidden`, `invalid` for what is no id, `conflict` while a legal hold is on the user, or `unavailable` without
/// Postgres.
pub async fn ask(app: &App, scope: &ProjectScope, user: &str) -> Result<Deletion, Fault> {
    let mut asked = ask_all(app, scope, &[user.to_owned()]).await?;
    let asked = asked.pop().map(|(_, deletion)| deletion);
    asked.ok_or_else(|| Fault::internal("a deletion was not stored"))
}

/// Forgets several, at most [`MOST_USERS`]; each with its deletion, in the order of the request. All of them, or none.
///
/// # Errors
/// As [`ask`]; `too_large` for more.
pub async fn ask_all(
    app: &App,
    scope: &ProjectScope,
    users: &[String],
) -> Result<Vec<(String, Deletion)>, Fault> {
    scope.require(Permission::ManageProject)?;
    let users = checked(users)?;
    let (project, now) = (scope.project_id(), app.clock().now());
    let settings = deletions::settings(app.postgres(), project).await?;
    let hasher = Hasher::new(&app.settings().vault, project);
    let until = tombstones::until(now, settings.tombstone_days);
    let asked: Vec<Asked> = users
        .iter()
        .map(|user| Asked {
            user_id: user.clone(),
            deletion: Deletion {
                id: DeletionId(Uuid::now_v7()),
                subject: hasher.user(user),
                state: DeletionState::Queued,
                shared_traces: settings.shared_traces,
                counts: Counts::new(),
                requested_by: actor(scope),
                requested_at: now,
                verified_at: None,
                tombstone_until: until,
                fault: None,
                certificate: None,
            },
        })
        .collect();
    let hashes: Vec<SubjectHash> = asked.iter().map(|it| it.deletion.subject).collect();
    let takes_trace = settings.shared_traces == domain::deletion::SharedTraces::Whole;
    let mut tx = app.postgres().begin().await?;
    refuse_held(&mut tx, scope, &users).await?;
    let of = (Of::User, hashes.as_slice());
    deletions::tombstones::set(&mut tx, project, of, (now, until), takes_trace).await?;
    let under_way = deletions::ask(&mut tx, project, &asked).await?;
    for new in &asked {
        if under_way.iter().any(|it| it.id == new.deletion.id) {
            let after = serde_json::json!({ "subject": hex::encode(new.deletion.subject.0) });
            note(
                &mut tx,
                scope,
                ("user.deletion_requested", new.deletion.id),
                after,
                now,
            )
            .await?;
        }
    }
    tx.commit().await?;
    app.tombstones().forget(project);
    app.wake_deletions().notify_one();
    let of_user = |new: Asked| {
        let same = under_way
            .iter()
            .find(|it| it.subject == new.deletion.subject);
        let found = same
            .cloned()
            .ok_or_else(|| Fault::internal("a deletion was not stored"))?;
        Ok((new.user_id, found))
    };
    asked.into_iter().map(of_user).collect()
}

async fn note(
    tx: &mut store_postgres::Transaction,
    scope: &ProjectScope,
    (action, id): (&'static str, DeletionId),
    after: serde_json::Value,
    at: Timestamp,
) -> Result<(), Fault> {
    let entry = Entry {
        actor: actor(scope),
        action: action.into(),
        object: format!("deletion:{id}"),
        before: serde_json::Value::Null,
        after,
    };
    Ok(audit::append(tx, scope.project_id(), &entry, at).await?)
}

async fn refuse_held(
    tx: &mut store_postgres::Transaction,
    scope: &ProjectScope,
    users: &[String],
) -> Result<(), Fault> {
    let held = deletions::holds::held(tx, scope.project_id(), users).await?;
    match held.first() {
        None => Ok(()),
        Some(user) => {
            let message = format!("a legal hold is on the user {user}: lift it first");
            Err(Fault::new(Code::Conflict, message))
        }
    }
}

/// What there is of a user now, by store; needs `ManageProject`. It takes about what the list of their traces takes.
///
/// # Errors
/// `forbidden`, `invalid`; `unavailable` or `timeout` without the stores.
pub async fn preview(app: &App, scope: &ProjectScope, user: &str) -> Result<Counts, Fault> {
    scope.require(Permission::ManageProject)?;
    let users = checked(&[user.to_owned()])?;
    let project = scope.project_id();
    let settings = deletions::settings(app.postgres(), project).await?;
    let found =
        find::of_users(app, project, &[(users[0].as_str(), settings.shared_traces)]).await?;
    match found.into_iter().next() {
        Some(things) => find::counts(app, project, (user, &things)).await,
        None => Ok(Counts::new()),
    }
}

/// One of the project.
///
/// # Errors
/// `not_found`, or `unavailable` without Postgres.
pub async fn show(app: &App, scope: &ProjectScope, id: DeletionId) -> Result<Deletion, Fault> {
    let found = deletions::show(app.postgres(), scope.project_id(), id).await?;
    found.ok_or_else(|| Fault::not_found(format!("no deletion {id}")))
}

/// Those of the project, the newest first; of one user where one is given.
///
/// # Errors
/// `unavailable` without Postgres.
pub async fn list(
    app: &App,
    scope: &ProjectScope,
    (user, after): (Option<&str>, Option<(Timestamp, DeletionId)>),
    limit: u32,
) -> Result<Vec<Deletion>, Fault> {
    let hasher = Hasher::new(&app.settings().vault, scope.project_id());
    let wanted = Wanted {
        subject: user.map(|user| hasher.user(user)),
        after: after.map(|(at, id)| (at, id.as_uuid())),
    };
    Ok(deletions::list(app.postgres(), scope.project_id(), &wanted, limit).await?)
}

/// Records of the user of a deletion that arrived since and were dropped; `None` where its tombstone is over.
///
/// # Errors
/// `unavailable` without Postgres.
pub async fn dropped(
    app: &App,
    scope: &ProjectScope,
    deletion: &Deletion,
) -> Result<Option<u64>, Fault> {
    let project = scope.project_id();
    let dropped = deletions::tombstones::dropped(app.postgres(), project, deletion.subject);
    Ok(dropped.await?)
}

/// How the project forgets users.
///
/// # Errors
/// `unavailable` without Postgres.
pub async fn settings(app: &App, scope: &ProjectScope) -> Result<DeletionSettings, Fault> {
    Ok(deletions::settings(app.postgres(), scope.project_id()).await?)
}

/// Sets it for deletions that are asked for from now on; needs `ManageProject`.
///
/// # Errors
/// `forbidden`, `invalid` on a field, or `unavailable` without Postgres.
pub async fn set(app: &App, scope: &ProjectScope, settings: DeletionSettings) -> Result<(), Fault> {
    scope.require(Permission::ManageProject)?;
    if !(1..=MAX_TOMBSTONE_DAYS).contains(&settings.tombstone_days) {
        let message = format!("tombstone_days: give 1 to {MAX_TOMBSTONE_DAYS}");
        return Err(Fault::invalid(message).on_field("tombstone_days"));
    }
    Ok(deletions::set(app.postgres(), scope.project_id(), settings).await?)
}

/// The key that certificates of this server are checked with, base64.
///
/// # Errors
/// `internal`.
pub fn public_key(app: &App) -> Result<String, Fault> {
    certificate::public_key_of(&app.settings().vault)
}

/// Ids, each once.
fn checked(users: &[String]) -> Result<Vec<String>, Fault> {
    if users.len() > MOST_USERS {
        let message = format!("a request names at most {MOST_USERS} users");
        return Err(Fault::new(Code::TooLarge, message));
    }
    let mut seen = BTreeSet::new();
    let mut once = Vec::with_capacity(users.len());
    for user in users {
        if user.is_empty() || user.len() > MAX_USER_BYTES || user.contains('\0') {
            let message = format!("user_ids: an id has 1 to {MAX_USER_BYTES} bytes");
            return Err(Fault::invalid(message).on_field("user_ids"));
        }
        if seen.insert(user.as_str()) {
            once.push(user.clone());
        }
    }
    match once.is_empty() {
        true => Err(Fault::invalid("user_ids: name at least one").on_field("user_ids")),
        false => Ok(once),
    }
}
