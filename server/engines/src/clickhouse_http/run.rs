//! Running a statement on a thread of its own, and telling the request what comes of it.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use bytes::Bytes;
use tokio::sync::{OwnedSemaphorePermit, mpsc};

use super::exception::Exception;
use super::library::{Chunk, Statement, Stream, Summary};
use super::pool::{Pool, Session, Wanted};
use super::repeated_header::RepeatedHeader;

/// Chunks that may wait for a slow client. The engine waits beyond that.
const WAITING_CHUNKS: usize = 1;
/// Pieces of an insert that may wait for the engine.
const WAITING_PIECES: usize = 4;
/// An insert's pieces are joined up to this size: a call costs more than a copy.
const PIECE_BYTES: usize = 1 << 20;
/// While a query has not begun it cannot be killed yet: ask again.
const KILL_PAUSE: Duration = Duration::from_millis(50);

/// What happens to a statement.
#[derive(Debug)]
pub(super) enum Event {
    /// Rows, as they are to be sent.
    Rows(Bytes),
    /// It is done.
    Done(Summary),
    /// It failed, perhaps after some rows.
    Failed(Exception),
}

/// A statement with everything that it needs.
pub(super) struct Job {
    pub(super) pool: Arc<Pool>,
    /// Held while the statement works.
    pub(super) _place: OwnedSemaphorePermit,
    pub(super) wanted: Wanted,
    pub(super) sql: Bytes,
    pub(super) format: String,
    pub(super) parameters: Vec<(String, String)>,
    /// The statement changes its session, which is closed afterwards.
    pub(super) spoils_session: bool,
}

/// A statement at work. Dropping it before its end cancels it.
pub(super) struct Running {
    events: mpsc::Receiver<Event>,
    pool: Arc<Pool>,
    at_work: Arc<AtWork>,
    ended: bool,
}

impl Running {
    /// The next event; `None` after the last.
    pub(super) async fn next(&mut self) -> Option<Event> {
        let event = self.events.recv().await;
        self.ended |= !matches!(event, Some(Event::Rows(_)));
        event
    }

    /// Lets it end by itself: an insert whose data is cut off takes itself back.
    pub(super) fn abandon(&mut self) {
        self.ended = true;
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        if self.ended {
            return;
        }
        self.events.close();
        let (pool, at_work) = (self.pool.clone(), self.at_work.clone());
        tokio::task::spawn_blocking(move || {
            while at_work.kill(&pool) {
                std::thread::sleep(KILL_PAUSE);
            }
        });
    }
}

/// Which session works for a statement, so that exactly its query is killed and not the next one.
#[derive(Default)]
struct AtWork(Mutex<State>);

#[derive(Default)]
enum State {
    #[default]
    Preparing,
    Working(String),
    Over,
}

impl AtWork {
    fn set(&self, state: State) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = state;
    }

    /// Asks the engine to end the query. False when it is over.
    fn kill(&self, pool: &Pool) -> bool {
        // Held meanwhile: the session cannot go on to another query.
        let state = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        match &*state {
            State::Preparing => true,
            State::Working(mark) => {
                pool.kill(mark);
                true
            }
            State::Over => false,
        }
    }
}

/// Runs a query whose chunks can be joined.
pub(super) fn stream(job: Job, header: RepeatedHeader) -> Running {
    start(job, move |job, session, sender| {
        stream_chunks(job, session, header, sender)
    })
}

/// Runs a statement whose result is made whole.
pub(super) fn whole(job: Job) -> Running {
    start(job, |job, session, sender| {
        let result = session.connection.query(&job.statement());
        result
            .map(|chunk| send_whole(chunk, sender))
            .map_err(|text| Exception::from_engine(&text))
    })
}

/// Runs an insert; its data is sent into the returned channel, whose end says whether to commit.
pub(super) fn insert(job: Job) -> (mpsc::Sender<Piece>, Running) {
    let (pieces, mut arriving) = mpsc::channel(WAITING_PIECES);
    let running = start(job, move |job, session, _| {
        let started = session.connection.insert(&job.statement());
        let mut insert = started.map_err(|text| Exception::from_engine(&text))?;
        let mut joined = Vec::new();
        loop {
            match arriving.blocking_recv() {
                Some(Piece::Data(data)) if joined.is_empty() && data.len() >= PIECE_BYTES => {
                    append(&mut insert, &data)?;
                }
                Some(Piece::Data(data)) => {
                    joined.extend_from_slice(&data);
                    if joined.len() >= PIECE_BYTES {
                        append(&mut insert, &joined)?;
                        joined.clear();
                    }
                }
                Some(Piece::End) => {
                    append(&mut insert, &joined)?;
                    return insert
                        .finish()
                        .map_err(|text| Exception::from_engine(&text));
                }
                // The client went away in the middle: nothing of it is kept.
                None => {
                    return Err(Exception::new(
                        394,
                        "QUERY_WAS_CANCELLED",
                        "Query was cancelled",
                    ));
                }
            }
        }
    });
    (pieces, running)
}

/// A piece of an insert's data.
pub(super) enum Piece {
    Data(Bytes),
    End,
}

fn append(insert: &mut super::library::Insert<'_>, data: &[u8]) -> Result<(), Exception> {
    if data.is_empty() {
        return Ok(());
    }
    insert
        .append(data)
        .map_err(|text| Exception::from_engine(&text))
}

fn start<F>(job: Job, work: F) -> Running
where
    F: FnOnce(&Job, &mut Session, &mpsc::Sender<Event>) -> Result<Summary, Exception>
        + Send
        + 'static,
{
    let (sender, events) = mpsc::channel(WAITING_CHUNKS);
    let at_work = Arc::new(AtWork::default());
    let running = Running {
        events,
        pool: job.pool.clone(),
        at_work: at_work.clone(),
        ended: false,
    };
    tokio::task::spawn_blocking(move || {
        let ended = run(&job, &at_work, &sender, work);
        // The place is free before the client hears the end, so that it may ask again at once.
        drop(job);
        let event = match ended {
            Ok(summary) => Event::Done(summary),
            Err(exception) => Event::Failed(exception),
        };
        // A client that went away does not mind.
        let _ = sender.blocking_send(event);
    });
    running
}

fn run<F>(
    job: &Job,
    at_work: &AtWork,
    sender: &mpsc::Sender<Event>,
    work: F,
) -> Result<Summary, Exception>
where
    F: FnOnce(&Job, &mut Session, &mpsc::Sender<Event>) -> Result<Summary, Exception>,
{
    if sender.is_closed() {
        at_work.set(State::Over);
        return Ok(Summary::default());
    }
    let mut session = match job.pool.session(&job.wanted) {
        Ok(session) => session,
        Err(exception) => {
            at_work.set(State::Over);
            return Err(exception);
        }
    };
    at_work.set(State::Working(session.mark()));
    let ended = work(job, &mut session, sender);
    at_work.set(State::Over);
    // After a failure, or cut off in the middle, the engine may keep the query, with its memory, until
    // the session is used again or closed: it is closed.
    let is_whole = ended.is_ok() && !sender.is_closed();
    if is_whole && !job.spoils_session && !job.wanted.read_only {
        job.pool.give_back(session);
    }
    ended
}

fn stream_chunks(
    job: &Job,
    session: &mut Session,
    header: RepeatedHeader,
    sender: &mpsc::Sender<Event>,
) -> Result<Summary, Exception> {
    let started = session.connection.stream(&job.statement());
    let refusal = match started.map(|stream| send_chunks(stream, header, sender)) {
        Ok(sent) => return sent,
        Err(text) => Exception::from_engine(&text),
    };
    if !refusal.is_not_streamable() {
        return Err(refusal);
    }
    let result = session.connection.query(&job.statement());
    result
        .map(|chunk| send_whole(chunk, sender))
        .map_err(|text| Exception::from_engine(&text))
}

fn send_chunks(
    mut stream: Stream<'_>,
    mut header: RepeatedHeader,
    sender: &mpsc::Sender<Event>,
) -> Result<Summary, Exception> {
    let started = std::time::Instant::now();
    let mut summary = Summary::default();
    loop {
        let chunk = stream
            .next()
            .map_err(|text| Exception::from_engine(&text))?;
        let last = chunk.rows() == 0;
        summary.add(&chunk.summary());
        // The last chunk has no rows: all that it can add is the header of an empty result.
        if !last || summary.result_rows == 0 {
            let skipped = header.cut(chunk.as_ref());
            let rows = Bytes::from_owner(chunk).slice(skipped..);
            if !rows.is_empty() && sender.blocking_send(Event::Rows(rows)).is_err() {
                return Ok(summary);
            }
        }
        if last {
            summary.elapsed_ns = u64::try_from(started.elapsed().as_nanos()).unwrap_or(u64::MAX);
            return Ok(summary);
        }
    }
}

fn send_whole(chunk: Chunk, sender: &mpsc::Sender<Event>) -> Summary {
    let summary = chunk.summary();
    let rows = Bytes::from_owner(chunk);
    if !rows.is_empty() {
        // A client that went away does not mind.
        let _ = sender.blocking_send(Event::Rows(rows));
    }
    summary
}

impl Job {
    fn statement(&self) -> Statement<'_> {
        Statement {
            sql: &self.sql,
            format: &self.format,
            parameters: &self.parameters,
        }
    }
}
