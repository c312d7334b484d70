use domain::Timestamp;
use service::evaluators::{Trial, Trouble};

use super::number;
use crate::extract::Reader;
use crate::format::{self, Figure};
use crate::urls;

/// A span, and what would become of it.
pub(crate) struct TrialRow {
    pub(crate) url: String,
    pub(crate) name: String,
    pub(crate) time: String,
    pub(crate) exact: String,
    /// The score; empty without one.
    pub(crate) value: String,
    /// What became of it, where that is no score.
    pub(crate) state: &'static str,
    pub(crate) is_bad: bool,
    pub(crate) words: String,
    pub(crate) cost: Option<Figure>,
}

impl TrialRow {
    /// Of a trial.
    pub(super) fn new(reader: &Reader, trial: &Trial, now: Timestamp) -> Self {
        let (lang, span, tried) = (reader.lang(), &trial.span, &trial.tried);
        let (value, state, is_bad, words) = match &tried.result {
            Ok((value, why)) => {
                let words = value.words().map(str::to_owned);
                let shown = words.unwrap_or_else(|| number(value.number()));
                (shown, "", false, why.clone())
            }
            Err(Trouble::Lacks(words)) => (String::new(), lang.t("skipped"), false, words.clone()),
            Err(Trouble::Malformed(words)) => {
                (String::new(), lang.t("no judgement"), true, words.clone())
            }
            Err(Trouble::Failed(words)) => (String::new(), lang.t("failed"), true, words.clone()),
            Err(Trouble::Busy) => {
                let words = lang.t("too many requests to models are running: try again");
                (String::new(), lang.t("failed"), true, words.to_owned())
            }
        };
        TrialRow {
            url: urls::trace_span(reader.id(), &span.trace_id, &span.span_id),
            name: span.name.clone(),
            time: reader.zone().row_time(span.start, now),
            exact: reader.zone().exact(span.start),
            value,
            state,
            is_bad,
            words,
            cost: tried.spent.map(|spent| format::dollars(spent.cost)),
        }
    }
}
