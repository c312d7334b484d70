//! Slices by number: of traces as wholes, of spans.

use domain::filter::{Column, Condition, Filter, Operator};
use domain::page::Slice;
use domain::trace::Order;
use domain::{Span, Timestamp};
use store_clickhouse::{ClickHouse, spans, traces};

use super::{fresh_store, insert, project, span};

const HOUR: u64 = 3_600;

fn after(second: u64) -> Filter {
    Filter {
        from: Some(at(second)),
        ..Filter::default()
    }
}

fn at(second: u64) -> Timestamp {
    span("t", "s", second).start
}

async fn listed(store: &ClickHouse, filter: &Filter, slice: Slice) -> (Vec<String>, u64) {
    let wanted = (filter, Order::default());
    let page = traces::page(store, project(1), wanted, slice).await;
    let (ids, total) = page.unwrap();
    (ids.iter().map(ToString::to_string).collect(), total)
}

fn named(name: &str, span: Span) -> Span {
    Span {
        name: name.to_owned(),
        ..span
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_trace_belongs_where_it_begins() {
    let store = fresh_store().await;
    let child = Span {
        parent_span_id: Some(span("long", "root", 0).span_id),
        ..span("long", "child", 2 * HOUR)
    };
    let all = [
        span("long", "root", 0),
        child,
        span("late", "root", 3 * HOUR),
    ];
    insert(&store, project(1), &all).await;
    insert(&store, project(2), &[span("foreign", "root", HOUR)]).await;
    let whole = Slice::new(0, 10).unwrap();
    let (ids, total) = listed(&store, &Filter::default(), whole).await;
    assert_eq!(
        (ids, total),
        (vec!["late".to_owned(), "long".to_owned()], 2)
    );
    // Its second span lies in the range, its beginning does not.
    let (ids, total) = listed(&store, &after(HOUR), whole).await;
    assert_eq!((ids, total), (vec!["late".to_owned()], 1));
    let until = Filter {
        to: Some(at(HOUR)),
        ..Filter::default()
    };
    assert_eq!(listed(&store, &until, whole).await.0, ["long"]);
    // Beyond the end it is still told how many there are.
    let beyond = Slice::new(10, 10).unwrap();
    assert_eq!(
        listed(&store, &Filter::default(), beyond).await,
        (Vec::new(), 2)
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn conditions_are_on_a_trace_as_a_whole() {
    let store = fresh_store().await;
    let root = span("t", "root", 0);
    let child = Span {
        parent_span_id: Some(root.span_id.clone()),
        ..span("t", "child", 1)
    };
    let spans = [named("chat", root), named("step", child)];
    insert(&store, project(1), &spans).await;
    let by_name = |operator, name: &str| Filter {
        conditions: vec![Condition {
            column: Column::Name,
            operator,
            values: vec![name.to_owned()],
        }],
        ..Filter::default()
    };
    let whole = Slice::new(0, 10).unwrap();
    for (operator, name, expected) in [
        (Operator::AnyOf, "chat", 1),
        (Operator::AnyOf, "step", 0),
        (Operator::NoneOf, "step", 1),
        (Operator::Contains, "CHA", 1),
    ] {
        let (_, total) = listed(&store, &by_name(operator, name), whole).await;
        assert_eq!(total, expected, "{operator:?} {name}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_span_that_is_sent_again_with_another_start_is_there_once() {
    let store = fresh_store().await;
    let begun = span("t", "root", 0);
    let moved = Span {
        start: at(2 * HOUR),
        ..span("t", "root", 2 * HOUR)
    };
    insert(&store, project(1), &[begun]).await;
    insert(&store, project(1), std::slice::from_ref(&moved)).await;
    let whole = Slice::new(0, 10).unwrap();
    let (ids, total) = listed(&store, &Filter::default(), whole).await;
    assert_eq!((ids.len(), total), (1, 1));
    let page = spans::page(&store, project(1), &Filter::default(), whole).await;
    assert_eq!(page.unwrap().0, [moved]);
}
