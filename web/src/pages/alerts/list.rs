//! The list of rules with where they stand.

use std::collections::BTreeMap;

use askama::Template;
use axum::extract::State;
use domain::alert::state::Reading;
use domain::alert::{AlertSeries, Group, Rule};
use domain::tenancy::Permission;
use domain::{AlertRuleId, Timestamp};
use service::App;
use service::alerts::course;
use service::alerts::rules::{self, Listed};

use super::standing::{GroupRow, groups};
use super::{tabs, words};
use crate::extract::{InProject, Reader};
use crate::layout::{Choice, Frame, Section, Shell};
use crate::pages::{Answer, render};
use crate::urls;

/// What rules see, by rule and group.
pub(crate) type Seen = BTreeMap<AlertRuleId, Vec<(Group, Reading)>>;

/// The list.
#[derive(Template)]
#[template(path = "alerts/list.html")]
pub(crate) struct RulesPage {
    pub(crate) shell: Shell,
    pub(crate) frame: Frame,
    pub(crate) tabs: Vec<Choice>,
    pub(crate) may_set: bool,
    pub(crate) rows: Vec<RuleRow>,
    /// `looked at until 02:57:50`; empty before the first time.
    pub(crate) looked_at: String,
    /// What went wrong; empty when nothing did.
    pub(crate) fault: String,
    pub(crate) new_url: String,
    pub(crate) prometheus_url: String,
    /// Kinds to begin with.
    pub(crate) kinds: Vec<Choice>,
}

/// A rule.
pub(crate) struct RuleRow {
    pub(crate) url: String,
    pub(crate) name: String,
    pub(crate) condition: String,
    pub(crate) kind: &'static str,
    pub(crate) axis_class: &'static str,
    pub(crate) axis: &'static str,
    pub(crate) severity: &'static str,
    pub(crate) severity_class: &'static str,
    pub(crate) enabled: bool,
    pub(crate) state: &'static str,
    pub(crate) state_class: &'static str,
    /// `2 of 5` where it has several groups; empty otherwise.
    pub(crate) share: String,
    pub(crate) value: String,
    /// `bound 5.0 %`.
    pub(crate) against: String,
    pub(crate) switch_url: String,
}

impl RulesPage {
    /// Prepares everything for the template.
    pub(crate) fn new(reader: &Reader, listed: &Listed, seen: &Seen) -> Self {
        let (id, lang) = (reader.id(), reader.lang());
        let until = listed.standing.evaluated_until;
        let looked_at =
            |at: Timestamp| lang.fill("looked at until {}", &[&reader.zone().clock(at)]);
        let kind = |name: &&str| Choice {
            label: words::kind(name, lang).0.to_owned(),
            url: urls::alert_new_of(id, name),
            current: false,
        };
        let row = |rule: &Rule| {
            let rows = groups(rule, listed.states.get(&rule.id), seen.get(&rule.id), lang);
            RuleRow::new(reader, rule, &rows)
        };
        RulesPage {
            shell: Frame::shell(reader),
            frame: Frame::new(reader, Section::Alerts),
            tabs: tabs(reader, 0),
            may_set: reader.may(Permission::SetExpectations),
            rows: listed.rules.iter().map(row).collect(),
            looked_at: until.map_or_else(String::new, looked_at),
            fault: listed.standing.last_error.clone().unwrap_or_default(),
            new_url: urls::alert_new(id),
            prometheus_url: urls::alerts_for_prometheus(id),
            kinds: domain::alert::kind::NAMES.iter().map(kind).collect(),
        }
    }
}

impl RuleRow {
    fn new(reader: &Reader, rule: &Rule, groups: &[GroupRow]) -> Self {
        let (id, lang, draft) = (reader.id(), reader.lang(), &rule.draft);
        let axis = draft.series.as_ref().and_then(AlertSeries::axis);
        let (axis_class, axis) = words::axis(axis, lang);
        let worst = groups.first();
        let (state, state_class) = match (draft.enabled, worst) {
            (false, _) => (lang.t("off"), ""),
            (true, Some(worst)) => (worst.state, worst.class),
            (true, None) => (lang.t("not looked at yet"), ""),
        };
        let same = groups.iter().filter(|row| row.state == state).count();
        RuleRow {
            url: urls::alert_rule(id, rule.id),
            name: draft.name.clone(),
            condition: words::condition(draft, lang),
            kind: words::kind(draft.kind.name(), lang).0,
            axis_class,
            axis,
            severity: draft.severity.as_str(),
            severity_class: words::severity_class(draft.severity),
            enabled: draft.enabled,
            state,
            state_class,
            share: match groups.len() {
                2.. if draft.enabled => {
                    lang.fill("{} of {}", &[&same.to_string(), &groups.len().to_string()])
                }
                _ => String::new(),
            },
            value: worst.map_or_else(String::new, |row| row.value.clone()),
            against: worst
                .filter(|row| !row.bound.is_empty())
                .map_or_else(String::new, |row| lang.fill("bound {}", &[&row.bound])),
            switch_url: urls::alert_rule_switch(id, rule.id),
        }
    }
}

/// Shows it.
pub(crate) async fn list_rules(State(app): State<App>, entered: InProject) -> Answer {
    let listed = rules::list(&app, &entered.scope).await?;
    let seen = course::now(&app, &entered.scope, &listed).await?;
    Ok(render(&RulesPage::new(&entered.reader, &listed, &seen)))
}
