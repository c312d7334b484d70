//! What models cost a project.

use std::sync::Arc;

use domain::cost::{PriceBook, Pricer};

use crate::app::App;
use crate::scope::ProjectScope;

/// The prices that hold for a project; `None` while they cannot be read, for a wrong cost is worse than
/// none.
pub async fn of_project(app: &App, _scope: &ProjectScope) -> Option<Arc<Pricer>> {
    Some(Arc::clone(&app.prices().built_in))
}

/// Prices in memory.
pub(crate) struct Cache {
    /// Of projects that have none of their own.
    built_in: Arc<Pricer>,
}

impl Default for Cache {
    fn default() -> Self {
        let built_in = Arc::new(Pricer::new(PriceBook::built_in()));
        Cache { built_in }
    }
}
