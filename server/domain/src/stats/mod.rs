//! Statistics: one formula a file, each a pure function that bears empty, constant and missing input.
//!
//! Where a formula has no answer (no values, no spread) the function says `None`, or the value that changes nothing:
//! a p-value of 1, an effect of 0. Values that are no numbers are left out or make the answer `None`; nothing panics.
//! `tests/golden/stats.json` beside the crate holds what SciPy, scikit-learn and statsmodels say of the same input.

/// How far raters agree.
pub mod agreement;
/// How long a series remembers.
pub mod autocorrelation;
/// Where a series changes its level.
pub mod change_point;
/// How far two series rise and fall together.
pub mod correlation;
/// Clusters by density.
pub mod dbscan;
/// Many tests at once.
pub mod false_discovery;
/// Whether one series foretells another.
pub mod granger;
/// Intervals of proportions.
pub mod interval;
/// Whether two samples come from one distribution.
pub mod kolmogorov_smirnov;
/// Small systems of linear equations.
mod linear;
/// Principal components.
pub mod pca;
/// Medians, quantiles, spread.
pub mod quantile;
/// Weights that give a table other margins.
pub mod raking;
/// Ranks and what is made of them.
pub mod rank;
/// Risks of two groups.
pub mod risk;
/// Differences within strata.
pub mod strata;
/// Tables of counts.
pub mod table;
/// How unlikely a statistic is: tails of distributions.
pub mod tail;

/// A count as a number; exact below 2⁵³.
#[expect(clippy::cast_precision_loss, reason = "counts stay far below 2⁵³")]
pub(crate) fn number(count: usize) -> f64 {
    count as f64
}
