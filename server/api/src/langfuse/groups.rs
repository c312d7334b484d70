//! The parameter `fields`: which groups of fields an answer has.

use super::error::Result;
use super::query::Query;

/// The groups that were asked for.
pub(crate) struct Groups(Option<Vec<String>>);

impl Groups {
    /// As usual.
    pub(crate) const ALL: Groups = Groups(None);

    /// Those of some names.
    pub(crate) fn of(names: Vec<String>) -> Self {
        Groups(Some(names))
    }

    /// From the parameter; names that nobody knows are passed over.
    ///
    /// # Errors
    /// When it comes twice.
    pub(crate) fn read(query: &Query) -> Result<Self> {
        let text = query.text("fields")?;
        let names = |text: &str| text.split(',').map(|name| name.trim().to_owned()).collect();
        Ok(Groups(text.map(names)))
    }

    /// Whether a group is wanted, one that is there where nothing is said.
    pub(crate) fn usually(&self, group: &str) -> bool {
        self.0.as_ref().is_none_or(|names| has(names, group))
    }

    /// Whether a group is wanted that has to be asked for.
    pub(crate) fn on_demand(&self, group: &str) -> bool {
        self.0.as_ref().is_some_and(|names| has(names, group))
    }
}

fn has(names: &[String], group: &str) -> bool {
    names.iter().any(|name| name == group)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_said_is_as_usual() {
        let groups = |query: &str| Groups::read(&Query::parse(query)).unwrap();
        assert!(groups("").usually("io") && !groups("").on_demand("io"));
        let some = groups("fields=core, io,nonsense");
        assert!(some.usually("io") && some.on_demand("io") && !some.usually("scores"));
    }
}
