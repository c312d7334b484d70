//! The durable end of the way.

use domain::axes::Track;
use domain::change::Change;
use domain::log::LogRecord;
use domain::score::Score;
use domain::{Fault, Span};
use service::deletions::tombstones;
use service::ingestion::{self, Sealed};
use service::{App, ProjectScope, ScoreWriter, masking, series};

use crate::aside::aside;
use crate::mask;

/// Encoding so many changes or scores takes less than handing the work to another thread.
const FEW_ROWS: usize = 64;

/// Hands what was sealed to the spool; returns when it is durable.
///
/// # Errors
/// `too_many` or `unavailable` with a time to come again, when the spool is full or failing.
pub async fn write(app: &App, sealed: Sealed) -> Result<(), Fault> {
    ingestion::keep(app, sealed).await
}

/// Spans as the block that is kept of them.
///
/// # Errors
/// `internal`, for no request that is let in.
pub fn seal(app: &App, scope: &ProjectScope, spans: &[Span]) -> Result<Sealed, Fault> {
    ingestion::seal(app, scope, spans)
}

/// The same for log records.
///
/// # Errors
/// As [`seal`].
pub fn seal_logs(app: &App, scope: &ProjectScope, records: &[LogRecord]) -> Result<Sealed, Fault> {
    ingestion::seal_logs(app, scope, records)
}

/// Series with their samples, sealed and written.
///
/// # Errors
/// As [`write`].
pub async fn write_tracks(
    app: &App,
    scope: &ProjectScope,
    tracks: Vec<Track>,
) -> Result<(), Fault> {
    let (for_work, of) = (app.clone(), *scope);
    let many = tracks.len() > FEW_ROWS;
    let seal = async move { series::seal(&for_work, &of, &tracks) };
    series::keep(app, aside(many, seal).await?).await
}

/// Changes of observations and traces, masked, sealed and written.
///
/// # Errors
/// As [`write`].
pub async fn write_changes(
    app: &App,
    scope: &ProjectScope,
    mut changes: Vec<Change>,
) -> Result<(), Fault> {
    if let Some(gone) = tombstones::of_project(app, scope.project_id()).await {
        let dropped = gone.changes(&mut changes);
        tombstones::note(app, scope.project_id(), dropped).await;
    }
    let masking = masking::of_project(app, scope.project_id()).await?;
    let (for_work, scope) = (app.clone(), *scope);
    // What looks into texts takes its time for one long one as for many.
    let many = changes.len() > FEW_ROWS || masking.masker().is_some();
    let seal = async move {
        mask::changes(&for_work, (scope.project_id(), &masking), &mut changes);
        ingestion::seal_changes(&for_work, &scope, &changes)
    };
    let sealed = aside(many, seal).await?;
    write(app, sealed).await
}

/// Scores, likewise.
///
/// # Errors
/// As [`write`].
pub async fn write_scores(
    app: &App,
    writer: &ScoreWriter,
    mut scores: Vec<Score>,
) -> Result<(), Fault> {
    if let Some(gone) = tombstones::of_project(app, writer.project_id()).await {
        let dropped = gone.scores(&mut scores);
        tombstones::note(app, writer.project_id(), dropped).await;
    }
    let masking = masking::of_project(app, writer.project_id()).await?;
    let (for_work, writer) = (app.clone(), *writer);
    let many = scores.len() > FEW_ROWS || masking.masker().is_some();
    let seal = async move {
        mask::scores(&for_work, (writer.project_id(), &masking), &mut scores);
        ingestion::seal_scores(&for_work, &writer, &scores)
    };
    let sealed = aside(many, seal).await?;
    write(app, sealed).await
}
