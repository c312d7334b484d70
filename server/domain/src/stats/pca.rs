//! Principal components.

use super::linear::symmetric_eigen;
use super::number;

/// Points seen along the directions of their largest spread.
#[derive(Clone, Debug, PartialEq)]
pub struct Components {
    /// Variance along each component, descending, with n − 1.
    pub variances: Vec<f64>,
    /// Share of all variance that each component has.
    pub shares: Vec<f64>,
    /// Each component's direction: a unit vector whose largest entry is positive, so that the answer is one.
    pub directions: Vec<Vec<f64>>,
    /// The mean of the points.
    pub center: Vec<f64>,
}

/// Components of points of equal length, as many as reach `share` of the variance and `most` at most. `None` for fewer
/// than two points or points without spread. Pearson, 1901.
pub fn principal_components(points: &[Vec<f64>], share: f64, most: usize) -> Option<Components> {
    let width = points.first()?.len();
    if points.len() < 2 || points.iter().any(|point| point.len() != width) {
        return None;
    }
    let n = number(points.len());
    let center: Vec<f64> = (0..width)
        .map(|at| points.iter().map(|point| point[at]).sum::<f64>() / n)
        .collect();
    let covariance = covariance(points, &center);
    let total: f64 = (0..width).map(|at| covariance[at][at]).sum();
    if total <= 0.0 || !total.is_finite() {
        return None;
    }
    let (values, vectors) = symmetric_eigen(covariance);
    let mut kept = Components {
        variances: Vec::new(),
        shares: Vec::new(),
        directions: Vec::new(),
        center,
    };
    let mut reached = 0.0;
    for (value, vector) in values.into_iter().zip(vectors) {
        if kept.variances.len() >= most || (reached >= share && !kept.variances.is_empty()) {
            break;
        }
        reached += value / total;
        kept.variances.push(value.max(0.0));
        kept.shares.push((value / total).max(0.0));
        kept.directions.push(facing_up(vector));
    }
    Some(kept)
}

impl Components {
    /// Where a point lies along the components.
    pub fn project(&self, point: &[f64]) -> Vec<f64> {
        self.directions
            .iter()
            .map(|direction| {
                let along = direction.iter().zip(point).zip(&self.center);
                along.map(|((d, x), c)| d * (x - c)).sum()
            })
            .collect()
    }
}

fn covariance(points: &[Vec<f64>], center: &[f64]) -> Vec<Vec<f64>> {
    let mut sums = vec![vec![0.0; center.len()]; center.len()];
    for point in points {
        let away: Vec<f64> = point.iter().zip(center).map(|(x, c)| x - c).collect();
        for (row, along) in sums.iter_mut().zip(&away) {
            for (sum, across) in row.iter_mut().zip(&away) {
                *sum += along * across;
            }
        }
    }
    for sum in sums.iter_mut().flatten() {
        *sum /= number(points.len() - 1);
    }
    sums
}

/// The one of a vector and its opposite whose largest entry is positive.
fn facing_up(mut vector: Vec<f64>) -> Vec<f64> {
    let largest = vector.iter().copied().fold(0.0_f64, |most, x| {
        if x.abs() > most.abs() + 1e-12 {
            x
        } else {
            most
        }
    });
    if largest < 0.0 {
        for x in &mut vector {
            *x = -*x;
        }
    }
    vector
}
