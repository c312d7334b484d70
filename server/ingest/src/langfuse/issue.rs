use std::fmt;

use serde::Serialize;

/// Something that is wrong with an event, in the form that clients of Langfuse know.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct Issue {
    code: &'static str,
    path: Vec<String>,
    message: String,
}

impl Issue {
    pub(super) fn new(path: &[&str], message: impl Into<String>) -> Self {
        Issue {
            code: "custom",
            path: path.iter().map(|&step| step.to_owned()).collect(),
            message: message.into(),
        }
    }

    /// A value of another type than the field has.
    pub(super) fn of_type(path: &[&str], expected: &str) -> Self {
        Issue {
            code: "invalid_type",
            ..Issue::new(path, format!("expected {expected}"))
        }
    }
}

/// `place: what is wrong`, the place within the body.
impl fmt::Display for Issue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let place = self.path.iter().filter(|step| *step != "body");
        let place: Vec<&str> = place.map(String::as_str).collect();
        write!(f, "{}: {}", place.join("."), self.message)
    }
}
