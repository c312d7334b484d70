//! Filters that put what they find into queues and datasets, once or as it comes.

use sha2::{Digest, Sha256};

use crate::dataset::Challenge;
use crate::fault::Fault;
use crate::filter::Filter;
use crate::ids::{AnnotationQueueId, DatasetId, PersonId};
use crate::time::Timestamp;

/// Most items that a filter keeps in a dataset.
pub const MAX_MOST: u64 = 10_000;

/// What is filled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FillTarget {
    /// A queue of things to be judged.
    Queue(AnnotationQueueId),
    /// A dataset.
    Dataset(DatasetId),
}

/// What is put in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Takes {
    /// Traces.
    #[default]
    Traces,
    /// Spans.
    Spans,
}

/// What is put into a queue or a dataset.
#[derive(Clone, Debug, PartialEq)]
pub struct FillDraft {
    /// What it must match; its range counts where it is put in once.
    pub filter: Filter,
    /// The filter as the list of traces writes it.
    pub address: String,
    /// Whether what comes later is put in as well.
    pub is_continuous: bool,
    /// What is put in.
    pub takes: Takes,
    /// The share of what matches that is put in, above 0 and up to 1.
    pub share: f64,
    /// Items that there are at most; `None`: as many as the target may have.
    pub most: Option<u64>,
    /// What items are tagged with.
    pub challenge: Option<Challenge>,
}

impl FillDraft {
    /// Checks what was set.
    ///
    /// # Errors
    /// `invalid` on the field `share` or `most`.
    pub fn check(&self) -> Result<(), Fault> {
        if !(self.share > 0.0 && self.share <= 1.0) {
            let message = "must be above 0 % and at most 100 %";
            return Err(Fault::invalid(message).on_field("share"));
        }
        if self
            .most
            .is_some_and(|most| !(1..=MAX_MOST).contains(&most))
        {
            return Err(Fault::invalid("must be 1 to 10000").on_field("most"));
        }
        Ok(())
    }
}

/// A filter that fills a queue or a dataset, and how far it is.
#[derive(Clone, Debug, PartialEq)]
pub struct Fill {
    /// What was set.
    pub draft: FillDraft,
    /// Who set it.
    pub person: PersonId,
    /// What began before is there.
    pub looked_until: Option<Timestamp>,
    /// How much it put there.
    pub added: u64,
    /// What went wrong last; empty when nothing did.
    pub last_error: String,
    /// Whether there is something left to do.
    pub is_running: bool,
    /// When it was set.
    pub created_at: Timestamp,
}

/// Whether something is in the sample of a target: the same whenever, and wherever, it is asked.
pub fn is_sampled(target: FillTarget, id: &str, share: f64) -> bool {
    let place = match target {
        FillTarget::Queue(queue) => queue.to_string(),
        FillTarget::Dataset(dataset) => dataset.to_string(),
    };
    is_within_share(&format!("{place} {id}"), share)
}

/// Whether something is in a share of all things, by what names it and what it is chosen for.
pub(crate) fn is_within_share(name: &str, share: f64) -> bool {
    if share >= 1.0 {
        return true;
    }
    let digest = Sha256::digest(name);
    let number = digest
        .iter()
        .take(4)
        .fold(0_u32, |number, byte| (number << 8) | u32::from(*byte));
    f64::from(number) < share * (f64::from(u32::MAX) + 1.0)
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    #[test]
    fn a_sample_has_about_its_share_and_a_larger_one_holds_the_smaller() {
        let target = FillTarget::Dataset(DatasetId(Uuid::from_u128(7)));
        let chosen = |share: f64| {
            let ids = (0..10_000).map(|n| format!("trace-{n}"));
            ids.filter(|id| is_sampled(target, id, share))
                .collect::<Vec<_>>()
        };
        let (small, large) = (chosen(0.1), chosen(0.3));
        assert!((900..1_100).contains(&small.len()), "{}", small.len());
        assert!((2_800..3_200).contains(&large.len()), "{}", large.len());
        assert!(small.iter().all(|id| large.contains(id)));
        assert_eq!(chosen(1.0).len(), 10_000);
    }

    #[test]
    fn shares_and_sizes_have_limits() {
        let draft = FillDraft {
            filter: Filter::default(),
            address: String::new(),
            is_continuous: true,
            takes: Takes::Traces,
            share: 0.5,
            most: Some(10),
            challenge: None,
        };
        assert!(draft.check().is_ok());
        for share in [0.0, -1.0, 1.1, f64::NAN] {
            let draft = FillDraft {
                share,
                ..draft.clone()
            };
            assert_eq!(draft.check().unwrap_err().field.as_deref(), Some("share"));
        }
        for most in [0, MAX_MOST + 1] {
            let draft = FillDraft {
                most: Some(most),
                ..draft.clone()
            };
            assert_eq!(draft.check().unwrap_err().field.as_deref(), Some("most"));
        }
    }
}
