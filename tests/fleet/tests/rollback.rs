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
