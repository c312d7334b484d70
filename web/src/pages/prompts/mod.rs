//! Prompts: listed by folder, one with its versions, what two of them differ in, what each comes to; written, labelled and
//! deleted by hand.

/// Labels, tags, policies, comments, deletion.
mod change;
/// Remarks on a version.
mod comments;
/// What two versions differ in.
mod compare;
/// What a version says.
mod content;
/// A new version, written by hand.
mod editor;
/// Where clients of Langfuse look for prompts.
mod forward;
/// Head, tabs and versions around every view of a prompt.
mod head;
/// Labels: where they stand, what moves them back, what was done.
mod labels;
/// Two versions line by line.
mod lines;
/// The list.
mod list;
/// Texts with what is marked in them.
mod marked;
/// What versions come to, measure by measure.
mod metrics;
/// Two versions held against each other, measure by measure.
mod outcomes;
/// How far a cache of prefixes serves two versions.
mod prefix;
/// The state of a prompt's page, as its address holds it.
mod query;
/// One prompt.
mod show;
/// Labels under test.
mod split;

pub(crate) use change::{
    create_comment, delete_prompt, move_label, remove_label, set_policy, set_tags, undo_move,
};
pub(crate) use comments::CommentsPage;
pub(crate) use compare::{ComparePage, Compared};
pub(crate) use content::ContentPage;
pub(crate) use editor::{Begun, EditorPage, create_prompt, new_prompt};
pub(crate) use forward::forward_prompt;
pub(crate) use head::{Standing, author};
pub(crate) use labels::{Asked, LabelsPage, what};
pub(crate) use list::{Listed, PromptsPage, list_prompts};
pub(crate) use metrics::MetricsPage;
pub(crate) use query::PromptQuery;
pub(crate) use show::show_prompt;
pub(crate) use split::test_label;

use axum::extract::RawPathParams;
use domain::Fault;
use domain::prompt::PromptName;

use super::traces::segment;

/// The prompt that the path names; its name may hold slashes.
fn named(params: &RawPathParams) -> Result<PromptName, Fault> {
    let text = segment(params, "prompt").unwrap_or_default();
    PromptName::parse(text).map_err(|_| Fault::not_found(format!("Prompt not found: '{text}'")))
}
