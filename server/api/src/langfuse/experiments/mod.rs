//! Experiments, and what they made of each item.

mod cursor;
mod list;
mod list_items;
mod shape;
mod wanted;

pub(crate) use list::list_experiments;
pub(crate) use list_items::list_experiment_items;

use super::error::{Issue, Result};
use super::query::Query;

/// Rows of a page where the query does not say, and most of them.
const USUAL: u32 = 50;
const MOST: u32 = 100;
/// Most scores of a row, which is as many as there are where the query does not say.
const MOST_SCORES: u32 = 50;

/// The groups of fields that are asked for; `usual` where nothing is said.
///
/// # Errors
/// When there is no such group.
fn groups<'q>(query: &'q Query, known: &[&str], usual: &[&'q str]) -> Result<Vec<&'q str>> {
    let asked = query.several("fields");
    if asked.is_empty() {
        return Ok(usual.to_vec());
    }
    match asked.iter().find(|group| !known.contains(group)) {
        None => Ok(asked),
        Some(unknown) => {
            let message = format!("Invalid option: {unknown}");
            Err(Issue::new("invalid_value", "fields", message).into())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_are_those_that_are_known() {
        let of = |text: &str| {
            let query = Query::parse(text);
            let groups = groups(&query, &["core", "io"], &["core"]);
            groups.map(|groups| groups.join(",")).ok()
        };
        assert_eq!(of("").as_deref(), Some("core"));
        assert_eq!(of("fields=io,core").as_deref(), Some("io,core"));
        assert_eq!(of("fields=everything"), None);
    }
}
