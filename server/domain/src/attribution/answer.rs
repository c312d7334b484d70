//! What an attribution says. Names and shape are those of `POST /api/v1/attributions`.

use super::reason::{Happening, Reason};
use super::tier::Axis;
use crate::{Timestamp, TraceId};

/// What a window's symptom comes from, with everything that speaks for it.
#[derive(Clone, Debug, PartialEq)]
pub struct Attribution {
    /// The axis where the cause is; `None`: there is no symptom, or nothing explains it.
    pub axis: Option<Axis>,
    /// How sure that is, in [0, 1].
    pub confidence: f64,
    /// Why the answer is this one, the weightiest first.
    pub reasons: Vec<Reason>,
    /// The vote of each axis by clusters. It informs; it does not decide.
    pub axes: Vec<AxisVote>,
    /// Features that moved, those that explain most first.
    pub features: Vec<Feature>,
    /// How the symptom's values and those of the features that explain most lay before, and how they lie now.
    pub distributions: Vec<Distribution>,
    /// What the bad requests have in common, the likeliest first.
    pub culprits: Vec<Culprit>,
    /// The prompt that is under suspicion, if one is.
    pub prompt: Option<PromptSuspect>,
    /// What to do.
    pub recommendation: Recommendation,
    /// What happened when, in order.
    pub timeline: Vec<Moment>,
    /// Bad requests of the ordinary kind, ten at most.
    pub sample_trace_ids: Vec<TraceId>,
    /// Requests of both windows.
    pub requests_considered: u64,
    /// How unlikely the symptom is by chance, corrected for the number of groups that were looked at.
    pub symptom_p_value: f64,
}

/// How far an axis differs between the windows, by clusters of its values.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct AxisVote {
    /// The axis.
    pub axis: Axis,
    /// χ² of cluster against window, divided by its design effect; 0 where there is nothing to tell.
    pub chi2: f64,
    /// By placebo windows within the baseline where there are enough, else of `chi2`.
    pub p_value: f64,
    /// Cramér's V, its bias corrected, in [0, 1].
    pub cramers_v: f64,
    /// How many clusters there are, noise not counted.
    pub clusters: usize,
    /// Requests that have all of the axis' values.
    pub requests: usize,
}

/// A feature that moved.
#[derive(Clone, Debug, PartialEq)]
pub struct Feature {
    /// Its series.
    pub series: String,
    /// Its axis.
    pub axis: Axis,
    /// Cliff's delta of the alert window against the baseline, in [−1, 1].
    pub effect: f64,
    /// p-value of the shift, corrected for all features and groups (Benjamini and Hochberg).
    pub q_value: f64,
    /// Median in the baseline, in the unit of the series.
    pub baseline_median: Option<f64>,
    /// Median in the alert window.
    pub alert_median: Option<f64>,
    /// By how many seconds it changed before the symptom did; negative: after it. `None` where one of them has no
    /// clear change.
    pub leads_symptom_by_s: Option<f64>,
    /// p-value of Granger's test that it foretells the symptom; `None` where it does not or cannot be told.
    pub granger_p: Option<f64>,
    /// Share of the symptom's excess that it explains beyond features before it, in [0, 1].
    pub share: f64,
    /// Group where it moved most; `None`: everywhere.
    pub group: Option<Group>,
}

/// How the values of a series lie in both windows, on the same bins.
#[derive(Clone, Debug, PartialEq)]
pub struct Distribution {
    /// The series.
    pub series: String,
    /// Its axis; `None` of what is of none, as cost.
    pub axis: Option<Axis>,
    /// Edges of the bins, ascending, in the unit of the series: one more than there are bins. A bin has its lower edge
    /// and not its upper one.
    pub edges: Vec<f64>,
    /// Share of the baseline's requests in each bin, in [0, 1]; the outer bins count what lies beyond them, too.
    pub baseline: Vec<f64>,
    /// The same of the alert window.
    pub alert: Vec<f64>,
    /// Requests of the baseline that have a value.
    pub baseline_requests: u64,
    /// The same of the alert window.
    pub alert_requests: u64,
    /// Group whose requests these are; `None`: all.
    pub group: Option<Group>,
}

/// A value of a dimension.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    /// Name of the dimension.
    pub dimension: String,
    /// The value.
    pub value: String,
}

/// Why a value is listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Evidence {
    /// Within the alert window, requests without it are as good as before.
    Contrast,
    /// Its share of the traffic grew.
    Growth,
}

/// A value of a dimension that bad requests have in common.
#[derive(Clone, Debug, PartialEq)]
pub struct Culprit {
    /// Name of the dimension.
    pub dimension: String,
    /// The value.
    pub value: String,
    /// Share of it among bad requests of the alert window.
    pub share_of_abnormal: f64,
    /// Share of it in the baseline; 0: it is new.
    pub share_of_baseline: f64,
    /// The one divided by the other.
    pub lift: f64,
    /// p-value, corrected for all values.
    pub q_value: f64,
    /// Why it is listed.
    pub evidence: Evidence,
    /// How much of the excess would go without it, and how much it grew: what culprits are ordered by.
    pub score: f64,
}

/// A version of a prompt that may be to blame.
#[derive(Clone, Debug, PartialEq)]
pub struct PromptSuspect {
    /// The prompt.
    pub name: String,
    /// The version.
    pub suspect_version: String,
    /// The most frequent other version in the baseline.
    pub previous_version: Option<String>,
    /// Token from which on the two differ; known to the registry of prompts alone, which fills it in.
    pub diverges_at_token: Option<u64>,
    /// Mean share of input tokens found in the cache: the previous version in the baseline.
    pub prefix_reuse_before: Option<f64>,
    /// The same: the suspect in the alert window.
    pub prefix_reuse_after: Option<f64>,
}

/// What to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Action {
    /// Go back to the version or release before.
    Rollback,
    /// Restart or compact what has fragmented memory.
    Defragment,
    /// Take an instance out of the rotation.
    Rebalance,
    /// Serve with more, or let a tenant have less.
    ScaleOut,
    /// Look.
    Inspect,
    /// Nothing.
    None,
}

impl Action {
    /// Its name in the API.
    pub fn as_str(self) -> &'static str {
        match self {
            Action::Rollback => "rollback",
            Action::Defragment => "defragment",
            Action::Rebalance => "rebalance",
            Action::ScaleOut => "scale_out",
            Action::Inspect => "inspect",
            Action::None => "none",
        }
    }
}

/// What to do, and why.
#[derive(Clone, Debug, PartialEq)]
pub struct Recommendation {
    /// What.
    pub action: Action,
    /// Why.
    pub reason: Reason,
    /// Of a rollback: an axis that shows a cause of its own in the same window. A second look has to say the same before
    /// anything goes back by itself.
    pub contested_by: Option<Axis>,
}

/// One entry of the time line.
#[derive(Clone, Debug, PartialEq)]
pub struct Moment {
    /// When.
    pub at: Timestamp,
    /// What.
    pub what: Happening,
}
