//! Scores by what they judge.

use std::collections::HashMap;

use super::{Score, ScoreValue};
use crate::ids::{SpanId, TraceId};
use crate::quality::{Source, Verdict};
use crate::span::Span;

/// The scores of some traces.
#[derive(Clone, Debug, Default)]
pub struct Judgements {
    of_traces: HashMap<TraceId, Vec<Score>>,
}

impl Judgements {
    /// From scores in their order; those of no trace fall away.
    pub fn new(scores: Vec<Score>) -> Self {
        let mut of_traces: HashMap<TraceId, Vec<Score>> = HashMap::new();
        for score in scores {
            if let Some(trace_id) = score.trace_id().cloned() {
                of_traces.entry(trace_id).or_default().push(score);
            }
        }
        Judgements { of_traces }
    }

    /// All scores of a trace, those of its spans too.
    pub fn of_trace(&self, trace_id: &TraceId) -> &[Score] {
        self.of_traces.get(trace_id).map_or(&[], Vec::as_slice)
    }

    /// The scores of one span.
    pub fn of_span<'s>(
        &'s self,
        trace_id: &TraceId,
        span_id: &'s SpanId,
    ) -> impl Iterator<Item = &'s Score> {
        let scores = self.of_trace(trace_id).iter();
        scores.filter(move |score| score.observation_id() == Some(span_id))
    }

    /// Scores that judge a trace as a whole.
    pub fn of_whole_trace(&self, trace_id: &TraceId) -> impl Iterator<Item = &Score> {
        let scores = self.of_trace(trace_id).iter();
        scores.filter(|score| score.observation_id().is_none())
    }

    /// Puts numeric and boolean scores among the span's quality, by their name; the later one stays,
    /// and what the client reported itself.
    pub fn judge(&self, span: &mut Span) {
        for score in self.of_span(&span.trace_id, &span.span_id) {
            let verdict = match score.value {
                ScoreValue::Numeric(number) => Verdict::Number(number),
                ScoreValue::Boolean(yes) => Verdict::Bool(yes),
                ScoreValue::Categorical { .. }
                | ScoreValue::Text(_)
                | ScoreValue::Correction(_) => continue,
            };
            let name = score.name.clone();
            span.quality.record(name, verdict, Source::Score);
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::score::{ScoreSource, Target};
    use crate::time::Timestamp;

    fn score(id: &str, span: Option<&str>, value: ScoreValue) -> Score {
        Score {
            id: id.to_owned(),
            target: Target::Trace {
                trace_id: TraceId::from_text("t").unwrap(),
                observation_id: span.map(|span| SpanId::from_text(span).unwrap()),
            },
            name: id.chars().take(1).collect(),
            value,
            source: ScoreSource::Api,
            time: Timestamp::EPOCH,
            environment: "default".to_owned(),
            comment: None,
            metadata: String::new(),
            config_id: None,
            queue_id: None,
            author_id: None,
            execution_trace_id: None,
        }
    }

    #[test]
    fn numbers_and_flags_of_a_span_are_quality_and_the_clients_word_stays() {
        let judgements = Judgements::new(vec![
            score("a1", Some("s"), ScoreValue::Numeric(0.1)),
            score("a2", Some("s"), ScoreValue::Numeric(0.2)),
            score("b", Some("s"), ScoreValue::Boolean(true)),
            score("c", Some("s"), ScoreValue::Text("words".to_owned())),
            score("d", Some("s"), ScoreValue::Numeric(0.5)),
            score("e", Some("other"), ScoreValue::Numeric(0.5)),
            score("f", None, ScoreValue::Numeric(0.5)),
        ]);
        let (trace, id) = ("t", "s");
        let mut span = Span::bare(
            TraceId::from_text(trace).unwrap(),
            SpanId::from_text(id).unwrap(),
            Timestamp::EPOCH,
        );
        span.quality
            .record("d", Verdict::Number(0.9), Source::Client);
        judgements.judge(&mut span);
        let expected = json!({
            "a": {"value": 0.2, "source": "score"},
            "b": {"value": true, "source": "score"},
            "d": {"value": 0.9, "source": "client"},
        });
        assert_eq!(serde_json::to_value(&span.quality).unwrap(), expected);
        let trace = &span.trace_id;
        assert_eq!(judgements.of_trace(trace).len(), 7);
        assert_eq!(judgements.of_whole_trace(trace).count(), 1);
    }
}
