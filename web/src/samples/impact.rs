//! What goes wrong and what that does to the business, with made-up data.

use domain::business_event::{BusinessEvent, BusinessKind};
use domain::impact::timeline::timeline;
use domain::impact::{Evidence, First, Method, Stretch, Trace, links};
use domain::semantic::EventType;
use domain::{IncidentId, Nanos, Timestamp};
use service::impact::{Impact, USUAL_WITHIN};
use uuid::Uuid;

use super::data::now;
use super::{HOSTILE, Sample, sample};
use crate::extract::Reader;
use crate::pages::impact::ImpactPage;
use crate::pages::impact::query::ImpactQuery;

/// All of them.
pub(super) fn all(reader: &Reader) -> Vec<Sample> {
    let query = ImpactQuery::default();
    let range = query.list.bounds(now());
    let told = ("http://triaxis.harbor.lan:3000", now());
    let page = |evidence: Evidence| {
        let impact = of(evidence, range);
        ImpactPage::new(reader, &query, &impact, told)
    };
    let hostile = page(evidence(range, HOSTILE));
    vec![
        sample("impact", &page(evidence(range, "handover"))),
        sample("impact-none", &page(Evidence::default())),
        sample("impact-hostile", &hostile),
    ]
}

fn of(evidence: Evidence, (from, to): (Timestamp, Timestamp)) -> Impact {
    let method = Method {
        within: USUAL_WITHIN,
        unit: None,
    };
    Impact {
        from,
        to,
        method,
        traces: evidence.traces.len(),
        events: evidence.events.len(),
        is_sample: true,
        links: links(&evidence, method),
        timeline: timeline(&evidence, (from, to)),
        incidents: evidence.incidents,
    }
}

/// Some hundred traces, of which each ninth went wrong; names are put where telemetry may put any text.
fn evidence((from, to): (Timestamp, Timestamp), name: &str) -> Evidence {
    const COUNT: u64 = 540;
    let step = (to - from).0 / (COUNT + 1);
    let at = |number: u64| from.plus(Nanos(step * number));
    let id = |number: u64| format!("{name}-{number:04}");
    let mut evidence = Evidence::default();
    for number in 0..COUNT {
        evidence.traces.push(Trace {
            trace_id: id(number),
            session_id: Some(id(number)),
            user_id: Some(id(number)),
            ab_group: Some(name.to_owned()),
            start: at(number),
            end: at(number).plus(Nanos::from_seconds(4)),
        });
        let all = EventType::ALL;
        let place = usize::try_from(number / 9).unwrap_or(0) % all.len();
        if number % 9 == 0 || number % 27 == 4 {
            evidence.firsts.push(First {
                trace_id: id(number),
                session_id: String::new(),
                event_type: if number % 4 == 0 {
                    EventType::Refusal
                } else {
                    all[place]
                },
                at: at(number),
            });
        }
        let kind = match number % 18 {
            0 | 9 if number % 4 == 0 => BusinessKind::Ticket,
            5 => BusinessKind::Conversion,
            7 => BusinessKind::Custom,
            _ => continue,
        };
        evidence.events.push(BusinessEvent {
            id: id(number),
            name: (kind == BusinessKind::Custom).then(|| name.to_owned()),
            trace_id: Some(id(number)),
            ..BusinessEvent::bare(kind, at(number).plus(Nanos::from_seconds(90)))
        });
    }
    evidence.incidents.push(Stretch {
        id: IncidentId(Uuid::from_u128(3)),
        name: name.to_owned(),
        from: at(200),
        to: at(260),
    });
    evidence
}
