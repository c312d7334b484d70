//! What is done on pages, told in the audit log.

use std::sync::{Arc, OnceLock};

use axum::extract::{MatchedPath, Request, State};
use axum::middleware::Next;
use axum::response::Response;
use service::audit::{self, Told};
use service::{App, ProjectScope};

/// Where a page leaves the project that it entered.
#[derive(Clone, Default)]
pub(crate) struct Entered(Arc<OnceLock<ProjectScope>>);

impl Entered {
    /// Leaves it; the first one counts.
    pub(crate) fn note(&self, scope: ProjectScope) {
        let _first = self.0.set(scope);
    }
}

/// Answers, and has it told where it is of interest.
pub(crate) async fn tell(State(app): State<App>, mut request: Request, next: Next) -> Response {
    let told = request.extensions().get::<MatchedPath>().and_then(|route| {
        let (method, path) = (request.method().as_str(), request.uri().path());
        audit::told(method, route.as_str(), path)
    });
    let Some(told) = told else {
        return next.run(request).await;
    };
    let entered = Entered::default();
    request.extensions_mut().insert(entered.clone());
    let answer = next.run(request).await;
    // A form that was taken leads on to another page.
    let is_taken = answer.status().is_success() || answer.status().is_redirection();
    if let Some(scope) = entered.0.get().filter(|_| is_taken) {
        match told {
            Told::Viewed(object) => audit::viewed(&app, scope, &object),
            Told::Did { action, object } => audit::record(&app, scope, &action, &object).await,
        }
    }
    answer
}
