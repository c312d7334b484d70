//! The engine library's C interface: the one place in the product with `unsafe`.
//!
//! What keeps it sound:
//! - The library is opened once and never closed, so function pointers stay valid.
//! - A [`Connection`] runs one statement at a time: running needs `&mut`, and an open stream borrows it.
//! - Results and streams free themselves when dropped; their bytes are copied by nobody.
#![expect(
    unsafe_code,
    reason = "the engine is a C library; this module is its only binding"
)]

use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::path::Path;
use std::ptr;
use std::sync::Arc;

/// Why the engine refused: its own text, `Code: N. DB::Exception: …`.
pub(super) type Refusal = String;

/// The library cannot be used at all.
#[derive(Debug, thiserror::Error)]
pub enum LibraryError {
    /// The file is not a library of this machine.
    #[error("cannot open the ClickHouse library {path}: {reason}")]
    Open {
        /// The file.
        path: String,
        /// What the system says.
        reason: String,
    },
    /// A function that is needed is not in it.
    #[error("the ClickHouse library {path} has no function {name}: another version?")]
    Function {
        /// The file.
        path: String,
        /// The function.
        name: String,
    },
    /// The engine did not start on its data directory.
    #[error("the ClickHouse library cannot open its data: {0}")]
    Connect(String),
}

type RawConnection = *mut c_void;
type RawResult = *mut c_void;
type RawInsert = *mut c_void;
type Pointers = *const *const c_char;
type Run = unsafe extern "C" fn(
    RawConnection,
    *const c_char,
    usize,
    *const c_char,
    usize,
    Pointers,
    *const usize,
    Pointers,
    *const usize,
    usize,
) -> *mut c_void;

/// The library's functions.
pub(super) struct Library {
    connect: unsafe extern "C" fn(c_int, *mut *mut c_char) -> *mut RawConnection,
    close: unsafe extern "C" fn(*mut RawConnection),
    shutdown: unsafe extern "C" fn() -> c_int,
    query: Run,
    stream_query: Run,
    stream_fetch: unsafe extern "C" fn(RawConnection, RawResult) -> RawResult,
    stream_cancel: unsafe extern "C" fn(RawConnection, RawResult),
    insert: Run,
    insert_append: unsafe extern "C" fn(RawInsert, *const c_void, usize) -> c_int,
    insert_done: unsafe extern "C" fn(RawInsert) -> RawResult,
    insert_cancel: unsafe extern "C" fn(RawInsert),
    insert_destroy: unsafe extern "C" fn(RawInsert),
    insert_error: unsafe extern "C" fn(RawInsert) -> *const c_char,
    destroy: unsafe extern "C" fn(RawResult),
    buffer: unsafe extern "C" fn(RawResult) -> *const c_char,
    length: unsafe extern "C" fn(RawResult) -> usize,
    error: unsafe extern "C" fn(RawResult) -> *const c_char,
    rows: unsafe extern "C" fn(RawResult) -> u64,
    rows_written: unsafe extern "C" fn(RawResult) -> u64,
    bytes_written: unsafe extern "C" fn(RawResult) -> u64,
    storage_rows: unsafe extern "C" fn(RawResult) -> u64,
    storage_bytes: unsafe extern "C" fn(RawResult) -> u64,
}

impl Library {
    /// Opens the library and turns its signal handlers off, which would take SIGTERM from us.
    pub(super) fn open(path: &Path) -> Result<Arc<Self>, LibraryError> {
        let shown = path.display().to_string();
        // SAFETY: the file is the pinned engine, whose initialisers are meant to run on loading.
        let opened = unsafe { libloading::Library::new(path) };
        let library = opened.map_err(|error| LibraryError::Open {
            path: shown.clone(),
            reason: error.to_string(),
        })?;
        // Never closed: the engine keeps threads, and the pointers below must stay valid.
        let library = Box::leak(Box::new(library));
        macro_rules! function {
            ($name:literal) => {{
                // SAFETY: the field's type is the function's signature in the library's header.
                let symbol = unsafe { library.get(concat!($name, "\0").as_bytes()) };
                *symbol.map_err(|_| LibraryError::Function {
                    path: shown.clone(),
                    name: $name.to_owned(),
                })?
            }};
        }
        let set_signal_handlers: unsafe extern "C" fn(c_int) =
            function!("chdb_set_signal_handlers_enabled");
        // SAFETY: may be called at any time.
        unsafe { set_signal_handlers(0) };
        Ok(Arc::new(Library {
            connect: function!("chdb_connect"),
            close: function!("chdb_close_conn"),
            shutdown: function!("chdb_shutdown"),
            query: function!("chdb_query_with_params_n"),
            stream_query: function!("chdb_stream_query_with_params_n"),
            stream_fetch: function!("chdb_stream_fetch_result"),
            stream_cancel: function!("chdb_stream_cancel_query"),
            insert: function!("chdb_stream_insert_with_params_n"),
            insert_append: function!("chdb_stream_append"),
            insert_done: function!("chdb_stream_done"),
            insert_cancel: function!("chdb_stream_cancel_insert"),
            insert_destroy: function!("chdb_destroy_insert_stream"),
            insert_error: function!("chdb_stream_insert_error"),
            destroy: function!("chdb_destroy_query_result"),
            buffer: function!("chdb_result_buffer"),
            length: function!("chdb_result_length"),
            error: function!("chdb_result_error"),
            rows: function!("chdb_result_rows_read"),
            rows_written: function!("chdb_result_rows_written"),
            bytes_written: function!("chdb_result_bytes_written"),
            storage_rows: function!("chdb_result_storage_rows_read"),
            storage_bytes: function!("chdb_result_storage_bytes_read"),
        }))
    }

    /// Connects with the engine's command-line arguments; the first call starts the engine.
    pub(super) fn connect(
        self: &Arc<Self>,
        arguments: &[String],
    ) -> Result<Connection, LibraryError> {
        let program = std::iter::once("clickhouse");
        let owned: Result<Vec<CString>, _> = program
            .chain(arguments.iter().map(String::as_str))
            .map(CString::new)
            .collect();
        let owned = owned.map_err(|_| LibraryError::Connect("a zero byte in a path".to_owned()))?;
        let mut pointers: Vec<*mut c_char> = owned
            .iter()
            .map(|argument| argument.as_ptr().cast_mut())
            .collect();
        let count = c_int::try_from(pointers.len()).unwrap_or(c_int::MAX);
        // SAFETY: `pointers` are `count` valid strings that outlive the call; the engine only reads.
        let handle = unsafe { (self.connect)(count, pointers.as_mut_ptr()) };
        // SAFETY: a handle that is not null points to the connection.
        if handle.is_null() || unsafe { *handle }.is_null() {
            return Err(LibraryError::Connect("it does not say why".to_owned()));
        }
        Ok(Connection {
            library: self.clone(),
            handle,
        })
    }

    /// Stops the engine's threads; every connection must be closed. Without it the process
    /// crashes at exit. False when something is still open.
    pub(super) fn shutdown(&self) -> bool {
        // SAFETY: may be called at any time; it refuses while connections are open.
        unsafe { (self.shutdown)() == 0 }
    }

    fn result(self: &Arc<Self>, raw: RawResult) -> Result<Chunk, Refusal> {
        if raw.is_null() {
            return Err(
                "Code: 1000. DB::Exception: the engine gave no result. (POCO_EXCEPTION)".into(),
            );
        }
        let chunk = Chunk {
            library: self.clone(),
            raw,
        };
        // SAFETY: `raw` is a live result; its text is valid until it is destroyed.
        match unsafe { text((self.error)(raw)) } {
            Some(refusal) => Err(refusal),
            None => Ok(chunk),
        }
    }
}

/// A session of the engine: its own settings and current database.
pub(super) struct Connection {
    library: Arc<Library>,
    handle: *mut RawConnection,
}

// SAFETY: the engine does not bind a connection to a thread; `&mut` keeps its use to one at a time.
unsafe impl Send for Connection {}

impl Connection {
    /// Runs any statement and holds its whole result.
    pub(super) fn query(&mut self, statement: &Statement<'_>) -> Result<Chunk, Refusal> {
        let raw = self.run(self.library.query, statement);
        self.library.result(raw)
    }

    /// Starts a query whose result comes in chunks.
    pub(super) fn stream(&mut self, statement: &Statement<'_>) -> Result<Stream<'_>, Refusal> {
        let raw = self.run(self.library.stream_query, statement);
        let started = self.library.result(raw)?;
        Ok(Stream {
            connection: self,
            started,
            finished: false,
        })
    }

    /// Starts an insert; `statement.sql` holds no `FORMAT` and no data.
    pub(super) fn insert(&mut self, statement: &Statement<'_>) -> Result<Insert<'_>, Refusal> {
        let raw = self.run(self.library.insert, statement);
        let insert = Insert {
            connection: self,
            raw,
            finished: false,
        };
        match insert.error() {
            Some(refusal) => Err(refusal),
            None => Ok(insert),
        }
    }

    fn run(&mut self, run: Run, statement: &Statement<'_>) -> *mut c_void {
        let (names, name_lengths) = pointers(statement.parameters.iter().map(|(name, _)| name));
        let (values, value_lengths) = pointers(statement.parameters.iter().map(|(_, value)| value));
        // SAFETY: the connection is open; every pointer goes with its length and outlives the call.
        unsafe {
            run(
                *self.handle,
                statement.sql.as_ptr().cast(),
                statement.sql.len(),
                statement.format.as_ptr().cast(),
                statement.format.len(),
                or_null(&names),
                or_null(&name_lengths),
                or_null(&values),
                or_null(&value_lengths),
                names.len(),
            )
        }
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        // SAFETY: opened by `connect`, closed once.
        unsafe { (self.library.close)(self.handle) };
    }
}

/// What to run.
pub(super) struct Statement<'a> {
    /// The text.
    pub(super) sql: &'a [u8],
    /// Format of the result or of the inserted data.
    pub(super) format: &'a str,
    /// `{name:Type}` parameters with their values as the HTTP interface takes them.
    pub(super) parameters: &'a [(String, String)],
}

/// A result, whole or one chunk of it, in the engine's memory.
pub(super) struct Chunk {
    library: Arc<Library>,
    raw: RawResult,
}

// SAFETY: a result is a buffer of its own, and nothing changes it after it was made.
unsafe impl Send for Chunk {}
// SAFETY: as above.
unsafe impl Sync for Chunk {}

impl Chunk {
    /// Rows in it.
    pub(super) fn rows(&self) -> u64 {
        // SAFETY: `raw` is live.
        unsafe { (self.library.rows)(self.raw) }
    }

    /// What the statement has read and written.
    pub(super) fn summary(&self) -> Summary {
        // SAFETY: `raw` is live.
        unsafe {
            Summary {
                read_rows: (self.library.storage_rows)(self.raw),
                read_bytes: (self.library.storage_bytes)(self.raw),
                written_rows: (self.library.rows_written)(self.raw),
                written_bytes: (self.library.bytes_written)(self.raw),
                result_rows: self.rows(),
                result_bytes: self.as_ref().len() as u64,
                elapsed_ns: 0,
            }
        }
    }
}

impl AsRef<[u8]> for Chunk {
    fn as_ref(&self) -> &[u8] {
        // SAFETY: the buffer has this length and lives as long as the result.
        unsafe {
            let buffer = (self.library.buffer)(self.raw);
            match (self.library.length)(self.raw) {
                0 => &[],
                _ if buffer.is_null() => &[],
                length => std::slice::from_raw_parts(buffer.cast(), length),
            }
        }
    }
}

impl Drop for Chunk {
    fn drop(&mut self) {
        // SAFETY: made by the engine, destroyed once.
        unsafe { (self.library.destroy)(self.raw) };
    }
}

/// Counts of a statement.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Summary {
    pub(super) read_rows: u64,
    pub(super) read_bytes: u64,
    pub(super) written_rows: u64,
    pub(super) written_bytes: u64,
    pub(super) result_rows: u64,
    pub(super) result_bytes: u64,
    pub(super) elapsed_ns: u64,
}

impl Summary {
    /// Adds what another chunk of the same query says.
    pub(super) fn add(&mut self, chunk: &Summary) {
        self.read_rows += chunk.read_rows;
        self.read_bytes += chunk.read_bytes;
        self.result_rows += chunk.result_rows;
        self.result_bytes += chunk.result_bytes;
    }
}

/// A running query whose chunks are fetched one by one. Dropping it ends the query.
pub(super) struct Stream<'a> {
    connection: &'a mut Connection,
    started: Chunk,
    finished: bool,
}

impl Stream<'_> {
    /// The next chunk; the last one has no rows, but may hold a format's header.
    pub(super) fn next(&mut self) -> Result<Chunk, Refusal> {
        let library = &self.connection.library;
        // SAFETY: connection and stream are live, and `&mut` lets nobody else use them.
        let raw = unsafe { (library.stream_fetch)(*self.connection.handle, self.started.raw) };
        let fetched = library.result(raw);
        self.finished = fetched.as_ref().map_or(true, |chunk| chunk.rows() == 0);
        fetched
    }
}

impl Drop for Stream<'_> {
    fn drop(&mut self) {
        if !self.finished {
            // SAFETY: both are live; a finished stream is not cancelled again.
            unsafe {
                (self.connection.library.stream_cancel)(*self.connection.handle, self.started.raw);
            }
        }
    }
}

/// A running insert. Dropping it unfinished takes back what is not yet written.
pub(super) struct Insert<'a> {
    connection: &'a mut Connection,
    raw: RawInsert,
    finished: bool,
}

impl Insert<'_> {
    /// Gives the engine more data, cut anywhere; waits while the engine is behind.
    pub(super) fn append(&mut self, data: &[u8]) -> Result<(), Refusal> {
        let library = &self.connection.library;
        // SAFETY: the insert is live; the engine copies the bytes.
        let state = unsafe { (library.insert_append)(self.raw, data.as_ptr().cast(), data.len()) };
        match state {
            0 => Ok(()),
            _ => Err(self
                .error()
                .unwrap_or_else(|| "the engine does not take the data".to_owned())),
        }
    }

    /// Writes everything.
    pub(super) fn finish(mut self) -> Result<Summary, Refusal> {
        self.finished = true;
        // SAFETY: the insert is live; done is called once.
        let raw = unsafe { (self.connection.library.insert_done)(self.raw) };
        self.connection
            .library
            .result(raw)
            .map(|result| result.summary())
    }

    fn error(&self) -> Option<Refusal> {
        // SAFETY: the insert is live, and its text is valid until it is destroyed.
        unsafe { text((self.connection.library.insert_error)(self.raw)) }
    }
}

impl Drop for Insert<'_> {
    fn drop(&mut self) {
        // SAFETY: the insert is live; it is cancelled at most once and destroyed once.
        unsafe {
            if !self.finished {
                (self.connection.library.insert_cancel)(self.raw);
            }
            (self.connection.library.insert_destroy)(self.raw);
        }
    }
}

/// # Safety
/// `text` is null or a string that is valid during the call.
unsafe fn text(text: *const c_char) -> Option<String> {
    if text.is_null() {
        return None;
    }
    // SAFETY: by this function's own condition.
    Some(
        unsafe { CStr::from_ptr(text) }
            .to_string_lossy()
            .into_owned(),
    )
}

fn pointers<'a>(texts: impl Iterator<Item = &'a String>) -> (Vec<*const c_char>, Vec<usize>) {
    texts
        .map(|text| (text.as_ptr().cast::<c_char>(), text.len()))
        .unzip()
}

fn or_null<T>(list: &[T]) -> *const T {
    if list.is_empty() {
        ptr::null()
    } else {
        list.as_ptr()
    }
}
