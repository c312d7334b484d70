//! From events to incidents and messages: everything in the transaction of whoever asks.

use domain::alert::cause::Cause;
use domain::alert::channel::{AlertChannel, ChannelKind};
use domain::alert::evaluate::Event;
use domain::alert::incident::{
    Happening, Incident, IncidentState, Moment, Subject, id_of, labels, named,
};
use domain::alert::notice::{self, Occasion};
use domain::alert::state::{Change, Resolution};
use domain::alert::symptom::symptom;
use domain::alert::{AlertSeries, Rule, Severity};
use domain::rollback::Rollback;
use domain::{AlertChannelId, Fault, IncidentId, Nanos, ProjectId, Timestamp};
use serde_json::Value;
use store_postgres::Transaction;
use store_postgres::alerts::notifications::Notification;
use store_postgres::alerts::{attributions as attributed, incidents, notifications, progress};
use store_postgres::rollbacks;

use crate::app::App;
use crate::attributions;

/// How long more is recorded of requests after an incident of the first severity, and before.
pub(crate) const BOOST: Nanos = Nanos::from_seconds(300);
/// When the cause of an incident that is over is looked at again: its last requests are stored by then.
const SOON: Nanos = Nanos::from_seconds(5);

/// Writes what comes of the rules of a project.
pub(crate) struct Recorder<'a> {
    app: &'a App,
    project: ProjectId,
    channels: &'a [AlertChannel],
}

impl<'a> Recorder<'a> {
    /// With the channels of the project.
    pub(crate) fn new(app: &'a App, project: ProjectId, channels: &'a [AlertChannel]) -> Self {
        Recorder {
            app,
            project,
            channels,
        }
    }

    /// Writes an event of a rule; the incident where one was opened.
    pub(super) async fn event(
        &self,
        tx: &mut Transaction,
        (rule, all): (&Rule, &[Rule]),
        event: &Event,
    ) -> Result<Option<Incident>, Fault> {
        match event.change {
            Change::Fired { onset } => self.fired(tx, (rule, all), event, onset).await,
            Change::Resolved { fired_at, why } => {
                let id = id_of(rule.id, &event.group, fired_at);
                let over = (event.at, why);
                self.end(tx, (id, &rule.draft.channels), over).await?;
                Ok(None)
            }
        }
    }

    async fn fired(
        &self,
        tx: &mut Transaction,
        (rule, all): (&Rule, &[Rule]),
        event: &Event,
        onset: Timestamp,
    ) -> Result<Option<Incident>, Fault> {
        let incident = Incident {
            id: id_of(rule.id, &event.group, event.at),
            rule_id: Some(rule.id),
            subject: subject(rule, event),
            severity: rule.draft.severity,
            state: IncidentState::Open,
            suppressed_by: event.suppressed_by,
            onset,
            fired_at: event.at,
            acknowledged_at: None,
            resolved_at: None,
            resolution: None,
        };
        if !incidents::open(tx, self.project, &incident).await? {
            return Ok(None);
        }
        let mut moments = vec![(onset, Happening::Onset, String::new())];
        for member in &event.members {
            let name = all.iter().find(|rule| rule.id == member.rule);
            let name = name.map_or("", |rule| rule.draft.name.as_str());
            let detail = format!("{}: {name} {}", member.axis, labels(&member.group));
            moments.push((member.onset, Happening::Member, detail));
        }
        moments.push((event.at, Happening::Fired, String::new()));
        if incident.severity == Severity::P1 && incident.suppressed_by.is_none() {
            let until = event.at.plus(BOOST);
            progress::boost(tx, self.project, until).await?;
            moments.push((event.at, Happening::SamplingRaised, until.to_string()));
        }
        for (at, what, detail) in moments {
            let moment = Moment { at, what, detail };
            incidents::note(tx, self.project, incident.id, &moment).await?;
        }
        let symptom = symptom(rule, all, event);
        attributions::ask(tx, self.project, &incident, symptom.as_ref()).await?;
        self.tell(tx, (&incident, &rule.draft.channels), Occasion::Fired)
            .await?;
        Ok(Some(incident))
    }

    /// Ends an incident, unless it is over, and tells so once.
    pub(crate) async fn end(
        &self,
        tx: &mut Transaction,
        (id, channels): (IncidentId, &[AlertChannelId]),
        (at, why): (Timestamp, Resolution),
    ) -> Result<Option<Incident>, Fault> {
        let ended = incidents::resolve(tx, self.project, id, (at, why)).await?;
        let Some(incident) = ended else {
            return Ok(None);
        };
        let moment = Moment {
            at,
            what: Happening::Resolved,
            detail: why.to_string(),
        };
        incidents::note(tx, self.project, id, &moment).await?;
        if why == Resolution::Recovered {
            self.recovered(tx, id, at).await?;
        }
        let now = self.app.clock().now();
        attributed::hurry(tx, (self.project, id), now.plus(SOON)).await?;
        self.tell(tx, (&incident, channels), Occasion::Resolved)
            .await?;
        Ok(Some(incident))
    }

    /// Notes how long after labels of prompts went back everything was normal again.
    async fn recovered(
        &self,
        tx: &mut Transaction,
        id: IncidentId,
        at: Timestamp,
    ) -> Result<(), Fault> {
        for rollback in rollbacks::recovered(tx, self.project, id, at).await? {
            let seconds = rollback.recovered_after_s().unwrap_or_default();
            let moment = Moment {
                at,
                what: Happening::RolledBackRecovered,
                detail: format!("{}: normal again after {seconds} s", rollback.said()),
            };
            incidents::note(tx, self.project, id, &moment).await?;
        }
        Ok(())
    }

    /// Tells of a label that went back, or might.
    pub(crate) async fn tell_of_rollback(
        &self,
        tx: &mut Transaction,
        (incident, channels): (&Incident, &[AlertChannelId]),
        occasion: Occasion,
        rollback: &Rollback,
    ) -> Result<(), Fault> {
        let cause = self.cause(tx, incident).await?;
        let url = url(self.app, self.project, incident.id);
        let known = (incident, cause.as_ref());
        let body = |kind| notice::rollback_body(kind, occasion, (known, rollback), &url);
        self.push(tx, (incident, channels), occasion, body).await
    }

    async fn tell(
        &self,
        tx: &mut Transaction,
        (incident, channels): (&Incident, &[AlertChannelId]),
        occasion: Occasion,
    ) -> Result<(), Fault> {
        if incident.suppressed_by.is_some() {
            return Ok(());
        }
        let cause = self.cause(tx, incident).await?;
        let url = url(self.app, self.project, incident.id);
        let known = (incident, cause.as_ref());
        let body = |kind| Some(notice::body(kind, occasion, known, &url));
        self.push(tx, (incident, channels), occasion, body).await
    }

    /// What an incident comes from, as far as that is known.
    async fn cause(
        &self,
        tx: &mut Transaction,
        incident: &Incident,
    ) -> Result<Option<Cause>, Fault> {
        let answer = attributed::answer(tx, self.project, incident.id).await?;
        Ok(answer.as_ref().and_then(Cause::of_answer))
    }

    /// Puts a message in the queue for each channel that is on and has words for it.
    async fn push(
        &self,
        tx: &mut Transaction,
        (incident, channels): (&Incident, &[AlertChannelId]),
        occasion: Occasion,
        body: impl Fn(ChannelKind) -> Option<Value>,
    ) -> Result<(), Fault> {
        let now = self.app.clock().now();
        let wanted = |channel: &&AlertChannel| channel.enabled && channels.contains(&channel.id);
        for channel in self.channels.iter().filter(wanted) {
            let Some(body) = body(channel.kind).map(|body| body.to_string()) else {
                continue;
            };
            let parts = [
                "notification",
                &incident.id.to_string(),
                &channel.id.to_string(),
                occasion.as_str(),
            ];
            let notification = Notification {
                id: named(&parts),
                incident: Some(incident.id),
                channel: channel.id,
                occasion,
                body: &body,
            };
            notifications::push(tx, self.project, &notification, now).await?;
        }
        Ok(())
    }
}

/// Where an incident can be read.
pub(crate) fn url(app: &App, project: ProjectId, id: IncidentId) -> String {
    format!("{}/p/{project}/incidents/{id}", app.settings().public_url)
}

fn subject(rule: &Rule, event: &Event) -> Subject {
    let series = rule.draft.series.as_ref();
    Subject {
        rule_name: rule.draft.name.clone(),
        kind: rule.draft.kind.name().to_owned(),
        series: series.map(ToString::to_string),
        axis: series.and_then(AlertSeries::axis),
        group: event.group.clone(),
        reading: event.reading,
    }
}
