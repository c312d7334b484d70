//! Whom an attribution blames.

use serde_json::Value;

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
    /// Out of an answer in the names of `POST /api/v1/attributions` that recommends to go back because of a version above
    /// all else. `None` where something else is to blame, and where the version is no number: such prompts are managed
    /// elsewhere.
    pub fn of_answer(answer: &Value) -> Option<Self> {
        let is_version = answer["culprits"][0]["dimension"] == "prompt_version";
        if answer["recommendation"]["action"] != "rollback" || !is_version {
            return None;
        }
        let prompt = &answer["prompt"];
        let number = |field: &str| prompt[field].as_str()?.parse().ok();
        let version = number("suspect_version").filter(|version| *version > 0)?;
        Some(Suspect {
            prompt: PromptName::parse(prompt["name"].as_str()?).ok()?,
            version,
            previous: number("previous_version").filter(|previous| *previous != version),
        })
    }

    /// The same as `of_answer`, where it may go back by itself. An answer that says more than the one before is enough,
    /// unless another axis shows a cause in the same window, too: then the version has to be blamed at two looks.
    pub fn to_act_on(answer: &Value, before: Option<&Value>, says_more: SaysMore) -> Option<Self> {
        let suspect = Suspect::of_answer(answer)?;
        let is_contested = !answer["recommendation"]["contested_by"].is_null();
        let is_same =
            |other: Suspect| other.prompt == suspect.prompt && other.version == suspect.version;
        let is_second = before.and_then(Suspect::of_answer).is_some_and(is_same);
        let is_enough = says_more == SaysMore::Yes && !is_contested;
        (is_second || is_enough).then_some(suspect)
    }
}

/// Whether an answer says more than the one that was kept before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SaysMore {
    /// It does, and is kept in its place.
    Yes,
    /// It does not.
    No,
}

/// Whether an answer has a version among its culprits, to whatever end.
pub fn blames(answer: &Value, prompt: &PromptName, version: u32) -> bool {
    let value = format!("{prompt}@{version}");
    let mut culprits = answer["culprits"].as_array().into_iter().flatten();
    culprits.any(|culprit| {
        culprit["dimension"] == "prompt_version" && culprit["value"] == value.as_str()
    })
}
