//! Which rows of a large tree are drawn: a block, or those around a chosen row with the rows that lead
//! to it. However large the tree is and wherever the row stands, their number is bounded.

use std::ops::Range;

use domain::tree::TreeRow;

/// Rows of one block.
pub(crate) const BLOCK: usize = 250;
/// Rows that lead to a chosen one, the nearest; and the topmost.
const MAX_LEADING: usize = 50;

/// Places among the rows that may be shown, in order: at most a block of those in the range; where a
/// row must be among them that stands beyond the first block, those around it, and before them the
/// rows that lead to it.
///
/// `shown` are the indexes of all rows that may be shown, ascending; `range` is within it.
pub(crate) fn choose(
    rows: &[TreeRow],
    shown: &[usize],
    range: Range<usize>,
    reach: Option<usize>,
) -> Vec<usize> {
    let first_block = range.start..range.end.min(range.start + BLOCK);
    // A row that is folded away is where the row stands that folds it.
    let reach = reach.map(|row| shown.partition_point(|at| *at <= row).saturating_sub(1));
    let Some(reach) = reach.filter(|place| range.contains(place) && *place >= first_block.end)
    else {
        return first_block.collect();
    };
    let from = reach - BLOCK / 2;
    let to = range.end.min(from + BLOCK);
    let leading = leading(rows, shown, range.start..from, shown[from]);
    leading.into_iter().chain(from..to).collect()
}

/// Places of the ancestors of a row, from the top.
fn leading(rows: &[TreeRow], shown: &[usize], range: Range<usize>, row: usize) -> Vec<usize> {
    let mut leading = Vec::new();
    let mut depth = rows[row].depth;
    for place in range.rev() {
        let row = &rows[shown[place]];
        if row.depth < depth {
            depth = row.depth;
            if leading.len() < MAX_LEADING || depth == 0 {
                leading.push(place);
            }
        }
        if depth == 0 {
            break;
        }
    }
    leading.reverse();
    leading
}

#[cfg(test)]
mod tests {
    use domain::trace::TreeSpan;
    use domain::tree::Place;
    use domain::{Span, SpanId, Timestamp, TraceId};

    use super::*;

    fn rows(depths: impl IntoIterator<Item = u32>) -> Vec<TreeRow> {
        let trace = TraceId::from_text("t").unwrap();
        let span = Span::bare(trace, SpanId::from_text("s").unwrap(), Timestamp::EPOCH);
        let row = |depth| TreeRow {
            span: TreeSpan::from(&span),
            depth,
            descendants: 0,
            place: Place::Child,
        };
        depths.into_iter().map(row).collect()
    }

    fn chosen(depths: impl IntoIterator<Item = u32>, reach: Option<usize>) -> Vec<usize> {
        let rows = rows(depths);
        let shown: Vec<usize> = (0..rows.len()).collect();
        choose(&rows, &shown, 0..rows.len(), reach)
    }

    fn flat(count: usize) -> impl Iterator<Item = u32> {
        (0..count).map(|at| u32::from(at > 0))
    }

    #[test]
    fn without_a_chosen_row_or_with_an_early_one_it_is_the_first_block() {
        for reach in [None, Some(0), Some(BLOCK - 1)] {
            assert_eq!(chosen(flat(10_000), reach), Vec::from_iter(0..BLOCK));
        }
        assert_eq!(chosen(flat(3), Some(2)), [0, 1, 2]);
    }

    #[test]
    fn a_late_row_has_its_neighbours_and_what_leads_to_it() {
        let chosen = chosen(flat(100_000), Some(90_000));
        assert_eq!((chosen[0], chosen.len()), (0, BLOCK + 1));
        assert!(chosen.contains(&90_000) && chosen.contains(&89_999));
        assert!(!chosen.contains(&5_000));
    }

    #[test]
    fn the_last_row_of_a_deep_chain_does_not_bring_the_whole_chain() {
        let chosen = chosen(0..100_000, Some(99_999));
        assert!(chosen.len() <= BLOCK + MAX_LEADING + 1);
        assert_eq!((chosen[0], chosen.last()), (0, Some(&99_999)));
        assert!(chosen.is_sorted());
    }

    #[test]
    fn only_the_tree_of_the_row_leads_to_it() {
        let trees = (0..10).flat_map(|_| flat(100));
        let chosen = chosen(trees, Some(950));
        assert_eq!(chosen[0], 800, "the top of the tree of the first neighbour");
    }
}
