//! Resident identity numbers of China (GB 11643): province, date of birth, order, check digit.

use super::after;
use super::numbers::Number;

const WEIGHTS: [u32; 17] = [7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2];
const CHECKS: &[u8; 11] = b"10X98765432";

/// 18 digits, or 17 and an `X`.
pub(super) fn find(number: &Number<'_>) -> Option<(usize, usize)> {
    let digits = number.digits;
    let usual = number.is_even && number.groups.iter().all(|len| *len >= 3);
    if !usual || !is_province(digits) || !is_date(digits.get(6..14)?) {
        return None;
    }
    let weighted = WEIGHTS
        .iter()
        .zip(digits)
        .map(|(weight, digit)| weight * u32::from(*digit));
    let check = CHECKS[(weighted.sum::<u32>() % 11) as usize];
    match digits.len() {
        18 => (digits[17] + b'0' == check).then_some((number.start, number.end)),
        17 => {
            let last = after(number.text, number.end)?.to_ascii_uppercase();
            (last == b'X' && check == b'X').then_some((number.start, number.end + 1))
        }
        _ => None,
    }
}

fn is_province(digits: &[u8]) -> bool {
    let code = digits.get(..2).map(|code| code[0] * 10 + code[1]);
    matches!(
        code,
        Some(11..=15 | 21..=23 | 31..=37 | 41..=46 | 50..=54 | 61..=65 | 71 | 81..=83 | 91)
    )
}

fn is_date(digits: &[u8]) -> bool {
    let number = |digits: &[u8]| {
        digits
            .iter()
            .fold(0_u32, |sum, digit| sum * 10 + u32::from(*digit))
    };
    let (year, month, day) = (
        number(&digits[..4]),
        number(&digits[4..6]),
        number(&digits[6..8]),
    );
    let leap = year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400));
    let days = match month {
        4 | 6 | 9 | 11 => 30,
        2 => 28 + u32::from(leap),
        1..=12 => 31,
        _ => return false,
    };
    (1850..=2100).contains(&year) && (1..=days).contains(&day)
}
