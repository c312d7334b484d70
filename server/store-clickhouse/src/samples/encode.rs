//! Samples as a block of columns.

use domain::axes::Measured;
use domain::{ProjectId, Timestamp};

use crate::block::{self, BadBlock, Head, Table};
use crate::samples::columns::COLUMNS;

/// What a sample takes up.
const SAMPLE_BYTES: usize = 24;

/// Encodes samples of one project.
///
/// # Errors
/// [`BadBlock::TooManyRows`], which no request is large enough for.
pub fn encode(project_id: ProjectId, samples: &[Measured]) -> Result<Vec<u8>, BadBlock> {
    let times = samples.iter().map(|measured| measured.sample.time);
    let head = Head {
        table: Table::Samples,
        project_id,
        rows: samples.len(),
        newest: times.max().unwrap_or(Timestamp::EPOCH),
    };
    let columns = block::write_columns(COLUMNS, samples, SAMPLE_BYTES);
    block::seal(&head, &columns)
}
