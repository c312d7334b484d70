//! Walks through the traces of a job, the newest first, and notes where it is. What breaks off goes on from
//! there, on any server: what was done to a trace is done again without harm.

use std::time::Duration;

use domain::bulk::{BulkAction, BulkState};
use domain::dataset::{DatasetItemId, DatasetName, ItemDraft};
use domain::page::{Cursor, Limit};
use domain::tenancy::Permission;
use domain::trace::TraceSummary;
use domain::{Code, Fault, Nanos, TraceId};
use futures_util::future::join_all;
use serde_json::Value;
use sha2::{Digest, Sha256};
use store_postgres::bulk_jobs::{self, TakenJob};
use tokio_util::sync::CancellationToken;

use crate::app::App;
use crate::scope::ProjectScope;
use crate::turns::{Turns, postgres_is_away};
use crate::{auth, datasets, numbered, traces};

/// What is looked for.
const WHAT: &str = "jobs";
/// Traces that are read at once, and between two notes of how far a job is.
const AT_ONCE: u32 = 20;
/// How long a job is held between two notes.
const HOLD: Nanos = Nanos::from_seconds(60);
/// How long until one that failed is tried again.
const REST: Nanos = Nanos::from_seconds(5);
/// How often one is taken up without going on.
const MAX_TRIES: i32 = 20;
/// Between two looks whether there is something to do.
const LOOK_EVERY: Duration = Duration::from_secs(2);

/// Jobs that one server works on at once: a long one of one project does not keep the others waiting.
const WORKERS: usize = 4;

/// Does what was asked for, until `stop`. Several servers may do it at once.
pub async fn run(app: App, stop: CancellationToken) {
    join_all((0..WORKERS).map(|_| work(&app, &stop))).await;
}

async fn work(app: &App, stop: &CancellationToken) {
    let turns = Turns {
        what: WHAT,
        every: LOOK_EVERY,
        wake: Some(app.wake_bulk()),
        stop,
    };
    let take = || {
        let now = app.clock().now();
        bulk_jobs::take(app.postgres(), now, now.plus(HOLD))
    };
    while let Some(taken) = turns.next(take).await {
        work_on(app, taken, stop).await;
    }
}

async fn work_on(app: &App, mut taken: TakenJob, stop: &CancellationToken) {
    let outcome = walk(app, &mut taken, stop).await;
    let now = app.clock().now();
    let held_until = match outcome {
        Ok(()) => now,
        Err(fault) => {
            let cause = std::error::Error::source(&fault);
            tracing::warn!(cause, id = %taken.job.id, "a job broke off: {fault}");
            let is_final = matches!(fault.code, Code::Forbidden | Code::NotFound);
            if is_final || taken.tries >= MAX_TRIES {
                taken.job.state = BulkState::Failed;
                taken.job.fault = Some(fault.message.clone());
            }
            now.plus(REST)
        }
    };
    taken.job.updated_at = now;
    if let Err(error) = bulk_jobs::go_on(app.postgres(), &taken, held_until).await {
        postgres_is_away(WHAT, &error);
    }
}

/// Goes on until the end, until somebody stops the job, or until the server stops.
async fn walk(app: &App, taken: &mut TakenJob, stop: &CancellationToken) -> Result<(), Fault> {
    // Whoever asked for it may have lost the right meanwhile.
    let scope = auth::enter_project(app, taken.job.person, taken.project_id).await?;
    if taken.job.total.is_none() {
        let density = traces::density(app, &scope, &taken.job.filter, 1).await?;
        taken.job.total = Some(density.traces);
    }
    let target = match &taken.job.action {
        BulkAction::Delete => None,
        BulkAction::AddToDataset(name) => Some(DatasetName::parse(name)?),
    };
    let mut cursor = taken.place.as_deref().map(Cursor::parse).transpose()?;
    loop {
        let limit = Limit::new(AT_ONCE)?;
        let page = traces::list(app, &scope, &taken.job.filter, limit, cursor.as_ref()).await?;
        match &target {
            None => {
                let ids: Vec<TraceId> = page.data.iter().map(|it| it.trace_id.clone()).collect();
                let deleted = traces::delete_all(app, &scope, &ids).await?;
                taken.job.skipped += (ids.len() - deleted) as u64;
                taken.job.done += ids.len() as u64;
            }
            Some(dataset) => {
                for trace in &page.data {
                    if stop.is_cancelled() {
                        return Ok(());
                    }
                    let skipped = add(app, &scope, dataset, trace).await?;
                    taken.job.skipped += u64::from(skipped);
                    taken.job.done += 1;
                }
            }
        }
        if stop.is_cancelled() {
            return Ok(());
        }
        cursor = page.next_cursor;
        if cursor.is_none() {
            taken.job.total = Some(taken.job.done);
            taken.job.state = BulkState::Done;
            return Ok(());
        }
        if !note(app, taken, cursor.as_ref()).await? {
            return Ok(());
        }
    }
}

/// Notes how far it is; `false` where somebody has stopped it.
async fn note(app: &App, taken: &mut TakenJob, place: Option<&Cursor>) -> Result<bool, Fault> {
    let now = app.clock().now();
    taken.place = place.map(ToString::to_string);
    taken.tries = 0;
    taken.job.updated_at = now;
    let total = taken.job.total.unwrap_or(0);
    taken.job.total = Some(total.max(taken.job.done));
    Ok(bulk_jobs::go_on(app.postgres(), taken, now.plus(HOLD)).await?)
}

/// Makes an item of a trace. Its id follows from both, so that a trace that is added again changes its
/// item. Whether it could not be done: the item would not follow the schemas of the dataset.
async fn add(
    app: &App,
    scope: &ProjectScope,
    dataset: &DatasetName,
    trace: &TraceSummary,
) -> Result<bool, Fault> {
    scope.require(Permission::ChangeDatasets)?;
    let Some(portrait) = numbered::trace(app, scope, &trace.trace_id).await? else {
        return Ok(true);
    };
    let value = |text: Option<&str>| text.map(json_or_text);
    let draft = ItemDraft {
        input: value(portrait.input()),
        expected_output: value(portrait.output()),
        source_trace_id: Some(trace.trace_id.clone()),
        ..ItemDraft::default()
    };
    let id = item_id(scope, dataset, trace)?;
    match datasets::write_item(app, scope, (dataset, Some(id)), draft).await {
        Ok(_) => Ok(false),
        Err(fault) if matches!(fault.code, Code::Invalid | Code::Conflict | Code::TooLarge) => {
            Ok(true)
        }
        Err(fault) => Err(fault),
    }
}

/// JSON where it is some, else the text.
fn json_or_text(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_else(|_| Value::String(text.to_owned()))
}

fn item_id(
    scope: &ProjectScope,
    dataset: &DatasetName,
    trace: &TraceSummary,
) -> Result<DatasetItemId, Fault> {
    let mut hash = Sha256::new();
    for part in [
        scope.project_id().to_string().as_str(),
        dataset.as_str(),
        trace.trace_id.as_str(),
    ] {
        hash.update(part.as_bytes());
        hash.update([0]);
    }
    let digest = hex::encode(hash.finalize());
    DatasetItemId::parse(&format!("trace-{}", &digest[..32]))
}
