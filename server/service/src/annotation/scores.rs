//! Judgements as scores: telemetry that any reader of scores sees. Their ids follow from what was judged, by whom and by
//! what question, so that whoever judges again replaces them.

use domain::annotation::{Answer, Answers, ObjectKind, Placed, Preference, Question};
use domain::score::{Score, ScoreSource, ScoreValue, Sent, Target};
use domain::{AnnotationItemId, Fault, PersonId, SpanId, Timestamp, TraceId};
use store_clickhouse::{scores, spans, traces};

use super::queues::Asked;
use crate::app::App;
use crate::ingestion::{keep, seal_scores};
use crate::scope::{ProjectScope, ScoreWriter};

/// The name that every correction has.
const CORRECTION: &str = "output";
/// The name of scores of pairs.
const PREFERENCE: &str = "preference";

/// Whose judgement it is.
#[derive(Clone, Copy, Debug)]
pub(super) enum By {
    /// One of several people.
    Rater(PersonId),
    /// Whoever decided where they disagreed.
    Decision(PersonId),
}

impl By {
    fn person(self) -> PersonId {
        match self {
            By::Rater(person) | By::Decision(person) => person,
        }
    }

    /// The id of the score of a question.
    fn id(self, item: AnnotationItemId, question: &str) -> String {
        match self {
            By::Rater(person) => format!("annotation-{item}-{person}-{question}"),
            By::Decision(_) => format!("annotation-{item}-decision-{question}"),
        }
    }
}

/// What is judged, as scores name it, and its environment.
struct Place {
    target: Target,
    environment: String,
}

/// Keeps what somebody said of an item as scores. Returns once they are durable.
///
/// # Errors
/// `not_found` when an observation that is judged is not there; `invalid` on a question whose answer its configuration
/// does not allow; as [`keep`].
pub(super) async fn write(
    app: &App,
    scope: &ProjectScope,
    (placed, asked): (&Placed, &[Asked]),
    (by, answers): (By, &Answers),
) -> Result<(), Fault> {
    let now = app.clock().now();
    let place = place(app, scope, placed.item.kind, &placed.item.object_id).await?;
    let mut scores = Vec::new();
    for asked in asked {
        let Some(answer) = answers.values.get(&asked.question) else {
            continue;
        };
        let base = base((placed, &place), (by, &asked.question.to_string()), now);
        let base = Score {
            comment: answers.comment.clone(),
            ..base
        };
        match (&asked.config, answer) {
            (Some(config), answer) => {
                let mut sent = Sent {
                    score: Score {
                        value: answer.to_score_value(asked.scale()),
                        config_id: Some(config.id.to_string()),
                        ..base
                    },
                    typed: true,
                };
                config
                    .apply(&mut sent)
                    .map_err(|(_, why)| Fault::invalid(why).on_field(asked.question.to_string()))?;
                scores.push(sent.score);
            }
            (None, Answer::Choice(choice)) => {
                scores.extend(preferences(app, scope, (placed, base), (by, *choice)).await?);
            }
            (None, _) => {}
        }
    }
    if let Some(correction) = &answers.correction
        && placed.item.kind != ObjectKind::Session
    {
        scores.push(Score {
            name: CORRECTION.to_owned(),
            value: ScoreValue::Correction(correction.clone()),
            ..base((placed, &place), (by, "correction"), now)
        });
    }
    let sealed = seal_scores(app, &ScoreWriter::from(*scope), &scores)?;
    keep(app, sealed).await
}

/// A choice is a score of each of both: one is preferred, the other is not.
async fn preferences(
    app: &App,
    scope: &ProjectScope,
    (placed, base): (&Placed, Score),
    (by, choice): (By, Preference),
) -> Result<Vec<Score>, Fault> {
    let label = |label: &str| ScoreValue::Categorical {
        label: label.to_owned(),
        number: match label {
            "preferred" => 1.0,
            "rejected" => -1.0,
            _ => 0.0,
        },
    };
    let (first, second) = match choice {
        Preference::First => ("preferred", "rejected"),
        Preference::Second => ("rejected", "preferred"),
        Preference::Equal => ("equal", "equal"),
    };
    let against = |id: &str| serde_json::json!({ "against": id }).to_string();
    let mut scores = Vec::with_capacity(2);
    if let Some(id) = &placed.second_id {
        let other = place(app, scope, placed.item.kind, id).await?;
        scores.push(Score {
            id: by.id(placed.item.id, "preference-second"),
            target: other.target,
            environment: other.environment,
            name: PREFERENCE.to_owned(),
            value: label(second),
            metadata: against(&placed.item.object_id),
            ..base.clone()
        });
        scores.push(Score {
            name: PREFERENCE.to_owned(),
            value: label(first),
            metadata: against(id),
            ..base
        });
    }
    Ok(scores)
}

fn base((placed, place): (&Placed, &Place), (by, question): (By, &str), time: Timestamp) -> Score {
    Score {
        id: by.id(placed.item.id, question),
        target: place.target.clone(),
        name: String::new(),
        value: ScoreValue::Boolean(false),
        source: ScoreSource::Annotation,
        time,
        environment: place.environment.clone(),
        comment: None,
        metadata: match by {
            By::Rater(_) => String::new(),
            By::Decision(_) => r#"{"annotation":"decision"}"#.to_owned(),
        },
        config_id: None,
        queue_id: Some(placed.item.queue_id.to_string()),
        author_id: Some(by.person().to_string()),
        execution_trace_id: None,
    }
}

async fn place(
    app: &App,
    scope: &ProjectScope,
    kind: ObjectKind,
    id: &str,
) -> Result<Place, Fault> {
    let (clickhouse, project) = (app.clickhouse(), scope.project_id());
    let missing = || Fault::not_found("what is judged has not come, or was deleted");
    let (trace_id, observation_id) = match kind {
        ObjectKind::Session => {
            return Ok(Place {
                target: Target::Session(id.to_owned()),
                environment: "default".to_owned(),
            });
        }
        ObjectKind::Trace => (TraceId::from_text(id).map_err(|_| missing())?, None),
        ObjectKind::Observation => {
            let span = SpanId::from_text(id).map_err(|_| missing())?;
            let trace = spans::locate(clickhouse, project, &span).await?;
            (trace.ok_or_else(missing)?, Some(span))
        }
    };
    let extent = traces::extent(clickhouse, project, &trace_id).await?;
    let extent = extent.ok_or_else(missing)?;
    let summary = traces::summary(clickhouse, project, &trace_id, extent).await?;
    Ok(Place {
        environment: summary.map_or_else(|| "default".to_owned(), |trace| trace.environment),
        target: Target::Trace {
            trace_id,
            observation_id,
        },
    })
}

/// Takes back what somebody said of an item.
///
/// # Errors
/// `unavailable` when the store is behind or away.
pub(super) async fn forget(
    app: &App,
    scope: &ProjectScope,
    (item, person): (AnnotationItemId, PersonId),
    answers: &Answers,
) -> Result<(), Fault> {
    if !app
        .spool()
        .wait_until_drained(crate::scores::DRAIN_PATIENCE)
        .await
    {
        return Err(Fault::unavailable(
            "the telemetry store is behind; try again in a moment",
        ));
    }
    let by = By::Rater(person);
    let mut questions: Vec<String> = answers.values.keys().map(Question::to_string).collect();
    if answers.values.contains_key(&Question::Preference) {
        questions.push("preference-second".to_owned());
    }
    if answers.correction.is_some() {
        questions.push("correction".to_owned());
    }
    for question in questions {
        scores::delete(
            app.clickhouse(),
            scope.project_id(),
            &by.id(item, &question),
        )
        .await?;
    }
    Ok(())
}
