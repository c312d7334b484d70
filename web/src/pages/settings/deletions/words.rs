//! Words of states and stores.

use domain::deletion::{Counts, DeletionState};

use crate::format;
use crate::i18n::{Lang, text};

/// A state in words.
pub(super) fn state(state: DeletionState) -> &'static str {
    match state {
        DeletionState::Queued => text!("queued"),
        DeletionState::Deleting => text!("deleting"),
        DeletionState::Purging => text!("taking it off the disk"),
        DeletionState::Verified => text!("verified"),
        DeletionState::Failed => text!("given up"),
    }
}

/// Stores in words with how much there is, those with nothing left out.
pub(super) fn counts(lang: Lang, counts: &Counts) -> Vec<(String, String)> {
    let counted = counts.iter().filter(|(_, many)| **many > 0);
    counted
        .map(|(name, many)| (store(lang, name), format::count(*many)))
        .collect()
}

fn store(lang: Lang, name: &str) -> String {
    let words = match name {
        "traces" => text!("Traces"),
        "shared_traces" => text!("Traces with other users"),
        "spans" => text!("Spans"),
        "sessions" => text!("Sessions"),
        "logs" => text!("Log records"),
        "logs_naming_the_user" => text!("Log records that name the user"),
        "scores" => text!("Scores"),
        "changes" => text!("Events of older clients"),
        "comments" => text!("Comments"),
        "annotation_items" => text!("Items of queues"),
        "dataset_items" => text!("Items of datasets"),
        "dataset_run_links" => text!("Links of runs"),
        "evaluations" => text!("Evaluations"),
        "media" => text!("Attachments"),
        "business_events" => text!("Business events"),
        "mentions" => text!("Views, rules and reports"),
        other => return other.to_owned(),
    };
    lang.t(words).to_owned()
}
