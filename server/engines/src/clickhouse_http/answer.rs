//! One request of the HTTP interface: read it, run it, send what comes.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use bytes::{Bytes, BytesMut};
use futures_util::stream;
use http::{HeaderValue, Request as HttpRequest, Response, StatusCode};

use super::exception::{Exception, SYNTAX_ERROR};
use super::framing::Encoder;
use super::library::Summary;
use super::pool::Pool;
use super::repeated_header::RepeatedHeader;
use super::request::{Input, LARGEST_HELD_BYTES, Request, too_large};
use super::run::{self, Event, Job, Piece, Running};
use super::statement::{self, Kind, Outline};

/// ClickHouse reads this much of a statement before an insert's data.
const LONGEST_STATEMENT_BYTES: usize = 256 << 10;
/// How long the end of a small result is awaited, to put true counts into the head.
const SUMMARY_PATIENCE: Duration = Duration::from_millis(2);
/// How long a broken result stays open, so that its exception leaves before the connection breaks.
const EXCEPTION_PATIENCE: Duration = Duration::from_millis(100);

/// What every request needs.
pub(super) struct Interface {
    pub(super) pool: Arc<Pool>,
    pub(super) secret: Option<String>,
}

/// Answers a request for `/`.
pub(super) async fn answer(
    interface: Arc<Interface>,
    http: HttpRequest<Body>,
) -> Result<Response<Body>, Infallible> {
    let answered = run_request(&interface, http).await;
    Ok(answered.unwrap_or_else(Exception::into_response))
}

async fn run_request(
    interface: &Interface,
    http: HttpRequest<Body>,
) -> Result<Response<Body>, Exception> {
    let (parts, body) = http.into_parts();
    let mut request = Request::from_parts(&parts, interface.secret.as_deref())?;
    let mut input = request.body(&parts, body).await?;
    let mut text = BytesMut::new();
    if let Some(query) = request.query.take() {
        text.extend_from_slice(query.as_bytes());
        text.extend_from_slice(b"\n");
    }
    let mut more = input.fill(&mut text, LONGEST_STATEMENT_BYTES).await?;
    if text.iter().all(u8::is_ascii_whitespace) {
        return Err(Exception::new(
            SYNTAX_ERROR,
            "SYNTAX_ERROR",
            "Syntax error: Empty query",
        ));
    }
    let outline = statement::outline(&text);
    let place = interface.pool.place().await;
    let place =
        place.ok_or_else(|| Exception::new(439, "CANNOT_SCHEDULE_TASK", "The engine stops"))?;
    let (encoder, encoding) = request.encoder();
    let mut job = Job {
        pool: interface.pool.clone(),
        _place: place,
        wanted: request.wanted,
        sql: Bytes::new(),
        format: request
            .default_format
            .unwrap_or_else(|| "TabSeparated".to_owned()),
        parameters: request.parameters,
        spoils_session: outline.changes_session,
    };
    let Outline { kind, format, .. } = outline;
    let format = format.unwrap_or_else(|| job.format.clone());
    let running = match kind {
        Kind::InsertData {
            statement_end,
            format,
            data_start,
        } => {
            let data = text.split_off(data_start).freeze();
            text.truncate(statement_end);
            job.sql = text.freeze();
            job.format = format;
            feed(job, data, more.then_some(input)).await?
        }
        Kind::Select | Kind::Other => {
            if more {
                more = input.fill(&mut text, LARGEST_HELD_BYTES).await?;
            }
            if more {
                return Err(too_large());
            }
            job.sql = text.freeze();
            match RepeatedHeader::of(&format) {
                Some(header) if kind == Kind::Select => run::stream(job, header),
                _ => run::whole(job),
            }
        }
    };
    respond(
        running,
        Sending {
            encoder,
            encoding,
            format,
        },
    )
    .await
}

/// Starts an insert and gives it its data.
async fn feed(job: Job, first: Bytes, rest: Option<Input>) -> Result<Running, Exception> {
    let (pieces, mut running) = run::insert(job);
    let mut next = Some(first);
    let mut rest = rest;
    while let Some(data) = next {
        // An insert that failed takes no more; why is said by its last event.
        if pieces.send(Piece::Data(data)).await.is_err() {
            return Ok(running);
        }
        next = match &mut rest {
            Some(input) => input.next().await.inspect_err(|_| running.abandon())?,
            None => None,
        };
    }
    // As above: a failed insert says why itself.
    let _ = pieces.send(Piece::End).await;
    Ok(running)
}

struct Sending {
    encoder: Encoder,
    encoding: Option<&'static str>,
    format: String,
}

async fn respond(mut running: Running, sending: Sending) -> Result<Response<Body>, Exception> {
    let mut waiting = Vec::new();
    let mut summary = None;
    match running.next().await {
        Some(Event::Failed(exception)) => return Err(exception),
        Some(Event::Done(done)) => summary = Some(done),
        Some(rows @ Event::Rows(_)) => {
            waiting.push(rows);
            if let Ok(Some(event)) = tokio::time::timeout(SUMMARY_PATIENCE, running.next()).await {
                if let Event::Done(done) = &event {
                    summary = Some(*done);
                }
                waiting.push(event);
            }
        }
        None => return Err(Exception::new(1001, "STD_EXCEPTION", "The engine gave up")),
    }
    let tag = format!("{:016x}", rand::random::<u64>());
    let mut response = Response::builder()
        .status(StatusCode::OK)
        .header("content-type", content_type(&sending.format))
        .header("x-clickhouse-server-display-name", "triaxis")
        .header("x-clickhouse-timezone", "UTC")
        .header("x-clickhouse-exception-tag", &tag);
    if let Some(encoding) = sending.encoding {
        response = response.header("content-encoding", encoding);
    }
    if let Ok(format) = HeaderValue::from_str(&sending.format) {
        response = response.header("x-clickhouse-format", format);
    }
    response = response.header("x-clickhouse-summary", shown(&summary.unwrap_or_default()));
    waiting.reverse();
    let body = Sender {
        running,
        waiting,
        encoder: sending.encoder,
        tag,
        state: State::Rows,
    };
    let response = response.body(Body::from_stream(stream::unfold(body, Sender::step)));
    response.map_err(|error| Exception::new(1001, "STD_EXCEPTION", &error.to_string()))
}

/// A result on its way out.
struct Sender {
    running: Running,
    waiting: Vec<Event>,
    encoder: Encoder,
    tag: String,
    state: State,
}

enum State {
    Rows,
    Broken,
    Over,
}

type Step = Option<(std::io::Result<Bytes>, Sender)>;

impl Sender {
    async fn step(mut self) -> Step {
        match self.state {
            State::Over => return None,
            State::Broken => {
                tokio::time::sleep(EXCEPTION_PATIENCE).await;
                self.state = State::Over;
                return Some((Err(std::io::Error::other("the query failed")), self));
            }
            State::Rows => {}
        }
        let event = match self.waiting.pop() {
            Some(event) => Some(event),
            None => self.running.next().await,
        };
        let encoded = match event {
            Some(Event::Rows(rows)) => self.encoder.encode(rows),
            Some(Event::Done(_)) | None => {
                self.state = State::Over;
                self.encoder.finish()
            }
            Some(Event::Failed(exception)) => {
                self.state = State::Broken;
                self.encoder
                    .encode(Bytes::from(exception.tagged(&self.tag)))
            }
        };
        Some((encoded, self))
    }
}

fn content_type(format: &str) -> &'static str {
    let format = format.to_ascii_lowercase();
    if format.starts_with("json") && !format.contains("each") {
        "application/json; charset=UTF-8"
    } else if format.starts_with("json") {
        "application/x-ndjson; charset=UTF-8"
    } else if format.starts_with("csv") {
        "text/csv; charset=UTF-8; header=absent"
    } else if format.starts_with("tab") || format.starts_with("tsv") {
        "text/tab-separated-values; charset=UTF-8"
    } else if format.starts_with("rowbinary") || format == "native" {
        "application/octet-stream"
    } else {
        "text/plain; charset=UTF-8"
    }
}

fn shown(summary: &Summary) -> String {
    // Text, not numbers: ClickHouse writes them so.
    format!(
        concat!(
            r#"{{"read_rows":"{}","read_bytes":"{}","written_rows":"{}","written_bytes":"{}","#,
            r#""total_rows_to_read":"0","result_rows":"{}","result_bytes":"{}","elapsed_ns":"{}"}}"#
        ),
        summary.read_rows,
        summary.read_bytes,
        summary.written_rows,
        summary.written_bytes,
        summary.result_rows,
        summary.result_bytes,
        summary.elapsed_ns,
    )
}
