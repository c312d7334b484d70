//! How far several raters agree beyond chance.
//!
//! Units are what is rated; within one a rater's code may be missing. Krippendorff, *Content Analysis* (2004),
//! chapter 11; Cohen (1960, weighted 1968); Fleiss (1971).

use std::collections::BTreeMap;

use super::number;

/// What distance two values have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// Equal, or not.
    Nominal,
    /// By the values that lie between them.
    Ordinal,
    /// By their difference, squared.
    Interval,
}

/// Observed agreement: the share of pairs of ratings of one unit that are the same, each unit of two or more counting
/// once, 0 to 1; `None` without such a unit.
pub fn observed(units: &[Vec<usize>]) -> Option<f64> {
    let shares: Vec<f64> = units.iter().filter_map(|unit| same_pairs(unit)).collect();
    if shares.is_empty() {
        return None;
    }
    Some(shares.iter().sum::<f64>() / number(shares.len()))
}

/// The share of pairs of a unit that are the same.
fn same_pairs(unit: &[usize]) -> Option<f64> {
    if unit.len() < 2 {
        return None;
    }
    let same: usize = counts(unit).values().map(|count| count * (count - 1)).sum();
    Some(number(same) / number(unit.len() * (unit.len() - 1)))
}

fn counts(unit: &[usize]) -> BTreeMap<usize, usize> {
    let mut counts = BTreeMap::new();
    for code in unit {
        *counts.entry(*code).or_insert(0) += 1;
    }
    counts
}

/// Cohen's κ of two raters over the units that both rated: −1 to 1. `None` without any, and where chance alone
/// explains everything.
pub fn cohen(pairs: &[(usize, usize)]) -> Option<f64> {
    weighted_cohen(pairs, |a, b| f64::from(u8::from(a != b)))
}

/// Cohen's κ with weights that grow with the square of the distance of the codes, which must be ranks.
pub fn quadratic_cohen(pairs: &[(usize, usize)]) -> Option<f64> {
    weighted_cohen(pairs, |a, b| number(a.abs_diff(b)).powi(2))
}

fn weighted_cohen(pairs: &[(usize, usize)], weight: impl Fn(usize, usize) -> f64) -> Option<f64> {
    let all = number(pairs.len());
    let (mut first, mut second) = (BTreeMap::new(), BTreeMap::new());
    let mut seen = 0.0;
    for (a, b) in pairs {
        *first.entry(*a).or_insert(0usize) += 1;
        *second.entry(*b).or_insert(0usize) += 1;
        seen += weight(*a, *b);
    }
    let mut expected = 0.0;
    for (a, of_a) in &first {
        for (b, of_b) in &second {
            expected += weight(*a, *b) * number(*of_a) * number(*of_b) / all;
        }
    }
    (expected > 0.0).then(|| 1.0 - seen / expected)
}

/// Fleiss' κ over the units that have as many ratings as most units have, at least two: −1 to 1. `None` without any,
/// and where there is but one code.
pub fn fleiss(units: &[Vec<usize>]) -> Option<f64> {
    let mut by_length: BTreeMap<usize, usize> = BTreeMap::new();
    for unit in units.iter().filter(|unit| unit.len() >= 2) {
        *by_length.entry(unit.len()).or_insert(0) += 1;
    }
    // Of several that are as frequent the longer.
    let (raters, _) = by_length
        .iter()
        .max_by_key(|(length, many)| (**many, **length))?;
    let units: Vec<&Vec<usize>> = units.iter().filter(|unit| unit.len() == *raters).collect();
    let seen: f64 = units.iter().filter_map(|unit| same_pairs(unit)).sum();
    let seen = seen / number(units.len());
    let all: Vec<usize> = units.iter().flat_map(|unit| unit.iter().copied()).collect();
    let share = |count: &usize| (number(*count) / number(all.len())).powi(2);
    let expected: f64 = counts(&all).values().map(share).sum();
    (expected < 1.0).then(|| (seen - expected) / (1.0 - expected))
}

/// Krippendorff's α over units with ratings of any number of raters: 1 is full agreement, 0 what chance gives. `None`
/// where no unit has two ratings, and where all of them are the same. What is no finite number is left out.
pub fn krippendorff(units: &[Vec<f64>], level: Level) -> Option<f64> {
    let finite = |unit: &Vec<f64>| -> Vec<f64> {
        let finite = unit.iter().filter(|value| value.is_finite());
        // One nought, for the order of values.
        finite.map(|value| value + 0.0).collect()
    };
    let units = units
        .iter()
        .map(finite)
        .filter(|unit: &Vec<f64>| unit.len() >= 2);
    let units: Vec<Vec<f64>> = units.collect();
    let mut values: Vec<f64> = units.iter().flatten().copied().collect();
    let all = number(values.len());
    values.sort_by(f64::total_cmp);
    let mut totals: Vec<(f64, f64)> = Vec::new();
    for value in values {
        match totals.last_mut() {
            Some((last, count)) if last.total_cmp(&value).is_eq() => *count += 1.0,
            _ => totals.push((value, 1.0)),
        }
    }
    let distance = distances(&totals, level);
    let code = |value: &f64| totals.partition_point(|(known, _)| known.total_cmp(value).is_lt());
    let mut seen = 0.0;
    for unit in &units {
        let codes: Vec<usize> = unit.iter().map(code).collect();
        let counts: Vec<(usize, usize)> = counts(&codes).into_iter().collect();
        let pairs: f64 = counts
            .iter()
            .flat_map(|(a, of_a)| {
                let distance = &distance;
                counts
                    .iter()
                    .map(move |(b, of_b)| number(*of_a) * number(*of_b) * distance(*a, *b))
            })
            .sum();
        seen += pairs / number(unit.len() - 1);
    }
    let mut expected = 0.0;
    for (a, (_, of_a)) in totals.iter().enumerate() {
        for (b, (_, of_b)) in totals.iter().enumerate() {
            expected += of_a * of_b * distance(a, b);
        }
    }
    (expected > 0.0).then(|| 1.0 - (all - 1.0) * seen / expected)
}

/// The distance of two values by their places among `totals`: values in order, and how many there are of each.
fn distances(totals: &[(f64, f64)], level: Level) -> impl Fn(usize, usize) -> f64 {
    let mut before = 0.0;
    let mut places = Vec::with_capacity(totals.len());
    for (value, count) in totals {
        let place = match level {
            Level::Nominal => 0.0,
            // Half of the own count on either side: what lies between two is the difference of these.
            Level::Ordinal => before + count / 2.0,
            Level::Interval => *value,
        };
        places.push(place);
        before += count;
    }
    move |a, b| match (a == b, level) {
        (true, _) => 0.0,
        (false, Level::Nominal) => 1.0,
        (false, _) => match (places.get(a), places.get(b)) {
            (Some(a), Some(b)) => (a - b).powi(2),
            _ => 0.0,
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_has_no_answer_has_none() {
        assert_eq!(observed(&[]), None);
        assert_eq!(observed(&[vec![1]]), None);
        assert_eq!(observed(&[vec![1, 1, 2], vec![3]]), Some(1.0 / 3.0));
        assert_eq!(cohen(&[]), None);
        assert_eq!(cohen(&[(1, 1), (1, 1)]), None);
        assert_eq!(fleiss(&[vec![1], vec![]]), None);
        assert_eq!(fleiss(&[vec![1, 1], vec![1, 1]]), None);
        let same = [vec![4.0, 4.0], vec![4.0, f64::NAN]];
        for level in [Level::Nominal, Level::Ordinal, Level::Interval] {
            assert_eq!(krippendorff(&same, level), None);
            assert_eq!(krippendorff(&[], level), None);
            assert_eq!(
                krippendorff(&[vec![0.0, -0.0], vec![1.0, 1.0]], level),
                Some(1.0)
            );
        }
    }
}
