//! Scores of the scope's project: taken, listed, shown, deleted.

use std::collections::HashMap;
use std::time::Duration;

use domain::page::Cursor;
use domain::score::config::Refusal;
use domain::score::wanted::{Condition, Field};
use domain::score::{Judgements, Score, ScoreConfig, Sent};
use domain::tenancy::Permission;
use domain::trace::TraceSummary;
use domain::{Fault, ScoreConfigId, TraceId};
use store_clickhouse::{scores, traces};
use store_postgres::score_configs;

use crate::app::App;
use crate::scope::{ProjectScope, ScoreWriter};

/// Holds scores against the configurations that they follow, which give them their name and the number
/// of their label. One that does not follow its own is refused with the reason.
///
/// # Errors
/// `unavailable` without Postgres, where any follows one.
pub async fn configured(
    app: &App,
    writer: &ScoreWriter,
    sent: Vec<Sent>,
) -> Result<Vec<Result<Score, Refusal>>, Fault> {
    let id_of = |sent: &Sent| sent.score.config_id.as_deref()?.parse().ok();
    let ids: Vec<ScoreConfigId> = sent.iter().filter_map(id_of).collect();
    let mut configs = HashMap::new();
    if !ids.is_empty() {
        let found = score_configs::some(app.postgres(), writer.project_id(), &ids).await?;
        configs.extend(found.into_iter().map(|config| (config.id, config)));
    }
    let follow = |sent: Sent| {
        let config = id_of(&sent).and_then(|id| configs.get(&id));
        follow(sent, config)
    };
    Ok(sent.into_iter().map(follow).collect())
}

fn follow(mut sent: Sent, config: Option<&ScoreConfig>) -> Result<Score, Refusal> {
    match (&sent.score.config_id, config) {
        (None, _) => {}
        (Some(id), None) => {
            return Err(("configId", format!("there is no configuration {id}")));
        }
        (Some(_), Some(config)) => config.apply(&mut sent)?,
    }
    Ok(sent.score)
}

/// A slice of a list.
#[derive(Clone, Debug, Default)]
pub struct Slice {
    /// The last score of the slice before.
    pub after: Option<Cursor>,
    /// Scores to skip.
    pub offset: u64,
    /// Scores to give.
    pub limit: u32,
}

/// Scores for which all conditions hold, newest first.
///
/// # Errors
/// `unavailable` or `timeout` when ClickHouse is away or takes too long; so for all reads here.
pub async fn list(
    app: &App,
    scope: &ProjectScope,
    wanted: &[Condition],
    slice: &Slice,
) -> Result<Vec<Score>, Fault> {
    let (clickhouse, project) = (app.clickhouse(), scope.project_id());
    let place = (slice.after.as_ref(), slice.offset, slice.limit);
    Ok(scores::list(clickhouse, project, wanted, place).await?)
}

/// The same, and how many there are in all.
///
/// # Errors
/// As [`list`].
pub async fn page(
    app: &App,
    scope: &ProjectScope,
    wanted: &[Condition],
    slice: &Slice,
) -> Result<(Vec<Score>, u64), Fault> {
    let total = scores::count(app.clickhouse(), scope.project_id(), wanted);
    let (rows, total) = tokio::join!(list(app, scope, wanted, slice), total);
    Ok((rows?, total?))
}

/// One score.
///
/// # Errors
/// `not_found`; as [`list`].
pub async fn show(
    app: &App,
    scope: &ProjectScope,
    id: &str,
    also: &[Condition],
) -> Result<Score, Fault> {
    let mut wanted = vec![Condition::any_of(Field::Id, [id])];
    wanted.extend_from_slice(also);
    let slice = Slice {
        limit: 1,
        ..Slice::default()
    };
    let found = list(app, scope, &wanted, &slice).await?;
    let found = found.into_iter().next();
    found.ok_or_else(|| Fault::not_found(format!("Score not found: {id}")))
}

/// The traces that some scores judge, summed up; without those that have not come.
///
/// # Errors
/// As [`list`].
pub async fn traces_of(
    app: &App,
    scope: &ProjectScope,
    scores: &[Score],
) -> Result<HashMap<TraceId, TraceSummary>, Fault> {
    let mut ids: Vec<&TraceId> = scores.iter().filter_map(Score::trace_id).collect();
    ids.sort_unstable();
    ids.dedup();
    let (clickhouse, project) = (app.clickhouse(), scope.project_id());
    let found = traces::some(clickhouse, project, &ids, &Default::default()).await?;
    let by_id = found.into_iter().map(|trace| {
        let summary = trace.summary;
        (summary.trace_id.clone(), summary)
    });
    Ok(by_id.collect())
}

/// The scores of some traces and of their spans, the oldest first; at most ten thousand.
///
/// # Errors
/// As [`list`].
pub async fn of_traces(
    app: &App,
    scope: &ProjectScope,
    traces: &[TraceId],
) -> Result<Judgements, Fault> {
    let found = scores::of_traces(app.clickhouse(), scope.project_id(), traces).await?;
    Ok(Judgements::new(found))
}

/// How long a deletion waits for scores that were received before it but are not stored yet.
pub(crate) const DRAIN_PATIENCE: Duration = Duration::from_secs(5);

/// Deletes a score, if there is one; needs `ChangeTelemetry`. It is gone when this returns.
///
/// # Errors
/// `forbidden`; `unavailable` when the store is behind or away.
pub async fn delete(app: &App, scope: &ProjectScope, id: &str) -> Result<(), Fault> {
    scope.require(Permission::ChangeTelemetry)?;
    if !app.spool().wait_until_drained(DRAIN_PATIENCE).await {
        return Err(Fault::unavailable(
            "the telemetry store is behind; try again in a moment",
        ));
    }
    scores::delete(app.clickhouse(), scope.project_id(), id).await?;
    Ok(())
}
