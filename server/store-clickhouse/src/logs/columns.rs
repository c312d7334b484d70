//! The columns of `logs`, in the order of a block, with how a record fills each.
//!
//! To add a column: its migration, a line at the **end** of [`COLUMNS`], a new number in [`FORMATS`],
//! its field in `by_trace.sql` and `by_trace.rs`.

use crate::block::column::{Column, INSTANT, TEXT_MAP, column, map, name, text};
use crate::block::out::Out;
use crate::logs::encode::Row;
use crate::value;

/// Writes a record's value of a column.
pub(crate) type Write = fn(&Row<'_>, &mut Out);

/// Columns of each block format: format n has the first `FORMATS[n - 1]`.
pub(crate) const FORMATS: &[usize] = &[16, COLUMNS.len()];

/// All columns but `project_id`, which is the same for a whole block.
pub(crate) const COLUMNS: &[Column<Write>] = &[
    text("trace_id", |row, out| {
        out.maybe(row.record.trace_id.as_ref().map(|id| id.as_str()));
    }),
    text("span_id", |row, out| {
        out.maybe(row.record.span_id.as_ref().map(|id| id.as_str()));
    }),
    column("time", INSTANT, |row, out| {
        out.fixed(&row.record.time.unix_nanos().to_le_bytes());
    }),
    column("severity_number", "UInt8", |row, out| {
        out.fixed(&[row.record.severity_number]);
    }),
    name("severity_text", |row, out| {
        out.name(&row.record.severity_text);
    }),
    name("event_name", |row, out| out.name(&row.record.event_name)),
    text("body", |row, out| {
        out.text(&value::to_text(&row.record.body).1);
    }),
    name("body_type", |row, out| out.name(row.body_type())),
    map("attributes", TEXT_MAP, |row, out| row.write_attributes(out)),
    text("attribute_types", |row, out| {
        out.bytes(&row.attribute_types());
    }),
    name("resource", |row, out| out.name(row.resource)),
    name("scope_name", |row, out| out.name(&row.record.scope.name)),
    name("scope_version", |row, out| {
        out.name(&row.record.scope.version);
    }),
    column("oddities", "UInt8", |row, out| out.fixed(&[row.oddities()])),
    // Has a hash of all columns before it: whatever comes after may differ when a record comes again.
    column("content", "UInt64", |_, out| {
        out.fixed(&out.hash.to_le_bytes());
    }),
    column("place", "UInt32", |row, out| {
        out.fixed(&row.record.place.to_le_bytes());
    }),
    column("content_days", "UInt16", |row, out| {
        out.fixed(&row.record.keep.content_days.to_le_bytes());
    }),
    column("structure_days", "UInt16", |row, out| {
        out.fixed(&row.record.keep.structure_days.to_le_bytes());
    }),
    name("keep_rule", |row, out| {
        out.name(row.record.keep.rule.as_str());
    }),
];
