//! What lists of sessions and users share: filters in force, orders, pages.

use domain::filter::Column;
use domain::rollup::{Place, RollupOrder};

use super::query::{RollupState, order_words};
use crate::i18n::{Lang, text};
use crate::layout::Choice;

/// A filter in force.
pub(crate) struct Chip {
    pub(crate) key: &'static str,
    pub(crate) value: String,
    /// The list without it.
    pub(crate) remove_url: String,
}

/// Around the rows.
pub(crate) struct Head {
    /// Free text of the search field.
    pub(crate) text: String,
    /// Filters in force.
    pub(crate) chips: Vec<Chip>,
    /// What the search form keeps.
    pub(crate) keep: Vec<(&'static str, String)>,
    /// What the filter form keeps.
    pub(crate) keep_all: Vec<(&'static str, String)>,
    /// Target of both forms.
    pub(crate) action: String,
    /// Columns of the filter menu.
    pub(crate) columns: Vec<(&'static str, &'static str)>,
    /// Orders to choose from.
    pub(crate) orders: Vec<Choice>,
    /// The order in force.
    pub(crate) order: &'static str,
    /// This very list.
    pub(crate) here: String,
    /// The next page; empty at the end.
    pub(crate) next_url: String,
    /// The first page; empty there.
    pub(crate) first_url: String,
    /// The list without filters; empty where none narrows it.
    pub(crate) wider_url: String,
}

impl Head {
    /// Of a list whose addresses `address` makes.
    pub(crate) fn new(
        address: &dyn Fn(&RollupState) -> String,
        state: &RollupState,
        (orders, next): (&[RollupOrder], Option<Place>),
        lang: Lang,
    ) -> Self {
        let conditions = state.list.conditions.iter().enumerate();
        let chips = conditions.map(|(at, (column, _, value))| Chip {
            key: lang.t(match column {
                Column::UserId => text!("user"),
                _ => text!("environment"),
            }),
            value: value.clone(),
            remove_url: address(&state.changed(|state| drop(state.list.conditions.remove(at)))),
        });
        Head {
            text: state.list.text.clone().unwrap_or_default(),
            chips: chips.collect(),
            keep: state.changed(|state| state.list.text = None).to_pairs(),
            keep_all: state.to_pairs(),
            action: address(&RollupState::default()),
            columns: vec![
                ("user_id", lang.t("User")),
                ("environment", lang.t("Environment")),
            ],
            orders: orders
                .iter()
                .map(|order| Choice {
                    label: order_words(*order, lang).to_owned(),
                    url: address(&state.changed(|state| state.order = *order)),
                    current: state.order == *order,
                })
                .collect(),
            order: order_words(state.order, lang),
            here: address(state),
            next_url: next.map_or_else(String::new, |place| {
                address(&state.changed(|state| state.after = Some(place)))
            }),
            first_url: match state.after {
                None => String::new(),
                Some(_) => address(&state.changed(|_| {})),
            },
            wider_url: match state.is_narrowed() {
                false => String::new(),
                true => address(&state.changed(|state| {
                    state.list.text = None;
                    state.list.conditions.clear();
                })),
            },
        }
    }
}
