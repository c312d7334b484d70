//! Chance, by a seed.

use rand::rngs::StdRng;
use rand::{Rng, SeedableRng};

/// A source of chance.
pub(crate) struct Random(StdRng);

impl Random {
    /// Different streams of one seed do not disturb each other.
    pub(crate) fn new(seed: u64, stream: u64) -> Self {
        let mixed =
            seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) ^ stream.wrapping_mul(0xD1B5_4A32_D192_ED03);
        Random(StdRng::seed_from_u64(mixed))
    }

    /// In [0, 1).
    pub(crate) fn unit(&mut self) -> f64 {
        self.0.random::<f64>()
    }

    pub(crate) fn between(&mut self, from: f64, to: f64) -> f64 {
        from + (to - from) * self.unit()
    }

    pub(crate) fn chance(&mut self, p: f64) -> bool {
        self.unit() < p
    }

    pub(crate) fn below(&mut self, n: usize) -> usize {
        ((self.unit() * n as f64) as usize).min(n.saturating_sub(1))
    }

    /// Of the standard normal distribution (Box and Muller).
    pub(crate) fn normal(&mut self) -> f64 {
        let radius = (-2.0 * (1.0 - self.unit()).ln()).sqrt();
        radius * (std::f64::consts::TAU * self.unit()).cos()
    }

    /// Lognormal with that median.
    pub(crate) fn about(&mut self, median: f64, sigma: f64) -> f64 {
        median * (sigma * self.normal()).exp()
    }

    /// Exponential with that mean.
    pub(crate) fn wait(&mut self, mean: f64) -> f64 {
        -mean * (1.0 - self.unit()).ln()
    }

    /// One of several, by weight.
    pub(crate) fn pick(&mut self, weights: &[f64]) -> usize {
        let mut rest = self.unit() * weights.iter().sum::<f64>();
        for (at, weight) in weights.iter().enumerate() {
            rest -= weight;
            if rest < 0.0 {
                return at;
            }
        }
        weights.len().saturating_sub(1)
    }
}

/// A quantity that wanders around 0 with standard deviation 1 and forgets within `memory_s`.
pub(crate) struct Wander {
    value: f64,
    keep: f64,
}

impl Wander {
    pub(crate) fn new(random: &mut Random, memory_s: f64) -> Self {
        Wander {
            value: random.normal(),
            keep: (-1.0 / memory_s).exp(),
        }
    }

    /// A second later.
    pub(crate) fn step(&mut self, random: &mut Random) -> f64 {
        self.value =
            self.keep * self.value + (1.0 - self.keep * self.keep).sqrt() * random.normal();
        self.value
    }
}
