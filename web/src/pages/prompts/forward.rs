//! Where clients of Langfuse look for prompts.

use axum::extract::{RawPathParams, State};
use domain::Code;
use domain::filter::Column;
use service::{App, prompts};

use super::named;
use crate::extract::InProject;
use crate::pages::traces::{segment, those_with};
use crate::pages::{Answer, see_other};
use crate::urls;

/// Leads to a prompt, and to the traces of one that is managed elsewhere; a name may hold slashes.
pub(crate) async fn forward_prompt(
    State(app): State<App>,
    entered: InProject,
    params: RawPathParams,
) -> Answer {
    let found = match named(&params) {
        Ok(name) => prompts::heads(&app, &entered.scope, &name)
            .await
            .map(|_| name),
        Err(fault) => Err(fault),
    };
    match found {
        Ok(name) => Ok(see_other(&urls::prompt(entered.id(), &name))),
        Err(fault) if fault.code == Code::NotFound => {
            let name = segment(&params, "prompt").unwrap_or_default();
            let these = those_with(entered.id(), Column::Prompt, name);
            Ok(see_other(&these))
        }
        Err(fault) => Err(fault.into()),
    }
}
