//! The state of a prompt's page, as its address holds it.
//!
//! `tab=content|compare|metrics|labels|comments`, `version=` or `label=` for the version that is shown, `from=` and `to=`
//! for those that are compared, `view=unified`, `ws=1` for white space, `all=1` for unchanged lines, `resolved=1` for other
//! prompts in their place, `days=`.

use domain::Fault;
use domain::prompt::{Label, PromptName, Selector};

use crate::extract::{Pairs, Reader};
use crate::i18n::text;
use crate::pages::no_such_page;
use crate::urls;

/// Lengths of time that numbers are of, days.
pub(super) const DAYS: [u32; 3] = [1, 7, 30];

/// A view of a prompt.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Tab {
    /// What a version says.
    #[default]
    Content,
    /// What two versions differ in.
    Compare,
    /// What versions come to.
    Metrics,
    /// Labels and what was done.
    Labels,
    /// Remarks on a version.
    Comments,
}

impl Tab {
    /// All of them, with their names in addresses and their words.
    pub(super) const ALL: [(Tab, &'static str, &'static str); 5] = [
        (Tab::Content, "content", text!("Content")),
        (Tab::Compare, "compare", text!("Compare")),
        (Tab::Metrics, "metrics", text!("Metrics")),
        (Tab::Labels, "labels", text!("Labels")),
        (Tab::Comments, "comments", text!("Comments")),
    ];
}

/// The state of the page.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct PromptQuery {
    /// The view that is open.
    pub(crate) tab: Tab,
    /// The version that is shown; `None`: the latest.
    pub(crate) selector: Option<Selector>,
    /// The old one of two versions.
    pub(crate) from: Option<u32>,
    /// The new one.
    pub(crate) to: Option<u32>,
    /// Whether both stand in one column.
    pub(crate) is_unified: bool,
    /// Whether white space is shown.
    pub(crate) shows_space: bool,
    /// Whether all lines are shown, those that stay as well.
    pub(crate) shows_all: bool,
    /// Whether other prompts stand in their place.
    pub(crate) is_resolved: bool,
    /// Days that numbers are of; 0: as usual.
    pub(crate) days: u32,
}

impl PromptQuery {
    /// From an address.
    ///
    /// # Errors
    /// `not_found` for one that makes no sense.
    pub(crate) fn read(pairs: &Pairs) -> Result<Self, Fault> {
        let number = |name: &str| {
            let number = pairs.filled(name).map(str::parse::<u32>).transpose();
            number.map_err(|_| no_such_page())
        };
        let tab = match pairs.filled("tab") {
            None => Tab::default(),
            Some(name) => Tab::ALL
                .into_iter()
                .find(|(_, known, _)| *known == name)
                .map(|(tab, ..)| tab)
                .ok_or_else(no_such_page)?,
        };
        let label = pairs.filled("label").map(Label::parse).transpose();
        let label = label.map_err(|_| no_such_page())?;
        let days = number("days")?.unwrap_or(0);
        if days != 0 && !DAYS.contains(&days) {
            return Err(no_such_page());
        }
        Ok(PromptQuery {
            tab,
            selector: number("version")?
                .map(Selector::Version)
                .or(label.map(Selector::Label)),
            from: number("from")?,
            to: number("to")?,
            is_unified: pairs.get("view") == Some("unified"),
            shows_space: pairs.get("ws") == Some("1"),
            shows_all: pairs.get("all") == Some("1"),
            is_resolved: pairs.get("resolved") == Some("1"),
            days,
        })
    }

    /// Its address.
    pub(crate) fn url(&self, reader: &Reader, name: &PromptName) -> String {
        let mut pairs: Vec<(&str, String)> = Vec::new();
        let known = Tab::ALL.into_iter().find(|(tab, ..)| *tab == self.tab);
        if let Some((_, named, _)) = known.filter(|(tab, ..)| *tab != Tab::default()) {
            pairs.push(("tab", named.to_owned()));
        }
        match &self.selector {
            Some(Selector::Version(version)) => pairs.push(("version", version.to_string())),
            Some(Selector::Label(label)) => pairs.push(("label", label.to_string())),
            None => {}
        }
        let numbers = [("from", self.from), ("to", self.to)];
        pairs.extend(
            numbers
                .into_iter()
                .filter_map(|(name, number)| Some((name, number?.to_string()))),
        );
        let flags = [
            (self.is_unified, "view", "unified"),
            (self.shows_space, "ws", "1"),
            (self.shows_all, "all", "1"),
            (self.is_resolved, "resolved", "1"),
        ];
        let set = flags.into_iter().filter(|(is_on, ..)| *is_on);
        pairs.extend(set.map(|(_, name, value)| (name, value.to_owned())));
        if self.days != 0 {
            pairs.push(("days", self.days.to_string()));
        }
        let pairs: Vec<(&str, &str)> = pairs
            .iter()
            .map(|(name, value)| (*name, value.as_str()))
            .collect();
        urls::prompt_with(reader.id(), name, &pairs)
    }

    /// Another one.
    pub(crate) fn changed(&self, change: impl FnOnce(&mut PromptQuery)) -> Self {
        let mut query = self.clone();
        change(&mut query);
        query
    }

    /// Days that numbers are of.
    pub(crate) fn days(&self) -> u32 {
        if self.days == 0 { DAYS[1] } else { self.days }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_version_is_not_a_label_of_its_number() {
        let of = |text: &str| PromptQuery::read(&Pairs::parse(text.as_bytes()));
        let version = of("version=3").unwrap();
        assert_eq!(version.selector, Some(Selector::Version(3)));
        let label = of("label=3").unwrap();
        assert_eq!(label.selector, Label::parse("3").ok().map(Selector::Label));
        for wrong in ["version=x", "tab=none", "label=A", "from=-1", "days=2"] {
            assert!(of(wrong).is_err(), "{wrong}");
        }
    }
}
