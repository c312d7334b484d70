//! An instance: what waits, what runs, how fast.

use std::collections::VecDeque;

use crate::cause::Cause;
use crate::device::{Device, ramp};
use crate::random::{Random, Wander};
use crate::traffic::Asked;

/// Steps of a second.
pub(crate) const STEPS: u32 = 4;
const STEP_S: f64 = 1.0 / STEPS as f64;
/// Requests that run at once.
const SLOTS: usize = 20;
/// Share of the slots from which on each more slows all down.
const CROWDED: f64 = 0.9;
/// Tokens of input that one request gets through in a second, and the instance.
const PREFILL_PER_S: (f64, f64) = (7000.0, 14_000.0);
/// Seconds a token takes without a draft model.
const TOKEN_S: f64 = 0.042;
/// Tokens of the cache of keys and values.
const CACHE_TOKENS: f64 = 60_000.0;
/// Seconds after which clients hang up.
const PATIENCE_S: f64 = 60.0;

/// What an exporter of an instance and its device tells at an instant.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Reading {
    /// Share of time in which the multiprocessors work, in [0, 1].
    pub sm_active: f64,
    /// Likewise the memory.
    pub dram_active: f64,
    /// Power in watts.
    pub power_w: f64,
    /// Temperature in °C.
    pub temperature_c: f64,
    /// Bytes a second over the links between devices.
    pub nvlink_bytes: f64,
    /// Bytes a second over the bus.
    pub pcie_bytes: f64,
    /// Share of memory in use.
    pub memory_used_ratio: f64,
    /// 0: one free block; near 1: many small ones.
    pub fragmentation: f64,
    /// Largest free block in GB.
    pub largest_free_block_gb: f64,
    /// Requests that run.
    pub running: f64,
    /// Requests that wait.
    pub waiting: f64,
    /// Share of the cache in use.
    pub kv_usage: f64,
    /// Blocks thrown out of the cache within the last second.
    pub evicted_blocks: f64,
    /// Share of the draft model's tokens that were accepted.
    pub acceptance: f64,
    /// Share of the input found in the cache, lately.
    pub prefix_hit_rate: f64,
}

/// A request under way.
struct Running {
    asked: Asked,
    began: f64,
    prefill_left: f64,
    cached: f64,
    first_token: Option<f64>,
    /// Tokens that are still to come.
    left: f64,
    /// Its own pace: prompts decode a little faster or slower.
    pace: f64,
}

/// A request that ended.
pub(crate) struct Ended {
    pub(crate) asked: Asked,
    pub(crate) began: f64,
    pub(crate) cached: f64,
    pub(crate) first_token: f64,
    pub(crate) ended: f64,
    pub(crate) output_tokens: f64,
    pub(crate) is_cut: bool,
}

pub(crate) struct Engine {
    random: Random,
    pub(crate) device: Device,
    waiting: VecDeque<Asked>,
    running: Vec<Running>,
    acceptance_noise: Wander,
    acceptance_base: f64,
    acceptance: f64,
    hit_rate: f64,
    evicted: f64,
}

impl Engine {
    pub(crate) fn new(seed: u64, index: usize) -> Self {
        let mut random = Random::new(seed, 200 + index as u64);
        Engine {
            device: Device::new(seed, index),
            waiting: VecDeque::new(),
            running: Vec::new(),
            acceptance_noise: Wander::new(&mut random, 60.0),
            acceptance_base: random.between(0.66, 0.74),
            acceptance: 0.7,
            hit_rate: 0.7,
            evicted: 0.0,
            random,
        }
    }

    /// How much it has to do.
    pub(crate) fn load(&self) -> usize {
        self.waiting.len() + self.running.len()
    }

    pub(crate) fn accept(&mut self, asked: Asked) {
        self.waiting.push_back(asked);
    }

    /// What changes by the second; `since` is of the cause, where it concerns this instance.
    pub(crate) fn second(&mut self, since: Option<(f64, &Cause)>) {
        let busy = (self.running.len() as f64 / SLOTS as f64).min(1.0);
        self.device
            .step(0.15 * f64::from(u8::from(busy > 0.0)) + 0.85 * busy, since);
        let mut lost = 0.0;
        if let Some((since, Cause::DraftMismatch { severity })) = since {
            lost = severity * ramp(since, 0.0, 5.0);
        }
        let noise = 0.02 * self.acceptance_noise.step(&mut self.random);
        self.acceptance = ((self.acceptance_base + noise) * (1.0 - lost)).clamp(0.02, 0.98);
        let stalls = self.device.stalls();
        self.evicted = if stalls > 0.0 || self.usage() > 0.92 {
            (40.0 * (stalls + (self.usage() - 0.9).max(0.0)) * (0.7 + 0.6 * self.random.unit()))
                .round()
        } else {
            0.0
        };
    }

    /// A quarter of a second from `now` on.
    pub(crate) fn step(&mut self, now: f64, ended: &mut Vec<Ended>) {
        self.admit(now);
        let speed = self.device.speed();
        let stalls = self.device.stalls() * STEP_S;
        let occupancy = self.running.len() as f64 / SLOTS as f64;
        let crowding = 1.0 + 1.2 * ((occupancy - CROWDED) / (1.0 - CROWDED)).max(0.0);
        let prefilling = self
            .running
            .iter()
            .filter(|one| one.prefill_left > 0.0)
            .count();
        let share = PREFILL_PER_S.1 / prefilling.max(1) as f64;
        let prefill = PREFILL_PER_S.0.min(share) * speed;
        // What fills in input takes from those that decode, once it is much.
        let crowd_out = 1.0 + 0.25 * (prefilling as f64 - 2.0).max(0.0);
        let tokens_a_step = 1.0 + 2.0 * self.acceptance;
        let token_s = TOKEN_S * 1.4 / tokens_a_step * crowding * crowd_out / speed;
        let mut at = 0;
        while at < self.running.len() {
            let is_stalled = stalls > 0.0 && self.random.chance(stalls * 2.2);
            let one = &mut self.running[at];
            let mut from = now.max(one.began);
            let until = now + STEP_S;
            if !is_stalled && one.prefill_left > 0.0 {
                let takes = one.prefill_left / prefill;
                let spent = takes.min(until - from);
                one.prefill_left -= spent * prefill;
                from += spent;
                if one.prefill_left <= 1e-6 {
                    one.prefill_left = 0.0;
                    one.first_token = Some(from);
                    one.left -= 1.0;
                }
            }
            if !is_stalled && one.prefill_left <= 0.0 {
                let token_s = token_s * one.pace;
                let made = ((until - from) / token_s).min(one.left);
                one.left -= made;
                from += made * token_s;
            }
            let is_cut = now - one.asked.at > PATIENCE_S;
            if one.left <= 1e-9 && one.prefill_left <= 0.0 || is_cut {
                let one = self.running.swap_remove(at);
                ended.push(end(one, from, is_cut));
            } else {
                at += 1;
            }
        }
    }

    /// Takes up what waits while there is room.
    fn admit(&mut self, now: f64) {
        while self.running.len() < SLOTS && self.usage() < 0.95 {
            let Some(asked) = self.waiting.front() else {
                return;
            };
            if asked.at >= now + STEP_S {
                return;
            }
            let Some(asked) = self.waiting.pop_front() else {
                return;
            };
            // A full cache forgets prefixes.
            let keeps = 1.0 - ((self.usage() - 0.85) / 0.15).clamp(0.0, 1.0) * 0.6;
            let cached = (asked.cacheable * keeps)
                .min(asked.input_tokens - 1.0)
                .round();
            self.hit_rate = 0.95 * self.hit_rate + 0.05 * cached / asked.input_tokens;
            let overhead = self.random.about(0.004, 0.5);
            self.running.push(Running {
                began: asked.at.max(now) + overhead,
                prefill_left: asked.input_tokens - cached + 60.0,
                cached,
                first_token: None,
                left: asked.output_tokens,
                pace: self.random.about(1.0, 0.07),
                asked,
            });
        }
    }

    fn usage(&self) -> f64 {
        let held = self.running.iter().map(|one| {
            let made = one.asked.output_tokens - one.left;
            // Shared prefixes are held once.
            one.asked.input_tokens - 0.8 * one.cached + made
        });
        (held.sum::<f64>() / CACHE_TOKENS).min(1.0)
    }

    pub(crate) fn reading(&self) -> Reading {
        let device = &self.device;
        let usage = self.usage();
        Reading {
            sm_active: device.sm,
            dram_active: device.dram,
            power_w: device.power,
            temperature_c: device.temperature.round(),
            nvlink_bytes: device.nvlink,
            pcie_bytes: device.pcie,
            memory_used_ratio: 0.86 + 0.06 * usage,
            fragmentation: device.fragmentation,
            largest_free_block_gb: 9.0 * (1.0 - device.fragmentation),
            running: self.running.len() as f64,
            waiting: self.waiting.len() as f64,
            kv_usage: usage,
            evicted_blocks: self.evicted,
            acceptance: self.acceptance,
            prefix_hit_rate: self.hit_rate,
        }
    }
}

fn end(one: Running, at: f64, is_cut: bool) -> Ended {
    let made = (one.asked.output_tokens - one.left.max(0.0))
        .max(0.0)
        .round();
    Ended {
        began: one.began,
        cached: one.cached,
        first_token: one.first_token.unwrap_or(at),
        ended: at,
        output_tokens: made.max(1.0),
        is_cut,
        asked: one.asked,
    }
}
