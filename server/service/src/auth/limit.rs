//! How often somebody may try to sign in.
//!
//! Three buckets of tries. One a network, and one a network and account: whoever has used them up is
//! refused. One an account, whoever tries: beyond it every try waits, longer the more there are, but
//! none is refused, so that strangers cannot keep a person out by failing for them. A try takes one of
//! each; a good one puts them back, so that only wrong ones count. All refill slowly: a network guesses
//! four times a minute for one account, and however many networks guess, each answer takes seconds.

use std::collections::HashMap;
use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash, Hasher};
use std::net::IpAddr;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use domain::{Code, Fault, Nanos};
use tokio::time::Instant;

const PER_NETWORK: Allowance = Allowance {
    tries: 30,
    refill: Duration::from_secs(4),
};
const PER_NETWORK_AND_ACCOUNT: Allowance = Allowance {
    tries: 10,
    refill: Duration::from_secs(15),
};
/// Beyond these tries wait.
const PER_ACCOUNT: Allowance = Allowance {
    tries: 20,
    refill: Duration::from_secs(15),
};
/// How long the first try beyond the account's waits; it doubles every [`DOUBLES_AFTER`] tries.
const FIRST_DELAY: Duration = Duration::from_millis(250);
const DOUBLES_AFTER: u32 = 4;
/// The longest that a try waits: a person who knows their password puts up with that.
const LONGEST_DELAY: Duration = Duration::from_secs(8);
/// Tries beyond the account's that are remembered: after the attack it is over within minutes.
const MAX_BEYOND: u32 = 40;
/// Buckets that are kept; untouched ones are full and need no keeping.
const MAX_BUCKETS: usize = 20_000;

#[derive(Clone, Copy)]
struct Allowance {
    tries: u32,
    refill: Duration,
}

/// Tries of all networks and accounts.
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
    buckets: [(u64, Allowance); 3],
    delay: Duration,
}

impl Tries {
    /// How long the try must wait before it is judged, zero to eight seconds.
    pub(crate) fn delay(&self) -> Duration {
        self.delay
    }
}

impl SignInLimit {
    /// Takes one try of the network, one of the network for the account and one of the account.
    ///
    /// # Errors
    /// `too_many` when one of the first two is used up.
    pub(crate) fn take(&self, from: IpAddr, email: &str, now: Instant) -> Result<Tries, Fault> {
        let network = network(from);
        let refusing = [
            (key_of(&network), PER_NETWORK),
            (key_of(&(network, email)), PER_NETWORK_AND_ACCOUNT),
        ];
        let account = key_of(&email);
        let mut buckets = self.buckets.lock().unwrap_or_else(PoisonError::into_inner);
        for (key, allowance) in &refusing {
            let wait = allowance.wait(buckets.get(key), now);
            if !wait.is_zero() {
                return Err(too_many(wait));
            }
        }
        if buckets.len() + 3 > MAX_BUCKETS {
            make_room(&mut buckets, now);
        }
        let delay = delay_after(PER_ACCOUNT.beyond(buckets.get(&account), now));
        let tries = Tries {
            buckets: [refusing[0], refusing[1], (account, PER_ACCOUNT)],
            delay,
        };
        let most = PER_ACCOUNT.refill * (PER_ACCOUNT.tries + MAX_BEYOND);
        for (key, allowance) in &tries.buckets {
            let bucket = buckets.entry(*key).or_insert(Bucket { full_at: now });
            bucket.full_at = (bucket.full_at.max(now) + allowance.refill).min(now + most);
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

impl Allowance {
    /// How long until there is a try left.
    fn wait(self, bucket: Option<&Bucket>, now: Instant) -> Duration {
        let full_at = bucket.map_or(now, |bucket| bucket.full_at);
        let after = full_at.max(now) + self.refill;
        (after - now).saturating_sub(self.refill * self.tries)
    }

    /// Tries that are missing although all were used up.
    fn beyond(self, bucket: Option<&Bucket>, now: Instant) -> u32 {
        let wait = self.wait(bucket, now).as_millis();
        let tries = wait.div_ceil(self.refill.as_millis().max(1));
        u32::try_from(tries).unwrap_or(u32::MAX)
    }
}

fn delay_after(beyond: u32) -> Duration {
    if beyond == 0 {
        return Duration::ZERO;
    }
    let doublings = (beyond - 1) / DOUBLES_AFTER;
    let factor = 2u32.checked_pow(doublings).unwrap_or(u32::MAX);
    FIRST_DELAY.saturating_mul(factor).min(LONGEST_DELAY)
}

/// Forgets buckets that are full, else the half that will be soonest: refusing everybody instead would be
/// what an attacker wants.
fn make_room(buckets: &mut HashMap<u64, Bucket>, now: Instant) {
    buckets.retain(|_, bucket| bucket.full_at > now);
    if buckets.len() + 3 > MAX_BUCKETS {
        let mut all: Vec<Instant> = buckets.values().map(|bucket| bucket.full_at).collect();
        let (_, median, _) = all.select_nth_unstable(MAX_BUCKETS / 2);
        let median = *median;
        buckets.retain(|_, bucket| bucket.full_at > median);
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

    fn elsewhere(number: u32) -> IpAddr {
        std::net::Ipv4Addr::from(0x0a00_0000 + number).into()
    }

    #[test]
    fn ten_wrong_tries_an_account_from_one_network_then_one_every_fifteen_seconds() {
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
    fn strangers_slow_a_person_down_but_never_keep_them_out() {
        let (limit, now) = (SignInLimit::default(), Instant::now());
        let mut delays = Vec::new();
        for stranger in 0..500 {
            while let Ok(tries) = limit.take(elsewhere(stranger), "a@b.c", now) {
                delays.push(tries.delay());
            }
        }
        assert!(delays.is_sorted());
        assert!(delays[..20].iter().all(Duration::is_zero));
        assert_eq!((delays[20], delays[24]), (FIRST_DELAY, FIRST_DELAY * 2));
        assert_eq!(delays.last(), Some(&LONGEST_DELAY));
        let mine = limit.take(HOME, "a@b.c", now).unwrap();
        assert_eq!(mine.delay(), LONGEST_DELAY);
        let after = now + PER_ACCOUNT.refill * MAX_BEYOND;
        assert_eq!(
            limit.take(HOME, "a@b.c", after).unwrap().delay(),
            FIRST_DELAY
        );
        assert!(
            limit
                .take(elsewhere(1000), "b@b.c", now)
                .unwrap()
                .delay()
                .is_zero()
        );
    }

    #[test]
    fn so_many_buckets_that_some_are_forgotten_refuse_nobody_new() {
        let (limit, now) = (SignInLimit::default(), Instant::now());
        for stranger in 0..MAX_BUCKETS as u32 {
            let email = format!("{stranger}@b.c");
            assert!(limit.take(elsewhere(stranger), &email, now).is_ok());
        }
        assert!(limit.buckets.lock().unwrap().len() <= MAX_BUCKETS);
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
