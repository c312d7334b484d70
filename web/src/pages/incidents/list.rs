//! The list of incidents: what goes on first, then what is over, the newest first.

use std::collections::BTreeMap;

use askama::Template;
use axum::extract::State;
use domain::alert::incident::{Incident, IncidentState};
use domain::page::Cursor;
use domain::{Fault, IncidentId, Timestamp};
use service::incidents::{MOST_COUNTED, Wanted};
use service::{App, incidents};

use super::words as said;
use crate::extract::{InProject, Pairs, Reader};
use crate::layout::{Frame, Section, Shell};
use crate::pages::alerts::words;
use crate::pages::{Answer, render};
use crate::urls;

/// Those that are over, on a page.
const ROWS: u32 = 50;
/// Incidents of which it is looked up whom they come from.
const CULPRITS: usize = 20;

/// The list.
#[derive(Template)]
#[template(path = "incidents/list.html")]
pub(crate) struct IncidentsPage {
    pub(crate) shell: Shell,
    pub(crate) frame: Frame,
    pub(crate) rows: Vec<IncidentRow>,
    /// `2 going on`; empty where none does.
    pub(crate) going_on: String,
    pub(crate) shows_silent: bool,
    /// The list with or without what was kept silent.
    pub(crate) silent_url: String,
    pub(crate) alerts_url: String,
    pub(crate) new_rule_url: String,
    pub(crate) may_set: bool,
    pub(crate) newest_url: String,
    pub(crate) next_url: String,
}

/// An incident.
pub(crate) struct IncidentRow {
    pub(crate) url: String,
    pub(crate) severity: &'static str,
    pub(crate) severity_class: &'static str,
    pub(crate) what: String,
    pub(crate) rule: String,
    pub(crate) since: String,
    pub(crate) exact: String,
    pub(crate) lasted: String,
    pub(crate) axis_class: &'static str,
    pub(crate) axis: &'static str,
    /// Whom it comes from, else whom it is about; empty where everything is one.
    pub(crate) group: String,
    pub(crate) state: &'static str,
    pub(crate) is_over: bool,
    pub(crate) is_silent: bool,
}

/// What a page of the list shows.
pub(crate) struct Listed {
    /// Whom those that go on come from, of the first of them.
    pub(crate) culprits: BTreeMap<IncidentId, String>,
    /// Those that go on; none but on the first page.
    pub(crate) going_on: Vec<Incident>,
    /// Those that are over.
    pub(crate) over: Vec<Incident>,
    /// Where the list goes on.
    pub(crate) next: Option<Cursor>,
    /// Whether this is the first page.
    pub(crate) is_first: bool,
    /// Whether those that were kept silent are shown, too.
    pub(crate) shows_silent: bool,
}

impl IncidentsPage {
    /// Prepares everything for the template.
    pub(crate) fn new(reader: &Reader, listed: &Listed, now: Timestamp) -> Self {
        let (id, lang) = (reader.id(), reader.lang());
        let here = match listed.shows_silent {
            true => urls::incidents_with_silent(id),
            false => urls::incidents(id),
        };
        let count = listed.going_on.len();
        let all = listed.going_on.iter().chain(&listed.over);
        IncidentsPage {
            shell: Frame::shell(reader),
            frame: Frame::new(reader, Section::Incidents),
            rows: all
                .map(|one| {
                    let culprit = listed.culprits.get(&one.id);
                    IncidentRow::new(reader, (one, culprit), now)
                })
                .collect(),
            going_on: match count {
                0 => String::new(),
                _ => lang.fill("{} going on", &[&count.to_string()]),
            },
            shows_silent: listed.shows_silent,
            silent_url: match listed.shows_silent {
                true => urls::incidents(id),
                false => urls::incidents_with_silent(id),
            },
            alerts_url: urls::alerts(id),
            new_rule_url: urls::alert_new(id),
            may_set: reader.may(domain::tenancy::Permission::SetExpectations),
            next_url: listed.next.as_ref().map_or_else(String::new, |next| {
                urls::after(&here, &[("after", &next.written(LIST))])
            }),
            newest_url: match listed.is_first {
                true => String::new(),
                false => here,
            },
        }
    }
}

impl IncidentRow {
    /// Prepares one.
    fn new(
        reader: &Reader,
        (incident, culprit): (&Incident, Option<&String>),
        now: Timestamp,
    ) -> Self {
        let (lang, subject) = (reader.lang(), &incident.subject);
        let (axis_class, axis) = words::axis(subject.axis, lang);
        IncidentRow {
            url: urls::incident(reader.id(), incident.id),
            severity: incident.severity.as_str(),
            severity_class: words::severity_class(incident.severity),
            what: said::what(subject, None, lang),
            rule: subject.rule_name.clone(),
            since: reader.zone().row_time(incident.onset, now),
            exact: reader.zone().exact(incident.onset),
            lasted: words::length(said::lasted(incident, now)),
            axis_class,
            axis,
            group: culprit.map_or_else(|| words::group(&subject.group), String::clone),
            state: words::state(incident.state, lang),
            is_over: incident.state == IncidentState::Resolved,
            is_silent: incident.suppressed_by.is_some(),
        }
    }
}

/// Whose cursors these are.
const LIST: &str = "incidents";

/// Shows it.
pub(crate) async fn list_incidents(
    State(app): State<App>,
    entered: InProject,
    pairs: Pairs,
) -> Answer {
    let shows_silent = pairs.get("silent") == Some("1");
    let after = pairs.filled("after").map(|text| {
        let cursor = Cursor::read(LIST, text)?;
        let id = cursor.id.parse();
        let id = id.map_err(|_| Fault::invalid("after is not one that this list gave"))?;
        Ok::<_, Fault>((cursor.start, id))
    });
    let after = after.transpose()?;
    let wanted = |state| Wanted {
        state: Some(state),
        suppressed: (!shows_silent).then_some(false),
        suppressed_by: None,
        after: None,
    };
    let mut going_on = Vec::new();
    if after.is_none() {
        for state in [IncidentState::Open, IncidentState::Acknowledged] {
            let some = incidents::list(&app, &entered.scope, &wanted(state), MOST_COUNTED).await?;
            going_on.extend(some);
        }
        going_on.sort_by_key(|one| (one.severity, std::cmp::Reverse(one.fired_at)));
    }
    let over = Wanted {
        after,
        ..wanted(IncidentState::Resolved)
    };
    let mut over = incidents::list(&app, &entered.scope, &over, ROWS + 1).await?;
    let goes_on = over.len() > ROWS as usize;
    over.truncate(ROWS as usize);
    let next = over.last().filter(|_| goes_on).map(|last| Cursor {
        start: last.fired_at,
        id: last.id.to_string(),
    });
    let mut culprits = BTreeMap::new();
    for one in going_on.iter().take(CULPRITS) {
        let cause = incidents::cause(&app, &entered.scope, one.id).await?;
        if let Some((dimension, value)) = cause.and_then(|cause| cause.culprit) {
            let dimension = dimension.replace('_', " ");
            culprits.insert(one.id, format!("{dimension} {value}"));
        }
    }
    let listed = Listed {
        culprits,
        going_on,
        over,
        next,
        is_first: after.is_none(),
        shows_silent,
    };
    let now = app.clock().now();
    Ok(render(&IncidentsPage::new(&entered.reader, &listed, now)))
}
