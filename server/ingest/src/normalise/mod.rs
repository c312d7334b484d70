//! Spans of every dialect, log records and metrics to the one clean model.
//!
//! Each dialect is a table of keys ([`dialects`]); [`found`] asks the tables, and the modules below
//! read what was found. Mapped attributes stay attributes too: nothing that came is lost.

/// What a provider's answer tells where the span does not.
mod answer;
/// Values of the axes that come with a span.
mod axes;
/// What is looked for.
mod catalogue;
/// Input and output.
mod content;
/// What a whole call tells in a record of its own.
mod details;
/// The dialects, one file each.
mod dialects;
/// Samples of scraped targets.
mod exposition;
/// The fields that tables give.
mod field;
/// What the tables found on one span.
mod found;
/// Metadata, parameters, tags, failures.
mod free;
/// Log records.
mod log;
/// Attributes by key.
mod lookup;
/// OTLP metrics.
mod metric;
#[cfg(test)]
mod metric_tests;
/// Who served the model.
mod provider;
/// Values as the types that fields have.
mod read;
/// Prometheus remote write.
mod remote_write;
/// Whether a span records a call of its own.
mod role;
/// When it began and ended.
mod times;
/// Parts of the latency.
mod timing;
/// Series while they are put together.
mod tracks;
/// Tokens and money.
mod usage;

use domain::attr::gen_ai;
use domain::span::{CallRole, DEFAULT_ENVIRONMENT, PromptRef, Provenance, SpanKind, Status};
use domain::{Span, Timestamp};

pub use catalogue::catalogue;

use crate::decode::RawSpan;
use dialects::{ALWAYS, BY_AUTHOR, Content, Side};
use field::Field;
use found::Found;
use lookup::Lookup;

pub use details::complete;
pub use exposition::add_scraped;
pub use log::normalise_log;
pub use metric::add_metric;
pub use remote_write::{Written, add_series};
pub use tracks::Tracks;

/// A span as sent → a span of the clean model. `arrival` stands in for a start that cannot be
/// believed.
pub fn normalise(raw: RawSpan, arrival: Timestamp) -> Span {
    let times = times::times(raw.start_unix_nanos, raw.end_unix_nanos, arrival);
    let mut span = Span::bare(raw.trace_id, raw.span_id, times.start);
    span.end = times.end;
    span.oddities = times.oddities;
    span.oddities.cut = raw.cut;
    span.oddities.invalid_utf8 = raw.invalid_utf8;
    span.parent_span_id = raw.parent_span_id;
    span.name = raw.name;
    span.otlp_kind = raw.otlp_kind;
    span.status = raw.status;
    let lookup = Lookup::new(&raw.attributes);
    let resource = Lookup::new(&raw.resource);
    let whole_call = raw
        .events
        .iter()
        .rev()
        .find(|event| event.name == gen_ai::CLIENT_INFERENCE_OPERATION_DETAILS)
        .map(|event| Lookup::new(&event.attributes));
    let found = Found::search(&lookup, whole_call.as_ref(), &resource);
    span.provenance = found.provenance();
    whose_and_where(&mut span, &found);
    call(&mut span, &found, &lookup, &raw.scope.name);
    span.timings = timing::timings(&found, &raw.events, (times.start, &raw.scope.name));
    span.level = free::level(&found, span.status == Status::Error);
    if span.failed() {
        span.error = Some(free::error(
            &found,
            &lookup,
            &raw.events,
            &raw.status_message,
        ));
    }
    let source = Content {
        lookup: &lookup,
        events: &raw.events,
    };
    for side in [Side::Input, Side::Output] {
        let Some((content, key)) = content::content(&source, side) else {
            continue;
        };
        let (field, place) = match side {
            Side::Input => (Field::Input, &mut span.input),
            Side::Output => (Field::Output, &mut span.output),
        };
        *place = Some(content);
        span.provenance.push(Provenance {
            field: field.name().into(),
            key: key.into(),
        });
    }
    answer::complete(&mut span, &raw.scope.name);
    span.axes = axes::axes(&lookup, &raw.events);
    span.context = free::context(&lookup);
    span.attributes = raw.attributes;
    span.resource = raw.resource;
    span.scope = raw.scope;
    span.events = raw.events;
    span.links = raw.links;
    span
}

/// An id that stands in addresses of pages: they cannot hold NUL.
fn addressable(id: String) -> String {
    match id.contains('\0') {
        true => id.replace('\0', "\u{fffd}"),
        false => id,
    }
}

fn whose_and_where(span: &mut Span, found: &Found<'_>) {
    let environment = found
        .text(Field::Environment)
        .unwrap_or_default()
        .trim()
        .to_lowercase();
    if environment.is_empty() {
        DEFAULT_ENVIRONMENT.clone_into(&mut span.environment);
    } else {
        span.environment = environment;
    }
    span.service = found.text(Field::Service).unwrap_or_default();
    span.instance = found.text(Field::Instance);
    span.release = found.text(Field::Release);
    span.version = found.text(Field::Version);
    span.tenant = found.text(Field::Tenant);
    span.route = found.text(Field::Route);
    span.user_id = found.text(Field::User).map(addressable);
    span.session_id = found.text(Field::Session).map(addressable);
    span.trace_name = found.text(Field::TraceName);
    span.tags = free::tags(found);
    span.prompt = found.text(Field::PromptName).map(|name| PromptRef {
        name,
        version: found.text(Field::PromptVersion).unwrap_or_default(),
    });
}

fn call(span: &mut Span, found: &Found<'_>, lookup: &Lookup<'_>, scope: &str) {
    span.call_role = role::role(&span.name, lookup);
    if let Some((kind, key)) = kind(lookup) {
        span.kind = kind;
        span.provenance.push(Provenance {
            field: "kind".into(),
            key: key.into(),
        });
    } else if span.call_role == CallRole::Engine {
        span.kind = SpanKind::Generation;
    }
    let metadata = free::metadata(lookup);
    span.metadata = metadata.entries;
    span.trace_metadata_keys = metadata.of_trace.into_iter().collect();
    span.request_model = found.text(Field::RequestModel);
    span.response_model = found.text(Field::ResponseModel);
    let named = found.text(Field::Provider);
    span.provider = named
        .and_then(|name| provider::from_name(&name))
        .or_else(|| provider::of_model(span.model()?));
    span.response_id = found.text(Field::ResponseId);
    span.parameters = free::parameters(found, lookup);
    span.finish_reasons = found
        .value(Field::FinishReasons)
        .map(read::texts)
        .unwrap_or_default();
    let counter = usage::Counter {
        scope,
        provider: span.provider.as_deref(),
        model: span.model(),
    };
    span.usage = usage::usage(found, counter);
    span.cost = usage::cost(found);
    span.from_cache = found.value(Field::FromCache).and_then(read::flag);
}

fn kind(lookup: &Lookup<'_>) -> Option<(SpanKind, &'static str)> {
    let families = lookup.families | ALWAYS;
    let asked = BY_AUTHOR
        .iter()
        .filter(|dialect| dialect.families & families != 0);
    asked.into_iter().find_map(|dialect| (dialect.kind)(lookup))
}

#[cfg(test)]
mod tests;
