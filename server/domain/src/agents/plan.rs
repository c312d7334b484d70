//! A plan that an agent wrote down, against what was done. A plan is the output of a span with `plan` in its name: a
//! list in JSON, of texts or of objects that name their step, or numbered or dashed lines.

use serde_json::Value as Json;

/// Steps of a plan that are read.
const MOST_STEPS: usize = 50;
/// Names under which lists and texts of steps are found.
const LISTS: [&str; 3] = ["plan", "steps", "tasks"];
const TEXTS: [&str; 8] = [
    "tool",
    "action",
    "step",
    "name",
    "title",
    "task",
    "description",
    "content",
];

/// A step of a plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlannedStep {
    /// What was planned, in words.
    pub words: String,
    /// Place among what was done; `None` where nothing that was done is named in it.
    pub done: Option<usize>,
}

/// A plan against what was done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlanCheck {
    /// Its steps.
    pub steps: Vec<PlannedStep>,
    /// What was done though no step names it.
    pub unplanned: Vec<String>,
    /// Whether what was done came in the order of the plan.
    pub is_in_order: bool,
}

impl PlanCheck {
    /// Share of all steps, planned or done, that are not both: 0 where the plan was followed, 1 where none of it was.
    pub fn drift(&self) -> f64 {
        let missed = self.steps.iter().filter(|step| step.done.is_none()).count();
        let all = self.steps.len() + self.unplanned.len();
        let apart = missed + self.unplanned.len();
        match (u32::try_from(apart), u32::try_from(all)) {
            (Ok(apart), Ok(all)) if all > 0 => f64::from(apart) / f64::from(all),
            _ => 0.0,
        }
    }
}

/// Steps of a text that may be a plan; empty where it is none.
pub fn read_plan(text: &str) -> Vec<String> {
    let mut steps = match serde_json::from_str::<Json>(text) {
        Ok(json) => of_json(&json),
        Err(_) => of_lines(text),
    };
    steps.retain(|step| !step.trim().is_empty());
    steps.truncate(MOST_STEPS);
    steps
}

fn of_json(json: &Json) -> Vec<String> {
    match json {
        Json::Array(steps) => steps.iter().filter_map(text_of).collect(),
        Json::Object(fields) => LISTS
            .iter()
            .find_map(|name| fields.get(*name))
            .map(of_json)
            .unwrap_or_default(),
        Json::String(text) => of_lines(text),
        Json::Null | Json::Bool(_) | Json::Number(_) => Vec::new(),
    }
}

fn text_of(step: &Json) -> Option<String> {
    match step {
        Json::String(text) => Some(text.clone()),
        Json::Object(fields) => {
            let mut texts = TEXTS.iter().filter_map(|name| fields.get(*name)?.as_str());
            texts.next().map(str::to_owned)
        }
        _ => None,
    }
}

fn of_lines(text: &str) -> Vec<String> {
    let step = |line: &str| {
        let line = line.trim();
        let rest = line.trim_start_matches(|char: char| char.is_ascii_digit());
        let is_numbered = rest.len() < line.len();
        let marks: &[char] = if is_numbered {
            &['.', ')', ':']
        } else {
            &['-', '*', '•']
        };
        let rest = rest.strip_prefix(marks)?;
        Some(rest.trim().to_owned())
    };
    text.lines().filter_map(step).collect()
}

/// Compares a plan with names of what was done, in order.
pub fn check(plan: Vec<String>, done: &[&str]) -> PlanCheck {
    let mut is_taken = vec![false; done.len()];
    let steps: Vec<PlannedStep> = plan
        .into_iter()
        .map(|words| {
            let said = normal(&words);
            let names = |at: &usize| !is_taken[*at] && holds_words(&said, &normal(done[*at]));
            let at = (0..done.len()).find(names);
            if let Some(at) = at {
                // Every call of it is what was planned.
                for other in 0..done.len() {
                    is_taken[other] |= done[other] == done[at];
                }
            }
            PlannedStep { words, done: at }
        })
        .collect();
    let mut unplanned: Vec<String> = Vec::new();
    for (at, name) in done.iter().enumerate() {
        if !is_taken[at] && !unplanned.iter().any(|known| known == name) {
            unplanned.push((*name).to_owned());
        }
    }
    let places: Vec<usize> = steps.iter().filter_map(|step| step.done).collect();
    PlanCheck {
        is_in_order: places.is_sorted(),
        steps,
        unplanned,
    }
}

/// Words in lower case with one space between them, whatever stood there.
fn normal(text: &str) -> String {
    let lower = text.to_lowercase();
    let words = lower.split(|char: char| !char.is_alphanumeric());
    Vec::from_iter(words.filter(|word| !word.is_empty())).join(" ")
}

fn holds_words(text: &str, name: &str) -> bool {
    !name.is_empty() && format!(" {text} ").contains(&format!(" {name} "))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn plans_are_read_in_the_forms_in_which_models_write_them() {
        let expected = ["look up the order", "quote"];
        for text in [
            r#"["look up the order", "quote"]"#,
            r#"{"plan": [{"step": "look up the order"}, {"tool": "quote", "description": "of it"}]}"#,
            "First I think.\n1. look up the order\n2) quote\nDone",
            "- look up the order\n* quote",
        ] {
            assert_eq!(read_plan(text), expected, "{text}");
        }
        for none in ["", "I will look.", "{}", "17", r#"{"plan": 3}"#, "[1, 2]"] {
            assert!(read_plan(none).is_empty(), "{none}");
        }
    }

    #[test]
    fn what_was_done_is_found_by_its_name_in_the_words_of_the_plan() {
        let plan = [
            "Call lookup_order for LA472",
            "search-policy",
            "Ask the user",
        ];
        let plan = plan.map(str::to_owned).to_vec();
        let found = check(
            plan,
            &["search policy", "lookup_order", "lookup_order", "persist"],
        );
        let done: Vec<_> = found.steps.iter().map(|step| step.done).collect();
        assert_eq!(done, [Some(1), Some(0), None]);
        assert_eq!(found.unplanned, ["persist"]);
        assert!(!found.is_in_order);
        assert!((found.drift() - 0.5).abs() < 1e-9);
    }

    proptest! {
        #[test]
        fn drift_is_a_share_and_a_plan_that_was_followed_has_none(
            names in proptest::collection::vec("[a-z]{3,8}", 1..12),
            text in ".{0,200}",
        ) {
            let mut unique = names.clone();
            unique.sort();
            unique.dedup();
            let done: Vec<&str> = unique.iter().map(String::as_str).collect();
            let followed = check(unique.clone(), &done);
            prop_assert!(followed.drift() == 0.0 && followed.is_in_order);
            let other = check(read_plan(&text), &done);
            prop_assert!((0.0..=1.0).contains(&other.drift()));
        }
    }
}
