//! Where a value lies among those of the same hour on other days: the baseline of a single request.

use super::standing::rank;
use crate::alert::baseline::Pool;
use crate::alert::kind::Direction;
use crate::alert::settings::AlertSettings;

/// Of what is as rare as that nothing is usual.
const RARE: f64 = 0.05;

/// Values of an hour, as far as other days have them.
#[derive(Clone, Debug, PartialEq)]
pub enum Hourly {
    /// They say what is usual.
    Usual(Usual),
    /// They are too few for that.
    TooLittle {
        /// Days that have any.
        days: u32,
        /// Values of all days.
        count: usize,
    },
}

/// What is usual at an hour.
#[derive(Clone, Debug, PartialEq)]
pub struct Usual {
    /// Median and MAD of the values of all days.
    pub pool: Pool,
    /// How far from the median is usual: MADs, as the project has set.
    pub reach: f64,
    /// Their mean: of what says yes or no the share of yes.
    pub share: f64,
    /// Days that have any.
    pub days: u32,
    /// All of them, ascending.
    values: Vec<f64>,
}

impl Hourly {
    /// Of the values of each day, in any order. The settings say how many are enough, and how many MADs are usual.
    #[expect(clippy::cast_precision_loss, reason = "values that are in memory")]
    pub fn of(by_day: &[Vec<f64>], settings: &AlertSettings) -> Self {
        let days = by_day.iter().filter(|day| !day.is_empty()).count();
        let days = u32::try_from(days).unwrap_or(u32::MAX);
        let mut values: Vec<f64> = by_day.concat();
        let count = values.len();
        let too_little = Hourly::TooLittle { days, count };
        if count < settings.min_samples as usize {
            return too_little;
        }
        let Some(pool) = Pool::of(&mut values) else {
            return too_little;
        };
        Hourly::Usual(Usual {
            reach: pool.baseline(settings.baseline_mads, Direction::Up) - pool.median,
            share: values.iter().sum::<f64>() / count as f64,
            pool,
            days,
            values,
        })
    }
}

impl Usual {
    /// How many values it is of.
    pub fn count(&self) -> usize {
        self.values.len()
    }

    /// Whether a value lies further from the median than is usual. Where more than half of the values are the same, nothing
    /// is between usual and not: then what fewer than one in twenty have is not.
    pub fn is_outside(&self, value: f64) -> bool {
        let distance = (value - self.pool.median).abs();
        if self.reach > 0.0 {
            return distance > self.reach;
        }
        let side = rank(&self.values, value).unwrap_or(0.5);
        distance > 0.0 && side.min(1.0 - side) < RARE / 2.0
    }

    /// The same of yes or no: a yes where fewer than one in twenty say so, or a no.
    pub fn is_rare(&self, value: f64) -> bool {
        let of_same = if value > 0.5 {
            self.share
        } else {
            1.0 - self.share
        };
        of_same < RARE
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn usual(by_day: &[Vec<f64>]) -> Usual {
        match Hourly::of(by_day, &AlertSettings::default()) {
            Hourly::Usual(usual) => usual,
            Hourly::TooLittle { .. } => panic!("there are enough"),
        }
    }

    #[test]
    fn usual_is_the_median_and_three_mads_around_it() {
        let day = |first: u32| (first..first + 21).map(f64::from).collect::<Vec<f64>>();
        // 0 to 20, 10 to 30: the median is 15, half of all lie within 5 of it.
        let usual = usual(&[day(0), Vec::new(), day(10)]);
        assert_eq!((usual.days, usual.count()), (2, 42));
        assert_eq!(
            (usual.pool.median, usual.pool.mad, usual.reach),
            (15.0, 5.0, 15.0)
        );
        assert!(!usual.is_outside(0.0) && !usual.is_outside(30.0));
        assert!(usual.is_outside(-0.5) && usual.is_outside(30.5));
    }

    #[test]
    fn where_most_are_the_same_the_rare_is_not_usual() {
        let mut values = vec![0.0; 60];
        values.extend([7.0; 30]);
        values.push(9.0);
        let usual = usual(&[values]);
        assert_eq!(usual.reach, 0.0);
        assert!(!usual.is_outside(0.0) && !usual.is_outside(7.0));
        assert!(usual.is_outside(9.0) && usual.is_outside(-1.0));
    }

    #[test]
    fn a_no_is_rare_where_nearly_all_say_yes() {
        let mut values = vec![1.0; 99];
        values.push(0.0);
        let usual = usual(&[values]);
        assert!(usual.is_rare(0.0) && !usual.is_rare(1.0));
        assert!((usual.share - 0.99).abs() < 1e-12);
    }

    #[test]
    fn too_few_values_say_nothing_and_tell_how_many_days_have_any() {
        let days = [vec![1.0; 20], Vec::new(), vec![1.0; 9]];
        let told = Hourly::of(&days, &AlertSettings::default());
        assert_eq!(told, Hourly::TooLittle { days: 2, count: 29 });
        let none = Hourly::of(&[], &AlertSettings::default());
        assert_eq!(none, Hourly::TooLittle { days: 0, count: 0 });
    }
}
