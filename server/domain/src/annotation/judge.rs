//! Evaluators against people: where both judged the same.

use std::collections::BTreeMap;

use super::Answer;
use crate::score::{Scale, ScoreValue};
use crate::stats::agreement::{cohen, quadratic_cohen};
use crate::stats::correlation::pearson;
use crate::stats::number;

/// Most values that a table of both has.
const MOST_VALUES: usize = 12;

/// An evaluator against people, over the items that both judged.
#[derive(Clone, Debug, PartialEq)]
pub struct Against {
    /// Items.
    pub items: usize,
    /// Share of items on which they are the same, 0 to 1.
    pub same: Option<f64>,
    /// Cohen's κ.
    pub kappa: Option<f64>,
    /// Cohen's κ with quadratic weights, where the values have an order.
    pub weighted: Option<f64>,
    /// How much higher the evaluator is on average, where the values are numbers.
    pub bias: Option<f64>,
    /// How far apart they are on average, where the values are numbers.
    pub distance: Option<f64>,
    /// How far the numbers of both rise and fall together: Pearson's correlation, −1 to 1.
    pub correlation: Option<f64>,
    /// The values, in order; empty where there are too many for a table.
    pub values: Vec<String>,
    /// Counts: a row for each value of people, a column for each of the evaluator.
    pub table: Vec<Vec<u64>>,
}

/// A value of either, as words and as the number that it is counted by.
fn told(value: &ScoreValue, scale: Option<&Scale>) -> (String, Option<f64>) {
    let answer = match value {
        ScoreValue::Numeric(number) => Answer::Number(*number),
        ScoreValue::Boolean(yes) => Answer::Flag(*yes),
        ScoreValue::Categorical { label, .. } => Answer::Label(label.clone()),
        ScoreValue::Text(text) | ScoreValue::Correction(text) => Answer::Text(text.clone()),
    };
    (answer.words(), answer.number(scale))
}

/// Holds pairs against each other: what people say of an item, and what the evaluator says.
pub fn against(pairs: &[(Answer, ScoreValue)], scale: Option<&Scale>) -> Against {
    let read: Vec<_> = pairs
        .iter()
        .map(|(people, judge)| ((people.words(), people.number(scale)), told(judge, scale)))
        .collect();
    let mut values: BTreeMap<String, Option<f64>> = BTreeMap::new();
    if let Some(Scale::Categorical(categories)) = scale {
        let known = categories.iter();
        values.extend(known.map(|one| (one.label.clone(), Some(one.value))));
    }
    for (people, judge) in &read {
        values.extend([people.clone(), judge.clone()]);
    }
    let is_ordered = values.values().all(Option::is_some);
    let mut ordered: Vec<(String, Option<f64>)> = values.into_iter().collect();
    ordered.sort_by(|a, b| {
        let (a, b) = (a.1.unwrap_or(f64::INFINITY), b.1.unwrap_or(f64::INFINITY));
        a.total_cmp(&b)
    });
    let places: BTreeMap<&str, usize> = ordered
        .iter()
        .enumerate()
        .map(|(at, (words, _))| (words.as_str(), at))
        .collect();
    let place = |words: &str| places.get(words).copied().unwrap_or_default();
    let codes: Vec<(usize, usize)> = read
        .iter()
        .map(|((people, _), (judge, _))| (place(people), place(judge)))
        .collect();
    let same = codes
        .iter()
        .filter(|(people, judge)| people == judge)
        .count();
    let (of_people, of_judge): (Vec<f64>, Vec<f64>) = read
        .iter()
        .filter_map(|((_, people), (_, judge))| Some(((*people)?, (*judge)?)))
        .unzip();
    let both = of_people.iter().zip(&of_judge);
    let distances: Vec<f64> = both.map(|(people, judge)| judge - people).collect();
    let absolute = distances.iter().map(|distance| distance.abs()).sum();
    let share = |sum: f64, of: usize| (of > 0).then(|| sum / number(of));
    let fits = ordered.len() <= MOST_VALUES;
    Against {
        items: codes.len(),
        same: share(number(same), codes.len()),
        kappa: cohen(&codes),
        weighted: is_ordered.then(|| quadratic_cohen(&codes)).flatten(),
        bias: share(distances.iter().sum(), distances.len()),
        distance: share(absolute, distances.len()),
        correlation: pearson(&of_people, &of_judge),
        table: match fits {
            true => table(&codes, ordered.len()),
            false => Vec::new(),
        },
        values: match fits {
            true => ordered.into_iter().map(|(words, _)| words).collect(),
            false => Vec::new(),
        },
    }
}

fn table(codes: &[(usize, usize)], size: usize) -> Vec<Vec<u64>> {
    let mut table = vec![vec![0; size]; size];
    for (people, judge) in codes {
        if let Some(cell) = table.get_mut(*people).and_then(|row| row.get_mut(*judge)) {
            *cell += 1;
        }
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_judge_that_is_too_kind_has_a_bias() {
        let pair = |people: f64, judge: f64| (Answer::Number(people), ScoreValue::Numeric(judge));
        let scale = Scale::Numeric {
            min: None,
            max: None,
        };
        let found = against(
            &[pair(0.0, 0.0), pair(1.0, 2.0), pair(2.0, 2.0)],
            Some(&scale),
        );
        assert_eq!((found.items, found.same), (3, Some(2.0 / 3.0)));
        assert_eq!(found.bias, Some(1.0 / 3.0));
        assert_eq!(found.distance, Some(1.0 / 3.0));
        assert!(
            found
                .correlation
                .is_some_and(|found| (found - 0.866).abs() < 0.001)
        );
        assert_eq!(found.values, ["0", "1", "2"]);
        assert_eq!(found.table, [[1, 0, 0], [0, 0, 1], [0, 0, 1]]);
        assert!(found.weighted.is_some_and(|kappa| kappa > 0.7));
    }

    #[test]
    fn without_pairs_there_is_nothing_to_say() {
        let found = against(&[], Some(&Scale::Boolean));
        assert_eq!((found.items, found.same, found.bias), (0, None, None));
        assert!(found.table.is_empty());
    }
}
