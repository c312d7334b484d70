//! Scores as a block of columns.

use domain::score::Score;
use domain::{ProjectId, Timestamp};

use crate::block::{self, BadBlock, Head, Table};
use crate::scores::columns::COLUMNS;

/// What a score takes up as a rule.
const USUAL_SCORE_BYTES: usize = 256;

/// Encodes scores of one project.
///
/// # Errors
/// [`BadBlock::TooManyRows`], which no request is large enough for.
pub fn encode(project_id: ProjectId, scores: &[Score]) -> Result<Vec<u8>, BadBlock> {
    let times = scores.iter().map(|score| score.time);
    let head = Head {
        table: Table::Scores,
        project_id,
        rows: scores.len(),
        newest: times.max().unwrap_or(Timestamp::EPOCH),
    };
    let columns = block::write_columns(COLUMNS, scores, USUAL_SCORE_BYTES);
    block::seal(&head, &columns)
}
