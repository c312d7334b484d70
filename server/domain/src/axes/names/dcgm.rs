//! DCGM exporter.

use super::{Name, counter, gauge};

/// Bytes of a mebibyte.
const MEBI: f64 = 1_048_576.0;

pub(super) const NAMES: &[Name] = &[
    gauge("DCGM_FI_PROF_SM_ACTIVE", "gpu.sm_active"),
    gauge("DCGM_FI_PROF_GR_ENGINE_ACTIVE", "gpu.sm_active")
        .after(1)
        .roughly(),
    // In percent, of the time in which any kernel ran.
    gauge("DCGM_FI_DEV_GPU_UTIL", "gpu.sm_active")
        .times(0.01)
        .after(2)
        .roughly(),
    gauge("DCGM_FI_PROF_SM_OCCUPANCY", "gpu.sm_occupancy"),
    gauge("DCGM_FI_PROF_PIPE_TENSOR_ACTIVE", "gpu.tensor_active"),
    gauge("DCGM_FI_PROF_DRAM_ACTIVE", "gpu.dram_active"),
    gauge("DCGM_FI_DEV_MEM_COPY_UTIL", "gpu.dram_active")
        .times(0.01)
        .after(2)
        .roughly(),
    gauge("DCGM_FI_DEV_FB_USED", "gpu.memory_used_bytes").times(MEBI),
    gauge("DCGM_FI_DEV_FB_TOTAL", "gpu.memory_total_bytes").times(MEBI),
    gauge("DCGM_FI_DEV_FB_FREE", "gpu.free_memory_gb").times(MEBI / 1e9),
    gauge("DCGM_FI_DEV_POWER_USAGE", "gpu.power_w"),
    gauge("DCGM_FI_DEV_POWER_USAGE_INSTANT", "gpu.power_w").after(1),
    // In millijoules.
    counter("DCGM_FI_DEV_TOTAL_ENERGY_CONSUMPTION", "gpu.energy_j").times(1e-3),
    gauge("DCGM_FI_DEV_GPU_TEMP", "gpu.temperature_c"),
    gauge("DCGM_FI_DEV_MEMORY_TEMP", "gpu.memory_temperature_c"),
    gauge("DCGM_FI_DEV_SM_CLOCK", "gpu.sm_clock_mhz"),
    gauge("DCGM_FI_DEV_CLOCK_THROTTLE_REASONS", "gpu.throttle"),
    gauge("DCGM_FI_DEV_CLOCKS_EVENT_REASONS", "gpu.throttle"),
    // Bytes a second already, whatever is declared.
    gauge("DCGM_FI_PROF_PCIE_TX_BYTES", "gpu.pcie_tx_bytes"),
    gauge("DCGM_FI_PROF_PCIE_RX_BYTES", "gpu.pcie_rx_bytes"),
    gauge("DCGM_FI_PROF_NVLINK_TX_BYTES", "gpu.nvlink_tx_bytes"),
    gauge("DCGM_FI_PROF_NVLINK_RX_BYTES", "gpu.nvlink_rx_bytes"),
    counter("DCGM_FI_DEV_ECC_DBE_VOL_TOTAL", "gpu.ecc_dbe_total"),
    counter("DCGM_FI_DEV_ECC_DBE_AGG_TOTAL", "gpu.ecc_dbe_total").after(1),
    counter("DCGM_FI_DEV_ECC_SBE_VOL_TOTAL", "gpu.ecc_sbe_total"),
    counter("DCGM_FI_DEV_ECC_SBE_AGG_TOTAL", "gpu.ecc_sbe_total").after(1),
    // The last code, until a reset.
    gauge("DCGM_FI_DEV_XID_ERRORS", "gpu.xid"),
    counter("DCGM_FI_DEV_PCIE_REPLAY_COUNTER", "gpu.pcie_replay"),
];
