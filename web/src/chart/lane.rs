//! Lines over time in a box of 1000 × 100, all steps of one width.

use super::number;
use super::scale::Scale;

const WIDTH: f64 = 1000.0;
/// Empty steps that a line goes over: scrapes come a little early or late.
const BRIDGED: usize = 1;

/// The path of a line through the middles of its steps. It breaks where there is no data; a value alone is as wide as its
/// step.
pub(crate) fn line(values: &[Option<f64>], scale: Scale) -> String {
    let pitch = WIDTH / values.len().max(1) as f64;
    let mut path = String::new();
    for run in runs(values) {
        if let [(at, value)] = run.as_slice() {
            let (left, y) = (*at as f64 * pitch, scale.height(*value));
            path.push_str(&format!(
                "M{} {}H{}",
                number(left),
                number(y),
                number(left + pitch)
            ));
            continue;
        }
        for (place, (at, value)) in run.iter().enumerate() {
            let command = if place == 0 { 'M' } else { 'L' };
            let x = (*at as f64 + 0.5) * pitch;
            path.push_str(&format!(
                "{command}{} {}",
                number(x),
                number(scale.height(*value))
            ));
        }
    }
    path
}

/// The area between two lines, in steps as wide as those of the lines; nothing where nothing is usual.
pub(crate) fn band(edges: &[Option<(f64, f64)>], scale: Scale) -> String {
    let pitch = WIDTH / edges.len().max(1) as f64;
    let mut path = String::new();
    let mut at = 0;
    for same in edges.chunk_by(|one, other| one == other) {
        let (left, right) = (at as f64 * pitch, (at + same.len()) as f64 * pitch);
        at += same.len();
        let Some(Some((low, high))) = same.first() else {
            continue;
        };
        let (top, bottom) = (scale.height(*high), scale.height(*low));
        path.push_str(&format!(
            "M{} {}H{}V{}H{}Z",
            number(left),
            number(top),
            number(right),
            number(bottom.max(top + 0.8)),
            number(left)
        ));
    }
    path
}

/// Where the middle of a step stands, in percent.
pub(crate) fn middle(step: usize, steps: usize) -> f64 {
    (step as f64 + 0.5) / steps.max(1) as f64 * 100.0
}

/// Values that are drawn together: with their steps.
fn runs(values: &[Option<f64>]) -> Vec<Vec<(usize, f64)>> {
    let mut runs: Vec<Vec<(usize, f64)>> = Vec::new();
    let known = values.iter().enumerate();
    let known =
        known.filter_map(|(at, value)| Some((at, (*value).filter(|value| value.is_finite())?)));
    for (at, value) in known {
        let near = runs
            .last_mut()
            .filter(|run| run.last().is_some_and(|(last, _)| at - last <= BRIDGED + 1));
        match near {
            Some(run) => run.push((at, value)),
            None => runs.push(vec![(at, value)]),
        }
    }
    runs
}

#[cfg(test)]
mod tests {
    use super::*;

    const TENTH: Scale = Scale::between(0.0, 10.0);

    #[test]
    fn a_line_goes_through_the_middles_and_breaks_at_gaps() {
        let values = [
            Some(0.0),
            Some(10.0),
            None,
            Some(5.0),
            None,
            None,
            None,
            Some(5.0),
            None,
            None,
        ];
        assert_eq!(line(&values, TENTH), "M50 100L150 0L350 50M700 50H800");
        assert_eq!(line(&[None, Some(f64::NAN)], TENTH), "");
        assert_eq!(line(&[], TENTH), "");
    }

    #[test]
    fn a_band_is_as_wide_as_the_steps_that_it_is_usual_in() {
        let edges = [None, Some((2.0, 4.0)), Some((2.0, 4.0)), Some((5.0, 5.0))];
        assert_eq!(
            band(&edges, TENTH),
            "M250 60H750V80H250ZM750 50H1000V50.8H750Z"
        );
    }

    #[test]
    fn middles_of_steps_share_the_width() {
        assert_eq!((middle(0, 4), middle(3, 4)), (12.5, 87.5));
    }
}
