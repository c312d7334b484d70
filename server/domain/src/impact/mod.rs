//! What semantic events and incidents do to the business: pairs of a cause and a kind of business event, each with
//! how often it happened to those who were exposed and to those who were not, and how much of that can be told apart
//! from chance. A pure function of what was read; `docs/impact.md` has the method, its formulas and their sources.

/// One pair.
mod link;
/// What was when.
pub mod timeline;
/// Whom things happen to.
mod unit;

use std::collections::BTreeMap;

use crate::business_event::BusinessEvent;
use crate::ids::IncidentId;
use crate::semantic::EventType;
use crate::span::named_enum;
use crate::stats::false_discovery::benjamini_hochberg;
use crate::stats::risk::{Estimate, Stratum};
use crate::time::{Nanos, Timestamp};

use unit::{Series, Units};

named_enum!(
    /// Whom things happen to.
    UnitKind, default Trace {
        /// Traces: each by itself.
        Trace = "trace",
        /// Sessions.
        Session = "session",
        /// Users.
        User = "user",
    }
);

named_enum!(
    /// What can be said of a pair.
    Standing, default NotEnoughData {
        /// More, or less, often than chance would have it.
        Linked = "linked",
        /// No more than chance would have it.
        NotLinked = "not_linked",
        /// Too few to say.
        NotEnoughData = "not_enough_data",
    }
);

/// Least number of exposed, and of others.
pub const LEAST_UNITS: usize = 20;
/// Least number of those that it happened to.
pub const LEAST_HITS: usize = 5;
/// Share of false discoveries up to which a pair counts as linked.
pub const MOST_FALSE: f64 = 0.05;
/// Share of units whose group must be known before strata are made of groups.
pub const LEAST_GROUPED: f64 = 0.9;
/// Share of events that a finer unit has to link before a coarser one is taken.
pub const LEAST_LINKED: f64 = 0.9;
/// Kinds of business events that are looked at: the most frequent.
pub const MOST_SERIES: usize = 20;
/// Examples of a pair.
pub const EXAMPLES: usize = 5;

/// A trace, as what things happen to.
#[derive(Clone, Debug, PartialEq)]
pub struct Trace {
    /// Its id.
    pub trace_id: String,
    /// Its session.
    pub session_id: Option<String>,
    /// Its user.
    pub user_id: Option<String>,
    /// The group of an experiment that it was in.
    pub ab_group: Option<String>,
    /// When it began.
    pub start: Timestamp,
    /// When it ended.
    pub end: Timestamp,
}

/// The first event of a type in a trace, or of a session.
#[derive(Clone, Debug, PartialEq)]
pub struct First {
    /// The trace; empty: a session as a whole.
    pub trace_id: String,
    /// The session, where it is one as a whole.
    pub session_id: String,
    /// What went wrong.
    pub event_type: EventType,
    /// When.
    pub at: Timestamp,
}

/// An incident as a stretch of time.
#[derive(Clone, Debug, PartialEq)]
pub struct Stretch {
    /// Its id.
    pub id: IncidentId,
    /// What it is called.
    pub name: String,
    /// When it began.
    pub from: Timestamp,
    /// When it ended.
    pub to: Timestamp,
}

/// All that is looked at.
#[derive(Clone, Debug, Default)]
pub struct Evidence {
    /// Traces.
    pub traces: Vec<Trace>,
    /// What went wrong in them.
    pub firsts: Vec<First>,
    /// Incidents.
    pub incidents: Vec<Stretch>,
    /// What happened in the business.
    pub events: Vec<BusinessEvent>,
}

/// What may be the cause.
#[derive(Clone, Debug, PartialEq)]
pub enum Cause {
    /// Semantic events of a type.
    Semantic(EventType),
    /// An incident: whoever did anything while it went on was exposed.
    Incident(IncidentId, String),
}

/// How it is looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Method {
    /// How long after its cause an event still counts.
    pub within: Nanos,
    /// Whom things happen to; `None`: the finest unit that most events of a kind can be put to.
    pub unit: Option<UnitKind>,
}

/// Where both came together.
#[derive(Clone, Debug, PartialEq)]
pub struct Example {
    /// The trace that was exposed.
    pub trace_id: String,
    /// Its session.
    pub session_id: Option<String>,
    /// Its user.
    pub user_id: Option<String>,
    /// When the cause was.
    pub cause_at: Timestamp,
    /// When the event was.
    pub effect_at: Timestamp,
}

/// What was found of a pair that has enough of everything.
#[derive(Clone, Debug, PartialEq)]
pub struct Measured {
    /// Risk of the exposed minus that of the others.
    pub difference: Estimate,
    /// Risk of the exposed by that of the others.
    pub ratio: Estimate,
    /// Probability of counts as uneven if there were no difference.
    pub p_value: f64,
    /// Share of false discoveries among all pairs as certain.
    pub q_value: f64,
    /// In [0, 1]: how much of what happened to the exposed can be put down to the cause, cautiously.
    pub causal_score: f64,
    /// How strong something unknown would have to be to explain the ratio away.
    pub e_value: f64,
}

/// A cause and a kind of business event.
#[derive(Clone, Debug, PartialEq)]
pub struct Link {
    /// What may be the cause.
    pub cause: Cause,
    /// The kind of event, by its [`BusinessEvent::series`].
    pub effect: String,
    /// Whom they happen to.
    pub unit: UnitKind,
    /// What can be said of it.
    pub standing: Standing,
    /// What there is too little of; empty where there is enough.
    pub lacking: Option<Lacking>,
    /// Counts of all strata together.
    pub counts: Stratum,
    /// Exposed ones that had such an event in the same time before, and are not counted.
    pub before: usize,
    /// Strata that were told apart.
    pub strata: usize,
    /// Whether groups of an experiment are among what strata are made of.
    pub by_group: bool,
    /// What was found.
    pub measured: Option<Measured>,
    /// Half of the events came sooner after their cause.
    pub median_delay: Option<Nanos>,
    /// Where both came together, the latest first.
    pub examples: Vec<Example>,
}

named_enum!(
    /// What there is too little of.
    Lacking, default Exposed {
        /// Those who were exposed.
        Exposed = "exposed",
        /// Those who were not.
        Unexposed = "unexposed",
        /// Those that it happened to.
        Events = "events",
    }
);

/// All pairs of what there is, the strongest first.
pub fn links(evidence: &Evidence, method: Method) -> Vec<Link> {
    let mut kinds = BTreeMap::new();
    let mut links = Vec::new();
    for (name, events) in by_series(&evidence.events) {
        let kind = method
            .unit
            .unwrap_or_else(|| unit::finest(&evidence.traces, &events));
        let (units, exposures) = kinds.entry(kind).or_insert_with(|| {
            let units = Units::new(kind, evidence);
            let exposures = units.exposures();
            (units, exposures)
        });
        let series = Series::new(units, &events);
        for (cause, exposed) in exposures {
            let cause = (cause.clone(), &*exposed);
            links.push(link::link(units, cause, (&name, &series), method));
        }
    }
    correct(&mut links);
    let strength = |link: &Link| link.measured.as_ref().map_or(-1.0, |it| it.causal_score);
    let certainty = |link: &Link| link.measured.as_ref().map_or(2.0, |it| it.p_value);
    links.sort_by(|one, other| {
        let by_score = strength(other).total_cmp(&strength(one));
        by_score.then(certainty(one).total_cmp(&certainty(other)))
    });
    links
}

/// Events by what they are called, the twenty most frequent.
fn by_series(events: &[BusinessEvent]) -> BTreeMap<String, Vec<&BusinessEvent>> {
    let mut all: BTreeMap<String, Vec<&BusinessEvent>> = BTreeMap::new();
    for event in events {
        all.entry(event.series()).or_default().push(event);
    }
    let mut counts: Vec<(usize, String)> = all
        .iter()
        .map(|(name, events)| (events.len(), name.clone()))
        .collect();
    counts.sort_by(|one, other| other.0.cmp(&one.0).then_with(|| one.1.cmp(&other.1)));
    for (_, name) in counts.into_iter().skip(MOST_SERIES) {
        all.remove(&name);
    }
    all
}

/// Many pairs are looked at: some of them look linked by chance.
fn correct(links: &mut [Link]) {
    let measured = links.iter().filter_map(|link| link.measured.as_ref());
    let p_values: Vec<f64> = measured.map(|it| it.p_value).collect();
    let mut q_values = benjamini_hochberg(&p_values).into_iter();
    for link in links {
        let Some(it) = &mut link.measured else {
            continue;
        };
        it.q_value = q_values.next().unwrap_or(1.0);
        let is_linked = it.q_value < MOST_FALSE;
        link.standing = match is_linked {
            true => Standing::Linked,
            false => Standing::NotLinked,
        };
        if !is_linked {
            it.causal_score = 0.0;
        }
    }
}

#[cfg(test)]
mod tests;
