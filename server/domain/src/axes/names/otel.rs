//! OpenTelemetry's conventions for generative AI on the server's side and for hardware.

use super::{Name, gauge, histogram};

pub(super) const NAMES: &[Name] = &[
    histogram("gen_ai_server_request_duration", "token.e2e_ms").times(1e3),
    histogram("gen_ai_server_request_duration_seconds", "token.e2e_ms").times(1e3),
    histogram("gen_ai_server_time_to_first_token", "token.ttft_ms").times(1e3),
    histogram("gen_ai_server_time_to_first_token_seconds", "token.ttft_ms").times(1e3),
    histogram("gen_ai_server_time_per_output_token", "token.tpot_ms").times(1e3),
    histogram(
        "gen_ai_server_time_per_output_token_seconds",
        "token.tpot_ms",
    )
    .times(1e3),
    gauge("hw_gpu_utilization", "gpu.sm_active")
        .when("hw.gpu.task", "general")
        .after(2)
        .roughly(),
    gauge("hw_gpu_memory_usage", "gpu.memory_used_bytes"),
    gauge("hw_gpu_memory_limit", "gpu.memory_total_bytes"),
    gauge("hw_gpu_memory_utilization", "gpu.memory_used_ratio"),
    gauge("hw_power", "gpu.power_w").when("hw.type", "gpu"),
    gauge("hw_temperature", "gpu.temperature_c").when("hw.type", "gpu"),
];
