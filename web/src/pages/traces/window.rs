//! Which rows of a large tree are drawn: a window onto it. However large the tree is and wherever the window
//! stands, the number of rows is bounded; what is above and below is empty space of the same height.

use std::ops::Range;

/// Rows of a window. A tree of no more rows is drawn whole.
pub(crate) const WINDOW: usize = 400;
/// Height of a row in pixels, as in the style sheet.
const ROW_PIXELS: usize = 24;

/// Places of the rows that are drawn, of `total`: from a place on, else around the one that must be seen, else
/// from the top.
pub(crate) fn window(total: usize, from: Option<usize>, reach: Option<usize>) -> Range<usize> {
    let around = |place: usize| match place < WINDOW / 2 {
        true => 0,
        false => place - WINDOW / 2,
    };
    let from = from.or(reach.map(around)).unwrap_or(0);
    let from = from.min(total.saturating_sub(WINDOW));
    from..total.min(from + WINDOW)
}

/// Height of so many rows in pixels.
pub(crate) fn pixels(rows: usize) -> usize {
    rows.saturating_mul(ROW_PIXELS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_begins_where_it_is_put_or_holds_what_must_be_seen() {
        assert_eq!(window(10_000, None, None), 0..WINDOW);
        assert_eq!(window(10_000, Some(5_000), Some(1)), 5_000..5_400);
        assert!(window(10_000, None, Some(7_777)).contains(&7_777));
        assert_eq!(window(10_000, None, Some(10)), 0..WINDOW);
    }

    #[test]
    fn it_is_never_larger_than_it_may_be_and_never_beyond_the_end() {
        for total in [0, 1, WINDOW - 1, WINDOW, WINDOW + 1, 100_000] {
            for place in [0, 1, total / 2, total, total + 9, usize::MAX] {
                for window in [
                    window(total, Some(place), None),
                    window(total, None, Some(place)),
                ] {
                    assert_eq!(window.len(), total.min(WINDOW), "{total} {place}");
                    assert!(window.end <= total);
                }
            }
        }
        assert_eq!(window(3, None, None), 0..3);
    }
}
