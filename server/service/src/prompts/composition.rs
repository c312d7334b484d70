//! Prompts within prompts: what is referred to is fetched here, and put together by the domain.

use std::collections::BTreeSet;
use std::sync::Arc;

use domain::prompt::{self, Composed, Found, MAX_DEPTH, Prompt, Reference, Uncomposable};
use store_postgres::{StoreError, Transaction, prompts};

/// Most prompts that stand in one, directly or within others.
const MAX_REFERENCES: usize = 200;

/// Puts the references of a prompt in their place.
///
/// # Errors
/// When Postgres is away; inside: when they cannot be put there.
pub(super) async fn compose(
    tx: &mut Transaction,
    root: &Prompt,
) -> Result<Result<Composed, Uncomposable>, StoreError> {
    let mut found = Found::new();
    let mut asked: BTreeSet<Reference> = BTreeSet::new();
    let mut wanted = root.content.references();
    // One step further than is allowed, to tell what is too deep from what is missing.
    for _ in 0..=MAX_DEPTH {
        let mut next = BTreeSet::new();
        for reference in wanted {
            if asked.len() == MAX_REFERENCES {
                return Ok(Err(Uncomposable::Large));
            }
            if !asked.insert(reference.clone()) {
                continue;
            }
            let (name, selector) = (&reference.name, &reference.selector);
            if let Some(prompt) = prompts::find(tx, root.project_id, name, selector).await? {
                next.extend(prompt.content.references());
                found.insert(reference, Arc::new(prompt));
            }
        }
        wanted = next;
    }
    Ok(prompt::compose(root, &found))
}
