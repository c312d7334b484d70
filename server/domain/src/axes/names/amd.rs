//! AMD's device metrics exporter.

use super::{Name, counter, gauge};

pub(super) const NAMES: &[Name] = &[
    gauge("gpu_prof_sm_active", "gpu.sm_active").times(0.01),
    gauge("gpu_gfx_activity", "gpu.sm_active")
        .times(0.01)
        .after(1)
        .roughly(),
    gauge("gpu_prof_occupancy_percent", "gpu.sm_occupancy").times(0.01),
    gauge("gpu_prof_tensor_active_percent", "gpu.tensor_active").times(0.01),
    gauge("gpu_umc_activity", "gpu.dram_active")
        .times(0.01)
        .roughly(),
    // In megabytes.
    gauge("gpu_used_vram", "gpu.memory_used_bytes").times(1e6),
    gauge("gpu_total_vram", "gpu.memory_total_bytes").times(1e6),
    gauge("gpu_free_vram", "gpu.free_memory_gb").times(1e-3),
    gauge("gpu_package_power", "gpu.power_w"),
    gauge("gpu_average_package_power", "gpu.power_w").after(1),
    counter("gpu_energy_consumed", "gpu.energy_j"),
    gauge("gpu_junction_temperature", "gpu.temperature_c"),
    gauge("gpu_edge_temperature", "gpu.temperature_c").after(1),
    gauge("gpu_memory_temperature", "gpu.memory_temperature_c"),
    gauge("gpu_clock", "gpu.sm_clock_mhz").when("clock_type", "system"),
    counter("gpu_ecc_uncorrect", "gpu.ecc_dbe_total"),
    counter("gpu_ecc_correct", "gpu.ecc_sbe_total"),
    counter("pcie_replay_count", "gpu.pcie_replay"),
];
