//! What finds something in a folded text, a file each. Each passes over the text once; what is looked at around an
//! anchor is bounded.

/// Bank cards.
mod bank_card;
/// E-mail addresses.
mod email;
/// Addresses of networks.
mod ip_address;
/// Digits in groups, which several detectors judge.
mod numbers;
/// Phone numbers.
mod phone;
/// Resident identity numbers.
mod resident_id;
/// Keys and tokens.
mod secret;

use std::collections::BTreeSet;

use super::settings::Detector;

/// Something that was found in a folded text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Found {
    pub(super) start: usize,
    pub(super) end: usize,
    /// Which rule found it: first detectors, then patterns. Of two in one place the lower one counts.
    pub(super) rule: usize,
}

/// Adds what the detectors find.
pub(super) fn find(text: &str, wanted: &BTreeSet<Detector>, found: &mut Vec<Found>) {
    let mut add = |detector: Detector, (start, end): (usize, usize)| {
        found.push(Found {
            start,
            end,
            rule: rule_of(detector),
        });
    };
    if wanted.contains(&Detector::Secret) {
        secret::find(text, &mut |place| add(Detector::Secret, place));
    }
    if wanted.contains(&Detector::Email) {
        email::find(text, &mut |place| add(Detector::Email, place));
    }
    if numbers::DETECTORS.iter().any(|it| wanted.contains(it)) {
        numbers::find(text, wanted, &mut add);
    }
    if wanted.contains(&Detector::IpAddress) {
        ip_address::find(text, &mut |place| add(Detector::IpAddress, place));
    }
}

/// Its place among all rules.
pub(super) fn rule_of(detector: Detector) -> usize {
    let mut all = Detector::ALL.iter();
    all.position(|it| *it == detector).unwrap_or(0)
}

/// Whether a byte belongs to a word.
fn is_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_'
}

/// The byte before a place.
fn before(text: &str, at: usize) -> Option<u8> {
    at.checked_sub(1)
        .and_then(|at| text.as_bytes().get(at))
        .copied()
}

/// The byte at a place.
fn after(text: &str, at: usize) -> Option<u8> {
    text.as_bytes().get(at).copied()
}
