//! Whom an attribution blames.

use crate::attribution::answer::{Action, Attribution};
use crate::prompt::PromptName;

/// A version of a prompt that an incident is laid to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Suspect {
    /// The prompt.
    pub prompt: PromptName,
    /// The version.
    pub version: u32,
    /// The one that was served before, where that is known.
    pub previous: Option<u32>,
}

impl Suspect {
    /// Of an attribution that recommends to go back because of a version above all else. `None` where something else is
    /// to blame, and where the version is no number: such prompts are managed elsewhere.
    pub fn of(attribution: &Attribution) -> Option<Self> {
        let first = attribution.culprits.first()?;
        let is_version = first.dimension == "prompt_version";
        if attribution.recommendation.action != Action::Rollback || !is_version {
            return None;
        }
        let prompt = attribution.prompt.as_ref()?;
        let previous = prompt.previous_version.as_deref();
        let version = prompt.suspect_version.parse().ok()?;
        Some(Suspect {
            prompt: PromptName::parse(&prompt.name).ok()?,
            version,
            previous: previous
                .and_then(|version| version.parse().ok())
                .filter(|previous| *previous != version),
        })
    }
}
