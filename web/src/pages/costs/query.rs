//! The state of the page of costs, as its address holds it: the range, `by=`, and for each filter
//! `only=way:value` or `without=way:value`.

use domain::Fault;
use domain::cost::{CostBy, CostFilter, MAX_FILTERS};

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
    /// What alone is looked at, and what is left out.
    pub(crate) filters: Vec<CostFilter>,
}

/// Names of filters in addresses, with whether they leave out.
const FILTERS: [(&str, bool); 2] = [("only", false), ("without", true)];

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
        let mut query = CostQuery {
            list,
            by,
            filters: Vec::new(),
        };
        for (name, leaves_out) in FILTERS {
            for text in pairs.all(name) {
                query = query.with(filter(text, leaves_out, name)?);
            }
        }
        let typed = typed(pairs)?;
        let from_form = read.from_form || pairs.get("part").is_some();
        if let Some(filter) = typed {
            query = query.with(filter);
        }
        if query.filters.len() > MAX_FILTERS {
            let message = format!("at most {MAX_FILTERS} filters at once");
            return Err(Fault::invalid(message).on_field("only"));
        }
        Ok((query, from_form))
    }

    /// The same with one filter more, in the place of those that it replaces.
    pub(crate) fn with(&self, filter: CostFilter) -> Self {
        let mut query = self.clone();
        query.filters.retain(|other| !filter.replaces(other));
        query.filters.push(filter);
        query
    }

    /// The same without one of its filters.
    pub(crate) fn without(&self, at: usize) -> Self {
        let mut query = self.clone();
        query.filters.remove(at);
        query
    }

    /// What the address holds beside the range.
    pub(crate) fn kept_pairs(&self) -> Vec<(&'static str, String)> {
        let filters = self.filters.iter().map(|filter| {
            let name = FILTERS.iter().find(|(_, out)| *out == filter.leaves_out);
            (name.map_or("only", |(name, _)| *name), filter.to_string())
        });
        self.by_pair().into_iter().chain(filters).collect()
    }

    /// As the query of an address; what is as usual is left out.
    pub(crate) fn to_query(&self) -> String {
        let mut query = form_urlencoded::Serializer::new(String::new());
        query.extend_pairs(self.list.to_pairs());
        query.extend_pairs(self.kept_pairs());
        query.finish()
    }

    /// `by=`, where it is not as usual.
    fn by_pair(&self) -> Option<(&'static str, String)> {
        (self.by != CostBy::default()).then(|| ("by", self.by.to_string()))
    }
}

fn filter(text: &str, leaves_out: bool, field: &'static str) -> Result<CostFilter, Fault> {
    CostFilter::read(text, leaves_out).ok_or_else(|| {
        let message = "a filter of costs is a way to tell them apart, a colon and a value";
        Fault::invalid(message).on_field(field)
    })
}

/// The filter that the form asks for: `way=`, `how=is|is_not`, `part=` value.
fn typed(pairs: &Pairs) -> Result<Option<CostFilter>, Fault> {
    let (Some(way), Some(value)) = (pairs.filled("way"), pairs.filled("part")) else {
        return Ok(None);
    };
    let leaves_out = pairs.filled("how") == Some("is_not");
    filter(&format!("{way}:{value}"), leaves_out, "part").map(Some)
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
        for address in [
            "",
            "range=7d&by=tenant",
            "by=prompt_version",
            "only=model%3Agpt-4o&only=tenant%3A&without=user%3Aa%3Ab",
        ] {
            let pairs = Pairs::parse(address.as_bytes());
            let (query, from_form) = CostQuery::read(&pairs, &Zone::utc()).unwrap();
            assert_eq!(query.to_query(), address);
            assert!(!from_form);
        }
        for wrong in [
            "by=colour",
            "only=colour:red",
            "without=prompt_version:a:7",
            "way=prompt_version&part=a",
        ] {
            let pairs = Pairs::parse(wrong.as_bytes());
            assert!(CostQuery::read(&pairs, &Zone::utc()).is_err(), "{wrong}");
        }
    }

    #[test]
    fn what_a_form_asks_for_becomes_a_filter() {
        let pairs = Pairs::parse(b"only=model:a&way=model&how=is_not&part=a");
        let (query, from_form) = CostQuery::read(&pairs, &Zone::utc()).unwrap();
        assert!(from_form);
        assert_eq!(query.to_query(), "without=model%3Aa");
        let empty = Pairs::parse(b"way=model&how=is&part=");
        let (query, from_form) = CostQuery::read(&empty, &Zone::utc()).unwrap();
        assert!(from_form && query.filters.is_empty());
    }
}
