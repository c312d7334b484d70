//! Labels under test: several versions, of which a read gets one by weight.

use sha2::{Digest, Sha256};

use super::{Label, PromptName};
use crate::fault::Fault;
use crate::time::Timestamp;

/// What the weights of a label add up to: thousandths.
pub const WHOLE: u32 = 1_000;
/// Most versions that are tested against each other.
pub const MAX_VARIANTS: usize = 5;

/// A version with its share of the reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Variant {
    /// Its number.
    pub version: u32,
    /// Thousandths.
    pub weight: u32,
}

/// A label under test.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Split {
    /// The label.
    pub label: Label,
    /// The version that it stands on, which is one of the variants: what other prompts include, and what is left when the
    /// test ends.
    pub control: u32,
    /// What it gives, by number of the version.
    pub variants: Vec<Variant>,
    /// When the weights were set.
    pub since: Timestamp,
}

impl Split {
    /// The weight of a version; `None` where it is none of the variants.
    pub fn weight_of(&self, version: u32) -> Option<u32> {
        let mut variants = self.variants.iter();
        let found = variants.find(|variant| variant.version == version)?;
        Some(found.weight)
    }
}

/// Checks what somebody wants to test.
///
/// # Errors
/// `invalid` on the field `variants`.
pub fn check(label: &Label, control: u32, variants: &[Variant]) -> Result<(), Fault> {
    let wrong = |message: &str| Err(Fault::invalid(message.to_owned()).on_field("variants"));
    if label.is_latest() {
        return wrong("the label latest moves by itself: it cannot be tested");
    }
    if !(2..=MAX_VARIANTS).contains(&variants.len()) {
        return wrong("a test has 2 to 5 versions");
    }
    let mut versions: Vec<u32> = variants.iter().map(|variant| variant.version).collect();
    versions.sort_unstable();
    versions.dedup();
    if versions.len() < variants.len() {
        return wrong("each version is named once");
    }
    if !versions.contains(&control) {
        return wrong("the version that the label stands on is one of those that are tested");
    }
    let is_share = |variant: &Variant| (1..WHOLE).contains(&variant.weight);
    let sum: u64 = variants
        .iter()
        .map(|variant| u64::from(variant.weight))
        .sum();
    if !variants.iter().all(is_share) || sum != u64::from(WHOLE) {
        return wrong("each weight is 0.1 % at least, and all of them make 100 %");
    }
    Ok(())
}

/// The number by which whoever sticks to something gets a version: the same on every server.
pub fn seed(name: &PromptName, label: &Label, stick_to: &str) -> u64 {
    let mut hash = Sha256::new();
    for part in [name.as_str(), label.as_str(), stick_to] {
        hash.update(part.as_bytes());
        hash.update([0]);
    }
    let digest = hash.finalize();
    let bytes = digest.iter().take(8);
    bytes.fold(0, |number, byte| (number << 8) | u64::from(*byte))
}

/// Which of some weights a number gets, by its place. Each draws a time from the number, the sooner the heavier it is, and
/// the first wins: so a number changes its place only to one whose share has grown against that of the one before.
pub fn chosen(variants: &[Variant], seed: u64) -> usize {
    let time = |variant: &Variant| {
        let mixed = mixed(seed ^ mixed(u64::from(variant.version)));
        // Above 0 and below 1: 53 bits are what a float tells apart.
        let drawn = ((mixed >> 11) as f64 + 0.5) / (1_u64 << 53) as f64;
        -drawn.ln() / f64::from(variant.weight)
    };
    let times = variants.iter().map(time).enumerate();
    let first = times.min_by(|a, b| a.1.total_cmp(&b.1));
    first.map_or(0, |(at, _)| at)
}

/// A number in which every bit of another counts (the finaliser of `SplitMix64`).
fn mixed(number: u64) -> u64 {
    let number = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let number = (number ^ (number >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let number = (number ^ (number >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    number ^ (number >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn variants(weights: &[(u32, u32)]) -> Vec<Variant> {
        let variant = |(version, weight): &(u32, u32)| Variant {
            version: *version,
            weight: *weight,
        };
        weights.iter().map(variant).collect()
    }

    fn seeds() -> impl Iterator<Item = u64> {
        let name = PromptName::parse("support/answer").unwrap();
        (0..20_000).map(move |n| seed(&name, &Label::production(), &format!("user-{n}")))
    }

    #[test]
    fn versions_get_their_shares() {
        let all = variants(&[(3, 700), (4, 200), (7, 100)]);
        let mut counts = [0_u32; 3];
        for seed in seeds() {
            counts[chosen(&all, seed)] += 1;
        }
        for (count, variant) in counts.iter().zip(&all) {
            let share = f64::from(*count) / 20_000.0;
            let wanted = f64::from(variant.weight) / 1_000.0;
            assert!((share - wanted).abs() < 0.015, "{share} of {wanted}");
        }
    }

    #[test]
    fn when_weights_change_few_move_and_only_to_what_has_grown_more() {
        let version = |all: &[Variant], seed: u64| all[chosen(all, seed)].version;
        let before = variants(&[(3, 800), (4, 100), (5, 100)]);
        // In another order: places mean nothing.
        let after = variants(&[(5, 100), (4, 300), (3, 600)]);
        let mut moved = 0;
        for seed in seeds() {
            let (old, new) = (version(&before, seed), version(&after, seed));
            if old != new {
                moved += 1;
                let grown = |version: u32| {
                    let weight = |all: &[Variant]| {
                        let mut found = all.iter().filter(|it| it.version == version);
                        f64::from(found.next().unwrap().weight)
                    };
                    weight(&after) / weight(&before)
                };
                assert!(grown(new) > grown(old), "{old} to {new}");
            }
        }
        let share = f64::from(moved) / 20_000.0;
        // A fifth has to.
        assert!((0.19..0.23).contains(&share), "{share}");
    }

    #[test]
    fn a_test_has_versions_whose_weights_make_a_whole() {
        let label = Label::production();
        assert!(check(&label, 3, &variants(&[(3, 900), (4, 100)])).is_ok());
        for wrong in [
            variants(&[(3, 1_000)]),
            variants(&[(3, 900), (4, 99)]),
            variants(&[(3, 1_000), (4, 0)]),
            variants(&[(3, 500), (3, 500)]),
            variants(&[(4, 500), (5, 500)]),
            variants(&[(1, 100), (2, 100), (3, 100), (4, 100), (5, 100), (6, 500)]),
        ] {
            assert!(check(&label, 3, &wrong).is_err(), "{wrong:?}");
        }
        let two = variants(&[(3, 900), (4, 100)]);
        assert!(check(&Label::latest(), 3, &two).is_err());
    }
}
