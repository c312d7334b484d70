//! What may be set as prices for some calls only.

use std::collections::BTreeSet;

use domain::Fault;
use domain::cost::{Listing, PriceDraft, TierCondition, TierDraft};

use super::check::{check_prices, wrong};
use crate::names;

/// Prices of one model for some calls only.
const MAX_TIERS: usize = 50;
/// Conditions of one of them.
const MAX_CONDITIONS: usize = 20;
/// The last that is tried.
const MAX_PRIORITY: u32 = 999;
/// Characters of an expression.
const MAX_PATTERN: usize = 200;
/// Values of one condition.
const MAX_VALUES: usize = 100;

/// Whether tiers may be set so: each has a name and a place of its own, says for which calls it is, and
/// prices what the usual price does.
///
/// # Errors
/// `invalid` on the field that is wrong.
pub(super) fn check(draft: &PriceDraft, listing: &Listing) -> Result<(), Fault> {
    names::name("pricingTiers", &listing.usual_tier)?;
    if listing.tiers.len() > MAX_TIERS {
        return Err(wrong("pricingTiers", &format!("give at most {MAX_TIERS}")));
    }
    let mut taken = BTreeSet::from([listing.usual_tier.as_str()]);
    let mut places = BTreeSet::from([0]);
    let usages: BTreeSet<&String> = draft.prices.keys().collect();
    for tier in &listing.tiers {
        names::name("pricingTiers", &tier.name)?;
        let refuse = |why: &str| Err(wrong("pricingTiers", &format!("{}: {why}", tier.name)));
        if !taken.insert(&tier.name) {
            return refuse("the name is given twice");
        }
        if tier.priority > MAX_PRIORITY || !places.insert(tier.priority) {
            return refuse("give each a priority of its own from 1 to 999");
        }
        if tier.prices.keys().collect::<BTreeSet<_>>() != usages {
            return refuse("give prices for the same usage in each");
        }
        check_prices("pricingTiers", &tier.prices)?;
        check_conditions(tier)?;
    }
    Ok(())
}

fn check_conditions(tier: &TierDraft) -> Result<(), Fault> {
    let refuse = |why: &str| Err(wrong("pricingTiers", &format!("{}: {why}", tier.name)));
    if tier.conditions.is_empty() || tier.conditions.len() > MAX_CONDITIONS {
        return refuse("give 1 to 20 conditions; only the default one has none");
    }
    for condition in &tier.conditions {
        match condition {
            TierCondition::Usage { pattern, .. } => {
                if pattern.is_empty() || pattern.chars().count() > MAX_PATTERN {
                    return refuse("an expression has 1 to 200 characters");
                }
                if pattern.contains('\0') {
                    return refuse("an expression must not hold NUL characters");
                }
            }
            TierCondition::Attribute { key, values, .. } => {
                names::name("pricingTiers", key)?;
                if values.is_empty() || values.len() > MAX_VALUES {
                    return refuse("give 1 to 100 values");
                }
                for value in values {
                    names::note("pricingTiers", value)?;
                }
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use domain::Usd;
    use domain::comparison::Compare;

    use super::*;

    fn prices(usages: &[&str]) -> BTreeMap<String, Usd> {
        let usages = usages.iter();
        usages
            .map(|usage| ((*usage).to_owned(), "0.1".parse().unwrap()))
            .collect()
    }

    fn tier(name: &str, priority: u32) -> TierDraft {
        TierDraft {
            name: name.to_owned(),
            priority,
            conditions: vec![TierCondition::Usage {
                pattern: "input".to_owned(),
                compare: Compare::Greater,
                value: 1.into(),
                is_case_sensitive: false,
            }],
            prices: prices(&["input", "output"]),
        }
    }

    fn is_refused(tiers: Vec<TierDraft>) -> bool {
        let listing = Listing {
            name: "m".to_owned(),
            usual_tier: "Standard".to_owned(),
            tiers,
            ..Listing::default()
        };
        let draft = PriceDraft {
            prices: prices(&["input", "output"]),
            ..PriceDraft::default()
        };
        check(&draft, &listing).is_err()
    }

    #[test]
    fn tiers_have_names_places_conditions_and_prices_of_their_own() {
        assert!(!is_refused(vec![tier("a", 1), tier("b", 2)]));
        assert!(is_refused(vec![tier("a", 1), tier("a", 2)]));
        assert!(is_refused(vec![tier("Standard", 1)]));
        assert!(is_refused(vec![tier("a", 1), tier("b", 1)]));
        assert!(is_refused(vec![tier("a", 0)]));
        assert!(is_refused(vec![tier("a", 1000)]));
        let other = TierDraft {
            prices: prices(&["input"]),
            ..tier("a", 1)
        };
        assert!(is_refused(vec![other]));
        let always = TierDraft {
            conditions: Vec::new(),
            ..tier("a", 1)
        };
        assert!(is_refused(vec![always]));
    }
}
