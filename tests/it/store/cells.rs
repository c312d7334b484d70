//! Requests in steps, as alerts look at them.

use domain::alert::measure::RequestMeasure;
use domain::filter::{Column, Condition, Filter, Operator};
use domain::span::SpanKind;
use domain::{Nanos, Span, Timestamp};
use store_clickhouse::alerts::{Question, Steps, cells, cells_of_each};

use super::{fresh_store, insert, project, span};

fn call(number: u64) -> Span {
    let mut call = span(&format!("t{number}"), "s", number);
    call.kind = SpanKind::Generation;
    call.response_model = Some(
        if number.is_multiple_of(2) {
            "even"
        } else {
            "odd"
        }
        .to_owned(),
    );
    call.user_id = (!number.is_multiple_of(3)).then(|| format!("u{}", number % 3));
    call.timings.ttft_ms = (!number.is_multiple_of(5)).then_some(number as f64);
    call
}

fn of(column: Column, operator: Operator, value: &str) -> Filter {
    Filter {
        conditions: vec![Condition {
            column,
            operator,
            values: vec![value.to_owned()],
        }],
        ..Filter::default()
    }
}

/// What is asked together is answered as each by itself, whatever the filters, groups, measures and beginnings.
#[tokio::test(flavor = "multi_thread")]
async fn questions_that_are_asked_together_have_the_answers_of_each() {
    let store = fresh_store().await;
    let calls: Vec<Span> = (0..60).map(call).collect();
    insert(&store, project(1), &calls).await;
    insert(&store, project(2), &calls[..7]).await;
    let begin = calls[0].start;
    let at = |second: u64| -> Timestamp { begin.plus(Nanos::from_seconds(second)) };
    let steps = Steps {
        step_s: 5,
        to: at(50),
    };
    let all = Filter::default();
    let even = of(Column::Model, Operator::AnyOf, "even");
    let not_u1 = of(Column::UserId, Operator::NoneOf, "u1");
    let nobody = of(Column::UserId, Operator::AnyOf, "nobody");
    let slow = Filter {
        min_latency_ms: Some(2_000.0),
        ..Filter::default()
    };
    let [model, user] = ["model", "user_id"].map(str::to_owned);
    let (by_model, by_both) = ([model.clone()], [user, model]);
    let counted = [RequestMeasure::Requests];
    let timed = [RequestMeasure::TtftMs, RequestMeasure::E2eMs];
    let asked: [(&Filter, &[String], &[RequestMeasure], u64); 6] = [
        (&all, &[], &counted, 0),
        (&even, &by_both, &timed, 20),
        (&not_u1, &by_model, &counted, 10),
        (&nobody, &[], &timed, 0),
        (&slow, &[], &counted, 0),
        (&all, &by_model, &timed, 40),
    ];
    let question = |(filter, dimensions, measures, from)| Question {
        filter,
        dimensions,
        measures,
        from: at(from),
    };
    let together: Vec<_> = asked.into_iter().map(question).collect();
    let together = cells_of_each(&store, project(1), &together, steps)
        .await
        .unwrap();
    assert_eq!(together.len(), asked.len());
    for (asked, found) in asked.into_iter().zip(&together) {
        let alone = cells(&store, project(1), question(asked), steps).await;
        assert_eq!(&alone.unwrap(), found);
    }
    let count = |index: usize| -> u64 {
        let cells = together[index].values();
        let cells = cells.flat_map(|cells| cells.groups().flat_map(|group| cells.steps(group)));
        cells.map(|(_, cell)| cell.known).sum()
    };
    // Each takes a second and ends before the fiftieth.
    assert_eq!(count(0), 49);
    assert_eq!([count(3), count(4)], [0, 0]);
    assert!(count(1) > 0 && count(2) > 0 && count(5) > 0);
}
