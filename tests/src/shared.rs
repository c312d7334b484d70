//! The server that most tests share.

use std::sync::OnceLock;

use crate::server::{Server, Settings};

/// The shared server of this test process. It is started by the first test that asks and ends with
/// the process.
pub async fn shared() -> &'static Server {
    static SERVER: OnceLock<Server> = OnceLock::new();
    tokio::task::spawn_blocking(|| {
        SERVER.get_or_init(|| {
            // A runtime of its own: the one of the test that comes first ends with that test.
            let runtime = tokio::runtime::Runtime::new().unwrap();
            runtime.block_on(Server::start_with(Settings::default()))
        })
    })
    .await
    .unwrap()
}
