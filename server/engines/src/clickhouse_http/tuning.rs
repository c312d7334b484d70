//! How the engine is set up: small, because it shares a machine with the rest of the product.

use std::path::PathBuf;

/// Where the data is and how much memory may be used.
#[derive(Clone, Debug)]
pub(super) struct Tuning {
    pub(super) data: PathBuf,
    pub(super) memory_bytes: u64,
    session: Vec<(&'static str, String)>,
}

impl Tuning {
    /// Everything is derived from the memory that the engine may use.
    pub(super) fn new(data: PathBuf, memory_bytes: u64, threads: usize) -> Self {
        let session = vec![
            ("max_threads", threads.to_string()),
            ("max_insert_threads", "1".to_owned()),
            ("max_memory_usage", (memory_bytes / 4 * 3).to_string()),
            // Smaller than the usual 65,409: a chunk of a streamed result is one block of wide rows.
            ("max_block_size", "16384".to_owned()),
            ("log_queries", "0".to_owned()),
            ("log_query_threads", "0".to_owned()),
        ];
        Tuning {
            data,
            memory_bytes,
            session,
        }
    }

    /// The engine's command line. Server settings count for the first connection alone.
    pub(super) fn arguments(&self, mark: &str) -> Vec<String> {
        let mut arguments = vec![
            format!("--path={}", self.data.display()),
            format!("--max_server_memory_usage={}", self.memory_bytes),
            format!("--mark_cache_size={}", self.memory_bytes / 32),
            "--uncompressed_cache_size=0".to_owned(),
            format!("--index_mark_cache_size={}", self.memory_bytes / 64),
            format!("--log_comment={mark}"),
        ];
        arguments.extend(
            self.session
                .iter()
                .map(|(name, value)| format!("--{name}={value}")),
        );
        arguments
    }

    /// Value that a session has unless a request sets another.
    pub(super) fn session_setting(&self, name: &str) -> Option<&str> {
        let found = self.session.iter().find(|(known, _)| *known == name);
        found.map(|(_, value)| value.as_str())
    }
}
