//! Numbers of more digits than can be held.

/// What holds a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Held {
    /// Whole numbers of 64 bits, and doubles.
    InMemory,
    /// Whole numbers of 53 bits and doubles, as most readers have them.
    ByReaders,
}

/// Fewer digits in a row fit everywhere.
const FEW: usize = 15;
/// The largest whole number up to which a double holds each.
const LARGEST: u64 = (1 << 53) - 1;

/// JSON with each number that is not held as a text of its digits; `None` where all are. What is no JSON
/// stays as wrong as it was.
pub fn quoted(json: &str, held: Held) -> Option<String> {
    if !may_have(json) {
        return None;
    }
    let bytes = json.as_bytes();
    let mut whole = String::new();
    let (mut copied, mut at, mut in_string) = (0, 0, false);
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'\\' if in_string => at += 1,
            b'"' => in_string = !in_string,
            b'-' | b'0'..=b'9' if !in_string => {
                let is_part =
                    |byte: &u8| matches!(byte, b'0'..=b'9' | b'.' | b'e' | b'E' | b'+' | b'-');
                let length = bytes
                    .iter()
                    .skip(at)
                    .take_while(|byte| is_part(byte))
                    .count();
                let end = at + length;
                if let Some(number) = json.get(at..end).filter(|number| !is_held(number, held)) {
                    whole.push_str(json.get(copied..at).unwrap_or_default());
                    whole.push('"');
                    whole.push_str(number);
                    whole.push('"');
                    copied = end;
                }
                at = end - 1;
            }
            _ => {}
        }
        at += 1;
    }
    if copied == 0 {
        return None;
    }
    whole.push_str(json.get(copied..).unwrap_or_default());
    Some(whole)
}

/// Whether there is a row of digits, with a point in it perhaps, that is long, or a large exponent.
fn may_have(json: &str) -> bool {
    let is_digit = |byte: &u8| byte.is_ascii_digit() || *byte == b'.';
    let mut rows = json.as_bytes().split(|byte| !is_digit(byte));
    rows.any(|row| row.len() > FEW) || json.contains(['e', 'E']) && has_exponent(json.as_bytes())
}

fn has_exponent(json: &[u8]) -> bool {
    json.windows(2)
        .any(|pair| matches!(pair, [b'0'..=b'9', b'e' | b'E']))
}

fn is_held(number: &str, held: Held) -> bool {
    let is_whole = !number.contains(['.', 'e', 'E']);
    match (held, is_whole) {
        (Held::InMemory, true) => number.parse::<i64>().is_ok() || number.parse::<u64>().is_ok(),
        (Held::ByReaders, true) => {
            let number = number.parse::<i64>().map(i64::unsigned_abs);
            number.is_ok_and(|number| number <= LARGEST)
        }
        (_, false) => match number.parse::<f64>() {
            Ok(double) if double.is_finite() => {
                significant(number) == significant(&format!("{double:e}"))
            }
            _ => false,
        },
    }
}

/// The digits that count, without zeros at the ends.
fn significant(number: &str) -> String {
    let mantissa = number.split(['e', 'E']).next().unwrap_or_default();
    let digits: String = mantissa.chars().filter(char::is_ascii_digit).collect();
    digits.trim_matches('0').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_that_readers_would_change_are_texts() {
        for (json, expected) in [
            ("9007199254740991", None),
            ("9007199254740992", Some("\"9007199254740992\"")),
            (
                r#"{"a":[-107505301260286111, 1]}"#,
                Some(r#"{"a":["-107505301260286111", 1]}"#),
            ),
            ("0.30000000000000004", None),
            ("0.12345678901234567890", Some("\"0.12345678901234567890\"")),
            ("1.50000000000000000000", None),
            ("1e400", Some("\"1e400\"")),
            ("1.5e-3", None),
            (r#""107505301260286111 \" 107505301260286111""#, None),
            (r#"{"12345678901234567890":1}"#, None),
            ("123456789012345", None),
            ("", None),
            ("-", None),
        ] {
            assert_eq!(quoted(json, Held::ByReaders).as_deref(), expected, "{json}");
        }
    }

    #[test]
    fn what_64_bits_hold_stays_in_memory() {
        let held = |json| quoted(json, Held::InMemory);
        assert_eq!(held("18446744073709551615"), None);
        assert_eq!(held("-9223372036854775808"), None);
        assert_eq!(
            held("18446744073709551616").as_deref(),
            Some("\"18446744073709551616\"")
        );
    }

    #[test]
    fn whatever_is_read_before_is_read_after() {
        for json in [
            "[1,2",
            "{\"a\":12345678901234567890",
            "12345678901234567890e",
            "日本12345678901234567890",
        ] {
            let _whatever = quoted(json, Held::ByReaders);
        }
    }
}
