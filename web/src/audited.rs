//! What is done on pages, told in the audit log.

use std::sync::{Arc, OnceLock};

use axum::extract::{MatchedPath, Request, State};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use domain::Fault;
use service::audit::{self, Told};
use service::{App, ProjectScope};

use crate::error::Failure;

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
    // A form that is shown again, with what it would do, did nothing.
    let path = request.uri().path();
    let is_form = ["/new", "/edit"].iter().any(|end| path.ends_with(end));
    let done = async move {
        let answer = next.run(request).await;
        // A form that was taken leads on to another page.
        let status = answer.status();
        let is_taken = status.is_redirection() || (status.is_success() && !is_form);
        if let Some(scope) = entered.0.get().filter(|_| is_taken) {
            match told {
                Told::Viewed(object) => audit::viewed(&app, scope, &object),
                Told::Did { action, object } => audit::record(&app, scope, &action, &object).await,
            }
        }
        answer
    };
    // On its own: who hangs up meanwhile does not keep what was done from being written down.
    match tokio::spawn(done).await {
        Ok(answer) => answer,
        Err(error) => Failure::from(Fault::internal(error)).into_response(),
    }
}
