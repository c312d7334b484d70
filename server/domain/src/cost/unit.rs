//! Things other than tokens that vendors charge for: queries, images, seconds, characters, pages.

use super::price::Price;
use crate::usage_record::TOTAL;

/// Plain names of counts, and the prices they take, the first that the model has.
const PLAIN: &[(&str, &[&str])] = &[
    (
        "search_queries",
        &["web_search_per_query", "input_cost_per_query"],
    ),
    ("map_queries", &["google_maps_grounding_cost_per_query"]),
    ("sessions", &["code_interpreter_cost_per_session"]),
    ("queries", &["input_cost_per_query"]),
    ("requests", &["input_cost_per_request"]),
    ("images", &["output_cost_per_image"]),
    ("input_images", &["input_cost_per_image"]),
    (
        "seconds",
        &[
            "input_cost_per_second",
            "output_cost_per_second",
            "cost_per_second",
        ],
    ),
    ("output_seconds", &["output_cost_per_second"]),
    (
        "characters",
        &["input_cost_per_character", "output_cost_per_character"],
    ),
    ("pages", &["ocr_cost_per_page"]),
];

/// Beginnings of prices that come on top of the tokens. Every other unit measures the same content in
/// another way.
const EXTRAS: &[&str] = &[
    "web_search_per_query",
    "google_maps_grounding_cost_per_query",
    "code_interpreter_cost_per_session",
];

/// The name of the model's price for a count, by the count's plain name or the price's own.
pub(super) fn price_name<'a>(price: &'a Price, count: &str) -> Option<&'a str> {
    let plain = PLAIN.iter().find(|(name, _)| *name == count);
    let wanted = plain.map_or(&[][..], |(_, prices)| prices);
    std::iter::once(&count)
        .chain(wanted)
        .find_map(|wanted| price.per_unit.iter().find(|(name, _)| **name == **wanted))
        .map(|(name, _)| &**name)
}

/// Whether a unit is charged on top of the tokens.
pub(super) fn is_extra(price_name: &str) -> bool {
    EXTRAS.iter().any(|extra| price_name.starts_with(extra))
}

/// Whether the model is sold by something other than tokens: it may have token rates, but none that
/// costs anything (Cohere's rerankers list 0). A price of the total is one of tokens.
pub(super) fn is_sold_by_unit(price: &Price) -> bool {
    let tokens_are_free = price.base.rates.iter().all(|(_, usd)| usd.is_zero());
    let is_thing = |name: &str| !is_extra(name) && name != TOTAL;
    tokens_are_free && price.per_unit.iter().any(|(name, _)| is_thing(name))
}
