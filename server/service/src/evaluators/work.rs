//! Looks for spans that match, and scores them. Several servers may do it: rows in Postgres say who has the turn and until
//! when. What breaks off is done again, and gives nothing two scores.

use std::time::Duration;

use domain::evaluator::{self, EvaluationState, LooksAt};
use domain::score::{Score, ScoreSource, ScoreValue, Target};
use domain::tenancy::Role;
use domain::{Fault, Nanos, Span, SpanId, Timestamp, TraceId};
use futures_util::future::join_all;
use serde_json::json;
use store_postgres::evaluators::{self as store, Finished, Hold, Look, Taken};
use tokio_util::sync::CancellationToken;
use uuid::Uuid;

use super::ask::{Asker, Tried, Trouble};
use super::{WEEK, midnight};
use crate::app::App;
use crate::ingestion::{keep, seal_scores};
use crate::scope::{Actor, ProjectScope, ScoreWriter};
use crate::spans;
use crate::turns::{Turns, postgres_is_away};

/// What is looked for.
const WHAT: &str = "what is to be scored";
/// What one server works on at once.
const WORKERS: usize = 4;
/// How long a turn is without a sign of life.
const HOLD: Nanos = Nanos::from_seconds(30);
/// Between two signs of life.
const SIGN_EVERY: Duration = Duration::from_secs(8);
/// Between two looks whether something is due.
const LOOK_EVERY: Duration = Duration::from_secs(1);
/// Between two looks of an evaluator for spans.
const EVERY: Nanos = Nanos::from_seconds(5);
/// What ended this long before the last look may still come: it is looked at again.
const LATE: Nanos = Nanos::from_seconds(900);
/// What took longer is not looked at.
const LONGEST: Nanos = Nanos::from_seconds(2 * 3_600);
/// What ended just now may still be told more of.
const SETTLE: Nanos = Nanos::from_seconds(3);
/// Spans that one look finds.
const MOST: u32 = 20_000;
/// Between two looks at what is scored after the fact.
const EVERY_BACK: Nanos = Nanos::from_seconds(1);
/// What one such look passes, and where so much ended in it that it is not seen at once, the least.
const PIECE: Nanos = Nanos::from_seconds(6 * 3_600);
const LEAST_PIECE: Nanos = Nanos::from_seconds(60);
/// Where more spans wait, the past waits, too.
const MOST_WAITING_BACK: u64 = 1_000;
/// Spans that Postgres is given at once.
const AT_ONCE: usize = 2_000;
/// Spans of a rule that are read at once.
const READ_AT_ONCE: usize = 8;
/// Tries of a span whose calls fail.
const MOST_TRIES: u32 = 5;
/// Wait after the first failure; after each one more it is twice as long.
const REST: Nanos = Nanos::from_seconds(5);
/// And at most that.
const MAX_REST: Nanos = Nanos::from_seconds(600);
/// How long one waits whose bound on cost cannot be kept.
const WITHOUT_PRICE: Nanos = Nanos::from_seconds(3_600);

/// Looks for spans and scores them until `stop`. Several servers may do it at once.
pub async fn run(app: App, stop: CancellationToken) {
    let workers = (0..WORKERS).map(|_| score_on(&app, &stop));
    tokio::join!(look_on(&app, &stop), join_all(workers));
}

async fn look_on(app: &App, stop: &CancellationToken) {
    let take = || {
        let now = app.clock().now();
        store::take_look(app.postgres(), Uuid::now_v7(), (now, now.plus(HOLD)))
    };
    while let Some(look) = turns(stop).next(take).await {
        tokio::select! {
            () = look_for(app, &look) => {}
            () = stop.cancelled() => {}
        }
    }
}

async fn score_on(app: &App, stop: &CancellationToken) {
    let take = || {
        let now = app.clock().now();
        let until = (now, now.plus(HOLD));
        store::take(app.postgres(), Uuid::now_v7(), until, midnight(now))
    };
    while let Some(taken) = turns(stop).next(take).await {
        tokio::select! {
            () = score_all(app, &taken) => {}
            () = lost(app, &taken) => {}
            () = stop.cancelled() => {}
        }
    }
}

fn turns(stop: &CancellationToken) -> Turns<'_> {
    Turns {
        what: WHAT,
        every: LOOK_EVERY,
        wake: None,
        stop,
    }
}

/// Keeps spans held; done when another turn has them, or nothing waits for the evaluator any more.
async fn lost(app: &App, taken: &Taken) {
    loop {
        tokio::time::sleep(SIGN_EVERY).await;
        match store::hold(app.postgres(), taken, app.clock().now().plus(HOLD)).await {
            Ok(true) => {}
            Ok(false) => return,
            Err(error) => postgres_is_away(WHAT, &error),
        }
    }
}

/// Has what ended since the last look wait to be scored.
async fn look_for(app: &App, look: &Look) {
    let until = match found(app, look).await {
        Ok(until) => Some(until),
        Err(fault) => {
            broke_off(look, &fault);
            None
        }
    };
    let back = match look_back(app, look).await {
        Ok(back) => back,
        Err(fault) => {
            broke_off(look, &fault);
            look.back
        }
    };
    let now = app.clock().now();
    let next = now.plus(match back {
        Some(_) => EVERY_BACK,
        None => EVERY,
    });
    let old = now.minus(WEEK).minus(LATE);
    let noted = store::looked(app.postgres(), look, (until, back, next), old);
    if let Err(error) = noted.await {
        postgres_is_away(WHAT, &error);
    }
}

fn broke_off(look: &Look, fault: &Fault) {
    let cause = std::error::Error::source(fault);
    let evaluator = look.evaluator.id;
    tracing::warn!(cause, %evaluator, "looking for spans broke off: {fault}");
}

async fn found(app: &App, look: &Look) -> Result<Timestamp, Fault> {
    let until = app.clock().now().minus(SETTLE);
    let since = look.looked_until.minus(LATE).max(look.on_since);
    let ended = ended(app, look, (since, until)).await?;
    enqueue(app, look, ended).await?;
    Ok(until)
}

/// Looks at a piece of what somebody wants scored after the fact, the newest that is left; what is left then. While much waits
/// nothing is added to it: what ends now is not to wait for all of the past.
async fn look_back(app: &App, look: &Look) -> Result<Option<(Timestamp, Timestamp)>, Fault> {
    let Some((from, until)) = look.back else {
        return Ok(None);
    };
    if look.waiting > MOST_WAITING_BACK {
        return Ok(look.back);
    }
    let mut length = PIECE;
    loop {
        let since = until.minus(length).max(from);
        let ended = ended(app, look, (since, until)).await?;
        if ended.len() < MOST as usize || length <= LEAST_PIECE {
            enqueue(app, look, ended).await?;
            return Ok((since > from).then_some((from, since)));
        }
        length = Nanos(length.0 / 4);
    }
}

async fn ended(
    app: &App,
    look: &Look,
    (since, until): (Timestamp, Timestamp),
) -> Result<Vec<(TraceId, SpanId)>, Fault> {
    let filter = look.evaluator.draft.spans()?;
    let window = (since, until, LONGEST);
    let (clickhouse, project) = (app.clickhouse(), look.project);
    Ok(store_clickhouse::spans::ended(clickhouse, project, &filter, window, MOST).await?)
}

/// Has those wait that are in the sample.
async fn enqueue(app: &App, look: &Look, ended: Vec<(TraceId, SpanId)>) -> Result<(), Fault> {
    let rate = look.evaluator.draft.sample_rate;
    let chosen: Vec<(TraceId, SpanId)> = ended
        .into_iter()
        .filter(|(trace, _)| evaluator::is_sampled(look.evaluator.id, trace, rate))
        .collect();
    for some in chosen.chunks(AT_ONCE) {
        store::enqueue(app.postgres(), look, some, app.clock().now()).await?;
    }
    Ok(())
}

/// Scores what a turn has taken up.
async fn score_all(app: &App, taken: &Taken) {
    if let Err(fault) = score(app, taken).await {
        let cause = std::error::Error::source(&fault);
        let evaluator = taken.evaluator.id;
        tracing::warn!(cause, %evaluator, "scoring broke off: {fault}");
    }
}

async fn score(app: &App, taken: &Taken) -> Result<(), Fault> {
    let scope = ProjectScope::new(taken.project, Actor::Server, Role::Member);
    let asker = Asker::new(&taken.evaluator.draft)?;
    let (mut scores, mut finished, mut hold) = (Vec::new(), Vec::new(), Hold::AsIs);
    for some in taken.spans.chunks(READ_AT_ONCE) {
        let read = some.iter();
        let read = read.map(|(trace, span, _)| spans::show(app, &scope, trace, span));
        let read = join_all(read).await;
        for ((trace, span_id, tries), span) in some.iter().zip(read) {
            let span = span?;
            let tried = match &span {
                Some(span) => asker.ask(app, &scope, span).await,
                None => {
                    let gone = Trouble::Lacks("the span is gone".to_owned());
                    Tried::without_call(Err(gone))
                }
            };
            let now = app.clock().now();
            if let (Some(span), Ok((value, why))) = (&span, &tried.result) {
                scores.push(score_of(taken, span, (value, why), now));
            }
            hold = hold_after(taken, &tried, now);
            finished.push(finished_of((trace, span_id, *tries), tried, now));
        }
    }
    if !scores.is_empty() {
        let sealed = seal_scores(app, &ScoreWriter::from(scope), &scores)?;
        keep(app, sealed).await?;
    }
    let now = app.clock().now();
    store::finish(app.postgres(), (taken, now), &finished, &hold).await?;
    Ok(())
}

fn score_of(
    taken: &Taken,
    span: &Span,
    (value, why): (&ScoreValue, &str),
    now: Timestamp,
) -> Score {
    let evaluator = &taken.evaluator;
    let (trace, span_id) = (&span.trace_id, &span.span_id);
    let metadata = json!({
        "evaluator_id": evaluator.id.to_string(),
        "evaluator": evaluator.draft.name,
        "span_id": span_id.as_str(),
    });
    Score {
        id: evaluator::score_id(evaluator.id, trace, span_id),
        target: Target::Trace {
            trace_id: trace.clone(),
            observation_id: match evaluator.draft.looks_at {
                LooksAt::RootSpans => None,
                LooksAt::Generations => Some(span_id.clone()),
            },
        },
        name: evaluator.draft.score.name.clone(),
        value: value.clone(),
        source: ScoreSource::Eval,
        time: now,
        environment: span.environment.clone(),
        comment: (!why.is_empty()).then(|| why.to_owned()),
        metadata: metadata.to_string(),
        config_id: None,
        queue_id: None,
        author_id: None,
        execution_trace_id: None,
    }
}

fn finished_of(
    (trace, span, tries): (&TraceId, &SpanId, u32),
    tried: Tried,
    now: Timestamp,
) -> Finished {
    let spent = tried.spent;
    let mut finished = Finished {
        trace: trace.clone(),
        span: span.clone(),
        state: EvaluationState::Scored,
        due_at: None,
        is_try: true,
        value: None,
        words: String::new(),
        is_call: spent.is_some(),
        cost: spent.and_then(|spent| spent.cost),
        tokens: spent.and_then(|spent| spent.tokens),
        latency_ms: spent.and_then(|spent| spent.latency_ms),
    };
    match tried.result {
        Ok((value, why)) => (finished.value, finished.words) = (Some(value), why),
        Err(Trouble::Lacks(words)) => {
            (finished.state, finished.words) = (EvaluationState::Skipped, words);
        }
        Err(Trouble::Malformed(words)) => {
            (finished.state, finished.words) = (EvaluationState::Failed, words);
        }
        Err(Trouble::Failed(words)) => {
            finished.words = words;
            if tries.saturating_add(1) >= MOST_TRIES {
                finished.state = EvaluationState::Failed;
            } else {
                finished.state = EvaluationState::Waiting;
                finished.due_at = Some(now.plus(rest(tries)));
            }
        }
        Err(Trouble::Busy) => {
            finished.state = EvaluationState::Waiting;
            finished.due_at = Some(now.plus(REST));
            finished.is_try = false;
        }
    }
    finished
}

/// What becomes of the evaluator after a try: while calls fail all of its spans wait.
fn hold_after(taken: &Taken, tried: &Tried, now: Timestamp) -> Hold {
    let is_bound = taken.evaluator.draft.max_cost_per_day.is_some();
    let has_answered = matches!(tried.result, Ok(_) | Err(Trouble::Malformed(_)));
    if let Some(spent) = &tried.spent
        && has_answered
        && is_bound
        && spent.cost.is_none()
    {
        let why = "the model has no price, so that the bound on cost cannot be kept: set a price, or take the bound away";
        return Hold::Until(now.plus(WITHOUT_PRICE), why.to_owned());
    }
    match &tried.result {
        Ok(_) => Hold::Works,
        Err(Trouble::Failed(words)) => Hold::Until(now.plus(rest(taken.failures)), words.clone()),
        Err(Trouble::Lacks(_) | Trouble::Malformed(_) | Trouble::Busy) => Hold::AsIs,
    }
}

/// How long to wait after one more failure than so many.
fn rest(failures: u32) -> Nanos {
    let doubled = REST.0.checked_shl(failures.min(20));
    Nanos(doubled.unwrap_or(MAX_REST.0)).min(MAX_REST)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rest_doubles_up_to_ten_minutes() {
        let seconds = [0, 1, 2, 6, 7, 1_000].map(|failures| rest(failures).0 / 1_000_000_000);
        assert_eq!(seconds, [5, 10, 20, 320, 600, 600]);
    }

    #[test]
    fn what_fails_is_tried_again_and_what_is_no_judgement_is_not() {
        let trace = TraceId::from_text("t").unwrap();
        let span = SpanId::from_text("s").unwrap();
        let after = |tries, trouble| {
            let tried = Tried::without_call(Err(trouble));
            let finished = finished_of((&trace, &span, tries), tried, Timestamp::EPOCH);
            (finished.state, finished.due_at.is_some(), finished.is_try)
        };
        use EvaluationState::{Failed, Skipped, Waiting};
        let words = String::new;
        assert_eq!(after(0, Trouble::Failed(words())), (Waiting, true, true));
        assert_eq!(after(4, Trouble::Failed(words())), (Failed, false, true));
        assert_eq!(after(0, Trouble::Malformed(words())), (Failed, false, true));
        assert_eq!(after(0, Trouble::Lacks(words())), (Skipped, false, true));
        assert_eq!(after(9, Trouble::Busy), (Waiting, true, false));
    }
}
