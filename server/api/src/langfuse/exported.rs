//! Things as they are exported: the shapes of the lists, without what is kept there for older clients.

use domain::blob_storage::FieldGroup;
use domain::portrait::Portrait;
use domain::score::Score;
use domain::trace::TraceSummary;
use domain::{ProjectId, Span};
use serde_json::Result;
use service::blob_storage::{ColumnKind, Record, Records};

use super::groups::Groups;
use super::observations::{GroupedShape, ObservationShape, Priced, Wanted};
use super::scores::ScoreShape;
use super::traces::TraceShape;

/// How things are exported.
pub const RECORDS: Records = Records {
    trace,
    observation,
    enriched,
    score,
    kind,
};

/// Columns that never say anything, or say again what others do.
const WITHOUT: [&str; 18] = [
    "external_id",
    "prompt_id",
    "model_id",
    "internal_model_id",
    "input_price",
    "output_price",
    "total_price",
    "usage_pricing_tier_id",
    "usage",
    "unit",
    "prompt_tokens",
    "completion_tokens",
    "total_tokens",
    "calculated_input_cost",
    "calculated_output_cost",
    "calculated_total_cost",
    "created_at",
    "updated_at",
];

fn trace(project: ProjectId, portrait: &Portrait) -> Result<Record> {
    let shape = TraceShape::new(project, portrait, &Groups::ALL);
    Ok(Record::of(&shape)?.without(&WITHOUT))
}

fn observation(project: ProjectId, span: &Span) -> Result<Record> {
    Ok(Record::of(&ObservationShape::new(project, span, Priced::default()))?.without(&WITHOUT))
}

fn enriched(
    project: ProjectId,
    span: &Span,
    trace: Option<&TraceSummary>,
    groups: &[FieldGroup],
) -> Result<Record> {
    let wanted = Wanted::whole(groups.iter().map(ToString::to_string).collect());
    let shape = GroupedShape::new(project, (span, Priced::default()), trace, &wanted);
    Ok(Record::of(&shape)?.without(&WITHOUT))
}

fn score(project: ProjectId, score: &Score) -> Result<Record> {
    let record = Record::of(&ScoreShape::new(score, project))?.without(&WITHOUT);
    Ok(record.ending_with(&["value", "string_value"]))
}

/// In files that say so, what is not named here is text: contents, objects and lists as well.
fn kind(column: &str) -> ColumnKind {
    match column {
        "timestamp" | "start_time" | "end_time" | "completion_start_time" => ColumnKind::Time,
        "latency" | "time_to_first_token" | "total_cost" | "value" => ColumnKind::Number,
        "prompt_version" => ColumnKind::Whole,
        "bookmarked" | "public" | "is_root_observation" => ColumnKind::Flag,
        _ => ColumnKind::Text,
    }
}
