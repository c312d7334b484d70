//! Numbers, money and lengths of time as text. What is unknown is shown as a dot, never as 0.

use domain::{Nanos, Usd};
use rust_decimal::Decimal;

/// Stands where nothing is known.
pub(crate) const NOTHING: &str = "·";

/// A text with the exact value to show on hover.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Figure {
    /// What is shown.
    pub(crate) text: String,
    /// The exact value; empty where the text is exact.
    pub(crate) exact: String,
    /// Whether nothing is known.
    pub(crate) none: bool,
}

impl Figure {
    fn nothing() -> Self {
        Figure {
            text: NOTHING.to_owned(),
            exact: String::new(),
            none: true,
        }
    }
}

/// A length of time as short as it stays clear: `42 µs`, `38 ms`, `2.34 s`, `3 m 05 s`, `2 h 10 m`.
pub(crate) fn latency(ms: f64) -> String {
    if !ms.is_finite() {
        return NOTHING.to_owned();
    }
    if ms < 0.001 {
        return "0 ms".to_owned();
    }
    if ms < 0.9995 {
        return format!("{:.0} µs", ms * 1000.0);
    }
    if ms < 10.0 {
        return format!("{} ms", trimmed(ms, 1));
    }
    if ms < 999.5 {
        return format!("{ms:.0} ms");
    }
    let seconds = ms / 1000.0;
    if seconds < 99.995 {
        return format!("{seconds:.2} s");
    }
    let whole = seconds.round() as u64;
    match (whole / 3600, whole / 60 % 60, whole % 60) {
        (0, minutes, seconds) => format!("{minutes} m {seconds:02} s"),
        (hours, minutes, _) if hours < 48 => format!("{hours} h {minutes:02} m"),
        (hours, ..) => format!("{} d {} h", hours / 24, hours % 24),
    }
}

/// The length of a range in its largest units: `44 min`, `24 h`, `7 d`, `1 h 30 min`.
pub(crate) fn range_length(length: Nanos) -> String {
    let minutes = (length.0 + 30_000_000_000) / 60_000_000_000;
    // A day or two are told in hours.
    let days = if minutes > 2880 { minutes / 1440 } else { 0 };
    let rest = minutes - days * 1440;
    let parts = [(days, "d"), (rest / 60, "h"), (rest % 60, "min")];
    let words: Vec<String> = parts
        .into_iter()
        .filter(|(number, _)| *number > 0)
        .take(2)
        .map(|(number, unit)| format!("{number} {unit}"))
        .collect();
    if words.is_empty() {
        latency(length.as_millis_f64())
    } else {
        words.join(" ")
    }
}

/// A length of time that may be unknown.
pub(crate) fn latency_or_nothing(ms: Option<f64>) -> Figure {
    ms.map_or_else(Figure::nothing, |ms| Figure {
        text: latency(ms),
        exact: format!("{} ms", trimmed(ms, 6)),
        none: false,
    })
}

/// The same of a [`Nanos`].
pub(crate) fn nanos(length: Option<Nanos>) -> Figure {
    latency_or_nothing(length.map(Nanos::as_millis_f64))
}

/// Dollars, the same everywhere: `$0.0214`, tiny amounts `<$0.0001`, large ones `$1,234.50`; all
/// digits on hover.
pub(crate) fn dollars(amount: Option<Usd>) -> Figure {
    let Some(amount) = amount else {
        return Figure::nothing();
    };
    let text = if amount.0.is_zero() {
        "$0".to_owned()
    } else if is_tiny(amount) {
        "<$0.0001".to_owned()
    } else if amount.0 >= Decimal::ONE_HUNDRED {
        format!("${}", grouped_decimal(amount.0.round_dp(2)))
    } else {
        format!("${:.4}", amount.0)
    };
    Figure {
        text,
        exact: format!("${amount}"),
        none: false,
    }
}

fn is_tiny(amount: Usd) -> bool {
    amount.0 > Decimal::ZERO && amount.0 < Decimal::new(1, 4)
}

/// A whole number with its thousands apart: `14,204`.
pub(crate) fn count(number: u64) -> String {
    let digits = number.to_string();
    let mut grouped = String::with_capacity(digits.len() + digits.len() / 3);
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    grouped
}

/// A whole number that may be unknown.
pub(crate) fn count_or_nothing(number: Option<u64>) -> Figure {
    number.map_or_else(Figure::nothing, |number| Figure {
        text: count(number),
        exact: String::new(),
        none: false,
    })
}

/// Tokens: whole up to four digits, then short, and whole on hover: `31`, `8,901`, `14.8k`, `2.1M`.
pub(crate) fn tokens(number: Option<u64>) -> Figure {
    let Some(number) = number else {
        return Figure::nothing();
    };
    let text = match number {
        0..10_000 => return count_or_nothing(Some(number)),
        10_000..999_950 => format!("{:.1}k", number as f64 / 1e3),
        999_950..999_950_000 => format!("{:.1}M", number as f64 / 1e6),
        999_950_000..999_950_000_000 => format!("{:.1}G", number as f64 / 1e9),
        _ => ">1T".to_owned(),
    };
    Figure {
        text,
        exact: count(number),
        none: false,
    }
}

/// A share of a whole: `2.1 %`, `0 %`, `<0.1 %`.
pub(crate) fn percent(part: u64, whole: u64) -> String {
    if whole == 0 || part == 0 {
        return "0 %".to_owned();
    }
    let share = part as f64 / whole as f64 * 100.0;
    if share < 0.1 {
        "<0.1 %".to_owned()
    } else {
        format!("{share:.1} %")
    }
}

/// Events over a length of time: `6.0 / s`, `12 / min`, `3 / h`.
pub(crate) fn rate(events: u64, over: Nanos) -> String {
    let seconds = over.as_millis_f64() / 1000.0;
    if seconds <= 0.0 {
        return NOTHING.to_owned();
    }
    let per_second = events as f64 / seconds;
    let (number, unit) = if per_second >= 1.0 || events == 0 {
        (per_second, "s")
    } else if per_second * 60.0 >= 1.0 {
        (per_second * 60.0, "min")
    } else {
        (per_second * 3600.0, "h")
    };
    if events == 0 {
        return format!("0 / {unit}");
    }
    if number >= 100.0 {
        format!("{number:.0} / {unit}")
    } else {
        format!("{number:.1} / {unit}")
    }
}

/// A size: `812 B`, `20.0 kB`, `5.2 MB`.
pub(crate) fn bytes(size: usize) -> String {
    match size {
        0..1_000 => format!("{size} B"),
        1_000..1_000_000 => format!("{:.1} kB", size as f64 / 1e3),
        _ => format!("{:.1} MB", size as f64 / 1e6),
    }
}

/// A number with at most `digits` after the point and no zeros at the end.
pub(crate) fn trimmed(number: f64, digits: usize) -> String {
    let text = format!("{number:.digits$}");
    if text.contains('.') {
        text.trim_end_matches('0').trim_end_matches('.').to_owned()
    } else {
        text
    }
}

fn grouped_decimal(amount: Decimal) -> String {
    let text = format!("{amount:.2}");
    match text.split_once('.') {
        Some((whole, fraction)) => match whole.parse() {
            Ok(whole) => format!("{}.{fraction}", count(whole)),
            Err(_) => text,
        },
        None => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn latency_is_short_and_never_hides_its_unit() {
        let shown: Vec<_> = [
            0.0,
            0.042,
            1.25,
            38.4,
            999.6,
            8_420.0,
            185_000.0,
            7_800_000.0,
        ]
        .map(latency)
        .into();
        let expected = [
            "0 ms", "42 µs", "1.2 ms", "38 ms", "1.00 s", "8.42 s", "3 m 05 s", "2 h 10 m",
        ];
        assert_eq!(shown, expected);
    }

    #[test]
    fn money_keeps_its_digits_on_hover() {
        let of = |text: &str| dollars(Some(text.parse().unwrap()));
        assert_eq!(of("0.0214").text, "$0.0214");
        assert_eq!(
            (
                of("0.00000015").text.as_str(),
                of("0.00000015").exact.as_str()
            ),
            ("<$0.0001", "$0.00000015")
        );
        assert_eq!(of("0").text, "$0");
        assert_eq!(of("1234.5").text, "$1,234.50");
        assert!(dollars(None).none);
    }

    #[test]
    fn counts_are_grouped_and_shortened() {
        assert_eq!(count(14_204), "14,204");
        assert_eq!(count(999), "999");
        assert_eq!(tokens(Some(8_901)).text, "8,901");
        assert_eq!(tokens(Some(14_815)).text, "14.8k");
        assert_eq!(tokens(Some(999_999)).text, "1.0M");
        assert_eq!(tokens(None).text, NOTHING);
        assert_eq!(tokens(Some(u64::MAX)).text, ">1T");
        assert_eq!(range_length(Nanos::from_seconds(2640)), "44 min");
        assert_eq!(range_length(Nanos::from_seconds(86_400)), "24 h");
        assert_eq!(range_length(Nanos::from_seconds(604_800)), "7 d");
        assert_eq!(range_length(Nanos::from_seconds(5400)), "1 h 30 min");
        assert_eq!(percent(334, 15_902), "2.1 %");
        assert_eq!(rate(15_902, Nanos::from_seconds(2640)), "6.0 / s");
        assert_eq!(bytes(5_242_880), "5.2 MB");
    }
}
