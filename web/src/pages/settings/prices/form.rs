//! What a person enters as a price: US dollars per million tokens, as vendors list them.

use domain::cost::{MatchKind, PriceDraft};
use domain::{Fault, Timestamp, Usd};
use rust_decimal::Decimal;

use crate::extract::Pairs;
use crate::form::Field;

/// Fields of the form, as faults name them.
pub(super) const FIELDS: &[&str] = &[
    "model",
    "prices.input",
    "prices.output",
    "prices.cache_read",
    "prices.cache_write",
    "valid_from",
];

/// Usage with a field of its own; prices of other usage are kept as they are.
const USAGE: [&str; 4] = ["input", "output", "cache_read", "cache_write"];

/// The form as it is filled in.
#[derive(Clone, Debug, Default)]
pub(crate) struct PriceForm {
    match_kind: MatchKind,
    pub(crate) model: Field,
    pub(crate) input: Field,
    pub(crate) output: Field,
    pub(crate) cache_read: Field,
    pub(crate) cache_write: Field,
    pub(crate) valid_from: Field,
}

impl PriceForm {
    /// Empty but for a model.
    pub(super) fn for_model(model: &str) -> Self {
        PriceForm {
            model: Field::holding(model),
            ..PriceForm::default()
        }
    }

    /// As it was sent.
    pub(super) fn posted(pairs: &Pairs) -> Self {
        let field = |name| Field::holding(pairs.get(name).unwrap_or_default().trim());
        let kind = pairs.get("match").and_then(MatchKind::from_name);
        PriceForm {
            match_kind: kind.unwrap_or_default(),
            model: field("model"),
            input: field("input"),
            output: field("output"),
            cache_read: field("cache_read"),
            cache_write: field("cache_write"),
            valid_from: field("valid_from"),
        }
    }

    /// Whether the model is a regular expression.
    pub(crate) fn is_pattern(&self) -> bool {
        self.match_kind == MatchKind::Pattern
    }

    /// With the words of a fault at the field that it names.
    pub(super) fn with_fault(self, fault: &Fault) -> Self {
        PriceForm {
            match_kind: self.match_kind,
            model: self.model.with_fault("model", fault),
            input: self.input.with_fault("prices.input", fault),
            output: self.output.with_fault("prices.output", fault),
            cache_read: self.cache_read.with_fault("prices.cache_read", fault),
            cache_write: self.cache_write.with_fault("prices.cache_write", fault),
            valid_from: self.valid_from.with_fault("valid_from", fault),
        }
    }

    /// The draft with what was entered.
    ///
    /// # Errors
    /// `invalid` on a field that is no number or no date.
    pub(super) fn draft(&self, mut draft: PriceDraft) -> Result<PriceDraft, Fault> {
        draft.match_kind = self.match_kind;
        draft.model.clone_from(&self.model.value);
        for (usage, field) in USAGE.into_iter().zip(self.amounts()) {
            match per_token(&field.value) {
                Some(Some(usd)) => drop(draft.prices.insert(usage.to_owned(), usd)),
                Some(None) => drop(draft.prices.remove(usage)),
                None => return Err(wrong(&format!("prices.{usage}"), "give US dollars")),
            }
        }
        if self.valid_from.value.is_empty() {
            draft.valid_from = None;
        } else if Some(&self.valid_from.value) != draft.valid_from.map(date).as_ref() {
            let midnight = format!("{}T00:00:00Z", self.valid_from.value);
            let from = Timestamp::parse(&midnight);
            draft.valid_from = Some(from.map_err(|_| wrong("valid_from", "give a date"))?);
        }
        Ok(draft)
    }

    fn amounts(&self) -> [&Field; 4] {
        [
            &self.input,
            &self.output,
            &self.cache_read,
            &self.cache_write,
        ]
    }
}

impl From<&PriceDraft> for PriceForm {
    fn from(draft: &PriceDraft) -> Self {
        let amount = |usage: &str| {
            let usd = draft.prices.get(usage);
            Field::holding(&usd.map_or(String::new(), |usd| per_million(*usd)))
        };
        PriceForm {
            match_kind: draft.match_kind,
            model: Field::holding(&draft.model),
            input: amount("input"),
            output: amount("output"),
            cache_read: amount("cache_read"),
            cache_write: amount("cache_write"),
            valid_from: Field::holding(&draft.valid_from.map_or(String::new(), date)),
        }
    }
}

/// Prices beside input and output, in one line.
pub(super) fn others(draft: &PriceDraft) -> String {
    let others = draft.prices.iter();
    let others = others.filter(|(usage, _)| !["input", "output"].contains(&usage.as_str()));
    let words = others.map(|(usage, usd)| format!("{usage} {}", per_million(*usd)));
    words.collect::<Vec<_>>().join(", ")
}

fn million() -> Decimal {
    Decimal::from(1_000_000)
}

fn per_million(usd: Usd) -> String {
    Usd(usd.0.saturating_mul(million())).to_string()
}

/// `Some(None)`: nothing was entered; `None`: no number.
fn per_token(entered: &str) -> Option<Option<Usd>> {
    if entered.is_empty() {
        return Some(None);
    }
    let usd: Usd = entered.trim_start_matches('$').parse().ok()?;
    Some(Some(Usd(usd.0.checked_div(million())?)))
}

/// The day of an instant, in UTC.
fn date(time: Timestamp) -> String {
    time.to_string().chars().take(10).collect()
}

fn wrong(field: &str, why: &str) -> Fault {
    Fault::invalid(why).on_field(field)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dollars_per_million_become_dollars_per_token_and_back() {
        let form = PriceForm::posted(&Pairs::parse(
            b"model=m1&match=exact&input=0.15&output=$0.60&cache_read=&valid_from=2026-11-01",
        ));
        let draft = form.draft(PriceDraft::default()).unwrap();
        assert_eq!(draft.prices["input"].to_string(), "0.00000015");
        assert_eq!(draft.prices["output"].to_string(), "0.0000006");
        assert_eq!(draft.prices.len(), 2);
        let shown = PriceForm::from(&draft);
        assert_eq!(
            (shown.input.value.as_str(), shown.output.value.as_str()),
            ("0.15", "0.6")
        );
        assert_eq!(shown.valid_from.value, "2026-11-01");
        assert_eq!(shown.draft(draft.clone()).unwrap(), draft);
    }

    #[test]
    fn what_is_no_number_is_named() {
        let form = PriceForm::posted(&Pairs::parse(b"model=m1&input=free"));
        let fault = form.draft(PriceDraft::default()).unwrap_err();
        assert_eq!(fault.field.as_deref(), Some("prices.input"));
    }

    #[test]
    fn prices_without_a_field_are_kept() {
        let mut draft = PriceDraft::default();
        let usd: Usd = "0.01".parse().unwrap();
        draft.prices.insert("search_queries".to_owned(), usd);
        let form = PriceForm::posted(&Pairs::parse(b"model=m1&input=1"));
        let draft = form.draft(draft).unwrap();
        assert_eq!(draft.prices["search_queries"], usd);
        assert_eq!(draft.prices.len(), 2);
    }
}
