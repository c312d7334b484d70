//! What an incident comes from, in short: out of its attribution as it is kept.

use serde_json::{Value, json};

/// What an incident comes from, as far as messages tell it.
#[derive(Clone, Debug, PartialEq)]
pub struct Cause {
    /// `gpu`, `token`, `quality`, `none`.
    pub axis: String,
    /// How sure that is, in [0, 1].
    pub confidence: f64,
    /// Dimension and value of who is the likeliest to blame.
    pub culprit: Option<(String, String)>,
    /// What to do: `rollback`, `rebalance`, … , `none`.
    pub action: String,
}

impl Cause {
    /// Out of an answer in the names of `POST /api/v1/attributions`.
    pub fn of_answer(answer: &Value) -> Option<Self> {
        let text = |value: &Value| value.as_str().map(str::to_owned);
        let first = &answer["culprits"][0];
        Some(Cause {
            axis: text(&answer["axis"])?,
            confidence: answer["confidence"].as_f64()?,
            culprit: text(&first["dimension"]).zip(text(&first["value"])),
            action: text(&answer["recommendation"]["action"])?,
        })
    }

    /// For programs.
    pub fn shape(&self) -> Value {
        let culprit = self.culprit.as_ref();
        json!({
            "axis": self.axis,
            "confidence": self.confidence,
            "culprit": culprit.map(|(dimension, value)| json!({ "dimension": dimension, "value": value })),
            "recommendation": self.action,
        })
    }

    /// For people: `token, prompt version support@5 (confidence 0.93, rollback)`.
    pub fn sentence(&self) -> String {
        let mut text = self.axis.clone();
        if let Some((dimension, value)) = &self.culprit {
            text.push_str(&format!(", {} {value}", dimension.replace('_', " ")));
        }
        text.push_str(&format!(" (confidence {:.2}", self.confidence));
        if self.action != "none" {
            text.push_str(&format!(", {}", self.action.replace('_', " ")));
        }
        text.push(')');
        text
    }

    /// Whether it says more than another of the same incident: an axis where that has none, or the same surer. An axis is
    /// not taken back for none: that the window holds what came after it is over is no proof that nothing was wrong.
    pub fn says_more_than(&self, other: &Cause) -> bool {
        let names = |cause: &Cause| cause.axis != "none";
        match (names(self), names(other)) {
            (true, false) => true,
            (false, true) => false,
            _ => self.confidence > other.confidence,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(axis: &str, confidence: f64) -> Cause {
        let culprits = match axis {
            "none" => json!([]),
            _ => json!([{"dimension": "prompt_version", "value": "support@5"}]),
        };
        let answer = json!({"axis": axis, "confidence": confidence, "culprits": culprits,
            "recommendation": {"action": if axis == "none" { "none" } else { "rollback" }}});
        Cause::of_answer(&answer).unwrap()
    }

    #[test]
    fn a_cause_is_told_in_a_line() {
        let token = answer("token", 0.934);
        let expected = "token, prompt version support@5 (confidence 0.93, rollback)";
        assert_eq!(token.sentence(), expected);
        assert_eq!(answer("none", 0.5).sentence(), "none (confidence 0.50)");
        assert_eq!(token.shape()["culprit"]["value"], "support@5");
        assert!(answer("none", 0.5).shape()["culprit"].is_null());
        assert!(Cause::of_answer(&json!({})).is_none());
    }

    #[test]
    fn an_axis_says_more_than_none_and_a_surer_one_more_than_another() {
        assert!(answer("gpu", 0.1).says_more_than(&answer("none", 0.9)));
        assert!(!answer("none", 0.9).says_more_than(&answer("gpu", 0.1)));
        assert!(answer("token", 0.9).says_more_than(&answer("gpu", 0.8)));
        assert!(!answer("gpu", 0.8).says_more_than(&answer("gpu", 0.8)));
    }
}
