//! Values by group and piece of time in a box of 1000 × 100: the more, the darker.

use super::number;
use super::scale::extent;

const WIDTH: f64 = 1000.0;
const HEIGHT: f64 = 100.0;
/// Steps of colour.
pub(crate) const SHADES: usize = 6;

/// A path for each shade, the lightest first: of all cells that have it. Cells without a value are left out.
pub(crate) fn shades(rows: &[&[Option<f64>]]) -> [String; SHADES] {
    let mut paths = <[String; SHADES]>::default();
    let known = rows.iter().flat_map(|row| row.iter().copied().flatten());
    let Some((low, high)) = extent(known) else {
        return paths;
    };
    let low = low.min(0.0);
    let height = HEIGHT / rows.len().max(1) as f64;
    for (at, row) in rows.iter().enumerate() {
        let width = WIDTH / row.len().max(1) as f64;
        let top = at as f64 * height;
        for (column, value) in row.iter().enumerate() {
            let Some(value) = value.filter(|value| value.is_finite()) else {
                continue;
            };
            let left = column as f64 * width;
            paths[shade(value, low, high)].push_str(&format!(
                "M{} {}H{}V{}H{}Z",
                number(left),
                number(top),
                number(left + width),
                number(top + height),
                number(left)
            ));
        }
    }
    paths
}

/// The lightest for nothing alone; the others in equal steps up to the greatest.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "clamped to the shades there are"
)]
fn shade(value: f64, low: f64, high: f64) -> usize {
    if value <= low || high <= low {
        return if value > 0.0 { SHADES - 1 } else { 0 };
    }
    let steps = (SHADES - 1) as f64;
    ((value - low) / (high - low) * steps)
        .ceil()
        .clamp(0.0, steps) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_lie_in_rows_and_the_greatest_is_the_darkest() {
        let rows: [&[Option<f64>]; 2] = [&[Some(0.0), Some(10.0)], &[None, Some(4.0)]];
        let paths = shades(&rows);
        assert_eq!(paths[0], "M0 0H500V50H0Z");
        assert_eq!(paths[5], "M500 0H1000V50H500Z");
        assert_eq!(paths[2], "M500 50H1000V100H500Z");
        assert!(paths[1].is_empty() && paths[3].is_empty());
        assert!(shades(&[&[None]]).iter().all(String::is_empty));
        assert_eq!(
            shades(&[&[Some(3.0), Some(3.0)]])[5].matches('M').count(),
            2
        );
    }
}
