//! Prompts.

use domain::ProjectId;
use domain::prompt::PromptName;

use super::{is_dots, segment, with_pairs};

/// The list of prompts.
pub(crate) fn prompts(project: ProjectId) -> String {
    format!("/p/{project}/prompts")
}

/// The list of prompts in a state.
pub(crate) fn prompts_with(project: ProjectId, pairs: &[(&str, &str)]) -> String {
    with_pairs(&prompts(project), pairs)
}

/// About to write a prompt.
pub(crate) fn prompt_new(project: ProjectId, pairs: &[(&str, &str)]) -> String {
    with_pairs(&format!("{}/new", prompts(project)), pairs)
}

/// A prompt.
pub(crate) fn prompt(project: ProjectId, name: &PromptName) -> String {
    format!("{}/{}", prompts(project), path(name.as_str()))
}

/// A prompt in a state.
pub(crate) fn prompt_with(project: ProjectId, name: &PromptName, pairs: &[(&str, &str)]) -> String {
    with_pairs(&prompt(project, name), pairs)
}

/// Does something to a prompt: `labels`, `tags`, `delete`, `policy`, `undo`, `comments`.
pub(crate) fn prompt_do(project: ProjectId, action: &str, name: &PromptName) -> String {
    format!("/p/{project}/prompt/{action}/{}", path(name.as_str()))
}

/// A name as folders of a path. One that holds a folder of dots is one segment: browsers would resolve it.
fn path(name: &str) -> String {
    if name.split('/').any(is_dots) {
        return segment(name);
    }
    let folders: Vec<String> = name.split('/').map(segment).collect();
    folders.join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_name_is_a_path_that_leads_back_to_it() {
        for (name, expected) in [
            ("team/greet v1/hello", "team/greet%20v1/hello"),
            ("a%2Fb", "a%252Fb"),
            ("a/../b", "a%2F..%2Fb"),
            ("a/~.", "a%2F~."),
            ("..", "~.."),
            ("問?#", "%E5%95%8F%3F%23"),
        ] {
            assert_eq!(path(name), expected);
        }
    }
}
