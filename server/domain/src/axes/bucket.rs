//! Histograms and their quantiles.
//!
//! Two kinds come in. Prometheus' own have counts that reach from the beginning up to a bound, `le`. Exponential ones
//! (OpenTelemetry's, and what Prometheus calls native) have counts of buckets that stand alone, whose bounds grow by
//! the factor 2^(2^−scale); they are kept as series with both bounds, `gt` and `le`.

/// Finest scale that is kept: bounds grow by 2^(1/8), so that a quantile is wrong by 4.5 % at most. Senders begin
/// finer and grow coarser while values spread; without this each step would make new series.
pub const MAX_SCALE: i32 = 3;
/// Coarsest scale that means anything: one bucket reaches over all doubles.
pub const MIN_SCALE: i32 = -11;
/// Most buckets of one histogram.
pub const MAX_BUCKETS: usize = 1_000;

/// A bucket that stands alone: above < value ≤ `up_to`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Bucket {
    /// Its lower bound; −∞ for the first.
    pub above: f64,
    /// Its upper bound; ∞ for the last.
    pub up_to: f64,
    /// How many observations lie in it.
    pub count: f64,
}

/// One side of an exponential histogram: bucket `i` counts base^i < value ≤ base^(i + 1).
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Exponential {
    /// Base is 2^(2^−scale).
    pub scale: i32,
    /// Counts by index, in the order of the indexes.
    pub counts: Vec<(i64, f64)>,
}

impl Exponential {
    /// Its buckets that hold anything, at [`MAX_SCALE`] or coarser; merging neighbours is exact. `None` for more
    /// than [`MAX_BUCKETS`] and for an impossible scale.
    pub fn buckets(&self) -> Option<Vec<Bucket>> {
        if self.counts.len() > MAX_BUCKETS || !(MIN_SCALE..=60).contains(&self.scale) {
            return None;
        }
        let shift = (self.scale - MAX_SCALE).max(0);
        let scale = self.scale - shift;
        let mut buckets: Vec<(i64, f64)> = Vec::new();
        for (index, count) in &self.counts {
            if *count <= 0.0 {
                continue;
            }
            let index = index >> shift.min(62);
            match buckets.last_mut() {
                Some((last, total)) if *last == index => *total += count,
                _ => buckets.push((index, *count)),
            }
        }
        let alone = buckets.into_iter().map(|(index, count)| Bucket {
            above: bound(scale, index),
            up_to: bound(scale, index + 1),
            count,
        });
        Some(alone.collect())
    }
}

/// base^index, exact wherever it is a power of two.
fn bound(scale: i32, index: i64) -> f64 {
    #[expect(clippy::cast_precision_loss, reason = "indexes lie within 2^33")]
    let index = index as f64;
    (index * f64::exp2(-f64::from(scale))).exp2()
}

/// Buckets that stand alone, from counts up to a bound. Counts that fall, as they do when some of them were read
/// later than others, count as none.
pub fn apart(mut up_to: Vec<(f64, f64)>) -> Vec<Bucket> {
    up_to.sort_by(|(one, _), (other, _)| one.total_cmp(other));
    let (mut above, mut before) = (f64::NEG_INFINITY, 0.0_f64);
    let alone = up_to.into_iter().map(|(bound, count)| {
        let bucket = Bucket {
            above,
            up_to: bound,
            count: (count - before).max(0.0),
        };
        (above, before) = (bound, before.max(count));
        bucket
    });
    alone.collect()
}

/// A quantile, 0 to 1. Within a bucket whose bounds are both positive and that came alone (`is_exponential`), values
/// are taken to grow evenly by factors, else evenly by sums, as Prometheus does. `None` when nothing was observed, and
/// when there is no bound but ∞.
pub fn quantile(q: f64, buckets: &[Bucket], is_exponential: bool) -> Option<f64> {
    let mut buckets: Vec<&Bucket> = buckets
        .iter()
        .filter(|bucket| bucket.count > 0.0 || !is_exponential)
        .collect();
    buckets.sort_by(|one, other| one.up_to.total_cmp(&other.up_to));
    let total: f64 = buckets.iter().map(|bucket| bucket.count).sum();
    if total.is_nan() || total <= 0.0 || !(0.0..=1.0).contains(&q) {
        return None;
    }
    let rank = q * total;
    let mut before = 0.0;
    for bucket in &buckets {
        if bucket.count > 0.0 && before + bucket.count >= rank {
            return within(bucket, (rank - before) / bucket.count, is_exponential);
        }
        before += bucket.count;
    }
    buckets
        .last()
        .and_then(|last| within(last, 1.0, is_exponential))
}

fn within(bucket: &Bucket, share: f64, is_exponential: bool) -> Option<f64> {
    let Bucket { above, up_to, .. } = *bucket;
    if up_to.is_infinite() {
        // All that is known is that it lies beyond the last bound.
        return above.is_finite().then_some(above);
    }
    if above.is_infinite() {
        // What is measured is not below zero as a rule.
        return Some(if up_to > 0.0 { up_to * share } else { up_to });
    }
    if is_exponential && above > 0.0 {
        return Some(above * (up_to / above).powf(share));
    }
    if is_exponential && up_to < 0.0 {
        return Some(above * (up_to / above).powf(share));
    }
    Some(above + (up_to - above) * share)
}
