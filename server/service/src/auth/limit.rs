//! How often somebody may try to sign in.
//!
//! Two buckets of tries, one an address and one an account. A try takes one of each; a good one
//! puts them back, so that only wrong ones count. Both refill slowly: guessing stays hopeless, and
//! an account under attack is never locked for long.

use std::collections::HashMap;
use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};
use std::net::IpAddr;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use domain::{Code, Fault, Nanos};
use tokio::time::Instant;

const PER_ADDRESS: Allowance = Allowance {
    tries: 30,
    refill: Duration::from_secs(4),
};
const PER_ACCOUNT: Allowance = Allowance {
    tries: 10,
    refill: Duration::from_secs(15),
};
/// Buckets that are kept; untouched ones are full and need no keeping.
const MAX_BUCKETS: usize = 20_000;

#[derive(Clone, Copy)]
struct Allowance {
    tries: u32,
    refill: Duration,
}

/// Tries of all addresses and accounts.
#[derive(Default)]
pub(crate) struct SignInLimit {
    buckets: Mutex<HashMap<u64, Bucket>>,
}

/// A bucket that lost tries: it is full again at `full_at`.
struct Bucket {
    full_at: Instant,
}

/// What a try took.
pub(crate) struct Tries {
    buckets: [(u64, Allowance); 2],
}

impl SignInLimit {
    /// Takes one try of the address and one of the account.
    pub(crate) fn take(&self, from: IpAddr, email: &str, now: Instant) -> Result<Tries, Fault> {
        let tries = Tries {
            buckets: [
                (key_of(&network(from)), PER_ADDRESS),
                (key_of(&email), PER_ACCOUNT),
            ],
        };
        let mut buckets = self.buckets.lock().unwrap_or_else(PoisonError::into_inner);
        for (key, allowance) in &tries.buckets {
            let full_at = buckets.get(key).map_or(now, |bucket| bucket.full_at);
            let after = full_at.max(now) + allowance.refill;
            let wait = (after - now).saturating_sub(allowance.refill * allowance.tries);
            if !wait.is_zero() {
                return Err(too_many(wait));
            }
        }
        if buckets.len() + 2 > MAX_BUCKETS {
            buckets.retain(|_, bucket| bucket.full_at > now);
        }
        if buckets.len() + 2 > MAX_BUCKETS {
            return Err(too_many(Duration::from_secs(10)));
        }
        for (key, allowance) in &tries.buckets {
            let bucket = buckets.entry(*key).or_insert(Bucket { full_at: now });
            bucket.full_at = bucket.full_at.max(now) + allowance.refill;
        }
        Ok(tries)
    }

    /// Puts the tries back after a good one.
    pub(crate) fn give_back(&self, tries: &Tries) {
        let mut buckets = self.buckets.lock().unwrap_or_else(PoisonError::into_inner);
        for (key, allowance) in &tries.buckets {
            if let Some(bucket) = buckets.get_mut(key) {
                bucket.full_at = bucket
                    .full_at
                    .checked_sub(allowance.refill)
                    .unwrap_or(bucket.full_at);
            }
        }
    }
}

/// Who owns one IPv6 address usually owns its whole /64.
fn network(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(v6) => IpAddr::V6((u128::from(v6) & !u128::from(u64::MAX)).into()),
        v4 @ IpAddr::V4(_) => v4,
    }
}

fn key_of(subject: &impl Hash) -> u64 {
    let mut hasher = DefaultHasher::new();
    subject.hash(&mut hasher);
    hasher.finish()
}

fn too_many(wait: Duration) -> Fault {
    let seconds = wait.as_secs() + 1;
    Fault::new(
        Code::TooMany,
        format!("too many tries; wait {seconds} s and try again"),
    )
    .retry_after(Nanos::from_seconds(seconds))
}

#[cfg(test)]
mod tests {
    use super::*;

    const HOME: IpAddr = IpAddr::V4(std::net::Ipv4Addr::LOCALHOST);

    #[test]
    fn ten_wrong_tries_an_account_then_one_every_fifteen_seconds() {
        let (limit, now) = (SignInLimit::default(), Instant::now());
        for _ in 0..10 {
            assert!(limit.take(HOME, "a@b.c", now).is_ok());
        }
        let fault = limit.take(HOME, "a@b.c", now).err().unwrap();
        assert_eq!(fault.code, Code::TooMany);
        assert!(fault.retry_after.is_some());
        assert!(limit.take(HOME, "other@b.c", now).is_ok());
        let later = now + Duration::from_secs(15);
        assert!(limit.take(HOME, "a@b.c", later).is_ok());
        assert!(limit.take(HOME, "a@b.c", later).is_err());
    }

    #[test]
    fn one_address_cannot_try_many_accounts_and_good_tries_are_free() {
        let (limit, now) = (SignInLimit::default(), Instant::now());
        for n in 0..30 {
            let good = limit.take(HOME, "a@b.c", now).unwrap();
            limit.give_back(&good);
            assert!(limit.take(HOME, &format!("{n}@b.c"), now).is_ok());
        }
        assert!(limit.take(HOME, "31@b.c", now).is_err());
    }

    #[test]
    fn addresses_of_one_ipv6_network_count_as_one() {
        let address = |text: &str| network(text.parse().unwrap());
        assert_eq!(address("2001:db8::1"), address("2001:db8::ffff:1"));
        assert_ne!(address("2001:db8::1"), address("2001:db8:0:1::1"));
        assert_eq!(address("::ffff:10.0.0.1"), address("10.0.0.1"));
    }
}
