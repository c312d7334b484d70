//! The state of a list of sessions or users, as its address holds it.
//!
//! The range, `q=` and `f=` as in the list of traces, `sort=`, `after=`.

use domain::Fault;
use domain::Timestamp;
use domain::filter::{Column, Operator};
use domain::rollup::{Place, RollupBy, RollupOrder, RollupQuery};

use crate::extract::Pairs;
use crate::i18n::{Lang, text};
use crate::pages::traces::query::ListQuery;
use crate::zone::Zone;

/// Rows of a page.
pub(crate) const ROWS: u32 = 50;

/// The state.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct RollupState {
    /// What the list is of.
    pub(crate) by: RollupBy,
    /// Range, text, conditions on user and environment.
    pub(crate) list: ListQuery,
    /// The order.
    pub(crate) order: RollupOrder,
    /// Where the page begins.
    pub(crate) after: Option<Place>,
}

/// A state as read, and whether its address has a shorter form that should be shown instead.
pub(crate) struct Read {
    /// The state.
    pub(crate) state: RollupState,
    /// Whether parts of forms were in it.
    pub(crate) from_form: bool,
}

impl RollupState {
    /// From the address.
    ///
    /// # Errors
    /// `invalid`, naming the part that makes no sense.
    pub(crate) fn read(by: RollupBy, pairs: &Pairs, zone: &Zone) -> Result<Read, Fault> {
        let read = ListQuery::read(pairs, zone)?;
        if let Some(fault) = read.refused {
            return Err(fault);
        }
        let mut list = read.query;
        // What these lists do not have is not shown as if it held.
        list.conditions
            .retain(|(column, operator, _)| is_known(column) && *operator == Operator::AnyOf);
        (list.has_error, list.min_ms, list.live, list.cursor) = (None, None, false, None);
        let order = match pairs.filled("sort") {
            None => RollupOrder::default(),
            Some(name) => RollupOrder::from_name(name).ok_or_else(|| {
                Fault::invalid(format!("there is no order {name}")).on_field("sort")
            })?,
        };
        let after = pairs
            .filled("after")
            .map(|text| Place::read((by, order), text));
        let after = after.transpose()?;
        Ok(Read {
            state: RollupState {
                by,
                list,
                order,
                after: after.filter(|_| !read.from_form),
            },
            from_form: read.from_form,
        })
    }

    /// As the query of an address; what is as usual is left out.
    pub(crate) fn to_query(&self) -> String {
        let mut query = form_urlencoded::Serializer::new(String::new());
        query.extend_pairs(self.to_pairs());
        let place = (self.by, self.order);
        query.extend_pairs(
            self.after
                .iter()
                .map(|after| ("after", after.written(place))),
        );
        query.finish()
    }

    /// The same without the place, as names and values for hidden fields.
    pub(crate) fn to_pairs(&self) -> Vec<(&'static str, String)> {
        let mut pairs = self.list.to_pairs();
        if self.order != RollupOrder::default() {
            pairs.push(("sort", self.order.to_string()));
        }
        pairs
    }

    /// The list from its start, after a change.
    #[must_use]
    pub(crate) fn changed(&self, change: impl FnOnce(&mut RollupState)) -> Self {
        let mut state = self.clone();
        state.after = None;
        change(&mut state);
        state
    }

    /// The same over another range.
    #[must_use]
    pub(crate) fn with_range(&self, list: &ListQuery) -> Self {
        self.changed(|state| state.list.range = list.range)
    }

    /// What the store is asked for.
    pub(crate) fn wanted(&self, now: Timestamp) -> RollupQuery {
        let values = |wanted: &Column| -> Vec<String> {
            let conditions = self.list.conditions.iter();
            let those = conditions.filter(|(column, ..)| column == wanted);
            those.map(|(.., value)| value.clone()).collect()
        };
        RollupQuery {
            users: values(&Column::UserId),
            environments: values(&Column::Environment),
            text: self.list.text.clone(),
            order: self.order,
            after: self.after.clone(),
            ..RollupQuery::new(self.by, self.list.bounds(now), ROWS)
        }
    }

    /// Whether anything but the range narrows the list.
    pub(crate) fn is_narrowed(&self) -> bool {
        self.list.is_narrowed()
    }
}

fn is_known(column: &Column) -> bool {
    matches!(column, Column::UserId | Column::Environment)
}

/// Words of an order.
pub(crate) fn order_words(order: RollupOrder, lang: Lang) -> &'static str {
    lang.t(match order {
        RollupOrder::Activity => text!("Last activity"),
        RollupOrder::Traces => text!("Traces"),
        RollupOrder::Cost => text!("Cost"),
        RollupOrder::Tokens => text!("Tokens"),
        RollupOrder::Errors => text!("Errors"),
        RollupOrder::Duration => text!("Duration"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(query: &str) -> Result<Read, Fault> {
        RollupState::read(
            RollupBy::Session,
            &Pairs::parse(query.as_bytes()),
            &Zone::utc(),
        )
    }

    #[test]
    fn the_address_and_the_state_are_the_same() {
        for address in [
            "",
            "range=7d&q=bag&f=user_id%3Ais%3Ateam%2F7&sort=cost&after=session-cost%7E2a.chat+1",
        ] {
            let read = read(address).unwrap();
            assert_eq!(read.state.to_query(), address);
            assert!(!read.from_form);
        }
    }

    #[test]
    fn what_these_lists_do_not_have_is_left_out_and_nonsense_is_named() {
        let other = read("f=model%3Ais%3Am&error=yes&f=user_id%3Anot%3Au").unwrap();
        assert_eq!(other.state, RollupState::default());
        assert!(read("sort=colour").is_err() && read("after=x").is_err());
        let form = read("after=session-activity~1.a&fc=user_id&fo=is&fv=u").unwrap();
        assert!(form.from_form && form.state.after.is_none());
    }
}
