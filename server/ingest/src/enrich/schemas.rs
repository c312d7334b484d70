//! Compiled JSON schemas: compiling one takes a thousand times longer than checking an answer.

use std::collections::HashMap;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

use domain::quality::Schema;

/// Schemas that are kept; an application has a handful.
const KEPT: usize = 256;

/// By text; `None` for one that cannot be used.
static COMPILED: LazyLock<Mutex<HashMap<String, Option<Arc<Schema>>>>> =
    LazyLock::new(Mutex::default);

/// The schema, compiled now or before; `None` when it cannot be used.
pub(super) fn compiled(text: &str) -> Option<Arc<Schema>> {
    let known = || COMPILED.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(schema) = known().get(text) {
        return schema.clone();
    }
    let schema = Schema::compile(text).ok().map(Arc::new);
    let mut kept = known();
    if kept.len() >= KEPT {
        kept.clear();
    }
    kept.insert(text.to_owned(), schema.clone());
    schema
}
