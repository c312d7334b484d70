//! Tokens and money of one call.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::cost::Terms;
use crate::money::Usd;
use crate::span::named_enum;

named_enum!(
    /// Who counted the tokens.
    UsageSource, default Reported {
        /// The instrumentation reported them.
        Reported = "reported",
        /// A tokenizer of ours counted them.
        Estimated = "estimated",
    }
);

named_enum!(
    /// What decided whether cached and other special tokens are part of the reported totals.
    UsageRule, default Plain {
        /// There were none, or they were reported as disjoint: nothing to decide.
        Plain = "plain",
        /// The reported total is the sum of one reading and not of the other.
        Total = "total",
        /// A part was larger than the whole, so it cannot be in it.
        Parts = "parts",
        /// The instrumentation is known to count so.
        Emitter = "emitter",
        /// The provider is known to count so.
        Provider = "provider",
        /// Nothing told: parts are taken to be in the totals, as most mean it.
        Usual = "usual",
    }
);

named_enum!(
    /// Whether a span records a call of its own.
    CallRole, default Own {
        /// It does, if it records a call at all.
        Own = "own",
        /// The inference engine's side of a call that a client also records.
        Engine = "engine",
        /// It tells of a call that was made earlier.
        Repeat = "repeat",
    }
);

named_enum!(
    /// Where a cost comes from.
    CostSource, default Client {
        /// The client sent it; it wins over every computed one.
        Client = "client",
        /// Computed from the table of model prices.
        PriceTable = "price_table",
        /// Computed from the hourly price of a GPU.
        GpuHours = "gpu_hours",
        /// Nothing: a cache of answers gave the answer, and no model ran.
        ResponseCache = "response_cache",
    }
);

/// The largest count of one kind that is believed: no call has more than a million million tokens, and
/// sums over as many calls as a project keeps stay within 64 bits.
pub const MAX_COUNT: u64 = 1_000_000_000_000;

/// Tokens. Totals are inclusive: cached ones are in input, reasoning ones in output.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Usage {
    /// All input tokens.
    pub input_tokens: Option<u64>,
    /// All output tokens.
    pub output_tokens: Option<u64>,
    /// All tokens.
    pub total_tokens: Option<u64>,
    /// Disjoint parts that add up to the totals (`input`, `cache_read`, `output`, `reasoning` …), then
    /// things that a caller counts in words of its own (`seconds`); `total` where nothing else is known.
    pub details: BTreeMap<String, u64>,
    /// Who counted.
    pub source: UsageSource,
    /// How the reported numbers were read. They themselves stay among the attributes, and the
    /// provenance says under which keys.
    pub rule: UsageRule,
}

/// What a span cost.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cost {
    /// The whole amount; `None` where a client sent parts that do not tell it.
    pub total: Option<Usd>,
    /// Per usage kind.
    pub details: BTreeMap<String, Usd>,
    /// Where it comes from.
    pub source: CostSource,
    /// The price that was used, where it was computed.
    pub terms: Option<Terms>,
}
