//! What may be set as a price.

use std::collections::BTreeMap;

use domain::cost::{InvalidPrice, PriceDraft};
use domain::{Fault, Usd};

use super::tiers;
use crate::{models, names};

/// Kinds of usage in one price.
const MAX_USAGES: usize = 50;
/// Digits after the point: a cost keeps as many.
const MAX_SCALE: u32 = Usd::SCALE;
/// USD for one token or thing.
const MAX_USD: u32 = 1_000_000;

/// Whether a price may be set so.
///
/// # Errors
/// `invalid` on the field that is wrong.
pub(super) fn check(draft: &PriceDraft) -> Result<(), Fault> {
    match &draft.listing {
        Some(listing) => {
            models::check(draft, listing)?;
            tiers::check(draft, listing)?;
        }
        None => {
            if names::name("model", &draft.model)? != draft.model {
                return Err(wrong("model", "must not have blanks around it"));
            }
        }
    }
    check_prices("prices", &draft.prices)?;
    if let (Some(from), Some(to)) = (draft.valid_from, draft.valid_to)
        && to <= from
    {
        return Err(wrong("valid_to", "must be later than valid_from"));
    }
    let refused = draft.to_own().err();
    refused.map_or(Ok(()), |error| Err(refusal(error)))
}

/// Prices by usage.
///
/// # Errors
/// `invalid` on the field that is wrong.
pub(super) fn check_prices(field: &str, prices: &BTreeMap<String, Usd>) -> Result<(), Fault> {
    if prices.is_empty() {
        return Err(wrong(
            field,
            "give a price for input, output or another usage",
        ));
    }
    if prices.len() > MAX_USAGES {
        let message = format!("give at most {MAX_USAGES} kinds of usage");
        return Err(wrong(field, &message));
    }
    for (usage, usd) in prices {
        let field = format!("{field}.{usage}");
        names::name(&field, usage)?;
        if usd.0.normalize().scale() > MAX_SCALE || usd.0 > MAX_USD.into() {
            let message =
                format!("give US dollars up to {MAX_USD} with {MAX_SCALE} decimals at most");
            return Err(wrong(&field, &message));
        }
    }
    Ok(())
}

fn refusal(error: InvalidPrice) -> Fault {
    let field = match &error {
        InvalidPrice::Pattern(_) => "model".to_owned(),
        InvalidPrice::Negative { usage } => format!("prices.{usage}"),
    };
    wrong(&field, &error.to_string()).because(error)
}

pub(super) fn wrong(field: &str, why: &str) -> Fault {
    Fault::invalid(format!("{field}: {why}")).on_field(field)
}

#[cfg(test)]
mod tests {
    use domain::Timestamp;
    use domain::cost::MatchKind;

    use super::*;

    fn draft(model: &str, usd: &str) -> PriceDraft {
        PriceDraft {
            model: model.to_owned(),
            prices: [("input".to_owned(), usd.parse().unwrap())].into(),
            ..PriceDraft::default()
        }
    }

    fn field_of(draft: &PriceDraft) -> Option<String> {
        check(draft).err().and_then(|fault| fault.field)
    }

    #[test]
    fn what_is_wrong_is_named() {
        assert_eq!(field_of(&draft("m1", "0.000001")), None);
        assert_eq!(field_of(&draft("", "1")).as_deref(), Some("model"));
        assert_eq!(field_of(&draft(" m1", "1")).as_deref(), Some("model"));
        for usd in ["-1", "1000001", "0.0000000000001"] {
            let field = field_of(&draft("m1", usd));
            assert_eq!(field.as_deref(), Some("prices.input"), "{usd}");
        }
        let pattern = PriceDraft {
            match_kind: MatchKind::Pattern,
            ..draft("(", "1")
        };
        assert_eq!(field_of(&pattern).as_deref(), Some("model"));
        let at = |text| Timestamp::parse(text).ok();
        let backwards = PriceDraft {
            valid_from: at("2026-02-01T00:00:00Z"),
            valid_to: at("2026-01-01T00:00:00Z"),
            ..draft("m1", "1")
        };
        assert_eq!(field_of(&backwards).as_deref(), Some("valid_to"));
        let nothing = PriceDraft {
            prices: Default::default(),
            ..draft("m1", "1")
        };
        assert_eq!(field_of(&nothing).as_deref(), Some("prices"));
    }
}
