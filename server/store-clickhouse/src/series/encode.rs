//! Series as a block of columns.

use domain::axes::Seen;
use domain::{ProjectId, Timestamp};

use crate::block::{self, BadBlock, Head, Table};
use crate::series::columns::COLUMNS;

/// What a series takes up as a rule.
const USUAL_SERIES_BYTES: usize = 512;

/// Encodes series of one project.
///
/// # Errors
/// [`BadBlock::TooManyRows`], which no request is large enough for.
pub fn encode(project_id: ProjectId, series: &[Seen]) -> Result<Vec<u8>, BadBlock> {
    let hours = series.iter().map(|seen| seen.hour);
    let head = Head {
        table: Table::Series,
        project_id,
        rows: series.len(),
        newest: hours.max().unwrap_or(Timestamp::EPOCH),
    };
    let columns = block::write_columns(COLUMNS, series, USUAL_SERIES_BYTES);
    block::seal(&head, &columns)
}
