//! One prompt: reads what the open view needs, and shows it.

use std::sync::Arc;

use axum::extract::{RawPathParams, State};
use axum::response::Response;
use domain::axes::Requests;
use domain::comment::{Comment, CommentedKind};
use domain::prompt::{Label, PromptName, Selector};
use domain::{Code, Fault, Nanos, Timestamp};
use service::comments::Wanted;
use service::prompts::{self, References, uses};
use service::rollback::{self, Request};
use service::{App, ProjectScope, comments};

use super::compare::Compared;
use super::head::pair;
use super::labels::standing_labels;
use super::metrics::MOST_VERSIONS;
use super::query::Tab;
use super::split::measured_from;
use super::{
    Asked, CommentsPage, ComparePage, ContentPage, LabelsPage, MetricsPage, PromptQuery, Standing,
    named,
};
use crate::extract::{InProject, Pairs};
use crate::pages::{Answer, no_such_page, render};

/// Comments on a version that are shown.
const COMMENTS: u32 = 200;
/// Labels whose policies are shown.
const POLICIES: usize = 20;
/// Moves back that are shown.
const ROLLBACKS: u32 = 50;

/// Shows it.
pub(crate) async fn show_prompt(
    State(app): State<App>,
    entered: InProject,
    params: RawPathParams,
    pairs: Pairs,
) -> Answer {
    show(&app, &entered, (&named(&params)?, &pairs), "").await
}

/// The page of a prompt, with what could not be done.
pub(super) async fn show(
    app: &App,
    entered: &InProject,
    (name, pairs): (&PromptName, &Pairs),
    fault: &str,
) -> Answer {
    let query = PromptQuery::read(pairs)?;
    let now = app.clock().now();
    let scope = &entered.scope;
    let range = (now.minus(days(&query)), now);
    let (mut standing, remarks) = standing(app, scope, (name, &query), range).await?;
    let asked = match query.tab {
        Tab::Labels => asked(app, scope, (&standing, pairs)).await?,
        _ => None,
    };
    let reader = &entered.reader;
    let state = (&standing, &query);
    match query.tab {
        Tab::Content => {
            let resolved = resolved(app, scope, state).await?;
            let dependents = prompts::dependents(app, scope, name).await?;
            let told = (resolved.as_ref(), dependents.as_slice());
            let mut page = ContentPage::new(reader, state, told, now);
            page.head = page.head.with_fault(fault);
            Ok(render(&page))
        }
        Tab::Compare => {
            let compared = compared(app, scope, state, range).await?;
            let mut page = ComparePage::new(reader, state, &compared, now);
            page.head = page.head.with_fault(fault);
            Ok(render(&page))
        }
        Tab::Metrics => {
            let used = used(&standing);
            let requests = match used.is_empty() {
                true => None,
                false => measured(uses::requests(app, scope, (name, &used), range).await)?,
            };
            let mut page = MetricsPage::new(reader, state, requests.as_ref(), now);
            page.head = page.head.with_fault(fault);
            Ok(render(&page))
        }
        Tab::Labels => {
            let tests = tests(app, scope, &standing, range).await?;
            let told = (asked, tests.as_slice());
            labels(app, entered, (&mut standing, &query), told, fault).await
        }
        Tab::Comments => {
            let mut page = CommentsPage::new(reader, state, &remarks, now);
            page.head = page.head.with_fault(fault);
            Ok(render(&page))
        }
    }
}

fn days(query: &PromptQuery) -> Nanos {
    Nanos::from_seconds(u64::from(query.days()) * 86_400)
}

/// What the store of telemetry says; nothing where it is away: prompts are read without it.
fn measured<T>(read: Result<T, Fault>) -> Result<Option<T>, Fault> {
    match read {
        Ok(found) => Ok(Some(found)),
        Err(fault) if matches!(fault.code, Code::Unavailable | Code::Timeout) => Ok(None),
        Err(fault) => Err(fault),
    }
}

async fn standing(
    app: &App,
    scope: &ProjectScope,
    (name, query): (&PromptName, &PromptQuery),
    range: (Timestamp, Timestamp),
) -> Result<(Standing, Vec<Comment>), Fault> {
    let latest = Selector::Label(Label::latest());
    let selector = query.selector.as_ref().unwrap_or(&latest);
    let (versions, shown, protected, splits, uses) = tokio::join!(
        prompts::heads(app, scope, name),
        prompts::show(app, scope, name, selector, References::Keep),
        prompts::protected(app, scope),
        prompts::splits(app, scope, name),
        uses::of_versions(app, scope, name, range),
    );
    let (versions, shown) = (versions?, shown?);
    let wanted = Wanted {
        kind: Some(CommentedKind::Prompt),
        object_id: Some(shown.prompt.id.to_string()),
        author: None,
    };
    let (remarks, comments) = comments::list(app, scope, &wanted, (0, COMMENTS)).await?;
    let wrote = remarks.iter().filter_map(|remark| remark.draft.author);
    let wrote: Vec<String> = wrote.map(|id| id.to_string()).collect();
    let made = versions.iter().map(|head| head.created_by.as_str());
    let made = made.chain([shown.prompt.created_by.as_str()]);
    let people = made.chain(wrote.iter().map(String::as_str));
    let standing = Standing {
        authors: prompts::authors(app, scope, people).await?,
        shown: shown.prompt.clone(),
        protected: protected?,
        splits: splits?,
        uses: measured(uses)?,
        versions,
        comments,
    };
    Ok((standing, remarks))
}

/// The version with other prompts in their place, where that is asked for.
async fn resolved(
    app: &App,
    scope: &ProjectScope,
    (standing, query): (&Standing, &PromptQuery),
) -> Result<Option<Result<Arc<prompts::Shown>, String>>, Fault> {
    if !query.is_resolved {
        return Ok(None);
    }
    let selector = Selector::Version(standing.shown.version);
    let name = &standing.shown.name;
    match prompts::show(app, scope, name, &selector, References::Resolve).await {
        Ok(shown) => Ok(Some(Ok(shown))),
        Err(fault) if fault.code == Code::Conflict => Ok(Some(Err(fault.message))),
        Err(fault) => Err(fault),
    }
}

async fn compared(
    app: &App,
    scope: &ProjectScope,
    (standing, query): (&Standing, &PromptQuery),
    range: (Timestamp, Timestamp),
) -> Result<Compared, Fault> {
    let (from, to) = pair(standing, query);
    let name = &standing.shown.name;
    let (old, new) = (Selector::Version(from), Selector::Version(to));
    let versions = [from, to];
    let (before, after, diff, requests) = tokio::join!(
        prompts::show(app, scope, name, &old, References::Keep),
        prompts::show(app, scope, name, &new, References::Keep),
        prompts::diff(app, scope, name, (&old, &new)),
        uses::requests(app, scope, (name, &versions), range),
    );
    let diff = match diff {
        Ok(diff) => Ok(diff),
        Err(fault) if fault.code == Code::Conflict => Err(fault.message),
        Err(fault) => return Err(fault),
    };
    Ok(Compared {
        old: before?,
        new: after?,
        diff,
        requests: measured(requests)?,
    })
}

/// The newest versions that were used.
fn used(standing: &Standing) -> Vec<u32> {
    let uses = standing.uses.as_ref();
    let is_used = |version: &u32| uses.is_some_and(|uses| uses.contains_key(&version.to_string()));
    let versions = standing.versions.iter().map(|head| head.version);
    versions.filter(is_used).take(MOST_VERSIONS).collect()
}

/// The move that somebody thinks of: `move=` a label, `at=` a version.
async fn asked(
    app: &App,
    scope: &ProjectScope,
    (standing, pairs): (&Standing, &Pairs),
) -> Result<Option<Asked>, Fault> {
    let (Some(label), Some(at)) = (pairs.filled("move"), pairs.filled("at")) else {
        return Ok(None);
    };
    let label = Label::parse(label)?;
    let to: u32 = at.parse().map_err(|_| no_such_page())?;
    let from = standing_labels(standing)
        .into_iter()
        .find(|(known, _)| **known == label)
        .map(|(_, version)| version);
    let request = Request {
        to_version: to,
        label: Some(label.clone()),
        from_version: None,
        dry_run: true,
        force: false,
    };
    let answer = match from.filter(|from| *from != to) {
        Some(_) => {
            let name = &standing.shown.name;
            measured(rollback::roll_back(app, scope, name, &request).await)?
        }
        None => None,
    };
    Ok(Some(Asked {
        label,
        to,
        from,
        answer,
    }))
}

/// What was measured of each test since its weights were set.
async fn tests(
    app: &App,
    scope: &ProjectScope,
    standing: &Standing,
    (from, to): (Timestamp, Timestamp),
) -> Result<Vec<Option<Requests>>, Fault> {
    let mut all = Vec::with_capacity(standing.splits.len());
    for split in &standing.splits {
        let versions: Vec<u32> = split.variants.iter().map(|it| it.version).collect();
        let wanted = (&standing.shown.name, versions.as_slice());
        let range = (measured_from(split, from), to);
        all.push(measured(uses::requests(app, scope, wanted, range).await)?);
    }
    Ok(all)
}

async fn labels(
    app: &App,
    entered: &InProject,
    (standing, query): (&mut Standing, &PromptQuery),
    (asked, tests): (Option<Asked>, &[Option<Requests>]),
    fault: &str,
) -> Answer {
    let scope = &entered.scope;
    let name = standing.shown.name.clone();
    let mut policies = Vec::new();
    for (label, _) in standing_labels(standing).into_iter().take(POLICIES) {
        let shown = rollback::show_policy(app, scope, &name, Some(label.clone())).await?;
        policies.push(shown);
    }
    let (rollbacks, history) = tokio::try_join!(
        rollback::list(app, scope, &name, (None, ROLLBACKS)),
        prompts::history(app, scope, &name),
    )?;
    let who = history.iter().map(|told| told.actor.as_str());
    let who = who.chain(rollbacks.iter().map(|rollback| rollback.actor.as_str()));
    let set = policies.iter().filter_map(|shown| shown.set.as_ref());
    let who = who.chain(set.map(|(by, _)| by.as_str()));
    let more = prompts::authors(app, scope, who).await?;
    standing.authors.extend(more);
    let mut page = LabelsPage::new(
        &entered.reader,
        (&*standing, query),
        (&policies, asked.as_ref(), tests),
        (&rollbacks, &history),
        app.clock().now(),
    );
    page.head = page.head.with_fault(fault);
    Ok(render(&page))
}

/// The page again, where something could not be done that a person can mend: with the status of the fault.
pub(super) async fn again(
    app: &App,
    entered: &InProject,
    (name, tab): (&PromptName, &str),
    fault: Fault,
) -> Answer {
    if !matches!(fault.code, Code::Invalid | Code::Conflict | Code::Forbidden) {
        return Err(fault.into());
    }
    let pairs = Pairs(vec![("tab".to_owned(), tab.to_owned())]);
    let mut answer: Response = show(app, entered, (name, &pairs), &fault.message).await?;
    *answer.status_mut() = crate::error::status(fault.code);
    Ok(answer)
}
