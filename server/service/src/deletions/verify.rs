//! Whether something is left: it is looked for where it was, rows that are marked as deleted included.

use std::collections::BTreeSet;

use domain::deletion::Proof;
use domain::{Fault, ProjectId, TraceId};
use store_clickhouse::deletions as telemetry;
use store_postgres::deletions::{self, Erased, Things};

use super::find;
use crate::app::App;

/// Where something is left of a deletion; empty: nowhere.
pub(super) async fn left(
    app: &App,
    project: ProjectId,
    (user, things): (&str, &Things),
) -> Result<BTreeSet<String>, Fault> {
    let mut left = BTreeSet::new();
    let clickhouse = app.clickhouse();
    if !telemetry::left_of_users(clickhouse, project, &[user])
        .await?
        .is_empty()
    {
        left.insert("spans".to_owned());
    }
    let (sessions, none): (_, &[String]) = (things.sessions.as_slice(), &[]);
    let traces = find::portions(&things.traces).map(|some| (some, none));
    for (traces, sessions) in traces.chain(find::portions(sessions).map(|some| (none, some))) {
        let ids = find::ids(traces);
        let ids: Vec<&TraceId> = ids.iter().collect();
        let names: Vec<&str> = sessions.iter().map(String::as_str).collect();
        let found = telemetry::left_of_traces(clickhouse, project, &ids, &names).await?;
        left.extend(found.into_iter().filter(|it| it.1 > 0).map(|it| it.0));
        let erased = Erased {
            traces,
            sessions,
            ..Erased::default()
        };
        let found = deletions::counts(app.postgres(), project, &erased).await?;
        let found = found.into_iter().filter(|it| it.1 > 0);
        left.extend(found.map(|it| it.0.to_owned()));
    }
    if !telemetry::logs(clickhouse, project, &[user])
        .await?
        .is_empty()
    {
        left.insert("logs".to_owned());
    }
    let of = (things.traces.as_slice(), sessions);
    if deletions::count_business_events(app.postgres(), project, user, of).await? > 0 {
        left.insert("business_events".to_owned());
    }
    if !find::items(app, project, &things.traces).await?.is_empty() {
        left.insert("dataset_items".to_owned());
    }
    Ok(left)
}

/// What was shown, once nothing is left.
pub(super) fn proofs(is_vacuumed: bool, set_aside: u64) -> Vec<Proof> {
    let proof = |place: &str, proven: bool, how: &str| Proof {
        place: place.to_owned(),
        proven,
        how: how.to_owned(),
    };
    vec![
        proof(
            "clickhouse.rows",
            true,
            "no row of the user or of the traces that were found, read with apply_deleted_mask = 0",
        ),
        proof(
            "clickhouse.parts",
            true,
            "every part that held such rows was rewritten, and no part that was replaced is left on the disk",
        ),
        proof(
            "postgres.rows",
            true,
            "no comment, annotation, business event, attachment, item of a dataset or link of a run is left",
        ),
        proof(
            "postgres.pages",
            false,
            if is_vacuumed {
                "the tables were vacuumed; free space within pages is not overwritten"
            } else {
                "the tables could not be vacuumed; free space within pages is not overwritten"
            },
        ),
        proof(
            "spool",
            set_aside == 0,
            if set_aside == 0 {
                "what was in it was stored first and then deleted; its file was written anew"
            } else {
                "what was in it was stored first and then deleted; its file was written anew; entries that could never \
                 be stored and were set aside were not looked into"
            },
        ),
        proof(
            "media",
            true,
            "the files of attachments that nothing else names were removed together with their rows",
        ),
        proof(
            "caches",
            true,
            "opened traces and values of columns are forgotten on the server that deleted; on others within 20 s",
        ),
    ]
}
