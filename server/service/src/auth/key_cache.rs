//! Keys that were checked lately.
//!
//! A key counts as checked for [`FRESH`]; after that Postgres is asked again. Of a key that is in steady
//! use Postgres is asked [`AHEAD`] of that, so that no request waits for it. While Postgres is
//! away, a key that was good keeps working for [`STALE`]. Unknown keys are not remembered, so that
//! nobody can fill the memory with them.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use domain::tenancy::{KeyScopes, Role, Tenant};
use domain::{ApiKeyId, Timestamp};
use tokio::sync::{Mutex as AsyncMutex, MutexGuard as AsyncMutexGuard};
use tokio::time::Instant;

use super::header::Fingerprint;

/// How long a check holds: a revoked key is refused everywhere within 5 s.
const FRESH: Duration = Duration::from_secs(4);
/// How old a check is when the next one is begun without anybody waiting for it.
const AHEAD: Duration = Duration::from_secs(2);
/// How long a good key works without Postgres.
const STALE: Duration = Duration::from_secs(600);
/// Between two notes of a key's use.
const NOTE_EVERY: Duration = Duration::from_secs(60);
/// How long a request waits for Postgres.
pub(crate) const PATIENCE: Duration = Duration::from_secs(1);
/// Keys that are remembered.
const MAX_KEYS: usize = 10_000;

/// What a good key opens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Known {
    /// The key.
    pub(crate) id: ApiKeyId,
    /// What it is of.
    pub(crate) tenant: Tenant,
    /// What may be done with it.
    pub(crate) role: Role,
    /// What it is limited to.
    pub(crate) scopes: Option<KeyScopes>,
    /// From when on it is refused, whatever is kept of it.
    pub(crate) expires_at: Option<Timestamp>,
    /// Whether only its public part was shown.
    pub(crate) is_public: bool,
}

/// What is known about a fingerprint.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Answer {
    /// Good, checked a moment ago.
    Fresh(Known),
    /// Postgres must be asked; where it is away, the key counts as this.
    Ask(Option<Known>),
}

/// Keys by fingerprint of what was shown.
#[derive(Default)]
pub(crate) struct KeyCache {
    keys: Mutex<HashMap<Fingerprint, Entry>>,
    known_turn: AsyncMutex<()>,
    unknown_turn: AsyncMutex<()>,
}

struct Entry {
    known: Known,
    confirmed: Instant,
    ask_after: Instant,
    is_asked_ahead: bool,
    noted: Option<Instant>,
}

impl KeyCache {
    /// What is known.
    pub(crate) fn look(&self, print: &Fingerprint, now: Instant) -> Answer {
        match self.lock().get(print) {
            Some(entry) if now < entry.ask_after => Answer::Fresh(entry.known),
            Some(entry) if now < entry.confirmed + STALE => Answer::Ask(Some(entry.known)),
            _ => Answer::Ask(None),
        }
    }

    /// Waits for the turn to ask Postgres. Keys that were good have a queue of their own, so that a
    /// flood of unknown ones does not hold them up.
    pub(crate) async fn turn(&self, stale: Option<Known>) -> AsyncMutexGuard<'_, ()> {
        let queue = if stale.is_some() {
            &self.known_turn
        } else {
            &self.unknown_turn
        };
        queue.lock().await
    }

    /// Keeps what Postgres said.
    pub(crate) fn remember(&self, print: &Fingerprint, found: Option<Known>, now: Instant) {
        let mut keys = self.lock();
        let Some(known) = found else {
            keys.remove(print);
            return;
        };
        if keys.len() >= MAX_KEYS && !keys.contains_key(print) {
            keys.retain(|_, entry| now < entry.ask_after);
            if keys.len() >= MAX_KEYS {
                return;
            }
        }
        let noted = keys.get(print).and_then(|entry| entry.noted);
        let ask_after = now + FRESH;
        keys.insert(
            *print,
            Entry {
                known,
                confirmed: now,
                ask_after,
                is_asked_ahead: false,
                noted,
            },
        );
    }

    /// Whether it is time to ask Postgres ahead; said to one request for each check.
    pub(crate) fn ask_ahead(&self, print: &Fingerprint, now: Instant) -> bool {
        let mut keys = self.lock();
        let Some(entry) = keys.get_mut(print) else {
            return false;
        };
        let due = !entry.is_asked_ahead && now >= entry.confirmed + AHEAD && now < entry.ask_after;
        entry.is_asked_ahead |= due;
        due
    }

    /// Keeps what Postgres said when it was asked ahead. A key that is no longer here was revoked meanwhile, and one
    /// that was checked meanwhile is known better.
    pub(crate) fn renew(&self, print: &Fingerprint, found: Option<Known>, asked: Instant) {
        let mut keys = self.lock();
        let Some(entry) = keys.get_mut(print).filter(|entry| entry.confirmed < asked) else {
            return;
        };
        let Some(known) = found else {
            keys.remove(print);
            return;
        };
        *entry = Entry {
            known,
            confirmed: asked,
            ask_after: asked + FRESH,
            is_asked_ahead: false,
            noted: entry.noted,
        };
    }

    /// Does not ask again for a moment, because Postgres is away.
    pub(crate) fn postpone(&self, print: &Fingerprint, now: Instant) {
        if let Some(entry) = self.lock().get_mut(print) {
            entry.ask_after = now + FRESH;
        }
    }

    /// Forgets a key.
    pub(crate) fn forget(&self, id: ApiKeyId) {
        self.lock().retain(|_, entry| entry.known.id != id);
    }

    /// Forgets all keys of a project or an organisation.
    pub(crate) fn forget_all_of(&self, tenant: Tenant) {
        self.lock().retain(|_, entry| entry.known.tenant != tenant);
    }

    /// Whether it is time to note that the key is in use.
    pub(crate) fn use_to_be_noted(&self, print: &Fingerprint, now: Instant) -> bool {
        let mut keys = self.lock();
        let Some(entry) = keys.get_mut(print) else {
            return false;
        };
        let due = entry.noted.is_none_or(|noted| now >= noted + NOTE_EVERY);
        if due {
            entry.noted = Some(now);
        }
        due
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<Fingerprint, Entry>> {
        self.keys.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use domain::ProjectId;
    use uuid::Uuid;

    use super::*;

    fn known(n: u128) -> Known {
        Known {
            id: ApiKeyId(Uuid::from_u128(n)),
            tenant: Tenant::Project(ProjectId(Uuid::from_u128(n))),
            role: Role::Member,
            scopes: None,
            expires_at: None,
            is_public: false,
        }
    }

    #[test]
    fn a_check_holds_for_less_than_five_seconds_and_ten_minutes_without_postgres() {
        let (cache, start) = (KeyCache::default(), Instant::now());
        cache.remember(&[1; 32], Some(known(1)), start);
        assert_eq!(cache.look(&[1; 32], start), Answer::Fresh(known(1)));
        let later = start + Duration::from_secs(5);
        assert_eq!(cache.look(&[1; 32], later), Answer::Ask(Some(known(1))));
        cache.postpone(&[1; 32], later);
        assert_eq!(cache.look(&[1; 32], later), Answer::Fresh(known(1)));
        assert_eq!(cache.look(&[1; 32], start + STALE), Answer::Ask(None));
    }

    #[test]
    fn a_key_in_use_is_checked_ahead_once_and_stays_revoked() {
        let (cache, start) = (KeyCache::default(), Instant::now());
        let at = |seconds| start + Duration::from_secs(seconds);
        cache.remember(&[1; 32], Some(known(1)), start);
        assert!(!cache.ask_ahead(&[1; 32], at(1)));
        assert!(cache.ask_ahead(&[1; 32], at(2)));
        assert!(!cache.ask_ahead(&[1; 32], at(3)), "somebody asks already");
        cache.renew(&[1; 32], Some(known(1)), at(2));
        assert_eq!(cache.look(&[1; 32], at(5)), Answer::Fresh(known(1)));
        assert_eq!(cache.look(&[1; 32], at(6)), Answer::Ask(Some(known(1))));
        assert!(cache.ask_ahead(&[1; 32], at(4)));
        // An answer that comes late tells nothing new.
        cache.renew(&[1; 32], None, at(1));
        assert_eq!(cache.look(&[1; 32], at(5)), Answer::Fresh(known(1)));
        cache.renew(&[1; 32], None, at(4));
        assert_eq!(cache.look(&[1; 32], at(5)), Answer::Ask(None));
        cache.renew(&[1; 32], Some(known(1)), at(5));
        assert_eq!(cache.look(&[1; 32], at(5)), Answer::Ask(None));
    }

    #[test]
    fn revoked_and_unknown_keys_are_not_kept() {
        let (cache, now) = (KeyCache::default(), Instant::now());
        cache.remember(&[1; 32], Some(known(1)), now);
        cache.forget(known(1).id);
        assert_eq!(cache.look(&[1; 32], now), Answer::Ask(None));
        cache.remember(&[1; 32], Some(known(1)), now);
        cache.forget_all_of(known(2).tenant);
        assert_eq!(cache.look(&[1; 32], now), Answer::Fresh(known(1)));
        cache.forget_all_of(known(1).tenant);
        assert_eq!(cache.look(&[1; 32], now), Answer::Ask(None));
        cache.remember(&[1; 32], Some(known(1)), now);
        cache.remember(&[1; 32], None, now);
        assert_eq!(cache.look(&[1; 32], now), Answer::Ask(None));
    }

    #[test]
    fn use_is_noted_once_a_minute_even_when_checked_again() {
        let (cache, now) = (KeyCache::default(), Instant::now());
        cache.remember(&[1; 32], Some(known(1)), now);
        assert!(cache.use_to_be_noted(&[1; 32], now));
        cache.remember(&[1; 32], Some(known(1)), now + FRESH);
        assert!(!cache.use_to_be_noted(&[1; 32], now + Duration::from_secs(59)));
        assert!(cache.use_to_be_noted(&[1; 32], now + Duration::from_secs(60)));
    }
}
