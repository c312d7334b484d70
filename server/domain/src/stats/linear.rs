//! Small systems of linear equations.

/// Least squares of `target` on `columns` of the same length, with their coefficients.
pub(super) struct Fit {
    /// Sum of squared residuals.
    pub(super) residual: f64,
}

/// Householder reflections, column by column. `None` when the columns depend on each other or there are fewer rows
/// than columns.
pub(super) fn least_squares(columns: &[Vec<f64>], target: &[f64]) -> Option<Fit> {
    let rows = target.len();
    if rows <= columns.len() || columns.iter().any(|column| column.len() != rows) {
        return None;
    }
    let mut matrix: Vec<Vec<f64>> = columns.to_vec();
    let mut rest = target.to_vec();
    for at in 0..matrix.len() {
        let (done, open) = matrix.split_at_mut(at + 1);
        let pivot = &mut done[at];
        let whole: f64 = columns[at].iter().map(|x| x * x).sum::<f64>().sqrt();
        let norm = pivot[at..].iter().map(|x| x * x).sum::<f64>().sqrt();
        if norm.is_nan() || norm <= whole * 1e-10 {
            return None;
        }
        let sign = if pivot[at] < 0.0 { -1.0 } else { 1.0 };
        pivot[at] += sign * norm;
        let mirror = &pivot[at..];
        let square: f64 = mirror.iter().map(|x| x * x).sum();
        for column in open.iter_mut() {
            reflect(mirror, square, &mut column[at..]);
        }
        reflect(mirror, square, &mut rest[at..]);
    }
    let residual = rest[matrix.len()..].iter().map(|x| x * x).sum();
    Some(Fit { residual })
}

fn reflect(mirror: &[f64], square: f64, column: &mut [f64]) {
    let along: f64 = mirror.iter().zip(&*column).map(|(m, c)| m * c).sum();
    let factor = 2.0 * along / square;
    for (value, m) in column.iter_mut().zip(mirror) {
        *value -= factor * m;
    }
}

/// Eigenvalues, descending, and their eigenvectors (rows) of a symmetric matrix: Jacobi's rotations, for some twenty
/// rows at most.
pub(super) fn symmetric_eigen(mut matrix: Vec<Vec<f64>>) -> (Vec<f64>, Vec<Vec<f64>>) {
    let n = matrix.len();
    let mut vectors: Vec<Vec<f64>> = (0..n)
        .map(|row| {
            (0..n)
                .map(|column| f64::from(u8::from(row == column)))
                .collect()
        })
        .collect();
    for _ in 0..60 {
        let off: f64 = (0..n)
            .flat_map(|row| (0..row).map(move |column| (row, column)))
            .map(|(row, column)| matrix[row][column].powi(2))
            .sum();
        let on: f64 = (0..n).map(|at| matrix[at][at].powi(2)).sum();
        if off <= on * 1e-28 || !off.is_finite() {
            break;
        }
        for p in 0..n {
            for q in p + 1..n {
                rotate(&mut matrix, &mut vectors, (p, q));
            }
        }
    }
    let mut order: Vec<usize> = (0..n).collect();
    order.sort_by(|one, other| matrix[*other][*other].total_cmp(&matrix[*one][*one]));
    let values = order.iter().map(|at| matrix[*at][*at]).collect();
    let vectors = order
        .iter()
        .map(|at| vectors.iter().map(|row| row[*at]).collect())
        .collect();
    (values, vectors)
}

/// Turns the plane of two axes, p before q, so that their element vanishes.
fn rotate(matrix: &mut [Vec<f64>], vectors: &mut [Vec<f64>], (p, q): (usize, usize)) {
    let element = matrix[p][q];
    if element == 0.0 {
        return;
    }
    let theta = (matrix[q][q] - matrix[p][p]) / (2.0 * element);
    let sign = if theta < 0.0 { -1.0 } else { 1.0 };
    let tangent = sign / (theta.abs() + (theta * theta + 1.0).sqrt());
    let cosine = 1.0 / (tangent * tangent + 1.0).sqrt();
    let sine = tangent * cosine;
    for row in matrix.iter_mut().chain(vectors.iter_mut()) {
        let (x, y) = (row[p], row[q]);
        row[p] = cosine * x - sine * y;
        row[q] = sine * x + cosine * y;
    }
    let (upper, lower) = matrix.split_at_mut(q);
    if let (Some(row_p), Some(row_q)) = (upper.get_mut(p), lower.first_mut()) {
        for (at_p, at_q) in row_p.iter_mut().zip(row_q) {
            let (x, y) = (*at_p, *at_q);
            *at_p = cosine * x - sine * y;
            *at_q = sine * x + cosine * y;
        }
    }
}
