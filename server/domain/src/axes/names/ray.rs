//! Ray's own series of a node; vLLM's under Ray are vLLM's.

use super::{Name, gauge};

pub(super) const NAMES: &[Name] = &[
    // In percent and in megabytes.
    gauge("ray_node_gpus_utilization", "gpu.sm_active")
        .times(0.01)
        .after(2)
        .roughly(),
    gauge("ray_node_gram_used", "gpu.memory_used_bytes")
        .times(1e6)
        .after(1),
];
