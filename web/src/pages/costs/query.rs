//! The state of the page of costs, as its address holds it: the range, and `by=`.

use domain::Fault;
use domain::cost::CostBy;

use crate::extract::Pairs;
use crate::i18n::{Lang, text};
use crate::pages::traces::query::ListQuery;
use crate::zone::Zone;

/// The state.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct CostQuery {
    /// The range.
    pub(crate) list: ListQuery,
    /// What costs are told apart by.
    pub(crate) by: CostBy,
}

impl CostQuery {
    /// From the address, with whether parts of forms were in it.
    ///
    /// # Errors
    /// `invalid`, naming the part that makes no sense.
    pub(crate) fn read(pairs: &Pairs, zone: &Zone) -> Result<(Self, bool), Fault> {
        let read = ListQuery::read(pairs, zone)?;
        let by = match pairs.filled("by") {
            None => CostBy::default(),
            Some(name) => CostBy::from_name(name).ok_or_else(|| {
                Fault::invalid(format!("costs cannot be told apart by {name}")).on_field("by")
            })?,
        };
        let list = ListQuery {
            range: read.query.range,
            zone: read.query.zone,
            ..ListQuery::default()
        };
        Ok((CostQuery { list, by }, read.from_form))
    }

    /// As the query of an address; what is as usual is left out.
    pub(crate) fn to_query(&self) -> String {
        let mut query = form_urlencoded::Serializer::new(String::new());
        query.extend_pairs(self.list.to_pairs());
        query.extend_pairs(self.by_pair());
        query.finish()
    }

    /// `by=`, where it is not as usual.
    pub(crate) fn by_pair(&self) -> Option<(&'static str, String)> {
        (self.by != CostBy::default()).then(|| ("by", self.by.to_string()))
    }
}

/// Words of a way to tell costs apart.
pub(crate) fn by_words(by: CostBy, lang: Lang) -> &'static str {
    lang.t(match by {
        CostBy::Model => text!("Model"),
        CostBy::User => text!("User"),
        CostBy::Tenant => text!("Tenant"),
        CostBy::Feature => text!("Feature"),
        CostBy::Route => text!("Route"),
        CostBy::Region => text!("Region"),
        CostBy::Variant => text!("Variant"),
        CostBy::PromptVersion => text!("Prompt version"),
        CostBy::Environment => text!("Environment"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_address_and_the_state_are_the_same() {
        for address in ["", "range=7d&by=tenant", "by=prompt_version"] {
            let pairs = Pairs::parse(address.as_bytes());
            let (query, from_form) = CostQuery::read(&pairs, &Zone::utc()).unwrap();
            assert_eq!(query.to_query(), address);
            assert!(!from_form);
        }
        let wrong = Pairs::parse(b"by=colour");
        assert!(CostQuery::read(&wrong, &Zone::utc()).is_err());
    }
}
