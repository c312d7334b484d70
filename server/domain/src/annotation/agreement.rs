//! Whether people agree about what they were asked, and with the right answers.

use std::collections::{BTreeMap, BTreeSet};

use super::{Answer, Answers, Question};
use crate::ids::{AnnotationItemId, PersonId};
use crate::score::Scale;
use crate::stats::agreement::{Level, cohen, fleiss, krippendorff, observed};

/// What one person judged of one item.
#[derive(Clone, Debug, PartialEq)]
pub struct Rated {
    /// The item.
    pub item: AnnotationItemId,
    /// Who.
    pub person: PersonId,
    /// What they said.
    pub answers: Answers,
}

/// How far people agree about one question.
#[derive(Clone, Debug, PartialEq)]
pub struct Agreement {
    /// Items that two or more judged.
    pub items: usize,
    /// Share of pairs of judgements of one item that are the same, 0 to 1.
    pub observed: Option<f64>,
    /// Cohen's κ, where there are exactly two raters.
    pub cohen: Option<f64>,
    /// Fleiss' κ.
    pub fleiss: Option<f64>,
    /// The level that α is of.
    pub level: Level,
    /// Krippendorff's α at that level.
    pub alpha: Option<f64>,
    /// And ordinal, where the values have an order.
    pub ordinal: Option<f64>,
    /// Items about which people disagree, in the order of their ids.
    pub disputed: Vec<AnnotationItemId>,
    /// Each rater's κ with all others, over pairs of judgements of one item.
    pub raters: BTreeMap<PersonId, Option<f64>>,
}

/// Judgements of one question, by item.
type Units<'a> = BTreeMap<AnnotationItemId, Vec<(PersonId, &'a Answer)>>;

/// How far people agree about a question; `scale` is that of its configuration. `None` for free words, which are
/// never the same.
pub fn agreement(question: &Question, scale: Option<&Scale>, rated: &[Rated]) -> Option<Agreement> {
    if matches!(scale, Some(Scale::Text)) {
        return None;
    }
    let units = units(question, rated);
    let codes = codes(units.values().flatten().map(|(_, answer)| *answer));
    let code = |answer: &Answer| codes.get(&answer.words()).copied().unwrap_or_default();
    let coded: Vec<Vec<usize>> = units
        .values()
        .map(|unit| unit.iter().map(|(_, answer)| code(answer)).collect())
        .collect();
    let nominal: Vec<Vec<f64>> = coded
        .iter()
        .map(|unit| {
            unit.iter()
                .map(|code| crate::stats::number(*code))
                .collect()
        })
        .collect();
    let numbers: Vec<Vec<f64>> = units
        .values()
        .map(|unit| {
            let numbers = unit.iter().filter_map(|(_, answer)| answer.number(scale));
            numbers.collect()
        })
        .collect();
    let level = match scale {
        Some(Scale::Numeric { .. }) => Level::Interval,
        _ => Level::Nominal,
    };
    let people: BTreeSet<PersonId> = units
        .values()
        .filter(|unit| unit.len() >= 2)
        .flatten()
        .map(|(person, _)| *person)
        .collect();
    let raters: BTreeMap<PersonId, Option<f64>> = people
        .iter()
        .map(|person| (*person, with_others(*person, &units, &code)))
        .collect();
    Some(Agreement {
        items: coded.iter().filter(|unit| unit.len() >= 2).count(),
        observed: observed(&coded),
        cohen: match people.first() {
            Some(first) if people.len() == 2 => cohen(&pairs(*first, &units, &code)),
            _ => None,
        },
        fleiss: fleiss(&coded),
        level,
        alpha: match level {
            Level::Nominal => krippendorff(&nominal, level),
            _ => krippendorff(&numbers, level),
        },
        ordinal: match scale {
            Some(Scale::Numeric { .. } | Scale::Categorical(_)) => {
                krippendorff(&numbers, Level::Ordinal)
            }
            _ => None,
        },
        disputed: disputed(&units),
        raters,
    })
}

fn units<'a>(question: &Question, rated: &'a [Rated]) -> Units<'a> {
    let mut units = Units::new();
    for one in rated {
        if let Some(answer) = one.answers.values.get(question) {
            units
                .entry(one.item)
                .or_default()
                .push((one.person, answer));
        }
    }
    units
}

/// A code for each answer that was given.
fn codes<'a>(answers: impl Iterator<Item = &'a Answer>) -> BTreeMap<String, usize> {
    let words: BTreeSet<String> = answers.map(Answer::words).collect();
    words.into_iter().zip(0..).collect()
}

/// What a person and each other one said of the same item.
fn pairs(
    person: PersonId,
    units: &Units<'_>,
    code: &impl Fn(&Answer) -> usize,
) -> Vec<(usize, usize)> {
    let mut pairs = Vec::new();
    for unit in units.values() {
        let Some((_, own)) = unit.iter().find(|(rater, _)| *rater == person) else {
            continue;
        };
        let others = unit.iter().filter(|(rater, _)| *rater != person);
        pairs.extend(others.map(|(_, other)| (code(own), code(other))));
    }
    pairs
}

fn with_others(
    person: PersonId,
    units: &Units<'_>,
    code: &impl Fn(&Answer) -> usize,
) -> Option<f64> {
    cohen(&pairs(person, units, code))
}

fn disputed(units: &Units<'_>) -> Vec<AnnotationItemId> {
    let differs = |unit: &[(PersonId, &Answer)]| unit.windows(2).any(|two| two[0].1 != two[1].1);
    units
        .iter()
        .filter(|(_, unit)| differs(unit))
        .map(|(item, _)| *item)
        .collect()
}

/// What holds for an item: what was decided, else what most said, of numbers their mean. `None` where people
/// disagree evenly, or nobody said anything.
pub fn verdict(decided: Option<&Answer>, given: &[&Answer]) -> Option<Answer> {
    if let Some(decided) = decided {
        return Some(decided.clone());
    }
    let numbers: Vec<f64> = given
        .iter()
        .filter_map(|answer| match answer {
            Answer::Number(number) => Some(*number),
            _ => None,
        })
        .collect();
    if !numbers.is_empty() {
        let mean = numbers.iter().sum::<f64>() / crate::stats::number(numbers.len());
        return Some(Answer::Number(mean));
    }
    let mut counts: BTreeMap<String, (usize, &Answer)> = BTreeMap::new();
    for answer in given {
        counts.entry(answer.words()).or_insert((0, answer)).0 += 1;
    }
    let most = counts.values().map(|(count, _)| *count).max()?;
    let mut first = counts.values().filter(|(count, _)| *count == most);
    match (first.next(), first.next()) {
        (Some((_, only)), None) => Some((*only).clone()),
        _ => None,
    }
}

/// How often each person gave the right answer, of how many that are known: over all questions of items whose answers
/// are known.
pub fn accuracy(
    known: &BTreeMap<AnnotationItemId, Answers>,
    rated: &[Rated],
) -> BTreeMap<PersonId, (usize, usize)> {
    let mut counts: BTreeMap<PersonId, (usize, usize)> = BTreeMap::new();
    for one in rated {
        let Some(right) = known.get(&one.item) else {
            continue;
        };
        for (question, answer) in &right.values {
            if let Some(given) = one.answers.values.get(question) {
                let (hits, all) = counts.entry(one.person).or_default();
                *all += 1;
                *hits += usize::from(given == answer);
            }
        }
    }
    counts
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;
    use crate::ids::ScoreConfigId;

    fn question() -> Question {
        Question::Config(ScoreConfigId(Uuid::nil()))
    }

    fn rated(item: u128, person: u128, answer: Answer) -> Rated {
        let mut answers = Answers::default();
        answers.values.insert(question(), answer);
        Rated {
            item: AnnotationItemId(Uuid::from_u128(item)),
            person: PersonId(Uuid::from_u128(person)),
            answers,
        }
    }

    #[test]
    fn two_raters_have_a_kappa_and_disputed_items_are_named() {
        let flag = Answer::Flag;
        let all = [
            rated(1, 1, flag(true)),
            rated(1, 2, flag(true)),
            rated(2, 1, flag(false)),
            rated(2, 2, flag(false)),
            rated(3, 1, flag(true)),
            rated(3, 2, flag(false)),
            rated(4, 1, flag(true)),
        ];
        let found = agreement(&question(), Some(&Scale::Boolean), &all).unwrap();
        assert_eq!((found.items, found.observed), (3, Some(2.0 / 3.0)));
        assert_eq!(found.disputed, [AnnotationItemId(Uuid::from_u128(3))]);
        let kappa = found.cohen.unwrap();
        assert!((kappa - 0.4).abs() < 1e-12, "{kappa}");
        assert_eq!(found.raters.len(), 2);
        assert!(agreement(&question(), Some(&Scale::Text), &all).is_none());
        let none = agreement(&question(), Some(&Scale::Boolean), &[]).unwrap();
        assert_eq!((none.items, none.alpha), (0, None));
    }

    #[test]
    fn what_most_say_holds_unless_somebody_decided() {
        let (yes, no) = (Answer::Flag(true), Answer::Flag(false));
        assert_eq!(verdict(None, &[&yes, &no, &no]), Some(no.clone()));
        assert_eq!(verdict(None, &[&yes, &no]), None);
        assert_eq!(verdict(Some(&yes), &[&no, &no]), Some(yes));
        let numbers = [Answer::Number(0.0), Answer::Number(1.0)];
        let mean = verdict(None, &[&numbers[0], &numbers[1]]);
        assert_eq!(mean, Some(Answer::Number(0.5)));
        assert_eq!(verdict(None, &[]), None);
    }

    #[test]
    fn raters_are_measured_by_what_is_known() {
        let all = [
            rated(1, 1, Answer::Flag(true)),
            rated(1, 2, Answer::Flag(false)),
        ];
        let known = BTreeMap::from([(all[0].item, all[0].answers.clone())]);
        let found = accuracy(&known, &all);
        assert_eq!(found[&all[0].person], (1, 1));
        assert_eq!(found[&all[1].person], (0, 1));
    }
}
