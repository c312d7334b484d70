//! What goes wrong.

/// One cause. Instances and the like are given by index, severities in (0, 1].
#[derive(Clone, Debug, PartialEq)]
pub enum Cause {
    /// Nothing.
    Quiet,
    /// More traffic than before, within what the fleet can bear.
    Growth {
        /// So many times the traffic.
        times: f64,
    },
    /// A device gets hot and slows down.
    Throttle {
        /// Which instance's.
        instance: usize,
        /// Share of its clock that is lost.
        severity: f64,
    },
    /// Memory falls into small pieces on all instances: allocations stall.
    Fragmentation {
        /// How much.
        severity: f64,
    },
    /// A link between devices of one instance is lost.
    LinkLost {
        /// Which instance's.
        instance: usize,
        /// Share of its speed that is lost.
        severity: f64,
    },
    /// A new version of a prompt begins with something that changes, so that nothing is found in the cache.
    BrokenPrefix {
        /// Which prompt's.
        prompt: usize,
        /// Share of the prompt's requests that get it.
        rollout: f64,
    },
    /// A tenant sends many times what it used to.
    Flood {
        /// Which tenant.
        tenant: usize,
        /// So many times the whole traffic comes on top.
        times: f64,
    },
    /// The draft model does not match any more: few of its tokens are accepted.
    DraftMismatch {
        /// Share of the acceptance that is lost.
        severity: f64,
    },
    /// Answers of a new version of a prompt or of a new release are poor.
    PoorAnswers {
        /// Where.
        source: Source,
        /// How.
        flaw: Flaw,
        /// Share of its answers that have the flaw.
        rate: f64,
        /// Share of the requests that get it.
        rollout: f64,
    },
}

/// Where poor answers come from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// A version of that prompt.
    Version(usize),
    /// A release of the application.
    Release,
}

/// What is wrong with an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flaw {
    /// It does not have the form it should.
    Format,
    /// It refuses.
    Refusal,
}

/// What an attribution should find.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Truth {
    /// `gpu`, `token`, `quality` or `none`.
    pub axis: &'static str,
    /// Dimension and value of who is to blame; any of them will do; none: nobody in particular.
    pub culprits: Vec<(&'static str, String)>,
}

impl Cause {
    /// A name for tables.
    pub fn name(&self) -> &'static str {
        match self {
            Cause::Quiet => "quiet",
            Cause::Growth { .. } => "growth without harm",
            Cause::Throttle { .. } => "one node throttles",
            Cause::Fragmentation { .. } => "memory fragmentation",
            Cause::LinkLost { .. } => "link lost",
            Cause::BrokenPrefix { .. } => "version breaks the prefix",
            Cause::Flood { .. } => "a tenant floods",
            Cause::DraftMismatch { .. } => "draft does not match",
            Cause::PoorAnswers {
                source: Source::Version(_),
                flaw: Flaw::Format,
                ..
            } => "format, by version",
            Cause::PoorAnswers {
                source: Source::Release,
                flaw: Flaw::Format,
                ..
            } => "format, by release",
            Cause::PoorAnswers {
                flaw: Flaw::Refusal,
                ..
            } => "refusal",
        }
    }
}
