//! Which part of the costs is looked at.

use std::fmt;

use super::CostBy;

/// Most filters at once.
pub const MAX_FILTERS: usize = 32;
/// Most bytes of one value.
const MAX_VALUE: usize = 1_000;

/// One part of the costs, that alone is looked at or that is left out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CostFilter {
    /// What parts are told apart by.
    pub by: CostBy,
    /// The part: a value for each of the dimensions of `by`; empty where calls have none.
    pub key: Vec<String>,
    /// Whether it is left out; otherwise it stays, with others of the same `by`.
    pub leaves_out: bool,
}

impl CostFilter {
    /// From `way:value`; a managed prompt is `name:version`. `None` where it is neither.
    pub fn read(text: &str, leaves_out: bool) -> Option<Self> {
        let (way, value) = text.split_once(':')?;
        if value.len() > MAX_VALUE || value.contains('\0') {
            return None;
        }
        let by = CostBy::from_name(way)?;
        let key = match by.dimensions().len() {
            1 => vec![value.to_owned()],
            _ => {
                let (name, version) = value.rsplit_once(':')?;
                vec![name.to_owned(), version.to_owned()]
            }
        };
        let filter = CostFilter {
            by,
            key,
            leaves_out,
        };
        (!leaves_out || filter.may_leave_out()).then_some(filter)
    }

    /// Whether such a part can be left out: one that has two values cannot, for leaving out each of them
    /// would leave out more than what has both.
    pub fn may_leave_out(&self) -> bool {
        self.key.len() == 1
    }

    /// Whether this one is in the place of another: what is told by two values stands alone, for two
    /// names and two versions would make four parts; and nothing both stays and is left out.
    pub fn replaces(&self, other: &CostFilter) -> bool {
        self.by == other.by && (self.key.len() > 1 || self.key == other.key)
    }
}

/// As [`CostFilter::read`] takes it, without whether it is left out.
impl fmt::Display for CostFilter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.by, self.key.join(":"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_again() {
        for text in [
            "model:gpt-4o",
            "user:a:b",
            "tenant:",
            "prompt_version:support:tone:7",
        ] {
            let filter = CostFilter::read(text, false);
            assert_eq!(filter.map(|it| it.to_string()).as_deref(), Some(text));
        }
    }

    #[test]
    fn what_makes_no_sense_is_none() {
        for text in [
            "model",
            "colour:red",
            "prompt_version:support",
            ":x",
            "user:\0",
        ] {
            assert_eq!(CostFilter::read(text, false), None, "{text}");
        }
        assert_eq!(CostFilter::read("prompt_version:support:7", true), None);
    }

    #[test]
    fn a_version_stands_alone_and_a_value_stands_once() {
        let read = |text, out| CostFilter::read(text, out).unwrap();
        let seven = read("prompt_version:support:7", false);
        assert!(read("prompt_version:support:8", false).replaces(&seven));
        assert!(read("model:a", true).replaces(&read("model:a", false)));
        assert!(!read("model:a", false).replaces(&read("model:b", false)));
    }
}
