//! The columns of `changes`, in the order of a block, with how a change fills each.
//!
//! To add a column: its migration, a line at the **end** of [`COLUMNS`], a new number in [`FORMATS`],
//! its field in `of_subjects.sql` and `of_subjects.rs`.

use crate::block::column::{Column, INSTANT, column, name, text};
use crate::block::out::Out;
use crate::changes::encode::Row;

/// Writes a change's value of a column.
pub(crate) type Write = fn(&Row<'_>, &mut Out);

/// Columns of each block format: format n has the first `FORMATS[n - 1]`.
pub(crate) const FORMATS: &[usize] = &[COLUMNS.len()];

/// All columns but `project_id`, which is the same for a whole block.
pub(crate) const COLUMNS: &[Column<Write>] = &[
    name("subject", |row, out| out.name(row.change.subject.as_str())),
    text("id", |row, out| out.text(&row.change.id)),
    column("time", INSTANT, |row, out| {
        out.fixed(&row.change.time.unix_nanos().to_le_bytes());
    }),
    column("is_update", "UInt8", |row, out| {
        out.fixed(&[u8::from(row.change.is_update)]);
    }),
    column("place", "UInt32", |row, out| {
        out.fixed(&row.change.place.to_le_bytes());
    }),
    text("event_id", |row, out| out.text(&row.change.event_id)),
    name("kind", |row, out| out.name(&row.change.kind)),
    text("trace_id", |row, out| out.maybe(row.trace_id())),
    text("body", |row, out| out.text(&row.body)),
    column("content", "UInt64", |_, out| {
        out.fixed(&out.hash.to_le_bytes());
    }),
];
