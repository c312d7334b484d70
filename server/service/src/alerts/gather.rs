//! What telemetry says, gathered for rules: those that look at the same requests, in the same steps, share one query.

use std::collections::{BTreeMap, BTreeSet};

use domain::alert::cell::{Cell, Cells};
use domain::alert::evaluate::Watched;
use domain::alert::kind::LONG_STEP_S;
use domain::alert::measure::{Aggregate, RequestMeasure, Source};
use domain::alert::successor::{Successors, SuccessorsOf};
use domain::alert::{AlertSeries, Group, Rule};
use domain::axes::query::{Aggregation, MAX_STEPS, RangeQuery, Selection, Steps};
use domain::axes::range::Line;
use domain::filter::Filter;
use domain::{AlertRuleId, Code, Fault, Nanos, ProjectId, Timestamp};
use store_clickhouse::alerts::{self as store, Question};

use super::usual::Usual;
use crate::app::App;
use crate::{auth, series};

/// Most questions of one query.
const MOST_TOGETHER: usize = 32;

/// What a rule asks for.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Wish<'r> {
    pub(super) series: &'r AlertSeries,
    pub(super) filter: &'r Filter,
    pub(super) group_by: &'r [String],
    pub(super) step_s: u64,
    pub(super) window: (Timestamp, Timestamp),
}

/// What wishes come to.
pub(super) struct Answers<K> {
    /// Cells of each.
    pub(super) cells: BTreeMap<K, Cells>,
    /// Those that ask for too much, and what was wrong: they must not hold up the others.
    pub(super) failed: BTreeMap<K, Fault>,
}

/// Everything that rules need.
#[derive(Default)]
pub(super) struct Gathered {
    cells: BTreeMap<AlertRuleId, Cells>,
    failed: BTreeMap<AlertRuleId, Fault>,
    usual: Usual,
    successors: SuccessorsOf,
    nothing: (Cells, Successors),
}

impl Gathered {
    /// Gathers it for the steps after an instant up to another.
    ///
    /// # Errors
    /// `unavailable` or `timeout` when a store is away or takes too long; `invalid` where it is too much.
    pub(super) async fn new(
        app: &App,
        project: ProjectId,
        rules: &[Rule],
        (after, until): (Timestamp, Timestamp),
    ) -> Result<Self, Fault> {
        let wish = |rule| wish(rule, (after, until));
        let wishes: Vec<_> = rules.iter().filter_map(wish).collect();
        let answers = cells(app, project, &wishes).await?;
        Ok(Gathered {
            cells: answers.cells,
            failed: answers.failed,
            ..Gathered::default()
        })
    }

    /// What is wrong with rules that ask for too much, in words: they are not looked at.
    pub(super) fn errors(&self) -> Option<String> {
        let (rule, fault) = self.failed.first_key_value()?;
        Some(format!("rule {rule} is not looked at: {fault}"))
    }

    /// The first of these, as it was.
    pub(super) fn failure(&mut self) -> Option<Fault> {
        self.failed.first_entry().map(|entry| entry.remove())
    }

    /// With what is usual.
    #[must_use]
    pub(super) fn with_usual(mut self, usual: Usual) -> Self {
        self.usual = usual;
        self
    }

    /// With the groups that others took the place of.
    #[must_use]
    pub(super) fn with_successors(mut self, successors: SuccessorsOf) -> Self {
        self.successors = successors;
        self
    }

    /// What is usual, for other steps.
    pub(super) fn into_usual(self) -> Usual {
        self.usual
    }

    /// Rules with what is known for them.
    pub(super) fn watched<'a>(&'a self, rules: &'a [Rule]) -> Vec<Watched<'a>> {
        let one = |rule: &'a Rule| Watched {
            rule,
            cells: self.cells.get(&rule.id).unwrap_or(&self.nothing.0),
            baselines: self.usual.of(rule.id),
            successors: self.successors.get(&rule.id).unwrap_or(&self.nothing.1),
        };
        let is_known = |rule: &&Rule| !self.failed.contains_key(&rule.id);
        rules.iter().filter(is_known).map(one).collect()
    }
}

/// What must be read to judge a rule in the steps after an instant up to another; `None`: it is about other rules.
fn wish(rule: &Rule, (after, until): (Timestamp, Timestamp)) -> Option<(AlertRuleId, Wish<'_>)> {
    let draft = &rule.draft;
    let wish = Wish {
        series: draft.series.as_ref()?,
        filter: &draft.filter.filter,
        group_by: &draft.kind.group_by,
        step_s: draft.kind.step_s(),
        window: (
            after.minus(Nanos::from_seconds(draft.kind.reach_s())),
            until,
        ),
    };
    Some((rule.id, wish))
}

/// Cells for each wish.
pub(super) async fn cells<K: Copy + Ord>(
    app: &App,
    project: ProjectId,
    wishes: &[(K, Wish<'_>)],
) -> Result<Answers<K>, Fault> {
    let mut answers = Answers {
        cells: BTreeMap::new(),
        failed: BTreeMap::new(),
    };
    // Of equal ones the first stands for all.
    let mut questions: Vec<Asked<'_, K>> = Vec::new();
    for (key, wish) in wishes {
        let same = questions
            .iter_mut()
            .find(|asked| is_shared(asked.wish, wish));
        match same {
            Some(asked) => asked.add(*key, wish),
            None => questions.push(Asked::new(*key, wish)),
        }
    }
    let mut batches = batches(questions);
    while let Some(batch) = batches.pop() {
        match answer(app, project, &batch).await {
            Ok(cells) => answers.cells.extend(cells),
            // One of them asks for too much: each by itself.
            Err(fault) if is_of_wish(fault.code) && batch.len() > 1 => {
                batches.extend(batch.into_iter().map(|asked| vec![asked]));
            }
            Err(fault) if is_of_wish(fault.code) => {
                let same = || Fault::new(fault.code, fault.message.clone());
                let keys = batch.iter().flat_map(|asked| &asked.keys);
                answers.failed.extend(keys.map(|(key, _)| (*key, same())));
            }
            Err(fault) => return Err(fault),
        }
    }
    Ok(answers)
}

/// A wish with all that it stands for.
struct Asked<'w, K> {
    wish: &'w Wish<'w>,
    /// From when on any of them wants to know.
    from: Timestamp,
    keys: Vec<(K, &'w AlertSeries)>,
}

impl<'w, K: Copy> Asked<'w, K> {
    fn new(key: K, wish: &'w Wish<'w>) -> Self {
        Asked {
            wish,
            from: wish.window.0,
            keys: vec![(key, wish.series)],
        }
    }

    fn add(&mut self, key: K, wish: &'w Wish<'w>) {
        self.from = self.from.min(wish.window.0);
        self.keys.push((key, wish.series));
    }

    /// Cells of one kind, for all of them.
    fn of_each(&self, cells: &Cells) -> Vec<(K, Cells)> {
        let keys = self.keys.iter();
        keys.map(|(key, _)| (*key, cells.clone())).collect()
    }

    /// What is measured of requests.
    fn measures(&self) -> Vec<RequestMeasure> {
        let measures = self.keys.iter().filter_map(|(_, series)| measure(series));
        measures.collect::<BTreeSet<_>>().into_iter().collect()
    }
}

/// Those that one query answers: of requests all with the same steps, whatever their filter and groups.
fn batches<K>(questions: Vec<Asked<'_, K>>) -> Vec<Vec<Asked<'_, K>>> {
    let mut batches: Vec<Vec<Asked<'_, K>>> = Vec::new();
    let is_together = |one: &Wish<'_>, other: &Wish<'_>| {
        matches!(one.series.source, Source::Requests(_))
            && matches!(other.series.source, Source::Requests(_))
            && one.step_s == other.step_s
            && one.window.1 == other.window.1
    };
    for asked in questions {
        let with_it = batches.iter_mut().find(|batch| {
            let is_like = |first: &Asked<'_, K>| is_together(first.wish, asked.wish);
            batch.len() < MOST_TOGETHER && batch.first().is_some_and(is_like)
        });
        match with_it {
            Some(batch) => batch.push(asked),
            None => batches.push(vec![asked]),
        }
    }
    batches
}

/// Whether what was wrong is wrong with the wish alone.
pub(super) fn is_of_wish(code: Code) -> bool {
    matches!(code, Code::Invalid | Code::TooLarge | Code::Timeout)
}

/// Answers those of a batch.
async fn answer<K: Copy + Ord>(
    app: &App,
    project: ProjectId,
    batch: &[Asked<'_, K>],
) -> Result<Vec<(K, Cells)>, Fault> {
    let Some(first) = batch.first() else {
        return Ok(Vec::new());
    };
    let wish = first.wish;
    if let Source::Metric(name) = &wish.series.source {
        return Ok(first.of_each(&of_metric(app, project, (name, wish)).await?));
    }
    if let Some(score) = wish.series.score() {
        let about = (score, wish.step_s);
        let cells = store::scores(app.clickhouse(), project, about, wish.window).await?;
        return Ok(first.of_each(&cells));
    }
    let measures: Vec<_> = batch.iter().map(Asked::measures).collect();
    let questions = batch
        .iter()
        .zip(&measures)
        .map(|(asked, measures)| Question {
            filter: asked.wish.filter,
            dimensions: asked.wish.group_by,
            measures,
            from: asked.from,
        });
    let steps = store::Steps {
        step_s: wish.step_s,
        to: wish.window.1,
    };
    let questions: Vec<_> = questions.collect();
    let found = store::cells_of_each(app.clickhouse(), project, &questions, steps).await?;
    let of_one = |(asked, by_measure): (&Asked<'_, K>, store::ByMeasure)| {
        let of = |(key, series): &(K, &AlertSeries)| {
            let cells = measure(series).and_then(|measure| by_measure.get(&measure));
            (*key, cells.cloned().unwrap_or_default())
        };
        asked.keys.iter().map(of).collect::<Vec<_>>()
    };
    Ok(batch.iter().zip(found).flat_map(of_one).collect())
}

/// Whether two wishes come to the same question.
fn is_shared(one: &Wish<'_>, other: &Wish<'_>) -> bool {
    let is_same = one.group_by == other.group_by
        && one.step_s == other.step_s
        && one.window.1 == other.window.1;
    match (&one.series.source, &other.series.source) {
        (Source::Requests(_), Source::Requests(_)) => is_same && one.filter == other.filter,
        (Source::Metric(_), Source::Metric(_)) | (Source::Scores(_), Source::Scores(_)) => {
            one == other
        }
        _ => false,
    }
}

fn measure(series: &AlertSeries) -> Option<RequestMeasure> {
    match series.source {
        Source::Requests(measure) => Some(measure),
        Source::Scores(_) | Source::Metric(_) => None,
    }
}

/// A metric as values of its steps. What is counted between two scrapes is looked at by the minute.
async fn of_metric(
    app: &App,
    project: ProjectId,
    (name, wish): (&str, &Wish<'_>),
) -> Result<Cells, Fault> {
    let mut cells = Cells::default();
    let (mut step_s, mut from) = (wish.step_s, wish.window.0);
    while from < wish.window.1 {
        let begin = floor(from, step_s);
        let longest = Nanos::from_seconds(step_s.saturating_mul(MAX_STEPS / 2));
        let end = begin.plus(longest).min(wish.window.1);
        let answer = lines(app, project, (name, wish), (begin, end), step_s).await?;
        let is_counted = matches!(answer.0, Aggregation::Rate | Aggregation::Quantile(_));
        if is_counted && step_s < LONG_STEP_S {
            (step_s, from) = (LONG_STEP_S, wish.window.0);
            cells = Cells::default();
            continue;
        }
        for line in &answer.1 {
            add(&mut cells, line, (begin, step_s), wish);
        }
        from = end.max(begin.plus(Nanos::from_seconds(step_s)));
    }
    Ok(cells)
}

/// Puts values at the end of their steps.
fn add(cells: &mut Cells, line: &Line, (begin, step_s): (Timestamp, u64), wish: &Wish<'_>) {
    let named = wish.group_by.iter().filter_map(|name| {
        let value = line.labels.get(name)?;
        Some((name.clone(), value.to_owned()))
    });
    let group = Group::of(named);
    let mut end = begin;
    for value in &line.values {
        end = end.plus(Nanos::from_seconds(step_s));
        let last = end.minus(Nanos::from_seconds(wish.step_s));
        let step_s = i64::try_from(wish.step_s).unwrap_or(1);
        let cell = value.map(Cell::of);
        // A step that is not over yet would change later.
        if let Some(cell) = cell.filter(|_| end <= wish.window.1) {
            cells.add(group.clone(), last.unix_seconds().div_euclid(step_s), &cell);
        }
    }
}

async fn lines(
    app: &App,
    project: ProjectId,
    (name, wish): (&str, &Wish<'_>),
    (from, to): (Timestamp, Timestamp),
    step_s: u64,
) -> Result<(Aggregation, Vec<Line>), Fault> {
    let ask = |aggregation| RangeQuery {
        selection: Selection {
            metric: Some(name.to_owned()),
            conditions: Vec::new(),
        },
        steps: Steps {
            from,
            to,
            step: Nanos::from_seconds(step_s),
        },
        aggregation,
        group_by: Some(wish.group_by.to_vec()),
    };
    let scope = auth::enter_to_export(project);
    let wanted = match wish.series.aggregate {
        Aggregate::P50 => Some(Aggregation::Quantile(0.5)),
        Aggregate::P90 => Some(Aggregation::Quantile(0.9)),
        Aggregate::P95 => Some(Aggregation::Quantile(0.95)),
        Aggregate::P99 => Some(Aggregation::Quantile(0.99)),
        _ => None,
    };
    if wanted.is_some() {
        let answer = series::range(app, &scope, ask(wanted)).await?;
        if !answer.lines.is_empty() {
            return Ok((answer.aggregation, answer.lines));
        }
    }
    // Where it is no histogram, the quantile is that of the values of the steps.
    let answer = series::range(app, &scope, ask(None)).await?;
    Ok((answer.aggregation, answer.lines))
}

fn floor(at: Timestamp, step_s: u64) -> Timestamp {
    let step = step_s.saturating_mul(1_000_000_000).max(1);
    let into = u64::try_from(at.unix_nanos()).unwrap_or(0) % step;
    at.minus(Nanos(into))
}
