//! Digits that stand together, in one group or in several with the same separator between them.

use std::collections::BTreeSet;

use super::{after, bank_card, before, is_word, phone, resident_id};
use crate::masking::settings::Detector;

/// Detectors that judge numbers, the surest first.
pub(super) const DETECTORS: [Detector; 4] = [
    Detector::CnResidentId,
    Detector::BankCard,
    Detector::CnMobile,
    Detector::Phone,
];
/// More belong to no number that is looked for.
const MAX_GROUPS: usize = 8;
const MAX_DIGITS: usize = 20;
const SEPARATORS: &[u8] = b" -.()/";

/// Digits that follow each other, and what stands before them within the number.
#[derive(Clone, Copy)]
struct Group {
    start: usize,
    end: usize,
    /// The separator before it; `None` for the first of a run.
    separator: Option<u8>,
}

/// A number that may be what somebody looks for.
pub(super) struct Number<'t> {
    pub(super) text: &'t str,
    pub(super) start: usize,
    pub(super) end: usize,
    /// Its digits, as numbers.
    pub(super) digits: &'t [u8],
    /// How many digits each of its groups has.
    pub(super) groups: &'t [usize],
    /// Whether the same separator stands everywhere.
    pub(super) is_even: bool,
}

/// Tells what the wanted ones of [`DETECTORS`] find.
pub(super) fn find(
    text: &str,
    wanted: &BTreeSet<Detector>,
    tell: &mut impl FnMut(Detector, (usize, usize)),
) {
    let bytes = text.as_bytes();
    let (mut at, mut run) = (0, Vec::new());
    while let Some(skip) = bytes[at..].iter().position(u8::is_ascii_digit) {
        at = read_run(bytes, at + skip, &mut run);
        let mut first = 0;
        while first < run.len() {
            match judge(text, &run[first..], wanted) {
                Some((detector, place, groups)) => {
                    tell(detector, place);
                    first += groups;
                }
                None => first += 1,
            }
        }
    }
}

/// Reads groups of digits with single separators (or `) ` and ` (`) between them; where they end.
fn read_run(bytes: &[u8], from: usize, run: &mut Vec<Group>) -> usize {
    run.clear();
    let (mut at, mut separator) = (from, None);
    loop {
        let digits = bytes[at..].iter().take_while(|byte| byte.is_ascii_digit());
        let end = at + digits.count();
        run.push(Group {
            start: at,
            end,
            separator,
        });
        let is_separator = |at: usize| bytes.get(at).filter(|byte| SEPARATORS.contains(byte));
        let is_digit = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_digit);
        let Some(first) = is_separator(end) else {
            return end;
        };
        let second = is_separator(end + 1).filter(|second| *second != first);
        at = match second {
            Some(_) if is_digit(end + 2) => end + 2,
            None if is_digit(end + 1) => end + 1,
            _ => return end,
        };
        separator = Some(*second.unwrap_or(first));
    }
}

/// The longest number at the beginning of a run that somebody looks for, with the groups that it takes.
fn judge(
    text: &str,
    run: &[Group],
    wanted: &BTreeSet<Detector>,
) -> Option<(Detector, (usize, usize), usize)> {
    let (mut digits, mut groups) = ([0; MAX_DIGITS], [0; MAX_GROUPS]);
    let (mut count, mut taken, mut is_even) = (0, 0, true);
    let mut best = None;
    if is_in_uuid(text, run[0].start) || !begins(text, &run[0]) {
        return None;
    }
    for group in run.iter().take(MAX_GROUPS) {
        let len = group.end - group.start;
        if count + len > MAX_DIGITS {
            break;
        }
        for (place, byte) in digits[count..]
            .iter_mut()
            .zip(&text.as_bytes()[group.start..group.end])
        {
            *place = byte - b'0';
        }
        count += len;
        if taken > 1 {
            is_even &= group.separator == run[1].separator;
        }
        groups[taken] = len;
        taken += 1;
        // A fraction follows, or another word.
        let ends = match run.get(taken) {
            Some(next) => next.separator != Some(b'.') || next.end - next.start > 2,
            None => true,
        };
        let number = Number {
            text,
            start: run[0].start,
            end: group.end,
            digits: &digits[..count],
            groups: &groups[..taken],
            is_even,
        };
        if ends && let Some((detector, place)) = detect(&number, wanted) {
            best = Some((detector, place, taken));
        }
    }
    best
}

fn detect(number: &Number<'_>, wanted: &BTreeSet<Detector>) -> Option<(Detector, (usize, usize))> {
    let mut looked_for = DETECTORS.iter().filter(|it| wanted.contains(it));
    looked_for.find_map(|detector| {
        let place = match detector {
            Detector::CnResidentId => resident_id::find(number),
            Detector::BankCard => bank_card::find(number),
            Detector::CnMobile => phone::cn_mobile(number),
            _ => phone::with_country(number),
        };
        let (start, end) = place?;
        let ends = after(number.text, end).is_none_or(|byte| !is_word(byte));
        ends.then_some((*detector, (start, end)))
    })
}

/// Whether a number may begin here: not within a word, and not as a fraction.
fn begins(text: &str, first: &Group) -> bool {
    if first.separator == Some(b'.') {
        return false;
    }
    before(text, first.start).is_none_or(|byte| !is_word(byte))
}

/// Whether the place is within a UUID: their digits look like numbers at times.
fn is_in_uuid(text: &str, at: usize) -> bool {
    const LEN: usize = 36;
    let bytes = text.as_bytes();
    let part = |byte: &u8| byte.is_ascii_hexdigit() || *byte == b'-';
    let left = bytes[..at]
        .iter()
        .rev()
        .take(LEN)
        .take_while(|byte| part(byte));
    let start = at - left.count();
    let Some(token) = bytes.get(start..start + LEN) else {
        return false;
    };
    let right = |(place, byte): (usize, &u8)| match place {
        8 | 13 | 18 | 23 => *byte == b'-',
        _ => byte.is_ascii_hexdigit(),
    };
    token.iter().enumerate().all(right) && !bytes.get(start + LEN).is_some_and(part)
}
