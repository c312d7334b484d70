//! One pair: who was exposed and who was not, made comparable, counted and judged.

use std::collections::BTreeMap;

use super::unit::{Exposed, Series, Unit, Units};
use super::{
    Cause, EXAMPLES, Example, LEAST_HITS, LEAST_UNITS, Lacking, Link, Measured, Method, Standing,
    UnitKind,
};
use crate::stats::number;
use crate::stats::risk::{Estimate, Stratum, crude, risk};
use crate::time::{Nanos, Timestamp};

/// What a unit was like around the instant from which on it is followed.
enum Followed {
    /// It had such an event in the same time before: it is not counted.
    Before,
    /// Nothing happened.
    Nothing,
    /// It happened at that time.
    After(Timestamp),
}

/// Counts by the stratum that they are of: group, and how active the unit was.
type Strata = BTreeMap<(Option<usize>, u32), Stratum>;

/// Judges a pair; its q-value is that of a pair alone.
pub(super) fn link(
    units: &Units<'_>,
    (cause, exposed): (Cause, &Exposed),
    (effect, series): (&str, &Series),
    method: Method,
) -> Link {
    let places = places(units, exposed);
    let mut strata = Strata::new();
    let (mut before, mut met) = (0, Vec::new());
    for (at, unit) in units.all.iter().enumerate() {
        let cause_at = exposed.get(&at).map(|(at, _)| *at);
        let index = cause_at.or_else(|| placed(unit, &places));
        let Some(index) = index else { continue };
        let followed = followed(series.0.get(&at), index, method.within);
        let counted = strata.entry(stratum(units, unit)).or_default();
        let is_hit = matches!(followed, Followed::After(_));
        match (followed, cause_at) {
            (Followed::Before, Some(_)) => before += 1,
            (Followed::Before, None) => {}
            (followed, Some(cause_at)) => {
                counted.of += 1;
                counted.hits += usize::from(is_hit);
                if let Followed::After(effect_at) = followed {
                    met.push((at, cause_at, effect_at));
                }
            }
            (_, None) => {
                counted.of_others += 1;
                counted.other_hits += usize::from(is_hit);
            }
        }
    }
    let strata: Vec<Stratum> = strata.into_values().collect();
    let counts = crude(&strata);
    let lacking = lacking(counts);
    let measured = match lacking {
        Some(_) => None,
        None => measure(&strata, (counts, before)),
    };
    let used = |stratum: &&Stratum| stratum.of > 0 && stratum.of_others > 0;
    Link {
        cause,
        effect: effect.to_owned(),
        unit: units.kind,
        standing: Standing::NotEnoughData,
        lacking,
        counts,
        before,
        strata: strata.iter().filter(used).count(),
        by_group: units.are_grouped,
        measured,
        median_delay: median_delay(&met),
        examples: examples(units, exposed, met),
    }
}

/// Where in its time each exposed unit met its cause: 0 at its beginning, 1 at its end; sorted.
fn places(units: &Units<'_>, exposed: &Exposed) -> Vec<f64> {
    let place = |(at, (seen, _)): (&usize, &(Timestamp, Option<usize>))| {
        let unit = &units.all[*at];
        let whole = (unit.last - unit.first).as_millis_f64();
        let part = (*seen - unit.first).as_millis_f64();
        if whole > 0.0 {
            (part / whole).clamp(0.0, 1.0)
        } else {
            0.0
        }
    };
    let mut places: Vec<f64> = exposed.iter().map(place).collect();
    places.sort_by(f64::total_cmp);
    places
}

/// The instant from which on one that was not exposed is followed. It stands where the exposed met their cause, one
/// like the other, so that both are followed for as long (Zhou and others, *Survival bias associated with
/// time-to-treatment initiation*, 2005: prescription time-distribution matching).
fn placed(unit: &Unit, places: &[f64]) -> Option<Timestamp> {
    let count = u64::try_from(places.len())
        .ok()
        .filter(|&count| count > 0)?;
    let place = places.get(usize::try_from(unit.hash % count).ok()?)?;
    let whole = (unit.last - unit.first).as_millis_f64();
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a part of a time that is none less than zero"
    )]
    let part = (whole * place * 1e6) as u64;
    Some(unit.first.plus(Nanos(part)))
}

fn followed(times: Option<&Vec<Timestamp>>, index: Timestamp, within: Nanos) -> Followed {
    let Some(times) = times else {
        return Followed::Nothing;
    };
    let (from, to) = (index.minus(within), index.plus(within));
    let mut met = times.iter().copied().filter(|at| (from..to).contains(at));
    match met.next() {
        Some(at) if at < index => Followed::Before,
        Some(at) => Followed::After(at),
        None => Followed::Nothing,
    }
}

/// Who does more meets more of everything: those of a like activity are compared, and those of a group.
fn stratum(units: &Units<'_>, unit: &Unit) -> (Option<usize>, u32) {
    let group = unit.group.filter(|_| units.are_grouped);
    let activity = match units.kind {
        UnitKind::Trace => 0,
        UnitKind::Session | UnitKind::User => unit.traces.max(1).ilog2().min(6),
    };
    (group, activity)
}

fn lacking(counts: Stratum) -> Option<Lacking> {
    if counts.of < LEAST_UNITS {
        return Some(Lacking::Exposed);
    }
    if counts.of_others < LEAST_UNITS {
        return Some(Lacking::Unexposed);
    }
    (counts.hits + counts.other_hits < LEAST_HITS).then_some(Lacking::Events)
}

fn measure(strata: &[Stratum], (counts, before): (Stratum, usize)) -> Option<Measured> {
    let found = risk(strata)?;
    Some(Measured {
        difference: found.difference,
        ratio: found.ratio,
        p_value: found.p_value,
        q_value: found.p_value,
        causal_score: causal_score(found.ratio, (counts.hits, before)),
        e_value: e_value(found.ratio),
    })
}

/// The share of what happened to the exposed that would not have happened without the cause, 1 − 1/RR (the probability
/// of necessity: Tian and Pearl, *Probabilities of causation*, 2000), at the cautious end of the interval of RR; where
/// less happened to the exposed, the share that was prevented, 1 − RR. What happens more often is weighed by the share
/// of events that came after the cause and not before it.
pub(super) fn causal_score(ratio: Estimate, (after, before): (usize, usize)) -> f64 {
    let score = if ratio.low > 1.0 {
        let order = number(after) / number((after + before).max(1));
        (1.0 - 1.0 / ratio.low) * order
    } else if ratio.high < 1.0 {
        1.0 - ratio.high
    } else {
        0.0
    };
    if score.is_finite() {
        score.clamp(0.0, 1.0)
    } else {
        0.0
    }
}

/// E = RR + √(RR(RR − 1)), at the cautious end of the interval; 1 where that says nothing. `VanderWeele` and Ding,
/// *Sensitivity analysis in observational research*, 2017.
pub(super) fn e_value(ratio: Estimate) -> f64 {
    let cautious = if ratio.low > 1.0 {
        ratio.low
    } else if ratio.high < 1.0 && ratio.high > 0.0 {
        1.0 / ratio.high
    } else {
        return 1.0;
    };
    cautious + (cautious * (cautious - 1.0)).sqrt()
}

fn median_delay(met: &[(usize, Timestamp, Timestamp)]) -> Option<Nanos> {
    let mut delays: Vec<Nanos> = met
        .iter()
        .map(|(_, cause, effect)| *effect - *cause)
        .collect();
    delays.sort_unstable();
    delays.get(delays.len() / 2).copied()
}

fn examples(
    units: &Units<'_>,
    exposed: &Exposed,
    mut met: Vec<(usize, Timestamp, Timestamp)>,
) -> Vec<Example> {
    met.sort_by_key(|(_, cause_at, _)| std::cmp::Reverse(*cause_at));
    let example = |(at, cause_at, effect_at): (usize, Timestamp, Timestamp)| {
        let (_, trace) = exposed.get(&at)?;
        let trace = &units.evidence.traces[(*trace)?];
        Some(Example {
            trace_id: trace.trace_id.clone(),
            session_id: trace.session_id.clone(),
            user_id: trace.user_id.clone(),
            cause_at,
            effect_at,
        })
    };
    met.into_iter().filter_map(example).take(EXAMPLES).collect()
}
