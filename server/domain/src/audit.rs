//! The audit log: entries that seal the one before them, and what tells whether they still do.
//!
//! An entry's hash is made of the hash before it and of all that the entry says; its details enter by way of a salted
//! digest, so that they can be blanked while the chain still holds.

use std::collections::BTreeSet;

use sha2::{Digest as _, Sha256};

use crate::span::named_enum;
use crate::time::Timestamp;

/// SHA-256.
pub type Hash = [u8; 32];
/// What stands before the first entry.
pub const BEGINNING: Hash = [0; 32];
/// What was done where details of entries were blanked; it names them.
pub const BLANKED: &str = "audit_log.blanked";
/// What was done where the beginning of a log went, when its time was over; it names the last entry that did, and its hash.
pub const CUT: &str = "audit_log.cut";
/// What begins the bytes that are hashed; another form has another number.
const FORM: &str = "triaxis.audit.1";

/// What is written down.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Its place in the chain, from 1.
    pub number: u64,
    /// When, to the microsecond.
    pub at: Timestamp,
    /// Who: `server`, `operator`, `key:ID` or `person:ID`.
    pub actor: String,
    /// What was done: `prompt.rollback`.
    pub action: String,
    /// What it was done to.
    pub details: Details,
    /// The salt of the details; `None`: they were blanked.
    pub salt: Option<Vec<u8>>,
    /// Hash of salt and details.
    pub digest: Vec<u8>,
    /// Hash of all of it and of the one before.
    pub hash: Vec<u8>,
}

/// What an entry tells beside who did what when.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Details {
    /// To what: `prompt:NAME`.
    pub object: String,
    /// What was changed, as it was: JSON.
    pub before: String,
    /// As it is now: JSON.
    pub after: String,
}

/// Where a chain ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Head {
    /// How many entries it has.
    pub entries: u64,
    /// The hash of the last.
    pub hash: Hash,
}

named_enum!(
    /// Why a chain does not hold.
    Reason, default Changed {
        /// An entry says something else than when it was written.
        Changed = "changed",
        /// An entry is not there, or not at its place.
        Missing = "missing",
        /// An entry does not follow from the one before it.
        Unlinked = "unlinked",
        /// Details were blanked, and no entry says so.
        BlankedUnsaid = "blanked_unsaid",
        /// Entries at the end are gone.
        Cut = "cut",
        /// The chain is another one than was known.
        Rewritten = "rewritten",
    }
);

/// What is wrong, and where it begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Broken {
    /// The first entry that does not hold.
    pub entry: u64,
    /// Why.
    pub reason: Reason,
}

/// What came of a verification.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// The end of what was read.
    pub head: Head,
    /// Entries whose details were blanked, and an entry says so.
    pub blanked: u64,
    /// Entries at the beginning that went when their time was over, and an entry says so.
    pub cut: u64,
    /// What is wrong first; `None`: all of it holds.
    pub broken: Option<Broken>,
}

/// The hash of details with their salt.
pub fn digest(salt: &[u8], details: &Details) -> Hash {
    hash_of([
        salt,
        details.object.as_bytes(),
        details.before.as_bytes(),
        details.after.as_bytes(),
    ])
}

/// The hash of an entry of a chain after another.
pub fn seal(previous: &[u8], chain: &str, entry: &Entry) -> Hash {
    hash_of([
        FORM.as_bytes(),
        previous,
        chain.as_bytes(),
        entry.number.to_string().as_bytes(),
        micros(entry.at).to_string().as_bytes(),
        entry.actor.as_bytes(),
        entry.action.as_bytes(),
        &entry.digest,
    ])
}

/// As much of an instant as is kept.
pub fn micros(at: Timestamp) -> i64 {
    at.unix_nanos().div_euclid(1_000)
}

/// Each field with its length, so that none runs into the next.
fn hash_of<const N: usize>(fields: [&[u8]; N]) -> Hash {
    let mut hasher = Sha256::new();
    for field in fields {
        hasher.update((field.len() as u64).to_be_bytes());
        hasher.update(field);
    }
    hasher.finalize().into()
}

/// Reads a chain from its beginning, entry by entry.
pub struct Verifier {
    chain: String,
    head: Head,
    known: Option<Head>,
    blanked: BTreeSet<u64>,
    told: BTreeSet<u64>,
    /// The first entry, where it is not the beginning: until an entry says that what was before it was cut.
    uncut: Option<Entry>,
    cut: u64,
    broken: Option<Broken>,
}

impl Verifier {
    /// Of a chain; `known` is where it ended once, for whoever wrote that down.
    pub fn new(chain: String, known: Option<Head>) -> Self {
        Verifier {
            chain,
            head: Head {
                entries: 0,
                hash: BEGINNING,
            },
            known,
            blanked: BTreeSet::new(),
            told: BTreeSet::new(),
            uncut: None,
            cut: 0,
            broken: None,
        }
    }

    /// Whether nothing wrong was found yet.
    pub fn holds(&self) -> bool {
        self.broken.is_none()
    }

    /// Reads the next one.
    pub fn read(&mut self, entry: &Entry) {
        if self.broken.is_some() {
            return;
        }
        let expected = self.head.entries + 1;
        let begins_later = self.head.entries == 0 && entry.number > 1;
        let reason = if begins_later {
            self.uncut = Some(entry.clone());
            is_changed(entry).then_some(Reason::Changed)
        } else if entry.number == expected {
            self.wrong_with(entry)
        } else {
            Some(Reason::Missing)
        };
        if let Some(reason) = reason {
            self.broken = Some(Broken {
                entry: if begins_later { entry.number } else { expected },
                reason,
            });
            return;
        }
        if entry.salt.is_none() {
            self.blanked.insert(entry.number);
        }
        if entry.action == BLANKED && entry.salt.is_some() {
            self.told.extend(blanked_by(&entry.details.after));
        }
        if entry.action == CUT && entry.salt.is_some() {
            self.settle_beginning(&entry.details.after);
        }
        self.head = Head {
            entries: entry.number,
            hash: hash(&entry.hash),
        };
    }

    /// What an entry says of the beginning: the first entry that is there follows the last that is not.
    fn settle_beginning(&mut self, after: &str) {
        let after: serde_json::Value = serde_json::from_str(after).unwrap_or_default();
        let (Some(first), Some(entries)) = (&self.uncut, after["entries"].as_u64()) else {
            return;
        };
        let previous = after["hash"]
            .as_str()
            .and_then(|hash| hex::decode(hash).ok());
        let previous = previous.unwrap_or_default();
        let follows = seal(&previous, &self.chain, first).as_slice() == first.hash;
        let is_known = self
            .known
            .is_none_or(|known| known.entries != entries || known.hash.as_slice() == previous);
        if entries + 1 == first.number && follows && is_known {
            self.uncut = None;
            self.cut = entries;
        }
    }

    fn wrong_with(&self, entry: &Entry) -> Option<Reason> {
        if is_changed(entry) {
            return Some(Reason::Changed);
        }
        let sealed = seal(&self.head.hash, &self.chain, entry);
        if sealed.as_slice() != entry.hash {
            return Some(Reason::Unlinked);
        }
        let known = self.known.filter(|known| known.entries == entry.number);
        known
            .filter(|known| known.hash != sealed)
            .map(|_| Reason::Rewritten)
    }

    /// What came of it; `head` is where the chain should end.
    pub fn finish(self, head: Option<Head>) -> Verdict {
        let unsaid = self.blanked.difference(&self.told).next().copied();
        let at = |entry, reason| Broken { entry, reason };
        let is_uncut = self.uncut.is_some();
        let expected = [head, self.known].into_iter().flatten();
        let farthest = expected.map(|head| head.entries).max().unwrap_or(0);
        let end = self.head.entries + 1;
        let broken = self
            .broken
            .or_else(|| is_uncut.then(|| at(1, Reason::Missing)))
            .or_else(|| unsaid.map(|entry| at(entry, Reason::BlankedUnsaid)))
            .or_else(|| (farthest >= end).then(|| at(end, Reason::Cut)))
            .or_else(|| {
                let other = head.filter(|head| *head != self.head)?;
                Some(at(other.entries.max(1), Reason::Rewritten))
            });
        Verdict {
            head: self.head,
            blanked: self.blanked.intersection(&self.told).count() as u64,
            cut: self.cut,
            broken,
        }
    }
}

/// Whether its details are others than those that were sealed.
fn is_changed(entry: &Entry) -> bool {
    let salt = entry.salt.as_ref();
    salt.is_some_and(|salt| digest(salt, &entry.details).as_slice() != entry.digest)
}

/// The entries that one of [`BLANKED`] names.
fn blanked_by(after: &str) -> Vec<u64> {
    let after: serde_json::Value = serde_json::from_str(after).unwrap_or_default();
    let entries = after["entries"].as_array().cloned().unwrap_or_default();
    entries
        .iter()
        .filter_map(serde_json::Value::as_u64)
        .collect()
}

/// A hash of bytes that were kept; what has another length is none.
pub fn hash(bytes: &[u8]) -> Hash {
    bytes.try_into().unwrap_or(BEGINNING)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chain(many: u64) -> Vec<Entry> {
        let mut previous = BEGINNING;
        (1..=many)
            .map(|number| {
                let details = Details {
                    object: format!("prompt:{number}"),
                    before: "null".to_owned(),
                    after: "{}".to_owned(),
                };
                let salt = vec![7; 16];
                let mut entry = Entry {
                    number,
                    at: Timestamp::EPOCH,
                    actor: "server".to_owned(),
                    action: "prompt.create".to_owned(),
                    digest: digest(&salt, &details).to_vec(),
                    details,
                    salt: Some(salt),
                    hash: vec![],
                };
                previous = seal(&previous, "c", &entry);
                entry.hash = previous.to_vec();
                entry
            })
            .collect()
    }

    fn verdict(entries: &[Entry], head: Option<Head>, known: Option<Head>) -> Verdict {
        let mut verifier = Verifier::new("c".to_owned(), known);
        entries.iter().for_each(|entry| verifier.read(entry));
        verifier.finish(head)
    }

    fn broken(entries: &[Entry]) -> (u64, Reason) {
        let broken = verdict(entries, None, None).broken.unwrap();
        (broken.entry, broken.reason)
    }

    #[test]
    fn what_was_changed_moved_or_taken_out_is_named() {
        let whole = chain(5);
        assert_eq!(verdict(&whole, None, None).broken, None);
        let mut changed = whole.clone();
        changed[2].details.after = "1".to_owned();
        assert_eq!(broken(&changed), (3, Reason::Changed));
        let mut actor = whole.clone();
        actor[1].actor = "operator".to_owned();
        assert_eq!(broken(&actor), (2, Reason::Unlinked));
        let mut without = whole.clone();
        without.remove(2);
        assert_eq!(broken(&without), (3, Reason::Missing));
        let mut swapped = whole.clone();
        swapped.swap(1, 2);
        assert_eq!(broken(&swapped), (2, Reason::Missing));
        (swapped[1].number, swapped[2].number) = (2, 3);
        assert_eq!(broken(&swapped), (2, Reason::Unlinked));
    }

    #[test]
    fn a_cut_end_is_found_by_whoever_knows_where_it_was() {
        let whole = chain(5);
        let head = verdict(&whole, None, None).head;
        assert_eq!(verdict(&whole[..3], None, None).broken, None);
        let cut = verdict(&whole[..3], Some(head), None).broken.unwrap();
        assert_eq!((cut.entry, cut.reason), (4, Reason::Cut));
        let cut = verdict(&whole[..3], None, Some(head)).broken.unwrap();
        assert_eq!((cut.entry, cut.reason), (4, Reason::Cut));
        let other = Head {
            entries: 5,
            hash: [1; 32],
        };
        let rewritten = verdict(&whole, None, Some(other)).broken.unwrap();
        assert_eq!((rewritten.entry, rewritten.reason), (5, Reason::Rewritten));
    }

    /// A chain whose first entries went, and the entry that says so.
    fn cut_after(whole: &[Entry], at: usize, claimed: &[u8]) -> Vec<Entry> {
        let mut rest = whole[at..].to_vec();
        let previous = &whole[whole.len() - 1];
        let mut told = previous.clone();
        told.number = previous.number + 1;
        told.action = CUT.to_owned();
        let hash = hex::encode(claimed);
        told.details.after = serde_json::json!({ "entries": at, "hash": hash }).to_string();
        told.digest = digest(&[7; 16], &told.details).to_vec();
        told.hash = seal(&previous.hash, "c", &told).to_vec();
        rest.push(told);
        rest
    }

    #[test]
    fn a_beginning_that_was_cut_holds_once_an_entry_says_so() {
        let whole = chain(6);
        assert_eq!(broken(&whole[2..]), (1, Reason::Missing));
        let cut = cut_after(&whole, 2, &whole[1].hash);
        let said = verdict(&cut, None, None);
        assert_eq!((said.cut, said.broken), (2, None));
        // More than was said went, or it does not follow.
        assert_eq!(broken(&cut[1..]), (1, Reason::Missing));
        let other = cut_after(&whole, 2, &whole[2].hash);
        assert_eq!(broken(&other), (1, Reason::Missing));
        let mut changed = cut.clone();
        changed[0].details.after = "1".to_owned();
        assert_eq!(broken(&changed), (3, Reason::Changed));
        let known = Head {
            entries: 2,
            hash: [1; 32],
        };
        assert!(verdict(&cut, None, Some(known)).broken.is_some());
    }

    #[test]
    fn blanked_details_hold_once_an_entry_says_so() {
        let mut blanked = chain(3);
        blanked[1].salt = None;
        blanked[1].details.object.clear();
        assert_eq!(broken(&blanked), (2, Reason::BlankedUnsaid));
        let mut told = blanked[2].clone();
        told.number = 4;
        told.action = BLANKED.to_owned();
        told.details.after = r#"{"entries":[2]}"#.to_owned();
        told.digest = digest(&[7; 16], &told.details).to_vec();
        told.hash = seal(&blanked[2].hash, "c", &told).to_vec();
        blanked.push(told);
        let verdict = verdict(&blanked, None, None);
        assert_eq!((verdict.blanked, verdict.broken), (1, None));
    }
}
