//! `nvidia_gpu_exporter`, which asks `nvidia-smi`.

use super::{Name, counter, gauge};

pub(super) const NAMES: &[Name] = &[
    gauge("nvidia_smi_mig_sm_activity_ratio", "gpu.sm_active"),
    gauge("nvidia_smi_utilization_gpu_ratio", "gpu.sm_active")
        .after(2)
        .roughly(),
    gauge("nvidia_smi_mig_sm_occupancy_ratio", "gpu.sm_occupancy"),
    gauge("nvidia_smi_mig_tensor_activity_ratio", "gpu.tensor_active"),
    gauge("nvidia_smi_utilization_memory_ratio", "gpu.dram_active")
        .after(2)
        .roughly(),
    gauge("nvidia_smi_memory_used_bytes", "gpu.memory_used_bytes"),
    gauge("nvidia_smi_memory_total_bytes", "gpu.memory_total_bytes"),
    gauge("nvidia_smi_memory_free_bytes", "gpu.free_memory_gb").times(1e-9),
    gauge("nvidia_smi_power_draw_watts", "gpu.power_w"),
    gauge("nvidia_smi_power_draw_average_watts", "gpu.power_w").after(1),
    gauge("nvidia_smi_power_draw_instant_watts", "gpu.power_w").after(2),
    counter("nvidia_smi_energy_joules", "gpu.energy_j"),
    gauge("nvidia_smi_temperature_gpu", "gpu.temperature_c"),
    gauge("nvidia_smi_temperature_memory", "gpu.memory_temperature_c"),
    gauge("nvidia_smi_clocks_current_sm_clock_hz", "gpu.sm_clock_mhz").times(1e-6),
    gauge(
        "nvidia_smi_pcie_throughput_tx_bytes_per_second",
        "gpu.pcie_tx_bytes",
    ),
    gauge(
        "nvidia_smi_pcie_throughput_rx_bytes_per_second",
        "gpu.pcie_rx_bytes",
    ),
    counter(
        "nvidia_smi_ecc_errors_uncorrected_volatile",
        "gpu.ecc_dbe_total",
    ),
    counter(
        "nvidia_smi_ecc_errors_corrected_volatile",
        "gpu.ecc_sbe_total",
    ),
];
