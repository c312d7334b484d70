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

    /// The axis of a series, by the head of its name; scores are of quality. That requests fail or are dear is of the
    /// axis that serves them.
    pub fn of(series: &str) -> Option<Self> {
        if matches!(series, "errors" | "cost") {
            return Some(Axis::Token);
        }
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

/// What a value rises or falls with when nothing is wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Follows {
    /// Nothing in particular.
    Nothing,
    /// It rises with work: a fall is a fault, a rise beside more work is none.
    Work,
    /// It falls with work.
    IdleCapacity,
    /// It rises with power: heat is a fault where power did not rise.
    Power,
}

/// What is known of a series.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Known {
    /// Its layer.
    pub tier: Tier,
    /// Who has it.
    pub carrier: Carrier,
    /// What it follows when nothing is wrong.
    pub follows: Follows,
    /// It is a state of the engine, which follows from what happens to devices as well as from work: what is a cause
    /// of its own goes first.
    pub is_state: bool,
    /// How near to a cause it is among those of its layer: of features that move alike, the lower one speaks.
    pub depth: u8,
}

const fn device(depth: u8, follows: Follows) -> Known {
    Known {
        tier: Tier::Device,
        carrier: Carrier::Instance,
        follows,
        is_state: false,
        depth,
    }
}

const fn request(tier: Tier, depth: u8) -> Known {
    Known {
        tier,
        carrier: Carrier::Request,
        follows: Follows::Nothing,
        is_state: false,
        depth,
    }
}

const fn engine(depth: u8, is_state: bool) -> Known {
    Known {
        tier: Tier::Workload,
        is_state,
        ..device(depth, Follows::Nothing)
    }
}

/// One line a series. Scores are content; what is not named here is not a candidate.
const TABLE: &[(&str, Known)] = &[
    ("gpu.xid", device(0, Follows::Nothing)),
    ("gpu.ecc_dbe_total", device(0, Follows::Nothing)),
    ("gpu.throttle", device(0, Follows::Nothing)),
    ("gpu.sm_clock_mhz", device(0, Follows::Nothing)),
    ("gpu.temperature_c", device(1, Follows::Power)),
    ("gpu.memory_temperature_c", device(1, Follows::Power)),
    (
        "gpu.memory_fragmentation_ratio",
        device(1, Follows::Nothing),
    ),
    ("gpu.largest_free_block_gb", device(1, Follows::Nothing)),
    ("gpu.free_memory_gb", device(2, Follows::IdleCapacity)),
    ("gpu.memory_used_ratio", device(2, Follows::Work)),
    ("gpu.nvlink_rx_bytes", device(1, Follows::Work)),
    ("gpu.nvlink_tx_bytes", device(1, Follows::Work)),
    ("gpu.pcie_rx_bytes", device(2, Follows::Work)),
    ("gpu.pcie_tx_bytes", device(2, Follows::Work)),
    ("gpu.power_w", device(2, Follows::Work)),
    ("gpu.sm_active", device(3, Follows::Work)),
    ("gpu.tensor_active", device(3, Follows::Work)),
    ("gpu.dram_active", device(3, Follows::Work)),
    ("token.input_tokens", request(Tier::Workload, 0)),
    ("token.cached_tokens", request(Tier::Workload, 0)),
    ("token.kv_cache_hit_rate", request(Tier::Workload, 0)),
    ("token.output_tokens", request(Tier::Workload, 1)),
    ("token.speculative_acceptance_rate", engine(0, false)),
    ("token.prefix_cache_hit_rate", engine(1, true)),
    ("token.kv_evicted_blocks", engine(2, true)),
    ("token.kv_evicted_tokens", engine(2, true)),
    ("token.kv_cache_usage", engine(2, true)),
    ("token.batch_size", engine(2, true)),
    ("token.running_requests", engine(2, true)),
    ("token.waiting_requests", engine(2, true)),
    ("token.queue_ms", request(Tier::Outcome, 0)),
    ("token.prefill_ms", request(Tier::Outcome, 0)),
    ("token.tpot_ms", request(Tier::Outcome, 0)),
    ("token.decode_tokens_per_s", request(Tier::Outcome, 0)),
    ("token.ttft_ms", request(Tier::Outcome, 0)),
    ("token.e2e_ms", request(Tier::Outcome, 0)),
];

/// What is known of a series, if anything.
pub fn of(series: &str) -> Option<Known> {
    let found = TABLE.iter().find(|(name, _)| *name == series);
    found
        .map(|(_, known)| *known)
        .or_else(|| (Axis::of(series)? == Axis::Quality).then_some(request(Tier::Content, 0)))
}

/// Checks that fail when a client hangs up: what comes of latency, and of poor answers, and is the cause of neither.
const HOW_IT_ENDED: [&str; 3] = [
    "quality.truncated_json",
    "quality.stop_reason_valid",
    "quality.format_valid",
];

/// Whether a series may be the cause of a symptom: an outcome never; of a poor answer neither its length nor another
/// check of it, for a refusal is short, and the shortness did not refuse.
pub fn may_cause(series: &str, symptom: &str) -> bool {
    let Some(known) = of(series) else {
        return false;
    };
    if series == symptom || known.tier == Tier::Outcome {
        return false;
    }
    if HOW_IT_ENDED.contains(&series) {
        return false;
    }
    let answers = Axis::of(symptom) == Some(Axis::Quality);
    !(answers && (known.tier == Tier::Content || series == "token.output_tokens"))
}
