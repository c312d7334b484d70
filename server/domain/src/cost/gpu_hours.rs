//! What calls cost on GPUs of one's own: hours at a price, shared by the requests of a batch.

use rust_decimal::Decimal;

use crate::money::Usd;
use crate::time::Nanos;

/// Seconds of an hour.
const HOUR: Decimal = Decimal::from_parts(3600, 0, 0, false, 0);

/// What a set of GPUs costs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GpuPrice {
    /// USD per GPU and hour.
    pub usd_per_gpu_hour: Decimal,
    /// GPUs that work together.
    pub gpus: u32,
}

/// Where the money of a window went. The two parts add up to what the window costs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WindowCost {
    /// While requests were served.
    pub busy: Usd,
    /// While none were.
    pub idle: Usd,
}

impl GpuPrice {
    /// The cost of a time on every GPU: seconds × GPUs × hourly price / 3600.
    pub fn cost_of(self, time: Nanos) -> Usd {
        Usd(seconds(time)
            .saturating_mul(self.per_hour())
            .checked_div(HOUR)
            .unwrap_or_default())
    }

    /// The cost of a request that took `time`, of which `share` (0 to 1, clamped) of the batch was
    /// its own.
    pub fn cost_of_request(self, time: Nanos, share: Decimal) -> Usd {
        let share = share.clamp(Decimal::ZERO, Decimal::ONE);
        Usd(self.cost_of(time).0.saturating_mul(share))
    }

    /// USD per token at a measured throughput of the whole set; `None` when it is not positive.
    /// Price per hour / (tokens per second × 3600).
    pub fn per_token(self, tokens_per_second: Decimal) -> Option<Usd> {
        if tokens_per_second <= Decimal::ZERO {
            return None;
        }
        let tokens_per_hour = tokens_per_second.checked_mul(HOUR)?;
        self.per_hour().checked_div(tokens_per_hour).map(Usd)
    }

    /// The cost of a window, split by whether requests were served. `busy` is at most the window.
    pub fn cost_of_window(self, window: Nanos, busy: Nanos) -> WindowCost {
        let busy = self.cost_of(busy.min(window));
        let whole = self.cost_of(window);
        WindowCost {
            busy,
            idle: Usd(whole.0.saturating_sub(busy.0)),
        }
    }

    fn per_hour(self) -> Decimal {
        self.usd_per_gpu_hour
            .saturating_mul(Decimal::from(self.gpus))
    }
}

fn seconds(time: Nanos) -> Decimal {
    Decimal::from_i128_with_scale(i128::from(time.0), 9)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn two_gpus() -> GpuPrice {
        GpuPrice {
            usd_per_gpu_hour: "1.80".parse().unwrap(),
            gpus: 2,
        }
    }

    #[test]
    fn a_request_pays_for_its_share_of_the_batch() {
        let time = Nanos::from_seconds(10);
        assert_eq!(two_gpus().cost_of(time).to_string(), "0.01");
        let quarter = "0.25".parse().unwrap();
        let cost = two_gpus().cost_of_request(time, quarter);
        assert_eq!(cost.to_string(), "0.0025");
        let all = two_gpus().cost_of_request(time, Decimal::TEN);
        assert_eq!(all, two_gpus().cost_of(time));
    }

    #[test]
    fn a_token_costs_the_hour_by_what_it_yields() {
        let usd = two_gpus().per_token(Decimal::from(1000)).unwrap();
        assert_eq!(usd.to_string(), "0.000001");
        assert_eq!(two_gpus().per_token(Decimal::ZERO), None);
    }

    #[test]
    fn idle_time_is_paid_for_and_shown_apart() {
        let cost = two_gpus().cost_of_window(Nanos::from_seconds(3600), Nanos::from_seconds(900));
        assert_eq!(cost.busy.to_string(), "0.9");
        assert_eq!(cost.idle.to_string(), "2.7");
    }

    proptest! {
        #[test]
        fn busy_and_idle_are_the_whole_window(window: u64, busy: u64) {
            let cost = two_gpus().cost_of_window(Nanos(window), Nanos(busy));
            prop_assert!(cost.busy >= Usd::default() && cost.idle >= Usd::default());
            prop_assert_eq!(cost.busy + cost.idle, two_gpus().cost_of(Nanos(window)));
        }
    }
}
