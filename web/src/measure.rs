//! Values of the axes in words: what each is called, and its numbers with their units.

use domain::attribution::Axis;

use crate::format;
use crate::i18n::{Lang, text};

/// What a number counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unit {
    /// A share, 0 to 1.
    Share,
    /// A share of yes, 0 to 1, told in percent.
    Flag,
    /// Milliseconds.
    Ms,
    /// Watts.
    Watts,
    /// Degrees Celsius.
    Celsius,
    /// Bytes.
    Bytes,
    /// Gigabytes, of 10⁹ bytes.
    Gigabytes,
    /// A number of things.
    Count,
    /// US dollars.
    Usd,
}

/// Names and units of what is known beforehand.
const KNOWN: &[(&str, &str, Unit)] = &[
    ("gpu.sm_active", text!("SM active"), Unit::Share),
    ("gpu.tensor_active", text!("Tensor active"), Unit::Share),
    ("gpu.dram_active", text!("DRAM active"), Unit::Share),
    ("gpu.memory_used_ratio", text!("Memory used"), Unit::Share),
    ("gpu.power_w", text!("Power"), Unit::Watts),
    ("gpu.temperature_c", text!("Temperature"), Unit::Celsius),
    ("gpu.pcie_rx_bytes", text!("PCIe in"), Unit::Bytes),
    ("gpu.pcie_tx_bytes", text!("PCIe out"), Unit::Bytes),
    ("gpu.nvlink_rx_bytes", text!("NVLink in"), Unit::Bytes),
    ("gpu.nvlink_tx_bytes", text!("NVLink out"), Unit::Bytes),
    (
        "gpu.ecc_dbe_total",
        text!("ECC double-bit errors"),
        Unit::Count,
    ),
    ("gpu.xid", text!("XID error"), Unit::Count),
    ("gpu.free_memory_gb", text!("Free memory"), Unit::Gigabytes),
    (
        "gpu.largest_free_block_gb",
        text!("Largest free block"),
        Unit::Gigabytes,
    ),
    (
        "gpu.memory_fragmentation_ratio",
        text!("Fragmentation"),
        Unit::Share,
    ),
    ("token.ttft_ms", text!("TTFT"), Unit::Ms),
    ("token.tpot_ms", text!("TPOT"), Unit::Ms),
    ("token.queue_ms", text!("Queue"), Unit::Ms),
    ("token.prefill_ms", text!("Prefill"), Unit::Ms),
    (
        "token.decode_tokens_per_s",
        text!("Tokens a second"),
        Unit::Count,
    ),
    ("token.e2e_ms", text!("End to end"), Unit::Ms),
    ("token.input_tokens", text!("Input tokens"), Unit::Count),
    ("token.output_tokens", text!("Output tokens"), Unit::Count),
    ("token.cached_tokens", text!("Cached tokens"), Unit::Count),
    (
        "token.kv_cache_hit_rate",
        text!("KV cache hit"),
        Unit::Share,
    ),
    ("token.kv_cache_usage", text!("KV cache use"), Unit::Share),
    (
        "token.kv_evicted_blocks",
        text!("KV blocks evicted"),
        Unit::Count,
    ),
    (
        "token.kv_evicted_tokens",
        text!("KV tokens evicted"),
        Unit::Count,
    ),
    (
        "token.prefix_cache_hit_rate",
        text!("Prefix hit"),
        Unit::Share,
    ),
    ("token.batch_size", text!("Batch size"), Unit::Count),
    ("token.running_requests", text!("Running"), Unit::Count),
    ("token.waiting_requests", text!("Waiting"), Unit::Count),
    (
        "token.speculative_acceptance_rate",
        text!("Drafts accepted"),
        Unit::Share,
    ),
    ("quality.format_valid", text!("Format valid"), Unit::Flag),
    (
        "quality.length_in_range",
        text!("Length in range"),
        Unit::Flag,
    ),
    ("quality.refused", text!("Refused"), Unit::Flag),
    (
        "quality.stop_reason_valid",
        text!("Stop reason valid"),
        Unit::Flag,
    ),
    (
        "quality.repeated_ngram_ratio",
        text!("Repeated n-grams"),
        Unit::Share,
    ),
    (
        "quality.unknown_token_run",
        text!("Unknown token run"),
        Unit::Count,
    ),
    (
        "quality.truncated_json",
        text!("Truncated JSON"),
        Unit::Flag,
    ),
    ("requests", text!("Requests"), Unit::Count),
    ("errors", text!("Errors"), Unit::Flag),
    ("cost", text!("Cost"), Unit::Usd),
];

/// What a value is called; its own name where it is of a project's own.
pub(crate) fn name(value: &str, lang: Lang) -> String {
    known(value).map_or_else(
        || value.to_owned(),
        |(_, words, _)| lang.t(words).to_owned(),
    )
}

/// Whether it is a judgement of a project's own.
pub(crate) fn is_own(value: &str) -> bool {
    known(value).is_none()
}

/// What its numbers count.
pub(crate) fn unit(value: &str) -> Unit {
    known(value).map_or(Unit::Share, |(.., unit)| *unit)
}

/// A number of a value with its unit.
pub(crate) fn number(value: &str, number: f64) -> String {
    written(unit(value), number)
}

/// A number with its unit, as short as it stays clear.
pub(crate) fn written(unit: Unit, number: f64) -> String {
    if !number.is_finite() {
        return format::NOTHING.to_owned();
    }
    match unit {
        Unit::Share if number.abs() < 10.0 => format!("{number:.2}"),
        Unit::Share | Unit::Count => plain(number),
        Unit::Flag => format!("{:.1} %", 100.0 * number),
        Unit::Ms => format::latency(number),
        Unit::Watts => format!("{} W", plain(number.round())),
        Unit::Celsius => format!("{number:.0} °C"),
        Unit::Bytes => bytes(number),
        Unit::Gigabytes => format!("{} GB", format::trimmed(number, 1)),
        Unit::Usd => format!("${}", format::trimmed(number, 4)),
    }
}

/// The class of an axis in the style sheet; nothing for what is of none.
pub(crate) fn class(axis: Option<Axis>) -> &'static str {
    axis.map_or("", Axis::as_str)
}

/// What an axis is called.
pub(crate) fn axis_name(axis: Axis, lang: Lang) -> &'static str {
    match axis {
        Axis::Gpu => lang.t("GPU"),
        Axis::Token => lang.t("Token"),
        Axis::Quality => lang.t("Quality"),
    }
}

fn known(value: &str) -> Option<&'static (&'static str, &'static str, Unit)> {
    KNOWN.iter().find(|(known, ..)| *known == value)
}

fn plain(number: f64) -> String {
    let size = number.abs();
    if size >= 1e15 {
        return format!("{number:e}");
    }
    if size < 10.0 {
        return format::trimmed(number, if size < 1.0 { 3 } else { 1 });
    }
    let whole = format::count(size.round() as u64);
    if number < 0.0 {
        format!("−{whole}")
    } else {
        whole
    }
}

fn bytes(number: f64) -> String {
    let units = [(1e12, "TB"), (1e9, "GB"), (1e6, "MB"), (1e3, "kB")];
    let fit = units.into_iter().find(|(size, _)| number.abs() >= *size);
    match fit {
        Some((size, unit)) => format!("{} {unit}", format::trimmed(number / size, 1)),
        None => format!("{number:.0} B"),
    }
}

#[cfg(test)]
mod tests {
    use domain::axes::AxisValue;
    use domain::axes::value::{GPU, QUALITY, TOKEN};

    use super::*;

    #[test]
    fn every_value_of_the_axes_has_a_name_and_every_name_is_of_a_value() {
        let values = GPU.iter().map(|(name, _)| *name);
        let values = values.chain(TOKEN.iter().map(|(name, _)| *name));
        for value in values.chain(QUALITY.iter().map(|(name, _)| *name)) {
            assert!(known(value).is_some(), "{value} has no name");
        }
        for (value, ..) in KNOWN {
            let parsed = AxisValue::parse(value).unwrap();
            assert_eq!(parsed.to_string(), *value);
            assert_eq!(parsed.is_flag(), unit(value) == Unit::Flag, "{value}");
        }
    }

    #[test]
    fn numbers_are_short_and_have_their_unit() {
        for (value, number, text) in [
            ("gpu.sm_active", 0.968, "0.97"),
            ("gpu.power_w", 671.4, "671 W"),
            ("gpu.nvlink_rx_bytes", 38e9, "38 GB"),
            ("token.ttft_ms", 1550.0, "1.55 s"),
            ("token.running_requests", 48.0, "48"),
            ("token.output_tokens", 14_204.0, "14,204"),
            ("quality.format_valid", 0.931, "93.1 %"),
            ("score.helpfulness", 0.86, "0.86"),
            ("cost", 0.0214, "$0.0214"),
            ("token.ttft_ms", f64::NAN, "·"),
        ] {
            assert_eq!(super::number(value, number), text, "{value}");
        }
    }
}
