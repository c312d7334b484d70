//! Areas and columns one upon another, in a box of 1000 × 100, all pieces of one width.

use super::number;
use super::scale::Scale;

const WIDTH: f64 = 1000.0;
/// Share of a piece that stays free between two columns, and the most of it.
const GAP: f64 = 0.18;
const MOST_GAP: f64 = 4.0;

/// The sums of series up to each of them, piece by piece; what is unknown adds nothing.
fn sums(series: &[&[Option<f64>]]) -> Vec<Vec<f64>> {
    let mut below = vec![0.0; series.first().map_or(0, |values| values.len())];
    let mut sums = vec![below.clone()];
    for values in series {
        for (sum, value) in below.iter_mut().zip(*values) {
            *sum += value
                .filter(|value| value.is_finite())
                .unwrap_or(0.0)
                .max(0.0);
        }
        sums.push(below.clone());
    }
    sums
}

/// The greatest sum of all series in a piece.
pub(crate) fn most(series: &[&[Option<f64>]]) -> f64 {
    let sums = sums(series);
    let top = sums.last().into_iter().flatten().copied();
    top.fold(0.0, f64::max)
}

/// The area of each series upon those before it, from edge to edge.
pub(crate) fn areas(series: &[&[Option<f64>]], scale: Scale) -> Vec<String> {
    let sums = sums(series);
    let layers = sums.windows(2).map(|pair| {
        let (low, high) = (&pair[0], &pair[1]);
        let pitch = WIDTH / high.len().max(1) as f64;
        let places: Vec<f64> = std::iter::once(0.0)
            .chain((0..high.len()).map(|at| (at as f64 + 0.5) * pitch))
            .chain([WIDTH])
            .collect();
        let of = |values: &[f64]| -> Vec<f64> {
            let ends = (values.first(), values.last());
            let inner = values.iter().copied();
            let all = ends
                .0
                .copied()
                .into_iter()
                .chain(inner)
                .chain(ends.1.copied());
            all.map(|value| scale.height(value)).collect()
        };
        let there = places.iter().copied().zip(of(high));
        let back = places.iter().copied().zip(of(low)).collect::<Vec<_>>();
        let points = there.chain(back.into_iter().rev());
        let mut path = String::new();
        for (at, (x, y)) in points.enumerate() {
            let command = if at == 0 { 'M' } else { 'L' };
            path.push_str(&format!("{command}{} {}", number(x), number(y)));
        }
        if !path.is_empty() {
            path.push('Z');
        }
        path
    });
    layers.collect()
}

/// The columns of each series upon those before it; a value that is not 0 is always to be seen.
pub(crate) fn columns(series: &[&[Option<f64>]], scale: Scale) -> Vec<String> {
    let sums = sums(series);
    let layers = sums.windows(2).map(|pair| {
        let (low, high) = (&pair[0], &pair[1]);
        let pitch = WIDTH / high.len().max(1) as f64;
        let gap = (pitch * GAP).min(MOST_GAP);
        let mut path = String::new();
        for (at, (low, high)) in low.iter().zip(high).enumerate() {
            if high <= low {
                continue;
            }
            let (bottom, top) = (scale.height(*low), scale.height(*high));
            let left = at as f64 * pitch + gap / 2.0;
            path.push_str(&format!(
                "M{} {}H{}V{}H{}Z",
                number(left),
                number(top.min(bottom - 0.6)),
                number(left + pitch - gap),
                number(bottom),
                number(left)
            ));
        }
        path
    });
    layers.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const TENTH: Scale = Scale::between(0.0, 10.0);

    #[test]
    fn areas_stand_one_upon_another_and_reach_both_edges() {
        let series: [&[Option<f64>]; 2] = [&[Some(2.0), Some(4.0)], &[Some(3.0), None]];
        assert_eq!(most(&series), 5.0);
        assert_eq!(
            areas(&series, TENTH),
            [
                "M0 80L250 80L750 60L1000 60L1000 100L750 100L250 100L0 100Z",
                "M0 50L250 50L750 60L1000 60L1000 60L750 60L250 80L0 80Z"
            ]
        );
        assert!(areas(&[], TENTH).is_empty());
        assert_eq!(most(&[]), 0.0);
    }

    #[test]
    fn columns_leave_a_gap_and_nothing_has_no_column() {
        let series: [&[Option<f64>]; 2] = [&[Some(5.0), None], &[Some(5.0), Some(0.001)]];
        assert_eq!(
            columns(&series, TENTH),
            ["M2 50H498V100H2Z", "M2 0H498V50H2ZM502 99.4H998V100H502Z"]
        );
    }
}
