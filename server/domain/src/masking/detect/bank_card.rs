//! Bank cards.

use super::numbers::Number;

/// A number of a known range with the right length and check digit, written in one or in the usual groups.
pub(super) fn find(number: &Number<'_>) -> Option<(usize, usize)> {
    let groups = number.groups;
    let usual = groups.len() == 1
        || (groups.len() <= 5
            && number.is_even
            && matches!(groups[0], 4 | 6)
            && groups[1..groups.len() - 1].iter().all(|len| *len >= 4));
    let fits = usual && is_issued(number.digits) && luhn(number.digits);
    fits.then_some((number.start, number.end))
}

/// Whether a card of that length begins like that.
fn is_issued(digits: &[u8]) -> bool {
    let Some(head) = digits.get(..4) else {
        return false;
    };
    let head = head
        .iter()
        .fold(0_u32, |head, digit| head * 10 + u32::from(*digit));
    match (head, digits.len()) {
        // Visa.
        (4000..=4999, 13 | 16 | 19)
        // Mastercard.
        | (5100..=5599 | 2221..=2720, 16)
        // American Express.
        | (3400..=3499 | 3700..=3799, 15)
        // UnionPay and Discover.
        | (6200..=6299 | 6011 | 6440..=6599, 16..=19)
        // Diners Club.
        | (3000..=3059 | 3600..=3699 | 3800..=3999, 14)
        // JCB.
        | (3528..=3589, 16) => true,
        _ => false,
    }
}

fn luhn(digits: &[u8]) -> bool {
    let sum: u32 = digits
        .iter()
        .rev()
        .enumerate()
        .map(|(place, digit)| match (place % 2, u32::from(*digit)) {
            (0, digit) => digit,
            (_, digit) if digit > 4 => digit * 2 - 9,
            (_, digit) => digit * 2,
        })
        .sum();
    sum.is_multiple_of(10)
}
