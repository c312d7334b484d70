//! Rules: list, show, create, update, delete.

use domain::alert::channel::AlertChannel;
use domain::alert::kind::Condition;
use domain::alert::measure::Source;
use domain::alert::prometheus;
use domain::alert::state::{Resolution, States};
use domain::alert::{Kind, Rule, RuleDraft, RuleFilter, Severity};
use domain::filter::Filter;
use domain::tenancy::Permission;
use domain::{AlertChannelId, AlertRuleId, Code, Fault};
use serde_json::{Map, Value};
use store_postgres::StoreError;
use store_postgres::alerts::progress::{self, Standing};
use store_postgres::alerts::rules::Forgets;
use store_postgres::alerts::{baselines, channels, incidents, rules};
use uuid::Uuid;

use super::record;
use crate::app::App;
use crate::names;
use crate::scope::ProjectScope;

/// Rules of one project.
const MOST: i64 = 500;
/// Longest time that something must be abnormal: a day.
const MAX_FOR_S: u64 = 86_400;

/// What is set of a rule; what is left out stays as it is.
#[derive(Clone, Default)]
pub struct Given {
    /// What it is called.
    pub name: Option<String>,
    /// Name of its kind.
    pub kind: Option<String>,
    /// What it is about; `Some(None)`: what is usual for the kind.
    pub series: Option<Option<String>>,
    /// Parameters of the kind.
    pub params: Option<Map<String, Value>>,
    /// Requests that it is about.
    pub filter: Option<RuleFilter>,
    /// Seconds that something must be abnormal.
    pub for_s: Option<u64>,
    /// How much it matters.
    pub severity: Option<Severity>,
    /// Where messages go.
    pub channels: Option<Vec<AlertChannelId>>,
    /// Whether it is looked at.
    pub enabled: Option<bool>,
}

/// Rules with where they stand.
pub struct Listed {
    /// The rules, the oldest first.
    pub rules: Vec<Rule>,
    /// States of their groups.
    pub states: States,
    /// How far they are looked at.
    pub standing: Standing,
}

/// Those of a project, with where they stand.
///
/// # Errors
/// `unavailable` without Postgres.
pub async fn list(app: &App, scope: &ProjectScope) -> Result<Listed, Fault> {
    let (db, project) = (app.postgres(), scope.project_id());
    Ok(Listed {
        rules: rules::list(db, project).await?,
        states: progress::states(db, project).await?,
        standing: progress::standing(db, project).await?,
    })
}

/// Rules for Prometheus, as a file of YAML.
///
/// # Errors
/// `unavailable` without Postgres.
pub async fn export(app: &App, scope: &ProjectScope) -> Result<String, Fault> {
    let rules = rules::list(app.postgres(), scope.project_id()).await?;
    Ok(prometheus::file(rules.iter()))
}

/// Makes one; needs `SetExpectations`. It is looked at from now on.
///
/// # Errors
/// `forbidden`, `invalid` on a field, `conflict` for a name that is taken or too many, or `unavailable` without Postgres.
pub async fn create(app: &App, scope: &ProjectScope, given: Given) -> Result<Rule, Fault> {
    scope.require(Permission::SetExpectations)?;
    let (db, project) = (app.postgres(), scope.project_id());
    let rule = rule(app, draft(None, given)?);
    check_channels(&rule.draft, &channels::list(db, project).await?)?;
    if !rules::create(db, project, &rule, MOST)
        .await
        .map_err(taken)?
    {
        let message = format!("a project has at most {MOST} rules");
        return Err(Fault::new(Code::Conflict, message));
    }
    baselines::forget(db, project).await?;
    Ok(rule)
}

/// Changes one; needs `SetExpectations`. Where it looks at something else from then on, what goes on of it is over.
///
/// # Errors
/// As [`create`], and `not_found`.
pub async fn update(
    app: &App,
    scope: &ProjectScope,
    id: AlertRuleId,
    given: Given,
) -> Result<Rule, Fault> {
    scope.require(Permission::SetExpectations)?;
    let (db, project) = (app.postgres(), scope.project_id());
    let before = find(app, scope, id).await?;
    let rule = Rule {
        id,
        draft: draft(Some(&before.draft), given)?,
        created_at: before.created_at,
        updated_at: app.clock().now(),
    };
    check_channels(&rule.draft, &channels::list(db, project).await?)?;
    let forgets = match rule.draft.looks_as(&before.draft) {
        true => Forgets::Nothing,
        false => Forgets::States,
    };
    let mut tx = db.begin().await?;
    if forgets == Forgets::States {
        end_all(app, &mut tx, scope, &before).await?;
    }
    let replaced = rules::replace(&mut tx, project, (&rule, forgets)).await;
    if !replaced.map_err(taken)? {
        return Err(none(id));
    }
    tx.commit().await?;
    baselines::forget(db, project).await?;
    Ok(rule)
}

/// Deletes one; needs `SetExpectations`. What goes on of it is over; its incidents stay.
///
/// # Errors
/// `forbidden`, `not_found`, or `unavailable` without Postgres.
pub async fn delete(app: &App, scope: &ProjectScope, id: AlertRuleId) -> Result<(), Fault> {
    scope.require(Permission::SetExpectations)?;
    let rule = find(app, scope, id).await?;
    let mut tx = app.postgres().begin().await?;
    end_all(app, &mut tx, scope, &rule).await?;
    if !rules::delete(&mut tx, (scope.project_id(), id), app.clock().now()).await? {
        return Err(none(id));
    }
    tx.commit().await?;
    Ok(())
}

/// One of a project.
pub(super) async fn find(app: &App, scope: &ProjectScope, id: AlertRuleId) -> Result<Rule, Fault> {
    let all = rules::list(app.postgres(), scope.project_id()).await?;
    let found = all.into_iter().find(|rule| rule.id == id);
    found.ok_or_else(|| none(id))
}

/// A rule that was not there before.
pub(super) fn rule(app: &App, draft: RuleDraft) -> Rule {
    let now = app.clock().now();
    Rule {
        id: AlertRuleId(Uuid::now_v7()),
        draft,
        created_at: now,
        updated_at: now,
    }
}

/// What is given, checked; the rest as before, or as usual.
pub(super) fn draft(before: Option<&RuleDraft>, given: Given) -> Result<RuleDraft, Fault> {
    let needed = |field: &str| Fault::invalid(format!("{field}: is needed")).on_field(field);
    let name = given
        .name
        .or_else(|| before.map(|before| before.name.clone()));
    let kind_name = match (&given.kind, before) {
        (Some(name), _) => name.as_str(),
        (None, Some(before)) => before.kind.name(),
        (None, None) => return Err(needed("kind")),
    };
    let kind_before = before.map(|before| &before.kind);
    let kept = kind_before.filter(|before| before.name() == kind_name);
    let params = match (given.params, kept) {
        (Some(given), _) => given,
        (None, Some(before)) => before.params().as_object().cloned().unwrap_or_default(),
        (None, None) => Map::new(),
    };
    let kind = Kind::parse(kind_name, &params)?;
    let series_before = || {
        let series = before?.series.as_ref()?;
        Some(series.to_string()).filter(|_| kept.is_some())
    };
    let series = given.series.unwrap_or_else(series_before);
    let series = kind.series(series.as_deref())?;
    let filter = given
        .filter
        .or_else(|| before.map(|before| before.filter.clone()));
    let mut filter = filter.unwrap_or_default();
    (filter.filter.from, filter.filter.to) = (None, None);
    let is_of_requests = series
        .as_ref()
        .is_some_and(|series| matches!(series.source, Source::Requests(_)));
    if filter.filter != Filter::default() && !is_of_requests {
        let message = "filter: is for series of requests; this one is not";
        return Err(Fault::invalid(message).on_field("filter"));
    }
    let usual_severity = match kind.condition {
        Condition::Composite { .. } => Severity::P1,
        _ => Severity::default(),
    };
    let for_s = given
        .for_s
        .or(before.map(|before| before.for_s))
        .unwrap_or(0);
    if for_s > MAX_FOR_S {
        return Err(Fault::invalid("for_s: is at most a day").on_field("for_s"));
    }
    let channels = given
        .channels
        .or_else(|| before.map(|before| before.channels.clone()));
    Ok(RuleDraft {
        name: names::name("name", &name.ok_or_else(|| needed("name"))?)?,
        kind,
        series,
        filter,
        for_s,
        severity: given
            .severity
            .or(before.map(|before| before.severity))
            .unwrap_or(usual_severity),
        channels: channels.unwrap_or_default(),
        enabled: given
            .enabled
            .or(before.map(|before| before.enabled))
            .unwrap_or(true),
    })
}

fn check_channels(draft: &RuleDraft, known: &[AlertChannel]) -> Result<(), Fault> {
    let is_known = |id: &AlertChannelId| known.iter().any(|channel| channel.id == *id);
    match draft.channels.iter().find(|id| !is_known(id)) {
        None => Ok(()),
        Some(id) => {
            let message = format!("channels: no channel {id}");
            Err(Fault::invalid(message).on_field("channels"))
        }
    }
}

/// Ends whatever goes on of a rule.
async fn end_all(
    app: &App,
    tx: &mut store_postgres::Transaction,
    scope: &ProjectScope,
    rule: &Rule,
) -> Result<(), Fault> {
    let project = scope.project_id();
    let channels = channels::list(app.postgres(), project).await?;
    let recorder = record::Recorder::new(app, project, &channels);
    for incident in incidents::going_on(tx, project, rule.id).await? {
        let over = (app.clock().now(), Resolution::RuleChanged);
        recorder
            .end(tx, (incident.id, &rule.draft.channels), over)
            .await?;
    }
    Ok(())
}

fn taken(error: StoreError) -> Fault {
    error.on_constraint("alert_rules_project_id_name_key", || {
        Fault::new(Code::Conflict, "name: a rule has that name already").on_field("name")
    })
}

fn none(id: AlertRuleId) -> Fault {
    Fault::not_found(format!("no rule {id}"))
}
