//! The columns of `samples`, in the order of a block, with how a sample fills each.
//!
//! To add a column: its migration, a line at the **end** of [`COLUMNS`], a new number in [`FORMATS`],
//! its field in the reads beside this file.

use domain::axes::Measured;

use crate::block::column::{Column, column};
use crate::block::out::Out;

/// Writes a sample's value of a column.
pub(crate) type Write = fn(&Measured, &mut Out);

/// Columns of each block format: format n has the first `FORMATS[n - 1]`.
pub(crate) const FORMATS: &[usize] = &[COLUMNS.len()];

/// All columns but `project_id`, which is the same for a whole block.
pub(crate) const COLUMNS: &[Column<Write>] = &[
    column("series_id", "UInt64", |measured, out| {
        out.fixed(&measured.series.0.to_le_bytes());
    }),
    column("time", "DateTime64(3, 'UTC')", |measured, out| {
        out.fixed(&measured.sample.time.unix_millis().to_le_bytes());
    }),
    column("value", "Float64", |measured, out| {
        let value = measured.sample.value;
        // Equal values are to be equal rows, whatever the bits.
        let value = if value.is_nan() {
            f64::NAN
        } else {
            value + 0.0
        };
        out.fixed(&value.to_le_bytes());
    }),
];
