use super::link::{causal_score, e_value};
use super::*;
use crate::business_event::BusinessKind;

const METHOD: Method = Method {
    within: Nanos::from_seconds(3600),
    unit: None,
};

fn at(second: u64) -> Timestamp {
    Timestamp::EPOCH.plus(Nanos::from_seconds(1_000_000 + second))
}

/// One trace a user, a minute apart.
fn trace(number: u64) -> Trace {
    Trace {
        trace_id: format!("t{number}"),
        session_id: Some(format!("s{number}")),
        user_id: Some(format!("u{number}")),
        ab_group: None,
        start: at(number * 60),
        end: at(number * 60 + 10),
    }
}

fn ticket(number: u64, second: u64) -> BusinessEvent {
    BusinessEvent {
        id: format!("b{number}"),
        trace_id: Some(format!("t{number}")),
        ..BusinessEvent::bare(BusinessKind::Ticket, at(second))
    }
}

fn refusal(number: u64) -> First {
    First {
        trace_id: format!("t{number}"),
        session_id: String::new(),
        event_type: EventType::Refusal,
        at: at(number * 60 + 5),
    }
}

/// 400 traces, of which each eighth was refused; of those every other one had a ticket, of the rest each fiftieth.
fn evidence() -> Evidence {
    let numbers = || 0..400_u64;
    let is_refused = |number: &u64| number.is_multiple_of(8);
    let has_ticket = |number: &u64| match is_refused(number) {
        true => number.is_multiple_of(16),
        false => number % 50 == 7,
    };
    Evidence {
        traces: numbers().map(trace).collect(),
        firsts: numbers().filter(is_refused).map(refusal).collect(),
        incidents: Vec::new(),
        events: numbers()
            .filter(has_ticket)
            .map(|number| ticket(number, number * 60 + 300))
            .collect(),
    }
}

#[test]
fn what_follows_its_cause_more_often_than_chance_is_linked() {
    let found = links(&evidence(), METHOD);
    let [link] = found.as_slice() else {
        panic!("{found:?}")
    };
    assert_eq!(link.cause, Cause::Semantic(EventType::Refusal));
    assert_eq!(
        (link.effect.as_str(), link.unit),
        ("ticket", UnitKind::Trace)
    );
    assert_eq!(link.standing, Standing::Linked);
    assert_eq!((link.counts.hits, link.counts.of), (25, 50));
    assert_eq!(link.counts.of_others, 350);
    let measured = link.measured.as_ref().unwrap();
    assert!(measured.difference.low > 0.3 && measured.difference.high < 0.7);
    assert!(measured.causal_score > 0.8 && measured.causal_score < 1.0);
    assert!(measured.e_value > 5.0);
    assert_eq!(link.median_delay, Some(Nanos::from_seconds(295)));
    assert_eq!(link.examples.len(), EXAMPLES);
    assert_eq!(link.examples[0].trace_id, "t384");
}

#[test]
fn an_event_before_its_cause_is_no_consequence() {
    let mut evidence = evidence();
    for event in &mut evidence.events {
        event.at = event.at.minus(Nanos::from_seconds(600));
    }
    let link = &links(&evidence, METHOD)[0];
    assert_eq!((link.counts.hits, link.before), (0, 25));
    assert_ne!(link.standing, Standing::Linked);
}

#[test]
fn too_few_of_anything_say_nothing() {
    let mut few = evidence();
    few.firsts.truncate(LEAST_UNITS - 1);
    let link = &links(&few, METHOD)[0];
    assert_eq!(link.standing, Standing::NotEnoughData);
    assert_eq!(
        (link.lacking, &link.measured),
        (Some(Lacking::Exposed), &None)
    );
    let mut quiet = evidence();
    quiet.events.truncate(LEAST_HITS - 1);
    assert_eq!(links(&quiet, METHOD)[0].lacking, Some(Lacking::Events));
    assert!(links(&Evidence::default(), METHOD).is_empty());
}

#[test]
fn the_unit_is_the_finest_that_events_can_be_put_to() {
    let unit_of = |strip: fn(&mut BusinessEvent, u64)| {
        let mut evidence = evidence();
        for event in &mut evidence.events {
            let number = event.id[1..].parse().unwrap();
            event.trace_id = None;
            strip(event, number);
        }
        let found = links(&evidence, METHOD);
        (found[0].unit, found[0].counts.hits)
    };
    let by_session = unit_of(|event, number| event.session_id = Some(format!("s{number}")));
    assert_eq!(by_session, (UnitKind::Session, 25));
    let by_user = unit_of(|event, number| event.user_id = Some(format!("u{number}")));
    assert_eq!(by_user, (UnitKind::User, 25));
}

#[test]
fn groups_make_strata_where_they_are_known_of_most() {
    let mut grouped = evidence();
    for (number, trace) in grouped.traces.iter_mut().enumerate() {
        trace.ab_group = Some(if number % 3 == 0 { "a" } else { "b" }.to_owned());
    }
    let link = &links(&grouped, METHOD)[0];
    assert_eq!((link.by_group, link.strata), (true, 2));
    for trace in grouped.traces.iter_mut().take(100) {
        trace.ab_group = None;
    }
    let link = &links(&grouped, METHOD)[0];
    assert_eq!((link.by_group, link.strata), (false, 1));
}

#[test]
fn a_group_that_has_more_of_both_is_no_link_within_it() {
    // Group a meets refusals and tickets often, group b neither; within each they have nothing to do with each other.
    let mut evidence = Evidence::default();
    for number in 0..2_000_u64 {
        let (refused, often) = match number % 2 {
            0 => (number % 4 == 0, (number / 8) % 2 == 0),
            _ => (number % 20 == 1, (number / 40) % 20 == 0),
        };
        let mut one = trace(number);
        one.ab_group = Some(["a", "b"][usize::from(number % 2 == 1)].to_owned());
        evidence.traces.push(one);
        if refused {
            evidence.firsts.push(refusal(number));
        }
        if often {
            evidence.events.push(ticket(number, number * 60 + 100));
        }
    }
    let within = &links(&evidence, METHOD)[0];
    assert!(within.by_group);
    assert_ne!(within.standing, Standing::Linked);
    for trace in &mut evidence.traces {
        trace.ab_group = None;
    }
    assert_eq!(links(&evidence, METHOD)[0].standing, Standing::Linked);
}

#[test]
fn whoever_was_there_during_an_incident_was_exposed() {
    let mut evidence = evidence();
    evidence.firsts.clear();
    evidence.events = (100..140)
        .map(|number| ticket(number, number * 60 + 30))
        .collect();
    evidence.incidents.push(Stretch {
        id: IncidentId(uuid::Uuid::nil()),
        name: "JSON breaks".to_owned(),
        from: at(100 * 60),
        to: at(150 * 60),
    });
    let link = &links(&evidence, METHOD)[0];
    assert_eq!((link.counts.hits, link.counts.of), (40, 50));
    assert_eq!(link.standing, Standing::Linked);
    assert!(matches!(&link.cause, Cause::Incident(_, name) if name == "JSON breaks"));
}

#[test]
fn noise_over_users_that_come_and_go_is_seldom_linked() {
    // Times of refusals and tickets are spread over whole lives of users, without any connection.
    let mut state = 7_u64;
    let mut draw = |below: u64| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) % below
    };
    let (mut linked, rounds) = (0, 40);
    for _ in 0..rounds {
        let mut evidence = Evidence::default();
        for user in 0..600_u64 {
            let visits = 1 + draw(6);
            for visit in 0..visits {
                let number = user * 10 + visit;
                let mut one = trace(number);
                one.user_id = Some(format!("u{user}"));
                one.session_id = None;
                one.start = at(visit * 1_800 + draw(900));
                one.end = one.start.plus(Nanos::from_seconds(5));
                if draw(10) == 0 {
                    evidence.firsts.push(First {
                        at: one.start,
                        ..refusal(number)
                    });
                }
                if draw(8) == 0 {
                    let mut event = ticket(number, 0);
                    event.trace_id = None;
                    event.user_id = one.user_id.clone();
                    event.at = one.start.plus(Nanos::from_seconds(draw(600)));
                    evidence.events.push(event);
                }
                evidence.traces.push(one);
            }
        }
        let found = links(&evidence, METHOD);
        linked += usize::from(found[0].standing == Standing::Linked);
    }
    assert!(linked <= 5, "{linked} of {rounds}");
}

#[test]
fn the_score_takes_the_cautious_end_and_the_order_in_time() {
    let ratio = |value, low, high| Estimate { value, low, high };
    assert_eq!(causal_score(ratio(4.0, 2.0, 8.0), (10, 0)), 0.5);
    assert_eq!(causal_score(ratio(4.0, 2.0, 8.0), (10, 10)), 0.25);
    assert_eq!(causal_score(ratio(0.5, 0.3, 0.75), (10, 10)), 0.25);
    assert_eq!(causal_score(ratio(1.5, 0.9, 2.0), (10, 0)), 0.0);
    assert!((e_value(ratio(4.0, 2.0, 8.0)) - 3.414_213_562).abs() < 1e-6);
    assert_eq!(e_value(ratio(1.5, 0.9, 2.0)), 1.0);
}
