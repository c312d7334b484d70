use std::cmp::Ordering;
use std::collections::{HashMap, HashSet};

use super::{LogRecord, Requests};
use crate::attr::{gen_ai, otel};
use crate::ids::SpanId;
use crate::message::{Side, events};
use crate::span::{Content, Provenance, Span, SpanError, SpanEvent};
use crate::time::Timestamp;
use crate::trace::TreeSpan;
use crate::value::{Attributes, attributes_to_json, get};

/// Where a record belongs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Home {
    /// To this span, which it names.
    Named(SpanId),
    /// To the trace as a whole: it stands at the root.
    Trace(SpanId),
}

impl Home {
    /// The span where it stands.
    pub fn span_id(&self) -> &SpanId {
        match self {
            Home::Named(id) | Home::Trace(id) => id,
        }
    }
}

/// The spans of a trace, as far as records look for theirs.
#[derive(Debug, Default)]
pub struct Homes<'s> {
    root: Option<&'s SpanId>,
    spans: HashSet<&'s SpanId>,
    by_response: HashMap<&'s str, &'s SpanId>,
    requests: Requests,
}

/// What of a span counts for that.
type Known<'s> = (&'s SpanId, Option<&'s SpanId>, Timestamp, Option<&'s str>);

impl<'s> Homes<'s> {
    /// From the spans of a tree.
    pub fn of_tree(spans: &'s [TreeSpan]) -> Self {
        Self::new(spans.iter().map(|span| {
            let parent = span.parent_span_id.as_ref();
            let response = span.response_id.as_deref();
            (&span.span_id, parent, span.start, response)
        }))
    }

    /// The order of the spans does not matter: of several candidates the first by start counts.
    fn new(spans: impl Iterator<Item = Known<'s>>) -> Self {
        let mut known: Vec<Known<'s>> = spans.collect();
        known.sort_by_key(|(id, _, start, _)| (*start, *id));
        let mut homes = Homes {
            spans: known.iter().map(|(id, ..)| *id).collect(),
            ..Homes::default()
        };
        let is_top = |(_, parent, ..): &&Known<'s>| {
            parent.is_none_or(|parent| !homes.spans.contains(parent))
        };
        homes.root = known
            .iter()
            .find(|(_, parent, ..)| parent.is_none())
            .or_else(|| known.iter().find(is_top))
            .or(known.first())
            .map(|(id, ..)| *id);
        for (id, _, _, response) in &known {
            if let Some(response) = response {
                homes.by_response.entry(response).or_insert(id);
            }
        }
        homes
    }

    /// With the requests of the trace as their engines know them.
    #[must_use]
    pub fn with_requests(mut self, requests: Requests) -> Self {
        self.requests = requests;
        self
    }

    /// Where a record belongs; `None` in a trace without spans. A record whose span is not there
    /// (yet) stands at the root.
    pub fn home(&self, record: &LogRecord) -> Option<Home> {
        let named = match &record.span_id {
            Some(id) => self.spans.get(id).copied(),
            None => record
                .response_id()
                .and_then(|id| self.by_response.get(id).copied())
                .or_else(|| self.requests.span_of(record)),
        };
        named
            .cloned()
            .map(Home::Named)
            .or_else(|| self.root.cloned().map(Home::Trace))
    }

    /// The records of one trace by the span where each stands, for [`attach`].
    pub fn gather(&self, records: Vec<LogRecord>) -> HashMap<SpanId, Vec<(LogRecord, Home)>> {
        let mut by_span: HashMap<SpanId, Vec<(LogRecord, Home)>> = HashMap::new();
        for record in records {
            if let Some(home) = self.home(&record) {
                let id = home.span_id().clone();
                by_span.entry(id).or_default().push((record, home));
            }
        }
        by_span
    }
}

/// Puts the records that belong to one span among its events, and messages that came as records into
/// its input and output. Their order does not matter. Gives what a record told of the whole call, the last where there are
/// several.
pub fn attach(span: &mut Span, mut records: Vec<(LogRecord, Home)>) -> Option<Attributes> {
    records.sort_by(|(a, _), (b, _)| order(a, b));
    let (mut told, mut others) = (Vec::new(), Vec::new());
    for (record, home) in records {
        match home {
            Home::Named(_) => told.push(record.into_event()),
            Home::Trace(_) => others.push(record.into_event()),
        }
    }
    for side in [Side::Input, Side::Output] {
        fill(span, side, &told);
    }
    describe_failure(span, &told);
    let name = gen_ai::CLIENT_INFERENCE_OPERATION_DETAILS;
    let details = told.iter().rev().find(|event| event.name == name);
    let details = details.map(|event| event.attributes.clone());
    span.events.extend(told);
    span.events.extend(others);
    details
}

/// What failed, in the words of an exception that came as a record: where the span says no more than
/// that it failed. A span that did not fail has handled its exceptions.
fn describe_failure(span: &mut Span, told: &[SpanEvent]) {
    if !span.failed() {
        return;
    }
    let Some(exception) = told.iter().rev().find(|event| event.is_exception()) else {
        return;
    };
    let of_exception = |key: &str| {
        let text = get(&exception.attributes, key)?.to_text();
        Some(text).filter(|text| !text.is_empty())
    };
    let error = span.error.get_or_insert_with(|| SpanError {
        kind: None,
        message: String::new(),
    });
    let is_bare = error.message.is_empty() || Some(&error.message) == error.kind.as_ref();
    if let Some(message) = of_exception(otel::EXCEPTION_MESSAGE).filter(|_| is_bare) {
        error.message = message;
    }
    if error.kind.is_none() {
        error.kind = of_exception(otel::EXCEPTION_TYPE);
    }
    if let Some(kind) = error.kind.as_ref().filter(|_| error.message.is_empty()) {
        error.message.clone_from(kind);
    }
}

/// An event of the whole call wins over what the span says; single messages fill what is missing.
/// Only records that name the span count: the others may be of any call of the trace.
fn fill(span: &mut Span, side: Side, told: &[SpanEvent]) {
    let (field, place) = match side {
        Side::Input => ("input", &mut span.input),
        Side::Output => ("output", &mut span.output),
    };
    let composed = match place {
        Some(_) => events::whole_call(told, side),
        None => events::compose(told, side),
    };
    let Some((text, name)) = composed else { return };
    *place = Some(Content {
        text: text.into(),
        attribute: None,
    });
    span.provenance.retain(|evidence| evidence.field != field);
    span.provenance.push(Provenance {
        field: field.into(),
        key: name.into(),
    });
}

/// By time, index, arrival; what is alike in all of them by what it says.
fn order(a: &LogRecord, b: &LogRecord) -> Ordering {
    let key = |record: &LogRecord| (record.time, record.index(), record.place);
    let said = |record: &LogRecord| {
        let attributes = attributes_to_json(&record.attributes).to_string();
        (record.event_name.clone(), record.body.to_text(), attributes)
    };
    key(a).cmp(&key(b)).then_with(|| said(a).cmp(&said(b)))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::ids::TraceId;
    use crate::span::{EventSource, Status};
    use crate::value::Value;

    fn id(text: &str) -> SpanId {
        SpanId::from_text(text).unwrap()
    }

    fn instant(nanos: u64) -> Timestamp {
        Timestamp::from_unix_nanos(nanos).unwrap()
    }

    fn span(name: &str, parent: Option<&str>, start: u64) -> Span {
        let trace = TraceId::from_text("t").unwrap();
        let mut span = Span::bare(trace, id(name), instant(start));
        span.parent_span_id = parent.map(id);
        span
    }

    /// A root, a call below it, and a call that has its content already.
    fn trace() -> Vec<Span> {
        let mut call = span("call", Some("root"), 2);
        call.response_id = Some("r1".to_owned());
        let mut known = span("known", Some("root"), 3);
        known.input = Some(Content {
            text: "as sent".into(),
            attribute: Some("input".into()),
        });
        vec![span("root", None, 1), call, known]
    }

    fn record(span: Option<&str>, nanos: u64, name: &str, content: &str) -> LogRecord {
        LogRecord {
            trace_id: TraceId::from_text("t").ok(),
            span_id: span.map(id),
            time: instant(nanos),
            event_name: name.to_owned(),
            body: Value::Map(vec![("content".into(), content.into())]),
            ..LogRecord::default()
        }
    }

    /// As whoever reads a trace does it.
    fn join(spans: &mut [Span], logs: Vec<LogRecord>) {
        let tree: Vec<TreeSpan> = spans.iter().map(TreeSpan::from).collect();
        let mut gathered = Homes::of_tree(&tree).gather(logs);
        for span in spans {
            attach(span, gathered.remove(&span.span_id).unwrap_or_default());
        }
    }

    fn joined(logs: Vec<LogRecord>) -> HashMap<String, Span> {
        let mut spans = trace();
        join(&mut spans, logs);
        let named = |span: Span| (span.span_id.to_string(), span);
        spans.into_iter().map(named).collect()
    }

    #[test]
    fn records_stand_at_the_span_that_they_name_else_at_the_root() {
        let mut by_response = record(None, 5, "by response", "x");
        by_response.attributes = vec![("gen_ai.response.id".into(), "r1".into())];
        let spans = joined(vec![
            record(Some("call"), 7, "by id", "x"),
            record(Some("not there"), 6, "stray", "x"),
            record(None, 5, "", "x"),
            by_response,
        ]);
        let names = |span: &str| {
            let events = spans[span].events.iter();
            events.map(|event| event.name.clone()).collect::<Vec<_>>()
        };
        assert_eq!(names("call"), ["by response", "by id"]);
        assert_eq!(names("root"), ["log", "stray"]);
        assert_eq!(spans["root"].events[0].source, EventSource::Log);
    }

    #[test]
    fn an_exception_describes_a_failure_that_the_span_does_not() {
        let exception = || {
            let mut record = record(Some("call"), 5, "gen_ai.client.operation.exception", "x");
            record.attributes = vec![
                ("exception.type".into(), "RateLimitError".into()),
                ("exception.message".into(), "slow down".into()),
            ];
            vec![record]
        };
        let error_of = |kind: Option<&str>, message: &str, status| {
            let mut spans = trace();
            spans[1].status = status;
            spans[1].error = (status == Status::Error).then(|| SpanError {
                kind: kind.map(str::to_owned),
                message: message.to_owned(),
            });
            join(&mut spans, exception());
            let error = spans[1].error.clone();
            error.map(|error| (error.kind.unwrap_or_default(), error.message))
        };
        let pair = |kind: &str, message: &str| Some((kind.to_owned(), message.to_owned()));
        let error = Status::Error;
        assert_eq!(
            error_of(None, "", error),
            pair("RateLimitError", "slow down")
        );
        assert_eq!(
            error_of(Some("429"), "429", error),
            pair("429", "slow down")
        );
        assert_eq!(error_of(Some("429"), "told", error), pair("429", "told"));
        assert_eq!(error_of(None, "", Status::Unset), None, "it was handled");
    }

    #[test]
    fn messages_fill_what_a_span_has_not_and_only_where_they_name_it() {
        let spans = joined(vec![
            record(Some("call"), 9, "gen_ai.user.message", "second"),
            record(Some("call"), 8, "gen_ai.user.message", "first"),
            record(Some("known"), 8, "gen_ai.user.message", "other"),
            record(None, 8, "gen_ai.user.message", "of whatever call"),
        ]);
        let input = |span: &str| {
            spans[span]
                .input
                .as_ref()
                .map(|input| input.text.to_string())
        };
        let both = r#"[{"role":"user","content":"first"},{"role":"user","content":"second"}]"#;
        assert_eq!(input("call").as_deref(), Some(both));
        assert_eq!(input("known").as_deref(), Some("as sent"));
        assert_eq!(input("root"), None);
        assert_eq!(spans["call"].provenance[0].key, "gen_ai.user.message");
        assert_eq!(spans["call"].output, None);
    }

    #[test]
    fn the_content_of_a_whole_call_wins_over_that_of_the_span() {
        let mut details = record(
            Some("known"),
            8,
            "gen_ai.client.inference.operation.details",
            "",
        );
        details.body = Value::Null;
        details.attributes = vec![("gen_ai.input.messages".into(), "[]".into())];
        let spans = joined(vec![details]);
        assert_eq!(&*spans["known"].input.as_ref().unwrap().text, "[]");
    }

    fn any_record() -> impl Strategy<Value = LogRecord> {
        let span = prop_oneof![
            Just(None),
            Just(Some("root")),
            Just(Some("call")),
            Just(Some("gone"))
        ];
        let name = prop_oneof![
            Just("gen_ai.user.message"),
            Just("gen_ai.choice"),
            Just("line")
        ];
        (span, 0u64..3, name, "[ab]{1,2}", 0u32..2, any::<bool>()).prop_map(
            |(span, nanos, name, content, place, answers)| {
                let mut record = record(span, nanos, name, &content);
                record.place = place;
                if answers {
                    record.attributes = vec![("gen_ai.response.id".into(), "r1".into())];
                }
                record
            },
        )
    }

    /// Records, and the same in another order.
    fn in_two_orders() -> impl Strategy<Value = (Vec<LogRecord>, Vec<LogRecord>)> {
        proptest::collection::vec(any_record(), 0..8)
            .prop_flat_map(|logs| (Just(logs.clone()), Just(logs).prop_shuffle()))
    }

    proptest! {
        #[test]
        fn any_order_of_spans_and_records_gives_the_same((logs, shuffled) in in_two_orders()) {
            let mut spans = trace();
            spans.reverse();
            join(&mut spans, shuffled);
            spans.reverse();
            let mut expected = trace();
            join(&mut expected, logs);
            prop_assert_eq!(spans, expected);
        }
    }
}
