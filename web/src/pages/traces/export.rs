//! The list as a file: every trace that matches, or those that were chosen, as they come from the store.

use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::response::IntoResponse;
use domain::filter::{Column, Condition, Filter, Operator};
use domain::page::{Cursor, Limit};
use domain::trace::TraceSummary;
use domain::{Fault, Timestamp};
use futures_util::stream::{self, Stream};
use http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use serde_json::json;
use service::{App, ProjectScope, traces};

use super::query::ListQuery;
use crate::csv::{Value, write_row};
use crate::extract::{InProject, Pairs, Posted};
use crate::pages::{Answer, no_such_page};

/// Traces that are read at once.
const AT_ONCE: u32 = 200;
/// Most traces that are chosen one by one; a page holds fewer.
const MOST_CHOSEN: usize = 1000;

const HEAD: [&str; 23] = [
    "id",
    "start",
    "end",
    "name",
    "latency_ms",
    "ttft_ms",
    "user_id",
    "session_id",
    "environment",
    "tenant",
    "release",
    "version",
    "tags",
    "models",
    "prompt",
    "prompt_version",
    "spans",
    "errors",
    "input_tokens",
    "output_tokens",
    "cost",
    "input_preview",
    "output_preview",
];

/// How rows are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Form {
    Csv,
    Jsonl,
}

impl Form {
    fn read(pairs: &Pairs) -> Result<Self, Fault> {
        match pairs.get("format") {
            None | Some("csv") => Ok(Form::Csv),
            Some("jsonl") => Ok(Form::Jsonl),
            _ => Err(no_such_page()),
        }
    }

    fn head(self) -> String {
        let mut head = String::new();
        if self == Form::Csv {
            let names = HEAD.map(|name| Value::text(Some(name)));
            write_row(&mut head, &names);
        }
        head
    }

    fn write(self, out: &mut String, trace: &TraceSummary) {
        match self {
            Form::Csv => write_row(out, &values(trace)),
            Form::Jsonl => {
                out.push_str(&object(trace).to_string());
                out.push('\n');
            }
        }
    }
}

/// Gives every trace that matches.
pub(crate) async fn export_traces(
    State(app): State<App>,
    entered: InProject,
    pairs: Pairs,
) -> Answer {
    let form = Form::read(&pairs)?;
    let read = ListQuery::read(&pairs, entered.reader.zone())?;
    if let Some(error) = read.search_error {
        return Err(Fault::invalid(error.to_string()).on_field("q").into());
    }
    // A file of more than was asked for would pass for what was asked for.
    if let Some(fault) = read.refused {
        return Err(fault.into());
    }
    let filter = read.query.filter(app.clock().now());
    Ok(file(app, entered.scope, filter, form))
}

/// Gives the traces that were chosen.
pub(crate) async fn export_chosen(
    State(app): State<App>,
    entered: InProject,
    Posted(pairs): Posted,
) -> Answer {
    let form = Form::read(&pairs)?;
    let ids: Vec<String> = pairs.all("id").map(str::to_owned).collect();
    if ids.is_empty() || ids.len() > MOST_CHOSEN {
        let message = format!("choose 1 to {MOST_CHOSEN} traces");
        return Err(Fault::invalid(message).into());
    }
    let filter = Filter {
        conditions: vec![Condition {
            column: Column::TraceId,
            operator: Operator::AnyOf,
            values: ids,
        }],
        ..Filter::default()
    };
    Ok(file(app, entered.scope, filter, form))
}

fn file(app: App, scope: ProjectScope, filter: Filter, form: Form) -> axum::response::Response {
    let (kind, name) = match form {
        Form::Csv => ("text/csv; charset=utf-8", "traces.csv"),
        Form::Jsonl => ("application/jsonl; charset=utf-8", "traces.jsonl"),
    };
    let disposition = format!("attachment; filename=\"{name}\"");
    let now = app.clock().now();
    let body = Body::from_stream(pieces(app, scope, bounded(filter, now), form));
    let headers = [(CONTENT_TYPE, kind), (CONTENT_DISPOSITION, &disposition)];
    (headers, body).into_response()
}

/// What begins while the file is written is not part of it.
fn bounded(mut filter: Filter, now: Timestamp) -> Filter {
    filter.to = Some(filter.to.unwrap_or(Timestamp::MAX).min(now));
    filter
}

/// Where the file is.
enum Place {
    Head,
    From(Option<Cursor>),
    End,
}

/// The file piece by piece. A store that goes away ends it with an error, so that nobody takes a part for
/// the whole.
fn pieces(
    app: App,
    scope: ProjectScope,
    filter: Filter,
    form: Form,
) -> impl Stream<Item = Result<Bytes, Fault>> {
    stream::try_unfold(Place::Head, move |place| {
        let (app, filter) = (app.clone(), filter.clone());
        async move {
            let cursor = match place {
                Place::Head => return Ok(Some((form.head().into(), Place::From(None)))),
                Place::From(cursor) => cursor,
                Place::End => return Ok(None),
            };
            let limit = Limit::new(AT_ONCE)?;
            let page = traces::list(&app, &scope, &filter, limit, cursor.as_ref()).await?;
            let mut out = String::new();
            for trace in &page.data {
                form.write(&mut out, trace);
            }
            let next = match page.next_cursor {
                Some(cursor) => Place::From(Some(cursor)),
                None => Place::End,
            };
            Ok(Some((out.into(), next)))
        }
    })
}

fn values(trace: &TraceSummary) -> [Value; HEAD.len()] {
    let (prompt, version) = prompt(trace);
    [
        Value::Text(trace.trace_id.to_string()),
        Value::Text(trace.start.to_string()),
        Value::text(trace.end.map(|end| end.to_string()).as_deref()),
        Value::Text(trace.name.clone()),
        Value::number(trace.latency().map(|latency| latency.as_millis_f64())),
        Value::number(trace.ttft_ms),
        Value::text(trace.user_id.as_deref()),
        Value::text(trace.session_id.as_deref()),
        Value::Text(trace.environment.clone()),
        Value::text(trace.tenant.as_deref()),
        Value::text(trace.release.as_deref()),
        Value::text(trace.version.as_deref()),
        Value::Text(trace.tags.join(", ")),
        Value::Text(trace.models.join(", ")),
        Value::text(prompt),
        Value::text(version),
        Value::number(Some(trace.span_count)),
        Value::number(Some(trace.error_count)),
        Value::number(trace.input_tokens),
        Value::number(trace.output_tokens),
        Value::number(trace.cost),
        Value::text(trace.input_preview.as_deref()),
        Value::text(trace.output_preview.as_deref()),
    ]
}

fn object(trace: &TraceSummary) -> serde_json::Value {
    let (prompt, version) = prompt(trace);
    json!({
        "id": trace.trace_id,
        "start": trace.start.to_string(),
        "end": trace.end.map(|end| end.to_string()),
        "name": trace.name,
        "latency_ms": trace.latency().map(|latency| latency.as_millis_f64()),
        "ttft_ms": trace.ttft_ms,
        "user_id": trace.user_id,
        "session_id": trace.session_id,
        "environment": trace.environment,
        "tenant": trace.tenant,
        "release": trace.release,
        "version": trace.version,
        "tags": trace.tags,
        "models": trace.models,
        "prompt": prompt,
        "prompt_version": version,
        "spans": trace.span_count,
        "errors": trace.error_count,
        "input_tokens": trace.input_tokens,
        "output_tokens": trace.output_tokens,
        "cost": trace.cost.map(|cost| cost.to_string()),
        "input_preview": trace.input_preview,
        "output_preview": trace.output_preview,
    })
}

fn prompt(trace: &TraceSummary) -> (Option<&str>, Option<&str>) {
    match &trace.prompt {
        Some((name, version)) => (Some(name), Some(version)),
        None => (None, None),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples;

    #[test]
    fn both_forms_have_the_same_names_and_every_row_is_whole() {
        for trace in samples::some_summaries() {
            let object = object(&trace);
            let names: Vec<&str> = object
                .as_object()
                .unwrap()
                .keys()
                .map(String::as_str)
                .collect();
            let mut expected = HEAD.to_vec();
            expected.sort_unstable();
            let mut names = names;
            names.sort_unstable();
            assert_eq!(names, expected);
            assert_eq!(values(&trace).len(), HEAD.len());
        }
    }
}
