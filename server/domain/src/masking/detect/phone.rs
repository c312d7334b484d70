//! Phone numbers.

use super::before;
use super::numbers::Number;

/// Digits of a number with the code of its country.
const WITH_COUNTRY: std::ops::RangeInclusive<usize> = 9..=15;

/// A mobile number of mainland China, with `86` before it or not.
pub(super) fn cn_mobile(number: &Number<'_>) -> Option<(usize, usize)> {
    let own = number.digits.len().checked_sub(11)?;
    let country = matches!(number.digits[..own], [] | [8, 6] | [0, 0, 8, 6]);
    let mobile = number.digits[own] == 1 && number.digits[own + 1] >= 3;
    // After the code of the country another separator may stand.
    let prefixed = own > 0 && number.groups[0] == own;
    let own_groups = &number.groups[usize::from(prefixed)..];
    let split =
        own_groups.len() == 1 || (own_groups.len() <= 5 && own_groups.iter().all(|len| *len >= 2));
    let even = number.is_even || prefixed;
    if !country || !mobile || !split || !even {
        return None;
    }
    let plus = before(number.text, number.start) == Some(b'+');
    Some((number.start - usize::from(plus), number.end))
}

/// A number that begins with `+`.
pub(super) fn with_country(number: &Number<'_>) -> Option<(usize, usize)> {
    let plus = number.start.checked_sub(1)?;
    let is_code =
        number.digits.first() != Some(&0) && before(number.text, number.start) == Some(b'+');
    let stands_alone = before(number.text, plus)
        .is_none_or(|byte| !byte.is_ascii_alphanumeric() && !b"+/=_".contains(&byte));
    let fits = WITH_COUNTRY.contains(&number.digits.len());
    (is_code && stands_alone && fits).then_some((plus, number.end))
}
