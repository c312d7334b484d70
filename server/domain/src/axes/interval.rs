//! How sure a mean or a share is: 95 % intervals.

/// The quantile 0.975 of the normal distribution.
const Z: f64 = 1.959_963_984_540_054;

/// From and to, where 95 % of intervals made this way hold the true value.
pub type Interval = (f64, f64);

/// Of a share, `yes` out of `count`: Wilson's score interval (E. B. Wilson, "Probable inference, the law of succession, and
/// statistical inference", 1927), which holds for few and for none, too. `None` of nothing.
pub fn wilson(yes: f64, count: f64) -> Option<Interval> {
    if count <= 0.0 {
        return None;
    }
    let share = yes / count;
    let z2 = Z * Z;
    let middle = (share + z2 / (2.0 * count)) / (1.0 + z2 / count);
    let under = share * (1.0 - share) / count + z2 / (4.0 * count * count);
    let half = Z / (1.0 + z2 / count) * under.sqrt();
    Some(((middle - half).max(0.0), (middle + half).min(1.0)))
}

/// Of a mean: mean ± t · s / √n, with Student's t of n − 1 degrees of freedom. `None` of fewer than two values.
pub fn of_mean(values: &[f64]) -> Option<Interval> {
    if values.len() < 2 {
        return None;
    }
    #[expect(clippy::cast_precision_loss, reason = "values that are in memory")]
    let count = values.len() as f64;
    let mean = values.iter().sum::<f64>() / count;
    let squares: f64 = values
        .iter()
        .map(|value| (value - mean) * (value - mean))
        .sum();
    let half = student(count - 1.0) * (squares / (count - 1.0) / count).sqrt();
    Some((mean - half, mean + half))
}

/// The quantile 0.975 of Student's distribution: exact for one and two degrees of freedom, else by G. W. Hill's algorithm 396
/// ("Student's t-quantiles", Communications of the ACM, 1970), to six digits.
fn student(freedom: f64) -> f64 {
    const P: f64 = 0.05;
    if freedom < 1.5 {
        return 12.706_204_736_174_7;
    }
    if freedom < 2.5 {
        return (2.0 / (P * (2.0 - P)) - 2.0_f64).sqrt();
    }
    let a = 1.0 / (freedom - 0.5);
    let b = 48.0 / (a * a);
    let mut c = ((20_700.0 * a / b - 98.0) * a - 16.0) * a + 96.36;
    let d = ((94.5 / (b + c) - 3.0) / b + 1.0) * (a * std::f64::consts::FRAC_PI_2).sqrt() * freedom;
    let mut y = (d * P).powf(2.0 / freedom);
    if y > 0.05 + a {
        let x = -Z;
        y = x * x;
        if freedom < 5.0 {
            c += 0.3 * (freedom - 4.5) * (x + 0.6);
        }
        c += (((0.05 * d * x - 5.0) * x - 7.0) * x - 2.0) * x + b;
        y = (((((0.4 * y + 6.3) * y + 36.0) * y + 94.5) / c - y - 3.0) / b + 1.0) * x;
        y = a * y * y;
        y = y.exp_m1();
    } else {
        y = ((1.0
            / (((freedom + 6.0) / (freedom * y) - 0.089 * d - 0.822) * (freedom + 2.0) * 3.0)
            + 0.5 / (freedom + 4.0))
            * y
            - 1.0)
            * (freedom + 1.0)
            / (freedom + 2.0)
            + 1.0 / y;
    }
    (freedom * y).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quantiles_of_student_are_those_of_scipy() {
        // scipy.stats.t.ppf(0.975, df)
        for (freedom, expected) in [
            (1.0, 12.706_204_736),
            (2.0, 4.302_652_730),
            (3.0, 3.182_446_305),
            (4.0, 2.776_445_105),
            (9.0, 2.262_157_163),
            (29.0, 2.045_229_642),
            (120.0, 1.979_930_405),
        ] {
            let found = student(freedom);
            assert!((found - expected).abs() < 1e-4, "{freedom}: {found}");
        }
    }

    #[test]
    fn shares_have_the_interval_of_wilson() {
        // statsmodels.stats.proportion.proportion_confint(yes, count, method="wilson")
        for ((yes, count), (low, high)) in [
            ((0.0, 10.0), (0.0, 0.277_532_8)),
            ((5.0, 10.0), (0.236_593_1, 0.763_406_9)),
            ((10.0, 10.0), (0.722_467_2, 1.0)),
        ] {
            let found = wilson(yes, count).unwrap();
            assert!(
                (found.0 - low).abs() < 1e-6 && (found.1 - high).abs() < 1e-6,
                "{found:?}"
            );
        }
        assert_eq!(wilson(0.0, 0.0), None);
    }

    #[test]
    fn means_have_the_interval_of_student() {
        let (low, high) = of_mean(&[1.0, 2.0, 3.0, 4.0]).unwrap();
        // 2.5 ± 3.182446 · 1.290994 / 2
        assert!((low - 0.445_739_7).abs() < 1e-4 && (high - 4.554_260_3).abs() < 1e-4);
        assert_eq!(of_mean(&[1.0]), None);
    }
}
