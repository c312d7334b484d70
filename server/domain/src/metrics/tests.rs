use super::*;
use crate::comparison::{Test, Within};
use crate::time::Timestamp;

fn at(text: &str) -> Timestamp {
    Timestamp::parse(text).unwrap()
}

fn draft(view: View) -> Draft {
    Draft {
        view,
        dimensions: Vec::new(),
        metrics: vec![metric(Measure::Count, Aggregation::Count)],
        conditions: Vec::new(),
        by_metadata: Vec::new(),
        cut: None,
        from: at("2026-11-01T00:00:00Z"),
        to: at("2026-11-04T00:00:00Z"),
        order: Vec::new(),
        limit: None,
        bins: 10,
    }
}

fn metric(measure: Measure, aggregation: Aggregation) -> Metric {
    Metric {
        measure,
        aggregation,
    }
}

fn refused(change: impl FnOnce(&mut Draft)) -> InvalidQuery {
    let mut draft = draft(View::Observations);
    change(&mut draft);
    draft.check().unwrap_err()
}

#[test]
fn what_a_view_does_not_have_is_refused_by_name() {
    let dimension = Dimension::Label;
    let view = View::Observations;
    assert_eq!(
        refused(|it| it.dimensions.push(dimension)),
        InvalidQuery::NoDimension { view, dimension }
    );
    let measure = Measure::Value;
    assert_eq!(
        refused(|it| it.metrics.push(metric(measure, Aggregation::Sum))),
        InvalidQuery::NoMeasure { view, measure }
    );
    let (measure, aggregation) = (Measure::Users, Aggregation::Sum);
    assert_eq!(
        refused(|it| it.metrics.push(metric(measure, aggregation))),
        InvalidQuery::NoNumber {
            measure,
            aggregation
        }
    );
    assert_eq!(refused(|it| it.metrics.clear()), InvalidQuery::NoMetric);
    assert_eq!(
        refused(|it| it.metrics.extend(it.metrics.clone())),
        InvalidQuery::Twice
    );
    assert_eq!(refused(|it| it.to = it.from), InvalidQuery::Backwards);
    assert_eq!(refused(|it| it.bins = 0), InvalidQuery::Bins);
    assert_eq!(refused(|it| it.limit = Some(0)), InvalidQuery::NoRow);
    let fine = |it: &mut Draft| {
        it.cut = Some(Cut::By(Granularity::Minute));
        it.to = at("2027-11-01T00:00:00Z");
    };
    assert_eq!(refused(fine), InvalidQuery::TooFine);
    let text = |it: &mut Draft| {
        it.conditions.push(Condition {
            field: Field::Dimension(Dimension::Tags),
            test: Test::Text(Within::Contains, "a".to_owned()),
        });
    };
    assert_eq!(refused(text), InvalidQuery::Unfit(Dimension::Tags));
}

#[test]
fn parts_of_a_cost_stand_alone() {
    let by_kind = metric(Measure::CostByKind, Aggregation::Sum);
    let only = InvalidQuery::OnlyByKind(Dimension::CostKind);
    assert_eq!(refused(|it| it.metrics = vec![by_kind]), only);
    assert_eq!(
        refused(|it| it.dimensions = vec![Dimension::CostKind]),
        only
    );
    let mut right = draft(View::Observations);
    right.metrics = vec![by_kind];
    right.dimensions = vec![Dimension::CostKind];
    assert!(right.check().is_ok());
}

#[test]
fn each_stretch_of_time_has_the_pieces_that_fit_it() {
    let from = at("2026-01-01T00:00:00Z");
    for (to, fit) in [
        ("2026-01-01T01:59:59Z", Granularity::Minute),
        ("2026-01-01T02:00:00Z", Granularity::Hour),
        ("2026-01-04T00:00:00Z", Granularity::Day),
        ("2026-03-02T00:00:00Z", Granularity::Week),
        ("2027-01-01T00:00:00Z", Granularity::Month),
    ] {
        assert_eq!(Granularity::fit(from, at(to)), fit, "{to}");
    }
}

#[test]
fn pieces_begin_where_calendars_do() {
    let instant = at("2026-11-05T13:14:15.5Z");
    for (granularity, floor, next) in [
        (
            Granularity::Minute,
            "2026-11-05T13:14:00Z",
            "2026-11-05T13:15:00Z",
        ),
        (
            Granularity::Hour,
            "2026-11-05T13:00:00Z",
            "2026-11-05T14:00:00Z",
        ),
        (
            Granularity::Day,
            "2026-11-05T00:00:00Z",
            "2026-11-06T00:00:00Z",
        ),
        (
            Granularity::Week,
            "2026-11-02T00:00:00Z",
            "2026-11-09T00:00:00Z",
        ),
        (
            Granularity::Month,
            "2026-11-01T00:00:00Z",
            "2026-12-01T00:00:00Z",
        ),
    ] {
        assert_eq!(granularity.floor(instant), at(floor));
        assert_eq!(granularity.next(at(floor)), at(next));
    }
    let pieces = Granularity::Month.pieces(at("2026-01-31T00:00:00Z"), at("2026-03-02T00:00:00Z"));
    assert_eq!(pieces.count(), 3);
    assert_eq!(Granularity::Day.pieces(instant, instant).count(), 0);
}

#[test]
fn gaps_are_filled_only_where_time_orders_the_rows() {
    let mut asked = draft(View::Traces);
    asked.cut = Some(Cut::By(Granularity::Day));
    asked.dimensions = vec![Dimension::Name];
    asked
        .metrics
        .push(metric(Measure::LatencyMs, Aggregation::P50));
    let row = Row {
        groups: vec![Group::Text(Some("a".to_owned()))],
        time: Some(at("2026-11-02T00:00:00Z")),
        values: vec![Value::Number(Some(3.0)), Value::Number(Some(7.0))],
    };
    let query = asked.clone().check().unwrap();
    let rows = filled(&query, vec![row.clone()]);
    assert_eq!((rows.len(), &rows[1]), (3, &row));
    assert_eq!(rows[0].time, Some(asked.from));
    assert_eq!(rows[0].groups, [Group::Gap]);
    assert_eq!(
        rows[0].values,
        [Value::Number(Some(0.0)), Value::Number(None)]
    );
    asked.limit = Some(2);
    let few = filled(&asked.clone().check().unwrap(), vec![row.clone()]);
    assert_eq!(few.len(), 2);
    asked.order = vec![Order {
        by: OrderBy::Time,
        is_ascending: false,
    }];
    assert_eq!(filled(&asked.check().unwrap(), vec![row]).len(), 1);
}
