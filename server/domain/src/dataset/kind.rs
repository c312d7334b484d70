//! What a dataset is for, and what inputs are meant to break.

use crate::span::named_enum;

named_enum!(
    /// What a dataset is for. It is chosen when the dataset is made.
    DatasetKind, default Plain {
        /// Whatever it is used for.
        Plain = "plain",
        /// Checked by hand: what should come out is known, and each change has somebody who made it and why.
        Golden = "golden",
        /// Filled from a filter as things come; the oldest items leave.
        Rolling = "rolling",
        /// Inputs that are meant to break.
        Adversarial = "adversarial",
    }
);

impl DatasetKind {
    /// Whether a filter may fill it.
    pub fn is_filled(self) -> bool {
        matches!(self, DatasetKind::Rolling | DatasetKind::Adversarial)
    }
}

named_enum!(
    /// What an input is meant to break, or what was seen to go wrong with it.
    Challenge, default Other {
        /// It gives orders in the place of data.
        PromptInjection = "prompt_injection",
        /// It talks the model out of its rules.
        Jailbreak = "jailbreak",
        /// It asks for what must not be told.
        DataLeak = "data_leak",
        /// It asks for what does harm.
        HarmfulContent = "harmful_content",
        /// It is not what it should be: too long, cut off, in the wrong form.
        MalformedInput = "malformed_input",
        /// The answer failed a hard check.
        FailedCheck = "failed_check",
        /// The model declined to answer.
        Refusal = "refusal",
        /// The answer was judged to be bad.
        LowScore = "low_score",
        /// Something else.
        Other = "other",
    }
);
