//! Versions of prompts that went back because of an incident, and what took their place.

use domain::alert::Rule;
use domain::alert::incident::id_of;
use domain::alert::state::{Phase, States};
use domain::alert::successor::{Successor, SuccessorsOf};
use domain::{Fault, ProjectId};
use store_postgres::{Postgres, rollbacks};

/// Of each rule the groups that fire and that another one took the place of.
///
/// # Errors
/// `unavailable` without Postgres.
pub(super) async fn of_rules(
    db: &Postgres,
    project: ProjectId,
    rules: &[Rule],
    states: &States,
) -> Result<SuccessorsOf, Fault> {
    let mut found = SuccessorsOf::new();
    for rule in rules.iter().filter(|rule| Successor::is_of(rule)) {
        for (group, state) in states.get(&rule.id).into_iter().flatten() {
            let Phase::Firing { fired_at, .. } = state.phase else {
                continue;
            };
            let incident = id_of(rule.id, group, fired_at);
            let all = rollbacks::of_incident(db, project, incident).await?;
            let last = all.iter().rev();
            let mut successors = last.filter_map(|rollback| Successor::of(group, rollback));
            if let Some(successor) = successors.next() {
                let of_rule = found.entry(rule.id).or_default();
                of_rule.insert(group.clone(), successor);
            }
        }
    }
    Ok(found)
}
