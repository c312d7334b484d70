//! Calls over a window of time: each once, and the time of many at once is the union of theirs.

use std::collections::BTreeMap;

use domain::objective::{Objective, ObjectiveDraft, Pace};
use domain::pattern::NamePattern;
use domain::span::{CallRole, Level, SpanKind, Usage, UsageSource};
use domain::{Nanos, ObjectiveId, Span, Timestamp};
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;
use store_clickhouse::calls;
use uuid::Uuid;

use super::{fresh_store, insert, project, span};

/// A call of a model that began so many seconds into the day and took so long.
fn call(trace: &str, id: &str, (second, seconds): (u64, u64)) -> Span {
    let mut call = span(trace, id, second);
    call.kind = SpanKind::Generation;
    call.end = Some(call.start.plus(Nanos::from_seconds(seconds)));
    call.response_model = Some("m".to_owned());
    call.usage = Some(Usage {
        source: UsageSource::Reported,
        input_tokens: Some(100),
        output_tokens: Some(10),
        ..Usage::default()
    });
    call
}

/// From and to, in seconds of the day.
fn window(from: u64, to: u64) -> (Timestamp, Timestamp) {
    (span("t", "s", from).start, span("t", "s", to).start)
}

#[tokio::test(flavor = "multi_thread")]
async fn a_call_that_several_spans_tell_of_counts_once() {
    let store = fresh_store().await;
    let below = |mut call: Span, parent: &Span| {
        call.parent_span_id = Some(parent.span_id.clone());
        call
    };
    let engine = |mut call: Span| {
        call.call_role = CallRole::Engine;
        call
    };
    let wrapper = call("a", "wrapper", (0, 10));
    let client = below(call("a", "client", (1, 8)), &wrapper);
    let served = below(engine(call("a", "engine", (2, 6))), &client);
    let lone = engine(call("b", "engine", (0, 1)));
    let mut repeat = call("c", "agent", (0, 1));
    repeat.call_role = CallRole::Repeat;
    let mut other_kind = call("d", "tool", (0, 1));
    other_kind.kind = SpanKind::Tool;
    let mut failed = call("e", "failed", (0, 1));
    (failed.usage, failed.end) = (None, None);
    let spans = [wrapper, client, served, lone, repeat, other_kind, failed];
    insert(&store, project(1), &spans).await;
    insert(&store, project(1), &spans).await;
    insert(&store, project(2), &[call("z", "z", (0, 1))]).await;
    let found = calls::served(&store, project(1), window(0, 60))
        .await
        .unwrap();
    let [served] = &found[..] else {
        panic!("one model: {found:?}")
    };
    let counts = &served.calls;
    assert_eq!(
        (counts.calls, counts.open_calls, counts.uncounted_calls),
        (3, 1, 1)
    );
    assert_eq!(
        (counts.input_tokens, counts.output_tokens),
        (Some(200), Some(20))
    );
    let later = calls::served(&store, project(1), window(60, 61))
        .await
        .unwrap();
    assert_eq!(later, []);
}

#[tokio::test(flavor = "multi_thread")]
async fn busy_time_is_the_union_of_the_calls_within_the_window() {
    let store = fresh_store().await;
    let mut runner = TestRunner::deterministic();
    let several = proptest::collection::vec((0u64..50, 0u64..15), 1..25);
    let (from, to) = (10u64, 40u64);
    for number in 0..12u128 {
        let times = several.new_tree(&mut runner).unwrap().current();
        let spans: Vec<Span> = times
            .iter()
            .enumerate()
            .map(|(at, &time)| call(&format!("t{at}"), "s", time))
            .collect();
        insert(&store, project(number), &spans).await;
        let everything = calls::served(&store, project(number), window(0, 100))
            .await
            .unwrap();
        let sets: Vec<_> = everything.iter().map(|served| (served.key, 7)).collect();
        let found = calls::busy(&store, project(number), window(from, to), &sets)
            .await
            .unwrap();
        let under_way = |second: u64| {
            let covers =
                |&&(start, length): &&(u64, u64)| (start..start + length).contains(&second);
            times.iter().filter(covers).count() as u64
        };
        let busy = (from..to).filter(|&second| under_way(second) > 0).count() as u64;
        let in_calls: u64 = (from..to).map(under_way).sum();
        let time = found.get(&7).copied().unwrap_or_default();
        assert_eq!(time.busy, Nanos::from_seconds(busy), "{times:?}");
        assert_eq!(time.in_calls, Nanos::from_seconds(in_calls), "{times:?}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn calls_are_held_against_objectives_as_the_domain_says() {
    let store = fresh_store().await;
    let times = [None, Some(100.0), Some(100.5)];
    let mut paces = Vec::new();
    for failed in [false, true] {
        for ttft_ms in times {
            for tpot_ms in times {
                for output_tokens in [None, Some(1), Some(2)] {
                    paces.push(Pace {
                        failed,
                        ttft_ms,
                        tpot_ms,
                        output_tokens,
                    });
                }
            }
        }
    }
    let paced = |(at, pace): (usize, &Pace)| {
        let mut paced = call(&format!("t{at}"), "s", (0, 1));
        (paced.timings.ttft_ms, paced.timings.tpot_ms) = (pace.ttft_ms, pace.tpot_ms);
        paced.level = if pace.failed {
            Level::Error
        } else {
            Level::Default
        };
        if let Some(usage) = &mut paced.usage {
            usage.output_tokens = pace.output_tokens;
        }
        paced
    };
    let spans: Vec<Span> = paces.iter().enumerate().map(paced).collect();
    insert(&store, project(1), &spans).await;
    for (ttft_ms, tpot_ms) in [
        (Some(100.0), Some(100.0)),
        (Some(100.0), None),
        (None, Some(100.0)),
    ] {
        let draft = ObjectiveDraft {
            model: NamePattern::new("*"),
            ttft_ms,
            tpot_ms,
        };
        let verdicts = |verdict| {
            paces
                .iter()
                .filter(|pace| draft.met_by(pace) == verdict)
                .count()
        };
        let expected = [Some(true), Some(false), None]
            .map(verdicts)
            .map(|count| count as u64);
        let objective = Objective {
            id: ObjectiveId(Uuid::nil()),
            draft: draft.clone(),
            created_at: Timestamp::EPOCH,
        };
        let objectives = BTreeMap::from([("m".to_owned(), objective)]);
        let found = calls::paced(&store, project(1), window(0, 60), &objectives)
            .await
            .unwrap();
        let [goodput] = &found[..] else {
            panic!("one model: {found:?}")
        };
        assert_eq!(
            [goodput.good, goodput.missed, goodput.unjudged],
            expected,
            "{draft:?}"
        );
    }
}
