//! Evaluators against people: where both gave the same thing a score of the same name.

use std::collections::{BTreeSet, HashMap};

use domain::annotation::Answer;
use domain::annotation::agreement::verdict;
use domain::annotation::judge::{Against, against};
use domain::evaluator::{Evaluator, score_prefix};
use domain::score::wanted::{Condition, Field};
use domain::score::{Score, ScoreSource, ScoreValue};
use domain::{EvaluatorId, Fault, Nanos, TraceId};
use serde_json::Value as Json;

use crate::app::App;
use crate::scope::ProjectScope;
use crate::scores::{self, Slice};

/// How old scores of people may be.
const LOOK_BACK: Nanos = Nanos::from_seconds(30 * 24 * 3_600);
/// Scores of people that are looked at, the newest.
const MOST_OF_PEOPLE: u32 = 2_000;
/// Traces in one question.
const TRACES_AT_ONCE: usize = 250;
/// Scores of evaluators in one answer.
const MOST_OF_EVALUATORS: u32 = 10_000;

/// How far evaluators agree with people within the last 30 days; without those that share nothing with them.
///
/// # Errors
/// `unavailable` or `timeout` without ClickHouse.
pub async fn agreement(
    app: &App,
    scope: &ProjectScope,
    evaluators: &[&Evaluator],
) -> Result<HashMap<EvaluatorId, Against>, Fault> {
    let names: BTreeSet<&str> = evaluators
        .iter()
        .map(|one| one.draft.score.name.as_str())
        .collect();
    if names.is_empty() {
        return Ok(HashMap::new());
    }
    let named = Condition::any_of(Field::Name, names.iter().copied());
    let by = |source: ScoreSource| Condition::any_of(Field::Source, [source.as_str()]);
    let since = Condition::from(app.clock().now().minus(LOOK_BACK));
    let wanted = [named.clone(), by(ScoreSource::Annotation), since];
    let people = scores::list(app, scope, &wanted, &slice(MOST_OF_PEOPLE)).await?;
    let traces: BTreeSet<&TraceId> = people.iter().filter_map(Score::trace_id).collect();
    let traces: Vec<&str> = traces.into_iter().map(TraceId::as_str).collect();
    let mut machines = Vec::new();
    for some in traces.chunks(TRACES_AT_ONCE) {
        let of_traces = Condition::any_of(Field::TraceId, some.iter().copied());
        let wanted = [named.clone(), by(ScoreSource::Eval), of_traces];
        machines.extend(scores::list(app, scope, &wanted, &slice(MOST_OF_EVALUATORS)).await?);
    }
    let mut of_traces: HashMap<&TraceId, Vec<&Score>> = HashMap::new();
    for score in &people {
        if let Some(trace) = score.trace_id() {
            of_traces.entry(trace).or_default().push(score);
        }
    }
    let mut all = HashMap::new();
    for evaluator in evaluators {
        let pairs = pairs(evaluator, &machines, &of_traces);
        if !pairs.is_empty() {
            all.insert(evaluator.id, against(&pairs, None));
        }
    }
    Ok(all)
}

fn slice(limit: u32) -> Slice {
    Slice {
        limit,
        ..Slice::default()
    }
}

/// What people say of each thing that an evaluator scored, and what the evaluator says.
fn pairs(
    evaluator: &Evaluator,
    machines: &[Score],
    of_traces: &HashMap<&TraceId, Vec<&Score>>,
) -> Vec<(Answer, ScoreValue)> {
    let (prefix, scale) = (score_prefix(evaluator.id), &evaluator.draft.score);
    let own = machines.iter().filter(|score| {
        score.id.starts_with(&prefix) && score.value.data_type() == scale.data_type
    });
    own.filter_map(|score| {
        let people = of_traces.get(score.trace_id()?)?.iter();
        let same = people.filter(|other| {
            other.name == score.name
                && other.value.data_type() == scale.data_type
                && is_of_same(score, other)
        });
        let answers: Vec<Answer> = same.filter_map(|other| answer(&other.value)).collect();
        let said: Vec<&Answer> = answers.iter().collect();
        Some((verdict(None, &said)?, score.value.clone()))
    })
    .collect()
}

/// Whether a person judged what an evaluator did: for a trace as a whole its root span counts, too.
fn is_of_same(machine: &Score, person: &Score) -> bool {
    if machine.observation_id() == person.observation_id() {
        return true;
    }
    let Some(judged) = person.observation_id() else {
        return false;
    };
    let metadata: Option<Json> = serde_json::from_str(&machine.metadata).ok();
    let seen = metadata
        .as_ref()
        .and_then(|json| json.get("span_id")?.as_str());
    machine.observation_id().is_none() && seen == Some(judged.as_str())
}

fn answer(value: &ScoreValue) -> Option<Answer> {
    match value {
        ScoreValue::Numeric(number) => Some(Answer::Number(*number)),
        ScoreValue::Boolean(yes) => Some(Answer::Flag(*yes)),
        ScoreValue::Categorical { label, .. } => Some(Answer::Label(label.clone())),
        ScoreValue::Text(_) | ScoreValue::Correction(_) => None,
    }
}

#[cfg(test)]
mod tests {
    use domain::evaluator::{EvaluatorDraft, LooksAt, Method, Rule, Scale, score_id};
    use domain::score::{DataType, Target};
    use domain::{SpanId, Timestamp};
    use uuid::Uuid;

    use super::*;

    fn evaluator() -> Evaluator {
        Evaluator {
            id: EvaluatorId(Uuid::from_u128(1)),
            draft: EvaluatorDraft {
                name: "e".to_owned(),
                method: Method::Rule(Rule::default()),
                looks_at: LooksAt::RootSpans,
                filter: String::new(),
                sample_rate: 1.0,
                score: Scale {
                    name: "right".to_owned(),
                    data_type: DataType::Boolean,
                    labels: Vec::new(),
                    min: None,
                    max: None,
                },
                max_cost_per_day: None,
                is_enabled: true,
            },
            created_at: Timestamp::EPOCH,
            updated_at: Timestamp::EPOCH,
        }
    }

    fn score(id: &str, (trace, span): (&str, Option<&str>), value: ScoreValue) -> Score {
        Score {
            id: id.to_owned(),
            target: Target::Trace {
                trace_id: TraceId::from_text(trace).unwrap(),
                observation_id: span.map(|span| SpanId::from_text(span).unwrap()),
            },
            name: "right".to_owned(),
            value,
            source: ScoreSource::Eval,
            time: Timestamp::EPOCH,
            environment: "default".to_owned(),
            comment: None,
            metadata: r#"{"span_id": "root"}"#.to_owned(),
            config_id: None,
            queue_id: None,
            author_id: None,
            execution_trace_id: None,
        }
    }

    #[test]
    fn people_and_evaluators_meet_at_a_trace_or_its_root_and_nowhere_else() {
        let evaluator = evaluator();
        let root = SpanId::from_text("root").unwrap();
        let machine = |trace: &str, yes| {
            let id = score_id(evaluator.id, &TraceId::from_text(trace).unwrap(), &root);
            score(&id, (trace, None), ScoreValue::Boolean(yes))
        };
        let machines = [
            machine("a", true),
            machine("b", false),
            machine("c", true),
            machine("d", true),
            score("another", ("a", None), ScoreValue::Boolean(false)),
        ];
        let person = |place, value| score("p", place, value);
        let people = [
            person(("a", None), ScoreValue::Boolean(true)),
            person(("b", Some("root")), ScoreValue::Boolean(true)),
            person(("c", Some("below")), ScoreValue::Boolean(true)),
            person(("d", None), ScoreValue::Numeric(1.0)),
        ];
        let mut of_traces: HashMap<&TraceId, Vec<&Score>> = HashMap::new();
        for person in &people {
            of_traces
                .entry(person.trace_id().unwrap())
                .or_default()
                .push(person);
        }
        let found = pairs(&evaluator, &machines, &of_traces);
        assert_eq!(
            found,
            [
                (Answer::Flag(true), ScoreValue::Boolean(true)),
                (Answer::Flag(true), ScoreValue::Boolean(false)),
            ]
        );
    }
}
