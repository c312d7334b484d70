//! Differences within strata: what is compared is alike in everything that makes a stratum.

use super::number;

/// By how many standard deviations the marked values of each stratum lie above what they would if marks were given by
/// chance within it: the permutation test of means, put together over strata. Of truths it is Cochran, Mantel and
/// Haenszel's (1959), not corrected for continuity. `None` where no stratum has marked and other values that differ.
pub fn difference_within<'v>(strata: impl IntoIterator<Item = &'v [(f64, bool)]>) -> Option<f64> {
    let (mut difference, mut variance) = (0.0, 0.0);
    for stratum in strata {
        let marked = stratum.iter().filter(|(_, is_marked)| *is_marked).count();
        let (all, marked) = (number(stratum.len()), number(marked));
        let are_same = stratum
            .windows(2)
            .all(|pair| pair[0].0.total_cmp(&pair[1].0).is_eq());
        if marked < 1.0 || all - marked < 1.0 || are_same {
            continue;
        }
        let mean = stratum.iter().map(|(value, _)| value).sum::<f64>() / all;
        let apart = |(value, _): &(f64, bool)| value - mean;
        let of_marked = stratum.iter().filter(|(_, is_marked)| *is_marked);
        difference += of_marked.map(apart).sum::<f64>();
        let squares: f64 = stratum.iter().map(|one| apart(one).powi(2)).sum();
        variance += marked * (all - marked) / (all * (all - 1.0)) * squares;
    }
    (variance > 0.0 && variance.is_finite()).then(|| difference / variance.sqrt())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn same(one: Option<f64>, other: f64) {
        assert!((one.unwrap() - other).abs() < 1e-12, "{one:?}, {other}");
    }

    #[test]
    fn it_is_mantel_and_haenszels_for_truths() {
        // Tables (bad and fine of the marked, of the others): 6, 4, 2, 8 and 3, 2, 1, 4.
        let table = |a: usize, b: usize, c: usize, d: usize| {
            let cell = |count, value, is_marked| std::iter::repeat_n((value, is_marked), count);
            let marked = cell(a, 1.0, true).chain(cell(b, 0.0, true));
            let others = cell(c, 1.0, false).chain(cell(d, 0.0, false));
            marked.chain(others).collect::<Vec<_>>()
        };
        let strata = [table(6, 4, 2, 8), table(3, 2, 1, 4)];
        // (a − m₁n₁/n) = 2 and 1; m₁m₀n₁n₀/n²(n − 1) = 10·10·8·12/400·19 and 5·5·4·6/100·9.
        let variance = 9_600.0 / 7_600.0 + 600.0 / 900.0;
        let z = difference_within(strata.iter().map(Vec::as_slice));
        same(z, 3.0 / f64::sqrt(variance));
    }

    #[test]
    fn what_differs_between_strata_alone_is_no_difference() {
        let low = [(0.1, false), (0.1, false), (0.1, true)];
        let high = [(0.9, true), (0.9, true), (0.9, false)];
        assert_eq!(difference_within([&low[..], &high[..]]), None);
        let apart = [(0.0, false), (1.0, false), (2.0, true), (3.0, true)];
        // Mean 1.5, squares 5, 2·2/(4·3) of them.
        same(difference_within([&apart[..]]), 2.0 / f64::sqrt(5.0 / 3.0));
        assert_eq!(difference_within([&apart[..2], &apart[2..]]), None);
        assert_eq!(difference_within([]), None);
    }
}
