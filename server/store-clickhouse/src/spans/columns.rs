//! The columns of `spans`, in the order of a block, with how a span fills each.
//!
//! To add a column: its migration, a line at the **end** of [`COLUMNS`], a new number in [`FORMATS`],
//! its field in `row.rs`. Blocks that an older version has left in
//! the spool have fewer columns; the table's defaults fill the rest.

use domain::Usd;
use domain::span::{Cost, Timings, Usage};

use crate::block::column::{Column, INSTANT, TEXT_MAP, column, map, name, nullable, text, texts};
use crate::block::out::Out;
use crate::semantic;
use crate::spans::encode::Row;
use crate::spans::quality;

/// Writes a span's value of a column.
pub(crate) type Write = fn(&Row<'_>, &mut Out);

/// Columns of each block format: format n has the first `FORMATS[n - 1]`.
pub(crate) const FORMATS: &[usize] = &[62, 70, 72, 75, COLUMNS.len()];

const NUMBER_MAP: &str = "Map(LowCardinality(String), Float64)";

/// All columns but `project_id`, which is the same for a whole block.
pub(crate) const COLUMNS: &[Column<Write>] = &[
    column("start_hour", "UInt32", |row, out| {
        out.fixed(&row.start_hour().to_le_bytes());
    }),
    text("trace_id", |row, out| out.text(row.span.trace_id.as_str())),
    text("span_id", |row, out| out.text(row.span.span_id.as_str())),
    text("parent_span_id", |row, out| {
        out.text(
            row.span
                .parent_span_id
                .as_ref()
                .map_or("", |id| id.as_str()),
        );
    }),
    text("name", |row, out| out.text(&row.span.name)),
    name("kind", |row, out| out.name(row.span.kind.as_str())),
    name("otlp_kind", |row, out| {
        out.name(row.span.otlp_kind.as_str());
    }),
    column("start_time", INSTANT, |row, out| {
        out.fixed(&row.span.start.unix_nanos().to_le_bytes());
    }),
    nullable("end_time", "Nullable(DateTime64(9, 'UTC'))", |row, out| {
        out.optional(row.span.end.map(|end| end.unix_nanos().to_le_bytes()));
    }),
    column("oddities", "UInt8", |row, out| out.fixed(&[row.oddities()])),
    name("status", |row, out| out.name(row.span.status.as_str())),
    name("level", |row, out| out.name(row.span.level.as_str())),
    name("error_kind", |row, out| {
        out.maybe_name(
            row.span
                .error
                .as_ref()
                .and_then(|error| error.kind.as_deref()),
        );
    }),
    nullable("error_message", "Nullable(String)", |row, out| {
        out.optional_text(row.span.error.as_ref().map(|error| error.message.as_str()));
    }),
    name("service", |row, out| out.name(&row.span.service)),
    name("instance", |row, out| {
        out.maybe_name(row.span.instance.as_deref());
    }),
    name("environment", |row, out| out.name(&row.span.environment)),
    name("release", |row, out| {
        out.maybe_name(row.span.release.as_deref());
    }),
    name("version_label", |row, out| {
        out.maybe_name(row.span.version.as_deref());
    }),
    name("tenant", |row, out| {
        out.maybe_name(row.span.tenant.as_deref());
    }),
    name("route", |row, out| {
        out.maybe_name(row.span.route.as_deref());
    }),
    text("user_id", |row, out| out.maybe(row.span.user_id.as_deref())),
    text("session_id", |row, out| {
        out.maybe(row.span.session_id.as_deref());
    }),
    texts("tags", |row, out| out.names(&row.span.tags)),
    map("metadata", TEXT_MAP, |row, out| {
        out.text_map(&row.span.metadata);
    }),
    name("trace_name", |row, out| {
        out.maybe_name(row.span.trace_name.as_deref());
    }),
    name("provider", |row, out| {
        out.maybe_name(row.span.provider.as_deref());
    }),
    name("request_model", |row, out| {
        out.maybe_name(row.span.request_model.as_deref());
    }),
    name("response_model", |row, out| {
        out.maybe_name(row.span.response_model.as_deref());
    }),
    map("parameters", TEXT_MAP, |row, out| {
        out.text_map(&row.span.parameters);
    }),
    texts("finish_reasons", |row, out| {
        out.names(&row.span.finish_reasons);
    }),
    name("usage_source", |row, out| {
        out.maybe_name(row.span.usage.as_ref().map(|usage| usage.source.as_str()));
    }),
    tokens("input_tokens", |row, out| {
        write_tokens(row, out, |usage| usage.input_tokens);
    }),
    tokens("output_tokens", |row, out| {
        write_tokens(row, out, |usage| usage.output_tokens);
    }),
    tokens("total_tokens", |row, out| {
        write_tokens(row, out, |usage| usage.total_tokens);
    }),
    map(
        "usage_details",
        "Map(LowCardinality(String), UInt64)",
        |row, out| {
            let details = row.span.usage.iter().flat_map(|usage| &usage.details);
            out.map(details.map(|(kind, number)| (kind.as_str(), number.to_le_bytes())));
        },
    ),
    name("cost_source", |row, out| {
        out.maybe_name(row.span.cost.as_ref().map(|cost| cost.source.as_str()));
    }),
    nullable("cost", "Nullable(Decimal(38, 12))", |row, out| {
        out.optional(
            row.span
                .cost
                .as_ref()
                .and_then(|cost: &Cost| cost.total)
                .map(|total| scaled(total).to_le_bytes()),
        );
    }),
    map(
        "cost_details",
        "Map(LowCardinality(String), Decimal(38, 12))",
        |row, out| {
            let details = row.span.cost.iter().flat_map(|cost| &cost.details);
            out.map(details.map(|(kind, amount)| (kind.as_str(), scaled(*amount).to_le_bytes())));
        },
    ),
    millis("ttft_ms", |row, out| {
        write_millis(row, out, |timings| timings.ttft_ms);
    }),
    millis("tpot_ms", |row, out| {
        write_millis(row, out, |timings| timings.tpot_ms);
    }),
    millis("queue_ms", |row, out| {
        write_millis(row, out, |timings| timings.queue_ms);
    }),
    millis("prefill_ms", |row, out| {
        write_millis(row, out, |timings| timings.prefill_ms);
    }),
    millis("decode_ms", |row, out| {
        write_millis(row, out, |timings| timings.decode_ms);
    }),
    name("ttft_source", |row, out| {
        out.maybe_name(row.span.timings.ttft_source.as_deref());
    }),
    name("prompt_name", |row, out| {
        out.maybe_name(row.span.prompt.as_ref().map(|prompt| prompt.name.as_str()));
    }),
    name("prompt_version", |row, out| {
        out.maybe_name(
            row.span
                .prompt
                .as_ref()
                .map(|prompt| prompt.version.as_str()),
        );
    }),
    nullable("input", "Nullable(String)", |row, out| {
        out.optional_text(row.span.input.as_ref().map(|input| &*input.text));
    }),
    name("input_attribute", |row, out| {
        out.maybe_name(
            row.span
                .input
                .as_ref()
                .and_then(|input| input.attribute.as_deref()),
        );
    }),
    text("input_preview", |row, out| {
        out.text(row.preview(row.span.input.as_ref()));
    }),
    nullable("output", "Nullable(String)", |row, out| {
        out.optional_text(row.span.output.as_ref().map(|output| &*output.text));
    }),
    name("output_attribute", |row, out| {
        out.maybe_name(
            row.span
                .output
                .as_ref()
                .and_then(|output| output.attribute.as_deref()),
        );
    }),
    text("output_preview", |row, out| {
        out.text(row.preview(row.span.output.as_ref()));
    }),
    map("attributes", TEXT_MAP, |row, out| row.write_attributes(out)),
    text("attribute_types", |row, out| {
        out.bytes(&row.attribute_types());
    }),
    name("resource", |row, out| out.name(row.resource)),
    name("scope_name", |row, out| out.name(&row.span.scope.name)),
    name("scope_version", |row, out| {
        out.name(&row.span.scope.version);
    }),
    text("events", |row, out| out.text(&row.events())),
    text("links", |row, out| out.text(&row.links())),
    name("provenance", |row, out| out.name(&row.provenance)),
    // Has a hash of all columns before it. What comes after it follows from them.
    column("version", "UInt128", |row, out| {
        out.fixed(&row.version(out.hash).to_le_bytes());
    }),
    text("response_id", |row, out| {
        out.maybe(row.span.response_id.as_deref());
    }),
    name("call_role", |row, out| {
        out.name(row.span.call_role.as_str());
    }),
    name("usage_rule", |row, out| {
        out.maybe_name(row.span.usage.as_ref().map(|usage| usage.rule.as_str()));
    }),
    name("price", |row, out| out.name(&row.price)),
    map("quality", NUMBER_MAP, |row, out| {
        let judged = row.span.quality.iter();
        out.map(judged.map(|(name, judged)| (name, quality::number(judged).to_le_bytes())));
    }),
    name("quality_marks", |row, out| {
        out.name(&quality::marks(&row.span.quality));
    }),
    text("context", |row, out| out.text(&row.context())),
    map("axes", NUMBER_MAP, |row, out| {
        let axes = row.span.axes.iter();
        out.map(axes.map(|(name, value)| (name.as_str(), value.to_le_bytes())));
    }),
    texts("tool_names", |row, out| out.names(&row.span.tools.offered)),
    texts("called_tool_names", |row, out| {
        out.names(&row.span.tools.called);
    }),
    texts("trace_metadata_keys", |row, out| {
        out.names(&row.span.trace_metadata_keys);
    }),
    map("semantic_events", TEXT_MAP, |row, out| {
        out.text_map(&semantic::by_type(&row.span.semantic_events));
    }),
    name("from_cache", |row, out| {
        out.name(row.span.from_cache.map_or("", flag_word));
    }),
    column("content_days", "UInt16", |row, out| {
        out.fixed(&row.span.keep.content_days.to_le_bytes());
    }),
    column("structure_days", "UInt16", |row, out| {
        out.fixed(&row.span.keep.structure_days.to_le_bytes());
    }),
    name("keep_rule", |row, out| {
        out.name(row.span.keep.rule.as_str());
    }),
];

fn flag_word(flag: bool) -> &'static str {
    match flag {
        true => "true",
        false => "false",
    }
}

const fn tokens(label: &'static str, write: Write) -> Column<Write> {
    nullable(label, "Nullable(UInt64)", write)
}

const fn millis(label: &'static str, write: Write) -> Column<Write> {
    nullable(label, "Nullable(Float64)", write)
}

fn write_tokens(row: &Row<'_>, out: &mut Out, part: fn(&Usage) -> Option<u64>) {
    out.optional(row.span.usage.as_ref().and_then(part).map(u64::to_le_bytes));
}

fn write_millis(row: &Row<'_>, out: &mut Out, part: fn(&Timings) -> Option<f64>) {
    out.optional(part(&row.span.timings).map(f64::to_le_bytes));
}

/// The largest amount that `Decimal(38, 12)` holds.
const LARGEST_AMOUNT: i128 = 10i128.pow(38) - 1;

/// An amount in units of 10⁻¹² dollars; absurd ones become the largest that fits.
fn scaled(amount: Usd) -> i128 {
    let rounded = amount.rounded().0;
    let missing = Usd::SCALE.saturating_sub(rounded.scale());
    rounded
        .mantissa()
        .saturating_mul(10i128.pow(missing))
        .clamp(-LARGEST_AMOUNT, LARGEST_AMOUNT)
}
