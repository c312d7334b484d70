//! Pages of annotation queues with made-up data.

use std::collections::BTreeMap;

use domain::annotation::agreement::{Rated, agreement};
use domain::annotation::judge::against;
use domain::annotation::{
    AnnotationItem, AnnotationQueue, Answer, Answers, Decision, ItemStatus, Label, LabelState,
    ObjectKind, Pace, Placed, Progress, Question, QueueDraft, QueueRules,
};
use domain::fill::{Fill, FillDraft, Takes};
use domain::filter::Filter;
use domain::score::{Category, Scale, ScoreConfig, ScoreConfigDraft, ScoreValue};
use domain::tenancy::Person;
use domain::{AnnotationItemId, AnnotationQueueId, Nanos, PersonId, ScoreConfigId};
use service::annotation::agreement::Report;
use service::annotation::fill::Thing;
use service::annotation::label::Opened;
use service::annotation::queues::{Asked, Overview, Queue, Rater};
use service::annotation::subject::Subject;
use uuid::Uuid;

use super::data::{hostile_spans, hostile_summaries, now};
use super::{HOSTILE, Sample, sample};
use crate::content::attachments::Attachments;
use crate::extract::Reader;
use crate::pages::queues::{
    AddPage, AgreementPage, Filled, FormPage, ItemMaterial, ItemPage, QueueMaterial, QueuePage,
    QueuesPage, SaidView, View, Wanted,
};
use crate::pages::settings::ScoreConfigsPage;

/// All of them.
pub(super) fn all(reader: &Reader) -> Vec<Sample> {
    let configs: Vec<ScoreConfig> = asked().into_iter().filter_map(|one| one.config).collect();
    let overviews = [
        overview("Refund answers, March", false),
        overview(HOSTILE, true),
    ];
    let wanted = Wanted {
        kind: ObjectKind::Trace,
        things: vec![Thing {
            id: HOSTILE.to_owned(),
            second: None,
        }],
    };
    let report = report();
    let queue = queue("Refund answers, March", false);
    let judged: Vec<(&Asked, _)> = report
        .questions
        .iter()
        .map(|(asked, _)| (asked, against(&pairs(), asked.scale())))
        .take(1)
        .collect();
    let names = names();
    let agreement = AgreementPage::new(reader, (&queue, &report), &judged, &names);
    let empty = Report {
        questions: Vec::new(),
        rated: Vec::new(),
        decisions: Vec::new(),
        accuracy: BTreeMap::new(),
        known: 0,
        least: 0,
    };
    vec![
        sample(
            "queues",
            &QueuesPage::new(reader, &overviews, (true, Some(100))),
        ),
        sample("queues-none", &QueuesPage::new(reader, &[], (false, None))),
        sample("queue-new", &FormPage::empty(reader, &configs)),
        sample("queue-add", &AddPage::new(reader, &wanted, &overviews)),
        sample("queue-add-none", &AddPage::new(reader, &wanted, &[])),
        sample("queue", &show(reader, true)),
        sample("queue-empty", &show(reader, false)),
        sample("queue-item", &item(reader, &report, false)),
        sample("queue-item-pair", &item(reader, &report, true)),
        sample("queue-agreement", &agreement),
        sample(
            "queue-agreement-none",
            &AgreementPage::new(reader, (&queue, &empty), &[], &names),
        ),
        sample("settings-scores", &ScoreConfigsPage::new(reader, &configs)),
        sample("settings-scores-none", &ScoreConfigsPage::new(reader, &[])),
    ]
}

fn person(number: u128) -> PersonId {
    PersonId(Uuid::from_u128(number))
}

fn names() -> BTreeMap<PersonId, String> {
    let name = |name: &str| format!("{name}@harbor.example");
    BTreeMap::from([
        (person(1), name("maya")),
        (person(2), name("priya")),
        (person(3), HOSTILE.to_owned()),
    ])
}

fn asked() -> Vec<Asked> {
    let labels = ["Harmful or wrong", "Misses the question", "Partly", HOSTILE];
    let categories = labels
        .into_iter()
        .zip(1u32..)
        .map(|(label, value)| Category {
            label: label.to_owned(),
            value: f64::from(value),
        });
    let range = |min, max| Scale::Numeric {
        min: Some(min),
        max: Some(max),
    };
    let config = |number: u128, name: &str, scale| {
        let id = ScoreConfigId(Uuid::from_u128(number));
        Asked {
            question: Question::Config(id),
            config: Some(ScoreConfig {
                id,
                draft: ScoreConfigDraft {
                    name: name.to_owned(),
                    scale,
                    description: Some(HOSTILE.to_owned()),
                    is_archived: number == 15,
                },
                created_at: now(),
                updated_at: now(),
            }),
        }
    };
    vec![
        config(11, "helpful", Scale::Categorical(categories.collect())),
        config(12, "grounded", Scale::Boolean),
        config(13, "tone", range(1.0, 5.0)),
        config(14, "length", range(0.0, 100.0)),
        config(15, "words", Scale::Text),
    ]
}

fn queue(name: &str, is_pairwise: bool) -> Queue {
    Queue {
        queue: AnnotationQueue {
            id: AnnotationQueueId(Uuid::from_u128(50)),
            draft: QueueDraft {
                name: name.to_owned(),
                description: Some(HOSTILE.to_owned()),
                score_configs: Vec::new(),
            },
            created_at: now(),
            updated_at: now(),
        },
        rules: QueueRules {
            rubric: format!("Helpful 5 needs the next step.\n{HOSTILE}"),
            raters: 2,
            is_blind: true,
            is_pairwise,
            archived_at: is_pairwise.then(now),
            ..QueueRules::default()
        },
    }
}

fn progress() -> Progress {
    Progress {
        total: 400,
        completed: 148,
        skipped: 6,
        raters: 3,
        mean_s: Some(24.2),
    }
}

fn overview(name: &str, is_pairwise: bool) -> Overview {
    Overview {
        queue: queue(name, is_pairwise),
        progress: progress(),
        agreement: Some(0.82),
    }
}

fn placed(number: u128, is_pairwise: bool) -> Placed {
    Placed {
        item: AnnotationItem {
            id: AnnotationItemId(Uuid::from_u128(number)),
            queue_id: AnnotationQueueId(Uuid::from_u128(50)),
            kind: ObjectKind::Trace,
            object_id: HOSTILE.to_owned(),
            status: match number % 2 {
                0 => ItemStatus::Completed,
                _ => ItemStatus::Pending,
            },
            completed_at: None,
            created_at: now(),
            updated_at: now(),
        },
        second_id: is_pairwise.then(|| HOSTILE.to_owned()),
        known: (number == 60).then(|| answers(1)),
        done: 1,
        skipped: 1,
    }
}

fn answers(number: u128) -> Answers {
    let values = asked().into_iter().filter_map(|asked| {
        let answer = match asked.scale()? {
            Scale::Boolean => Answer::Flag(number == 1),
            Scale::Categorical(_) => Answer::Label(HOSTILE.to_owned()),
            Scale::Numeric { .. } => Answer::Number(0.0),
            Scale::Text => Answer::Text(HOSTILE.to_owned()),
        };
        Some((asked.question, answer))
    });
    Answers {
        values: values.collect(),
        correction: Some(HOSTILE.to_owned()),
        comment: Some(HOSTILE.to_owned()),
    }
}

fn report() -> Report {
    let rated: Vec<Rated> = (1..=3)
        .map(|number| Rated {
            item: AnnotationItemId(Uuid::from_u128(61)),
            person: person(number),
            answers: answers(number),
        })
        .collect();
    let questions: Vec<_> = asked()
        .into_iter()
        .map(|asked| {
            let found = agreement(&asked.question, asked.scale(), &rated);
            (asked, found)
        })
        .collect();
    let decisions = questions.first().map(|(asked, _)| Decision {
        item: AnnotationItemId(Uuid::from_u128(62)),
        question: asked.question.clone(),
        answer: Answer::Label(HOSTILE.to_owned()),
        reason: HOSTILE.to_owned(),
        person: person(3),
        at: now(),
    });
    Report {
        questions,
        rated,
        decisions: decisions.into_iter().collect(),
        accuracy: BTreeMap::from([(person(1), (7, 9))]),
        known: 3,
        least: 2,
    }
}

fn pairs() -> Vec<(Answer, ScoreValue)> {
    let labels = ["Partly", "Partly", "Misses the question", HOSTILE];
    let judge = ["Partly", HOSTILE, "Misses the question", HOSTILE];
    let both = labels.into_iter().zip(judge);
    both.map(|(people, judge)| {
        let judge = ScoreValue::Categorical {
            label: judge.to_owned(),
            number: 0.0,
        };
        (Answer::Label(people.to_owned()), judge)
    })
    .collect()
}

/// A hostile span, after hostile turns of its session.
fn subject() -> Subject {
    let before = hostile_summaries();
    let Some(span) = hostile_spans()
        .into_iter()
        .find(|span| span.output.is_some())
    else {
        return Subject::Session(before);
    };
    Subject::Said {
        span: Box::new(span),
        trace: before.first().cloned().map(Box::new),
        before,
    }
}

fn show(reader: &Reader, is_filled: bool) -> QueuePage {
    let items: Vec<Placed> = match is_filled {
        true => (60..110)
            .map(|number| placed(number, number == 62))
            .collect(),
        false => Vec::new(),
    };
    let rater = |(id, email): (PersonId, String)| Rater {
        is_assigned: id == person(1),
        person: Person {
            id,
            email,
            name: String::new(),
        },
    };
    let raters: Vec<Rater> = names().into_iter().map(rater).collect();
    let fill = is_filled.then(|| Fill {
        draft: FillDraft {
            filter: Filter::default(),
            address: format!("q={HOSTILE}"),
            is_continuous: true,
            takes: Takes::Traces,
            share: 1.0,
            most: None,
            challenge: None,
        },
        person: person(1),
        looked_until: None,
        added: 148,
        last_error: HOSTILE.to_owned(),
        is_running: true,
        created_at: now(),
    });
    let progress = match is_filled {
        true => progress(),
        false => Progress::default(),
    };
    let queue = queue("Refund answers, March", false);
    let material = QueueMaterial {
        queue: &queue,
        asked: &asked(),
        progress: (progress, Pace::default()),
        items: &items,
        raters: &raters,
        fill,
    };
    QueuePage::new(reader, &material, View::default(), now())
}

fn item(reader: &Reader, report: &Report, is_pairwise: bool) -> ItemPage {
    let label = |number: u128, state| Label {
        item: AnnotationItemId(Uuid::from_u128(61)),
        person: person(number),
        state,
        reserved_until: now().plus(Nanos::from_seconds(540)),
        answers: answers(number),
        reason: HOSTILE.to_owned(),
        started_at: now(),
        ended_at: None,
    };
    let opened = Opened {
        placed: placed(61, is_pairwise),
        labels: vec![label(3, LabelState::Done)],
        own: Some(label(1, LabelState::Reserved)),
        neighbours: (None, Some(AnnotationItemId(Uuid::from_u128(62)))),
        is_hidden: true,
    };
    let mut queue = queue("Refund answers, March", is_pairwise);
    queue.rules.archived_at = None;
    let asked = asked();
    let pace = Pace {
        done: 61,
        median_s: Some(23.5),
    };
    let material = ItemMaterial {
        queue: &queue,
        asked: &asked,
        opened: &opened,
        report,
        progress: (progress(), pace),
        names: names(),
    };
    let attachments = Attachments::new(reader.id(), Vec::new());
    let said = |subject: &Subject, mark| {
        SaidView::new(reader, (subject, &attachments), (HOSTILE, mark), now())
    };
    let subject = subject();
    let said = match is_pairwise {
        true => vec![said(&subject, "A"), said(&Subject::Missing, "B")],
        false => vec![said(&subject, "")],
    };
    let filled = Filled::of(&answers(1));
    ItemPage::new(reader, &material, (&filled, said), now())
}
