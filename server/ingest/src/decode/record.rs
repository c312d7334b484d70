//! Spans, log records and metrics alike: how each is read, and what it shares with others of its request.

use std::sync::Arc;

use domain::Attributes;
use domain::attr::otel;
use domain::span::Scope;

use super::allowance::{Allowance, MAX_SCOPE_ATTRIBUTES, Marks};
use super::json::Json;
use super::otlp_json::Lists;
use super::{
    RawLog, RawMetric, RawSpan, Refusal, Signal, Undecodable, log_json, log_protobuf, metric_json,
    metric_protobuf, span_json, span_protobuf,
};

/// A record that was read, or why it cannot be used.
pub(super) type Read<R> = Result<Result<R, Refusal>, Undecodable>;

/// A span or a log record: requests of both have the same form.
pub(super) trait Record: Sized {
    const SIGNAL: Signal;
    const LISTS: Lists;

    fn from_protobuf(bytes: &[u8], allowance: &mut Allowance) -> Read<Self>;
    fn from_json(json: &mut Json<'_>, allowance: &mut Allowance) -> Read<Self>;

    /// Where it keeps what comes from around it.
    fn common(&mut self) -> Common<'_>;

    fn mark(&mut self, marks: Marks) {
        let common = self.common();
        *common.cut |= marks.cut;
        *common.invalid_utf8 |= marks.invalid_utf8;
    }
}

impl Record for RawMetric {
    const SIGNAL: Signal = Signal::Metrics;
    const LISTS: Lists = metric_json::LISTS;

    fn from_protobuf(bytes: &[u8], allowance: &mut Allowance) -> Read<Self> {
        metric_protobuf::read_metric(bytes, allowance)
    }

    fn from_json(json: &mut Json<'_>, allowance: &mut Allowance) -> Read<Self> {
        metric_json::read_metric(json, allowance)
    }

    fn common(&mut self) -> Common<'_> {
        Common {
            resource: &mut self.resource,
            scope: &mut self.scope,
            attributes: &mut self.attributes,
            cut: &mut self.cut,
            invalid_utf8: &mut self.invalid_utf8,
        }
    }
}

/// What every record has, whatever it tells of.
pub(super) struct Common<'r> {
    resource: &'r mut Arc<Attributes>,
    scope: &'r mut Arc<Scope>,
    attributes: &'r mut Attributes,
    cut: &'r mut bool,
    invalid_utf8: &'r mut bool,
}

impl Record for RawSpan {
    const SIGNAL: Signal = Signal::Traces;
    const LISTS: Lists = span_json::LISTS;

    fn from_protobuf(bytes: &[u8], allowance: &mut Allowance) -> Read<Self> {
        span_protobuf::read_span(bytes, allowance)
    }

    fn from_json(json: &mut Json<'_>, allowance: &mut Allowance) -> Read<Self> {
        span_json::read_span(json, allowance)
    }

    fn common(&mut self) -> Common<'_> {
        Common {
            resource: &mut self.resource,
            scope: &mut self.scope,
            attributes: &mut self.attributes,
            cut: &mut self.cut,
            invalid_utf8: &mut self.invalid_utf8,
        }
    }
}

impl Record for RawLog {
    const SIGNAL: Signal = Signal::Logs;
    const LISTS: Lists = log_json::LISTS;

    fn from_protobuf(bytes: &[u8], allowance: &mut Allowance) -> Read<Self> {
        log_protobuf::read_log(bytes, allowance)
    }

    fn from_json(json: &mut Json<'_>, allowance: &mut Allowance) -> Read<Self> {
        log_json::read_log(json, allowance)
    }

    fn common(&mut self) -> Common<'_> {
        Common {
            resource: &mut self.resource,
            scope: &mut self.scope,
            attributes: &mut self.attributes,
            cut: &mut self.cut,
            invalid_utf8: &mut self.invalid_utf8,
        }
    }
}

/// What the records of one resource or one scope have in common. Fields come in any order, so it is
/// given to the records when all have been read.
#[derive(Default)]
pub(super) struct Shared {
    pub(super) scope: Scope,
    pub(super) attributes: Attributes,
    bytes: usize,
    marks: Marks,
}

impl Shared {
    /// To be called when one of its parts has been read.
    pub(super) fn measure(&mut self, allowance: &Allowance) {
        self.bytes += allowance.shared_bytes();
        self.marks = self.marks.or(allowance.marks);
    }

    pub(super) fn give_as_resource<R: Record>(
        self,
        records: &mut [R],
        allowance: &mut Allowance,
    ) -> Result<(), Undecodable> {
        allowance.share(self.bytes, records.len())?;
        let resource = Arc::new(self.attributes);
        for record in records {
            *record.common().resource = Arc::clone(&resource);
            record.mark(self.marks);
        }
        Ok(())
    }

    /// A scope's attributes have no place of their own in the model and are kept among those of
    /// each record, under a prefix.
    pub(super) fn give_as_scope<R: Record>(
        mut self,
        records: &mut [R],
        allowance: &mut Allowance,
    ) -> Result<(), Undecodable> {
        allowance.share(self.bytes, records.len())?;
        self.marks.cut |= self.attributes.len() > MAX_SCOPE_ATTRIBUTES;
        self.attributes.truncate(MAX_SCOPE_ATTRIBUTES);
        for (key, _) in &mut self.attributes {
            *key = format!("{}{key}", otel::SCOPE_PREFIX).into();
        }
        let scope = Arc::new(self.scope);
        for record in records {
            let common = record.common();
            *common.scope = Arc::clone(&scope);
            common.attributes.extend_from_slice(&self.attributes);
            record.mark(self.marks);
        }
        Ok(())
    }
}
