//! Nothing goes back because of a version that came when a GPU began to throttle; what is bad goes back as before. The
//! seeds were never used to tune anything.

use fleet::blame::{Blamed, bad_versions, coincidences};

/// Where the seeds begin.
const HELD_BACK: u64 = 7000;

#[test]
fn a_version_that_came_in_the_minute_of_a_throttle_stays() {
    let all = coincidences(HELD_BACK..HELD_BACK + 24);
    assert!(all.len() >= 20, "{} of 24 fire", all.len());
    let recommended = all.iter().filter(|one| one.recommended.contains(&true));
    let recommended: Vec<&Blamed> = recommended.collect();
    assert!(recommended.len() <= 1, "{recommended:#?}");
    let acted: Vec<&Blamed> = all.iter().filter(|one| one.acted_at.is_some()).collect();
    assert!(acted.len() <= 1, "{acted:#?}");
}

#[test]
fn a_version_that_does_harm_goes_back_all_the_same() {
    let all = bad_versions(HELD_BACK..HELD_BACK + 8);
    // What is blamed above all and not proven would have gone back without proof.
    let lost = all.iter().filter(|one| one.doubted.last() == Some(&true));
    let lost: Vec<&Blamed> = lost.collect();
    assert!(lost.len() <= 1, "{lost:#?}");
    let acted = all.iter().filter(|one| one.acted_at.is_some()).count();
    assert!(2 * acted >= all.len(), "{acted} of {}: {all:#?}", all.len());
}
