//! The device below an instance: temperature, clock, memory, links.

use crate::cause::Cause;
use crate::random::{Random, Wander};

/// Seconds in which a temperature gets two thirds of the way.
const WARMING_S: f64 = 45.0;

/// Devices of one instance, taken together: the worst temperature, the sum of the power.
pub(crate) struct Device {
    random: Random,
    noise: [Wander; 6],
    /// What this one is like: temperature in °C, power in W, memory in use; nodes are not alike.
    ambient: f64,
    idle_w: f64,
    fragmentation_base: f64,
    pub(crate) temperature: f64,
    /// Share of its full speed, in (0, 1].
    pub(crate) clock: f64,
    /// Share of the links that are up.
    pub(crate) link: f64,
    pub(crate) fragmentation: f64,
    pub(crate) sm: f64,
    pub(crate) dram: f64,
    pub(crate) power: f64,
    pub(crate) nvlink: f64,
    pub(crate) pcie: f64,
    /// Slower or faster than usual for no reason that is seen.
    pub(crate) mood: f64,
}

impl Device {
    pub(crate) fn new(seed: u64, index: usize) -> Self {
        let mut random = Random::new(seed, 100 + index as u64);
        let noise =
            [40.0, 60.0, 90.0, 60.0, 120.0, 30.0].map(|memory| Wander::new(&mut random, memory));
        let ambient = random.between(26.0, 36.0);
        Device {
            noise,
            ambient,
            idle_w: random.between(90.0, 130.0),
            fragmentation_base: random.between(0.12, 0.22),
            temperature: ambient + 25.0,
            clock: 1.0,
            link: 1.0,
            fragmentation: 0.15,
            sm: 0.4,
            dram: 0.3,
            power: 300.0,
            nvlink: 1e9,
            pcie: 1e8,
            mood: 0.0,
            random,
        }
    }

    /// A second later. `busy` ∈ [0, 1] is what the engine asks of it, `since` the seconds since the cause began where
    /// it concerns this device.
    pub(crate) fn step(&mut self, busy: f64, since: Option<(f64, &Cause)>) {
        let mut drawn = [0.0; 6];
        for (value, wander) in drawn.iter_mut().zip(&mut self.noise) {
            *value = wander.step(&mut self.random);
        }
        let [
            sm_noise,
            power_noise,
            heat_noise,
            memory_noise,
            mood,
            link_noise,
        ] = drawn;
        let mut heat = 0.0;
        let mut fragmenting = 0.0;
        self.clock = 1.0;
        self.link = 1.0;
        match since {
            Some((since, Cause::Throttle { severity, .. })) => {
                heat = 24.0 * ramp(since, 0.0, 20.0);
                self.clock = 1.0 - severity * ramp(since, 15.0, 15.0);
            }
            Some((since, Cause::LinkLost { severity, .. })) => {
                self.link = 1.0 - severity * ramp(since, 0.0, 2.0);
            }
            Some((since, Cause::Fragmentation { severity })) => {
                fragmenting = 0.55 * severity.sqrt() * ramp(since, 0.0, 40.0);
            }
            _ => {}
        }
        let work = busy * self.clock * self.link;
        self.sm = (0.12 + 0.75 * work + 0.03 * sm_noise).clamp(0.01, 1.0);
        self.dram = (0.08 + 0.6 * work + 0.025 * sm_noise).clamp(0.01, 1.0);
        self.power = self.idle_w + 520.0 * self.sm * self.clock + 8.0 * power_noise;
        let target = self.ambient + 0.09 * self.power + 1.2 * heat_noise + heat;
        let pace = if heat > 0.0 { 12.0 } else { WARMING_S };
        self.temperature += (target - self.temperature) / pace;
        self.fragmentation =
            (self.fragmentation_base + 0.02 * memory_noise + fragmenting).clamp(0.0, 0.98);
        let open = if self.link < 1.0 { 0.15 } else { 1.0 };
        self.nvlink = (3e9 * busy + 2e8) * open * (1.0 + 0.06 * link_noise).max(0.1);
        self.pcie = (4e8 * busy + 5e7) * (1.0 + 0.08 * link_noise).max(0.1);
        self.mood = 0.03 * mood;
    }

    /// How fast it is now, 1 as usual.
    pub(crate) fn speed(&self) -> f64 {
        self.clock * self.link * (1.0 + self.mood).max(0.5)
    }

    /// Chance that a request stalls within a second because no block is free.
    pub(crate) fn stalls(&self) -> f64 {
        (1.1 * (self.fragmentation - 0.3).max(0.0)).min(0.7)
    }
}

/// From 0 to 1, beginning at `from`, within `within` seconds.
pub(crate) fn ramp(since: f64, from: f64, within: f64) -> f64 {
    ((since - from) / within).clamp(0.0, 1.0)
}
