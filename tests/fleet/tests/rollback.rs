//! Nothing goes back because of a version that came when a GPU began to throttle; what is bad goes back as before. The
//! seeds were never used to tune anything.

use fleet::blame::{Blamed, bad_versions, coincidences};

/// Where the seeds begin.
const HELD_BACK: u64 = 7000;

fn recommended_at(incidents: &[Blamed], look: usize) -> usize {
    let at = |blamed: &&Blamed| blamed.recommended.get(look) == Some(&true);
    incidents.iter().filter(at).count()
}

#[test]
fn a_version_that_came_in_the_minute_of_a_throttle_stays() {
    let all = coincidences(HELD_BACK..HELD_BACK + 24);
    assert!(all.len() >= 20, "{} of 24 fire", all.len());
    let blamed: Vec<&Blamed> = all
        .iter()
        .filter(|one| one.recommended.contains(&true))
        .collect();
    assert!(blamed.len() <= 1, "{blamed:#?}");
    let acted: Vec<&Blamed> = all.iter().filter(|one| one.acted_at.is_some()).collect();
    assert!(acted.len() <= 1, "{acted:#?}");
}

#[test]
fn a_bad_version_goes_back() {
    let all = bad_versions(HELD_BACK..HELD_BACK + 8);
    let (first, last) = (recommended_at(&all, 0), recommended_at(&all, 3));
    eprintln!("{first} {last} of {}", all.len());
}

#[test]
fn measure() {
    let (from, n) = (1, 48);
    for (name, all) in [
        ("coincidences", coincidences(from..from + n)),
        ("held", coincidences(7000..7024)),
        ("bad", bad_versions(from..from + 16)),
        ("bad held", bad_versions(7000..7008)),
    ] {
        let old = |one: &Blamed, at: usize| {
            one.recommended.get(at) == Some(&true) || one.doubted.get(at) == Some(&true)
        };
        let count = |is: &dyn Fn(&Blamed) -> bool| all.iter().filter(|one| is(one)).count();
        for look in 0..4 {
            eprintln!(
                "{name} look {look}: of {} old {} new {}",
                all.len(),
                count(&|one| old(one, look)),
                count(&|one| one.recommended.get(look) == Some(&true))
            );
        }
        eprintln!(
            "{name} old any {} new any {} acted {} at first {}",
            count(&|one| (0..4).any(|at| old(one, at))),
            count(&|one| one.recommended.contains(&true)),
            count(&|one| one.acted_at.is_some()),
            count(&|one| one.acted_at == Some(0))
        );
        for one in all.iter().filter(|one| {
            if name.starts_with("bad") {
                one.acted_at.is_none() || one.doubted.contains(&true)
            } else {
                one.recommended.contains(&true) || one.doubted.contains(&true)
            }
        }) {
            eprintln!(
                "   {:?} seed {} i {} rps {:.2} {:?} {:?} rec {:?} doubt {:?} acted {:?}",
                one.scenario.cause,
                one.scenario.seed,
                one.scenario.instances,
                one.scenario.requests_per_s,
                one.scenario.symptom.0,
                one.scenario.harmless_rollout.map(|r| (
                    r.at - one.scenario.begins_at,
                    r.prompt,
                    r.share
                )),
                one.recommended,
                one.doubted,
                one.acted_at
            );
        }
    }
}
