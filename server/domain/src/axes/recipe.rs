//! What a value of an instance or a GPU is made of: series by the names that [`super::names`] gives them.
//!
//! Ratios are of what counters grew by: never a mean of ratios, never of what they had grown to in a life.

use super::derived;
use super::value::Fold;

/// One way to a value.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Recipe {
    /// The value itself, several of one instance or GPU folded.
    State(&'static str, Fold),
    /// What counters grew by.
    Growth(&'static str),
    /// It follows from others, by the first of [`derived`] whose parts are all there.
    Derived(&'static str),
}

impl Recipe {
    /// The series that it is made of.
    pub fn parts(&self) -> Vec<&'static str> {
        match self {
            Recipe::State(name, _) | Recipe::Growth(name) => vec![*name],
            Recipe::Derived(name) => derived::parts_of(name).into_iter().collect(),
        }
    }
}

/// Values that are not simply the series of their name.
const MADE: &[(&str, &[Recipe])] = &[
    (
        "token.prefix_cache_hit_rate",
        &[
            Recipe::Derived("token.prefix_cache_hit_rate"),
            Recipe::State("token.prefix_cache_hit_rate", Fold::Mean),
        ],
    ),
    (
        "token.kv_cache_hit_rate",
        &[
            Recipe::Derived("token.kv_cache_hit_rate"),
            Recipe::State("token.kv_cache_hit_rate", Fold::Mean),
        ],
    ),
    (
        "token.kv_cache_usage",
        &[
            Recipe::State("token.kv_cache_usage", Fold::Mean),
            Recipe::Derived("token.kv_cache_usage"),
        ],
    ),
    (
        "token.speculative_acceptance_rate",
        &[
            Recipe::Derived("token.speculative_acceptance_rate"),
            Recipe::State("token.speculative_acceptance_rate", Fold::Mean),
        ],
    ),
    (
        "token.batch_size",
        &[
            Recipe::State("token.batch_size", Fold::Sum),
            Recipe::State("token.running_requests", Fold::Sum),
        ],
    ),
    (
        "token.running_requests",
        &[Recipe::State("token.running_requests", Fold::Sum)],
    ),
    (
        "token.waiting_requests",
        &[Recipe::State("token.waiting_requests", Fold::Sum)],
    ),
    (
        "token.kv_evicted_tokens",
        &[Recipe::Growth("token.kv_evicted_tokens")],
    ),
    (
        "gpu.sm_active",
        &[Recipe::State("gpu.sm_active", Fold::Mean)],
    ),
    (
        "gpu.tensor_active",
        &[Recipe::State("gpu.tensor_active", Fold::Mean)],
    ),
    (
        "gpu.dram_active",
        &[Recipe::State("gpu.dram_active", Fold::Mean)],
    ),
    (
        "gpu.memory_used_ratio",
        &[
            Recipe::State("gpu.memory_used_ratio", Fold::Mean),
            Recipe::Derived("gpu.memory_used_ratio"),
        ],
    ),
    ("gpu.power_w", &[Recipe::State("gpu.power_w", Fold::Sum)]),
    (
        "gpu.temperature_c",
        &[Recipe::State("gpu.temperature_c", Fold::Most)],
    ),
    (
        "gpu.pcie_rx_bytes",
        &[Recipe::State("gpu.pcie_rx_bytes", Fold::Sum)],
    ),
    (
        "gpu.pcie_tx_bytes",
        &[Recipe::State("gpu.pcie_tx_bytes", Fold::Sum)],
    ),
    (
        "gpu.nvlink_rx_bytes",
        &[Recipe::State("gpu.nvlink_rx_bytes", Fold::Sum)],
    ),
    (
        "gpu.nvlink_tx_bytes",
        &[Recipe::State("gpu.nvlink_tx_bytes", Fold::Sum)],
    ),
    // Errors since a reset: what a counter has grown to is what is asked for here.
    (
        "gpu.ecc_dbe_total",
        &[Recipe::State("gpu.ecc_dbe_total", Fold::Sum)],
    ),
    ("gpu.xid", &[Recipe::State("gpu.xid", Fold::Most)]),
    (
        "gpu.free_memory_gb",
        &[
            Recipe::State("gpu.free_memory_gb", Fold::Least),
            Recipe::Derived("gpu.free_memory_gb"),
        ],
    ),
];

/// The ways to a value, the best first.
pub fn of(name: &str) -> &'static [Recipe] {
    let made = MADE.iter().find(|(made, _)| *made == name);
    made.map_or(&[], |(_, recipes)| recipes)
}
