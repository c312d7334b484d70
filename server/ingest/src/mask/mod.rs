//! Hiding what must not be stored. The rules are pure functions of [`domain::masking`]; here they meet what arrived.

use domain::change::Change;
use domain::log::LogRecord;
use domain::masking::Counts;
use domain::score::Score;
use domain::{ProjectId, Span};
use service::App;
use service::masking::{self, Rules};

/// Masks spans by the rules of their project.
pub fn spans(app: &App, (project, rules): (ProjectId, &Rules), spans: &mut [Span]) {
    let Some(masker) = rules.masker() else { return };
    let mut counts = Counts::default();
    masker.spans(spans, &mut counts);
    masking::note(app, project, counts);
}

/// Masks log records, likewise.
pub fn logs(app: &App, (project, rules): (ProjectId, &Rules), records: &mut [LogRecord]) {
    let Some(masker) = rules.masker() else { return };
    let mut counts = Counts::default();
    masker.logs(records, &mut counts);
    masking::note(app, project, counts);
}

/// Masks changes of observations and traces, likewise.
pub fn changes(app: &App, (project, rules): (ProjectId, &Rules), changes: &mut [Change]) {
    let Some(masker) = rules.masker() else { return };
    let mut counts = Counts::default();
    masker.changes(changes, &mut counts);
    masking::note(app, project, counts);
}

/// Masks scores, likewise.
pub fn scores(app: &App, (project, rules): (ProjectId, &Rules), scores: &mut [Score]) {
    let Some(masker) = rules.masker() else { return };
    let mut counts = Counts::default();
    masker.scores(scores, &mut counts);
    masking::note(app, project, counts);
}
