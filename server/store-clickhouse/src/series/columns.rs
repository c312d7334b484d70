//! The columns of `series`, in the order of a block, with how a series fills each.
//!
//! To add a column: its migration, a line at the **end** of [`COLUMNS`], a new number in [`FORMATS`],
//! its field in the reads beside this file.

use domain::axes::Seen;

use crate::block::column::{Column, TEXT_MAP, column, map, name, text};
use crate::block::out::Out;

/// Writes a series' value of a column.
pub(crate) type Write = fn(&Seen, &mut Out);

/// Columns of each block format: format n has the first `FORMATS[n - 1]`.
pub(crate) const FORMATS: &[usize] = &[COLUMNS.len()];

/// All columns but `project_id`, which is the same for a whole block.
pub(crate) const COLUMNS: &[Column<Write>] = &[
    column("series_id", "UInt64", |seen, out| {
        out.fixed(&seen.id.0.to_le_bytes());
    }),
    text("name", |seen, out| out.text(&seen.series.name)),
    name("axis", |seen, out| {
        out.maybe_name(seen.series.reading.as_ref().map(|reading| reading.axis));
    }),
    name("exporter", |seen, out| {
        let reading = seen.series.reading.as_ref();
        out.maybe_name(reading.map(|reading| reading.exporter));
    }),
    column("factor", "Float64", |seen, out| {
        let reading = seen.series.reading.as_ref();
        let factor = reading.map_or(1.0, |reading| reading.factor);
        out.fixed(&factor.to_le_bytes());
    }),
    column("rank", "UInt8", |seen, out| {
        out.fixed(&[seen
            .series
            .reading
            .as_ref()
            .map_or(0, |reading| reading.rank)]);
    }),
    column("is_approximate", "Bool", |seen, out| {
        let reading = seen.series.reading.as_ref();
        out.fixed(&[u8::from(
            reading.is_some_and(|reading| reading.is_approximate),
        )]);
    }),
    name("kind", |seen, out| out.name(seen.series.kind.as_str())),
    name("part", |seen, out| out.name(seen.series.part.as_str())),
    name("unit", |seen, out| out.name(&seen.series.unit)),
    map("labels", TEXT_MAP, |seen, out| {
        for (label, value) in seen.series.labels.iter() {
            out.name(label);
            out.text(value);
        }
        out.end_list(seen.series.labels.len());
    }),
    column("seen", "DateTime64(3, 'UTC')", |seen, out| {
        out.fixed(&seen.hour.unix_millis().to_le_bytes());
    }),
    // Has a hash of all columns before it.
    column("version", "UInt128", |seen, out| {
        let hour = u64::try_from(seen.hour.unix_millis()).unwrap_or(0);
        let version = u128::from(hour) << 64 | u128::from(out.hash);
        out.fixed(&version.to_le_bytes());
    }),
];
