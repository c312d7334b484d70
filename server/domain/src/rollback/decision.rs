//! What is done about a label whose version an incident is laid to.

use super::policy::{Mode, Policy};
use super::safety::{Check, all_hold};
use crate::{Nanos, Timestamp};

/// What is known when it is decided.
#[derive(Clone, Copy, Debug)]
pub struct Facts<'f> {
    /// What the project has set for the label.
    pub policy: &'f Policy,
    /// Version that the incident is laid to.
    pub suspect: u32,
    /// Version that the label stands on now.
    pub stands_on: Option<u32>,
    /// Version that it would go to; `None`: none is known, or it is deleted.
    pub target: Option<u32>,
    /// What the safety net says of that.
    pub checks: &'f [Check],
    /// Whether an incident that goes on is laid to that.
    pub target_is_suspect: bool,
    /// Whether the label is protected, and the policy was set by somebody who may not move it.
    pub is_out_of_reach: bool,
    /// When the label last went back by itself.
    pub last: Option<Timestamp>,
    /// Whether the incident is over.
    pub is_over: bool,
    /// When it is decided.
    pub now: Timestamp,
}

/// What is done, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Decision {
    /// The label goes to that version.
    Apply(u32, String),
    /// A person is asked.
    Suggest(String),
    /// Nothing: there is nothing to go back from any more, or nobody wants it.
    Refuse(String),
}

/// Decides. A label moves only where nothing speaks against it.
pub fn decide(facts: &Facts<'_>) -> Decision {
    let suspect = facts.suspect;
    let label = &facts.policy.label;
    let refuse = |why: String| Decision::Refuse(why);
    if facts.is_over {
        return refuse("the incident was over before".to_owned());
    }
    match facts.stands_on {
        None => return refuse(format!("the label {label} stands on no version any more")),
        Some(version) if version != suspect => {
            return refuse(format!(
                "the label {label} was moved meanwhile: it stands on version {version}"
            ));
        }
        Some(_) => {}
    }
    if facts.policy.mode == Mode::Off {
        return refuse("the policy of the label was switched off meanwhile".to_owned());
    }
    let Some(target) = facts.target else {
        return Decision::Suggest("no version to go back to is known".to_owned());
    };
    match against(facts, target) {
        Some(why) => Decision::Suggest(why),
        None => Decision::Apply(
            target,
            format!(
                "the incident is laid to version {suspect}, and version {target} passed every check"
            ),
        ),
    }
}

/// What speaks against going there by itself.
fn against(facts: &Facts<'_>, target: u32) -> Option<String> {
    if facts.target_is_suspect {
        return Some(format!(
            "an incident that goes on is laid to version {target}, too"
        ));
    }
    if !all_hold(facts.checks) {
        let failed = facts.checks.iter().filter(|check| !check.ok);
        let failed: Vec<String> = failed
            .map(|check| format!("{} ({})", check.metric, check.reason))
            .collect();
        return Some(format!(
            "version {target} did not pass every check: {}",
            failed.join("; ")
        ));
    }
    if facts.policy.mode == Mode::Suggest {
        return Some("the policy of the label is to suggest".to_owned());
    }
    if facts.is_out_of_reach {
        return Some(
            "the label is protected, and its policy was set by somebody who may not move it"
                .to_owned(),
        );
    }
    let cooldown = Nanos::from_seconds(facts.policy.limits.cooldown_s);
    let until = facts.last.map(|last| last.plus(cooldown))?;
    (facts.now < until).then(|| {
        format!("the label went back by itself before; it does not do so again until {until}")
    })
}
