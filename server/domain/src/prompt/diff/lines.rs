//! Two texts line by line, as a reader holds them side by side: a line that stays stands beside itself, one that
//! became another beside that, and what changed within it is marked word by word.

use std::collections::HashSet;

use similar::{Algorithm, DiffOp, capture_diff_slices};

use super::words::{Edit, Stretch, by_words, words};

/// Least share of common words of two lines that are one line, changed.
const ALIKE: f64 = 0.3;
/// Most pairs of lines that are compared to find those; of more, lines are paired in their order.
const MOST_COMPARED: usize = 10_000;

/// A line of one side.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// Its number, from 1.
    pub number: usize,
    /// Its text without the end of line, in stretches: those that stay, and those of this side alone.
    pub stretches: Vec<Stretch>,
}

/// A line of the old text beside one of the new.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Row {
    /// Of the old text; `None`: the new line was not there.
    pub old: Option<Line>,
    /// Of the new text; `None`: the old line is gone.
    pub new: Option<Line>,
}

impl Row {
    /// Whether the line stays as it was.
    pub fn is_same(&self) -> bool {
        let stays = |line: &Line| line.stretches.iter().all(|it| it.edit == Edit::Equal);
        matches!((&self.old, &self.new), (Some(old), Some(new)) if stays(old) && stays(new))
    }
}

/// The rows of two texts.
pub fn rows(old: &str, new: &str) -> Vec<Row> {
    let (before, after) = (lines(old), lines(new));
    let mut rows = Vec::with_capacity(after.len());
    for op in capture_diff_slices(Algorithm::Myers, &before, &after) {
        let (left, right) = (op.old_range(), op.new_range());
        match op {
            DiffOp::Equal { .. } => rows.extend(left.zip(right).map(|(old, new)| Row {
                old: Some(whole(old, before[old], Edit::Equal)),
                new: Some(whole(new, after[new], Edit::Equal)),
            })),
            _ => changed(
                (left.start, &before[left]),
                (right.start, &after[right]),
                &mut rows,
            ),
        }
    }
    rows
}

/// Lines without their ends. A text of nothing has none.
fn lines(text: &str) -> Vec<&str> {
    match text {
        "" => Vec::new(),
        text => text.split('\n').collect(),
    }
}

fn whole(at: usize, text: &str, edit: Edit) -> Line {
    let stretch = Stretch {
        edit,
        text: text.to_owned(),
    };
    Line {
        number: at + 1,
        stretches: vec![stretch],
    }
}

/// Lines that became others, each side with the place of its first.
fn changed((old_at, old): (usize, &[&str]), (new_at, new): (usize, &[&str]), rows: &mut Vec<Row>) {
    let gone = |at: usize| Row {
        old: Some(whole(old_at + at, old[at], Edit::Delete)),
        new: None,
    };
    let come = |at: usize| Row {
        old: None,
        new: Some(whole(new_at + at, new[at], Edit::Insert)),
    };
    let (mut left, mut right) = (0, 0);
    for (one, other) in pairs(old, new) {
        rows.extend((left..one).map(gone));
        rows.extend((right..other).map(come));
        let stretches = words(old[one], new[other]);
        let side = |number: usize, not: Edit| Line {
            number,
            stretches: stretches
                .iter()
                .filter(|it| it.edit != not)
                .cloned()
                .collect(),
        };
        rows.push(Row {
            old: Some(side(old_at + one + 1, Edit::Insert)),
            new: Some(side(new_at + other + 1, Edit::Delete)),
        });
        (left, right) = (one + 1, other + 1);
    }
    rows.extend((left..old.len()).map(gone));
    rows.extend((right..new.len()).map(come));
}

/// Which lines became which, in ascending order: so that they have as much in common as can be.
fn pairs(old: &[&str], new: &[&str]) -> Vec<(usize, usize)> {
    if old.len().saturating_mul(new.len()) > MOST_COMPARED {
        return (0..old.len().min(new.len())).map(|at| (at, at)).collect();
    }
    let width = new.len() + 1;
    let alike: Vec<f64> = old
        .iter()
        .flat_map(|one| new.iter().map(|other| likeness(one, other)))
        .collect();
    let of = |one: usize, other: usize| alike[one * new.len() + other];
    // The best of what begins at a pair of lines, from the end.
    let mut best = vec![0.0_f64; (old.len() + 1) * width];
    for one in (0..old.len()).rev() {
        for other in (0..new.len()).rev() {
            let skip = best[(one + 1) * width + other].max(best[one * width + other + 1]);
            let pair = of(one, other);
            let take = pair + best[(one + 1) * width + other + 1];
            best[one * width + other] = if pair >= ALIKE { skip.max(take) } else { skip };
        }
    }
    let (mut one, mut other) = (0, 0);
    let mut found = Vec::new();
    while one < old.len() && other < new.len() {
        let here = best[one * width + other];
        if here <= best[(one + 1) * width + other] {
            one += 1;
        } else if here <= best[one * width + other + 1] {
            other += 1;
        } else {
            found.push((one, other));
            (one, other) = (one + 1, other + 1);
        }
    }
    found
}

/// Share of common words of two lines among all of them, 0 to 1 (Jaccard).
#[expect(clippy::cast_precision_loss, reason = "no line has 2^53 words")]
fn likeness(one: &str, other: &str) -> f64 {
    let of = |text| -> HashSet<&str> {
        let words = by_words(text).into_iter();
        words.filter(|word| !word.trim().is_empty()).collect()
    };
    let (one, other) = (of(one), of(other));
    let common = one.intersection(&other).count();
    let all = one.len() + other.len() - common;
    if all == 0 {
        0.0
    } else {
        common as f64 / all as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rows as text: `-` what goes, `+` what comes, in brackets what is marked within a line.
    fn told(old: &str, new: &str) -> Vec<String> {
        let said = |line: &Line| -> String {
            let each = line.stretches.iter().map(|it| match it.edit {
                Edit::Equal => it.text.clone(),
                Edit::Delete | Edit::Insert => format!("[{}]", it.text),
            });
            each.collect()
        };
        let rows = rows(old, new);
        rows.iter()
            .filter(|row| !row.is_same())
            .map(|row| match (&row.old, &row.new) {
                (Some(old), Some(new)) => {
                    format!(
                        "{}:{} {} → {}",
                        old.number,
                        new.number,
                        said(old),
                        said(new)
                    )
                }
                (Some(old), None) => format!("-{} {}", old.number, said(old)),
                (None, Some(new)) => format!("+{} {}", new.number, said(new)),
                (None, None) => String::new(),
            })
            .collect()
    }

    #[test]
    fn what_changed_is_marked_and_nothing_else() {
        let old: Vec<String> = (1..=40).map(|at| format!("Rule {at} is plain.")).collect();
        let mut new = old.clone();
        new[29] = "Rule 30 is strict.".to_owned();
        new.remove(19);
        new.insert(3, "One more thing".to_owned());
        let (old, new) = (old.join("\n"), new.join("\n"));
        assert_eq!(
            told(&old, &new),
            [
                "+4 [One more thing]",
                "-20 [Rule 20 is plain.]",
                "30:30 Rule 30 is [plain]. → Rule 30 is [strict]."
            ]
        );
        let same = rows(&old, &new).iter().filter(|row| row.is_same()).count();
        assert_eq!(same, 38);
    }

    #[test]
    fn lines_stand_beside_what_they_became() {
        assert_eq!(
            told(
                "Be brief: 120 words.\nNever promise.",
                "Now: {{now}}\nBe kind: 220 words.\nNever promise."
            ),
            [
                "+1 [Now: {{now}}]",
                "1:2 Be [brief]: [120] words. → Be [kind]: [220] words."
            ]
        );
        assert_eq!(told("", "a"), ["+1 [a]"]);
        assert_eq!(told("a", "a\n"), ["+2 []"]);
        assert!(told("", "").is_empty() && told("a\nb", "a\nb").is_empty());
    }

    #[test]
    fn very_many_lines_are_paired_in_their_order() {
        let text = |mark: &str| -> String { (0..300).map(|at| format!("{mark} {at}\n")).collect() };
        let rows = rows(&text("a"), &text("b"));
        let both = |row: &&Row| row.old.is_some() && row.new.is_some();
        assert_eq!(rows.iter().filter(both).count(), 301);
    }
}
