//! Exact amounts of money.

use std::fmt;
use std::iter::Sum;
use std::ops::Add;
use std::str::FromStr;

use rust_decimal::Decimal;
use rust_decimal::prelude::ToPrimitive;
use serde::{Deserialize, Serialize};

/// United States dollars, exact, shown without exponent. JSON carries it as text.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(transparent)]
pub struct Usd(pub Decimal);

impl Usd {
    /// Digits after the point that are stored: one millionth of a microdollar.
    pub const SCALE: u32 = 12;

    /// The amount with at most [`Usd::SCALE`] digits after the point.
    #[must_use]
    pub fn rounded(self) -> Self {
        Usd(self.0.round_dp(Self::SCALE))
    }

    /// Billionths of a dollar, for stores that count whole numbers; as many as fit.
    pub fn nanos(self) -> i64 {
        let nanos = self.0.saturating_mul(Decimal::from(1_000_000_000));
        nanos.round().to_i64().unwrap_or(i64::MAX)
    }

    /// From billionths of a dollar.
    pub fn from_nanos(nanos: i64) -> Self {
        Usd(Decimal::new(nanos, 9).normalize())
    }

    /// Whether it is an amount that something can have cost: not negative, and no more than a million
    /// million dollars, beyond which the stores have no room for the fractions.
    pub fn is_plausible(&self) -> bool {
        (Decimal::ZERO..=Decimal::from(1_000_000_000_000_u64)).contains(&self.0)
    }
}

impl Add for Usd {
    type Output = Usd;

    fn add(self, other: Usd) -> Usd {
        Usd(self.0.saturating_add(other.0))
    }
}

impl Sum for Usd {
    fn sum<I: Iterator<Item = Usd>>(amounts: I) -> Usd {
        amounts.fold(Usd::default(), Add::add)
    }
}

impl FromStr for Usd {
    type Err = rust_decimal::Error;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Decimal::from_str(text)
            .or_else(|_| Decimal::from_scientific(text))
            .map(Usd)
    }
}

impl fmt::Display for Usd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.normalize().fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tiny_amounts_add_up_exactly() {
        let one: Usd = "1.5e-7".parse().unwrap();
        assert_eq!(one.to_string(), "0.00000015");
        let total: Usd = std::iter::repeat_n(one, 10_000).sum();
        assert_eq!(total.to_string(), "0.0015");
    }

    #[test]
    fn amounts_are_kept_as_whole_billionths() {
        let some: Usd = "1.0000000254".parse().unwrap();
        assert_eq!(some.nanos(), 1_000_000_025);
        assert_eq!(Usd::from_nanos(some.nanos()).to_string(), "1.000000025");
        assert_eq!(Usd::from_nanos(2_500_000_000).to_string(), "2.5");
        let most: Usd = "79228162514264337593543950335".parse().unwrap();
        assert_eq!(most.nanos(), i64::MAX);
    }
}
