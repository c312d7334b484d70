//! The columns of `scores`, in the order of a block, with how a score fills each.
//!
//! To add a column: its migration, a line at the **end** of [`COLUMNS`], a new number in [`FORMATS`],
//! its field in the reads beside this file.

use domain::score::{Score, Target};

use crate::block::column::{Column, INSTANT, column, name, text};
use crate::block::out::Out;

/// Writes a score's value of a column.
pub(crate) type Write = fn(&Score, &mut Out);

/// Columns of each block format: format n has the first `FORMATS[n - 1]`.
pub(crate) const FORMATS: &[usize] = &[COLUMNS.len()];

/// All columns but `project_id`, which is the same for a whole block.
pub(crate) const COLUMNS: &[Column<Write>] = &[
    text("trace_id", |score, out| match &score.target {
        Target::Trace { trace_id, .. } => out.text(trace_id.as_str()),
        Target::Session(_) | Target::DatasetRun(_) => out.text(""),
    }),
    text("score_id", |score, out| out.text(&score.id)),
    text("observation_id", |score, out| match &score.target {
        Target::Trace { observation_id, .. } => {
            out.maybe(observation_id.as_ref().map(|id| id.as_str()));
        }
        Target::Session(_) | Target::DatasetRun(_) => out.text(""),
    }),
    text("session_id", |score, out| match &score.target {
        Target::Session(session_id) => out.text(session_id),
        Target::Trace { .. } | Target::DatasetRun(_) => out.text(""),
    }),
    text("dataset_run_id", |score, out| match &score.target {
        Target::DatasetRun(run_id) => out.text(run_id),
        Target::Trace { .. } | Target::Session(_) => out.text(""),
    }),
    name("name", |score, out| out.name(&score.name)),
    column("time", INSTANT, |score, out| {
        out.fixed(&score.time.unix_nanos().to_le_bytes());
    }),
    name("environment", |score, out| out.name(&score.environment)),
    name("source", |score, out| out.name(score.source.as_str())),
    name("data_type", |score, out| {
        out.name(score.value.data_type().as_str());
    }),
    column("value", "Float64", |score, out| {
        out.fixed(&score.value.number().to_le_bytes());
    }),
    text("words", |score, out| out.maybe(score.value.words())),
    text("comment", |score, out| out.maybe(score.comment.as_deref())),
    text("metadata", |score, out| out.text(&score.metadata)),
    text("config_id", |score, out| {
        out.maybe(score.config_id.as_deref());
    }),
    text("queue_id", |score, out| {
        out.maybe(score.queue_id.as_deref());
    }),
    text("author_id", |score, out| {
        out.maybe(score.author_id.as_deref());
    }),
    text("execution_trace_id", |score, out| {
        out.maybe(score.execution_trace_id.as_deref());
    }),
    // Has a hash of all columns before it.
    column("version", "UInt128", |score, out| {
        let time = u64::try_from(score.time.unix_nanos()).unwrap_or(0);
        let version = u128::from(time) << 64 | u128::from(out.hash);
        out.fixed(&version.to_le_bytes());
    }),
];
