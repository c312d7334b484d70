//! Whose key a route takes.

use axum::extract::{Request, State};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse, Response};
use axum::routing::MethodRouter;
use domain::Fault;
use service::{App, ProjectScope, auth, external_ids};

use super::error::Failure;
use crate::auth::{authorization, needs_of, noted};

/// Where the operator's key is shown again, on routes of a project.
const OPERATORS_KEY: &str = "x-langfuse-admin-api-key";
/// And the project that is meant.
const OPERATORS_PROJECT: &str = "x-langfuse-project-id";

/// Whose key a route takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Access {
    /// None.
    Open,
    /// A project's.
    Project,
    /// A project's, or the operator's together with the name of a project.
    ProjectOrOperator,
    /// An organisation's.
    Organisation,
    /// The operator's.
    Operator,
}

/// Lets in whoever shows the key that is asked for.
pub(super) fn guarded(methods: MethodRouter<App>, access: Access, app: &App) -> MethodRouter<App> {
    match access {
        Access::Open => methods,
        Access::Project => {
            methods.route_layer(middleware::from_fn_with_state(app.clone(), require_key))
        }
        Access::ProjectOrOperator => {
            let layer = middleware::from_fn_with_state(app.clone(), require_key_or_operator);
            methods.route_layer(layer)
        }
        Access::Organisation => {
            let layer = middleware::from_fn_with_state(app.clone(), require_organisation_key);
            methods.route_layer(layer)
        }
        Access::Operator => methods.route_layer(middleware::from_fn_with_state(
            app.clone(),
            require_operator,
        )),
    }
}

/// Lets in whoever has a key, and leaves the scope as an extension for the handler.
async fn require_key(State(app): State<App>, request: Request, next: Next) -> Response {
    let header = authorization(request.headers());
    let scope = auth::authenticate_key(&app, header, needs_of(&request)).await;
    in_project(&app, scope, request, next).await
}

/// The same; the operator's key names the project in a header, and shows itself again in another.
async fn require_key_or_operator(State(app): State<App>, request: Request, next: Next) -> Response {
    let headers = request.headers();
    let header = |name: &str| headers.get(name).and_then(|value| value.to_str().ok());
    let operator = (header(OPERATORS_KEY), header(OPERATORS_PROJECT));
    let scope = match operator {
        (Some(again), Some(project)) => {
            let project = external_ids::project_id(project);
            let header = authorization(headers);
            auth::authenticate_operator_in(&app, header, again, project).await
        }
        _ => auth::authenticate_key(&app, authorization(headers), needs_of(&request)).await,
    };
    in_project(&app, scope, request, next).await
}

async fn require_organisation_key(
    State(app): State<App>,
    request: Request,
    next: Next,
) -> Response {
    let header = authorization(request.headers());
    let scope = auth::authenticate_organisation_key(&app, header).await;
    with_scope(scope, request, next).await
}

async fn require_operator(State(app): State<App>, request: Request, next: Next) -> Response {
    let scope = auth::authenticate_operator(&app, authorization(request.headers()));
    with_scope(scope, request, next).await
}

/// Leaves the scope of a project, and has told what is done in it.
async fn in_project(
    app: &App,
    scope: Result<ProjectScope, Fault>,
    mut request: Request,
    next: Next,
) -> Response {
    match scope {
        Ok(scope) => {
            request.extensions_mut().insert(scope);
            noted(app, &scope, request, next).await
        }
        Err(fault) => Failure::Refused(fault).into_response(),
    }
}

async fn with_scope<S: Clone + Send + Sync + 'static>(
    scope: Result<S, Fault>,
    mut request: Request,
    next: Next,
) -> Response {
    match scope {
        Ok(scope) => {
            request.extensions_mut().insert(scope);
            next.run(request).await
        }
        Err(fault) => Failure::Refused(fault).into_response(),
    }
}
