//! What is known beforehand: which layer a value is of, and so what it may be the cause of.

/// A side from which requests are seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Axis {
    /// The device.
    Gpu,
    /// The engine and its work.
    Token,
    /// What was answered.
    Quality,
}

impl Axis {
    /// All of them, nearest to the device first.
    pub const ALL: [Axis; 3] = [Axis::Gpu, Axis::Token, Axis::Quality];

    /// Its name in the API.
    pub fn as_str(self) -> &'static str {
        match self {
            Axis::Gpu => "gpu",
            Axis::Token => "token",
            Axis::Quality => "quality",
        }
    }

    /// The axis of a series, by the head of its name; scores are of quality.
    pub fn of(series: &str) -> Option<Self> {
        let (head, _) = series.split_once('.')?;
        match head {
            "gpu" => Some(Axis::Gpu),
            "token" => Some(Axis::Token),
            "quality" | "score" => Some(Axis::Quality),
            _ => None,
        }
    }
}

/// A layer that a request passes through. A fault shows in its layer and those after it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Tier {
    /// May cause everything.
    Device,
    /// Work and engine: may cause latency, and poor answers.
    Workload,
    /// May cause latency by its length, and poor answers.
    Content,
    /// What comes of it all: causes nothing.
    Outcome,
}

/// Who has one value of it at a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Carrier {
    /// The instance: all requests that it serves share a reading.
    Instance,
    /// Each request has its own.
    Request,
}

/// What is known of a series.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Known {
    /// Its layer.
    pub tier: Tier,
    /// Who has it.
    pub carrier: Carrier,
    /// More of it means more work: as a rise it explains only half.
    pub is_utilisation: bool,
    /// How near to a cause it is among those of its layer: of features that move alike, the lower one speaks.
    pub depth: u8,
}

const fn known(tier: Tier, carrier: Carrier, depth: u8) -> Known {
    Known {
        tier,
        carrier,
        is_utilisation: false,
        depth,
    }
}

const fn utilisation(depth: u8) -> Known {
    Known {
        is_utilisation: true,
        ..known(Tier::Device, Carrier::Instance, depth)
    }
}

/// One line a series. Scores are content; what is not named here is not a candidate.
const TABLE: &[(&str, Known)] = &[
    ("gpu.xid", known(Tier::Device, Carrier::Instance, 0)),
    (
        "gpu.ecc_dbe_total",
        known(Tier::Device, Carrier::Instance, 0),
    ),
    ("gpu.throttle", known(Tier::Device, Carrier::Instance, 0)),
    (
        "gpu.sm_clock_mhz",
        known(Tier::Device, Carrier::Instance, 0),
    ),
    (
        "gpu.temperature_c",
        known(Tier::Device, Carrier::Instance, 1),
    ),
    (
        "gpu.memory_temperature_c",
        known(Tier::Device, Carrier::Instance, 1),
    ),
    (
        "gpu.memory_fragmentation_ratio",
        known(Tier::Device, Carrier::Instance, 1),
    ),
    (
        "gpu.largest_free_block_gb",
        known(Tier::Device, Carrier::Instance, 1),
    ),
    (
        "gpu.free_memory_gb",
        known(Tier::Device, Carrier::Instance, 2),
    ),
    (
        "gpu.memory_used_ratio",
        known(Tier::Device, Carrier::Instance, 2),
    ),
    (
        "gpu.nvlink_rx_bytes",
        known(Tier::Device, Carrier::Instance, 1),
    ),
    (
        "gpu.nvlink_tx_bytes",
        known(Tier::Device, Carrier::Instance, 1),
    ),
    (
        "gpu.pcie_rx_bytes",
        known(Tier::Device, Carrier::Instance, 2),
    ),
    (
        "gpu.pcie_tx_bytes",
        known(Tier::Device, Carrier::Instance, 2),
    ),
    ("gpu.power_w", utilisation(2)),
    ("gpu.sm_active", utilisation(3)),
    ("gpu.tensor_active", utilisation(3)),
    ("gpu.dram_active", utilisation(3)),
    (
        "token.input_tokens",
        known(Tier::Workload, Carrier::Request, 0),
    ),
    (
        "token.cached_tokens",
        known(Tier::Workload, Carrier::Request, 0),
    ),
    (
        "token.kv_cache_hit_rate",
        known(Tier::Workload, Carrier::Request, 0),
    ),
    (
        "token.output_tokens",
        known(Tier::Workload, Carrier::Request, 1),
    ),
    (
        "token.speculative_acceptance_rate",
        known(Tier::Workload, Carrier::Instance, 0),
    ),
    (
        "token.prefix_cache_hit_rate",
        known(Tier::Workload, Carrier::Instance, 1),
    ),
    (
        "token.kv_evicted_blocks",
        known(Tier::Workload, Carrier::Instance, 2),
    ),
    (
        "token.kv_evicted_tokens",
        known(Tier::Workload, Carrier::Instance, 2),
    ),
    (
        "token.kv_cache_usage",
        known(Tier::Workload, Carrier::Instance, 2),
    ),
    (
        "token.batch_size",
        known(Tier::Workload, Carrier::Instance, 2),
    ),
    (
        "token.running_requests",
        known(Tier::Workload, Carrier::Instance, 2),
    ),
    (
        "token.waiting_requests",
        known(Tier::Workload, Carrier::Instance, 2),
    ),
    ("token.queue_ms", known(Tier::Outcome, Carrier::Request, 0)),
    (
        "token.prefill_ms",
        known(Tier::Outcome, Carrier::Request, 0),
    ),
    ("token.tpot_ms", known(Tier::Outcome, Carrier::Request, 0)),
    (
        "token.decode_tokens_per_s",
        known(Tier::Outcome, Carrier::Request, 0),
    ),
    ("token.ttft_ms", known(Tier::Outcome, Carrier::Request, 0)),
    ("token.e2e_ms", known(Tier::Outcome, Carrier::Request, 0)),
];

/// What is known of a series, if anything.
pub fn of(series: &str) -> Option<Known> {
    let found = TABLE.iter().find(|(name, _)| *name == series);
    found.map(|(_, known)| *known).or_else(|| {
        (Axis::of(series)? == Axis::Quality).then_some(known(Tier::Content, Carrier::Request, 0))
    })
}

/// Whether a series may be the cause of a symptom: an outcome never; of a poor answer neither its length nor another
/// check of it, for a refusal is short, and the shortness did not refuse.
pub fn may_cause(series: &str, symptom: &str) -> bool {
    let Some(known) = of(series) else {
        return false;
    };
    if series == symptom || known.tier == Tier::Outcome {
        return false;
    }
    let answers = Axis::of(symptom) == Some(Axis::Quality);
    !(answers && (known.tier == Tier::Content || series == "token.output_tokens"))
}
