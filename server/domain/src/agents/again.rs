//! Calls of a tool that came again: with the same arguments they are a loop, with others each time they are paging,
//! after a failure they are a retry.

use std::collections::{BTreeMap, HashSet};

use super::Details;
use crate::span::SpanKind;
use crate::trace::TreeSpan;
use crate::tree::Tree;

/// So many calls in a row with the same arguments are a loop.
pub const LOOP: usize = 3;

/// What is said of a tool whose calls came again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Again {
    /// The same arguments, in a row.
    Loop {
        /// How often.
        times: usize,
    },
    /// Other arguments each time.
    Paging {
        /// How often.
        times: usize,
    },
    /// A call after one that failed.
    Retry {
        /// How many failed before one did not.
        failed: usize,
        /// The kind of the last error; empty where it was not told.
        kind: String,
        /// Whether one succeeded in the end.
        has_succeeded: bool,
    },
}

/// What came again, by name of the tool.
pub fn again(tree: &Tree, details: &Details) -> Vec<(String, Again)> {
    let mut by_tool: BTreeMap<&str, Vec<&TreeSpan>> = BTreeMap::new();
    for row in &tree.rows {
        if row.span.kind == SpanKind::Tool {
            by_tool.entry(&row.span.name).or_default().push(&row.span);
        }
    }
    let mut found = Vec::new();
    for (name, mut calls) in by_tool {
        calls.sort_by_key(|call| call.start);
        let told = [of_arguments(&calls, details), of_failures(&calls, details)];
        let named = told
            .into_iter()
            .flatten()
            .map(|again| (name.to_owned(), again));
        found.extend(named);
    }
    found
}

fn of_arguments(calls: &[&TreeSpan], details: &Details) -> Option<Again> {
    let digests: Vec<u64> = calls
        .iter()
        .filter_map(|call| details.get(&call.span_id)?.input_digest)
        .collect();
    let mut longest = 0;
    let mut run = 0;
    for (at, digest) in digests.iter().enumerate() {
        let is_same = at > 0 && digests[at - 1] == *digest;
        run = if is_same { run + 1 } else { 1 };
        longest = longest.max(run);
    }
    if longest >= LOOP {
        return Some(Again::Loop { times: longest });
    }
    let distinct: HashSet<u64> = digests.iter().copied().collect();
    let is_paging = digests.len() >= LOOP && distinct.len() == digests.len();
    is_paging.then_some(Again::Paging {
        times: digests.len(),
    })
}

fn of_failures(calls: &[&TreeSpan], details: &Details) -> Option<Again> {
    let first = calls.iter().position(|call| call.failed())?;
    let rest = &calls[first..];
    if rest.len() < 2 {
        return None;
    }
    let failed = rest.iter().take_while(|call| call.failed()).count();
    let last = rest[failed - 1];
    let kind = details.get(&last.span_id);
    Some(Again::Retry {
        failed,
        kind: kind
            .and_then(|detail| detail.error_kind.clone())
            .unwrap_or_default(),
        has_succeeded: failed < rest.len(),
    })
}

#[cfg(test)]
mod tests {
    use super::super::Detail;
    use super::super::tests::step;
    use super::*;
    use crate::ids::SpanId;
    use crate::tree::build_tree;

    /// Calls of one tool with the digest of each's arguments; a name that ends in `!` has failed.
    fn told(calls: &[(&str, u64)]) -> Vec<Again> {
        let mut details = Details::new();
        let mut spans = Vec::new();
        for (n, (name, digest)) in calls.iter().enumerate() {
            let at = n as u64 * 10;
            spans.push(step(
                (&n.to_string(), None),
                SpanKind::Tool,
                name,
                (at, at + 5),
            ));
            let detail = Detail {
                input_digest: Some(*digest),
                error_kind: name.ends_with('!').then(|| "timeout".to_owned()),
                ..Detail::default()
            };
            details.insert(SpanId::from_text(&n.to_string()).unwrap(), detail);
        }
        let found = again(&build_tree(spans), &details);
        found.into_iter().map(|(_, again)| again).collect()
    }

    #[test]
    fn the_same_arguments_in_a_row_are_a_loop_and_others_are_paging() {
        assert_eq!(
            told(&[("t", 1), ("t", 2), ("t", 2), ("t", 2)]),
            [Again::Loop { times: 3 }]
        );
        assert_eq!(
            told(&[("t", 1), ("t", 2), ("t", 3)]),
            [Again::Paging { times: 3 }]
        );
        assert!(told(&[("t", 1), ("t", 2), ("t", 1)]).is_empty());
        assert!(told(&[("t", 1), ("u", 1), ("v", 1)]).is_empty());
    }

    #[test]
    fn a_call_after_a_failure_is_a_retry() {
        let retry = |failed, has_succeeded| Again::Retry {
            failed,
            kind: "timeout".to_owned(),
            has_succeeded,
        };
        assert_eq!(told(&[("t!", 1), ("t", 2)]), [retry(1, true)]);
        assert_eq!(
            told(&[("t", 0), ("t!", 1), ("t!", 2)]),
            [Again::Paging { times: 3 }, retry(2, false)]
        );
        assert!(told(&[("t", 1), ("t!", 2)]).is_empty());
    }
}
