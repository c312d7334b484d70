//! The playground.

use domain::prompt::PromptName;
use domain::{ProjectId, SpanId, TraceId};

use super::with_pairs;

/// The playground as it opens.
pub(crate) fn playground(project: ProjectId) -> String {
    format!("/p/{project}/playground")
}

/// The playground with a version of a prompt.
pub(crate) fn playground_prompt(project: ProjectId, name: &PromptName, version: u32) -> String {
    let version = version.to_string();
    let pairs = [("prompt", name.as_str()), ("version", version.as_str())];
    with_pairs(&playground(project), &pairs)
}

/// The playground with a recorded step.
pub(crate) fn playground_step(project: ProjectId, trace: &TraceId, span: &SpanId) -> String {
    let pairs = [("trace", trace.as_str()), ("span", span.as_str())];
    with_pairs(&playground(project), &pairs)
}

/// Runs a window.
pub(crate) fn playground_run(project: ProjectId) -> String {
    format!("{}/run", playground(project))
}

/// The editor of prompts with what stands in a window.
pub(crate) fn playground_to_prompt(project: ProjectId) -> String {
    format!("{}/prompt", playground(project))
}

/// The form of a dataset's item with what stands in a window.
pub(crate) fn playground_to_dataset(project: ProjectId) -> String {
    format!("{}/dataset", playground(project))
}
