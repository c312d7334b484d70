//! Whom things happen to: traces, sessions or users, with when they were active and what happened to them.

use std::collections::{BTreeMap, HashMap};

use super::{Cause, Evidence, LEAST_GROUPED, LEAST_LINKED, Trace, UnitKind};
use crate::business_event::BusinessEvent;
use crate::stats::number;
use crate::time::Timestamp;

/// A trace, a session or a user.
pub(super) struct Unit {
    /// Start of its first trace.
    pub(super) first: Timestamp,
    /// End of its last.
    pub(super) last: Timestamp,
    /// How many traces it has.
    pub(super) traces: usize,
    /// The group that it was in, by its number.
    pub(super) group: Option<usize>,
    /// The same for the same id, evenly spread.
    pub(super) hash: u64,
}

/// Exposed units, by their number: when first, and in which trace.
pub(super) type Exposed = HashMap<usize, (Timestamp, Option<usize>)>;

/// All units of a kind.
pub(super) struct Units<'e> {
    pub(super) kind: UnitKind,
    pub(super) all: Vec<Unit>,
    /// Whether groups are known of enough of them.
    pub(super) are_grouped: bool,
    pub(super) evidence: &'e Evidence,
    keys: HashMap<&'e str, usize>,
    by_trace: HashMap<&'e str, usize>,
    /// The user of a session.
    user_of: HashMap<&'e str, &'e str>,
}

impl<'e> Units<'e> {
    /// From traces; their groups also from events that name one.
    pub(super) fn new(kind: UnitKind, evidence: &'e Evidence) -> Self {
        let mut units = Units {
            kind,
            all: Vec::new(),
            are_grouped: false,
            evidence,
            keys: HashMap::new(),
            by_trace: HashMap::new(),
            user_of: HashMap::new(),
        };
        let mut groups: BTreeMap<&str, usize> = BTreeMap::new();
        let mut numbered = |name: &'e str| {
            let next = groups.len();
            *groups.entry(name).or_insert(next)
        };
        for (at, trace) in evidence.traces.iter().enumerate() {
            units.by_trace.insert(&trace.trace_id, at);
            if let (Some(session), Some(user)) = (&trace.session_id, &trace.user_id) {
                units.user_of.insert(session, user);
            }
            let Some(key) = key(kind, trace) else {
                continue;
            };
            let group = trace.ab_group.as_deref().map(&mut numbered);
            units.add(key, trace, group);
        }
        for event in &evidence.events {
            let Some(group) = event.ab_group.as_deref().map(&mut numbered) else {
                continue;
            };
            if let Some(unit) = units.of_event(event) {
                units.all[unit].group.get_or_insert(group);
            }
        }
        let known = units.all.iter().filter(|unit| unit.group.is_some()).count();
        let share = number(known) / number(units.all.len().max(1));
        units.are_grouped = share >= LEAST_GROUPED && groups.len() > 1;
        units
    }

    fn add(&mut self, key: &'e str, trace: &Trace, group: Option<usize>) {
        let next = self.all.len();
        let at = *self.keys.entry(key).or_insert(next);
        if at == next {
            self.all.push(Unit {
                first: trace.start,
                last: trace.end,
                traces: 0,
                group: None,
                hash: hash(key),
            });
        }
        let unit = &mut self.all[at];
        unit.first = unit.first.min(trace.start);
        unit.last = unit.last.max(trace.end);
        unit.traces += 1;
        unit.group = unit.group.or(group);
    }

    /// Whom an event happened to.
    fn of_event(&self, event: &BusinessEvent) -> Option<usize> {
        let trace = event.trace_id.as_deref();
        let trace = trace.and_then(|id| Some(&self.evidence.traces[*self.by_trace.get(id)?]));
        let session = event.session_id.as_deref();
        let session = session.or_else(|| trace?.session_id.as_deref());
        let key = match self.kind {
            UnitKind::Trace => trace.map(|trace| trace.trace_id.as_str()),
            UnitKind::Session => session,
            UnitKind::User => event
                .user_id
                .as_deref()
                .or_else(|| trace?.user_id.as_deref())
                .or_else(|| self.user_of.get(session?).copied()),
        };
        self.keys.get(key?).copied()
    }

    /// Who was exposed to what, and when first.
    pub(super) fn exposures(&self) -> Vec<(Cause, Exposed)> {
        let evidence = self.evidence;
        let mut by_type = BTreeMap::new();
        for first in &evidence.firsts {
            let exposed: &mut Exposed = by_type.entry(first.event_type).or_default();
            let trace = self.by_trace.get(first.trace_id.as_str()).copied();
            let unit = match trace {
                Some(at) => self.of_trace(&evidence.traces[at]),
                None => self.of_session(&first.session_id),
            };
            if let Some(unit) = unit {
                note(exposed, unit, (first.at, trace));
            }
        }
        let mut all: Vec<(Cause, Exposed)> = by_type
            .into_iter()
            .map(|(event_type, exposed)| (Cause::Semantic(event_type), exposed))
            .collect();
        for incident in &evidence.incidents {
            let mut exposed = Exposed::new();
            let during = |trace: &Trace| incident.from <= trace.start && trace.start < incident.to;
            for (at, trace) in evidence.traces.iter().enumerate() {
                let unit = during(trace).then(|| self.of_trace(trace)).flatten();
                if let Some(unit) = unit {
                    note(&mut exposed, unit, (trace.start, Some(at)));
                }
            }
            let cause = Cause::Incident(incident.id, incident.name.clone());
            all.push((cause, exposed));
        }
        all
    }

    fn of_trace(&self, trace: &Trace) -> Option<usize> {
        self.keys.get(key(self.kind, trace)?).copied()
    }

    fn of_session(&self, session: &str) -> Option<usize> {
        let key = match self.kind {
            UnitKind::Trace => return None,
            UnitKind::Session => session,
            UnitKind::User => self.user_of.get(session)?,
        };
        self.keys.get(key).copied()
    }
}

/// Events of one kind: when they happened, by whom they happened to.
pub(super) struct Series(pub(super) HashMap<usize, Vec<Timestamp>>);

impl Series {
    pub(super) fn new(units: &Units<'_>, events: &[&BusinessEvent]) -> Self {
        let mut all: HashMap<usize, Vec<Timestamp>> = HashMap::new();
        for event in events {
            if let Some(unit) = units.of_event(event) {
                all.entry(unit).or_default().push(event.at);
            }
        }
        for times in all.values_mut() {
            times.sort_unstable();
        }
        Series(all)
    }
}

/// The finest unit that links nine of ten of the events that the best one links.
pub(super) fn finest(traces: &[Trace], events: &[&BusinessEvent]) -> UnitKind {
    let mut known: [std::collections::HashSet<&str>; 2] = Default::default();
    let mut by_trace = HashMap::new();
    for trace in traces {
        by_trace.insert(trace.trace_id.as_str(), trace);
        known[0].extend(trace.session_id.as_deref());
        known[1].extend(trace.user_id.as_deref());
    }
    let linked = |kind| {
        let is_linked = |event: &&&BusinessEvent| {
            let trace = event.trace_id.as_deref().and_then(|id| by_trace.get(id));
            let (of_event, ids, of_trace) = match kind {
                UnitKind::Trace => return trace.is_some(),
                UnitKind::Session => (
                    &event.session_id,
                    &known[0],
                    trace.and_then(|trace| trace.session_id.as_deref()),
                ),
                UnitKind::User => (
                    &event.user_id,
                    &known[1],
                    trace.and_then(|trace| trace.user_id.as_deref()),
                ),
            };
            match of_event.as_deref() {
                Some(id) => ids.contains(id),
                None => of_trace.is_some(),
            }
        };
        events.iter().filter(is_linked).count()
    };
    let counts =
        [UnitKind::Trace, UnitKind::Session, UnitKind::User].map(|kind| (kind, linked(kind)));
    let most = counts.iter().map(|(_, count)| *count).max().unwrap_or(0);
    let enough = |count: usize| number(count) >= LEAST_LINKED * number(most);
    let finest = counts.into_iter().find(|(_, count)| enough(*count));
    finest.map_or(UnitKind::Trace, |(kind, _)| kind)
}

fn key(kind: UnitKind, trace: &Trace) -> Option<&str> {
    match kind {
        UnitKind::Trace => Some(&trace.trace_id),
        UnitKind::Session => trace.session_id.as_deref(),
        UnitKind::User => trace.user_id.as_deref(),
    }
}

fn note(exposed: &mut Exposed, unit: usize, seen: (Timestamp, Option<usize>)) {
    let first = exposed.entry(unit).or_insert(seen);
    if seen.0 < first.0 {
        *first = seen;
    }
}

/// FNV-1a with a final mix, so that it is the same wherever it is computed.
fn hash(text: &str) -> u64 {
    let mut hash = text.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    });
    hash ^= hash >> 33;
    hash = hash.wrapping_mul(0xff51_afd7_ed55_8ccd);
    hash ^ (hash >> 33)
}
