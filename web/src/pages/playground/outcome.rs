//! What a run comes to: its figures, and what differs from what was recorded.

use askama::Template;
use domain::prompt::{Edit, words};
use domain::{Fault, Span};
use service::completions::{Kept, Outcome};

use crate::content;
use crate::extract::Reader;
use crate::format::{self, Figure};
use crate::i18n::Lang;
use crate::layout::{Frame, Shell};
use crate::urls;

/// Bytes of each answer that are compared.
const MOST_COMPARED: usize = 200_000;

/// The part below an answer.
#[derive(Template)]
#[template(path = "playground/outcome.html")]
pub(crate) struct OutcomeView {
    pub(crate) shell: Shell,
    pub(crate) facts: Vec<(&'static str, Figure)>,
    /// Why there is no cost; empty where there is one.
    pub(crate) unpriced: String,
    /// Against what was recorded: `del`, `ins` or nothing, and the text; `None` where nothing was.
    pub(crate) diff: Option<Vec<(&'static str, String)>>,
    pub(crate) is_same: bool,
    /// Where both can be compared; empty where nothing was kept.
    pub(crate) compare_url: String,
    /// Why nothing was kept; empty where it was, or nobody asked.
    pub(crate) not_kept: String,
}

impl OutcomeView {
    /// Of an outcome, what was recorded and what became of keeping it.
    pub(crate) fn new(
        reader: &Reader,
        outcome: &Outcome,
        recorded: Option<&str>,
        kept: Option<&Result<Kept, Fault>>,
    ) -> Self {
        let answered = outcome.answer.in_words();
        let (compare_url, not_kept) = match kept {
            None => (String::new(), String::new()),
            Some(Ok(kept)) => {
                let pairs = [("run", kept.recorded.as_str()), ("run", kept.run.as_str())];
                let url = urls::compare((reader.id(), kept.dataset), &pairs);
                (url, String::new())
            }
            Some(Err(fault)) => (String::new(), fault.message.clone()),
        };
        OutcomeView {
            shell: Frame::shell(reader),
            facts: facts(&outcome.span, reader.lang()),
            unpriced: outcome.unpriced.clone().unwrap_or_default(),
            is_same: recorded.is_some_and(|recorded| recorded == answered),
            diff: recorded.map(|recorded| {
                let from = content::head(recorded, MOST_COMPARED);
                let to = content::head(&answered, MOST_COMPARED);
                let stretches = words(from, to).into_iter();
                stretches
                    .map(|stretch| match stretch.edit {
                        Edit::Equal => ("", stretch.text),
                        Edit::Delete => ("del", stretch.text),
                        Edit::Insert => ("ins", stretch.text),
                    })
                    .collect()
            }),
            compare_url,
            not_kept,
        }
    }
}

/// Figures of a call, recorded or run now.
pub(super) fn facts(span: &Span, lang: Lang) -> Vec<(&'static str, Figure)> {
    let usage = span.usage.as_ref();
    let named = |text: &str| Figure {
        text: text.to_owned(),
        exact: String::new(),
        none: false,
    };
    let mut facts = vec![
        (lang.t("Latency"), format::nanos(span.latency())),
        (
            lang.t("TTFT"),
            format::latency_or_nothing(span.timings.ttft_ms),
        ),
        (
            lang.t("Input"),
            format::tokens(usage.and_then(|usage| usage.input_tokens)),
        ),
        (
            lang.t("Output"),
            format::tokens(usage.and_then(|usage| usage.output_tokens)),
        ),
        (
            lang.t("Cost"),
            format::dollars(span.cost.as_ref().and_then(|cost| cost.total)),
        ),
    ];
    facts.extend(span.model().map(|model| (lang.t("Model"), named(model))));
    if !span.finish_reasons.is_empty() {
        let reasons = span.finish_reasons.join(", ");
        facts.push((lang.t("Finish reason"), named(&reasons)));
    }
    facts
}
